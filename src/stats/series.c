#include "stats/parts.h"

#include <math.h>
#include <string.h>

/* ==== series ================================================================================== */

/* ---- warm-up --------------------------------------------------------------------------------- */

#define FEWEST_RUNS 4
#define SLOW_SIGMAS 3.5
#define SLOW_SHARE 0.05

/* Returns the longest time of a run that does not count as slow. */
static double slow_limit(const double *values, size_t n, double *scratch) {
    eti_spread usual = eti__spread_of(values + n / 2, n - n / 2, scratch);
    double by_spread = SLOW_SIGMAS * ETI_MAD_TO_SIGMA * usual.mad;
    double by_share = SLOW_SHARE * fabs(usual.median);
    return usual.median + fmax(by_spread, by_share);
}

size_t eti__warm_up_runs(const double *values, size_t n, double *scratch) {
    if (n < FEWEST_RUNS)
        return 0;
    double limit = slow_limit(values, n, scratch);
    size_t n_warm_up = 0;
    ptrdiff_t balance = 0, most = 0;
    for (size_t i = 0; i < n / 2; i++) {
        balance += values[i] > limit ? 1 : -1;
        if (balance > most) {
            most = balance;
            n_warm_up = i + 1;
        }
    }
    return n_warm_up;
}

/* ---- trend ----------------------------------------------------------------------------------- */

/* Merges two sorted halves from `from` into `to`; returns the number of pairs in which the value of the left half is
 * greater. */
static uint64_t merge(const double *from, size_t n_left, size_t n, double *to) {
    uint64_t n_greater = 0;
    size_t left = 0, right = n_left;
    for (size_t i = 0; i < n; i++) {
        if (right == n || (left < n_left && from[left] <= from[right])) {
            to[i] = from[left++];
        } else {
            n_greater += n_left - left;
            to[i] = from[right++];
        }
    }
    return n_greater;
}

/* Sorts n values, with n more of scratch; returns the number of pairs that were in descending order. */
static uint64_t sort_counting(double *values, size_t n, double *scratch) {
    if (n < 2)
        return 0;
    size_t n_left = n / 2;
    uint64_t n_descending = sort_counting(values, n_left, scratch) +
                            sort_counting(values + n_left, n - n_left, scratch + n_left);
    memcpy(scratch, values, n * sizeof *values);
    return n_descending + merge(scratch, n_left, n, values);
}

/* Returns the number of values equal to sorted[first]. */
static size_t count_equal(const double *sorted, size_t n, size_t first) {
    size_t end = first + 1;
    while (end < n && sorted[end] == sorted[first])
        end++;
    return end - first;
}

static double mann_kendall(const double *values, size_t n, double *scratch) {
    double *sorted = scratch;
    memcpy(sorted, values, n * sizeof *values);
    uint64_t n_descending = sort_counting(sorted, n, scratch + n);
    uint64_t n_pairs = (uint64_t)n * (n - 1) / 2;
    double variance = (double)n * (double)(n - 1) * (2.0 * (double)n + 5.0);
    for (size_t first = 0, size = 0; first < n; first += size) {
        size = count_equal(sorted, n, first);
        n_pairs -= (uint64_t)size * (size - 1) / 2;
        variance -= (double)size * (double)(size - 1) * (2.0 * (double)size + 5.0);
    }
    double score = (double)n_pairs - 2.0 * (double)n_descending;
    if (score == 0.0)
        return 1.0;
    return eti__normal_two_sided((fabs(score) - 1.0) / sqrt(variance / 18.0));
}

eti_run_trend eti__trend_of(const double *values, size_t n, double *scratch) {
    if (n < 3)
        return (eti_run_trend){.p = 1.0};
    size_t distance = n - n / 2;
    for (size_t i = 0; i + distance < n; i++)
        scratch[i] = values[i + distance] - values[i];
    double per_run = eti__median(scratch, n / 2) / (double)distance;
    return (eti_run_trend){.per_run = per_run, .p = mann_kendall(values, n, scratch)};
}

/* ---- dependence ------------------------------------------------------------------------------ */

/* Returns twice the difference between the rank of `value` among n sorted values (the mean rank of equal values) and
 * the mean of all ranks. The result is a whole number, so small sums are exact. */
static double centred_rank(const double *sorted, size_t n, double value) {
    /* number of values below `value`, and number of values not above it */
    size_t below = 0, end = n;
    for (size_t size = n; size > 0; size /= 2) {
        while (below + size <= n && sorted[below + size - 1] < value)
            below += size;
        while (end >= size && sorted[end - size] > value)
            end -= size;
    }
    return (double)below + (double)end - (double)n;
}

double eti__lag_correlation(const double *values, size_t n, double *scratch) {
    if (n < 3)
        return 0.0;
    double *sorted = scratch, *ranks = scratch + n;
    memcpy(sorted, values, n * sizeof *values);
    eti__sort_doubles(sorted, n);
    double squares = 0.0, products = 0.0;
    for (size_t i = 0; i < n; i++) {
        ranks[i] = centred_rank(sorted, n, values[i]);
        squares += ranks[i] * ranks[i];
        products += i > 0 ? ranks[i - 1] * ranks[i] : 0.0;
    }
    return squares == 0.0 ? 0.0 : products / squares;
}

/* ==== dependence ============================================================================== */

#define FEWEST_CORRELATED                                                                          \
    8 /* with fewer runs of a side, a correlation is hardly more than chance */
#define FEWEST_INDEPENDENT 2.0

double eti__correlation_of_runs(const double *values, size_t n, double *scratch) {
    if (n < FEWEST_CORRELATED)
        return 0.0;
    double r = eti__lag_correlation(values, n, scratch);
    return r > 0.0 ? r + (1.0 + 4.0 * r) / (double)n : r;
}

/* Returns how many of the n runs of a side count as one. */
static double count_as_one(double r, double n) {
    double most = n / FEWEST_INDEPENDENT;
    return r < 1.0 ? fmin((1.0 + r) / (1.0 - r), most) : most;
}

void eti__widen_for_dependence(eti_change *change, double r, size_t n_base, size_t n_new) {
    change->dependence = 1.0;
    if (!(r > 0.0))
        return;
    double base = (double)n_base, new_side = (double)n_new;
    double of_base = count_as_one(r, base), of_new = count_as_one(r, new_side);
    double n_independent = base / of_base + new_side / of_new;
    /* the variance of dependent runs around their mean is too small by this factor */
    double too_small = (1.0 - 2.0 / n_independent) / (1.0 - 2.0 / (base + new_side));
    change->dependence = (of_base / base + of_new / new_side) / (1.0 / base + 1.0 / new_side);
    change->error *= sqrt(change->dependence / too_small);
    change->dof = fmax(change->dof / change->dependence, 1.0);
}

/* ==== clusters ================================================================================ */

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
                          .low = eti__median(times, n_low),
                          .high = eti__median(times + n_low, n - n_low)};
    return true;
}
