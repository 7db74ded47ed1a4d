/*
 * gate_report.c - turns the checks of a gate into a report: a row per rule, with what failed below, then a row per
 * check.
 */
#include "table/report.h"
#include "gate/parts.h"
#include "table/columns.h"

#include <stdlib.h>
#include <string.h>

/* Lines below the table; the rest is in the table of checks. */
#define MOST_LINES 10

enum {
    CHECK_VERDICT,
    CHECK_RULE,
    CHECK_NAME,
    CHECK_CHANGE,
    CHECK_BASE,
    CHECK_NEW,
    CHECK_BASE_BYTES,
    CHECK_NEW_BYTES,
    CHECK_P,
    CHECK_N_NEW,
    CHECK_OP,
    CHECK_N_BASE,
    CHECK_N_NEEDED,
    CHECK_SHARE,
    CHECK_KEY,
    CHECK_BLOCK,
    CHECK_MODULE,
    CHECK_SCOPE,
    CHECK_METRIC,
    CHECK_LOW,
    CHECK_HIGH,
    CHECK_PACED,
    CHECK_FILE,
    CHECK_LINE,
    CHECK_REASON,
    CHECK_MESSAGE,
    N_CHECK_COLUMNS
};
_Static_assert(N_CHECK_COLUMNS <= ETI_MOST_COLUMN_SPECS, "columns.c has no room for them");

static const eti_column_spec check_columns[N_CHECK_COLUMNS] = {
    [CHECK_VERDICT] = {"verdict", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, false,
                       "failed, too few (samples to say), allowed, or passed"},
    [CHECK_RULE] = {"rule", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, false, "the rule as it was given"},
    [CHECK_NAME] = {"name", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, false,
                    "of the event, the group or the total on the new side"},
    [CHECK_CHANGE] = {"change", ETI_TYPE_FLOAT64, ETI_COLUMN_SHARE, false,
                      "new / base - 1, as compared: relative to the pace of runs where is_paced"},
    [CHECK_BASE] = {"base", ETI_TYPE_FLOAT64, ETI_COLUMN_TIME, false,
                    "the metric of the rule on the base side, as measured"},
    [CHECK_NEW] = {"new", ETI_TYPE_FLOAT64, ETI_COLUMN_TIME, false, "the same on the new side"},
    [CHECK_BASE_BYTES] = {"base_bytes", ETI_TYPE_INT64, ETI_COLUMN_BYTES, true,
                          "of a rule about allocation: the metric on the base side"},
    [CHECK_NEW_BYTES] = {"new_bytes", ETI_TYPE_INT64, ETI_COLUMN_BYTES, true,
                         "the same on the new side"},
    [CHECK_P] = {"p", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, false,
                 "how likely chance makes such a difference, adjusted for all checks of the rule"},
    [CHECK_N_NEW] = {"runs", ETI_TYPE_INT64, ETI_COLUMN_COUNT, false, "of the new side"},
    [CHECK_OP] = {"op", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, false, "operators of the event"},
    [CHECK_N_BASE] = {"base_runs", ETI_TYPE_INT64, ETI_COLUMN_COUNT, true, "of the base side"},
    [CHECK_N_NEEDED] = {"runs_needed", ETI_TYPE_INT64, ETI_COLUMN_COUNT, true,
                        "a side, without which the check could never fail"},
    [CHECK_SHARE] = {"share", ETI_TYPE_FLOAT64, ETI_COLUMN_SHARE, true,
                     "of the total of its EventBlock, on the new side"},
    [CHECK_KEY] =
        {"key", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, true,
         "block, name and metric, with a number where names are the same: stays from run to run"},
    [CHECK_BLOCK] = {"block", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, true, "the EventBlock"},
    [CHECK_MODULE] = {"module", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, true,
                      "innermost module that all nodes of the event share"},
    [CHECK_SCOPE] = {"scope", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, true, "what the rule is about"},
    [CHECK_METRIC] = {"metric", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, true, "p50, avg, p90, min or max"},
    [CHECK_LOW] = {"change_low", ETI_TYPE_FLOAT64, ETI_COLUMN_SHARE, true,
                   "the lower end of the interval of the change of the median"},
    [CHECK_HIGH] = {"change_high", ETI_TYPE_FLOAT64, ETI_COLUMN_SHARE, true, "its upper end"},
    [CHECK_PACED] = {"is_paced", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, true,
                     "samples were divided by the pace of their runs"},
    [CHECK_FILE] = {"source_file", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, true,
                    "the model's source file; of a group, that of its largest event"},
    [CHECK_LINE] = {"source_line", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, true, "the line in it"},
    [CHECK_REASON] = {"reason", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, true,
                      "why the regression is allowed, or was until the entry expired"},
    [CHECK_MESSAGE] = {"message", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, true,
                       "all of this in one line, where the check was not passed"},
};

