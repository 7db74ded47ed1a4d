/*
 * gate.h - rules, budgets, exceptions, and judgement as typed results.
 */
#ifndef ETI_GATE_GATE_H
#define ETI_GATE_GATE_H

#include "base/arena.h"
#include "base/names.h"
#include "compare/compare.h"
#include "etinspect.h"
#include "profile/profile.h"
#include "stats/stats.h"

/* ==== rule ==================================================================================== */
/* Parses the rules of a gate.
 *
 *     rule   = [scope ":"] metric ">" limit { option } | ["program" ":"] figure ">" limit
 *     scope  = "op" | "optype" | "module" | "backend" | "source", each optionally with "=" pattern;
 *              "total" | "operators" | "delegates" | "overhead" | "framework" | "loading" | "allocation"
 *     metric = "p50" | "avg" | "p90" | "p95" | "p99" | "min" | "max" | "fast"
 *     figure = "file_size" | "arena_size" | "arena_peak" | "waste" | "constants" | "delegate_blobs" | "instructions" |
 *              "operators", all of the program
 *     limit  = "+" number "%"         exceeds the base by this share
 *            | "+" number unit        exceeds the base by this time
 *            | number unit            exceeds this time; the base does not matter
 *     option = "min_share=" number "%"        only rows with this share of the total on either side
 *            | "min_effect=" number unit      only if the excess is at least this time
 *
 * A unit is a unit of time; for allocation and figures it is B, kB, MB, GB, KiB, MiB or GiB, or
 * bytes, kib, mib or gib. The last two figures are numbers without a unit.
 *
 * Without a scope, each operator is checked. A pattern has the syntax of base/names.h and ends at the
 * last colon. Spaces are allowed between all parts. */

typedef enum eti_gate_scope {
    ETI_GATE_OP,     /* an event, by its name or its operator */
    ETI_GATE_OPTYPE, /* all events of an operator together */
    ETI_GATE_MODULE,
    ETI_GATE_BACKEND,
    ETI_GATE_SOURCE,
    ETI_GATE_TOTAL, /* first of the scopes that are totals of a profile */
    ETI_GATE_OPERATORS,
    ETI_GATE_DELEGATES,
    ETI_GATE_FRAMEWORK,
    ETI_GATE_LOADING,
    ETI_GATE_ALLOCATION, /* in bytes, not time */
    ETI_GATE_PROGRAM,    /* a figure of the program */
    ETI_N_GATE_SCOPES,
} eti_gate_scope;

typedef enum eti_gate_limit {
    ETI_GATE_RELATIVE,   /* +5% */
    ETI_GATE_DIFFERENCE, /* +5us */
    ETI_GATE_ABSOLUTE,   /* 5us */
} eti_gate_limit;

typedef struct eti_gate_rule {
    eti_text text;   /* text as written, or as it would be written */
    eti_text origin; /* file and line; absent for an option or a default */
    eti_text comment;
    eti_gate_scope scope;
    eti_text pattern; /* absent if it matches everything */
    eti_metric metric;
    eti_figure figure; /* for ETI_GATE_PROGRAM, instead of the metric */
    eti_gate_limit kind;
    double limit;        /* 0.05 for 5 %, or a number of `unit` */
    eti_time_scale unit; /* unit of time; rules about allocation use bytes */
    double min_share;    /* 0: no minimum; default: 1 % for relative rules about parts */
    bool has_min_share;  /* the rule states it */
    bool
        is_unscoped; /* no scope is stated: the rule is about events, and there is another one about the total */
    double min_effect; /* number of `effect_unit`; 0: no minimum */
    eti_time_scale effect_unit;
} eti_gate_rule;

/* Parses a rule; `arena` owns copies of its texts. Fails with ETI_ERROR_USAGE and sets err->position, or with
 * ETI_ERROR_MEMORY. */
eti_status eti__gate_rule_parse(eti_gate_rule *out, eti_arena *arena, eti_text text,
                                eti_error *err) ETI_WARN_UNUSED;

