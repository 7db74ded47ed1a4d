/*
 * result.h - the result of a gate as plain structs: its rules, and a finding for each thing that a rule checked.
 *
 * A report stores the result beside its tables, whose rows are made from it; it lives as long as the report.
 */
#ifndef ETI_GATE_RESULT_H
#define ETI_GATE_RESULT_H

#include "base/text.h"

typedef enum eti_finding_kind {
    ETI_FINDING_FAILED,
    ETI_FINDING_ALLOWED,   /* failed, but is on the list of exceptions */
    ETI_FINDING_UNDECIDED, /* too few files, or a change of the size that matters may be hidden */
    ETI_FINDING_PASSED,
    ETI_N_FINDING_KINDS,
} eti_finding_kind;

/* Returns "failed", "undecided", ... */
const char *eti__finding_kind_name(eti_finding_kind kind);

typedef enum eti_rule_outcome {
    ETI_RULE_FAILED,
    ETI_RULE_FEW_FILES,   /* fewer files on a side than a verdict needs */
    ETI_RULE_CANNOT_TELL, /* nothing is slower, but large slowdowns may be hidden */
    ETI_RULE_NOTHING,     /* nothing to check */
    ETI_RULE_ALLOWED,     /* all failed checks are on the list of exceptions */
    ETI_RULE_PASSED,
    ETI_N_RULE_OUTCOMES,
} eti_rule_outcome;

/* Returns "failed", "undecided", "nothing to check", ... */
const char *eti__rule_outcome_name(eti_rule_outcome outcome);

/* Number of rows in the scope of a rule that its pattern fits, and of rows that are not checked, by
 * reason. */
typedef struct eti_rule_reach {
    size_t n_fit, n_small, n_no_time, n_missing, n_one_side;
} eti_rule_reach;

typedef struct eti_rule_findings {
    eti_text rule;    /* as written by the user */
    eti_text origin;  /* file and line; absent: an option or a default */
    eti_text comment; /* absent: none */
    eti_rule_outcome outcome;
    eti_rule_reach reach;
    size_t n[ETI_N_FINDING_KINDS];
    double alpha;        /* the share of alpha that the rule has */
    double detectable;   /* of its median check, a share; NaN: unknown */
    double wanted;       /* detectable change that would decide the rule; NaN: unknown */
    size_t files_needed; /* files per side that would decide it; 0: unknown, or it is decided */
    eti_text message;    /* why it is undecided; absent: it is not */
} eti_rule_findings;

/* An absent text or a NaN means unknown or not applicable. */
typedef struct eti_finding {
    eti_finding_kind kind;
    const eti_rule_findings *rule; /* one of result->rules */
    eti_text key;                  /* block, name and metric: the same in every run */
    eti_text name;                 /* of the event, the group or the total on the new side */
    eti_text block;
    eti_text op, module;        /* of events */
    int64_t event;              /* its number in its block of the new side; -1: unknown, or none */
    eti_text file;              /* of the model's source */
    uint32_t line;              /* of `file` */
    const char *scope, *metric; /* of the rule */
    bool is_bytes;              /* base and new_side are bytes */
    bool is_count;              /* they are numbers of things; otherwise times */
    double base,
        new_side; /* numbers that were judged: of rules about the p50 that compare, the location */
    double p50_base, p50_new;          /* medians over the files of their p50 */
    double change;                     /* new_side / base - 1 */
    double relative_change, low, high; /* as judged: relative to the level; its interval */
    double p;                          /* adjusted */
    double detectable;                 /* smallest change that would have been found, a share */
    double share;                      /* of the total of its block, on the new side */
    bool is_compared;                  /* the rule compares both sides */
    bool is_tested;                    /* p is there */
    bool is_relative;                  /* relative_change differs from change: there is a level */
    size_t files_base, files_new;
    size_t runs_base, runs_new;
    eti_text reason;  /* reason of the exception, expired or not */
    eti_text message; /* the finding in one line; absent: passed, or undecided */
} eti_finding;

/* Number of events, and of those that rules about events checked. */
typedef struct eti_gate_coverage {
    size_t n_events, n_checked;
    double share; /* share of checked events in the time of the new side; NaN: unknown */
} eti_gate_coverage;

typedef struct eti_gate_result {
    eti_gate_outcome outcome;
    eti_time_scale time_scale; /* of times */
    bool includes_units;       /* names of times include the time scale */
    eti_text headline;         /* one sentence: the failed check, its size, and a remedy */
    eti_gate_coverage coverage;
    eti_rule_findings *rules;
    size_t n_rules;
    eti_finding *findings; /* by kind, then by the size of their effect on the whole */
    size_t n_findings;
} eti_gate_result;

#endif