/* ---- cells ----------------------------------------------------------------------------------- */

static eti_cell bytes_cell(double value) {
    if (!(value < 0x1p63))
        return (eti_cell){.kind = ETI_CELL_NONE};
    return (eti_cell){.kind = ETI_CELL_INT, .as_int = (int64_t)value};
}

static bool is_about_memory(const eti_gate *gate) {
    for (size_t i = 0; i < gate->rules.n; i++) {
        if (gate->rules.rules[i].scope == ETI_GATE_ALLOCATION)
            return true;
    }
    return false;
}

/* ---- tables ---------------------------------------------------------------------------------- */

static eti_status new_check_table(eti_table **out, const eti_gate *gate, eti_error *err) {
    const eti_diff *diff = &gate->diffs[0];
    eti_column_spec columns[N_CHECK_COLUMNS];
    memcpy(columns, check_columns, sizeof columns);
    columns[CHECK_BASE_BYTES].is_extra = columns[CHECK_NEW_BYTES].is_extra = !is_about_memory(gate);
    return eti_columns_make(
        out, columns, N_CHECK_COLUMNS,
        eti_column_unit(diff->new_side->target_scale, gate->options.diff.include_units), err);
}

static void fill_numbers(eti_cell *cells, const eti_check *check, const eti_gate_rule *rule) {
    const eti_diff_row *row = check->row;
    if (rule->scope == ETI_GATE_ALLOCATION) {
        cells[CHECK_BASE_BYTES] = bytes_cell(check->base);
        cells[CHECK_NEW_BYTES] = bytes_cell(check->new_side);
    } else {
        cells[CHECK_BASE] = eti_number_or_none(check->base);
        cells[CHECK_NEW] = eti_number_or_none(check->new_side);
    }
    cells[CHECK_N_BASE] = eti_count_cell(row->n_base);
    cells[CHECK_N_NEW] = eti_count_cell(row->n_new);
    cells[CHECK_N_NEEDED] = eti_count_cell(check->n_needed);
    cells[CHECK_SHARE] = eti_number_or_none(row->share_new);
    cells[CHECK_CHANGE] = eti_number_or_none(check->ratio - 1);
    if (check->has_p && eti_gate_rule_is_tested(rule))
        cells[CHECK_P] = eti_number_or_none(check->p);
    if (row->is_compared && rule->kind != ETI_GATE_ABSOLUTE) {
        cells[CHECK_LOW] = eti_number_or_none(row->comparison.ratio_interval.low - 1);
        cells[CHECK_HIGH] = eti_number_or_none(row->comparison.ratio_interval.high - 1);
        cells[CHECK_PACED] = eti_bool_cell(row->is_paced);
    }
}

/* Texts of rules and lists stay the gate's: they were copied into the report's arena. */
static void fill_check(eti_cell *cells, const eti_gate *gate, const eti_text *rules,
                       const eti_text *reasons, const eti_check *check) {
    const eti_gate_rule *rule = &gate->rules.rules[check->rule];
    const eti_diff_row *row = check->row;
    const eti_entry *entry = row->new_side;
    cells[CHECK_VERDICT] =
        eti_string_cell(eti_check_verdict_name((eti_check_verdict)check->verdict));
    cells[CHECK_RULE] = eti_text_or_none(rules[check->rule]);
    cells[CHECK_NAME] = eti_text_or_none(row->name);
    cells[CHECK_BLOCK] = eti_text_or_none(row->block);
    cells[CHECK_SCOPE] = eti_string_cell(eti_gate_scope_name(rule->scope));
    cells[CHECK_METRIC] = eti_string_cell(eti_gate_metric_name(rule->metric));
    if (check->allowance)
        cells[CHECK_REASON] =
            eti_text_or_none(reasons[check->allowance - gate->allowances.entries]);
    fill_numbers(cells, check, rule);
    bool is_event = rule->scope == ETI_GATE_OP;
    if (entry && is_event) {
        cells[CHECK_OP] = eti_text_or_none(entry->op);
        cells[CHECK_MODULE] = eti_text_or_none(entry->module);
    }
    if (entry && entry->file.data) {
        cells[CHECK_FILE] = eti_text_or_none(entry->file);
        cells[CHECK_LINE] = eti_count_cell(entry->line);
    }
}

