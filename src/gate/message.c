#include "gate/parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ==== message ================================================================================= */
/* Writes one line each for the result of a check, the reason why a rule is undecided, and the
 * outcome of the gate. */

static void add_value(eti_buffer *out, const eti_gate_rule *rule, double value) {
    eti__buffer_printf(out, rule->scope == ETI_GATE_ALLOCATION ? "%.15g" : "%.4g", value);
}

/* Returns the name of the unit of a rule's numbers, which are times in this scale unless they are bytes. */
static const char *name_unit(const eti_gate_rule *rule, eti_time_scale scale) {
    return rule->scope == ETI_GATE_ALLOCATION ? "bytes" : eti_time_scale_name(scale);
}

const char *eti__gate_limit_unit(const eti_gate_rule *rule) {
    return rule->kind == ETI_GATE_RELATIVE ? NULL : name_unit(rule, rule->unit);
}

/* Appends a time with its unit; for a limit, the unit of the rule. */
static void add_measured(eti_buffer *out, const eti_gate *gate, const eti_check *check) {
    const eti_gate_rule *rule = &gate->rules.rules[check->rule];
    eti_time_scale scale = gate->new_side->target_scale;
    double value = check->new_side;
    if (eti__diff_row_unit(check->row).data) {
        eti__buffer_printf(out, "%.0f cycles", value);
        return;
    }
    if (rule->scope != ETI_GATE_ALLOCATION && rule->kind == ETI_GATE_ABSOLUTE &&
        scale != ETI_SCALE_CYCLES && rule->unit != ETI_SCALE_CYCLES) {
        value = eti__time_convert(value, scale, rule->unit);
        scale = rule->unit;
    }
    add_value(out, rule, value);
    eti__buffer_printf(out, " %s", name_unit(rule, scale));
}

/* ---- checks ---------------------------------------------------------------------------------- */

/* Appends the label of a row, without the operator for a group, because it would be that of the largest event only. */
static void add_name(eti_buffer *out, const eti_gate *gate, const eti_diff_row *row,
                     bool is_event) {
    const eti_entry *entry = row->new_side.entry;
    eti__add_row(out, row, gate->names_blocks);
    if (is_event && entry && entry->op.data && entry->op.size > 0 &&
        !eti__text_equal(entry->op, row->name))
        eti__buffer_printf(out, " (%.*s)", ETI_TEXT_ARGS(entry->op));
}

/* Appends the times. */
static void add_times(eti_buffer *out, const eti_gate *gate, const eti_check *check) {
    const eti_gate_rule *rule = &gate->rules.rules[check->rule];
    bool is_compared = rule->kind != ETI_GATE_ABSOLUTE;
    if (!is_compared)
        eti__buffer_printf(out, "%s ", eti__metric_names[rule->metric]);
    if (is_compared) {
        if (eti__diff_row_unit(check->row).data)
            eti__buffer_printf(out, "%.0f", check->base);
        else
            add_value(out, rule, check->base);
        eti__buffer_add_string(out, " -> ");
    }
    add_measured(out, gate, check);
}

/* Probabilities below this depend more on the formula than on reality. */
#define LEAST_P 1e-9

static void add_p(eti_buffer *out, const eti_gate *gate, const eti_check *check) {
    size_t n_family = gate->judgements[check->rule].n_family;
    if (check->p < LEAST_P)
        eti__buffer_printf(out, ", p < %g", LEAST_P);
    else
        eti__buffer_printf(out, ", p = %.2g", check->p);
    if (n_family > 1 && !check->row->is_level)
        eti__buffer_printf(out, " adjusted for %zu checks", n_family);
}

static void add_comparison(eti_buffer *out, const eti_gate *gate, const eti_check *check) {
    const eti_diff_pair *pair = &gate->judgements[check->rule].diff->pairs[check->row->pair];
    eti__add_size_of(out, check->row);
    add_p(out, gate, check);
    eti__buffer_printf(out, ", %zu and %zu %s", pair->n_base, pair->n_new,
                       gate->options.diff.one_process ? "runs" : "files");
}

