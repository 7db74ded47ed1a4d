/*
 * model/notes.c - adds the lines of a gate to a report: its sentence, its coverage, and explanations of
 * both.
 */
#include "gate/parts.h"

#include <string.h>

/* ---- lines ----------------------------------------------------------------------------------- */

/* Returns the rule about events that checks the most. */
static const eti_rule_findings *find_widest_rule(const eti_gate *gate,
                                                 const eti_gate_result *result) {
    const eti_rule_findings *found = NULL;
    for (size_t i = 0; i < gate->rules.n; i++) {
        const eti_gate_rule *rule = &gate->rules.rules[i];
        if (rule->scope == ETI_GATE_OP && !rule->pattern.data &&
            (!found || eti__count_checks(&result->rules[i]) > eti__count_checks(found)))
            found = &result->rules[i];
    }
    return found;
}

/* Adds the coverage; if a rule is about all events, also the reasons why it does not check some of them. */
static eti_status note_coverage(eti_report *report, const eti_gate *gate, eti_error *err) {
    const eti_gate_result *result = report->gate;
    const eti_rule_findings *widest = find_widest_rule(gate, result);
    eti_coverage coverage = {.n_events = gate->coverage.n_events,
                             .n_judged = gate->coverage.n_checked,
                             .share = gate->coverage.share};
    if (coverage.n_judged == 0)
        return ETI_OK;
    if (widest) {
        const eti_coverage *of = &gate->diffs[0]->coverage;
        coverage.n_small = widest->reach.n_small;
        coverage.n_no_time = widest->reach.n_no_time;
        coverage.n_missing = widest->reach.n_missing;
        coverage.n_added = of->n_added;
        coverage.n_removed = of->n_removed;
    }
    eti_buffer text = {0};
    eti__add_coverage(&text, &coverage);
    return eti__report_take_note(report, &text, err);
}

static bool has_rule_about_times(const eti_gate *gate) {
    for (size_t i = 0; i < gate->rules.n; i++) {
        if (gate->rules.rules[i].scope != ETI_GATE_PROGRAM)
            return true;
    }
    return false;
}

/* Adds how many runs of each side were dropped: no rule checks them, not even one about the max. */
static eti_status note_runs(eti_report *report, const eti_gate *gate, eti_error *err) {
    if (!has_rule_about_times(gate))
        return ETI_OK;
    if (gate->has_base)
        ETI_TRY(eti__profile_note_runs(report, gate->base, "base", err));
    return eti__profile_note_runs(report, gate->new_side, "new", err);
}

static bool is_compared_by_events(const eti_gate *gate) {
    for (size_t i = 0; i < gate->rules.n; i++) {
        if (gate->rules.rules[i].kind != ETI_GATE_ABSOLUTE &&
            gate->rules.rules[i].scope < ETI_GATE_TOTAL)
            return true;
    }
    return false;
}

static eti_status note_levels(eti_report *report, const eti_gate *gate, eti_error *err) {
    const eti_diff *diff = gate->diffs[0];
    for (size_t i = 0; i < diff->n_pairs && is_compared_by_events(gate); i++)
        ETI_TRY(eti__note_level(report, diff, &diff->pairs[i], err));
    return ETI_OK;
}

/* Adds one line for all limits together if there are few files. */
static eti_status note_limits(eti_report *report, const eti_gate *gate, eti_error *err) {
    const eti_check *found = NULL;
    for (size_t i = 0; i < gate->n_checks && !found; i++) {
        const eti_check *check = &gate->checks[i];
        if (gate->rules.rules[check->rule].kind == ETI_GATE_ABSOLUTE && !check->is_tested &&
            check->row->pair != ETI_NO_PAIR)
            found = check;
    }
    if (!found)
        return ETI_OK;
    const eti_diff *diff = gate->judgements[found->rule].diff;
    size_t n = diff->pairs[found->row->pair].new_side->n_files;
    return eti__report_note(report, err,
                            "limits are compared with the times in %zu %s; another process may "
                            "differ, and %zu or more files show by how much",
                            n, n == 1 ? "file" : "files", diff->fewest);
}

