#include "measure/looks.h"

#include "base/status.h"
#include "stats/stats.h"

static const double parts[ETI_MOST_LOOKS] = {0.30, 0.45, 0.70, 1};

/* Adds the last `n_looks` parts; looks at the same number of pairs become one. */
static void add_looks(eti_looks *out, size_t n_looks, size_t n_pairs, size_t fewest) {
    out->n = 0;
    for (size_t i = ETI_MOST_LOOKS - n_looks; i < ETI_MOST_LOOKS; i++) {
        size_t at = (size_t)(parts[i] * (double)n_pairs + 0.5);
        if (at < fewest)
            at = fewest;
        if (out->n == 0 || at > out->pairs[out->n - 1])
            out->pairs[out->n++] = at;
    }
}

eti_status eti__looks_plan(eti_looks *out, size_t n_pairs, double alpha, eti_error *err) {
    for (size_t n = ETI_MOST_LOOKS; n > 0; n--) {
        size_t fewest = eti__fewest_files(alpha / (double)n);
        if (fewest > n_pairs)
            continue;
        add_looks(out, n, n_pairs, fewest);
        out->alpha = alpha / (double)out->n;
        return ETI_OK;
    }
    return eti_fail(err, ETI_ERROR_USAGE,
                    "%spairs: %zu pairs of processes cannot show a change; with alpha %g, at least "
                    "%zu are needed",
                    eti__option_prefix(), n_pairs, alpha, eti__fewest_files(alpha));
}