static eti_text *copy_rules(eti_report *report, const eti_gate *gate) {
    eti_text *texts = eti_arena_alloc(&report->arena, gate->rules.n + 1, sizeof *texts);
    for (size_t i = 0; texts && i < gate->rules.n; i++) {
        if (!eti_arena_copy_text(&report->arena, gate->rules.rules[i].text, &texts[i]))
            return NULL;
    }
    return texts;
}

static eti_text *copy_reasons(eti_report *report, const eti_gate *gate) {
    eti_text *texts = eti_arena_alloc(&report->arena, gate->allowances.n + 1, sizeof *texts);
    for (size_t i = 0; texts && i < gate->allowances.n; i++) {
        if (!eti_arena_copy_text(&report->arena, gate->allowances.entries[i].reason, &texts[i]))
            return NULL;
    }
    return texts;
}

static bool own_key(eti_table *table, const eti_gate_keys *keys, const eti_check *check,
                    eti_text *out) {
    eti_buffer text = {0};
    eti_gate_add_key(&text, keys, check);
    bool done = !text.failed && eti_table_own_text(table, eti_buffer_text(&text), out);
    eti_buffer_free(&text);
    return done;
}

static bool own_message(eti_table *table, const eti_gate *gate, const eti_check *check,
                        eti_text *out) {
    eti_buffer text = {0};
    eti_gate_add_message(&text, gate, check);
    bool done = !text.failed && eti_table_own_text(table, eti_buffer_text(&text), out);
    eti_buffer_free(&text);
    return done;
}

static bool fill_checks(eti_table *table, eti_report *report, const eti_gate *gate,
                        bool lists_passed) {
    eti_text *rules = copy_rules(report, gate), *reasons = copy_reasons(report, gate);
    eti_gate_keys keys;
    if (!rules || !reasons || !eti_gate_keys_make(&keys, gate, &report->arena))
        return false;
    for (size_t i = 0; i < gate->n_checks; i++) {
        const eti_check *check = &gate->checks[i];
        if (check->verdict == ETI_CHECK_PASSED && !lists_passed)
            continue;
        eti_cell *cells = eti_table_add_row(table);
        eti_text key, message = {NULL, 0};
        if (!cells || !own_key(table, &keys, check, &key) ||
            (check->verdict != ETI_CHECK_PASSED && !own_message(table, gate, check, &message)))
            return false;
        fill_check(cells, gate, rules, reasons, check);
        cells[CHECK_MESSAGE] = eti_text_or_none(message);
        cells[CHECK_KEY] = eti_text_or_none(key);
    }
    return true;
}

static eti_status add_checks(eti_report *report, const eti_gate *gate, bool lists_passed,
                             eti_error *err) {
    eti_table *table;
    ETI_TRY(new_check_table(&table, gate, err));
    if (!fill_checks(table, report, gate, lists_passed)) {
        eti_table_free(table);
        return eti_fail_memory(err);
    }
    ETI_TRY(eti_report_add(
        report, "checks", lists_passed ? "All checks" : "Checks that were not passed", table, err));
    report->selected = report->n_sections - 1;
    report->sections[report->selected].is_detail = true;
    report->sections[report->selected].is_told_above =
        table->n_rows == 0; /* the rules count them */
    return ETI_OK;
}

/* ---- rules ----------------------------------------------------------------------------------- */

static eti_check_verdict verdict_of(const eti_gate_count *count, size_t *n) {
    eti_check_verdict verdict = ETI_CHECK_PASSED;
    *n = 0;
    for (int i = ETI_N_CHECK_VERDICTS - 1; i >= 0; i--) {
        *n += count->checks[i];
        if (count->checks[i] > 0)
            verdict = (eti_check_verdict)i;
    }
    return verdict;
}

