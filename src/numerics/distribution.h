/*
 * distribution.h - turns the finite elements of a tensor into percentiles and a histogram, in a few
 * passes and in memory that does not depend on the number of elements.
 */
#ifndef ETI_NUMERICS_DISTRIBUTION_H
#define ETI_NUMERICS_DISTRIBUTION_H

#include "tensors/tensors.h"

#define ETI_HISTOGRAM_BINS 16

/* Counts the finite elements in bins of equal width from `min` to `max`, the smallest and the largest of them, like
 * numpy.histogram. */
void eti__tensor_histogram(const eti_tensor_values *values, bool is_dense, double min, double max,
                           int64_t counts[ETI_HISTOGRAM_BINS]);

/* Fills `out` with the percentiles at 100 * `quantiles` of the `n_finite` >= 1 finite elements, like numpy.percentile
 * (method "linear"). Returns false if memory runs out. */
#define ETI_MOST_QUANTILES 2
bool eti__tensor_percentiles(const eti_tensor_values *values, bool is_dense, uint64_t n_finite,
                             const double *quantiles, size_t n, double *out);

#endif
