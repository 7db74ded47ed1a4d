#include "base/csv.h"

#include "base/array.h"

#include <csv.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST_FIELD ((size_t)64 << 20)
#define MOST_FIELDS 1000
/* libcsv reallocates a growing field once per this number of bytes. */
#define GROWTH ((size_t)64 << 10)

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct reading {
    eti_csv_file *file;
    eti_text *fields; /* of the current record */
    size_t n_fields, capacity;
    bool is_too_long, has_too_many;
    bool failed; /* out of memory */
} reading;

static bool has_ended(const reading *r) {
    return r->failed || r->is_too_long || r->has_too_many;
}

static void take_field(void *data, size_t size, void *context) {
    reading *r = context;
    eti_text field = {data ? data : "", size};
    r->is_too_long = r->is_too_long || size > LONGEST_FIELD;
    r->has_too_many = r->has_too_many || r->n_fields == MOST_FIELDS;
    if (has_ended(r))
        return;
    r->failed = !ETI_GROW(r->fields, r->capacity, r->n_fields + 1) ||
                !eti__arena_copy_text(&r->file->arena, field, &r->fields[r->n_fields]);
    r->n_fields += !r->failed;
}

static void take_record(int terminator, void *context) {
    reading *r = context;
    eti_csv_file *file = r->file;
    (void)terminator;
    if (has_ended(r) || r->n_fields == 0)
        return;
    eti_text *fields = eti__arena_alloc(&file->arena, r->n_fields, sizeof *fields);
    r->failed = !fields || !ETI_GROW(file->records, file->capacity, file->n_records + 1);
    if (r->failed)
        return;
    memcpy(fields, r->fields, r->n_fields * sizeof *fields);
    file->records[file->n_records++] = (eti_csv_record){fields, r->n_fields};
    r->n_fields = 0;
}

static eti_status status_of(const reading *r, struct csv_parser *parser, const char *name,
                            eti_error *err) {
    size_t record = r->file->n_records + 1;
    if (r->failed || csv_error(parser) == CSV_ENOMEM)
        return eti_fail_memory(err);
    if (r->is_too_long || csv_error(parser) == CSV_ETOOBIG)
        return eti_fail(err, ETI_ERROR_LIMIT, "%s: record %zu has a field of more than %zu bytes",
                        name, record, LONGEST_FIELD);
    if (r->has_too_many)
        return eti_fail(err, ETI_ERROR_LIMIT, "%s: record %zu has more than %d fields", name,
                        record, MOST_FIELDS);
    return eti_fail(err, ETI_ERROR_MALFORMED,
                    "%s: record %zu is not CSV: a quote is missing, or inside a field", name,
                    record);
}

/* Parses in pieces, so that an overlong field is detected before all of it is read. */
static bool parse(reading *r, struct csv_parser *parser, const char *data, size_t size) {
    for (size_t at = 0; at < size;) {
        size_t n = size - at < GROWTH ? size - at : GROWTH;
        if (csv_parse(parser, data + at, n, take_field, take_record, r) != n || has_ended(r))
            return false;
        if (csv_get_buffer_size(parser) > LONGEST_FIELD + 2 * GROWTH) {
            r->is_too_long = true;
            return false;
        }
        at += n;
    }
    return csv_fini(parser, take_field, take_record, r) == 0 && !has_ended(r);
}

eti_status eti__csv_read(eti_csv_file *out, const char *name, const void *data, size_t size,
                         eti_error *err) {
    struct csv_parser parser;
    reading r = {.file = out};
    *out = (eti_csv_file){0};
    if (csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI) != 0)
        return eti_fail_memory(err);
    csv_set_blk_size(&parser, GROWTH);
    eti_status status = parse(&r, &parser, data, size) ? ETI_OK : status_of(&r, &parser, name, err);
    csv_free(&parser);
    free(r.fields);
    return status;
}

void eti__csv_free(eti_csv_file *file) {
    eti__arena_free(&file->arena);
    free(file->records);
    *file = (eti_csv_file){0};
}

/* ---- writing --------------------------------------------------------------------------------- */

static bool needs_quotes(eti_text text) {
    if (text.size > 0 && (eti__is_blank(text.data[0]) || eti__is_blank(text.data[text.size - 1])))
        return true;
    return eti__text_has_any(text, ",\"\r\n");
}

void eti__csv_add_quoted(eti_buffer *out, eti_text text) {
    const char *data = text.data ? text.data : "";
    if (text.size > (SIZE_MAX - 2) / 2) {
        out->failed = true;
        return;
    }
    size_t room = text.size * 2 + 2;
    if (eti__buffer_reserve(out, room))
        out->size += csv_write2(out->data + out->size, room, data, text.size, CSV_QUOTE);
}

void eti__csv_add_field(eti_buffer *out, eti_text text) {
    if (needs_quotes(text))
        eti__csv_add_quoted(out, text);
    else
        eti__buffer_add_text(out, text);
}
