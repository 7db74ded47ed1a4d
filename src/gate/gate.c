#include "gate/gate.h"

#include "base/array.h"
#include "base/double.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Times a rule or a pattern is held against a name. */
#define MOST_WORK ((uint64_t)1 << 28)

eti_status eti__gate_check_rule(const char *rule, eti_error *err) {
    eti_arena arena = {0};
    eti_gate_rule parsed;
    eti_status status = eti__gate_rule_parse(&parsed, &arena, eti__text_of(rule), err);
    eti__arena_free(&arena);
    return status;
}

/* ---- rules ----------------------------------------------------------------------------------- */

static eti_status add_rules(eti_gate *gate, const char *const *rules, size_t n, eti_error *err) {
    for (size_t i = 0; i < n; i++) {
        eti_gate_rules *list = &gate->rules;
        if (!ETI_GROW(list->rules, list->capacity, list->n + 1))
            return eti_fail_memory(err);
        ETI_TRY(
            eti__gate_rule_parse(&list->rules[list->n], &gate->arena, eti__text_of(rules[i]), err));
        list->n++;
    }
    return ETI_OK;
}

static eti_status add_default_rules(eti_gate *gate, eti_error *err) {
    char percent[ETI_DOUBLE_TEXT_MAX], of_ops[64], of_total[64];
    const char *const rules[] = {of_ops, of_total};
    eti__double_general(percent, gate->options.diff.least_effect * 100);
    snprintf(of_ops, sizeof of_ops, "op:p50>+%s%%", percent);
    snprintf(of_total, sizeof of_total, "total:p50>+%s%%", percent);
    return add_rules(gate, rules, 2, err);
}

static eti_status read_rules(eti_gate *gate, eti_error *err) {
    const eti_gate_options *options = &gate->options;
    char today[11];
    ETI_TRY(add_rules(gate, options->rules, options->n_rules, err));
    for (size_t i = 0; i < options->n_budgets; i++)
        ETI_TRY(eti__gate_read_budgets(&gate->rules, &gate->arena, &options->budgets[i], err));
    if (options->n_rules == 0 && options->n_budgets == 0)
        ETI_TRY(add_default_rules(gate, err));
    if (gate->rules.n == 0)
        return eti_fail(
            err, ETI_ERROR_DATA,
            "%s: has no rule below the names of its columns, and none was given besides",
            options->budgets[0].path ? options->budgets[0].path : "(memory)");
    eti__day_of(options->now, today);
    for (size_t i = 0; i < options->n_allowed; i++)
        ETI_TRY(eti__gate_read_allowances(&gate->allowances, &gate->arena, &options->allowed[i],
                                          today, err));
    return ETI_OK;
}

/* Many rules on many events are more than anybody means. */
static eti_status check_work(const eti_gate *gate, eti_error *err) {
    const eti_diff *diff = &gate->diffs[0];
    uint64_t n_entries = 1;
    for (size_t i = 0; i < diff->new_side->n_blocks; i++)
        n_entries += diff->new_side->blocks[i].n_entries;
    uint64_t n = (uint64_t)gate->rules.n * (gate->allowances.n + 1);
    if (n > MOST_WORK / n_entries)
        return eti_fail(err, ETI_ERROR_LIMIT,
                        "%zu rules and %zu allowed regressions are too many for %llu events",
                        gate->rules.n, gate->allowances.n, (unsigned long long)n_entries - 1);
    return ETI_OK;
}

/* ---- all of them ----------------------------------------------------------------------------- */

static int compare_checks(const void *a, const void *b) {
    const eti_check *x = a, *y = b;
    if (x->finding != y->finding)
        return x->finding < y->finding ? -1 : 1;
    double of_x = isnan(x->row->impact) ? 0 : fabs(x->row->impact);
    double of_y = isnan(y->row->impact) ? 0 : fabs(y->row->impact);
    if (of_x != of_y)
        return of_x > of_y ? -1 : 1;
    if (x->rule != y->rule)
        return x->rule < y->rule ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

/* Too few samples for one check do not hide what another one found. */
static eti_gate_outcome find_outcome(const eti_gate *gate) {
    eti_gate_outcome outcome = gate->n_checks > 0 ? ETI_GATE_PASSED : ETI_GATE_TOO_FEW;
    for (size_t i = 0; i < gate->rules.n; i++) {
        const size_t *n = gate->counts[i].checks;
        if (n[ETI_FINDING_FAILED] > 0)
            return ETI_GATE_FAILED;
        if (n[ETI_FINDING_TOO_FEW] > 0)
            outcome = ETI_GATE_TOO_FEW;
    }
    return outcome;
}

eti_status eti__gate_make(eti_gate *out, const eti_profile *base, const eti_profile *new_side,
                          const eti_gate_options *options, eti_error *err) {
    static const eti_gate_options defaults = ETI_GATE_OPTIONS_DEFAULT;
    *out = (eti_gate){.options = options ? *options : defaults};
    out->diffs[0].base = base;
    out->diffs[0].new_side = new_side;
    out->options.diff.group = NULL;
    ETI_TRY(read_rules(out, err));
    ETI_TRY(check_work(out, err));
    out->counts = eti__arena_alloc_zero(&out->arena, out->rules.n + 1, sizeof *out->counts);
    if (!out->counts)
        return eti_fail_memory(err);
    for (size_t i = 0; i < out->rules.n; i++)
        ETI_TRY(eti__gate_apply(out, (uint32_t)i, err));
    if (out->n_checks > 0)
        qsort(out->checks, out->n_checks, sizeof *out->checks, compare_checks);
    out->outcome = find_outcome(out);
    return ETI_OK;
}

void eti__gate_free(eti_gate *gate) {
    for (size_t i = 0; i < ETI_N_GATE_DIFFS; i++)
        eti__diff_free(&gate->diffs[i]);
    free(gate->rules.rules);
    free(gate->allowances.entries);
    free(gate->checks);
    eti__arena_free(&gate->arena);
    *gate = (eti_gate){0};
}
