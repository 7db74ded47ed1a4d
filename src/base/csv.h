/*
 * csv.h - parses comma-separated values (RFC 4180) into records of fields, and writes fields as CSV, both with libcsv.
 *
 * White space around an unquoted field is dropped on reading and kept on writing. Empty lines are not records.
 */
#ifndef ETI_BASE_CSV_H
#define ETI_BASE_CSV_H

#include "base/arena.h"
#include "base/text.h"

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

#endif
