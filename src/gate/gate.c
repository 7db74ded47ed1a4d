#include "gate/parts.h"

#include "base/intern.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ==== gate ==================================================================================== */

/* Largest number of times that rules and patterns are matched against names. */
#define MOST_WORK ((uint64_t)1 << 28)

eti_status eti__gate_check_rule(const char *rule, eti_error *err) {
    eti_arena arena = {0};
    eti_gate_rule parsed;
    eti_status status = eti__gate_rule_parse(&parsed, &arena, eti__text_of(rule), err);
    eti__arena_free(&arena);
    return status;
}

/* ---- rules ----------------------------------------------------------------------------------- */

static eti_status add_rule(eti_gate *gate, eti_text text, eti_error *err) {
    eti_gate_rules *list = &gate->rules;
    if (!ETI_GROW(list->rules, list->capacity, list->n + 1))
        return eti_fail_memory(err);
    eti_status status = eti__gate_rule_parse(&list->rules[list->n], &gate->arena, text, err);
    if (status == ETI_ERROR_USAGE)
        eti__error_prefix(err, "%sfail_on", eti__option_prefix());
    if (status == ETI_OK)
        list->n++;
    return status;
}

/* Adds the rule with this scope. */
static eti_status add_scoped_rule(eti_gate *gate, const char *scope, const char *rule,
                                  eti_error *err) {
    eti_buffer text = {0};
    eti__buffer_printf(&text, "%s:%s", scope, rule);
    eti_status status =
        text.failed ? eti_fail_memory(err) : add_rule(gate, eti__buffer_text(&text), err);
    eti__buffer_free(&text);
    return status;
}

/* Adds rules. One that compares without a scope is about events and the total. */
static eti_status add_rules(eti_gate *gate, const char *const *rules, size_t n, eti_error *err) {
    for (size_t i = 0; i < n; i++) {
        ETI_TRY(add_rule(gate, eti__text_of(rules[i]), err));
        const eti_gate_rule *added = &gate->rules.rules[gate->rules.n - 1];
        if (!added->is_unscoped || added->kind == ETI_GATE_ABSOLUTE)
            continue;
        gate->rules.n--;
        ETI_TRY(add_scoped_rule(gate, "op", rules[i], err));
        ETI_TRY(add_scoped_rule(gate, "total", rules[i], err));
    }
    return ETI_OK;
}

static eti_status add_default_rules(eti_gate *gate, eti_error *err) {
    char percent[ETI_DOUBLE_TEXT_MAX], rule[64];
    const char *const rules[] = {rule};
    eti__double_general(percent, gate->options.diff.least_effect * 100);
    snprintf(rule, sizeof rule, "%s>+%s%%", eti__metric_names[gate->options.diff.metric], percent);
    return add_rules(gate, rules, 1, err);
}

/* Sets the minimum share of the options in rules that do not state their own. */
static void set_min_shares(eti_gate *gate) {
    for (size_t i = 0; i < gate->rules.n; i++) {
        eti_gate_rule *rule = &gate->rules.rules[i];
        if (!rule->has_min_share && rule->min_share > 0)
            rule->min_share = gate->options.diff.min_share;
    }
}

static eti_status read_rules(eti_gate *gate, eti_error *err) {
    const eti_gate_options *options = &gate->options;
    char today[11];
    ETI_TRY(add_rules(gate, options->rules, options->n_rules, err));
    for (size_t i = 0; i < options->n_budgets; i++)
        ETI_TRY(eti__gate_read_budgets(&gate->rules, &gate->arena, &options->budgets[i], err));
    bool has_rules = options->n_rules + options->n_budgets > 0;
    if (!has_rules && gate->new_side->n_blocks == 0)
        return eti_fail(
            err, ETI_ERROR_USAGE,
            "%.*s is a program: give rules for its figures, such as %sfail_on 'file_size > +1%%'",
            ETI_TEXT_ARGS(gate->new_side->name), eti__option_prefix());
    if (!has_rules)
        ETI_TRY(add_default_rules(gate, err));
    if (gate->rules.n == 0)
        return eti_fail(
            err, ETI_ERROR_DATA,
            "%s: contains no rules after its header line, and no other rules were given",
            options->budgets[0].path ? options->budgets[0].path : "(memory)");
    set_min_shares(gate);
    eti__day_of(options->now, today);
    for (size_t i = 0; i < options->n_allowed; i++)
        ETI_TRY(eti__gate_read_allowances(&gate->allowances, &gate->arena, &options->allowed[i],
                                          today, err));
    return ETI_OK;
}

static uint64_t count_entries(const eti_profile *profile) {
    uint64_t n = 0;
    for (size_t i = 0; i < profile->n_blocks; i++)
        n += profile->blocks[i].n_entries;
    return n;
}

/* Rejects an excessive number of matches of rules against events, which either side may have alone. */
static eti_status check_work(const eti_gate *gate, eti_error *err) {
    uint64_t n_entries = 1 + count_entries(gate->new_side);
    if (gate->has_base)
        n_entries += count_entries(gate->base);
    uint64_t n = (uint64_t)gate->rules.n * (gate->allowances.n + 1);
    if (n > MOST_WORK / n_entries)
        return eti_fail(err, ETI_ERROR_LIMIT,
                        "%zu rules and %zu allowed regressions are too many for %llu events",
                        gate->rules.n, gate->allowances.n, (unsigned long long)n_entries - 1);
    return ETI_OK;
}

/* ---- coverage -------------------------------------------------------------------------------- */

static const eti_intern_kind by_address = {.item_size = sizeof(const eti_entry *),
                                           .key_size = sizeof(const eti_entry *)};

