/*
 * filter.h - turns an expression such as
 *
 *     p50 > 1.5ms and (event_name =~ "conv" or not is_delegated_op)
 *
 * into a test of a row. The grammar is in filter_syntax.h.
 *
 * A comparison with a missing value is always false; `is none` tests for missing values.
 */
#ifndef ETI_TABLE_FILTER_H
#define ETI_TABLE_FILTER_H

#include "etinspect.h"
#include "table/table.h"

typedef struct eti_filter eti_filter;

/* Reads the expression, for rows of `table` whose times are in `scale`; the expression need not live longer.
 * ETI_ERROR_USAGE with a position; ETI_ERROR_MEMORY. */
eti_status eti__filter_new(eti_filter **out, const char *expression, const eti_table *table,
                           eti_time_scale scale, eti_error *err) ETI_WARN_UNUSED;

/* Returns, per column of the table, whether the expression uses it. */
const bool *eti__filter_wanted(const eti_filter *filter);

/* Finds whether the expression is true for a row with these cells. ETI_ERROR_USAGE: a cell is of a kind that the expression
 * does not expect; ETI_ERROR_MEMORY. */
eti_status eti__filter_test(eti_filter *filter, const eti_cell *cells, bool *out,
                            eti_error *err) ETI_WARN_UNUSED;

/* Finds whether missing values leave the expression undecided: whether it would be true for some values of the missing
 * numbers of type float64, and false for others. Fails with the same statuses. */
eti_status eti__filter_is_undecided(eti_filter *filter, const eti_cell *cells, bool *out,
                                    eti_error *err) ETI_WARN_UNUSED;

void eti__filter_free(eti_filter *filter);

#endif