static bool fill_rules(eti_table *table, const eti_gate *gate) {
    for (size_t i = 0; i < gate->rules.n; i++) {
        const eti_gate_rule *rule = &gate->rules.rules[i];
        const eti_gate_count *count = &gate->counts[i];
        eti_cell *cells = eti_table_add_row(table);
        eti_text text, origin = {NULL, 0}, comment = {NULL, 0};
        size_t n;
        if (!cells || !eti_table_own_text(table, rule->text, &text) ||
            !eti_table_own_text(table, rule->origin, &origin) ||
            !eti_table_own_text(table, rule->comment, &comment))
            return false;
        eti_check_verdict verdict = verdict_of(count, &n);
        cells[0] = eti_text_or_none(text);
        cells[1] = eti_string_cell(n > 0 ? eti_check_verdict_name(verdict) : "nothing to check");
        cells[2] = eti_count_cell(n);
        for (int k = 0; k < ETI_CHECK_PASSED; k++)
            cells[3 + k] = eti_count_cell(count->checks[k]);
        cells[6] = eti_text_or_none(origin);
        cells[7] = eti_text_or_none(comment);
    }
    return true;
}

static eti_status add_rules(eti_report *report, const eti_gate *gate, eti_error *err) {
    static const char *const titles[] = {
        [ETI_GATE_PASSED] = "Gate passed",
        [ETI_GATE_FAILED] = "Gate failed",
        [ETI_GATE_TOO_FEW] = "Gate undecided",
    };
    static const eti_column_spec columns[] = {
        {"rule", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, false, NULL},
        {"verdict", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, false, NULL},
        {"checked", ETI_TYPE_INT64, ETI_COLUMN_COUNT, false, NULL},
        {"failed", ETI_TYPE_INT64, ETI_COLUMN_COUNT, false, NULL},
        {"too_few", ETI_TYPE_INT64, ETI_COLUMN_COUNT, false, NULL},
        {"allowed", ETI_TYPE_INT64, ETI_COLUMN_COUNT, false, NULL},
        {"origin", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, true, NULL},
        {"comment", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, true, NULL},
    };
    eti_table *table;
    ETI_TRY(eti_columns_make(&table, columns, sizeof columns / sizeof *columns, NULL, err));
    if (!fill_rules(table, gate)) {
        eti_table_free(table);
        return eti_fail_memory(err);
    }
    return eti_report_add(report, "rules", titles[gate->outcome], table, err);
}

/* ---- lines below ----------------------------------------------------------------------------- */

static eti_status note_check(eti_report *report, const eti_gate *gate, const eti_check *check,
                             eti_error *err) {
    eti_buffer text = {0};
    eti_gate_add_message(&text, gate, check);
    eti_status status =
        text.failed ? eti_fail_memory(err)
                    : eti_report_note(report, err, "%s: %.*s",
                                      eti_check_verdict_name((eti_check_verdict)check->verdict),
                                      (int)text.size, text.data ? text.data : "");
    eti_buffer_free(&text);
    return status;
}

static eti_status note_checks(eti_report *report, const eti_gate *gate, eti_error *err) {
    size_t n_shown = 0, n = 0;
    for (size_t i = 0; i < gate->n_checks; i++) {
        if (gate->checks[i].verdict == ETI_CHECK_PASSED)
            continue;
        if (n++ < MOST_LINES)
            ETI_TRY(note_check(report, gate, &gate->checks[i], err));
        n_shown = n < MOST_LINES ? n : MOST_LINES;
    }
    if (n > n_shown)
        return eti_report_note(report, err, "and %zu more, in the table of checks", n - n_shown);
    return ETI_OK;
}

/* Events that only one side has are of no check but of absolute ones. */
static eti_status note_matches(eti_report *report, const eti_diff *diff, eti_error *err) {
    size_t n_added = 0, n_removed = 0;
    for (size_t i = 0; i < diff->events.n; i++) {
        n_added += diff->events.rows[i].n_events_base == 0;
        n_removed += diff->events.rows[i].n_events_new == 0;
    }
    if (n_added + n_removed > 0)
        ETI_TRY(eti_report_note(
            report, err,
            "events added: %zu, removed: %zu; no rule compares them, but totals count them",
            n_added, n_removed));
    return ETI_OK;
}

/* That nobody takes it for a proof that nothing got slower. Checks are sorted by their effect. */
static eti_status note_spared(eti_report *report, const eti_gate *gate, eti_error *err) {
    const eti_check *first = NULL;
    size_t n = 0;
    for (size_t i = gate->n_checks; i-- > 0;) {
        if (!gate->checks[i].is_spared)
            continue;
        first = &gate->checks[i];
        n++;
    }
    if (!first)
        return ETI_OK;
    return eti_report_note(report, err,
                           "checks that would have failed, did not files of one side differ as "
                           "much: %zu; the first is %.*s: %+.1f %%",
                           n, ETI_TEXT_ARGS(first->row->name), (first->ratio - 1) * 100);
}

