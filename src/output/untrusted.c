#include "output/untrusted.h"

#include "base/text.h"

#include <string.h>

/* Appends the text as it shall be; false: it may stay as it is, and `out` is not used. */
typedef bool (*change_text)(eti_buffer *out, eti_text text);

/* False when memory is out. */
static bool change_cell(eti_table *table, eti_cell *cell, change_text change, eti_buffer *scratch) {
    if (cell->kind != ETI_CELL_TEXT && cell->kind != ETI_CELL_LIST)
        return true;
    scratch->size = 0;
    if (!change(scratch, cell->as_text))
        return true;
    return !scratch->failed && eti_table_own_text(table, eti_buffer_text(scratch), &cell->as_text);
}

static bool copy_rows(eti_table *to, const eti_table *from, change_text change,
                      eti_buffer *scratch) {
    for (size_t row = 0; row < from->n_rows; row++) {
        eti_cell *cells = eti_table_add_row(to);
        if (!cells)
            return false;
        memcpy(cells, from->cells + row * from->n_columns, from->n_columns * sizeof *cells);
        for (size_t i = 0; i < from->n_columns; i++) {
            if (!change_cell(to, &cells[i], change, scratch))
                return false;
        }
    }
    return true;
}

static eti_status copy_table(eti_table **out, const eti_table *table, change_text change,
                             eti_error *err) {
    ETI_TRY(eti_table_new(out, table->column_names, table->n_columns, err));
    (*out)->index_column = table->index_column;
    (*out)->most_drawn = table->most_drawn;
    eti_buffer scratch = {0};
    bool copied = copy_rows(*out, table, change, &scratch);
    eti_buffer_free(&scratch);
    if (copied)
        return ETI_OK;
    eti_table_free(*out);
    *out = NULL;
    return eti_fail_memory(err);
}

/* ---- terminals ------------------------------------------------------------------------------- */

static bool may_act(eti_text text) {
    for (size_t at = 0; at < text.size; at++) {
        unsigned char byte = (unsigned char)text.data[at];
        if (byte < 0x20 || byte >= 0x7f)
            return true;
    }
    return false;
}

static bool spell_out(eti_buffer *out, eti_text text) {
    if (!may_act(text))
        return false;
    for (size_t at = 0; at < text.size;) {
        uint32_t character;
        size_t length = eti_text_decode(text, at, &character);
        if (!eti_is_control(character) || character == '\n') /* which only breaks the line */
            eti_buffer_add(out, text.data + at, length);
        else
            eti_buffer_printf(out, character < 0x100 ? "\\x%02x" : "\\u%04x", (unsigned)character);
        at += length;
    }
    return true;
}

eti_status eti_table_make_visible(eti_table **out, const eti_table *table, eti_error *err) {
    return copy_table(out, table, spell_out, err);
}

/* ---- spreadsheets ---------------------------------------------------------------------------- */

static bool begins_formula(uint32_t character) {
    static const uint32_t signs[] = {'=', '+', '-', '@', 0xff1d, 0xff0b, 0xff0d, 0xff20};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        if (character == signs[i])
            return true;
    }
    return false;
}

/* What a spreadsheet may split a text at, whatever the quotes and the format say. */
static bool ends_cell(uint32_t character) {
    return character == '\n' || character == '\r' || character == '\t' || character == ';';
}

/* Blanks are taken off by some. */
static bool is_blank(uint32_t character) {
    return character == ' ' || character == 0xa0 || character == 0xfeff;
}

static bool defuse(eti_buffer *out, eti_text text) {
    bool at_start = true, changed = false;
    for (size_t at = 0; at < text.size;) {
        uint32_t character;
        size_t length = eti_text_decode(text, at, &character);
        if (at_start && begins_formula(character)) {
            eti_buffer_add_char(out, '\'');
            changed = true;
        }
        eti_buffer_add(out, text.data + at, length);
        at_start = ends_cell(character) || (at_start && is_blank(character));
        at += length;
    }
    return changed;
}

eti_status eti_table_defuse_formulas(eti_table **out, const eti_table *table, eti_error *err) {
    return copy_table(out, table, defuse, err);
}
