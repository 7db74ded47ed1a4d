/*
 * gate_judge.c - applies a rule to each row in its scope.
 */
#include "base/array.h"
#include "base/glob.h"
#include "gate/gate.h"
#include "stats/holm.h"
#include "stats/order.h"
#include "stats/summary.h"
#include "stats/timescale.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A rule at work. */
typedef struct judging {
    eti_gate *gate;
    const eti_gate_rule *rule;
    const eti_diff *diff;
    double limit, min_effect; /* in the target scale, except a share */
    size_t first;             /* of the rule's checks */
    double *scratch;
    size_t scratch_capacity;
} judging;

/* ---- what a rule is about -------------------------------------------------------------------- */

static const char *const groups[ETI_N_GATE_DIFFS] = {NULL, "module", "backend", "source"};

static eti_entry_kind total_of(eti_gate_scope scope) {
    switch (scope) {
    case ETI_GATE_OPERATORS:
        return ETI_ENTRY_OPERATORS;
    case ETI_GATE_DELEGATES:
        return ETI_ENTRY_DELEGATES;
    case ETI_GATE_FRAMEWORK:
        return ETI_ENTRY_FRAMEWORK;
    case ETI_GATE_LOADING:
        return ETI_ENTRY_LOADING;
    case ETI_GATE_ALLOCATION:
        return ETI_ENTRY_ALLOCATED;
    default:
        return ETI_ENTRY_EXECUTE;
    }
}

/* Comparisons are made when the first rule needs them; any has totals and events. */
static eti_status find_diff(judging *j, eti_error *err) {
    eti_gate *gate = j->gate;
    size_t number = j->rule->scope < ETI_GATE_TOTAL ? (size_t)j->rule->scope : 0;
    for (size_t i = 0; i < ETI_N_GATE_DIFFS && number == 0; i++)
        number = gate->has_diff[i] ? i : 0;
    j->diff = &gate->diffs[number];
    if (gate->has_diff[number])
        return ETI_OK;
    eti_diff_options options = gate->options.diff;
    options.group = groups[number];
    gate->has_diff[number] = true;
    return eti__diff_make(&gate->diffs[number], gate->diffs[0].base, gate->diffs[0].new_side,
                          &options, err);
}

static const eti_diff_rows *rows_of(const judging *j) {
    if (j->rule->scope == ETI_GATE_ALLOCATION)
        return &j->diff->allocated;
    if (j->rule->scope >= ETI_GATE_TOTAL)
        return &j->diff->totals;
    return j->rule->scope == ETI_GATE_OP ? &j->diff->events : &j->diff->groups;
}

static bool fits(eti_text pattern, const eti_diff_row *row) {
    const eti_entry *entry = row->new_side.entry ? row->new_side.entry : row->base.entry;
    return eti__glob_match(pattern, row->name) || (entry && eti__glob_match(pattern, entry->op));
}

static bool is_about(const judging *j, const eti_diff_row *row) {
    const eti_gate_rule *rule = j->rule;
    double share = fmax(row->base.share, row->new_side.share);
    if (row->new_side.n_events == 0 || (rule->kind != ETI_GATE_ABSOLUTE && row->base.n_events == 0))
        return false;
    if (rule->scope >= ETI_GATE_TOTAL)
        return row->kind == total_of(rule->scope);
    return !(share < rule->min_share) && (!rule->pattern.data || fits(rule->pattern, row));
}

/* ---- numbers --------------------------------------------------------------------------------- */

static bool add_check(judging *j, uint32_t rule, const eti_diff_row *row) {
    eti_gate *gate = j->gate;
    if (!ETI_GROW(gate->checks, gate->check_capacity, gate->n_checks + 1))
        return false;
    eti_check *check = &gate->checks[gate->n_checks];
    *check = (eti_check){.rule = rule, .row = row, .ratio = (double)NAN};
    check->has_p = row->is_compared;
    check->p = row->change.p;
    check->base = row->base.location;
    check->new_side = row->new_side.location;
    gate->n_checks++;
    return true;
}

/* Adjusts the p-values of the rule's checks, which are one family. */
static bool adjust(judging *j) {
    size_t n = j->gate->n_checks - j->first, n_family = 0;
    if (n == 0)
        return true;
    eti_check *checks = j->gate->checks + j->first;
    double *p = malloc(3 * n * sizeof *p);
    if (!p)
        return false;
    for (size_t i = 0; i < n; i++) {
        if (checks[i].has_p)
            p[n_family++] = checks[i].p;
    }
    eti__holm_adjust(p, n_family, p + n);
    for (size_t i = 0, k = 0; i < n; i++) {
        checks[i].n_family = n_family;
        if (checks[i].has_p)
            checks[i].p = p[k++];
    }
    free(p);
    return true;
}

