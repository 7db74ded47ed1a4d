#include "stats/bootstrap.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "stats/order.h"
#include "stats/random.h"

/* ---- probabilities of ranks ------------------------------------------------------------------ */

/* Ranks count from 1 here. A resample of n draws n ranks; let U be the k-th smallest of n uniform numbers,
 * k = ceil(n / 2). The lower middle rank is r when U lies in ((r - 1) / n, r / n], and U has the density
 *
 *     n! / ((k - 1)! (n - k)!) u^(k - 1) (1 - u)^(n - k)
 *
 * of a Beta distribution. Where n is even, k = n / 2, the upper middle rank differs when just k draws are r
 * at most:
 *
 *     P(r, above r)       = n! / (k! k!) (r / n)^k ((n - r) / n)^k (1 - ((r - 1) / r)^k)
 *     P(above r + j | r, above r) = ((n - r - j) / (n - r))^k
 *
 * Factors that depend on n alone are left out and 4^(k - 1) is put in, which keeps all within the range of a
 * double; the sum of all probabilities is what they are divided by in the end. Nothing but + - * / is used,
 * so all machines draw the same. */

#define NEGLIGIBLE 1e-13 /* of the greatest probability */

/* Gauss-Legendre on [-1, 1]: exact for densities up to n = 16, and to 1e-14 for any others, as those hardly
 * bend within 1 / n. Abramowitz and Stegun, table 25.4. */
static const struct {
    double at, weight;
} quadrature[] = {
    {0.183434642495649805, 0.362683783378361983},
    {0.525532409916328986, 0.313706645877887287},
    {0.796666477413626740, 0.222381034453374471},
    {0.960289856497536232, 0.101228536290376259},
};

static double power(double base, uint64_t exponent) {
    double product = 1.0;
    for (; exponent > 0; exponent /= 2) {
        if (exponent % 2 == 1)
            product *= base;
        base *= base;
    }
    return product;
}

static double density(size_t n, double u) {
    size_t k = (n + 1) / 2;
    double even = power(4.0 * u * (1.0 - u), k - 1);
    return n % 2 == 1 ? even : even * (1.0 - u);
}

/* The lower middle rank is r. */
static double probability_of_low(size_t n, size_t r) {
    double sum = 0.0, middle = (double)r - 0.5;
    for (size_t i = 0; i < sizeof quadrature / sizeof *quadrature; i++) {
        double away = quadrature[i].at / 2.0;
        sum += quadrature[i].weight *
               (density(n, (middle - away) / (double)n) + density(n, (middle + away) / (double)n));
    }
    return sum / 2.0 / (double)n;
}

/* n is even, the lower middle rank is r and the upper one another. */
static double probability_of_gap(size_t n, size_t r) {
    size_t k = n / 2;
    double u = (double)r / (double)n;
    double both = power(4.0 * u * (1.0 - u), k - 1) * u * (1.0 - u) / (double)k;
    return both * (1.0 - power(((double)r - 1.0) / (double)r, k));
}

/* ---- the table of pairs ---------------------------------------------------------------------- */

static eti_status add_pair(eti_resampling *resampling, size_t low, size_t high, double probability,
                           eti_error *err) {
    size_t i = resampling->n_pairs;
    if (!ETI_GROW(resampling->pairs, resampling->pair_capacity, i + 1) ||
        !ETI_GROW(resampling->up_to, resampling->up_to_capacity, i + 1))
        return eti_fail_memory(err);
    resampling->pairs[i] = (eti_middle_ranks){(uint32_t)(low - 1), (uint32_t)(high - 1)};
    resampling->up_to[i] = (i > 0 ? resampling->up_to[i - 1] : 0.0) + probability;
    resampling->n_pairs++;
    return ETI_OK;
}

/* All pairs whose lower rank is r, of which `probability` is the sum. */
static eti_status add_low_rank(eti_resampling *resampling, size_t r, double probability,
                               double negligible, eti_error *err) {
    size_t n = resampling->n, k = n / 2;
    if (n % 2 == 1)
        return add_pair(resampling, r, r, probability, err);
    double gap = probability_of_gap(n, r);
    ETI_TRY(add_pair(resampling, r, r, fmax(0.0, probability - gap), err));
    double above = gap;
    for (size_t high = r + 1; high <= n && above > negligible; high++) {
        double further = gap * power((double)(n - high) / (double)(n - r), k);
        ETI_TRY(add_pair(resampling, r, high, above - further, err));
        above = further;
    }
    return ETI_OK;
}

