#include "compare/namesakes.h"

#include "base/names.h"

#include <stdlib.h>

#define LONGEST_NAME 80 /* in columns of the screen */

/* ---- labels ---------------------------------------------------------------------------------- */

void eti__add_row_name(eti_buffer *out, eti_text name) {
    eti__add_folded(out, name, LONGEST_NAME, "...");
}

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
static void add_place(eti_buffer *out, const eti_entry *entry, const eti_namesakes *of,
                      bool has_module) {
    if (of->has_number)
        eti__buffer_printf(out, " #%u", of->number);
    if (!has_module && !of->has_line)
        return;
    eti__buffer_add_string(out, " (");
    if (has_module)
        eti__add_row_name(out, entry->module);
    if (of->has_line) {
        eti__buffer_add_string(out, has_module ? ", " : "");
        add_line(out, entry);
    }
    eti__buffer_add_char(out, ')');
}

void eti__add_entry_label(eti_buffer *out, const eti_entry *entry, const eti_namesakes *namesakes) {
    eti__add_row_name(out, entry->name);
    if (namesakes && namesakes->n > 1)
        add_place(out, entry, namesakes, entry->module.size > 0);
}

/* ---- events of a block ----------------------------------------------------------------------- */

/* The events of a block, with room for a text and a number each. */
typedef struct finder {
    const eti_entry *events;
    size_t n;
    eti_namesakes *out; /* per event */
    eti_text *texts;
    uint32_t *numbers, *n_equal;
    eti_buffer labels;
} finder;

static bool number_names(finder *f) {
    for (size_t i = 0; i < f->n; i++)
        f->texts[i] = f->events[i].name;
    if (!eti__number_equal_texts(f->texts, f->n, f->numbers, f->n_equal))
        return false;
    for (size_t i = 0; i < f->n; i++)
        f->out[i] = (eti_namesakes){.n = f->n_equal[i], .number = f->numbers[i]};
    return true;
}

/* Counts the events with the same label, for each event that has namesakes. */
static bool count_labels(finder *f) {
    size_t end = 0;
    f->labels.size = 0;
    for (size_t i = 0; i < f->n; i++) {
        if (f->out[i].n > 1)
            eti__add_entry_label(&f->labels, &f->events[i], &f->out[i]);
        f->texts[i].size = f->labels.size - end;
        end = f->labels.size;
    }
    if (f->labels.failed)
        return false;
    const char *label = f->labels.data ? f->labels.data : "";
    for (size_t i = 0; i < f->n; i++) {
        f->texts[i].data = label;
        label += f->texts[i].size;
    }
    return eti__number_equal_texts(f->texts, f->n, f->numbers, f->n_equal);
}

static bool choose_lines(finder *f) {
    for (size_t i = 0; i < f->n; i++)
        f->out[i].has_line = f->events[i].module.size == 0 && f->events[i].file.size > 0;
    if (!count_labels(f))
        return false;
    for (size_t i = 0; i < f->n; i++)
        f->out[i].has_line =
            f->events[i].file.size > 0 && (f->out[i].has_line || f->n_equal[i] > 1);
    return true;
}

static bool choose_numbers(finder *f) {
    if (!count_labels(f))
        return false;
    for (size_t i = 0; i < f->n; i++) {
        bool is_bare = f->events[i].module.size == 0 && !f->out[i].has_line;
        f->out[i].has_number = is_bare || f->n_equal[i] > 1;
    }
    return true;
}

static bool keep_labels(finder *f, eti_arena *arena) {
    for (size_t i = 0; i < f->n; i++) {
        eti_namesakes *of = &f->out[i];
        if (of->n < 2 || (!of->has_line && !of->has_number))
            continue;
        f->labels.size = 0;
        eti__buffer_add_text(&f->labels, f->events[i].name);
        add_place(&f->labels, &f->events[i], of, false);
        if (f->labels.failed ||
            !eti__arena_copy_text(arena, eti__buffer_text(&f->labels), &of->beside_module))
            return false;
    }
    return true;
}

static bool has_namesakes(const finder *f) {
    for (size_t i = 0; i < f->n; i++) {
        if (f->out[i].n > 1)
            return true;
    }
    return false;
}

bool eti__namesakes_find(const eti_namesakes **out, const eti_profile_block *block,
                         eti_arena *arena) {
    eti_namesakes *all = eti__arena_alloc_zero(arena, block->n_entries + 1, sizeof *all);
    size_t first = 0;
    while (first < block->n_entries && block->entries[first].kind != ETI_ENTRY_EVENT)
        first++;
    finder f = {.events = block->entries + first, .n = block->n_entries - first};
    f.texts = malloc((f.n + 1) * sizeof *f.texts);
    f.numbers = malloc((f.n + 1) * sizeof *f.numbers);
    f.n_equal = malloc((f.n + 1) * sizeof *f.n_equal);
    bool done = all && f.texts && f.numbers && f.n_equal;
    if (done) {
        f.out = all + first;
        done = number_names(&f);
    }
    if (done && has_namesakes(&f))
        done = choose_lines(&f) && choose_numbers(&f) && keep_labels(&f, arena);
    free(f.texts);
    free(f.numbers);
    free(f.n_equal);
    eti__buffer_free(&f.labels);
    *out = all;
    return done;
}
