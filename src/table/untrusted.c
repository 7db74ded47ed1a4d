#include "table/untrusted.h"

#include "base/output.h"
#include "base/status.h"
#include "table/cell_text.h"
#include "table/report.h"

#include <stdlib.h>
#include <string.h>

/* Appends the changed text; false: the text needs no change, and `out` is not used. */
typedef bool (*change_text)(eti_buffer *out, eti_text text);

/* A table that is read with its texts changed. */
typedef struct changed_table {
    const eti_table *table;
    change_text change;
} changed_table;

static bool make_changed(const void *context, size_t row, eti_row *out) {
    const changed_table *changed = context;
    if (!eti__table_make_row(changed->table, row, out))
        return false;
    for (size_t i = 0; i < out->n_wanted; i++) {
        eti_cell *cell = &out->cells[i];
        out->scratch.size = 0;
        if (eti__cell_is_text(cell) && changed->change(&out->scratch, cell->as_text) &&
            !eti__row_take_text(out, &cell->as_text))
            return false;
    }
    return true;
}

static eti_status copy_table(eti_table **out, const eti_table *table, change_text change,
                             eti_error *err) {
    *out = NULL;
    changed_table *changed = malloc(sizeof *changed);
    if (!changed)
        return eti_fail_memory(err);
    *changed = (changed_table){table, change};
    eti_row_source source = {make_changed, free, changed};
    /* cppcheck-suppress memleak ; the table owns it */
    ETI_TRY(eti__table_new_over(out, table, table->columns, table->n_columns, source, err));
    (*out)->kept = eti__table_keep(table);
    return ETI_OK;
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

/* Returns the ASCII form of lines, marks and units; NULL: the character is none of these. */
static const char *ascii_of(uint32_t character) {
    static const struct {
        uint32_t character;
        const char *ascii;
    } forms[] = {
        {0x00b0, ""},    /* ° */
        {0x00b5, "u"},   /* µ */
        {0x2013, "-"},   /* – */
        {0x2014, "-"},   /* — */
        {0x2020, "*"},   /* † */
        {0x2026, "..."}, /* … */
        {0x2500, "-"},   /* ─ */
        {0x2502, "|"},   /* │ */
        {0x2514, "`"},   /* └ */
        {0x251c, "|"},   /* ├ */
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (forms[i].character == character)
            return forms[i].ascii;
    }
    return NULL;
}

static void spell_character(eti_buffer *out, uint32_t character) {
    const char *ascii = ascii_of(character);
    const char *form = character < 0x100 ? "\\x%02x" : character < 0x10000 ? "\\u%04x" : "\\U%08x";
    if (character == '\n' || character == '\t' || character == '\r')
        eti__buffer_add_string(out, character == '\n' ? "\\n" : character == '\t' ? "\\t" : "\\r");
    else if (ascii)
        eti__buffer_add_string(out, ascii);
    else
        eti__buffer_printf(out, form, (unsigned)character);
}

static bool is_to_be_spelled(uint32_t character, unsigned besides) {
    if (character == '\n')
        return besides & ETI_VISIBLE_ONE_LINE;
    return eti__is_control(character) || (character >= 0x80 && (besides & ETI_VISIBLE_ASCII));
}

static bool spell_out(eti_buffer *out, eti_text text) {
    if (!may_act(text))
        return false;
    for (size_t at = 0; at < text.size;) {
        char spelled[ETI_TERMINAL_MOST];
        uint32_t character;
        size_t length = eti__text_decode(text, at, &character);
        if (eti__is_control(character) && character != '\n') { /* a newline only breaks the line */
            size_t size = eti__spell_control(spelled, character);
            eti__buffer_add(out, spelled, size);
        } else {
            eti__buffer_add(out, text.data + at, length);
        }
        at += length;
    }
    return true;
}

eti_status eti__table_make_visible(eti_table **out, const eti_table *table, eti_error *err) {
    return copy_table(out, table, spell_out, err);
}

void eti__add_visible(eti_buffer *out, eti_text text, unsigned besides) {
    if (!may_act(text)) {
        eti__buffer_add_text(out, text);
        return;
    }
    for (size_t at = 0; at < text.size;) {
        uint32_t character;
        size_t length = eti__text_decode(text, at, &character);
        if (is_to_be_spelled(character, besides))
            spell_character(out, character);
        else if (character == 0xfffd)
            eti__buffer_add_string(out, "\xef\xbf\xbd");
        else
            eti__buffer_add(out, text.data + at, length);
        at += length;
    }
}

/* ---- spreadsheets ---------------------------------------------------------------------------- */

static bool is_one_of(uint32_t character, const uint32_t *characters, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (character == characters[i])
            return true;
    }
    return false;
}

