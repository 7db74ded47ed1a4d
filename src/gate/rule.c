#include "gate/parts.h"

#include "base/csv.h"
#include "base/python.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* ==== rule ==================================================================================== */

/* Smallest share of the total that a row needs for a check by default. */
#define USUAL_MIN_SHARE 0.01

static const char *const scope_names[ETI_N_GATE_SCOPES] = {
    [ETI_GATE_OP] = "op",
    [ETI_GATE_OPTYPE] = "optype",
    [ETI_GATE_MODULE] = "module",
    [ETI_GATE_BACKEND] = "backend",
    [ETI_GATE_SOURCE] = "source",
    [ETI_GATE_TOTAL] = "total",
    [ETI_GATE_OPERATORS] = "operators",
    [ETI_GATE_DELEGATES] = "delegates",
    [ETI_GATE_FRAMEWORK] = "framework",
    [ETI_GATE_LOADING] = "loading",
    [ETI_GATE_ALLOCATION] = "allocation",
    [ETI_GATE_PROGRAM] = "program",
};

const char *eti__gate_measure_name(const eti_gate_rule *rule) {
    return rule->scope == ETI_GATE_PROGRAM ? eti__figure_names[rule->figure]
                                           : eti__metric_names[rule->metric];
}

bool eti__gate_is_about_bytes(const eti_gate_rule *rule) {
    return rule->scope == ETI_GATE_ALLOCATION ||
           (rule->scope == ETI_GATE_PROGRAM && !eti__figure_is_count(rule->figure));
}

const char *eti__gate_scope_name(eti_gate_scope scope) {
    return scope_names[scope];
}

/* The rest of the text, and its position in the whole text. */
typedef struct part {
    eti_text text;
    size_t at;
} part;

ETI_PRINTF(3, 4) static eti_status fail_at(eti_error *err, size_t at, const char *format, ...) {
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    eti__vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    eti__error_set(err, ETI_ERROR_USAGE, "%s", message);
    if (err)
        err->position = at + 1;
    return ETI_ERROR_USAGE;
}

static void take(part *p, size_t size) {
    p->text.data += size;
    p->text.size -= size;
    p->at += size;
}

static void skip_blanks(part *p) {
    while (p->text.size > 0 && eti__is_blank(p->text.data[0]))
        take(p, 1);
}

static part trimmed(part p) {
    skip_blanks(&p);
    while (p.text.size > 0 && eti__is_blank(p.text.data[p.text.size - 1]))
        p.text.size--;
    return p;
}

static part cut(part p, size_t from, size_t to) {
    return trimmed((part){{p.text.data + from, to - from}, p.at + from});
}

/* ---- numbers --------------------------------------------------------------------------------- */

static size_t number_size(eti_text text) {
    size_t size = 0;
    while (size < text.size && strchr("0123456789.", text.data[size]) && text.data[size])
        size++;
    if (size > 0 && size + 1 < text.size && (text.data[size] == 'e' || text.data[size] == 'E')) {
        size_t digits = size + 1 + (text.data[size + 1] == '-' || text.data[size + 1] == '+');
        size_t end = digits;
        while (end < text.size && eti__is_digit(text.data[end]))
            end++;
        size = end > digits ? end : size;
    }
    return size;
}

/* Parses a number that is not negative. */
static eti_status take_number(part *p, double *out, eti_error *err) {
    eti_buffer scratch = {0};
    size_t size = number_size(p->text);
    bool is_number = size > 0 && eti__python_float((eti_text){p->text.data, size}, out, &scratch) &&
                     isfinite(*out);
    bool failed = scratch.failed;
    eti__buffer_free(&scratch);
    if (failed)
        return eti_fail_memory(err);
    if (!is_number)
        return fail_at(err, p->at, "expected a limit, such as +5%% or 20us");
    take(p, size);
    skip_blanks(p);
    return ETI_OK;
}

static size_t word_size(eti_text text) {
    size_t size = 0;
    while (size < text.size && ((text.data[size] >= 'a' && text.data[size] <= 'z') ||
                                (text.data[size] >= 'A' && text.data[size] <= 'Z') ||
                                eti__is_digit(text.data[size]) || text.data[size] == '_'))
        size++;
    return size;
}

