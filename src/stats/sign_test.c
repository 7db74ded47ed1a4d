#include "stats/sign_test.h"

#include <math.h>

/* The logarithm of the probability of exactly k of n. */
static double log_probability(double k, double n, double share) {
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) + k * log(share) +
           (n - k) * log1p(-share);
}

double eti__sign_test(size_t n_above, size_t n, double quantile) {
    double share = 1.0 - quantile, k = (double)n_above, of = (double)n, sum = 0.0;
    if (n_above == 0)
        return 1.0;
    bool is_upper = k > of * share;
    double odds = share / quantile;
    /* Away from the middle terms only become smaller. */
    if (is_upper) {
        double term = exp(log_probability(k, of, share));
        for (double i = k; i <= of && term > 0; i++) {
            sum += term;
            term *= (of - i) / (i + 1) * odds;
        }
        return sum;
    }
    double term = exp(log_probability(k - 1, of, share));
    for (double i = k - 1; i >= 0 && term > 0; i--) {
        sum += term;
        term *= i / (of - i + 1) / odds;
    }
    return 1.0 - sum;
}

/* All of them above have the smallest p-value. */
size_t eti__sign_test_needs(size_t n_family, double quantile, double alpha) {
    double p = (double)(n_family > 0 ? n_family : 1);
    size_t n = 0;
    while (p >= alpha) {
        p *= 1.0 - quantile;
        n++;
    }
    return n;
}
