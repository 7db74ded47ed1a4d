/*
 * gate.h - turns a comparison and rules into checks: the outcome of each rule for each entry in its scope.
 *
 * What a rule looks at is one family of tests: its p-values are adjusted by Holm's method among themselves, after what is
 * below min_share was left out, by the larger share of both sides, which does not know which side is which.
 *
 * - Relative rules and differences fail where the new side is slower by the test of diff.h, its interval lies above 1, and
 *   the metric is larger by the limit and min_effect. The p50 is compared as diff.h does, paced or not; other metrics as
 *   measured.
 * - Absolute rules about p50 and p90 fail where that is above the limit by more than chance; avg, min and max
 *   are taken as measured, of as many samples as the p50 would need.
 * - With so few samples that no result could fail it, or without samples, a check is not passed but undecided.
 */
#ifndef ETI_GATE_GATE_H
#define ETI_GATE_GATE_H

#include "compare/diff.h"
#include "gate/files.h"
#include "gate/options.h"
#include "gate/result.h"

typedef struct eti_check {
    uint32_t rule;   /* number of gate->rules */
    uint8_t finding; /* an eti_finding_kind */
    bool has_p;
    bool is_spared; /* it would have failed, did the files of a side agree */
    const eti_diff_row *row;
    const eti_allowance *allowance; /* that it is on; NULL: none. Of a failed one: expired */
    double base, new_side;          /* the metric as measured; NaN: unknown */
    double ratio;                   /* that the rule was applied to; NaN where it is absolute */
    double p;                       /* adjusted */
    size_t n_family;
    size_t n_needed; /* samples a side */
} eti_check;

typedef struct eti_gate_count {
    size_t checks[ETI_N_FINDING_KINDS];
} eti_gate_count;

#define ETI_N_GATE_DIFFS 4 /* without groups, and by module, backend and source */

/* Borrows from both profiles. */
typedef struct eti_gate {
    eti_gate_options options;
    eti_arena arena;
    eti_gate_rules rules;
    eti_gate_count *counts; /* per rule */
    eti_allowances allowances;
    eti_diff diffs[ETI_N_GATE_DIFFS];
    bool has_diff[ETI_N_GATE_DIFFS];
    eti_check *checks; /* failed ones first, then by the size of their effect on the whole */
    size_t n_checks, check_capacity;
    eti_gate_outcome outcome;
} eti_gate;

/* ETI_ERROR_USAGE, ETI_ERROR_READ, ETI_ERROR_MALFORMED, ETI_ERROR_LIMIT, ETI_ERROR_DATA; ETI_ERROR_MEMORY. To be freed in
 * any case. `options` are not copied: they must live as long. */
eti_status eti__gate_make(eti_gate *out, const struct eti_profile *base,
                          const struct eti_profile *new_side, const eti_gate_options *options,
                          eti_error *err) ETI_WARN_UNUSED;
void eti__gate_free(eti_gate *gate);

/* gate_judge.c: adds the checks of rule number `rule`. ETI_ERROR_USAGE: its unit does not convert; ETI_ERROR_MEMORY. */
eti_status eti__gate_apply(eti_gate *gate, uint32_t rule, eti_error *err) ETI_WARN_UNUSED;

/* Whether the rule can be read; err->position says where not. ETI_ERROR_USAGE; ETI_ERROR_MEMORY. */
eti_status eti__gate_check_rule(const char *rule, eti_error *err) ETI_WARN_UNUSED;
/* The function of etinspect.h; `options` may be NULL. */
eti_status eti__gate_report(eti_report **out, eti_report **not_passed, eti_gate_outcome *outcome,
                            const eti_profile *base, const eti_profile *new_side,
                            const eti_gate_options *options, eti_error *err) ETI_WARN_UNUSED;

#endif
