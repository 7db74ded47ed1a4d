/*
 * options.h - which rules a gate applies.
 */
#ifndef ETI_GATE_OPTIONS_H
#define ETI_GATE_OPTIONS_H

#include "compare/options.h"

typedef struct eti_gate_options {
    eti_diff_options diff; /* but for group; least_effect is that of the default rules */
    const char *const
        *rules;     /* what fails the gate, such as "op:p50>+5%": see the man page, RULES */
    size_t n_rules; /* with no rules and no budgets: "op:p50>+5%" and "total:p50>+5%" */
    const eti_source *budgets; /* CSV files of rules */
    size_t n_budgets;
    const eti_source *allowed; /* CSV files of what may be slower, why and until when */
    size_t n_allowed;
    int64_t now; /* seconds since 1970 */
} eti_gate_options;

#define ETI_GATE_OPTIONS_DEFAULT                                                                   \
    { .diff = ETI_DIFF_OPTIONS_DEFAULT }

#endif
