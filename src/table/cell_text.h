/*
 * cell_text.h - turns a cell into the text that all formats share: True and False, integers in
 * decimal, doubles as Python's repr() prints them, texts and lists as they are.
 *
 * Each format handles missing values, quotes and alignment itself.
 */
#ifndef ETI_TABLE_CELL_TEXT_H
#define ETI_TABLE_CELL_TEXT_H

#include "base/double.h"
#include "table/cell.h"

/* The number that was turned into text last: an event of one sample has it in six columns. Starts as all
 * zeros. */
typedef struct eti_number_text {
    uint64_t bits;   /* of the number, where `size` is not 0: 0.0 and -0.0 differ */
    bool is_general; /* the text is of "%g", not of repr() */
    size_t size;
    char text[ETI_DOUBLE_TEXT_MAX];
    char other[ETI_DOUBLE_TEXT_MAX]; /* of what is not remembered */
} eti_number_text;

/* Returns the text, which may be in `number` or borrowed from the cell. It is never absent: missing
 * values and NaN give "". */
eti_text eti__cell_text(const eti_cell *cell, eti_number_text *number);

/* Whether its text may hold anything: that of the other kinds has letters, digits and "+-." only. */
bool eti__cell_is_text(const eti_cell *cell);

/* Returns the text of cell->as_double in one of the two forms; it is in `number`. */
eti_text eti__cell_double_text(const eti_cell *cell, bool is_general, eti_number_text *number);

/* Whether pandas sees a missing number here: ETI_CELL_NAN, or a double that is NaN. */
bool eti__cell_is_nan(const eti_cell *cell);

#endif
