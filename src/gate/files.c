#include "gate/files.h"

#include "base/array.h"
#include "base/csv.h"
#include "base/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST_COLUMNS 4
#define EXPIRES 2 /* of the columns of what is allowed */

/* A file whose rows are taken one by one. */
typedef struct table_file {
    const char *name;
    const char *const *columns; /* in any order in the file */
    size_t n_columns, n_required;
    size_t place[MOST_COLUMNS]; /* of each column in a record; SIZE_MAX: not there */
    bool has_header;
    eti_status (*take_header)(struct table_file *file, const eti_csv_record *record);
    size_t line, n_rows;
    eti_arena *arena;
    eti_status (*take)(struct table_file *file, const eti_text *fields, eti_text origin);
    void *out;
    const char *today;
    eti_error *err;
} table_file;

static eti_status fail(const table_file *file, const char *what) {
    return eti_fail(file->err, ETI_ERROR_MALFORMED, "%s: line %zu: %s", file->name, file->line,
                    what);
}

static bool has_control(eti_text text) {
    for (size_t at = 0; at < text.size;) {
        uint32_t character;
        at += eti_text_decode(text, at, &character);
        if (eti_is_control(character))
            return true;
    }
    return false;
}

/* ---- records --------------------------------------------------------------------------------- */

/* The bytes of the record at `at`, to the first end of a line outside of quotes, and how many lines these are. */
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

static eti_status take_header(table_file *file, const eti_csv_record *record) {
    file->has_header = true;
    for (size_t column = 0; column < file->n_columns; column++) {
        file->place[column] = SIZE_MAX;
        for (size_t i = 0; i < record->n_fields; i++) {
            if (eti_text_is(record->fields[i], file->columns[column]))
                file->place[column] = i;
        }
        if (column < file->n_required && file->place[column] == SIZE_MAX)
            return eti_fail(file->err, ETI_ERROR_MALFORMED,
                            "%s: line %zu: expected a line of column names, %s among them",
                            file->name, file->line, file->columns[column]);
    }
    return ETI_OK;
}

/* What is allowed until a day is not to be so for good because the column is misspelled. */
static eti_status take_header_of_allowances(table_file *file, const eti_csv_record *record) {
    size_t n_known = 0;
    ETI_TRY(take_header(file, record));
    for (size_t column = 0; column < file->n_columns; column++)
        n_known += file->place[column] != SIZE_MAX;
    return file->place[EXPIRES] == SIZE_MAX && record->n_fields > n_known
               ? fail(file, "expected columns pattern, reason and expires: others may stand beside "
                            "these, not without expires")
               : ETI_OK;
}

static eti_status take_fields(table_file *file, const eti_csv_record *record) {
    eti_text fields[MOST_COLUMNS] = {{NULL, 0}}, origin;
    char where[64];
    for (size_t i = 0; i < record->n_fields; i++) {
        if (eti_text_valid_utf8(record->fields[i]) != record->fields[i].size ||
            has_control(record->fields[i]))
            return fail(file, "a field is not one line of text in UTF-8");
    }
    for (size_t i = 0; i < file->n_columns; i++) {
        if (file->place[i] < record->n_fields && record->fields[file->place[i]].size > 0 &&
            !eti_arena_copy_text(file->arena, record->fields[file->place[i]], &fields[i]))
            return eti_fail_memory(file->err);
        if (i < file->n_required && !fields[i].data)
            return eti_fail(file->err, ETI_ERROR_MALFORMED, "%s: line %zu: %s is empty", file->name,
                            file->line, file->columns[i]);
    }
    eti_buffer text = {0};
    snprintf(where, sizeof where, ":%zu", file->line);
    eti_buffer_add_string(&text, file->name);
    eti_buffer_add_string(&text, where);
    bool done = !text.failed && eti_arena_copy_text(file->arena, eti_buffer_text(&text), &origin);
    eti_buffer_free(&text);
    return done ? file->take(file, fields, origin) : eti_fail_memory(file->err);
}

static eti_status take_record(table_file *file, eti_text record) {
    eti_csv_file csv;
    char name[1024];
    snprintf(name, sizeof name, "%.900s: line %zu", file->name, file->line);
    eti_status status = eti_csv_read(&csv, name, record.data, record.size, file->err);
    if (status == ETI_OK && csv.n_records > 0) {
        if (csv.n_records > 1)
            status = fail(file, "a quote stands inside a field");
        else if (!file->has_header)
            status = file->take_header(file, &csv.records[0]);
        else if (++file->n_rows > ETI_GATE_FILE_MAX_ROWS)
            status = eti_fail(file->err, ETI_ERROR_LIMIT, "%s: line %zu: more than %d rows",
                              file->name, file->line, ETI_GATE_FILE_MAX_ROWS);
        else
            status = take_fields(file, &csv.records[0]);
    }
    eti_csv_free(&csv);
    return status;
}

