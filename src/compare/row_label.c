#include "compare/row_label.h"

#include "base/stack_frame.h"
#include "base/text_width.h"

#define LONGEST_NAME 80 /* in columns of the screen */

void eti__add_row_name(eti_buffer *out, eti_text name) {
    eti__add_folded(out, name, LONGEST_NAME, "...");
}

/* ---- namesakes ------------------------------------------------------------------------------- */

/* Numbers of the events of a block that an event has its name in common with, itself included. */
typedef struct namesakes {
    size_t n;
    size_t number;   /* of the event, counting from 1 */
    size_t n_module; /* in the same module */
    size_t n_line;   /* in the same module, at the same source line */
} namesakes;

static bool is_event(const eti_entry *entry) {
    return entry->kind == ETI_ENTRY_EVENT;
}

static bool are_in_one_module(const eti_entry *a, const eti_entry *b) {
    return eti__text_equal(a->module, b->module);
}

static bool are_at_one_line(const eti_entry *a, const eti_entry *b) {
    return a->line == b->line && eti__text_equal(a->file, b->file);
}

static namesakes count_namesakes(const eti_profile_block *block, const eti_entry *entry) {
    namesakes count = {0};
    for (size_t i = 0; i < block->n_entries; i++) {
        const eti_entry *other = &block->entries[i];
        if (!is_event(other) || !eti__text_equal(other->name, entry->name))
            continue;
        bool is_in_module = are_in_one_module(other, entry);
        count.n++;
        count.number += other <= entry;
        count.n_module += is_in_module;
        count.n_line += is_in_module && are_at_one_line(other, entry);
    }
    return count;
}

/* ---- labels ---------------------------------------------------------------------------------- */

/* Appends the file without its folders, and the line. */
static void add_line(eti_buffer *out, const eti_entry *entry) {
    eti_text file = entry->file;
    for (size_t i = file.size; i > 0; i--) {
        if (file.data[i - 1] == '/' || file.data[i - 1] == '\\') {
            file = (eti_text){file.data + i, file.size - i};
            break;
        }
    }
    eti_buffer line = {0};
    eti__add_source_line(&line, file, entry->line);
    if (line.failed)
        out->failed = true;
    else
        eti__add_row_name(out, eti__buffer_text(&line));
    eti__buffer_free(&line);
}

/* Appends what distinguishes an event from its namesakes. */
static void add_place(eti_buffer *out, const eti_profile_block *block, const eti_entry *entry) {
    namesakes count = count_namesakes(block, entry);
    bool has_module = entry->module.size > 0;
    bool has_line = entry->file.size > 0 && (!has_module || count.n_module > 1);
    if (count.n < 2)
        return;
    if (!has_module && !has_line)
        count.n_line = count.n;
    else if (!has_line)
        count.n_line = count.n_module;
    if (count.n_line > 1)
        eti__buffer_printf(out, " #%zu", count.number);
    if (!has_module && !has_line)
        return;
    eti__buffer_add_string(out, " (");
    if (has_module)
        eti__add_row_name(out, entry->module);
    if (has_line) {
        eti__buffer_add_string(out, has_module ? ", " : "");
        add_line(out, entry);
    }
    eti__buffer_add_char(out, ')');
}

static void add_block(eti_buffer *out, eti_text label) {
    eti__buffer_add_string(out, " of ");
    eti__add_row_name(out, label);
}

void eti__add_entry_label(eti_buffer *out, const eti_profile_block *block, const eti_entry *entry,
                          bool names_block) {
    eti__add_row_name(out, entry->name);
    if (is_event(entry))
        add_place(out, block, entry);
    if (names_block)
        add_block(out, block->label);
}

/* Returns the side on which a row has its name. */
static const eti_row_side *named_side(const eti_diff_row *row) {
    return row->new_side.entry ? &row->new_side : &row->base;
}

void eti__add_row(eti_buffer *out, const eti_diff_row *row, bool names_block) {
    const eti_row_side *side = named_side(row);
    eti__add_row_name(out, row->name);
    if (side->block && is_event(side->entry))
        add_place(out, side->block, side->entry);
    if (names_block)
        add_block(out, row->block);
}

/* ---- tables ---------------------------------------------------------------------------------- */

bool eti__entry_needs_module(const eti_profile_block *block, const eti_entry *entry) {
    return is_event(entry) && entry->module.size > 0 && count_namesakes(block, entry).n > 1;
}

bool eti__row_needs_module(const eti_diff_row *row) {
    const eti_row_side *side = named_side(row);
    return side->block && eti__entry_needs_module(side->block, side->entry);
}
