/*
 * cell_text.h - turns a cell into the text that all formats share: True and False, integers in
 * decimal, doubles as Python's repr() prints them, texts and lists unchanged.
 *
 * Each format handles missing values, quotes and alignment itself.
 */
#ifndef ETI_TABLE_CELL_TEXT_H
#define ETI_TABLE_CELL_TEXT_H

#include "base/json_writer.h"
#include "base/numbers.h"
#include "base/text.h"
#include "table/cell.h"

/* The last number that was turned into text: an event with one sample has the same number in six columns. Starts as all
 * zeros. */
typedef struct eti_number_text {
    uint64_t bits;   /* of the number, if `size` is not 0: 0.0 and -0.0 differ */
    bool is_general; /* the text is of "%g", not of repr() */
    size_t size;
    char text[ETI_DOUBLE_TEXT_MAX];
    char other[ETI_DOUBLE_TEXT_MAX]; /* text of a number that is not kept */
} eti_number_text;

/* Returns the text, which may be in `number` or borrowed from the cell. It is never absent: missing
 * values and NaN give "". */
eti_text eti__cell_text(const eti_cell *cell, eti_number_text *number);

/* Returns whether the text of the cell may have any characters; the text of other kinds has only letters, digits and
 * "+-.". */
bool eti__cell_is_text(const eti_cell *cell);

/* Returns the text of cell->as_double in one of the two forms; it is in `number`. */
eti_text eti__cell_double_text(const eti_cell *cell, bool is_general, eti_number_text *number);

/* Returns whether the cell is a missing number to pandas: ETI_CELL_NAN, or a double that is NaN. */
bool eti__cell_is_nan(const eti_cell *cell);

/* Appends the cell as JSON: missing values, NaN and infinities are null; lists are arrays, in the spaced style. */
void eti__cell_add_json(eti_buffer *out, const eti_cell *cell);
/* Adds it as a value. */
void eti__json_add_cell(eti_json_writer *json, const eti_cell *cell);

#endif
