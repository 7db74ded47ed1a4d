/*
 * holm.h - adjusts the p-values of a family of tests so that they hold for the family as a whole.
 *
 * Holm, A Simple Sequentially Rejective Multiple Test Procedure, Scand. J. Stat. 6, 1979: the
 * probability that any adjusted p-value is below alpha by chance alone is at most alpha, regardless
 * of how the tests depend on each other.
 */
#ifndef ETI_STATS_HOLM_H
#define ETI_STATS_HOLM_H

/* Adjusts n p-values, each in [0, 1], in place. O(n log n). `scratch` has room for 2 n values. */
void eti__holm_adjust(double *p, size_t n, double *scratch);

#endif