/* Parses "%" or a unit of time or of memory; for memory, converts the preceding number to bytes. */
static eti_status take_unit(part *p, bool *is_percent, double *number, eti_time_scale *scale,
                            const eti_gate_rule *rule, eti_error *err) {
    char name[16];
    double bytes = 1;
    bool is_memory = eti__gate_is_about_bytes(rule);
    *is_percent = p->text.size > 0 && p->text.data[0] == '%';
    size_t size = *is_percent ? 1 : word_size(p->text);
    if (!*is_percent && rule->scope == ETI_GATE_PROGRAM && !is_memory)
        return size == 0 ? ETI_OK
                         : fail_at(err, p->at, "expected %% or no unit: %s is a count",
                                   eti__figure_names[rule->figure]);
    snprintf(name, sizeof name, "%.*s", (int)(size < sizeof name ? size : 0), p->text.data);
    if (!*is_percent && is_memory && !eti__find_byte_unit(eti__text_of(name), &bytes))
        return fail_at(err, p->at, "expected %% or a unit: " ETI_BYTE_UNITS);
    if (!*is_percent && !is_memory && !eti_time_scale_parse(name, scale))
        return fail_at(err, p->at, "expected %% or a unit: ns, us, ms, s or cycles");
    *number *= *is_percent ? 1 : bytes;
    take(p, size);
    skip_blanks(p);
    return ETI_OK;
}

static eti_status take_limit(part *p, eti_gate_rule *out, eti_error *err) {
    bool is_percent, is_more = p->text.size > 0 && p->text.data[0] == '+';
    part start = *p;
    if (is_more) {
        take(p, 1);
        skip_blanks(p);
    }
    ETI_TRY(take_number(p, &out->limit, err));
    ETI_TRY(take_unit(p, &is_percent, &out->limit, &out->unit, out, err));
    if (is_percent && !is_more)
        return fail_at(err, start.at, "expected +%.*s: a percentage is relative to BASE",
                       (int)(start.text.size - p->text.size), start.text.data);
    out->kind = is_percent ? ETI_GATE_RELATIVE : is_more ? ETI_GATE_DIFFERENCE : ETI_GATE_ABSOLUTE;
    if (is_percent)
        out->limit /= 100;
    return ETI_OK;
}

/* Parses "min_share=1%" and "min_effect=20us", in any order. */
static eti_status take_option(part *p, eti_gate_rule *out, eti_error *err) {
    bool is_percent,
        is_share = word_size(p->text) == 9 && memcmp(p->text.data, "min_share", 9) == 0;
    part start = *p;
    if (out->scope == ETI_GATE_PROGRAM)
        return fail_at(err, p->at, "expected the end of the rule: %s is exact",
                       eti__figure_names[out->figure]);
    if (!is_share && !(word_size(p->text) == 10 && memcmp(p->text.data, "min_effect", 10) == 0))
        return fail_at(err, p->at, "expected min_share=, min_effect= or the end of the rule");
    take(p, word_size(p->text));
    skip_blanks(p);
    if (p->text.size == 0 || p->text.data[0] != '=')
        return fail_at(err, p->at, "expected =");
    take(p, 1);
    skip_blanks(p);
    double *number = is_share ? &out->min_share : &out->min_effect;
    ETI_TRY(take_number(p, number, err));
    ETI_TRY(take_unit(p, &is_percent, number, &out->effect_unit, out, err));
    if (is_percent != is_share)
        return fail_at(err, start.at,
                       is_share ? "expected a share in per cent: min_share=1%%"
                                : "expected a time or bytes: min_effect=20us");
    if (is_share)
        out->min_share /= 100;
    out->has_min_share = out->has_min_share || is_share;
    if (is_share && out->min_share > 1)
        return fail_at(err, start.at, "a share cannot be more than 100%%");
    return ETI_OK;
}

/* ---- the rest -------------------------------------------------------------------------------- */

static size_t find_name(eti_text text, const char *const *names, size_t n) {
    size_t i = 0;
    while (i < n && !eti__text_is(text, names[i]))
        i++;
    return i;
}

static bool find_scope(eti_text name, eti_gate_scope *out) {
    size_t i = find_name(name, scope_names, ETI_N_GATE_SCOPES);
    *out = i < ETI_N_GATE_SCOPES ? (eti_gate_scope)i : ETI_GATE_FRAMEWORK;
    return i < ETI_N_GATE_SCOPES || eti__text_is(name, "overhead");
}

