/*
 * fancy_grid.h - decides what type a cell has in a grid, and turns it into the text that is printed.
 *
 * These are the rules of tabulate 0.10.0, the library behind the Inspector's table. The rules also
 * apply to texts: "12" is an integer, so a column of such names is printed as numbers.
 */
#ifndef ETI_WRITE_FANCY_GRID_H
#define ETI_WRITE_FANCY_GRID_H

#include "base/text.h"
#include "etinspect.h"
#include "table/table.h"

/* Types of cells. A column has the highest type of its cells, at least ETI_GRID_BOOL. */
typedef enum eti_grid_type {
    ETI_GRID_MISSING,
    ETI_GRID_BOOL,
    ETI_GRID_INT,
    ETI_GRID_FLOAT,
    ETI_GRID_TEXT,
} eti_grid_type;

/* Returns the type of a cell. Overwrites `scratch`; if memory runs out, scratch->failed is set. The
 * same applies to the functions below. */
eti_grid_type eti__grid_cell_type(const eti_cell *cell, eti_buffer *scratch);

/* Returns the text of a cell in a column of this type, before alignment. The text may be in `number` or
 * borrowed from the cell. */
eti_text eti__grid_cell_text(const eti_cell *cell, eti_grid_type column_type,
                             eti_number_text *number, eti_buffer *scratch);

/* Returns the number of characters of a number's text to the right of its point, or of its
 * exponent's "e" if it has no point; -1 if it has neither. */
ptrdiff_t eti__grid_decimals(eti_text number);

#endif
