/*
 * result.h - the result of a gate as plain structs: its rules, and a finding for each check of a
 * rule.
 *
 * A report stores the result beside its tables, whose rows are made from it; the result lives as
 * long as the report.
 */
#ifndef ETI_GATE_RESULT_H
#define ETI_GATE_RESULT_H

#include "etinspect.h"

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

/* Returns the name of an outcome, such as "failed", "undecided" or "nothing to check". */
const char *eti__rule_outcome_name(eti_rule_outcome outcome);

/* Number of rows in the scope of a rule that match its pattern, and of rows that are not checked, by reason. */
typedef struct eti_rule_reach {
    size_t n_fit, n_small, n_no_time, n_missing, n_one_side;
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
    double alpha;      /* share of alpha that the rule has */
    double detectable; /* detectable change of its median check, as a share; NaN if unknown */
    double wanted;     /* detectable change that would decide the rule; NaN if unknown */
    /* number of files per side that would decide it; 0 if unknown or decided */
    size_t files_needed;
    eti_text message; /* reason why it is undecided; absent if it is decided */
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
    bool is_count;              /* base and new_side are numbers of items; if neither, times */
    double base, new_side;      /* judged numbers: the locations if a rule about the p50 compares */
    double p50_base, p50_new;   /* medians over the files of their p50 */
    double change;              /* new_side / base - 1 */
    double relative_change, low, high; /* as judged, relative to the level; with its interval */
    double p;                          /* p-value adjusted by Holm's method */
    double detectable;                 /* smallest change that would have been found, as a share */
    double share;                      /* share of the total of its block, on the new side */
    bool is_compared;                  /* the rule compares both sides */
    bool is_tested;                    /* p is set */
    bool is_relative; /* relative_change differs from change, because there is a level */
    size_t files_base, files_new;
    size_t runs_base, runs_new;
    eti_text reason;  /* reason of the exception, expired or not */
    eti_text message; /* the finding in one line; absent if it passed or is undecided */
} eti_finding;

/* Numbers of all events, and of those that rules about events checked. */
typedef struct eti_gate_coverage {
    size_t n_events, n_checked;
    double share; /* share of checked events in the time of the new side; NaN if unknown */
} eti_gate_coverage;

typedef struct eti_gate_result {
    eti_gate_outcome outcome;
    eti_time_scale time_scale; /* scale of times */
    bool includes_units;       /* names of times include the time scale */
    eti_text headline;         /* one sentence: the failed check, its size, and a remedy */
    eti_gate_coverage coverage;
    eti_rule_findings *rules;
    size_t n_rules;
    eti_finding *findings; /* by kind, then by the size of their effect on the whole */
    size_t n_findings;
} eti_gate_result;

#endif
