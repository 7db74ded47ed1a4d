/*
 * cell.h - a cell of a table: its struct, its constructors, and its value as one of the column's type.
 */
#ifndef ETI_TABLE_CELL_H
#define ETI_TABLE_CELL_H

#include "base/text.h"

#include <math.h>

struct eti_cell {
    eti_cell_kind kind;
    bool as_bool;
    int64_t as_int; /* of ETI_CELL_TEXTS: index of the item that a short form names */
    double as_double;
    eti_text as_text;  /* UTF-8; see eti_cell_as_text() */
    const void *items; /* of ETI_CELL_TEXT: see eti__named_cell() */
    size_t n_items;
};

static inline eti_cell eti__text_cell(eti_text text) {
    return (eti_cell){.kind = ETI_CELL_TEXT, .as_text = text};
}

/* Returns a cell with a text for programs, and a text by which people distinguish it from equal ones; if that is absent,
 * they see the same. */
static inline eti_cell eti__named_cell(eti_text text, eti_text label) {
    return (eti_cell){.kind = text.data ? ETI_CELL_TEXT : ETI_CELL_NONE,
                      .as_text = text,
                      .items = label.data,
                      .n_items = label.size};
}

/* Returns a cell without a value for an absent text. */
static inline eti_cell eti__text_or_none(eti_text text) {
    return text.data ? eti__text_cell(text) : (eti_cell){.kind = ETI_CELL_NONE};
}

static inline eti_cell eti__string_cell(const char *c_string) {
    return eti__text_or_none(eti__text_of(c_string));
}

static inline eti_cell eti__double_cell(double value) {
    return (eti_cell){.kind = ETI_CELL_DOUBLE, .as_double = value};
}

/* Returns a cell without a value for NaN. */
static inline eti_cell eti__number_or_none(double value) {
    if (isnan(value))
        return (eti_cell){.kind = ETI_CELL_NONE};
    return eti__double_cell(value);
}

/* Returns a cell without a value for NaN and infinities: a ratio to zero is unknown. */
static inline eti_cell eti__finite_or_none(double value) {
    return eti__number_or_none(isfinite(value) ? value : (double)NAN);
}

static inline eti_cell eti__bool_cell(bool value) {
    return (eti_cell){.kind = ETI_CELL_BOOL, .as_bool = value};
}

static inline eti_cell eti__int_cell(int64_t value) {
    return (eti_cell){.kind = ETI_CELL_INT, .as_int = value};
}

/* Returns a cell with a count. A number above INT64_MAX is shown as a double; as_int keeps its bits, for columns of
 * ETI_TYPE_UINT64. */
static inline eti_cell eti__count_cell(uint64_t value) {
    eti_cell_kind kind = value > INT64_MAX ? ETI_CELL_DOUBLE : ETI_CELL_INT;
    return (eti_cell){.kind = kind, .as_int = (int64_t)value, .as_double = (double)value};
}

/* Returns a cell with a whole number of bytes; without a value for NaN and numbers above INT64_MAX. */
static inline eti_cell eti__bytes_or_none(double value) {
    if (!(value < 0x1p63))
        return (eti_cell){.kind = ETI_CELL_NONE};
    return eti__int_cell((int64_t)value);
}

/* Returns a cell with a list; `kind` is ETI_CELL_DOUBLES, _UINTS, _INTS or _TEXTS. Items are borrowed. */
static inline eti_cell eti__list_cell(eti_cell_kind kind, const void *items, size_t n) {
    return (eti_cell){.kind = kind, .items = items, .n_items = n};
}

/* Fills `out` with the number in the cell. If the cell has none, returns false and sets `out` to NaN or 0. Flags
 * count as integers. */
bool eti__cell_read_double(const eti_cell *cell, double *out);
bool eti__cell_read_int(const eti_cell *cell, int64_t *out);
bool eti__cell_read_uint(const eti_cell *cell, uint64_t *out);

/* Fills a cell of a new row, which is all zeros; does not write zero fields. `*cell = value` would build the value on the
 * stack and then copy it, which takes several times as long. */
static inline void eti__cell_put(eti_cell *cell, eti_cell value) {
    cell->kind = value.kind;
    cell->as_double = value.as_double;
    if (value.as_bool)
        cell->as_bool = true;
    if (value.as_int)
        cell->as_int = value.as_int;
    if (value.as_text.data)
        cell->as_text = value.as_text;
    if (value.items)
        cell->items = value.items;
    if (value.n_items)
        cell->n_items = value.n_items;
}

#endif