static bool has_rule_about_total(const eti_gate *gate) {
    for (size_t i = 0; i < gate->rules.n; i++) {
        if (gate->rules.rules[i].scope == ETI_GATE_TOTAL)
            return true;
    }
    return false;
}

/* What slows down all events alike breaks no rule about events that are compared by the pace of runs. */
static eti_status note_slower_total(eti_report *report, const eti_diff *diff, eti_error *err) {
    for (size_t i = 0; i < diff->totals.n; i++) {
        const eti_diff_row *row = &diff->totals.rows[i];
        if (row->verdict == ETI_VERDICT_SLOWER && row->new_side->kind == ETI_ENTRY_EXECUTE &&
            diff->pairs[row->pair].paces_base)
            ETI_TRY(eti_report_note(report, err,
                                    "%.*s is slower, %.4g -> %.4g %s, and no rule is about it: "
                                    "parts are compared by the pace of runs; add total:p50>+5%%",
                                    ETI_TEXT_ARGS(row->name), row->p50_base, row->p50_new,
                                    eti_time_scale_name(diff->new_side->target_scale)));
    }
    return ETI_OK;
}

static eti_status note_loose_ends(eti_report *report, const eti_gate *gate, eti_error *err) {
    const eti_diff *diff = NULL; /* any has totals and events */
    for (size_t i = ETI_N_GATE_DIFFS; i-- > 0;)
        diff = gate->has_diff[i] ? &gate->diffs[i] : diff;
    if (diff)
        ETI_TRY(note_matches(report, diff, err));
    ETI_TRY(note_spared(report, gate, err));
    if (diff && gate->outcome != ETI_GATE_FAILED && !has_rule_about_total(gate))
        ETI_TRY(note_slower_total(report, diff, err));
    for (size_t i = 0; i < gate->rules.n; i++) {
        size_t n;
        (void)verdict_of(&gate->counts[i], &n);
        if (n == 0)
            ETI_TRY(eti_report_note(report, err, "rule %.*s: nothing to check",
                                    ETI_TEXT_ARGS(gate->rules.rules[i].text)));
    }
    for (size_t i = 0; i < gate->allowances.n; i++) {
        const eti_allowance *allowance = &gate->allowances.entries[i];
        if (allowance->n_used == 0)
            ETI_TRY(eti_report_note(report, err, "%.*s: %.*s is not slower: the entry can go",
                                    ETI_TEXT_ARGS(allowance->origin),
                                    ETI_TEXT_ARGS(allowance->pattern)));
    }
    return ETI_OK;
}

static eti_status fill_report(eti_report *report, const eti_gate *gate, bool lists_passed,
                              eti_error *err) {
    ETI_TRY(add_rules(report, gate, err));
    ETI_TRY(note_checks(report, gate, err));
    ETI_TRY(note_loose_ends(report, gate, err));
    return add_checks(report, gate, lists_passed, err);
}

/* NULL where it fails. */
static eti_status make_report(eti_report **out, const eti_gate *gate, bool lists_passed,
                              eti_error *err) {
    ETI_TRY(eti_report_new(out, "gate", gate->diffs[0].new_side->target_scale, err));
    eti_status status = fill_report(*out, gate, lists_passed, err);
    if (status != ETI_OK) {
        eti_report_free(*out);
        *out = NULL;
    }
    return status;
}

eti_status eti_gate_report(eti_report **out, eti_report **not_passed, eti_gate_outcome *outcome,
                           const eti_profile *base, const eti_profile *new_side,
                           const eti_gate_options *options, eti_error *err) {
    eti_gate gate;
    *out = NULL;
    *outcome = ETI_GATE_TOO_FEW;
    if (not_passed)
        *not_passed = NULL;
    eti_status status = eti_gate_make(&gate, base, new_side, options, err);
    if (status == ETI_OK)
        status = make_report(out, &gate, true, err);
    if (status == ETI_OK && not_passed)
        status = make_report(not_passed, &gate, false, err);
    if (status == ETI_OK) {
        *outcome = gate.outcome;
    } else {
        eti_report_free(*out);
        *out = NULL;
    }
    eti_gate_free(&gate);
    return status;
}
