/* cut_score.h - the score of a cut by its definition, pair by pair. */
#ifndef ETI_TESTS_CUT_SCORE_H
#define ETI_TESTS_CUT_SCORE_H

#include <math.h>
#include <stddef.h>

static inline double sum_of_distances(const double *a, size_t n_a, const double *b, size_t n_b) {
    double sum = 0.0;
    for (size_t i = 0; i < n_a; i++) {
        for (size_t j = 0; j < n_b; j++)
            sum += fabs(a[i] - b[j]);
    }
    return sum;
}

static inline double score_by_definition(const double *values, size_t n, size_t cut) {
    const double *rest = values + cut;
    double k = (double)cut, l = (double)(n - cut);
    double within = sum_of_distances(values, cut, values, cut) / (k * (k - 1.0)) +
                    sum_of_distances(rest, n - cut, rest, n - cut) / (l * (l - 1.0));
    double between = sum_of_distances(values, cut, rest, n - cut) / (k * l);
    return k * l / (k + l) * (2.0 * between - within);
}

#endif
