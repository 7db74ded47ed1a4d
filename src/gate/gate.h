/*
 * gate.h - turns a comparison and rules into checks: the outcome of each rule for each row in its
 * scope.
 *
 * Rules share alpha in equal parts. The checks of a rule are one family of tests: their p-values
 * are adjusted by Holm's method. Levels, the prior of the variances and the selection of large
 * enough rows are those of the same rule without its pattern; the pattern only selects from the
 * results.
 * - A comparison (+5%, +20us) fails if the new side is slower by the test of stats/change.h, by at
 *   least the limit and min_effect. A rule about the p50 is judged by the location of
 *   stats/stats.h, any other rule by its own metric. With fewer files than a verdict needs, the
 *   rule is undecided. If nothing is slower, the rule passes only if a relevant change would have
 *   been found in its median check, see judge.c, and if the sides are alike, see unlike.c.
 * - A limit (20us) concerns the new side only. It fails if the new side lies above it by more than
 *   its files scatter; with fewer files than a verdict needs, it fails if their median lies above
 *   it.
 */
#ifndef ETI_GATE_GATE_H
#define ETI_GATE_GATE_H

#include "base/arena.h"
#include "compare/compare.h"
#include "gate/files.h"
#include "gate/options.h"
#include "gate/result.h"
#include "profile/profile.h"
#include "stats/stats.h"
#include "table/table.h"

typedef struct eti_check {
    uint32_t rule;   /* index into gate->rules */
    uint8_t finding; /* an eti_finding_kind */
    bool is_tested;  /* change and p are set */
    const eti_diff_row *row;
    /* matching entry of the list of exceptions, or NULL; for a failed check, an expired one */
    const eti_allowance *allowance;
    double base, new_side;     /* judged numbers, in the target scale; NaN if unknown */
    double least_effect;       /* smallest change that the rule forbids, as a share */
    eti_change change;         /* for a limit: change from the limit to the new side */
    double p;                  /* p-value adjusted by Holm's method */
    double detectable, wanted; /* see eti_rule_findings; NaN if it is not compared */
} eti_check;

typedef enum eti_unlike_kind {
    ETI_ALIKE,
    ETI_UNLIKE_BLOCKS,  /* only the base has the block */
    ETI_UNLIKE_EVENTS,  /* the sides have little in common */
    ETI_UNLIKE_WARM_UP, /* warm-up took many more runs of the new side */
} eti_unlike_kind;

/* Reason why a rule that is not broken does not pass. */
typedef struct eti_unlike {
    eti_unlike_kind kind;
    const eti_diff_pair *pair; /* the blocks; NULL if the sides are alike */
    /* shares of each side: of the time that the sides share, or of the runs that warm-up took */
    double base, new_side;
} eti_unlike;

typedef struct eti_rule_judgement {
    eti_rule_outcome outcome;
    const eti_diff *diff; /* comparison that the rule is about */
    eti_rule_reach reach;
    size_t checks[ETI_N_FINDING_KINDS];
    size_t n_family; /* number of checks that were tested together */
    double alpha;    /* alpha of the rule */
    double detectable, wanted;
    size_t files_needed;
    eti_unlike unlike; /* for ETI_RULE_UNLIKE */
} eti_rule_judgement;

/* Borrows from both profiles. */
typedef struct eti_gate {
    eti_gate_options options;
    const struct eti_profile *base, *new_side;
    bool has_base;     /* false: `base` is the new side, and all rules are limits */
    bool names_blocks; /* the new side has several blocks, so rows are named with theirs */
    eti_arena arena;
    eti_gate_rules rules;
    eti_rule_judgement *judgements; /* per rule */
    eti_allowances allowances;
    eti_diff **diffs; /* one for each combination of grouping, metric and min_share in the rules */
    size_t n_diffs, diff_capacity;
    eti_check *checks; /* by finding, then by the size of their effect on the whole */
    size_t n_checks, check_capacity;
    eti_gate_coverage coverage;
    eti_gate_outcome outcome;
} eti_gate;

/* Makes a gate. Fails with ETI_ERROR_USAGE, ETI_ERROR_READ, ETI_ERROR_MALFORMED, ETI_ERROR_LIMIT, ETI_ERROR_DATA or
 * ETI_ERROR_MEMORY. The caller frees `out` in any case. `options` are not copied and must live as long as the gate.
 * If all rules are limits, `base` may be NULL. */
eti_status eti__gate_make(eti_gate *out, const struct eti_profile *base,
                          const struct eti_profile *new_side, const eti_gate_options *options,
                          eti_error *err) ETI_WARN_UNUSED;
void eti__gate_free(eti_gate *gate);

/* judge.c: adds the checks of rule number `rule`, and judges it. Fails with ETI_ERROR_USAGE if its unit does not
 * convert, it matches nothing, or the comparison cannot be made; with ETI_ERROR_LIMIT if there are too many
 * comparisons; or with ETI_ERROR_DATA or ETI_ERROR_MEMORY. */
eti_status eti__gate_apply(eti_gate *gate, uint32_t rule, eti_error *err) ETI_WARN_UNUSED;

/* Checks the syntax of a rule. Fails with ETI_ERROR_USAGE, with the position of the error in err->position, or with
 * ETI_ERROR_MEMORY. */
eti_status eti__gate_check_rule(const char *rule, eti_error *err) ETI_WARN_UNUSED;

/* Implements the function of etinspect.h; `options` may be NULL. */
eti_status eti__gate_report(eti_report **out, eti_gate_outcome *outcome, const eti_profile *base,
                            const eti_profile *new_side, const eti_gate_options *options,
                            eti_error *err) ETI_WARN_UNUSED;

#endif
