#include "table/cell_text.h"

#include "base/text.h"

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
