/*
 * message.c - writes one line each for the result of a check, the reason why a rule is undecided,
 * and the outcome of the gate.
 */
#include "gate/parts.h"

#include <math.h>
#include <stdio.h>

static void add_value(eti_buffer *out, const eti_gate_rule *rule, double value) {
    eti__buffer_printf(out, rule->scope == ETI_GATE_ALLOCATION ? "%.15g" : "%.4g", value);
}

/* Appends a time with its unit; for a limit, the unit of the rule. */
static void add_measured(eti_buffer *out, const eti_gate *gate, const eti_gate_rule *rule,
                         double value) {
    eti_time_scale scale = gate->new_side->target_scale;
    if (rule->scope == ETI_GATE_ALLOCATION) {
        add_value(out, rule, value);
        eti__buffer_add_string(out, " bytes");
        return;
    }
    if (rule->kind == ETI_GATE_ABSOLUTE && scale != ETI_SCALE_CYCLES &&
        rule->unit != ETI_SCALE_CYCLES) {
        value = eti__time_convert(value, scale, rule->unit);
        scale = rule->unit;
    }
    add_value(out, rule, value);
    eti__buffer_printf(out, " %s", eti_time_scale_name(scale));
}

static const char *unit_of_evidence(const eti_gate *gate) {
    return gate->options.diff.one_process ? "runs" : "files";
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

/* Appends the times. A comparison about the p50 is judged by locations, which are not the p50. */
static void add_times(eti_buffer *out, const eti_gate *gate, const eti_check *check) {
    const eti_gate_rule *rule = &gate->rules.rules[check->rule];
    bool is_compared = rule->kind != ETI_GATE_ABSOLUTE;
    if (!is_compared || rule->metric != ETI_METRIC_P50)
        eti__buffer_printf(out, "%s ", eti__gate_metric_name(rule->metric));
    if (is_compared) {
        add_value(out, rule, check->base);
        eti__buffer_add_string(out, " -> ");
    }
    add_measured(out, gate, rule, check->new_side);
}

/* Probabilities below this depend more on the formula than on reality. */
#define LEAST_P 1e-9

static void add_p(eti_buffer *out, const eti_gate *gate, const eti_check *check) {
    size_t n_family = gate->judgements[check->rule].n_family;
    if (check->p < LEAST_P)
        eti__buffer_printf(out, ", p < %g", LEAST_P);
    else
        eti__buffer_printf(out, ", p = %.2g", check->p);
    if (n_family > 1)
        eti__buffer_printf(out, " adjusted for %zu checks", n_family);
}

static void add_comparison(eti_buffer *out, const eti_gate *gate, const eti_check *check) {
    const eti_diff_row *row = check->row;
    const eti_diff_pair *pair = &gate->judgements[check->rule].diff->pairs[row->pair];
    eti__buffer_add_string(out, ", ");
    if (row->is_relative) {
        eti__add_change(out, row->raw_ratio - 1);
        eti__buffer_add_string(out, " as measured, ");
    }
    eti__add_change(out, row->ratio - 1);
    if (row->is_relative)
        eti__buffer_add_string(out, " relative to the level of the files");
    eti__buffer_printf(out, " (%g %% interval ", gate->options.diff.confidence * 100);
    eti__add_change(out, row->interval.low - 1);
    eti__buffer_add_string(out, " to ");
    eti__add_change(out, row->interval.high - 1);
    eti__buffer_add_char(out, ')');
    add_p(out, gate, check);
    eti__buffer_printf(out, ", %zu and %zu %s", pair->n_base, pair->n_new, unit_of_evidence(gate));
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

void eti__gate_add_allowance(eti_buffer *out, const eti_allowance *allowance) {
    eti__buffer_printf(out, "%s%s%.*s (%.*s: %.*s)",
                       allowance->is_expired ? "was allowed" : "allowed",
                       allowance->expires.data ? " until " : "", ETI_TEXT_ARGS(allowance->expires),
                       ETI_TEXT_ARGS(allowance->origin), ETI_TEXT_ARGS(allowance->reason));
}

static void add_measurement(eti_buffer *out, const eti_gate *gate, const eti_check *check) {
    const eti_gate_rule *rule = &gate->rules.rules[check->rule];
    add_name(out, gate, check->row, rule->scope == ETI_GATE_OP);
    eti__buffer_add_string(out, ": ");
    add_times(out, gate, check);
    if (rule->kind == ETI_GATE_ABSOLUTE)
        add_limit(out, gate, check);
    else
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
        eti__gate_add_allowance(out, check->allowance);
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
        {reach->n_rest, of_rest[rule->scope]},
    };
    eti__buffer_add_string(out, "nothing to check");
    eti__add_reasons(out, ": ", reasons, sizeof reasons / sizeof *reasons);
    if (reach->n_one_side + reach->n_rest > 0)
        eti__gate_add_lacking_record(out, rule, judgement->diff, false);
}

/* Appends the reason for limits: the measured time lies above the limit, but may do so by chance. */
static void add_unsure(eti_buffer *out, const eti_rule_judgement *judgement) {
    size_t n = judgement->checks[ETI_FINDING_UNDECIDED];
    eti__buffer_printf(out,
                       "cannot tell: %zu of %zu checks %s measured above the limit, but the files "
                       "differ too much to be sure",
                       n, n + judgement->checks[ETI_FINDING_PASSED], n == 1 ? "was" : "were");
}

static void add_hidden(eti_buffer *out, const eti_gate *gate, const eti_rule_judgement *judgement) {
    eti__buffer_add_string(out, "cannot tell: only ");
    eti__add_change(out, judgement->detectable);
    eti__buffer_add_string(out, judgement->n_family > 1
                                    ? " would have been detected in half of the checks, but "
                                    : " would have been detected, but ");
    eti__add_change(out, judgement->wanted);
    if (judgement->files_needed >= ETI_TOO_MANY_FILES)
        eti__buffer_printf(out, " is required; more %s would not help", unit_of_evidence(gate));
    else
        eti__buffer_printf(out, " is required; about %zu %s per side are needed",
                           judgement->files_needed, unit_of_evidence(gate));
}

/* Returns the changes that could have been found, from the rules about totals and events; other evidence is that of
 * diff. */
eti_evidence eti__gate_evidence(const eti_gate *gate) {
    eti_evidence evidence = eti__diff_evidence(gate->diffs[0]);
    evidence.n_needed = 0;
    evidence.is_raised = false; /* each rule requires another share, which its message names */
    for (size_t i = gate->rules.n; i-- > 0;) {
        const eti_rule_judgement *judgement = &gate->judgements[i];
        eti_gate_scope scope = gate->rules.rules[i].scope;
        if (scope == ETI_GATE_TOTAL && !isnan(judgement->detectable))
            evidence.total_detectable = judgement->detectable;
        if (scope == ETI_GATE_OP && !isnan(judgement->detectable))
            evidence.event_detectable = judgement->detectable;
        if (judgement->outcome == ETI_RULE_CANNOT_TELL &&
            judgement->files_needed > evidence.n_needed)
            evidence.n_needed = judgement->files_needed;
    }
    return evidence;
}

#define CUT_SHORT "undecided: a command failed before the measurement was complete"

void eti__gate_add_rule_message(eti_buffer *out, const eti_gate *gate, const eti_evidence *evidence,
                                size_t rule) {
    const eti_rule_judgement *judgement = &gate->judgements[rule];
    switch (judgement->outcome) {
    case ETI_RULE_FEW_FILES:
        eti__buffer_add_string(out, "cannot tell: ");
        eti__add_doubt(out, evidence);
        break;
    case ETI_RULE_CANNOT_TELL:
        if (gate->rules.rules[rule].kind == ETI_GATE_ABSOLUTE)
            add_unsure(out, judgement);
        else
            add_hidden(out, gate, judgement);
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
    eti__buffer_printf(out, ", above %.15g %s", rule->limit,
                       rule->scope == ETI_GATE_ALLOCATION ? "bytes"
                                                          : eti_time_scale_name(rule->unit));
}

/* Names each item once, even if it fails several rules. */
static void add_failures(eti_buffer *out, const eti_gate *gate, eti_finding_kind kind) {
    const eti_diff_row *named[MOST_NAMED];
    size_t n_named = 0, n_more = 0;
    for (size_t i = 0; i < gate->n_checks; i++) {
        const eti_check *check = &gate->checks[i];
        bool is_new = check->finding == kind;
        for (size_t k = 0; k < n_named && is_new; k++)
            is_new = named[k]->pair != check->row->pair ||
                     named[k]->new_side.entry != check->row->new_side.entry ||
                     !eti__text_equal(named[k]->name, check->row->name);
        if (!is_new || n_named == MOST_NAMED) {
            n_more += is_new;
            continue;
        }
        eti__buffer_add_string(out, n_named > 0 ? ", " : "");
        add_failure(out, gate, check);
        named[n_named++] = check->row;
    }
    if (n_more > 0)
        eti__buffer_printf(out, " and %zu more", n_more);
}

const eti_diff_row *eti__gate_total(const eti_gate *gate) {
    const eti_diff *diff = gate->diffs[0];
    const eti_diff_row *found = NULL;
    for (size_t i = 0; i < diff->totals.n; i++) {
        const eti_diff_row *row = &diff->totals.rows[i];
        if (row->kind == ETI_ENTRY_EXECUTE && !isnan(row->raw_ratio) &&
            (!found || row->new_side.location > found->new_side.location))
            found = row;
    }
    return found;
}

/* Appends nothing if the times are locations, or p50 because there are no locations. */
static void add_metric(eti_buffer *out, const eti_diff *diff) {
    if (diff->metric != ETI_METRIC_LOCATION && diff->metric != ETI_METRIC_P50)
        eti__buffer_printf(out, " %s", eti__gate_metric_name(diff->metric));
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
    eti__add_change(out, total->raw_ratio - 1);
}

/* Returns whether the sentence names the total as failed. */
static bool fails_by_total(const eti_gate *gate) {
    for (size_t i = 0; i < gate->n_checks; i++) {
        if (gate->checks[i].finding == ETI_FINDING_FAILED &&
            gate->checks[i].row->kind == ETI_ENTRY_EXECUTE)
            return true;
    }
    return false;
}

static bool has_comparison(const eti_gate *gate) {
    for (size_t i = 0; i < gate->rules.n; i++) {
        const eti_gate_rule *rule = &gate->rules.rules[i];
        if (rule->kind != ETI_GATE_ABSOLUTE && rule->scope != ETI_GATE_PROGRAM)
            return true;
    }
    return false;
}

static void add_passed(eti_buffer *out, const eti_gate *gate, const eti_evidence *evidence) {
    bool has_allowed = false;
    for (size_t i = 0; i < gate->n_checks; i++)
        has_allowed = has_allowed || gate->checks[i].finding == ETI_FINDING_ALLOWED;
    eti__buffer_add_string(out, "passed: ");
    if (has_allowed) {
        eti__buffer_add_string(out, has_comparison(gate) ? "slower, but allowed: "
                                                         : "above its limit, but allowed: ");
        add_failures(out, gate, ETI_FINDING_ALLOWED);
        eti__buffer_add_string(out, "; ");
    }
    if (!has_comparison(gate)) {
        eti__buffer_add_string(out, has_allowed ? "nothing else is above its limit"
                                                : "nothing is above its limit");
    } else {
        eti__buffer_printf(out, "nothing%s checked is slower by more than its limit; ",
                           has_allowed ? " else" : "");
        eti__add_detectable(out, evidence);
        eti__buffer_add_string(out, "; ");
        eti__add_units(out, evidence);
    }
}

/* Numbers of undecided rules, by reason. */
typedef struct doubts {
    size_t n_few_files;
    size_t n_events; /* about events or the total, which the evidence describes */
    size_t n_others; /* about anything else */
    size_t n_limits; /* measured above the limit, but without certainty */
    size_t n_unlike;
    size_t n_empty;
} doubts;

static doubts count_doubts(const eti_gate *gate) {
    doubts n = {0};
    for (size_t i = 0; i < gate->rules.n; i++) {
        const eti_gate_rule *rule = &gate->rules.rules[i];
        eti_rule_outcome outcome = gate->judgements[i].outcome;
        n.n_few_files += outcome == ETI_RULE_FEW_FILES;
        n.n_empty += outcome == ETI_RULE_NOTHING;
        n.n_unlike += outcome == ETI_RULE_UNLIKE;
        if (outcome != ETI_RULE_CANNOT_TELL)
            continue;
        if (rule->kind == ETI_GATE_ABSOLUTE)
            n.n_limits++;
        else if (rule->scope == ETI_GATE_OP || rule->scope == ETI_GATE_TOTAL)
            n.n_events++;
        else
            n.n_others++;
    }
    return n;
}

/* Appends why the sides are not alike, for the first rule that does not pass because of that. */
static void add_unlike(eti_buffer *out, const eti_gate *gate) {
    size_t first = 0;
    while (gate->judgements[first].outcome != ETI_RULE_UNLIKE)
        first++;
    eti__gate_add_unlike(out, gate, first);
}

/* Appends why nothing is decided; too few files and too much noise take precedence over rules without checks. */
static void add_undecided(eti_buffer *out, const eti_gate *gate, const eti_evidence *evidence) {
    doubts n = count_doubts(gate);
    if (gate->options.is_cut_short) {
        eti__buffer_add_string(out, CUT_SHORT);
        return;
    }
    eti__buffer_add_string(out, "cannot tell: ");
    if (n.n_few_files + n.n_events > 0)
        eti__add_doubt(out, evidence);
    else if (n.n_others > 0)
        eti__buffer_printf(out, "files differ too much for %zu of %zu rules", n.n_others,
                           gate->rules.n);
    else if (n.n_limits > 0)
        eti__buffer_printf(out, "%zu of %zu limits may be exceeded or not: files differ too much",
                           n.n_limits, gate->rules.n);
    else if (n.n_unlike > 0)
        add_unlike(out, gate);
    else
        eti__buffer_printf(out, "there is nothing to check for %zu of %zu rules", n.n_empty,
                           gate->rules.n);
}

void eti__gate_add_headline(eti_buffer *out, const eti_gate *gate, const eti_evidence *evidence) {
    switch (gate->outcome) {
    case ETI_GATE_FAILED:
        eti__buffer_add_string(out, "failed: ");
        add_failures(out, gate, ETI_FINDING_FAILED);
        if (has_comparison(gate)) {
            eti__buffer_add_string(out, "; ");
            eti__add_units(out, evidence);
        }
        break;
    case ETI_GATE_PASSED:
        add_passed(out, gate, evidence);
        break;
    case ETI_GATE_UNDECIDED:
        add_undecided(out, gate, evidence);
        break;
    }
    if (!fails_by_total(gate))
        add_total(out, gate);
}
