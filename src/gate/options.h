/*
 * options.h - options of a gate.
 */
#ifndef ETI_GATE_OPTIONS_H
#define ETI_GATE_OPTIONS_H

#include "base/names.h"
#include "compare/compare.h"

typedef struct eti_gate_options {
    size_t n_looks;    /* largest number of looks in a measurement, each with diff.alpha; 0: one */
    bool is_cut_short; /* a command of the measurement failed: no rule passes */
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

#endif