static void add_limit(eti_buffer *out, const eti_gate *gate, const eti_check *check) {
    const eti_diff_pair *pair = &gate->judgements[check->rule].diff->pairs[check->row->pair];
    size_t n = pair->new_side->n_files;
    if (check->is_tested) {
        add_p(out, gate, check);
        eti__buffer_printf(out, ", %zu files", n);
    } else {
        eti__buffer_printf(out, ", as measured in %zu %s; another process may differ", n,
                           n == 1 ? "file" : "files");
    }
}

/* Appends until when an exception applies or applied, its place and its reason, such as "was allowed until 2026-03-01
 * (allow.csv:2: new kernel)". */
static void add_gate_allowance(eti_buffer *out, const eti_allowance *allowance) {
    eti__buffer_printf(out, "%s%s%.*s (%.*s: %.*s)",
                       allowance->is_expired ? "was allowed" : "allowed",
                       allowance->expires.data ? " until " : "", ETI_TEXT_ARGS(allowance->expires),
                       ETI_TEXT_ARGS(allowance->origin), ETI_TEXT_ARGS(allowance->reason));
}

static void add_measurement(eti_buffer *out, const eti_gate *gate, const eti_check *check) {
    const eti_gate_rule *rule = &gate->rules.rules[check->rule];
    add_name(out, gate, check->row, rule->scope == ETI_GATE_OP);
    eti__buffer_add_string(out, ": ");
    if (!check->row->is_level)
        add_times(out, gate, check);
    if (rule->kind == ETI_GATE_ABSOLUTE) {
        add_limit(out, gate, check);
        return;
    }
    eti__buffer_add_string(out, check->row->is_level ? "" : ", ");
    add_comparison(out, gate, check);
}

void eti__gate_add_message(eti_buffer *out, const eti_gate *gate, const eti_check *check,
                           eti_text file) {
    const eti_gate_rule *rule = &gate->rules.rules[check->rule];
    const eti_entry *entry = check->row->new_side.entry;
    if (rule->scope == ETI_GATE_PROGRAM)
        eti__gate_add_figures(out, rule, check);
    else
        add_measurement(out, gate, check);
    eti__buffer_printf(out, "; rule %.*s", ETI_TEXT_ARGS(rule->text));
    if (rule->origin.data)
        eti__buffer_printf(out, " (%.*s%s%.*s)", ETI_TEXT_ARGS(rule->origin),
                           rule->comment.data ? ": " : "", ETI_TEXT_ARGS(rule->comment));
    if (check->allowance) {
        eti__buffer_add_string(out, "; ");
        add_gate_allowance(out, check->allowance);
    }
    if (!entry || !file.data)
        return;
    eti__buffer_add_string(out, "; ");
    eti__add_source_line(out, file, entry->line);
    if (entry->code.size > 0)
        eti__buffer_printf(out, ": %.*s", ETI_TEXT_ARGS(entry->code));
}

/* ---- rules ----------------------------------------------------------------------------------- */

static void add_nothing(eti_buffer *out, const eti_gate *gate, size_t number) {
    static const char *const of_rest[ETI_N_GATE_SCOPES] = {
        [ETI_GATE_OPTYPE] = "of no known operator",
        [ETI_GATE_MODULE] = "in no known module",
        [ETI_GATE_BACKEND] = "on no known backend",
        [ETI_GATE_SOURCE] = "at no known source line",
    };
    const eti_gate_rule *rule = &gate->rules.rules[number];
    const eti_rule_judgement *judgement = &gate->judgements[number];
    const eti_rule_reach *reach = &judgement->reach;
    char below[40];
    snprintf(below, sizeof below, "below %smin_share", eti__option_prefix());
    const eti_reason reasons[] = {
        {reach->n_small, below},
        {reach->n_no_time, "with a time of 0"},
        {reach->n_missing, "not in all files"},
        {reach->n_one_side, "on one side only"},
        {reach->n_units, "in cycles on one side only"},
        {reach->n_cycles, "in cycles, which a limit in time does not apply to"},
        {reach->n_rest, of_rest[rule->scope]},
    };
    eti__buffer_add_string(out, "nothing to check");
    eti__add_reasons(out, ": ", reasons, sizeof reasons / sizeof *reasons);
    if (reach->n_one_side + reach->n_rest > 0)
        eti__gate_add_lacking_record(out, rule, judgement->diff, false);
}