/* ==== files =================================================================================== */
/* Reads the files of a gate: budgets, which contain rules, and lists of exceptions, which name
 * rows that are allowed to be slower.
 *
 * Both are CSV with a line of column names; empty lines and lines that begin with # are skipped.
 *
 *     what,metric,limit,comment            pattern,reason,expires
 *     total,p50,20ms,frame budget          aten.conv*,waits for the new kernel,2026-12-31
 *     aten.softmax*,p90,+10%,              encoder.layers.0*,"known, see issue 12", */

typedef struct eti_gate_rules {
    eti_gate_rule *rules;
    size_t n, capacity;
} eti_gate_rules;

/* Allows a regression of rows with a name that matches the pattern (see base/names.h). */
typedef struct eti_allowance {
    eti_text pattern, reason;
    eti_text expires; /* YYYY-MM-DD, the last day of validity; absent if it never expires */
    eti_text origin;  /* file and line */
    bool is_expired;
    size_t n_used; /* set by the user of the list */
} eti_allowance;

typedef struct eti_allowances {
    eti_allowance *entries;
    size_t n, capacity;
} eti_allowances;

/* Adds the rules of a file of budgets. Fails with ETI_ERROR_READ, ETI_ERROR_MALFORMED or ETI_ERROR_LIMIT, and names
 * the line if there is one, or with ETI_ERROR_MEMORY. `arena` owns the texts; the array is allocated with malloc(),
 * even on failure. */
eti_status eti__gate_read_budgets(eti_gate_rules *rules, eti_arena *arena, const eti_source *source,
                                  eti_error *err) ETI_WARN_UNUSED;

/* Adds the entries of a list; `today` is YYYY-MM-DD. Fails like eti__gate_read_budgets(). */
eti_status eti__gate_read_allowances(eti_allowances *out, eti_arena *arena,
                                     const eti_source *source, const char *today,
                                     eti_error *err) ETI_WARN_UNUSED;

/* ==== options ================================================================================= */
/* Options of a gate. */

/* A rule that the caller judged, because it is not about times. */
typedef struct eti_judged_rule {
    const char *rule;    /* as people see it; NULL: the caller judged none */
    const char *message; /* one sentence without a period; read only if it failed */
    size_t n_failed, n_passed;
} eti_judged_rule;

typedef struct eti_gate_options {
    size_t n_looks;    /* largest number of looks in a measurement, each with diff.alpha; 0: one */
    bool is_cut_short; /* a command of the measurement failed: no rule passes */
    eti_judged_rule judged;
    bool allows_failed, allows_undecided; /* the status of this outcome is mapped to 0 */
    eti_diff_options diff; /* group is ignored; least_effect is that of the default rules */
    /* rules, such as "op:p50>+5%": see the man page, RULES */
    const char *const *rules;
    size_t n_rules;            /* without rules and budgets: "op:p50>+5%" and "total:p50>+5%" */
    const eti_source *budgets; /* CSV files of rules */
    size_t n_budgets;
    const eti_source *allowed; /* CSV files of exceptions, each with a reason and an expiry date */
    size_t n_allowed;
    eti_source_paths source_paths;
    int64_t now; /* current time in seconds since 1970 */
} eti_gate_options;

#define ETI_GATE_OPTIONS_DEFAULT                                                                   \
    { .diff = ETI_DIFF_OPTIONS_DEFAULT }

/* ==== result ================================================================================== */
/* The result of a gate as plain structs: its rules, and a finding for each check of a rule.
 *
 * A report stores the result beside its tables, whose rows are made from it; the result lives as
 * long as the report. */

typedef enum eti_finding_kind {
    ETI_FINDING_FAILED,
    ETI_FINDING_ALLOWED,   /* failed, but is on the list of exceptions */
    ETI_FINDING_UNDECIDED, /* too few files, or a relevant change may be hidden */
    ETI_FINDING_PASSED,
    ETI_N_FINDING_KINDS,
} eti_finding_kind;