static bool fails_by_comparison(const eti_gate *gate) {
    for (size_t i = 0; i < gate->n_checks; i++) {
        const eti_check *check = &gate->checks[i];
        if (check->finding == ETI_FINDING_FAILED && check->row->pair != ETI_NO_PAIR &&
            gate->rules.rules[check->rule].kind != ETI_GATE_ABSOLUTE)
            return true;
    }
    return false;
}

/* Returns the probability that the gate fails by chance alone in any look of a measurement. */
static double chance_to_fail(const eti_gate_options *options) {
    return options->diff.alpha * (double)(options->n_looks > 0 ? options->n_looks : 1);
}

/* Returns whether a failed check has this exception, which has expired; or, for NULL, whether one has none. */
static bool has_failed_with(const eti_gate *gate, const eti_allowance *allowance) {
    for (size_t i = 0; i < gate->n_checks; i++) {
        if (gate->checks[i].finding == ETI_FINDING_FAILED && gate->checks[i].allowance == allowance)
            return true;
    }
    return false;
}

/* Adds a line for each exception that a failed check would need if it had not expired. */
static eti_status note_expired(eti_report *report, const eti_gate *gate, eti_error *err) {
    for (size_t i = 0; i < gate->allowances.n; i++) {
        const eti_allowance *allowance = &gate->allowances.entries[i];
        if (!has_failed_with(gate, allowance))
            continue;
        eti_buffer text = {0};
        eti__buffer_printf(&text, "%.*s ", ETI_TEXT_ARGS(allowance->pattern));
        eti__gate_add_allowance(&text, allowance);
        eti__buffer_add_string(&text, "; to allow it again, change the date");
        ETI_TRY(eti__report_take_note(report, &text, err));
    }
    return ETI_OK;
}

/* Returns whether a line of exceptions may begin with the text as it is, and its pattern matches the text. */
static bool is_pattern(eti_text text) {
    for (size_t i = 0; i < text.size; i++) {
        if (strchr(",\"\r\n", text.data[i]))
            return false;
    }
    return text.size > 0 && text.data[0] != '#' && eti__glob_match(text, text);
}

/* Appends a pattern for the first failed event that is named with more than its name: its label is no pattern. */
static void add_pattern(eti_buffer *out, const eti_gate *gate) {
    for (size_t i = 0; i < gate->n_checks; i++) {
        const eti_check *check = &gate->checks[i];
        const eti_namesakes *namesakes = eti__row_namesakes(check->row);
        const eti_entry *entry = check->row->new_side.entry;
        if (check->finding != ETI_FINDING_FAILED || check->allowance || !entry || !namesakes ||
            namesakes->n < 2)
            continue;
        bool is_in_module = entry->module.size > 0 && !namesakes->beside_module.data;
        eti_text pattern = is_in_module ? entry->module : entry->name;
        if (!is_pattern(pattern))
            continue;
        eti__buffer_add_string(out, "; the pattern of ");
        eti__add_row(out, check->row, false);
        eti__buffer_printf(out, " is its %s, %.*s", is_in_module ? "module" : "name",
                           ETI_TEXT_ARGS(pattern));
        return;
    }
}

static eti_status note_failure(eti_report *report, const eti_gate *gate, eti_error *err) {
    if (gate->outcome != ETI_GATE_FAILED)
        return ETI_OK;
    if (fails_by_comparison(gate))
        ETI_TRY(eti__report_note(
            report, err, "if the program is unchanged, fewer than one gate in %.4g fails by chance",
            1 / chance_to_fail(&gate->options)));
    ETI_TRY(note_expired(report, gate, err));
    if (!has_failed_with(gate, NULL))
        return ETI_OK;
    eti_buffer text = {0};
    eti__buffer_printf(&text,
                       "to allow an intended change, add a line PATTERN,REASON to a file for "
                       "%sallow",
                       eti__option_prefix());
    add_pattern(&text, gate);
    return eti__report_take_note(report, &text, err);
}