/* Appends the reason for n undecided limits: the measured time lies above the limit, but may do so by chance. */
static void add_unsure(eti_buffer *out, size_t n, size_t n_passed) {
    eti__buffer_printf(out,
                       "%zu of %zu values %s above the limit, but the files differ too much to be "
                       "sure",
                       n, n + n_passed, n == 1 ? "is" : "are");
}

size_t eti__gate_files_needed(const eti_gate *gate) {
    size_t most = 0;
    for (size_t i = 0; i < gate->rules.n; i++)
        most = gate->judgements[i].files_needed > most ? gate->judgements[i].files_needed : most;
    return most;
}

#define CUT_SHORT "undecided: a command failed before the measurement was complete"

void eti__gate_add_rule_message(eti_buffer *out, const eti_gate *gate, size_t rule) {
    const eti_rule_judgement *judgement = &gate->judgements[rule];
    const eti_judgement *const judgements[] = {&judgement->judgement};
    switch (judgement->outcome) {
    case ETI_RULE_FEW_FILES:
    case ETI_RULE_CANNOT_TELL:
        eti__buffer_add_string(out, "cannot tell: ");
        if (gate->rules.rules[rule].kind == ETI_GATE_ABSOLUTE)
            add_unsure(out, judgement->checks[ETI_FINDING_UNDECIDED],
                       judgement->checks[ETI_FINDING_PASSED]);
        else
            eti__add_doubts(out, gate->diffs[0], judgements, 1);
        break;
    case ETI_RULE_NOTHING:
        add_nothing(out, gate, rule);
        break;
    case ETI_RULE_UNLIKE:
        eti__buffer_add_string(out, "cannot tell: ");
        eti__gate_add_unlike(out, gate, rule);
        eti__gate_add_unlike_remedy(out, gate, rule);
        break;
    case ETI_RULE_CUT_SHORT:
        eti__buffer_add_string(out, CUT_SHORT);
        break;
    default:
        break;
    }
}

/* ---- the gate -------------------------------------------------------------------------------- */

#define MOST_NAMED 3 /* number of items that the headline names */

static void add_failure(eti_buffer *out, const eti_gate *gate, const eti_check *check) {
    const eti_gate_rule *rule = &gate->rules.rules[check->rule];
    if (rule->scope == ETI_GATE_PROGRAM) {
        eti__gate_add_figures(out, rule, check);
        return;
    }
    if (rule->kind != ETI_GATE_ABSOLUTE) {
        eti__add_changed_row(out, check->row, gate->names_blocks);
        return;
    }
    eti__add_row(out, check->row, gate->names_blocks);
    eti__buffer_add_string(out, " with ");
    add_times(out, gate, check);
    eti__buffer_printf(out, ", above %.15g %s", rule->limit, name_unit(rule, rule->unit));
}

/* Appends the limit of a rule that compares. */
static void add_rule_limit(eti_buffer *out, const eti_gate_rule *rule, double margin) {
    eti__add_limit(out, rule->limit, eti__gate_limit_unit(rule), margin);
}

/* Returns whether a limit must follow the item of a check: the next item has another one, or there is none. */
static bool ends_limit(const eti_gate_rule *rule, const eti_gate_rule *next) {
    return eti__gate_compares(rule) &&
           (!next || next->kind != rule->kind || next->limit != rule->limit ||
            (rule->kind == ETI_GATE_DIFFERENCE && next->unit != rule->unit));
}

/* Returns whether a check has this finding or, if there is none, this verdict. */
static bool is_of(const eti_check *check, eti_finding_kind kind, eti_verdict verdict) {
    return check->finding == kind && (kind != ETI_FINDING_PASSED || check->verdict == verdict);
}

/* Returns whether two checks are about one item; a group may have the name of the event that it has its place from. */
static bool is_same_item(const eti_gate *gate, const eti_check *a, const eti_check *b) {
    return gate->rules.rules[a->rule].scope == gate->rules.rules[b->rule].scope &&
           a->row->pair == b->row->pair && a->row->new_side.entry == b->row->new_side.entry &&
           eti__text_equal(a->row->name, b->row->name);
}

/* Names each item once, even if it fails several rules. Items with a limit to compare with are followed by it, if
 * `has_limits`. */