/* Returns the name of a finding, such as "failed" or "undecided". */
const char *eti__finding_kind_name(eti_finding_kind kind);

typedef enum eti_rule_outcome {
    ETI_RULE_FAILED,
    ETI_RULE_FEW_FILES,   /* a side has fewer files than a verdict needs */
    ETI_RULE_CANNOT_TELL, /* nothing is slower, but large slowdowns may be hidden */
    ETI_RULE_NOTHING,     /* nothing to check */
    ETI_RULE_UNLIKE,      /* nothing checked is slower, but parts of the sides were not compared */
    ETI_RULE_CUT_SHORT,   /* passed, but a command failed before the measurement was complete */
    ETI_RULE_ALLOWED,     /* all failed checks are on the list of exceptions */
    ETI_RULE_PASSED,
    ETI_N_RULE_OUTCOMES,
} eti_rule_outcome;

/* Number of rows in the scope of a rule that match its pattern, and of rows that are not checked, by reason. */
typedef struct eti_rule_reach {
    size_t n_fit, n_small, n_no_time, n_missing, n_one_side, n_units;
    size_t n_cycles; /* rows that count cycles, by a rule with a number of a unit of time */
    /* groups of the rest, such as (framework), which are not checked alone */
    size_t n_rest;
} eti_rule_reach;

typedef struct eti_rule_findings {
    eti_text rule;    /* as written by the user */
    eti_text origin;  /* file and line; absent for an option or a default */
    eti_text comment; /* absent if there is none */
    eti_rule_outcome outcome;
    eti_rule_reach reach;
    size_t n[ETI_N_FINDING_KINDS];
    bool has_no_rows; /* its checks are not among the findings */
    double alpha;     /* share of alpha that the rule has */
    double margin;    /* 0.1: what passes is not slower by more than the limit and this */
    /* number of files per side that would decide it; 0 if unknown or decided */
    size_t files_needed;
    /* reason why it is undecided, or why it failed without rows; absent otherwise */
    eti_text message;
} eti_rule_findings;

/* An absent text or a NaN means unknown or not applicable. */
typedef struct eti_finding {
    eti_finding_kind kind;
    const eti_rule_findings *rule; /* one of result->rules */
    eti_text key;                  /* block, name and metric; the same in every run */
    eti_text name;                 /* name of the event, the group or the total on the new side */
    eti_text label; /* the name as people see it beside the module; absent: as it is */
    eti_text block;
    eti_text op, module; /* set for events only */
    /* number of the event in its block of the new side; -1 if unknown or not an event */
    int64_t event;
    eti_text file;              /* file of the model's source */
    uint32_t line;              /* line in `file` */
    const char *scope, *metric; /* of the rule */
    bool is_bytes;              /* base and new_side are bytes */
    bool is_count; /* base and new_side are numbers of items or cycles; if neither, times */
    bool is_in_cycles;
    double base, new_side;    /* judged numbers: the locations if a rule about the p50 compares */
    double p50_base, p50_new; /* medians over the files of their p50 */
    /* new_side / base - 1: the estimate that was judged; and the ends of its interval, NaN if there are none */
    double change, low, high;
    double limit;     /* smallest change that the rule forbids, as a share */
    double p;         /* p-value adjusted by Holm's method */
    double share;     /* share of the total of its block, on the new side */
    bool is_compared; /* the rule compares both sides */
    bool is_tested;   /* p is set */
    size_t files_base, files_new;
    size_t runs_base, runs_new;
    eti_text reason;  /* reason of the exception, expired or not */
    eti_text message; /* the finding in one line; absent if it passed or is undecided */
} eti_finding;

typedef struct eti_gate_result {
    eti_gate_outcome outcome;
    eti_time_scale time_scale; /* scale of times */
    bool includes_units;       /* names of times include the time scale */
    eti_text headline;         /* one sentence: the failed check, its size, and a remedy */
    bool allows_undecided;     /* what is undecided is no error */
    /* "allowed by --failed_status 0": the exit status of the outcome is mapped to 0; otherwise absent */
    eti_text allowed_by;
    eti_coverage coverage; /* of the events; n_judged of them were checked by a rule about events */
    eti_rule_findings *rules;
    size_t n_rules;
    eti_finding *findings; /* by kind, then by the size of their effect on the whole */
    size_t n_findings;
} eti_gate_result;