static eti_status note_rules(eti_report *report, const eti_gate *gate, eti_error *err) {
    for (size_t i = 0; i < report->gate->n_rules; i++) {
        const eti_rule_findings *rule = &report->gate->rules[i];
        if (rule->outcome == ETI_RULE_CANNOT_TELL || rule->outcome == ETI_RULE_NOTHING ||
            rule->outcome == ETI_RULE_UNLIKE)
            ETI_TRY(eti__report_note(report, err, "%.*s: %.*s", ETI_TEXT_ARGS(rule->rule),
                                     (int)rule->message.size, rule->message.data));
    }
    for (size_t i = 0; i < gate->allowances.n; i++) {
        const eti_allowance *allowance = &gate->allowances.entries[i];
        if (allowance->n_used > 0)
            continue;
        const char *why = eti__gate_fits_anything(gate, allowance->pattern)
                              ? "is not slower: the entry can be removed"
                              : "matches nothing on either side";
        ETI_TRY(eti__report_note(report, err, "%.*s: %.*s %s", ETI_TEXT_ARGS(allowance->origin),
                                 ETI_TEXT_ARGS(allowance->pattern), why));
    }
    return ETI_OK;
}

static bool has_rule_about_total(const eti_gate *gate) {
    for (size_t i = 0; i < gate->rules.n; i++) {
        if (gate->rules.rules[i].scope == ETI_GATE_TOTAL)
            return true;
    }
    return false;
}

/* Returns the metric by which a rule about the total finds the changes of this comparison. */
static const char *metric_of(const eti_diff *diff) {
    bool is_location = diff->metric == ETI_METRIC_LOCATION;
    return eti__gate_metric_name(is_location ? ETI_METRIC_P50 : diff->metric);
}

/* Adds that the total is slower if rules are about events alone; such rules do not fail if all events slow down
 * alike. */
static eti_status note_slower_total(eti_report *report, const eti_gate *gate, eti_error *err) {
    const eti_diff *diff = gate->diffs[0];
    if (gate->outcome == ETI_GATE_FAILED || has_rule_about_total(gate))
        return ETI_OK;
    for (size_t i = 0; i < diff->totals.n; i++) {
        const eti_diff_row *row = &diff->totals.rows[i];
        if (row->verdict != ETI_VERDICT_SLOWER || row->kind != ETI_ENTRY_EXECUTE ||
            !diff->pairs[row->pair].levels)
            continue;
        eti_buffer text = {0};
        eti__add_row(&text, row, gate->names_blocks);
        eti__buffer_printf(&text,
                           " is slower, %.4g -> %.4g %s, but no rule covers it: add total:%s>+5%%",
                           row->base.location, row->new_side.location,
                           eti_time_scale_name(diff->new_side->target_scale), metric_of(diff));
        ETI_TRY(eti__report_take_note(report, &text, err));
    }
    return ETI_OK;
}

eti_status eti__gate_add_notes(eti_report *report, const eti_gate *gate, eti_error *err) {
    const eti_answer answer = eti__diff_answer(gate->diffs[0]);
    if (gate->has_base && !gate->diffs[0]->is_same_file)
        ETI_TRY(eti__note_sides(report, gate->diffs[0], &answer, err));
    ETI_TRY(eti__report_note(report, err, "%.*s", (int)report->gate->headline.size,
                             report->gate->headline.data));
    ETI_TRY(note_coverage(report, gate, err));
    ETI_TRY(note_runs(report, gate, err));
    ETI_TRY(note_levels(report, gate, err));
    if (gate->options.diff.one_process) {
        ETI_TRY(eti__note_dependence(report, gate->diffs[0], err));
        ETI_TRY(eti__report_note(report, err, "%s", ETI_ONE_PROCESS_NOTE));
    }
    ETI_TRY(note_limits(report, gate, err));
    ETI_TRY(note_slower_total(report, gate, err));
    ETI_TRY(note_failure(report, gate, err));
    return note_rules(report, gate, err);
}
