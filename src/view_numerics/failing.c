#include "view_numerics/failing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- choosing --------------------------------------------------------------------------------- */

/* Replaces the option in the message of an expression. */
static eti_status fail_expression(eti_error *err, eti_status status) {
    if (status != ETI_ERROR_USAGE || !err)
        return status;
    const char *colon = strstr(err->message, ": ");
    char message[sizeof err->message];
    snprintf(message, sizeof message, "%s", colon ? colon + 2 : err->message);
    return eti_fail(err, status, "%sfail_on: %s", eti__option_prefix(), message);
}

/* Numbers of the first expressions that are true and undecided, plus 1, for each row; 0 if there are none. */
typedef struct marking {
    uint32_t *marks, *undecided;
    const eti_failing_rows *rows;
    size_t missing_row; /* first row that is undecided */
    eti_text missing;   /* its first column without a value that an expression needs */
} marking;

/* Keeps the name of the column that leaves a row undecided. */
static void keep_missing(marking *in, const eti_table *table, const bool *wanted,
                         const eti_cell *cells, size_t row) {
    for (size_t i = 0; row < in->missing_row && i < table->n_columns; i++) {
        if (!wanted[i] || cells[i].kind != ETI_CELL_NONE)
            continue;
        in->missing_row = row;
        in->missing = table->columns[i].name;
    }
}

static eti_status test_row(marking *in, const eti_table *table, eti_filter *filter,
                           const eti_cell *cells, size_t i, uint32_t mark, eti_error *err) {
    bool is_true = false, is_undecided = false;
    ETI_TRY(eti__filter_test(filter, cells, &is_true, err));
    if (is_true && in->marks[i] == 0)
        in->marks[i] = mark;
    if (is_true || in->undecided[i] > 0 || !in->rows->differs(in->rows->context, i))
        return ETI_OK;
    ETI_TRY(eti__filter_is_undecided(filter, cells, &is_undecided, err));
    if (is_undecided) {
        in->undecided[i] = mark;
        keep_missing(in, table, eti__filter_wanted(filter), cells, i);
    }
    return ETI_OK;
}

/* Marks the rows for which the expression is true or undecided. */
static eti_status test_rows(marking *in, const eti_table *table, eti_time_scale scale,
                            const char *expression, uint32_t mark, eti_error *err) {
    eti_filter *filter;
    eti_row_reader reader;
    eti_status status = eti__filter_new(&filter, expression, table, scale, err);
    if (status != ETI_OK)
        return fail_expression(err, status);
    if (!eti__row_reader_open(&reader, table))
        status = eti_fail_memory(err);
    reader.row.wanted = eti__filter_wanted(filter);
    for (size_t i = 0; status == ETI_OK && i < table->n_rows; i++) {
        const eti_cell *cells = eti__row_reader_read(&reader, i);
        status =
            reader.failed ? eti_fail_memory(err) : test_row(in, table, filter, cells, i, mark, err);
    }
    eti__row_reader_close(&reader);
    eti__filter_free(filter);
    return status;
}

static void count_undecided(eti_failing *out, const uint32_t *undecided, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (undecided[i] == 0)
            continue;
        if (out->n_undecided++ > 0)
            continue;
        out->first_undecided = i;
        out->undecided_rule = undecided[i] - 1;
    }
}

eti_status eti__failing_choose(eti_failing *out, const eti_table *table,
                               const eti_numerics_options *options, const eti_failing_rows *rows,
                               eti_time_scale scale, eti_error *err) {
    size_t n = table->n_rows;
    uint32_t *marks = calloc(n + 1, sizeof *marks), *undecided = calloc(n + 1, sizeof *undecided);
    marking in = {marks, undecided, rows, .missing_row = SIZE_MAX};
    eti_status status = ETI_OK;
    *out = (eti_failing){.rows = malloc((n + 1) * sizeof *out->rows), .rules = marks};
    if (!marks || !undecided || !out->rows)
        status = eti_fail_memory(err);
    for (uint32_t i = 0; status == ETI_OK && i < options->n_fail_on; i++)
        status = test_rows(&in, table, scale, options->fail_on[i], i + 1, err);
    if (status == ETI_OK)
        count_undecided(out, undecided, n);
    out->missing = in.missing;
    free(undecided);
    if (status != ETI_OK)
        return status;
    for (size_t i = 0; i < n; i++) {
        if (marks[i] == 0)
            continue;
        out->rows[out->n] = i;
        marks[out->n++] = marks[i] - 1;
    }
    out->is_asked = true; /* not earlier: the table may depend on it when its rows are made */
    return ETI_OK;
}

void eti__failing_free(eti_failing *failing) {
    free(failing->rows);
    free(failing->rules);
    *failing = (eti_failing){.n = 0};
}

