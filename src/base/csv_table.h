/*
 * csv_table.h - reads a table that people write as CSV: its first line names the columns, which stand in any order and
 * among others; empty lines and lines that begin with # are passed over.
 */
#ifndef ETI_BASE_CSV_TABLE_H
#define ETI_BASE_CSV_TABLE_H

#include "base/csv.h"

#define ETI_CSV_TABLE_COLUMNS 8

typedef struct eti_csv_table {
    const char *const *columns; /* that are read, at most ETI_CSV_TABLE_COLUMNS */
    size_t n_columns;
    size_t n_required; /* the first ones of them must be there, and not be empty */
    size_t max_size, max_rows;
    /* Looks at the line of column names, once the places of `columns` are known; or NULL. */
    eti_status (*check_header)(const struct eti_csv_table *table, const eti_csv_record *header);
    /* Takes the fields of a row, in the order of `columns`: in the arena, absent where empty. `origin` is "FILE:LINE". */
    eti_status (*take)(const struct eti_csv_table *table, const eti_text *fields, eti_text origin);
    void *out; /* theirs */
    eti_arena *arena;
    eti_error *err;

    const char *name; /* of the file */
    size_t line;      /* of the record at hand, from 1 on */
    size_t n_rows;
    bool has_header;
    size_t place[ETI_CSV_TABLE_COLUMNS]; /* of each column in a record; SIZE_MAX: not there */
} eti_csv_table;

/* Reads all rows of the file. ETI_ERROR_READ, ETI_ERROR_MALFORMED, ETI_ERROR_LIMIT, with the line where there is one;
 * ETI_ERROR_MEMORY; and what the functions return. */
eti_status eti__csv_table_read(eti_csv_table *table, const eti_source *source) ETI_WARN_UNUSED;

/* Fails with "FILE: line LINE: …". */
#define eti_csv_table_fail(table, status, ...)                                                     \
    (eti__error_set((table)->err, (status), __VA_ARGS__),                                          \
     eti__error_prefix((table)->err, "%s: line %zu", (table)->name, (table)->line),                \
     (eti_status)(status))

#endif
