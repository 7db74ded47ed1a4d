#include "base/csv.h"

#include "base/array.h"
#include "base/files.h"

#include <csv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ==== csv ===================================================================================== */

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

/* ==== csv table =============================================================================== */

/* ---- lines ----------------------------------------------------------------------------------- */

/* Returns the size of the record at `at`, up to the first end of line outside quotes, and stores its number of lines in
 * `*n_lines`. */
static size_t record_size(eti_text data, size_t at, size_t *n_lines) {
    bool is_quoted = false;
    size_t i = at;
    *n_lines = 0;
    for (; i < data.size; i++) {
        if (data.data[i] == '"')
            is_quoted = !is_quoted;
        *n_lines += data.data[i] == '\n';
        if (data.data[i] == '\n' && !is_quoted)
            return i + 1 - at;
    }
    ++*n_lines;
    return i - at;
}

static size_t line_size(eti_text data, size_t at) {
    const char *end = memchr(data.data + at, '\n', data.size - at);
    return end ? (size_t)(end - data.data) + 1 - at : data.size - at;
}

static bool is_skipped(eti_text line) {
    size_t i = 0;
    while (i < line.size && (line.data[i] == ' ' || line.data[i] == '\t' || line.data[i] == '\r' ||
                             line.data[i] == '\n'))
        i++;
    return i == line.size || line.data[i] == '#';
}

/* ---- records --------------------------------------------------------------------------------- */

/* Appends a name to a comma-separated list, truncated to `size` bytes. */
static void join(char *out, size_t size, const char *name, int name_size) {
    size_t used = strlen(out);
    snprintf(out + used, size - used, "%s%.*s", used ? "," : "", name_size, name);
}

static eti_status fail_header(const eti_csv_table *table, const eti_csv_record *header,
                              const char *missing) {
    char expected[256] = "", found[256] = "";
    for (size_t i = 0; i < table->n_columns; i++)
        join(expected, sizeof expected, table->columns[i], (int)strlen(table->columns[i]));
    for (size_t i = 0; i < header->n_fields; i++)
        join(found, sizeof found, header->fields[i].data,
             (int)(header->fields[i].size < 64 ? header->fields[i].size : 64));
    return eti_csv_table_fail(table, ETI_ERROR_MALFORMED,
                              "there is no column %s: expected the column names %s, found %s",
                              missing, expected, found);
}

static eti_status take_header(eti_csv_table *table, const eti_csv_record *header) {
    table->has_header = true;
    table->n_header_fields = header->n_fields;
    for (size_t column = 0; column < table->n_columns; column++) {
        table->place[column] = SIZE_MAX;
        for (size_t i = 0; i < header->n_fields; i++) {
            if (!eti__text_is(header->fields[i], table->columns[column]))
                continue;
            if (table->place[column] != SIZE_MAX)
                return eti_csv_table_fail(table, ETI_ERROR_MALFORMED, "the column %s occurs twice",
                                          table->columns[column]);
            table->place[column] = i;
        }
        if (column < table->n_required && table->place[column] == SIZE_MAX)
            return fail_header(table, header, table->columns[column]);
    }
    return table->check_header ? table->check_header(table, header) : ETI_OK;
}

static bool is_line_of_text(eti_text text) {
    if (eti__text_valid_utf8(text) != text.size)
        return false;
    for (size_t at = 0; at < text.size;) {
        uint32_t character;
        at += eti__text_decode(text, at, &character);
        if (eti__is_control(character))
            return false;
    }
    return true;
}

static eti_status take_row(eti_csv_table *table, const eti_csv_record *row) {
    eti_text fields[ETI_CSV_TABLE_COLUMNS] = {{NULL, 0}}, origin;
    size_t n_fields = row->n_fields;
    while (n_fields > table->n_header_fields && row->fields[n_fields - 1].size == 0)
        n_fields--;
    if (n_fields > table->n_header_fields)
        return eti_csv_table_fail(table, ETI_ERROR_MALFORMED,
                                  "%zu fields, but the header has %zu: quote a field that contains "
                                  "a comma, or name its column",
                                  n_fields, table->n_header_fields);
    for (size_t i = 0; i < row->n_fields; i++) {
        if (!is_line_of_text(row->fields[i]))
            return eti_csv_table_fail(table, ETI_ERROR_MALFORMED,
                                      "a field is not a single line of UTF-8 text");
    }
    for (size_t i = 0; i < table->n_columns; i++) {
        eti_text field = eti__csv_field(row, table->place[i]);
        if (field.size > 0 && !eti__arena_copy_text(table->arena, field, &fields[i]))
            return eti_fail_memory(table->err);
        if (i < table->n_required && field.size == 0 && !table->may_be_empty[i])
            return eti_csv_table_fail(table, ETI_ERROR_MALFORMED, "%s is empty", table->columns[i]);
    }
    char line[32];
    eti_buffer text = {0};
    snprintf(line, sizeof line, ":%zu", table->line);
    eti__buffer_add_string(&text, table->name);
    eti__buffer_add_string(&text, line);
    bool done =
        !text.failed && eti__arena_copy_text(table->arena, eti__buffer_text(&text), &origin);
    eti__buffer_free(&text);
    return done ? table->take(table, fields, origin) : eti_fail_memory(table->err);
}

static eti_status take_table_record(eti_csv_table *table, eti_text record) {
    eti_csv_file csv;
    char name[1024];
    snprintf(name, sizeof name, "%.900s: line %zu", table->name, table->line);
    eti_status status = eti__csv_read(&csv, name, record.data, record.size, table->err);
    if (status == ETI_OK && csv.n_records > 0) {
        if (csv.n_records > 1)
            status = eti_csv_table_fail(table, ETI_ERROR_MALFORMED, "a quote inside a field");
        else if (!table->has_header)
            status = take_header(table, &csv.records[0]);
        else if (++table->n_rows > table->max_rows)
            status =
                eti_csv_table_fail(table, ETI_ERROR_LIMIT, "more than %zu rows", table->max_rows);
        else
            status = take_row(table, &csv.records[0]);
    }
    eti__csv_free(&csv);
    return status;
}

/* ---- the whole table ------------------------------------------------------------------------- */

static eti_status take_records(eti_csv_table *table, eti_text data) {
    if (data.size > table->max_size)
        return eti_fail(table->err, ETI_ERROR_LIMIT, "%s: more than %zu bytes", table->name,
                        table->max_size);
    data = eti__text_skip_mark(data);
    table->line = 1;
    for (size_t at = 0, size, n_lines; at < data.size; at += size) {
        size = line_size(data, at);
        n_lines = 1;
        if (!is_skipped((eti_text){data.data + at, size})) {
            size = record_size(data, at, &n_lines);
            ETI_TRY(take_table_record(table, (eti_text){data.data + at, size}));
        }
        table->line += n_lines;
    }
    if (!table->has_header)
        return eti_fail(table->err, ETI_ERROR_MALFORMED,
                        "%s: the file is empty: expected a line of column names, such as %s,%s",
                        table->name, table->columns[0], table->columns[1]);
    return ETI_OK;
}

eti_status eti__csv_table_read(eti_csv_table *table, const eti_source *source) {
    struct eti_file bytes;
    ETI_TRY(eti__file_open_small(&bytes, source, table->max_size, table->err));
    table->name = bytes.name;
    eti_status status = take_records(table, (eti_text){(const char *)bytes.data, bytes.size});
    eti__file_release(&bytes);
    return status;
}