static eti_status make_pairs(eti_resampling *resampling, eti_error *err) {
    size_t n = resampling->n, middle = (n + 1) / 2;
    double negligible = probability_of_low(n, middle) * NEGLIGIBLE;
    size_t first = middle;
    while (first > 1 && probability_of_low(n, first - 1) > negligible)
        first--;
    resampling->n_pairs = 0;
    for (size_t r = first; r <= n; r++) {
        double probability = probability_of_low(n, r);
        if (r > middle && probability <= negligible)
            break;
        ETI_TRY(add_low_rank(resampling, r, probability, negligible, err));
    }
    return ETI_OK;
}

/* ---- drawing --------------------------------------------------------------------------------- */

/* The first pair whose sum is beyond. */
static size_t find_pair(const eti_resampling *resampling, double sum) {
    size_t low = 0, high = resampling->n_pairs - 1;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (resampling->up_to[middle] > sum)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static void draw(eti_resampling *resampling) {
    eti_random random = eti__random_start(resampling->seed, resampling->stream);
    double all = resampling->up_to[resampling->n_pairs - 1];
    for (size_t i = 0; i < resampling->n_resamples; i++) {
        size_t pair = find_pair(resampling, eti__random_uniform(&random) * all);
        resampling->medians[i] = resampling->pairs[pair];
    }
}

eti_status eti__resample(eti_resampling *resampling, size_t n, size_t n_resamples, uint64_t seed,
                         uint64_t stream, eti_error *err) {
    bool same_table = resampling->n == n && n > 0;
    if (same_table && resampling->n_resamples == n_resamples && resampling->seed == seed &&
        resampling->stream == stream)
        return ETI_OK;
    resampling->n_resamples = 0; /* nothing is there until all is */
    if (!ETI_GROW(resampling->medians, resampling->capacity, n_resamples))
        return eti_fail_memory(err);
    if (!same_table) {
        resampling->n = n;
        eti_status status = make_pairs(resampling, err);
        if (status != ETI_OK) {
            resampling->n = 0;
            return status;
        }
    }
    resampling->n_resamples = n_resamples;
    resampling->seed = seed;
    resampling->stream = stream;
    draw(resampling);
    return ETI_OK;
}

void eti__resampling_free(eti_resampling *resampling) {
    free(resampling->medians);
    free(resampling->pairs);
    free(resampling->up_to);
    *resampling = (eti_resampling){0};
}

/* ---- medians and their ratio ----------------------------------------------------------------- */

static double median_of(const double *sorted, eti_middle_ranks ranks) {
    return (sorted[ranks.low] + sorted[ranks.high]) / 2.0;
}

double eti__resampled_median(const eti_resampling *resampling, const double *sorted, size_t i) {
    return median_of(sorted, resampling->medians[i]);
}

double eti__median_deviation(const eti_resampling *resampling, const double *sorted) {
    double all = resampling->up_to[resampling->n_pairs - 1], mean = 0.0, square = 0.0, before = 0.0;
    double origin = sorted[resampling->n / 2]; /* differences from it lose no digits */
    for (size_t i = 0; i < resampling->n_pairs; i++) {
        double probability = (resampling->up_to[i] - before) / all;
        double away = median_of(sorted, resampling->pairs[i]) - origin;
        before = resampling->up_to[i];
        mean += probability * away;
        square += probability * away * away;
    }
    return sqrt(fmax(0.0, square - mean * mean));
}

double eti__ratio(double new_value, double base) {
    return new_value == base ? 1.0 : new_value / base;
}

eti_interval eti__bootstrap_ratio(const eti_resampling *base, const double *sorted_base,
                                  const eti_resampling *new_side, const double *sorted_new,
                                  double confidence, double *ratios) {
    size_t n = base->n_resamples;
    /* Where all samples of a side are equal, and of a single run they are, so are all resamples. */
    if (sorted_base[0] == sorted_base[base->n - 1] &&
        sorted_new[0] == sorted_new[new_side->n - 1]) {
        double ratio = eti__ratio(sorted_new[0], sorted_base[0]);
        return (eti_interval){.low = ratio, .high = ratio};
    }
    for (size_t i = 0; i < n; i++)
        ratios[i] = eti__ratio(eti__resampled_median(new_side, sorted_new, i),
                               eti__resampled_median(base, sorted_base, i));
    /* A ratio that was drawn, not one between two: they may be infinite. */
    size_t outside = (size_t)floor((double)(n - 1) * (1.0 - confidence) / 2.0);
    const size_t ranks[] = {outside, n - 1 - outside};
    eti__select_ranks(ratios, n, ranks, 2);
    return (eti_interval){.low = ratios[ranks[0]], .high = ratios[ranks[1]]};
}
