/*
 * verdict.h - names the verdicts on changes between two sides.
 */
#ifndef ETI_STATS_VERDICT_H
#define ETI_STATS_VERDICT_H

typedef enum eti_verdict {
    ETI_VERDICT_NOISE,     /* no difference, a small one, or one that may be due to chance */
    ETI_VERDICT_SLOWER,    /* the new side takes longer */
    ETI_VERDICT_FASTER,    /* the new side takes less time */
    ETI_VERDICT_UNDECIDED, /* fewer files than a verdict needs */
    /* Without a test: */
    ETI_VERDICT_ADDED, /* only the new side has it */
    ETI_VERDICT_REMOVED,
    ETI_VERDICT_UNTESTED, /* in no family of tests */
    ETI_N_VERDICTS,
} eti_verdict;

/* Returns the name of a verdict, such as "slower", "~" or "undecided". */
const char *eti__verdict_name(eti_verdict verdict);

#endif