static eti_status fail_name(part p, const char *nearest, eti_error *err) {
    return fail_at(err, p.at, "there is no '%.*s': did you mean %s?", ETI_TEXT_ARGS(p.text),
                   nearest);
}

static eti_status fail_scope(part p, eti_error *err) {
    const char *nearest = eti__nearest_of(scope_names, ETI_N_GATE_SCOPES, p.text);
    if (nearest)
        return fail_name(p, nearest, err);
    return fail_at(
        err, p.at,
        "expected a scope: op, op=PATTERN, optype, module, backend, "
        "source, total, operators, delegates, overhead, loading, allocation or program; an "
        "operator is op=NAME");
}

static eti_status read_scope(part p, eti_gate_rule *out, eti_error *err) {
    const char *equals = p.text.size ? memchr(p.text.data, '=', p.text.size) : NULL;
    size_t end = equals ? (size_t)(equals - p.text.data) : p.text.size;
    if (!find_scope(cut(p, 0, end).text, &out->scope))
        return fail_scope(cut(p, 0, end), err);
    if (!equals)
        return ETI_OK;
    out->pattern = cut(p, end + 1, p.text.size).text;
    if (out->scope >= ETI_GATE_TOTAL)
        return fail_at(err, p.at + end, "there is only one %s, so it takes no pattern",
                       scope_names[out->scope]);
    if (out->pattern.size == 0)
        return fail_at(err, p.at + end, "expected a pattern after =");
    return ETI_OK;
}

static eti_status fail_metric(part p, eti_error *err) {
    static const char *const others[][2] = {{"median", "p50"}, {"mean", "avg"}, {"average", "avg"}};
    const char *nearest = eti__nearest_of(eti__metric_names, ETI_N_METRICS, p.text);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (eti__text_is(p.text, others[i][0]))
            nearest = others[i][1];
    }
    if (nearest)
        return fail_name(p, nearest, err);
    eti_figure figure;
    if (eti__figure_find(p.text, &figure))
        return fail_at(err, p.at, "%.*s is a figure of the program: its scope is program, or none",
                       ETI_TEXT_ARGS(p.text));
    nearest = eti__nearest_of(eti__figure_names, ETI_N_FIGURES, p.text);
    if (nearest)
        return fail_name(p, nearest, err);
    return fail_at(err, p.at,
                   "expected p50, avg, p90, p95, p99, min, max or fast, or a figure of the "
                   "program, such as file_size");
}

static eti_status fail_figure(part p, eti_error *err) {
    const char *nearest = eti__nearest_of(eti__figure_names, ETI_N_FIGURES, p.text);
    if (nearest)
        return fail_name(p, nearest, err);
    return fail_at(err, p.at,
                   "expected file_size, arena_size, arena_peak, waste, constants, "
                   "delegate_blobs, instructions or operators");
}

static eti_status read_metric(part p, eti_gate_rule *out, eti_error *err) {
    if (out->scope == ETI_GATE_PROGRAM)
        return eti__figure_find(p.text, &out->figure) ? ETI_OK : fail_figure(p, err);
    size_t i = find_name(p.text, eti__metric_names, ETI_N_METRICS);
    if (i == ETI_N_METRICS)
        return fail_metric(p, err);
    out->metric = (eti_metric)i;
    return ETI_OK;
}

static void start(eti_gate_rule *out) {
    *out = (eti_gate_rule){.metric = ETI_METRIC_P50, .min_share = -1};
}

static eti_status read_limit(part p, eti_gate_rule *out, eti_error *err) {
    ETI_TRY(take_limit(&p, out, err));
    while (p.text.size > 0)
        ETI_TRY(take_option(&p, out, err));
    if (out->min_share < 0)
        out->min_share =
            out->scope < ETI_GATE_TOTAL && out->kind == ETI_GATE_RELATIVE ? USUAL_MIN_SHARE : 0;
    return ETI_OK;
}

static eti_status copy_texts(eti_gate_rule *out, eti_arena *arena, eti_text text, eti_error *err) {
    if (!eti__arena_copy_text(arena, text, &out->text) ||
        !eti__arena_copy_text(arena, out->pattern, &out->pattern))
        return eti_fail_memory(err);
    return ETI_OK;
}

