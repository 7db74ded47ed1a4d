/*
 * hodges_lehmann.h - turns two sets of samples into the shift between them: the median of all differences.
 *
 * Hodges and Lehmann, Estimates of Location Based on Rank Tests, Ann. Math. Stat. 34, 1963.
 */
#ifndef ETI_STATS_HODGES_LEHMANN_H
#define ETI_STATS_HODGES_LEHMANN_H

#include "base/status.h"

/* What eti__hodges_lehmann() works in, for n_base and n_new samples. */
typedef struct eti_hodges_lehmann_scratch {
    size_t *ranks;       /* 4 * n_base */
    double *differences; /* eti__hodges_lehmann_differences() */
} eti_hodges_lehmann_scratch;

size_t eti__hodges_lehmann_differences(size_t n_base, size_t n_new);

/* numpy.median of new_samples[j] - base[i] for all i and j, to the last bit. Each side is in ascending
 * order and has at least 1 and less than 2^31 finite samples. Expected time O((n_base + n_new) log) without
 * making the differences: selection in a matrix of sorted rows (Johnson and Mizoguchi, SIAM J. Comput. 7,
 * 1978) with a random pivot (Monahan, Algorithm 616, ACM Trans. Math. Softw. 10, 1984). The result does not
 * depend on the random numbers. */
double eti__hodges_lehmann(const double *base, size_t n_base, const double *new_samples,
                           size_t n_new, eti_hodges_lehmann_scratch scratch);

#endif
