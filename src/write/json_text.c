#include "write/json_text.h"

#include "base/double.h"
#include "write/bare_name.h"

#include <math.h>
#include <string.h>

static bool is_plain(unsigned char byte) {
    return byte >= 0x20 && byte < 0x7f && byte != '"' && byte != '\\';
}

/* Adds a character of a string. Also escapes characters that JSON allows but that end a line in JavaScript or act on a
 * terminal. */
static void add_character(eti_buffer *out, uint32_t character, const char *bytes, size_t size) {
    static const char named[] = "\"\\\b\f\n\r\t";
    static const char names[] = "\"\\bfnrt";
    const char *found = character && character < 0x80 ? strchr(named, (int)character) : NULL;
    if (found) {
        eti__buffer_add_char(out, '\\');
        eti__buffer_add_char(out, names[found - named]);
    } else if (eti__is_control(character) || character == 0x2028 || character == 0x2029) {
        eti__buffer_printf(out, "\\u%04x", (unsigned)character);
    } else if (character == 0xfffd) {
        eti__buffer_add(out, "\xef\xbf\xbd", 3);
    } else {
        eti__buffer_add(out, bytes, size);
    }
}

void eti__json_add_string(eti_buffer *out, eti_text text) {
    if (!text.data) {
        eti__buffer_add(out, "null", 4);
        return;
    }
    eti__buffer_add_char(out, '"');
    for (size_t at = 0; at < text.size;) {
        size_t end = at;
        while (end < text.size && is_plain((unsigned char)text.data[end]))
            end++;
        eti__buffer_add(out, text.data + at, end - at);
        at = end;
        if (at < text.size) {
            uint32_t character;
            size_t size = eti__text_decode(text, at, &character);
            add_character(out, character, text.data + at, size);
            at += size;
        }
    }
    eti__buffer_add_char(out, '"');
}

void eti__json_add_member(eti_buffer *out, const char *key, eti_text value) {
    eti__json_add_string(out, eti__text_of(key));
    eti__buffer_add(out, ": ", 2);
    eti__json_add_string(out, value);
}

static void add_double(eti_buffer *out, double value) {
    char number[ETI_DOUBLE_TEXT_MAX];
    size_t size = isfinite(value) ? eti__double_repr(number, value) : 0;
    if (size > 0)
        eti__buffer_add(out, number, size);
    else
        eti__buffer_add(out, "null", 4);
}

static void add_item(eti_buffer *out, const eti_cell *cell, size_t i) {
    if (cell->kind == ETI_CELL_DOUBLES)
        add_double(out, ((const double *)cell->items)[i]);
    else if (cell->kind == ETI_CELL_UINTS)
        eti__buffer_add_u64(out, ((const uint64_t *)cell->items)[i]);
    else if (cell->kind == ETI_CELL_INTS)
        eti__buffer_add_i64(out, ((const int64_t *)cell->items)[i]);
    else
        eti__json_add_string(out, ((const eti_text *)cell->items)[i]);
}

static void add_list(eti_buffer *out, const eti_cell *cell) {
    eti__buffer_add_char(out, '[');
    for (size_t i = 0; i < cell->n_items; i++) {
        if (i > 0)
            eti__buffer_add(out, ", ", 2);
        add_item(out, cell, i);
    }
    eti__buffer_add_char(out, ']');
}

void eti__json_add_cell(eti_buffer *out, const eti_cell *cell) {
    switch (cell->kind) {
    case ETI_CELL_NONE:
    case ETI_CELL_NAN:
        eti__buffer_add(out, "null", 4);
        break;
    case ETI_CELL_BOOL:
        eti__buffer_add_string(out, cell->as_bool ? "true" : "false");
        break;
    case ETI_CELL_INT:
        eti__buffer_add_i64(out, cell->as_int);
        break;
    case ETI_CELL_DOUBLE:
        add_double(out, cell->as_double);
        break;
    case ETI_CELL_TEXT:
        eti__json_add_string(out, cell->as_text);
        break;
    case ETI_CELL_LIST:
        if (cell->items)
            add_list(out, cell);
        else
            eti__json_add_string(out, cell->as_text);
        break;
    case ETI_CELL_DOUBLES:
    case ETI_CELL_UINTS:
    case ETI_CELL_INTS:
    case ETI_CELL_TEXTS:
        add_list(out, cell);
        break;
    }
}

void eti__json_add_key(eti_buffer *out, const eti_report *report, const eti_column *column) {
    eti__json_add_string(out, eti__column_bare_name(report, column));
    eti__buffer_add(out, ": ", 2);
}
