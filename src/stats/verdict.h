/*
 * verdict.h - turns comparisons of a family of events into verdicts: slower, faster, noise, or too few
 * samples to say. What cannot be tested has a verdict too, which others give.
 */
#ifndef ETI_STATS_VERDICT_H
#define ETI_STATS_VERDICT_H

#include "stats/compare.h"

/* A difference counts when it is significant and large. */
typedef struct eti_rule {
    double alpha;        /* how likely any false alarm of the family may be; above 0, below 1 */
    double least_effect; /* 0.05: medians differ by 5 % at least */
} eti_rule;

#define ETI_RULE_DEFAULT                                                                           \
    { 0.01, 0.05 }

typedef enum eti_verdict {
    ETI_VERDICT_NOISE,   /* no difference, a small one, or one that chance may have made */
    ETI_VERDICT_SLOWER,  /* the new side takes longer */
    ETI_VERDICT_FASTER,  /* it takes less time */
    ETI_VERDICT_UNDECIDED, /* fewer files than a verdict needs */
    /* Without a test: */
    ETI_VERDICT_ADDED, /* only the new side has it */
    ETI_VERDICT_REMOVED,
    ETI_VERDICT_UNTESTED, /* in no family of tests */
    ETI_N_VERDICTS,
} eti_verdict;

/* "slower", "~", "few", ... */
const char *eti__verdict_name(eti_verdict verdict);

/* The verdict on one of n_family events, of which `adjusted_p` is the p-value adjusted by holm.h. Slower
 * means: adjusted_p < alpha, the interval lies above 1, and ratio >= 1 + least_effect; faster the same from
 * the other side: ratio <= 1 / (1 + least_effect), so that exchanging the sides exchanges the verdicts. Where
 * not even sides that do not overlap would be significant, there are too few samples. */
eti_verdict eti__judge(const eti_comparison *comparison, double adjusted_p, size_t n_family,
                       const eti_rule *rule);

/* The least number of samples a side, not less than `at_least`, with which the smallest p-value of a family of n_family
 * (>= 1) can be below alpha, adjusted, without ties. */
size_t eti__samples_needed(size_t at_least, size_t n_family, double alpha);

/* The same where p is not exact: with any ties. */
size_t eti__samples_needed_with_ties(size_t n_family, double alpha);

#endif