/* ==== gate ==================================================================================== */
/* Turns a comparison and rules into checks: the outcome of each rule for each row in its scope.
 *
 * The rules that compare share alpha in equal parts. A rule about totals spends its share on them; one about parts spends
 * half on its rows, whose p-values are adjusted by Holm's method, and half on the level of all of them. Levels, the prior of
 * the variances and the selection of large enough rows are those of the same rule without its pattern; the pattern only
 * selects from the results.
 * - A comparison (+5%, +20us) fails if the new side is slower by more than the limit and min_effect. It passes if the
 *   interval of the change lies below the limit and the margin; otherwise it is undecided, see compare/compare.h. With
 *   fewer files than a verdict needs, the rule is undecided, also if the sides are not alike, see scope.c.
 * - A limit (20us) concerns the new side only. It fails if the new side lies above it by more than
 *   its files scatter; with fewer files than a verdict needs, it fails if their median lies above
 *   it. */

typedef struct eti_check {
    uint32_t rule;   /* index into gate->rules */
    uint8_t finding; /* an eti_finding_kind */
    bool is_tested;  /* change and p are set */
    const eti_diff_row *row;
    /* matching entry of the list of exceptions, or NULL; for a failed check, an expired one */
    const eti_allowance *allowance;
    double base, new_side; /* judged numbers, in the target scale; NaN if unknown */
    double least_effect;   /* smallest change that the rule forbids, as a share */
    uint8_t verdict;       /* an eti_verdict, if both sides are compared */
    eti_change change;     /* for a limit: change from the limit to the new side */
    double p;              /* p-value adjusted by Holm's method */
} eti_check;

typedef struct eti_rule_judgement {
    eti_rule_outcome outcome;
    const eti_diff *diff; /* comparison that the rule is about */
    eti_rule_reach reach;
    size_t checks[ETI_N_FINDING_KINDS];
    size_t n_family; /* number of checks that were tested together */
    double alpha;    /* share of alpha that the rule has */
    size_t files_needed;
    eti_judgement judgement; /* of a comparison */
    eti_unlike unlike;       /* for ETI_RULE_UNLIKE */
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
    eti_coverage coverage;     /* see eti_gate_result */
    eti_gate_outcome of_times; /* of the rules alone, without the one that the caller judged */
    eti_gate_outcome outcome;
} eti_gate;

/* Makes a gate. Fails with ETI_ERROR_USAGE, ETI_ERROR_READ, ETI_ERROR_MALFORMED, ETI_ERROR_LIMIT, ETI_ERROR_DATA or
 * ETI_ERROR_MEMORY. The caller frees `out` in any case. `options` are not copied and must live as long as the gate.
 * If all rules are limits, `base` may be NULL. */
eti_status eti__gate_make(eti_gate *out, const struct eti_profile *base,
                          const struct eti_profile *new_side, const eti_gate_options *options,
                          eti_error *err) ETI_WARN_UNUSED;
void eti__gate_free(eti_gate *gate);

/* Checks the syntax of a rule. Fails with ETI_ERROR_USAGE, with the position of the error in err->position, or with
 * ETI_ERROR_MEMORY. */
eti_status eti__gate_check_rule(const char *rule, eti_error *err) ETI_WARN_UNUSED;

/* Implements the function of etinspect.h; `options` may be NULL. */
eti_status eti__gate_report(eti_report **out, eti_gate_outcome *outcome, const eti_profile *base,
                            const eti_profile *new_side, const eti_gate_options *options,
                            eti_error *err) ETI_WARN_UNUSED;

/* Returns the number of files per side that would decide all rules; 0 if it is unknown, or all are decided. */
size_t eti__gate_files_needed(const eti_gate *gate);

#endif
