#include "stats/stats.h"

#include <math.h>

/* Constants of the definition in stats.h. */
#define LEAST_IN_CLUSTER 2
#define LEAST_FACTOR 1.25
#define GAP_SIGMAS 5.0
#define FEW_TIMES 10

/* Returns the number of times below the largest gap; `*gap` is the logarithm of its factor. */
static size_t split(const double *times, size_t n, double *gap) {
    size_t at = LEAST_IN_CLUSTER;
    *gap = 0;
    for (size_t i = LEAST_IN_CLUSTER; i + LEAST_IN_CLUSTER <= n; i++) {
        double step = log(times[i]) - log(times[i - 1]);
        if (step > *gap) {
            *gap = step;
            at = i;
        }
    }
    return at;
}

/* Returns the sum of the squared distances of the logarithms from their mean. */
static double squares_of(const double *times, size_t n) {
    double mean = 0, sum = 0;
    for (size_t i = 0; i < n; i++)
        mean += log(times[i]) / (double)n;
    for (size_t i = 0; i < n; i++)
        sum += (log(times[i]) - mean) * (log(times[i]) - mean);
    return sum;
}

/* Returns the median of sorted values. */
static double median_of_sorted(const double *values, size_t n) {
    return values[(n - 1) / 2] + (values[n / 2] - values[(n - 1) / 2]) / 2;
}

bool eti__find_clusters(double *times, size_t n, eti_clusters *out) {
    double gap, sigmas = GAP_SIGMAS;
    for (size_t i = 0; i < n; i++) {
        if (!(times[i] > 0) || !isfinite(times[i]))
            return false;
    }
    if (n < 2 * (size_t)LEAST_IN_CLUSTER)
        return false;
    eti__sort_doubles(times, n);
    size_t n_low = split(times, n, &gap);
    if (n < FEW_TIMES)
        sigmas *= (double)(FEW_TIMES * FEW_TIMES) / (double)(n * n);
    double squares = squares_of(times, n_low) + squares_of(times + n_low, n - n_low);
    if (gap < log(LEAST_FACTOR) || gap <= sigmas * sqrt(squares / (double)(n - 2)))
        return false;
    *out = (eti_clusters){.n_low = n_low,
                          .n_high = n - n_low,
                          .low = median_of_sorted(times, n_low),
                          .high = median_of_sorted(times + n_low, n - n_low)};
    return true;
}