/* Adds up the events of the new side that a rule checked. Returns false if memory runs out. */
static bool count_coverage(eti_gate *gate) {
    const eti_diff *diff = gate->diffs[0]; /* every comparison has all events */
    ETI_INTERN_OF(const eti_entry *) known = {{0}};
    double time = 0, total = 0;
    bool done = true;
    for (size_t i = 0; i < gate->n_checks && done; i++) {
        const eti_check *check = &gate->checks[i];
        const eti_gate_rule *rule = &gate->rules.rules[check->rule];
        const eti_row_side *side = &check->row->new_side;
        size_t n_before = known.count;
        uint32_t number;
        if (rule->scope != ETI_GATE_OP || check->row->is_level ||
            !(check->is_tested || rule->kind == ETI_GATE_ABSOLUTE))
            continue;
        done = eti__intern_add(&known.table, &by_address, (const void *)&side->entry, &number);
        if (known.count > n_before && !eti__row_side_unit(side).data)
            time += side->typical;
    }
    for (size_t i = 0; i < diff->n_pairs; i++)
        total += diff->pairs[i].typical_new;
    gate->coverage.n_events = diff->events.n;
    gate->coverage.n_judged = known.count;
    gate->coverage.share = total > 0 ? fmin(1, time / total) : (double)NAN;
    eti__intern_free(&known.table);
    return done;
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* Returns the place of a check in sentences: totals, levels, then everything else. */
static int place_of(const eti_check *check) {
    const eti_diff_row *row = check->row;
    bool is_total = row->kind == ETI_ENTRY_EXECUTE && row->pair != ETI_NO_PAIR;
    return is_total ? 0 : row->is_level ? 1 : 2;
}

static int compare_checks(const void *a, const void *b) {
    const eti_check *x = a, *y = b;
    if (x->finding != y->finding)
        return x->finding < y->finding ? -1 : 1;
    if (place_of(x) != place_of(y))
        return place_of(x) < place_of(y) ? -1 : 1;
    double of_x = isnan(x->row->impact) ? 0 : fabs(x->row->impact);
    double of_y = isnan(y->row->impact) ? 0 : fabs(y->row->impact);
    if (of_x != of_y)
        return of_x > of_y ? -1 : 1;
    if (x->rule != y->rule)
        return x->rule < y->rule ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

/* Returns the outcome of all rules; an undecided rule does not hide the result of another. */
static eti_gate_outcome find_outcome(const eti_gate *gate) {
    eti_gate_outcome outcome = ETI_GATE_PASSED;
    for (size_t i = 0; i < gate->rules.n; i++) {
        eti_rule_outcome of_rule = gate->judgements[i].outcome;
        if (of_rule == ETI_RULE_FAILED)
            return ETI_GATE_FAILED;
        if (of_rule != ETI_RULE_PASSED && of_rule != ETI_RULE_ALLOWED)
            outcome = ETI_GATE_UNDECIDED;
    }
    return outcome;
}

eti_status eti__gate_make(eti_gate *out, const eti_profile *base, const eti_profile *new_side,
                          const eti_gate_options *options, eti_error *err) {
    static const eti_gate_options defaults = ETI_GATE_OPTIONS_DEFAULT;
    *out = (eti_gate){.options = options ? *options : defaults,
                      .base = base ? base : new_side,
                      .new_side = new_side,
                      .has_base = base != NULL};
    ETI_TRY(read_rules(out, err));
    ETI_TRY(check_work(out, err));
    out->judgements = eti__arena_alloc_zero(&out->arena, out->rules.n, sizeof *out->judgements);
    if (!out->judgements)
        return eti_fail_memory(err);
    for (size_t i = 0; i < out->rules.n; i++)
        ETI_TRY(eti__gate_apply(out, (uint32_t)i, err));
    out->names_blocks = out->diffs[0]->names_blocks;
    if (!count_coverage(out))
        return eti_fail_memory(err);
    if (out->n_checks > 0)
        qsort(out->checks, out->n_checks, sizeof *out->checks, compare_checks);
    out->of_times = find_outcome(out);
    out->outcome = out->options.judged.n_failed > 0 ? ETI_GATE_FAILED : out->of_times;
    return ETI_OK;
}

void eti__gate_free(eti_gate *gate) {
    for (size_t i = 0; i < gate->n_diffs; i++) {
        eti__diff_free(gate->diffs[i]);
        free(gate->diffs[i]);
    }
    free(gate->diffs);
    free(gate->rules.rules);
    free(gate->allowances.entries);
    free(gate->checks);
    eti__arena_free(&gate->arena);
    *gate = (eti_gate){0};
}

/* ==== result ================================================================================== */

const char *eti__finding_kind_name(eti_finding_kind kind) {
    static const char *const names[ETI_N_FINDING_KINDS] = {
        [ETI_FINDING_FAILED] = "failed",
        [ETI_FINDING_UNDECIDED] = "undecided",
        [ETI_FINDING_ALLOWED] = "allowed",
        [ETI_FINDING_PASSED] = "passed",
    };
    return names[kind];
}

const char *eti__rule_outcome_name(eti_rule_outcome outcome) {
    static const char *const names[ETI_N_RULE_OUTCOMES] = {
        [ETI_RULE_FAILED] = "failed",         [ETI_RULE_FEW_FILES] = "undecided",
        [ETI_RULE_CANNOT_TELL] = "undecided", [ETI_RULE_NOTHING] = "nothing to check",
        [ETI_RULE_ALLOWED] = "allowed",       [ETI_RULE_PASSED] = "passed",
        [ETI_RULE_CUT_SHORT] = "undecided",   [ETI_RULE_UNLIKE] = "undecided",
    };
    return names[outcome];
}