/* Returns whether a character, of any width, may begin a formula. Some spreadsheets expect a
 * command after a bar or a percent sign. */
static bool begins_formula(uint32_t character) {
    static const uint32_t signs[] = {
        '=',    '+',    '-',    '@',    '|',    '%',    0x2212, 0xfe62, 0xfe63,
        0xfe66, 0xfe6b, 0xff05, 0xff0b, 0xff0d, 0xff1d, 0xff20, 0xff5c,
    };
    return is_one_of(character, signs, sizeof signs / sizeof *signs);
}

/* Returns whether a spreadsheet may split a text at this character, regardless of quotes and
 * format. */
static bool ends_cell(uint32_t character) {
    static const uint32_t signs[] = {'\n', '\r', '\t', ';', ',', '|'};
    return is_one_of(character, signs, sizeof signs / sizeof *signs);
}

/* Returns whether some spreadsheets strip the character: quotes and invisible characters. */
static bool is_taken_off(uint32_t character) {
    static const uint32_t ranges[][2] = {
        {0x20, 0x20},     {0xa0, 0xa0},       {0xad, 0xad},     {0x115f, 0x1160}, {0x1680, 0x1680},
        {0x180b, 0x180f}, {0x2000, 0x200f},   {0x2028, 0x202f}, {0x205f, 0x206f}, {0x2800, 0x2800},
        {0x3000, 0x3000}, {0x3164, 0x3164},   {0xfe00, 0xfe0f}, {0xfeff, 0xfeff}, {0xffa0, 0xffa0},
        {0xfff0, 0xfffb}, {0xe0000, 0xe0fff},
    };
    return character == '"' || character == '\'' || eti__is_control(character) ||
           eti__is_in_ranges(character, ranges, sizeof ranges / sizeof *ranges) ||
           (character >= 0x80 && eti__character_width(character) == 0);
}

/* Whether a cell may begin at a place in a text. */
typedef enum cell_start {
    NO_START,
    START_OF_CELL,
    START_BEHIND_COMMA, /* after the comma of a list, or between cells */
} cell_start;

/* Returns whether a sign begins a number of a list; such numbers are not changed. */
static bool is_number_of_list(eti_text text, size_t at) {
    static const char digits[] = "0123456789.eE", ends[] = ",;)]}";
    if (text.data[at] != '+' && text.data[at] != '-')
        return false;
    size_t first = ++at;
    while (at < text.size && text.data[at] && strchr(digits, text.data[at]))
        at++;
    return at > first && (at == text.size || (text.data[at] && strchr(ends, text.data[at])));
}

static bool defuse(eti_buffer *out, eti_text text) {
    cell_start start = START_OF_CELL;
    bool changed = false;
    for (size_t at = 0; at < text.size;) {
        uint32_t character;
        size_t length = eti__text_decode(text, at, &character);
        if (start != NO_START && begins_formula(character) &&
            !(start == START_BEHIND_COMMA && is_number_of_list(text, at))) {
            eti__buffer_add_char(out, '\'');
            changed = true;
        }
        eti__buffer_add(out, text.data + at, length);
        if (ends_cell(character) || (start == NO_START && character == '"'))
            start = character == ',' ? START_BEHIND_COMMA : START_OF_CELL;
        else if (!is_taken_off(character))
            start = NO_START;
        at += length;
    }
    return changed;
}

eti_status eti_table_defuse_formulas(eti_table **out, const eti_table *table, eti_error *err) {
    return copy_table(out, table, defuse, err);
}
