/*
 * gap_columns.h - the columns with the distance of a row's results from those of a reference.
 *
 * A view lists ETI_GAP_COLUMNS among its columns, whose set functions ETI_GAP_SETTERS() defines, and leaves them out if
 * there is no reference.
 */
#ifndef ETI_TABLE_GAP_COLUMNS_H
#define ETI_TABLE_GAP_COLUMNS_H

#include "etinspect.h"
#include "table/columns.h"

#define ETI_N_GAP_COLUMNS 4

/* Defines the set functions for rows of `row_type`; `gap` is an expression of `row`: an eti_gap, see account/account.h. */
#define ETI_GAP_SETTERS(row_type, gap)                                                             \
    ETI_CELL_SETTER_IF(row_type, snr, (gap).is_known, eti__number_or_none((gap).snr))              \
    ETI_CELL_SETTER_IF(row_type, snr_drop, (gap).is_known, eti__number_or_none((gap).snr_drop))    \
    ETI_CELL_SETTER_IF(row_type, max_abs, (gap).is_known, eti__number_or_none((gap).max_abs))      \
    ETI_CELL_SETTER_IF(row_type, nan_new, (gap).is_known, eti__count_cell((gap).nan_new))

/* Rows of a list of eti_column_spec. */
#define ETI_GAP_COLUMNS                                                                            \
    {"snr",                                                                                        \
     ETI_TYPE_FLOAT64,                                                                             \
     ETI_COLUMN_NUMBER,                                                                            \
     false,                                                                                        \
     "lowest signal-to-noise ratio against the reference, in dB",                                  \
     set_snr},                                                                                     \
        {"snr_drop",                                                                               \
         ETI_TYPE_FLOAT64,                                                                         \
         ETI_COLUMN_NUMBER,                                                                        \
         false,                                                                                    \
         "largest loss in dB by a single one of its operators",                                    \
         set_snr_drop},                                                                            \
        {"max_abs",                                                                                \
         ETI_TYPE_FLOAT64,                                                                         \
         ETI_COLUMN_NUMBER,                                                                        \
         false,                                                                                    \
         "largest difference from the reference",                                                  \
         set_max_abs},                                                                             \
    {                                                                                              \
        "nan_new", ETI_COUNTS, false, "largest number of NaN in one of its results", set_nan_new   \
    }

/* Copies the columns, without the gap columns unless `has_gaps`; `first` is the set function of the first gap column. */
static inline void eti__gap_columns_choose(eti_column_spec *out, const eti_column_spec *columns,
                                           size_t n, bool (*first)(void *row, eti_cell *cell),
                                           bool has_gaps) {
    size_t at = n;
    for (size_t i = 0; i < n; i++) {
        out[i] = columns[i];
        if (columns[i].set == first)
            at = i;
        if (!has_gaps && i >= at && i - at < ETI_N_GAP_COLUMNS)
            out[i].name = NULL;
    }
}

#endif