static void add_items(eti_buffer *out, const eti_gate *gate, eti_finding_kind kind,
                      eti_verdict verdict, bool has_limits) {
    const eti_check *named[MOST_NAMED];
    const eti_gate_rule *before = NULL;
    size_t n_named = 0, n_more = 0;
    for (size_t i = 0; i < gate->n_checks; i++) {
        const eti_check *check = &gate->checks[i];
        const eti_gate_rule *rule = &gate->rules.rules[check->rule];
        bool is_new = is_of(check, kind, verdict);
        for (size_t k = 0; k < n_named && is_new; k++)
            is_new = !is_same_item(gate, named[k], check);
        if (!is_new || n_named == MOST_NAMED) {
            n_more += is_new;
            continue;
        }
        if (before && has_limits && ends_limit(before, rule))
            add_rule_limit(out, before, 0);
        eti__buffer_add_string(out, n_named > 0 ? "; " : "");
        add_failure(out, gate, check);
        named[n_named++] = check;
        before = rule;
    }
    if (n_more > 0)
        eti__buffer_printf(out, " and %zu more", n_more);
    if (before && has_limits && ends_limit(before, NULL))
        add_rule_limit(out, before, 0);
}

const eti_diff_row *eti__gate_total(const eti_gate *gate) {
    const eti_diff *diff = gate->diffs[0];
    const eti_diff_row *found = NULL;
    for (size_t i = 0; i < diff->totals.n; i++) {
        const eti_diff_row *row = &diff->totals.rows[i];
        if (row->kind == ETI_ENTRY_EXECUTE && !isnan(row->ratio) &&
            (!found || row->new_side.location > found->new_side.location))
            found = row;
    }
    return found;
}

static void add_metric(eti_buffer *out, const eti_diff *diff) {
    if (diff->metric != ETI_METRIC_P50)
        eti__buffer_printf(out, " %s", eti__metric_names[diff->metric]);
}

static void add_total(eti_buffer *out, const eti_gate *gate) {
    const eti_diff_row *total = eti__gate_total(gate);
    if (!total)
        return;
    eti__buffer_add_string(out, "; ");
    eti__add_row(out, total, gate->names_blocks);
    add_metric(out, gate->diffs[0]);
    const char *unit = eti_time_scale_name(gate->new_side->target_scale);
    if (!gate->has_base) {
        eti__buffer_printf(out, " %.4g %s", total->new_side.location, unit);
        return;
    }
    eti__buffer_printf(out, " %.4g -> %.4g %s, ", total->base.location, total->new_side.location,
                       unit);
    eti__add_change(out, total->ratio - 1);
}

/* Subjects of the rules, and of the failed checks: each is set if there is one about it. */
typedef struct subjects {
    bool times, total, comparison,
        events; /* comparison: of both sides; events: such a comparison of parts */
    bool failed_total, failed_comparison;
} subjects;

static subjects find_subjects(const eti_gate *gate) {
    subjects of = {false};
    for (size_t i = 0; i < gate->rules.n; i++) {
        const eti_gate_rule *rule = &gate->rules.rules[i];
        of.times |= rule->scope != ETI_GATE_PROGRAM;
        of.total |= rule->scope == ETI_GATE_TOTAL;
        of.comparison |= eti__gate_compares(rule);
        of.events |= eti__gate_compares(rule) && rule->scope < ETI_GATE_TOTAL;
    }
    for (size_t i = 0; i < gate->n_checks; i++) {
        const eti_check *check = &gate->checks[i];
        bool failed = check->finding == ETI_FINDING_FAILED;
        of.failed_total |= failed && check->row->kind == ETI_ENTRY_EXECUTE;
        of.failed_comparison |= failed && eti__gate_compares(&gate->rules.rules[check->rule]);
    }
    return of;
}

/* Returns the total that a rule compares and that changed most upwards, or NULL. */
static const eti_check *find_compared_total(const eti_gate *gate) {
    const eti_check *found = NULL;
    for (size_t i = 0; i < gate->n_checks; i++) {
        const eti_check *check = &gate->checks[i];
        const eti_gate_rule *rule = &gate->rules.rules[check->rule];
        if (rule->scope == ETI_GATE_TOTAL && rule->kind != ETI_GATE_ABSOLUTE &&
            check->finding == ETI_FINDING_PASSED &&
            (!found || check->row->ratio > found->row->ratio))
            found = check;
    }
    return found;
}

static bool has_check(const eti_gate *gate, eti_finding_kind kind, eti_verdict verdict) {
    for (size_t i = 0; i < gate->n_checks; i++) {
        if (is_of(&gate->checks[i], kind, verdict))
            return true;
    }
    return false;
}