eti_status eti__failing_check(const eti_failing *failing, const eti_numerics_options *options,
                              const eti_failing_rows *rows, eti_error *err) {
    eti_buffer key = {0}, message = {0};
    eti_finding unused = {.kind = ETI_FINDING_FAILED};
    if (failing->n > 0 || failing->n_undecided == 0)
        return ETI_OK;
    rows->describe(rows->context, failing->first_undecided, &key, &message, &unused);
    eti_text text = eti__buffer_text(&key);
    eti_status status = eti_fail(
        err, ETI_ERROR_TOO_FEW,
        "outputs that differ and leave \"%sfail_on %.200s\" undecided, because a metric in it is "
        "missing: %zu of %zu, the first is %.*s: judge it by other metrics, or exclude such "
        "outputs with the condition \"and %.*s is not none\"",
        eti__option_prefix(), options->fail_on[failing->undecided_rule], failing->n_undecided,
        rows->n, ETI_TEXT_ARGS(text), ETI_TEXT_ARGS(failing->missing));
    eti__buffer_free(&key);
    eti__buffer_free(&message);
    return status;
}

eti_status eti__check_compared(size_t n_compared, const eti_numerics_options *options,
                               eti_error *err) {
    if (n_compared >= options->min_compared)
        return ETI_OK;
    return eti_fail(
        err, ETI_ERROR_TOO_FEW,
        "outputs that could be compared: %zu, fewer than the required %zu (%smin_compared)",
        n_compared, options->min_compared, eti__option_prefix());
}

/* ---- findings --------------------------------------------------------------------------------- */

/* Moves the text of the buffer into the report, and empties the buffer. */
static bool take_text(eti_report *report, eti_buffer *from, eti_text *out) {
    bool done = !from->failed && eti__arena_own_text(&report->arena, eti__buffer_text(from), out);
    from->size = 0;
    return done;
}

static bool make_rules(eti_report *report, const eti_numerics_options *options, size_t n_rows,
                       eti_gate_result *gate) {
    gate->n_rules = options->n_fail_on;
    gate->rules = eti__arena_alloc_zero(&report->arena, gate->n_rules, sizeof *gate->rules);
    for (size_t i = 0; gate->rules && i < gate->n_rules; i++) {
        eti_rule_findings *rule = &gate->rules[i];
        rule->outcome = ETI_RULE_PASSED;
        rule->reach.n_fit = n_rows;
        rule->alpha = rule->margin = NAN;
        if (!eti__arena_own_text(&report->arena, eti__text_of(options->fail_on[i]), &rule->rule))
            return false;
    }
    return gate->rules != NULL;
}

/* Makes a finding without times, which rows do not have. */
static void make_blank(eti_finding *out, eti_rule_findings *rule) {
    out->kind = ETI_FINDING_FAILED;
    out->rule = rule;
    out->base = out->new_side = out->p50_base = out->p50_new = out->change = NAN;
    out->low = out->high = out->limit = out->p = out->share = NAN;
    out->files_base = out->files_new = out->runs_base = out->runs_new = 1;
}

static bool make_findings(eti_report *report, const eti_failing *failing,
                          const eti_source_paths *source_paths, const eti_failing_rows *rows,
                          eti_gate_result *gate) {
    eti_buffer key = {0}, message = {0};
    gate->n_findings = failing->n;
    gate->findings = eti__arena_alloc_zero(&report->arena, failing->n, sizeof *gate->findings);
    bool done = gate->findings != NULL;
    for (size_t i = 0; done && i < failing->n; i++) {
        eti_rule_findings *rule = &gate->rules[failing->rules[i]];
        eti_finding *finding = &gate->findings[i];
        make_blank(finding, rule);
        rule->outcome = ETI_RULE_FAILED;
        rule->n[ETI_FINDING_FAILED]++;
        rows->describe(rows->context, failing->rows[i], &key, &message, finding);
        done = take_text(report, &key, &finding->key) &&
               take_text(report, &message, &finding->message) &&
               eti__map_source_path(&finding->file, finding->file, source_paths, &report->arena);
    }
    eti__buffer_free(&key);
    eti__buffer_free(&message);
    return done;
}

eti_status eti__failing_add_findings(eti_report *report, const eti_failing *failing,
                                     const eti_numerics_options *options,
                                     const eti_failing_rows *rows, eti_error *err) {
    eti_gate_result *gate = eti__arena_alloc_zero(&report->arena, 1, sizeof *gate);
    eti_buffer headline = {0};
    if (!gate)
        return eti_fail_memory(err);
    gate->outcome = failing->n > 0 ? ETI_GATE_FAILED : ETI_GATE_PASSED;
    gate->time_scale = report->time_scale;
    gate->coverage =
        (eti_coverage){.n_events = rows->n, .n_judged = rows->n_compared, .share = NAN};
    eti__buffer_printf(&headline, "%zu of %zu outputs fail", failing->n, rows->n);
    bool done = make_rules(report, options, rows->n, gate) &&
                make_findings(report, failing, &options->source_paths, rows, gate) &&
                take_text(report, &headline, &gate->headline);
    eti__buffer_free(&headline);
    if (!done)
        return eti_fail_memory(err);
    report->gate = gate;
    return ETI_OK;
}
