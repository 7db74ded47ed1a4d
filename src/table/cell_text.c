#include "table/cell_text.h"

#include <string.h>

static const eti_text empty = {"", 0};

static eti_text int_text(int64_t value, char number[ETI_DOUBLE_TEXT_MAX]) {
    char *end = &number[ETI_DOUBLE_TEXT_MAX - 1];
    char *first = eti__write_u64(end, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
    if (value < 0)
        *--first = '-';
    return (eti_text){first, (size_t)(end - first)};
}

bool eti__cell_is_text(const eti_cell *cell) {
    return cell->kind == ETI_CELL_TEXT || cell->kind == ETI_CELL_LIST;
}

bool eti__cell_is_nan(const eti_cell *cell) {
    return cell->kind == ETI_CELL_NAN ||
           (cell->kind == ETI_CELL_DOUBLE && cell->as_double != cell->as_double);
}

eti_text eti__cell_double_text(const eti_cell *cell, bool is_general, eti_number_text *number) {
    uint64_t bits;
    memcpy(&bits, &cell->as_double, sizeof bits);
    if (number->size == 0 || number->bits != bits || number->is_general != is_general) {
        number->bits = bits;
        number->is_general = is_general;
        number->size =
            (is_general ? eti__double_general : eti__double_repr)(number->text, cell->as_double);
    }
    return (eti_text){number->text, number->size};
}

eti_text eti__cell_text(const eti_cell *cell, eti_number_text *number) {
    switch (cell->kind) {
    case ETI_CELL_BOOL:
        return cell->as_bool ? (eti_text){"True", 4} : (eti_text){"False", 5};
    case ETI_CELL_INT:
        return int_text(cell->as_int, number->other);
    case ETI_CELL_DOUBLE:
        return eti__cell_is_nan(cell) ? empty : eti__cell_double_text(cell, false, number);
    case ETI_CELL_TEXT:
    case ETI_CELL_LIST:
        return cell->as_text.data ? cell->as_text : empty;
    case ETI_CELL_NONE:
    case ETI_CELL_NAN:
    case ETI_CELL_DOUBLES: /* eti__table_project() turns these into texts */
    case ETI_CELL_UINTS:
    case ETI_CELL_INTS:
    case ETI_CELL_TEXTS:
        break;
    }
    return empty;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void add_item(eti_json_writer *json, const eti_cell *cell, size_t i) {
    if (cell->kind == ETI_CELL_DOUBLES)
        eti__json_add_double(json, ((const double *)cell->items)[i]);
    else if (cell->kind == ETI_CELL_UINTS)
        eti__json_add_u64(json, ((const uint64_t *)cell->items)[i]);
    else if (cell->kind == ETI_CELL_INTS)
        eti__json_add_i64(json, ((const int64_t *)cell->items)[i]);
    else
        eti__json_add_text(json, ((const eti_text *)cell->items)[i]);
}

static void add_list(eti_buffer *out, const eti_cell *cell) {
    eti_json_writer json = eti__json_writer(out, ETI_JSON_SPACED);
    eti__json_open_array(&json);
    for (size_t i = 0; i < cell->n_items; i++)
        add_item(&json, cell, i);
    eti__json_close_level(&json);
}

void eti__cell_add_json(eti_buffer *out, const eti_cell *cell) {
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
        eti__json_add_number(out, cell->as_double);
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

void eti__json_add_cell(eti_json_writer *json, const eti_cell *cell) {
    eti__json_begin_value(json);
    eti__cell_add_json(json->out, cell);
}
