/*
 * numbers.c - statistics for numbers from another source, such as a database.
 */
#include "base/status.h"
#include "stats/stats.h"

#include <inttypes.h>
#include <stdlib.h>

eti_status eti_mann_whitney(double *p, uint64_t n_new, uint64_t n_base, double rank_sum,
                            double tie_term, eti_error *err) {
    eti_rank_sum ranks = {n_new, n_base, rank_sum, tie_term};
    if (!eti__rank_sum_is_possible(&ranks))
        return eti_fail(err, ETI_ERROR_USAGE,
                        "samples of %" PRIu64 " and %" PRIu64
                        " values cannot have the rank sum %.17g and the tie term %.17g",
                        n_new, n_base, rank_sum, tie_term);
    *p = eti__mann_whitney(&ranks);
    return ETI_OK;
}

eti_status eti_holm_adjust(double *p, size_t n, eti_error *err) {
    for (size_t i = 0; i < n; i++) {
        if (!(p[i] >= 0.0 && p[i] <= 1.0))
            return eti_fail(err, ETI_ERROR_USAGE,
                            "p-value %zu is %.17g: expected a number from 0 to 1", i, p[i]);
    }
    if (n == 0)
        return ETI_OK;
    double *scratch = n <= SIZE_MAX / 2 ? calloc(2 * n, sizeof *scratch) : NULL;
    if (!scratch)
        return eti_fail_memory(err);
    eti__holm_adjust(p, n, scratch);
    free(scratch);
    return ETI_OK;
}