/* ---- findings -------------------------------------------------------------------------------- */

static eti_finding_kind judge_absolute(const judging *j, eti_check *check) {
    check->n_needed = j->diff->fewest;
    return ETI_FINDING_TOO_FEW;
}

static eti_finding_kind judge_comparison(const judging *j, eti_check *check) {
    check->n_needed = j->diff->fewest;
    if (!check->has_p)
        return ETI_FINDING_TOO_FEW;
    check->ratio = check->row->ratio;
    return eti__verdict_on(&check->row->change, check->p, j->gate->options.diff.alpha / 2,
                           j->rule->limit) == ETI_VERDICT_SLOWER
               ? ETI_FINDING_FAILED
               : ETI_FINDING_PASSED;
}

/* The entry that counts: one that has not expired, else one that has. */
static void find_allowance(const judging *j, eti_check *check) {
    const eti_diff_row *row = check->row;
    const eti_allowances *list = &j->gate->allowances;
    const eti_entry *entry = row->new_side.entry;
    eti_text scope = {NULL, 0};
    if (j->rule->scope >= ETI_GATE_TOTAL)
        scope = eti__text_of(eti__gate_scope_name(j->rule->scope));
    for (size_t i = 0; i < list->n; i++) {
        eti_allowance *allowance = &list->entries[i];
        if (!fits(allowance->pattern, row) && !eti__glob_match(allowance->pattern, scope) &&
            !(entry && eti__glob_match(allowance->pattern, entry->module)))
            continue;
        allowance->n_used++;
        if (!check->allowance || (check->allowance->is_expired && !allowance->is_expired))
            check->allowance = allowance;
    }
}

static void judge(judging *j, uint32_t rule) {
    for (size_t i = j->first; i < j->gate->n_checks; i++) {
        eti_check *check = &j->gate->checks[i];
        eti_finding_kind finding = j->rule->kind == ETI_GATE_ABSOLUTE ? judge_absolute(j, check)
                                                                      : judge_comparison(j, check);
        if (finding == ETI_FINDING_FAILED)
            find_allowance(j, check);
        if (check->allowance && !check->allowance->is_expired)
            finding = ETI_FINDING_ALLOWED;
        check->finding = (uint8_t)finding;
        j->gate->counts[rule].checks[finding]++;
    }
}

/* ---- a rule ---------------------------------------------------------------------------------- */

static eti_status convert(const judging *j, double value, eti_time_scale unit, double *out,
                          eti_error *err) {
    const struct eti_profile *profile = j->diff->new_side;
    *out = value;
    if (value == 0 || j->rule->scope == ETI_GATE_ALLOCATION)
        return ETI_OK;
    if (!eti__time_scales_fit(unit, profile->target_scale, profile->clock_hz))
        return eti_fail(err, ETI_ERROR_USAGE, "the rule %.*s is in %s, but times are in %s",
                        ETI_TEXT_ARGS(j->rule->text), eti_time_scale_name(unit),
                        eti_time_scale_name(profile->target_scale));
    *out = value / eti__time_scale_factor(unit, profile->target_scale, profile->clock_hz);
    return ETI_OK;
}

eti_status eti__gate_apply(eti_gate *gate, uint32_t rule, eti_error *err) {
    judging j = {.gate = gate, .rule = &gate->rules.rules[rule], .first = gate->n_checks};
    ETI_TRY(find_diff(&j, err));
    ETI_TRY(convert(&j, j.rule->min_effect, j.rule->effect_unit, &j.min_effect, err));
    j.limit = j.rule->limit;
    if (j.rule->kind != ETI_GATE_RELATIVE)
        ETI_TRY(convert(&j, j.rule->limit, j.rule->unit, &j.limit, err));
    const eti_diff_rows *rows = rows_of(&j);
    bool done = true;
    for (size_t i = 0; i < rows->n && done; i++)
        done = !is_about(&j, &rows->rows[i]) || add_check(&j, rule, &rows->rows[i]);
    done = done && adjust(&j);
    free(j.scratch);
    if (!done)
        return eti_fail_memory(err);
    judge(&j, rule);
    return ETI_OK;
}
