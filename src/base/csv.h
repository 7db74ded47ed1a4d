/*
 * csv.h - parses comma-separated values (RFC 4180) into records of fields, and writes fields as CSV, both with libcsv.
 *
 * White space around an unquoted field is dropped on reading and kept on writing. Empty lines are not records.
 */
#ifndef ETI_BASE_CSV_H
#define ETI_BASE_CSV_H

#include "base/arena.h"
#include "base/status.h"
#include "base/text.h"
#include "etinspect.h"

/* ==== csv ===================================================================================== */

typedef struct eti_csv_record {
    const eti_text *fields; /* never absent; borrowed from the file */
    size_t n_fields;
} eti_csv_record;

/* Returns field `i`, or "" if the record has fewer fields. */
static inline eti_text eti__csv_field(const eti_csv_record *record, size_t i) {
    return i < record->n_fields ? record->fields[i] : (eti_text){"", 0};
}

/* Starts as all zeros. */
typedef struct eti_csv_file {
    eti_arena arena;
    eti_csv_record *records;
    size_t n_records, capacity;
} eti_csv_file;

/* Reads all of `data`, which is not needed afterwards; memory use grows with its size. Messages name the file and the
 * record, counted from 1. ETI_ERROR_MALFORMED: a quote is missing or inside a field; ETI_ERROR_LIMIT: a field has
 * more than 64 MiB or a record more than 1000 fields; ETI_ERROR_MEMORY. The caller frees `out` in any case. */
eti_status eti__csv_read(eti_csv_file *out, const char *name, const void *data, size_t size,
                         eti_error *err) ETI_WARN_UNUSED;
void eti__csv_free(eti_csv_file *file);

/* Appends a field, quoted if necessary: if it contains a comma, a quote, a CR or an LF, or if it begins or ends with
 * white space, which readers such as libcsv would drop. */
void eti__csv_add_field(eti_buffer *out, eti_text text);
/* Appends a field, always quoted. */
void eti__csv_add_quoted(eti_buffer *out, eti_text text);

/* ==== csv table =============================================================================== */
/* Reads a hand-written CSV table. Its first line names the columns, in any order and each once;
 * unknown columns, empty lines and lines that begin with # are skipped. A row with more fields
 * than the first line is rejected, unless they are empty. */

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