static eti_status take_records(table_file *file, eti_text data) {
    if (data.size > ETI_GATE_FILE_MAX_SIZE)
        return eti_fail(file->err, ETI_ERROR_LIMIT, "%s: more than %zu bytes", file->name,
                        ETI_GATE_FILE_MAX_SIZE);
    if (data.size >= 3 && memcmp(data.data, "\xef\xbb\xbf", 3) == 0)
        data = (eti_text){data.data + 3, data.size - 3};
    file->line = 1;
    for (size_t at = 0, size, n_lines; at < data.size; at += size) {
        size = line_size(data, at);
        n_lines = 1;
        if (!is_skipped((eti_text){data.data + at, size})) {
            size = record_size(data, at, &n_lines);
            ETI_TRY(take_record(file, (eti_text){data.data + at, size}));
        }
        file->line += n_lines;
    }
    if (!file->has_header)
        return eti_fail(file->err, ETI_ERROR_MALFORMED,
                        "%s: the file is empty: expected a line of column names", file->name);
    return ETI_OK;
}

static eti_status read_file(table_file *file, const eti_source *source) {
    struct eti_file bytes;
    ETI_TRY(eti_file_open_source(&bytes, source, file->err));
    file->name = bytes.name;
    eti_status status = take_records(file, (eti_text){(const char *)bytes.data, bytes.size});
    eti_file_release(&bytes);
    return status;
}

/* ---- budgets --------------------------------------------------------------------------------- */

static eti_status take_budget(table_file *file, const eti_text *fields, eti_text origin) {
    eti_gate_rules *rules = file->out;
    eti_gate_rule rule;
    eti_status status =
        eti_gate_rule_of_parts(&rule, file->arena, fields[0], fields[1], fields[2], file->err);
    if (status == ETI_ERROR_USAGE) {
        eti_error reason = file->err ? *file->err : (eti_error){0};
        return eti_fail(file->err, ETI_ERROR_MALFORMED, "%s: line %zu: %s; found %.*s,%.*s,%.*s",
                        file->name, file->line, reason.message, ETI_TEXT_ARGS(fields[0]),
                        ETI_TEXT_ARGS(fields[1]), ETI_TEXT_ARGS(fields[2]));
    }
    ETI_TRY(status);
    rule.origin = origin;
    rule.comment = fields[3];
    if (!ETI_GROW(rules->rules, rules->capacity, rules->n + 1))
        return eti_fail_memory(file->err);
    rules->rules[rules->n++] = rule;
    return ETI_OK;
}

eti_status eti_gate_read_budgets(eti_gate_rules *rules, eti_arena *arena, const eti_source *source,
                                 eti_error *err) {
    static const char *const columns[] = {"what", "metric", "limit", "comment"};
    table_file file = {.columns = columns,
                       .n_columns = 4,
                       .n_required = 3,
                       .arena = arena,
                       .take_header = take_header,
                       .take = take_budget,
                       .out = rules,
                       .err = err};
    return read_file(&file, source);
}

/* ---- what is allowed ------------------------------------------------------------------------- */

/* In the calendar that there is. */
static bool is_day(eti_text text) {
    static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    static const char form[] = "dddd-dd-dd";
    for (size_t i = 0; i < sizeof form - 1; i++) {
        if (text.size != sizeof form - 1 ||
            (form[i] == 'd' ? text.data[i] < '0' || text.data[i] > '9' : text.data[i] != form[i]))
            return false;
    }
    int year = 0, month = (text.data[5] - '0') * 10 + text.data[6] - '0';
    int day = (text.data[8] - '0') * 10 + text.data[9] - '0';
    for (int i = 0; i < 4; i++)
        year = year * 10 + text.data[i] - '0';
    bool is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return month >= 1 && month <= 12 && day >= 1 &&
           day <= lengths[month - 1] + (month == 2 && is_leap);
}

static eti_status take_allowance(table_file *file, const eti_text *fields, eti_text origin) {
    eti_allowances *out = file->out;
    eti_allowance entry = {
        .pattern = fields[0], .reason = fields[1], .expires = fields[2], .origin = origin};
    if (entry.expires.data && !is_day(entry.expires))
        return fail(file, "expires is not a day: expected YYYY-MM-DD, or nothing");
    /* Days as text are in the order of days. */
    entry.is_expired = entry.expires.data && memcmp(entry.expires.data, file->today, 10) < 0;
    if (!ETI_GROW(out->entries, out->capacity, out->n + 1))
        return eti_fail_memory(file->err);
    out->entries[out->n++] = entry;
    return ETI_OK;
}

eti_status eti_gate_read_allowances(eti_allowances *out, eti_arena *arena, const eti_source *source,
                                    const char *today, eti_error *err) {
    static const char *const columns[] = {"pattern", "reason", "expires"};
    table_file file = {.columns = columns,
                       .n_columns = 3,
                       .n_required = 2,
                       .arena = arena,
                       .take_header = take_header_of_allowances,
                       .take = take_allowance,
                       .out = out,
                       .today = today,
                       .err = err};
    return read_file(&file, source);
}

void eti_day_of(int64_t seconds, char out[11]) {
    time_t time = (time_t)seconds;
    struct tm day;
    char text[64];
    if (!gmtime_r(&time, &day) || day.tm_year < -1900 || day.tm_year > 8099)
        gmtime_r(&(time_t){0}, &day);
    snprintf(text, sizeof text, "%04d-%02d-%02d", day.tm_year + 1900, day.tm_mon + 1, day.tm_mday);
    memcpy(out, text, 10);
    out[10] = '\0';
}
