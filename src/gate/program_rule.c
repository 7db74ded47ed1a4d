/*
 * program_rule.c - applies a rule about a figure of the program: an exact number, which needs no statistics.
 */
#include "gate/parts.h"

#include <math.h>

/* A figure on both sides; NaN if unknown. */
typedef struct figure_pair {
    double base, new_side;
} figure_pair;

static eti_status find_figure(const eti_profile *profile, eti_figure figure, double *out,
                              eti_error *err) {
    eti_figures figures;
    bool are_known;
    ETI_TRY(eti__profile_find_figures(&figures, &are_known, profile, err));
    *out = are_known && figures.are_known[figure] ? (double)figures.values[figure] : (double)NAN;
    return ETI_OK;
}

static eti_status find_pair(const eti_gate *gate, const eti_gate_rule *rule, figure_pair *out,
                            eti_error *err) {
    out->base = (double)NAN;
    ETI_TRY(find_figure(gate->new_side, rule->figure, &out->new_side, err));
    if (isnan(out->new_side))
        return eti_fail(err, ETI_ERROR_USAGE,
                        "the rule %.*s applies to a program, but the new side has none: give its "
                        ".pte after the ETDump",
                        ETI_TEXT_ARGS(rule->text));
    if (gate->has_base)
        ETI_TRY(find_figure(gate->base, rule->figure, &out->base, err));
    if (rule->kind == ETI_GATE_ABSOLUTE || !isnan(out->base))
        return ETI_OK;
    return eti_fail(err, ETI_ERROR_USAGE,
                    "the rule %.*s compares with a base, but %s: give its .pte, or a baseline that "
                    "was saved with it",
                    ETI_TEXT_ARGS(rule->text),
                    gate->has_base ? "the base has no program" : "there is no base");
}

static bool is_broken(const eti_gate_rule *rule, const figure_pair *of) {
    switch (rule->kind) {
    case ETI_GATE_RELATIVE:
        return of->new_side > of->base + of->base * rule->limit;
    case ETI_GATE_DIFFERENCE:
        return of->new_side > of->base + rule->limit;
    default:
        return of->new_side > rule->limit;
    }
}

/* Returns the row of a figure, which belongs to no block, or NULL if memory runs out. */
static const eti_diff_row *make_row(eti_gate *gate, const eti_gate_rule *rule,
                                    const figure_pair *of) {
    eti_diff_row *row = eti__arena_alloc_zero(&gate->arena, 1, sizeof *row);
    if (!row)
        return NULL;
    row->name = eti__text_of(eti__figure_names[rule->figure]);
    row->block = eti__text_of("program");
    row->kind = ETI_ENTRY_EVENT;
    row->pair = ETI_NO_PAIR;
    row->base.location = row->base.p50 = of->base;
    row->new_side.location = row->new_side.p50 = of->new_side;
    row->base.share = row->new_side.share = (double)NAN;
    row->raw_ratio = row->ratio = of->base > 0 ? of->new_side / of->base : (double)NAN;
    row->delta = of->new_side - of->base;
    row->impact = (double)NAN;
    return row;
}

static void judge(eti_gate *gate, eti_check *check, eti_rule_judgement *out, bool failed) {
    eti_finding_kind finding =
        eti__gate_set_finding(gate, check, failed ? ETI_FINDING_FAILED : ETI_FINDING_PASSED);
    out->reach.n_fit = 1;
    out->outcome = finding == ETI_FINDING_FAILED    ? ETI_RULE_FAILED
                   : finding == ETI_FINDING_ALLOWED ? ETI_RULE_ALLOWED
                                                    : ETI_RULE_PASSED;
}

eti_status eti__gate_apply_figure(eti_gate *gate, uint32_t number, eti_error *err) {
    const eti_gate_rule *rule = &gate->rules.rules[number];
    figure_pair of;
    ETI_TRY(find_pair(gate, rule, &of, err));
    const eti_diff_row *row = make_row(gate, rule, &of);
    if (!row || !ETI_GROW(gate->checks, gate->check_capacity, gate->n_checks + 1))
        return eti_fail_memory(err);
    eti_check *check = &gate->checks[gate->n_checks++];
    *check = (eti_check){.rule = number,
                         .row = row,
                         .base = of.base,
                         .new_side = of.new_side,
                         .p = 1,
                         .detectable = (double)NAN,
                         .wanted = (double)NAN};
    judge(gate, check, &gate->judgements[number], is_broken(rule, &of));
    return ETI_OK;
}

/* ---- messages -------------------------------------------------------------------------------- */

static const char *unit_of(eti_figure figure) {
    return eti__figure_is_count(figure) ? "" : " bytes";
}

void eti__gate_add_figures(eti_buffer *out, const eti_gate_rule *rule, const eti_check *check) {
    eti__buffer_add_text(out, check->row->name);
    if (rule->kind != ETI_GATE_ABSOLUTE) {
        eti__buffer_printf(out, " %.15g -> %.15g%s", check->base, check->new_side,
                           unit_of(rule->figure));
        if (isfinite(check->row->raw_ratio)) {
            eti__buffer_add_string(out, ", ");
            eti__add_change(out, check->row->raw_ratio - 1);
        }
        return;
    }
    eti__buffer_printf(out, " is %.15g%s", check->new_side, unit_of(rule->figure));
    if (check->new_side > rule->limit)
        eti__buffer_printf(out, ", above %.15g", rule->limit);
}
