/*
 * statistics.h - turns the elements of a tensor into its statistics, reading each once.
 *
 * Sums, and squares around the mean, of a few elements at a time are joined in extended precision,
 * so that accuracy does not depend on the size of a tensor, and squares neither overflow nor
 * underflow.
 */
#ifndef ETI_NUMERICS_STATISTICS_H
#define ETI_NUMERICS_STATISTICS_H

#include "tensors/tensors.h"

typedef struct eti_tensor_statistics {
    uint64_t n; /* number of elements */
    uint64_t n_nan, n_inf, n_zero;
    double min, max; /* of the finite elements, if there are any */
    /* For the finite elements: their sum, and the sum of their squared distances from their mean. */
    long double sum, squares;
} eti_tensor_statistics;

/* Adds the elements number [first, first + n), in memory order if `is_dense`. `statistics` starts as all zeros. */
void eti__statistics_add(eti_tensor_statistics *statistics, const eti_tensor_values *values,
                         bool is_dense, uint64_t first, uint64_t n);
/* Adds the statistics of other elements. */
void eti__statistics_join(eti_tensor_statistics *statistics, const eti_tensor_statistics *other);

/* Returns the number of finite elements; if 0, the functions below return NaN. */
static inline uint64_t eti__statistics_finite(const eti_tensor_statistics *statistics) {
    return statistics->n - statistics->n_nan - statistics->n_inf;
}
double eti__statistics_min(const eti_tensor_statistics *statistics);
double eti__statistics_max(const eti_tensor_statistics *statistics);
double eti__statistics_mean(const eti_tensor_statistics *statistics);
/* Returns the standard deviation of the population. */
double eti__statistics_deviation(const eti_tensor_statistics *statistics);
double eti__statistics_absmax(const eti_tensor_statistics *statistics);

#endif