/* Appends that what was compared is not slower. */
static void add_not_slower(eti_buffer *out, const eti_gate *gate, bool has_allowed) {
    const eti_check *total = find_compared_total(gate);
    double margin = gate->options.diff.margin;
    bool is_faster = total && total->verdict == ETI_VERDICT_FASTER;
    if (!total)
        eti__buffer_printf(out,
                           "nothing%s checked is slower by more than its limit with a margin of "
                           "%.4g %%",
                           has_allowed ? " else" : "", 100 * margin);
    else if (!is_faster)
        eti__add_unchanged_row(out, total->row, gate->names_blocks);
    if (has_check(gate, ETI_FINDING_PASSED, ETI_VERDICT_FASTER)) {
        eti__buffer_add_string(out, is_faster ? "" : "; ");
        add_items(out, gate, ETI_FINDING_PASSED, ETI_VERDICT_FASTER, false);
    }
    if (total && !is_faster)
        add_rule_limit(out, &gate->rules.rules[total->rule], margin);
    eti__buffer_add_string(out, "; ");
    eti__add_units(out, gate->diffs[0]);
}

static void add_passed(eti_buffer *out, const eti_gate *gate) {
    bool has_allowed = has_check(gate, ETI_FINDING_ALLOWED, ETI_VERDICT_SLOWER);
    bool compares = find_subjects(gate).comparison;
    eti__buffer_add_string(out, "passed: ");
    if (has_allowed) {
        eti__buffer_add_string(out, compares ? "slower, but allowed: "
                                             : "above its limit, but allowed: ");
        add_items(out, gate, ETI_FINDING_ALLOWED, ETI_VERDICT_SLOWER, false);
        eti__buffer_add_string(out, "; ");
    }
    if (compares)
        add_not_slower(out, gate, has_allowed);
    else
        eti__buffer_add_string(out, has_allowed ? "nothing else is above its limit"
                                                : "nothing is above its limit");
}

/* Returns whether a rule that compares, or one that does not, is undecided by its numbers. */
static bool is_doubtful(const eti_gate *gate, size_t rule, bool compares) {
    eti_rule_outcome outcome = gate->judgements[rule].outcome;
    return (outcome == ETI_RULE_FEW_FILES || outcome == ETI_RULE_CANNOT_TELL) &&
           eti__gate_compares(&gate->rules.rules[rule]) == compares;
}

/* Appends the doubts about the first rules that compare and are undecided: totals, then parts. */
static void add_doubts(eti_buffer *out, const eti_gate *gate, size_t n_all) {
    const eti_judgement *judgements[MOST_NAMED];
    size_t n = 0;
    for (int are_parts = 0; are_parts < 2; are_parts++) {
        for (size_t i = 0; i < gate->rules.n && n < MOST_NAMED; i++) {
            if (is_doubtful(gate, i, true) &&
                (gate->rules.rules[i].scope < ETI_GATE_TOTAL) == are_parts)
                judgements[n++] = &gate->judgements[i].judgement;
        }
    }
    eti__add_doubts(out, gate->diffs[0], judgements, n);
    if (n_all > n)
        eti__buffer_printf(out, "; %zu more rules are undecided", n_all - n);
}

/* Appends why nothing is decided; too few files and too much noise take precedence over rules without checks. */
static void add_undecided(eti_buffer *out, const eti_gate *gate) {
    size_t n_compared = 0, n_unsure = 0, n_sure = 0, n_empty = 0, n = gate->rules.n, unlike = n;
    if (gate->options.is_cut_short) {
        eti__buffer_add_string(out, CUT_SHORT);
        return;
    }
    for (size_t i = n; i-- > 0;) {
        const size_t *checks = gate->judgements[i].checks;
        bool is_limit = is_doubtful(gate, i, false);
        n_compared += is_doubtful(gate, i, true);
        n_unsure += is_limit ? checks[ETI_FINDING_UNDECIDED] : 0;
        n_sure += is_limit ? checks[ETI_FINDING_PASSED] : 0;
        n_empty += gate->judgements[i].outcome == ETI_RULE_NOTHING;
        unlike = gate->judgements[i].outcome == ETI_RULE_UNLIKE ? i : unlike;
    }
    eti__buffer_add_string(out, "cannot tell: ");
    if (n_compared > 0)
        add_doubts(out, gate, n_compared);
    else if (n_unsure > 0)
        add_unsure(out, n_unsure, n_sure);
    else if (unlike < n)
        eti__gate_add_unlike(out, gate, unlike);
    else
        eti__buffer_printf(out, "there is nothing to check for %zu of %zu rules", n_empty, n);
}

