/*
 * mann_whitney.h - tests whether values of one side tend to be larger than those of the other.
 *
 * Mann and Whitney, On a Test of Whether one of Two Random Variables is Stochastically Larger than
 * the Other, Ann. Math. Stat. 18, 1947. Uses the normal approximation, with the variance corrected
 * for ties and without a continuity correction.
 */
#ifndef ETI_STATS_MANN_WHITNEY_H
#define ETI_STATS_MANN_WHITNEY_H

/* Result of sorting the values of both sides together. */
typedef struct eti_rank_sum {
    uint64_t n_new, n_base;
    /* rank sum of the new side; ranks begin at 1, and ties share their mean rank */
    double rank_sum;
    double tie_term; /* sum of t^3 - t over all groups of t equal values */
} eti_rank_sum;

/* Returns whether the four numbers are possible for any set of values. */
bool eti__rank_sum_is_possible(const eti_rank_sum *ranks);

/* Returns the two-sided p-value; 1 if all values are equal. The ranks must be possible. */
double eti__mann_whitney(const eti_rank_sum *ranks);

#endif
