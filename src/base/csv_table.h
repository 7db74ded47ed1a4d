/*
 * csv_table.h - reads a hand-written CSV table. Its first line names the columns, in any order and each once;
 * unknown columns, empty lines and lines that begin with # are skipped. A row with more fields than the first
 * line is rejected, unless they are empty.
 */
#ifndef ETI_BASE_CSV_TABLE_H
#define ETI_BASE_CSV_TABLE_H

#include "base/csv.h"

#define ETI_CSV_TABLE_COLUMNS 8

typedef struct eti_csv_table {
    const char *const *columns; /* names of the columns to read, at most ETI_CSV_TABLE_COLUMNS */
    size_t n_columns;
    size_t n_required; /* the first n_required of them must be present and not empty */
    bool may_be_empty[ETI_CSV_TABLE_COLUMNS]; /* required columns that may be empty in a row */
    size_t max_size, max_rows;
    /* Checks the header line after `place` is filled; may be NULL. */
    eti_status (*check_header)(const struct eti_csv_table *table, const eti_csv_record *header);
    /* Takes the fields of a row, in the order of `columns`. They are in the arena, and absent if empty. `origin` is
     * "FILE:LINE". */
    eti_status (*take)(const struct eti_csv_table *table, const eti_text *fields, eti_text origin);
    void *out; /* passed to the functions above */
    eti_arena *arena;
    eti_error *err;

    const char *name; /* of the file */
    size_t line;      /* number of the current record's line, from 1 on */
    size_t n_rows;
    bool has_header;
    size_t n_header_fields;
    /* position of each column in a record; SIZE_MAX if missing */
    size_t place[ETI_CSV_TABLE_COLUMNS];
} eti_csv_table;

/* Reads all rows of the file. ETI_ERROR_READ, ETI_ERROR_MALFORMED or ETI_ERROR_LIMIT, with the line number if known;
 * ETI_ERROR_MEMORY; or any status that the functions above return. */
eti_status eti__csv_table_read(eti_csv_table *table, const eti_source *source) ETI_WARN_UNUSED;

/* Fails with "FILE: line LINE: …". */
#define eti_csv_table_fail(table, status, ...)                                                     \
    (eti__error_set((table)->err, (status), __VA_ARGS__),                                          \
     eti__error_prefix((table)->err, "%s: line %zu", (table)->name, (table)->line),                \
     (eti_status)(status))

#endif
