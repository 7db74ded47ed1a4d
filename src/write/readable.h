/*
 * readable.h - formats numbers for people: counts in groups of three digits, the times of a column
 * with the same number of decimals, shares as percentages, bytes in KiB and MiB.
 *
 * The numbers of a column are examined once; then each can be formatted. A column of numbers that
 * are neither counts nor times may mix units: each number then has four digits, in groups of three.
 * Times are converted to the unit of their form, and have its decimals; a time that would become 0
 * is "<0.01".
 */
#ifndef ETI_WRITE_READABLE_H
#define ETI_WRITE_READABLE_H

#include "base/text.h"
#include "etinspect.h"
#include "table/table.h"

/* ==== readable ================================================================================ */

#define ETI_READABLE_MAX 48 /* bytes; all of them ASCII */

/* Starts as all zeros except `kind` and, for times, `form`. */
typedef struct eti_readable {
    eti_column_kind kind;
    eti_time_form form;              /* of times; zeros: unchanged */
    int decimals;                    /* of doubles, once eti__readable_settle() was called */
    bool has_number;                 /* any number, including missing ones */
    bool has_int, has_double;        /* that have a width of their own */
    bool has_fraction;               /* a double is not an integer */
    double least, most;              /* magnitudes of doubles except 0; 0: none yet */
    int64_t lowest, highest;         /* integers */
    double smallest, largest;        /* doubles, with sign */
    bool has_bytes, has_large_bytes; /* of 1024 and more, with units of three letters */
    bool is_small_bytes; /* there are only bytes without a larger unit; set once settled */
    bool has_own_digits; /* each number has its own digits, in groups; set once settled */
    size_t own_width;    /* of the longest double so far if `has_own_digits` */
    size_t width;        /* of the longest text so far, where it must be tried */
} eti_readable;

/* Returns whether the cell is a number, or stands for a missing one; texts, lists and booleans are
 * not numbers. */
bool eti__readable_is_number(const eti_readable *column, const eti_cell *cell);

/* Examines a number. */
void eti__readable_look(eti_readable *column, const eti_cell *cell);

/* Chooses the decimals and returns the length of the longest text of all examined numbers: at least
 * three digits of the smallest number, but no more than six of the largest. */
size_t eti__readable_settle(eti_readable *column);

/* Returns the text of a number, which is in `out`. */
eti_text eti__readable_text(const eti_readable *column, const eti_cell *cell,
                            char out[ETI_READABLE_MAX]);

/* ==== sparkline =============================================================================== */
/* Draws a series of numbers as a line of characters of corresponding heights: ▃▃▄▃▃███. */

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
