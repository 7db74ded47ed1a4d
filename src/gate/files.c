#include "gate/files.h"

#include "base/array.h"
#include "base/csv.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

/* ---- budgets --------------------------------------------------------------------------------- */

static eti_status take_budget(const eti_csv_table *table, const eti_text *fields, eti_text origin) {
    eti_gate_rules *rules = table->out;
    eti_gate_rule rule;
    eti_status status =
        eti__gate_rule_of_parts(&rule, table->arena, fields[0], fields[1], fields[2], table->err);
    if (status == ETI_ERROR_USAGE) {
        eti_error reason = ETI_ERROR_INIT;
        if (table->err)
            eti__error_copy(&reason, table->err);
        return eti_csv_table_fail(table, ETI_ERROR_MALFORMED, "%s; found %.*s,%.*s,%.*s",
                                  reason.message, ETI_TEXT_ARGS(fields[0]),
                                  ETI_TEXT_ARGS(fields[1]), ETI_TEXT_ARGS(fields[2]));
    }
    ETI_TRY(status);
    rule.origin = origin;
    rule.comment = fields[3];
    if (!ETI_GROW(rules->rules, rules->capacity, rules->n + 1))
        return eti_fail_memory(table->err);
    rules->rules[rules->n++] = rule;
    return ETI_OK;
}

eti_status eti__gate_read_budgets(eti_gate_rules *rules, eti_arena *arena, const eti_source *source,
                                  eti_error *err) {
    static const char *const columns[] = {"what", "metric", "limit", "comment"};
    eti_csv_table table = {.columns = columns,
                           .n_columns = 4,
                           .n_required = 3,
                           .may_be_empty[1] = true, /* a figure has no metric */
                           .max_size = ETI_GATE_FILE_MAX_SIZE,
                           .max_rows = ETI_GATE_FILE_MAX_ROWS,
                           .take = take_budget,
                           .out = rules,
                           .arena = arena,
                           .err = err};
    return eti__csv_table_read(&table, source);
}

/* ---- exceptions ------------------------------------------------------------------------------ */

#define EXPIRES 2 /* index of a column */

typedef struct allowance_list {
    eti_allowances *out;
    const char *today;
} allowance_list;

/* Returns whether the text is an existing day of the calendar. */
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

/* Rejects a misspelled column name of expiry dates, because exceptions would then never expire. */
static eti_status check_expires(const eti_csv_table *table, const eti_csv_record *header) {
    size_t n_known = 0;
    for (size_t column = 0; column < table->n_columns; column++)
        n_known += table->place[column] != SIZE_MAX;
    return table->place[EXPIRES] == SIZE_MAX && header->n_fields > n_known
               ? eti_csv_table_fail(table, ETI_ERROR_MALFORMED,
                                    "expected the columns pattern, reason and expires; other "
                                    "columns are allowed only in addition to these")
               : ETI_OK;
}

static eti_status take_allowance(const eti_csv_table *table, const eti_text *fields,
                                 eti_text origin) {
    allowance_list *list = table->out;
    eti_allowances *out = list->out;
    eti_allowance entry = {
        .pattern = fields[0], .reason = fields[1], .expires = fields[EXPIRES], .origin = origin};
    if (entry.expires.data && !is_day(entry.expires))
        return eti_csv_table_fail(table, ETI_ERROR_MALFORMED,
                                  "expires is not a date: expected YYYY-MM-DD, or an empty field");
    /* YYYY-MM-DD texts sort in the order of days */
    entry.is_expired = entry.expires.data && memcmp(entry.expires.data, list->today, 10) < 0;
    if (!ETI_GROW(out->entries, out->capacity, out->n + 1))
        return eti_fail_memory(table->err);
    out->entries[out->n++] = entry;
    return ETI_OK;
}

eti_status eti__gate_read_allowances(eti_allowances *out, eti_arena *arena,
                                     const eti_source *source, const char *today, eti_error *err) {
    static const char *const columns[] = {"pattern", "reason", [EXPIRES] = "expires"};
    allowance_list list = {out, today};
    eti_csv_table table = {.columns = columns,
                           .n_columns = 3,
                           .n_required = 2,
                           .max_size = ETI_GATE_FILE_MAX_SIZE,
                           .max_rows = ETI_GATE_FILE_MAX_ROWS,
                           .check_header = check_expires,
                           .take = take_allowance,
                           .out = &list,
                           .arena = arena,
                           .err = err};
    return eti__csv_table_read(&table, source);
}

void eti__day_of(int64_t seconds, char out[11]) {
    time_t time = (time_t)seconds;
    struct tm day;
    char text[64];
    if (time != seconds || !gmtime_r(&time, &day) || day.tm_year < -1900 || day.tm_year > 8099)
        gmtime_r(&(time_t){0}, &day);
    snprintf(text, sizeof text, "%04d-%02d-%02d", day.tm_year + 1900, day.tm_mon + 1, day.tm_mday);
    memcpy(out, text, 10);
    out[10] = '\0';
}
