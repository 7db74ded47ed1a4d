/*
 * sparkline.h - draws a series of numbers as a line of characters of corresponding heights:
 * ▃▃▄▃▃███.
 */
#ifndef ETI_WRITE_SPARKLINE_H
#define ETI_WRITE_SPARKLINE_H

#include "base/text.h"
#include "table/table.h"

#define ETI_SPARKLINE_WIDTH 40 /* characters where there is room */

/* Returns whether a cell of such a column is drawn. */
static inline bool eti__cell_is_series(eti_column_kind kind, const eti_cell *cell) {
    return kind == ETI_COLUMN_SERIES && cell->kind == ETI_CELL_DOUBLES;
}

/* Appends min(n, width) characters; if there are more numbers, each character stands for the mean of several successive
 * ones. A value that is not finite becomes a blank. The line is drawn from the lowest to the highest, but differences of
 * less than a tenth are not enlarged. `is_ascii`: characters of ASCII that look heavier, in place of blocks. width >= 1. */
void eti__add_sparkline(eti_buffer *out, const double *values, size_t n, size_t width,
                        bool is_ascii);

#endif
