#include "base/csv_table.h"

#include "base/file.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

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

static eti_status take_record(eti_csv_table *table, eti_text record) {
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
            ETI_TRY(take_record(table, (eti_text){data.data + at, size}));
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