void eti__gate_add_headline(eti_buffer *out, const eti_gate *gate) {
    const subjects about = find_subjects(gate);
    if (gate->outcome == ETI_GATE_FAILED)
        eti__buffer_add_string(out, "failed: ");
    if (gate->options.judged.n_failed > 0)
        eti__buffer_printf(out, "%s; %s", gate->options.judged.message,
                           gate->of_times == ETI_GATE_FAILED ? "" : "times: ");
    switch (gate->of_times) {
    case ETI_GATE_FAILED:
        add_items(out, gate, ETI_FINDING_FAILED, ETI_VERDICT_SLOWER, true);
        if (about.comparison) {
            eti__buffer_add_string(out, "; ");
            eti__add_units(out, gate->diffs[0]);
        }
        break;
    case ETI_GATE_PASSED:
        add_passed(out, gate);
        break;
    case ETI_GATE_UNDECIDED:
        add_undecided(out, gate);
        break;
    }
    if (!about.comparison && !about.failed_total)
        add_total(out, gate);
}

/* ==== notes =================================================================================== */
/* Adds the lines of a gate to a report: its sentence, its coverage, and explanations of both. */

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
    eti_coverage coverage = gate->coverage;
    if (coverage.n_judged == 0)
        return ETI_OK;
    if (widest) {
        const eti_coverage *of = &gate->diffs[0]->coverage;
        coverage.n_small = widest->reach.n_small;
        coverage.n_no_time = widest->reach.n_no_time;
        coverage.n_missing = widest->reach.n_missing;
        coverage.n_units = widest->reach.n_units;
        coverage.n_added = of->n_added;
        coverage.n_removed = of->n_removed;
    }
    eti_buffer text = {0};
    eti__add_coverage(&text, &coverage);
    return eti__report_take_note(report, &text, err);
}

/* Adds how many runs of each side were dropped: no rule checks them, not even one about the max. */
static eti_status note_runs(eti_report *report, const eti_gate *gate, eti_error *err) {
    if (gate->has_base)
        ETI_TRY(eti__profile_note_runs(report, gate->base, "base", err));
    return eti__profile_note_runs(report, gate->new_side, "new", err);
}

/* Adds for each rule with a limit in time how many rows it does not check because they are in cycles. */
static eti_status note_cycles(eti_report *report, const eti_gate *gate, eti_error *err) {
    for (size_t i = 0; i < gate->rules.n; i++) {
        const eti_rule_judgement *of = &gate->judgements[i];
        if (of->reach.n_cycles > 0 && of->outcome != ETI_RULE_NOTHING)
            ETI_TRY(eti__report_note(
                report, err, "%.*s does not check %zu of %zu rows, which are in cycles",
                ETI_TEXT_ARGS(gate->rules.rules[i].text), of->reach.n_cycles, of->reach.n_fit));
    }
    return ETI_OK;
}

/* Returns whether a rule that compares parts (or totals) uses a comparison. */
static bool compares_by(const eti_gate *gate, const eti_diff *diff, bool parts) {
    for (size_t i = 0; i < gate->rules.n; i++) {
        const eti_gate_rule *rule = &gate->rules.rules[i];
        if (rule->kind != ETI_GATE_ABSOLUTE && gate->judgements[i].diff == diff &&
            rule->scope < ETI_GATE_PROGRAM && (rule->scope < ETI_GATE_TOTAL) == parts)
            return true;
    }
    return false;
}

/* Returns whether two comparisons have the same events: they differ in their groups. */
static bool have_same_events(const eti_diff *a, const eti_diff *b) {
    return a->metric == b->metric && a->options.min_share == b->options.min_share;
}

/* Returns whether rules compare events by several metrics. */
static bool compares_metrics(const eti_gate *gate) {
    const eti_diff *first = NULL;
    for (size_t i = 0; i < gate->n_diffs; i++) {
        if (!compares_by(gate, gate->diffs[i], true))
            continue;
        if (first && first->metric != gate->diffs[i]->metric)
            return true;
        first = gate->diffs[i];
    }
    return false;
}

