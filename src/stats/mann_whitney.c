#include "stats/mann_whitney.h"

#include <math.h>

#include "stats/normal.h"

#define MOST_EXACT 8 /* samples of the smaller side; SciPy's choice */

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

static size_t larger(size_t a, size_t b) {
    return a < b ? b : a;
}

/* ---- exact ----------------------------------------------------------------------------------- */

/* How many ways there are to choose k of n. */
static double binomial(size_t n, size_t k) {
    double ways = 1.0;
    for (size_t i = 1; i <= k; i++)
        ways = ways * (double)(n - k + i) / (double)i;
    return ways;
}

/* In how many ways few + many samples without ties give U = 0, 1, ... u_max: the coefficients of the
 * Gaussian binomial, the product of (1 - q^(many + i)) / (1 - q^i) for i = 1 ... few. Up to 2^53 they are
 * exact; beyond, each is a sum of positive terms and little is taken off it, so that 13 digits stay right.
 * */
static void count_ways(size_t few, size_t many, double *ways, size_t u_max) {
    ways[0] = 1.0;
    for (size_t u = 1; u <= u_max; u++)
        ways[u] = 0.0;
    for (size_t i = 1; i <= few; i++) {
        for (size_t u = u_max; u >= many + i; u--)
            ways[u] -= ways[u - many - i];
        for (size_t u = i; u <= u_max; u++)
            ways[u] += ways[u - i];
    }
}

/* U at its smaller tail: at most n_base * n_new / 2. */
static double exact_p(size_t n_base, size_t n_new, double u, double *ways) {
    size_t few = smaller(n_base, n_new), many = larger(n_base, n_new);
    size_t u_max = (size_t)u;
    count_ways(few, many, ways, u_max);
    double n_ways = 0.0;
    for (size_t i = 0; i <= u_max; i++)
        n_ways += ways[i];
    return fmin(1.0, 2.0 * n_ways / binomial(few + many, few));
}

/* ---- approximate ----------------------------------------------------------------------------- */

/* `ties` is the sum of t^3 - t over groups of t equal samples. */
static double approximate_p(double n_base, double n_new, double u, double ties) {
    double n = n_base + n_new;
    double sigma = sqrt(n_base * n_new / 12.0 * ((n + 1.0) - ties / (n * (n - 1.0))));
    double distance = n_base * n_new / 2.0 - u - 0.5;
    return distance > 0.0 ? eti__normal_two_sided(distance / sigma) : 1.0;
}

/* ---- both ------------------------------------------------------------------------------------ */

/* Nowhere more than half of all U are looked at. */
size_t eti__mann_whitney_scratch(size_t n_base, size_t n_new) {
    size_t few = smaller(n_base, n_new);
    return few <= MOST_EXACT ? few * larger(n_base, n_new) / 2 + 1 : 0;
}

eti_mann_whitney eti__mann_whitney_test(const double *base, size_t n_base,
                                        const double *new_samples, size_t n_new, double *scratch) {
    double u = 0.0, ties = 0.0;
    for (size_t i = 0, j = 0; i < n_base || j < n_new;) {
        double value =
            i == n_base || (j < n_new && new_samples[j] < base[i]) ? new_samples[j] : base[i];
        size_t first_i = i, first_j = j;
        while (i < n_base && base[i] == value)
            i++;
        while (j < n_new && new_samples[j] == value)
            j++;
        double equal_base = (double)(i - first_i), equal_new = (double)(j - first_j);
        double equal = equal_base + equal_new;
        u += equal_new * ((double)first_i + equal_base / 2.0);
        ties += equal * equal * equal - equal;
    }
    double tail = fmin(u, (double)n_base * (double)n_new - u);
    bool exact = smaller(n_base, n_new) <= MOST_EXACT && ties == 0.0;
    if (!exact)
        return (eti_mann_whitney){.u = u,
                                  .p = approximate_p((double)n_base, (double)n_new, tail, ties),
                                  .least_p = approximate_p((double)n_base, (double)n_new, 0, ties)};
    return (eti_mann_whitney){.u = u,
                              .p = exact_p(n_base, n_new, tail, scratch),
                              .least_p = eti__mann_whitney_least_p(n_base, n_new),
                              .exact = true};
}

double eti__mann_whitney_least_p(size_t n_base, size_t n_new) {
    if (smaller(n_base, n_new) <= MOST_EXACT) {
        return fmin(1.0, 2.0 / binomial(n_base + n_new, smaller(n_base, n_new)));
    }
    return eti__mann_whitney_least_approximate_p(n_base, n_new);
}

double eti__mann_whitney_least_approximate_p(size_t n_base, size_t n_new) {
    return approximate_p((double)n_base, (double)n_new, 0.0, 0.0);
}
