/*
 * sort.h - turns a table and a list of columns into the order of its rows.
 */
#ifndef ETI_TABLE_SORT_H
#define ETI_TABLE_SORT_H

#include "etinspect.h"

typedef struct eti_sort_key {
    size_t column;
    bool descends;
} eti_sort_key;

/* Parses "-COLUMN" or "COLUMN[:asc|:desc]", separated by commas, into columns, the most important one first; the caller frees the array. ETI_ERROR_USAGE;
 * ETI_ERROR_MEMORY. */
eti_status eti__sort_parse(eti_sort_key **out, size_t *n_out, const eti_table *table,
                           const char *text, eti_error *err) ETI_WARN_UNUSED;

/* Sorts `rows`, numbers of rows of the table: numbers before texts, false before true, lists as they are printed, texts by
 * their bytes. `descends` reverses this, except for missing values, which are always last. Rows with equal cells keep their
 * order. ETI_ERROR_MEMORY. */
eti_status eti__sort_rows(size_t *rows, size_t n_rows, const eti_table *table,
                          const eti_sort_key *keys, size_t n_keys, eti_error *err) ETI_WARN_UNUSED;

#endif