static eti_status check_size(size_t size, eti_error *err) {
    if (size > ETI_GATE_RULE_MAX_SIZE)
        return fail_at(err, ETI_GATE_RULE_MAX_SIZE, "the rule has more than %d bytes",
                       ETI_GATE_RULE_MAX_SIZE);
    return ETI_OK;
}

eti_status eti__gate_rule_parse(eti_gate_rule *out, eti_arena *arena, eti_text text,
                                eti_error *err) {
    ETI_TRY(check_size(text.size, err));
    part whole = trimmed((part){text, 0});
    size_t colon = whole.text.size, more = 0;
    start(out);
    while (colon > 0 && whole.text.data[colon - 1] != ':')
        colon--;
    for (more = colon; more < whole.text.size && whole.text.data[more] != '>';)
        more++;
    if (colon > 0)
        ETI_TRY(read_scope(cut(whole, 0, colon - 1), out, err));
    if (more == whole.text.size)
        return fail_at(err, whole.at + more, "expected METRIC>LIMIT, such as p50>+5%%");
    if (colon == 0 && eti__figure_find(cut(whole, 0, more).text, &out->figure))
        out->scope = ETI_GATE_PROGRAM;
    out->is_unscoped = colon == 0 && out->scope != ETI_GATE_PROGRAM;
    ETI_TRY(read_metric(cut(whole, colon, more), out, err));
    ETI_TRY(read_limit(cut(whole, more + 1, whole.text.size), out, err));
    return copy_texts(out, arena, whole.text, err);
}

/* Parses the first column: "aten.conv*" is a pattern of operators; a scope is written as in a rule. */
static eti_status read_what(part p, eti_gate_rule *out, eti_error *err) {
    eti_gate_scope ignored;
    const char *equals = memchr(p.text.data, '=', p.text.size);
    size_t end = equals ? (size_t)(equals - p.text.data) : p.text.size;
    if (find_scope(cut(p, 0, end).text, &ignored))
        return read_scope(p, out, err);
    out->pattern = p.text;
    return ETI_OK;
}

/* Parses the first two columns; a figure stands in the first one alone, because it is scope and metric. */
static eti_status read_subject(part what, part metric, eti_gate_rule *out, eti_error *err) {
    if (metric.text.size > 0) {
        ETI_TRY(read_what(what, out, err));
        return read_metric(metric, out, err);
    }
    out->scope = ETI_GATE_PROGRAM;
    if (eti__figure_find(what.text, &out->figure))
        return ETI_OK;
    return fail_at(err, 0,
                   "metric is empty: expected p50, avg, p90, p95, p99, min, max or fast; only a "
                   "figure of the program, such as file_size, has no metric");
}

/* Appends a rule as it would be written. */
static void spell(eti_buffer *out, eti_text what, bool has_metric, eti_text limit,
                  const eti_gate_rule *rule) {
    eti__buffer_add_text(out, what);
    if (has_metric)
        eti__buffer_printf(out, ":%s", eti__gate_measure_name(rule));
    eti__buffer_add_char(out, '>');
    eti__buffer_add_text(out, limit);
}

eti_status eti__gate_rule_of_parts(eti_gate_rule *out, eti_arena *arena, eti_text what,
                                   eti_text metric, eti_text limit, eti_error *err) {
    ETI_TRY(check_size(what.size + metric.size + limit.size, err));
    part about = trimmed((part){what, 0}), measure = trimmed((part){metric, 0});
    eti_buffer text = {0};
    start(out);
    if (about.text.size == 0)
        return fail_at(err, 0, "expected an operator or another scope, such as total");
    eti_status status = read_subject(about, measure, out, err);
    if (status == ETI_OK)
        status = read_limit(trimmed((part){limit, 0}), out, err);
    if (status == ETI_OK) {
        spell(&text, about.text, measure.text.size > 0, trimmed((part){limit, 0}).text, out);
        status = text.failed ? eti_fail_memory(err)
                             : copy_texts(out, arena, eti__buffer_text(&text), err);
    }
    eti__buffer_free(&text);
    if (err)
        err->position = 0;
    return status;
}

/* ==== files =================================================================================== */

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
