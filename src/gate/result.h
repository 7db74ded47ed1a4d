/*
 * result.h - the result of a gate as plain structs: its rules, and a finding for each entry checked by a rule.
 *
 * A report stores the result beside its tables, whose rows are made from it; it lives as long as the report.
 */
#ifndef ETI_GATE_RESULT_H
#define ETI_GATE_RESULT_H

#include "base/text.h"

typedef enum eti_finding_kind {
    ETI_FINDING_FAILED,
    ETI_FINDING_TOO_FEW, /* too few samples to decide */
    ETI_FINDING_ALLOWED, /* failed, but is on the list of exceptions */
    ETI_FINDING_PASSED,
    ETI_N_FINDING_KINDS,
} eti_finding_kind;

/* Returns "failed", "too few", ... */
const char *eti__finding_kind_name(eti_finding_kind kind);

typedef struct eti_rule_findings {
    eti_text rule;    /* as written by the user */
    eti_text origin;  /* file and line; absent: an option or a default */
    eti_text comment; /* absent: none */
    size_t n[ETI_N_FINDING_KINDS];
} eti_rule_findings;

/* An absent text or a NaN means unknown or not applicable. */
typedef struct eti_finding {
    eti_finding_kind kind;
    const eti_rule_findings *rule; /* one of result->rules */
    eti_text key;                  /* block, name and metric: the same in every run */
    eti_text name;                 /* of the event, the group or the total on the new side */
    eti_text block;
    eti_text op, module;        /* of events */
    eti_text file;              /* of the model's source */
    uint32_t line;              /* of `file` */
    const char *scope, *metric; /* of the rule */
    bool is_bytes;              /* base and new_side are bytes; otherwise they are times */
    double base, new_side;      /* the metric */
    double change, low, high;   /* new_side / base - 1 as compared, and its interval */
    double p;                   /* adjusted */
    double share;               /* of the total of its block, on the new side */
    bool is_compared;           /* compared by the samples of both sides */
    bool is_paced;              /* samples were divided by the pace of their runs */
    size_t n_base, n_new;       /* runs */
    size_t n_needed;            /* runs needed per side; with fewer, the rule can never fail */
    eti_text reason;            /* reason of the exception, expired or not */
    eti_text message;           /* the finding in one line; absent: passed */
} eti_finding;

typedef struct eti_gate_result {
    eti_gate_outcome outcome;
    eti_time_scale time_scale; /* of times */
    bool includes_units;       /* names of times include the time scale */
    eti_rule_findings *rules;
    size_t n_rules;
    eti_finding *findings; /* failed ones first, then by the size of their effect on the whole */
    size_t n_findings;
} eti_gate_result;

#endif
