#include "stats/mann_whitney.h"

#include <math.h>

#include "stats/normal.h"

#define MOST_VALUES (UINT64_C(1) << 32) /* keeps products of two counts sufficiently exact */

bool eti__rank_sum_is_possible(const eti_rank_sum *ranks) {
    if (ranks->n_new < 1 || ranks->n_new > MOST_VALUES || ranks->n_base < 1 ||
        ranks->n_base > MOST_VALUES)
        return false;
    double n_new = (double)ranks->n_new, n_base = (double)ranks->n_base, n = n_new + n_base;
    double least = n_new * (n_new + 1.0) / 2.0;
    return ranks->rank_sum >= least && ranks->rank_sum <= least + n_new * n_base &&
           ranks->tie_term >= 0.0 && ranks->tie_term <= n * (n * n - 1.0);
}

double eti__mann_whitney(const eti_rank_sum *ranks) {
    double n_new = (double)ranks->n_new, n_base = (double)ranks->n_base, n = n_new + n_base;
    double u = ranks->rank_sum - n_new * (n_new + 1.0) / 2.0;
    double ties = ranks->tie_term / (n * (n - 1.0));
    double variance = n_new * n_base / 12.0 * (n + 1.0 - ties);
    return variance > 0.0 ? eti__normal_two_sided((u - n_new * n_base / 2.0) / sqrt(variance))
                          : 1.0;
}