/* Adds how the events of each comparison are judged, and whether the metrics of a total differ. */
static eti_status note_readings(eti_report *report, const eti_gate *gate, eti_error *err) {
    bool names_metric = compares_metrics(gate), has_total = false;
    for (size_t i = 0; i < gate->n_diffs; i++) {
        const eti_diff *diff = gate->diffs[i];
        bool is_new = compares_by(gate, diff, true);
        for (size_t k = 0; k < i && is_new; k++)
            is_new =
                !compares_by(gate, gate->diffs[k], true) || !have_same_events(gate->diffs[k], diff);
        if (is_new)
            ETI_TRY(eti__note_readings(report, diff, names_metric, err));
        bool is_of_total = diff->metric == ETI_METRIC_P50 && !has_total &&
                           (compares_by(gate, diff, true) || compares_by(gate, diff, false));
        if (is_of_total)
            ETI_TRY(eti__note_metrics(report, diff, err));
        has_total = has_total || is_of_total;
    }
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

/* Returns the probability that the gate fails by chance alone. The early looks of a measurement add a fifth. */
static double chance_to_fail(const eti_gate_options *options) {
    return options->diff.alpha * (options->n_looks > 1 ? 1.2 : 1);
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
        add_gate_allowance(&text, allowance);
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
    if (find_subjects(gate).failed_comparison)
        ETI_TRY(eti__report_note(
            report, err, "if the program is unchanged, fewer than one gate in %.0f fails by chance",
            floor(1 / chance_to_fail(&gate->options))));
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
        bool is_undecided = rule->outcome == ETI_RULE_CANNOT_TELL ||
                            rule->outcome == ETI_RULE_NOTHING || rule->outcome == ETI_RULE_UNLIKE;
        if (is_undecided && !eti__text_equal(rule->message, report->gate->headline))
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

/* Adds that the total is slower although no rule is about it: rules about events do not fail if all events slow down
 * alike. */
static eti_status note_slower_total(eti_report *report, const eti_gate *gate, eti_error *err) {
    const eti_diff *diff = gate->diffs[0];
    for (size_t i = 0; i < diff->totals.n; i++) {
        const eti_diff_row *row = &diff->totals.rows[i];
        if (row->verdict != ETI_VERDICT_SLOWER || row->kind != ETI_ENTRY_EXECUTE ||
            !diff->pairs[row->pair].events.levels)
            continue;
        eti_buffer text = {0};
        eti__add_row(&text, row, gate->names_blocks);
        eti__buffer_printf(
            &text, " is slower, %.4g -> %.4g %s, but no rule covers it: add total:%s>+5%%",
            row->base.location, row->new_side.location,
            eti_time_scale_name(diff->new_side->target_scale), eti__metric_names[diff->metric]);
        ETI_TRY(eti__report_take_note(report, &text, err));
    }
    return ETI_OK;
}

eti_status eti__gate_add_notes(eti_report *report, const eti_gate *gate, eti_error *err) {
    const eti_answer answer = eti__diff_answer(gate->diffs[0]);
    const subjects about = find_subjects(gate);
    ETI_TRY(eti__report_note(report, err, "%.*s", (int)report->gate->headline.size,
                             report->gate->headline.data));
    if (gate->has_base && !gate->diffs[0]->is_same_file)
        ETI_TRY(eti__note_sides(report, gate->diffs[0], &answer, err));
    ETI_TRY(note_coverage(report, gate, err));
    if (about.times)
        ETI_TRY(note_runs(report, gate, err));
    ETI_TRY(note_cycles(report, gate, err));
    ETI_TRY(note_readings(report, gate, err));
    if (gate->options.diff.one_process) {
        ETI_TRY(eti__note_dependence(report, gate->diffs[0], err));
        ETI_TRY(eti__report_note(report, err, "%s", ETI_ONE_PROCESS_NOTE));
    }
    ETI_TRY(note_limits(report, gate, err));
    if (gate->outcome != ETI_GATE_FAILED && !about.total)
        ETI_TRY(note_slower_total(report, gate, err));
    ETI_TRY(note_failure(report, gate, err));
    return note_rules(report, gate, err);
}
