#include "stats/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "stats/hodges_lehmann.h"
#include "stats/mann_whitney.h"
#include "stats/order.h"

#define MOST_SAMPLES ((size_t)1 << 31)

/* Differences of samples below this stay finite. */
#define GREATEST 1e300

/* ---- what is refused ------------------------------------------------------------------------- */

static eti_status check_options(const eti_compare_options *options, eti_error *err) {
    if (!(options->confidence > 0.0 && options->confidence < 1.0))
        return eti_fail(err, ETI_ERROR_USAGE, "expected a confidence above 0 and below 1, found %g",
                        options->confidence);
    if (options->n_resamples < 1 || options->n_resamples > ETI_MOST_RESAMPLES)
        return eti_fail(err, ETI_ERROR_USAGE, "expected 1 to %d resamples, found %zu",
                        ETI_MOST_RESAMPLES, options->n_resamples);
    return ETI_OK;
}

static eti_status check_side(eti_sample_set side, const char *name, eti_error *err) {
    if (side.n == 0)
        return eti_fail(err, ETI_ERROR_DATA, "expected samples to compare, the %s has none", name);
    if (side.n >= MOST_SAMPLES)
        return eti_fail(err, ETI_ERROR_LIMIT,
                        "expected less than 2^31 samples to compare, the %s has %zu", name, side.n);
    for (size_t i = 0; i < side.n; i++) {
        if (!(side.values[i] >= 0.0 && side.values[i] <= GREATEST))
            return eti_fail(err, ETI_ERROR_DATA,
                            "expected samples from 0 to 1e300, sample %zu of the %s is %g", i, name,
                            side.values[i]);
    }
    return ETI_OK;
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Where each step works; the steps take turns in `work`. */
typedef struct workspace {
    double *base, *new_side; /* sorted copies */
    double *work;
} workspace;

static size_t greatest_of(size_t a, size_t b, size_t c) {
    size_t greatest = a > b ? a : b;
    return greatest > c ? greatest : c;
}

static eti_status make_room(workspace *out, eti_compare_scratch *scratch, size_t n_base,
                            size_t n_new, size_t n_resamples, eti_error *err) {
    size_t n_work = greatest_of(eti__mann_whitney_scratch(n_base, n_new),
                                eti__hodges_lehmann_differences(n_base, n_new), n_resamples);
    if (!ETI_GROW(scratch->values, scratch->n_values, n_base + n_new + n_work) ||
        !ETI_GROW(scratch->ranks, scratch->n_ranks, 4 * n_base))
        return eti_fail_memory(err);
    *out = (workspace){.base = scratch->values,
                       .new_side = scratch->values + n_base,
                       .work = scratch->values + n_base + n_new};
    return ETI_OK;
}

void eti__compare_scratch_free(eti_compare_scratch *scratch) {
    free(scratch->values);
    free(scratch->ranks);
    eti__resampling_free(&scratch->base);
    eti__resampling_free(&scratch->new_side);
    *scratch = (eti_compare_scratch){0};
}

/* ---- comparing ------------------------------------------------------------------------------- */

static void copy_sorted(double *out, eti_sample_set side) {
    memcpy(out, side.values, side.n * sizeof *out);
    eti__sort_doubles(out, side.n);
}

eti_status eti__compare(eti_comparison *out, eti_sample_set base, eti_sample_set new_side,
                        const eti_compare_options *options, eti_compare_scratch *scratch,
                        eti_error *err) {
    static const eti_compare_options defaults = ETI_COMPARE_DEFAULT;
    if (!options)
        options = &defaults;
    workspace space;
    ETI_TRY(check_options(options, err));
    ETI_TRY(check_side(base, "base", err));
    ETI_TRY(check_side(new_side, "new side", err));
    ETI_TRY(make_room(&space, scratch, base.n, new_side.n, options->n_resamples, err));
    ETI_TRY(eti__resample(&scratch->base, base.n, options->n_resamples, options->seed, 0, err));
    ETI_TRY(
        eti__resample(&scratch->new_side, new_side.n, options->n_resamples, options->seed, 1, err));

    copy_sorted(space.base, base);
    copy_sorted(space.new_side, new_side);
    eti_mann_whitney test =
        eti__mann_whitney_test(space.base, base.n, space.new_side, new_side.n, space.work);
    double median_base = eti__percentile(space.base, base.n, 0.5);
    double median_new = eti__percentile(space.new_side, new_side.n, 0.5);
    *out = (eti_comparison){
        .n_base = base.n,
        .n_new = new_side.n,
        .median_base = median_base,
        .median_new = median_new,
        .delta = median_new - median_base,
        .ratio = eti__ratio(median_new, median_base),
        .ratio_interval = eti__bootstrap_ratio(&scratch->base, space.base, &scratch->new_side,
                                               space.new_side, options->confidence, space.work),
        .shift = eti__hodges_lehmann(
            space.base, base.n, space.new_side, new_side.n,
            (eti_hodges_lehmann_scratch){.ranks = scratch->ranks, .differences = space.work}),
        .p = test.p,
        .least_p = test.least_p,
        .p_is_exact = test.exact,
    };
    return ETI_OK;
}

double eti__geometric_mean(const double *ratios, size_t n) {
    double sum = 0.0;
    bool zero = false, infinite = false;
    for (size_t i = 0; i < n; i++) {
        zero = zero || ratios[i] == 0.0;
        infinite = infinite || isinf(ratios[i]);
        sum += ratios[i] > 0.0 && !isinf(ratios[i]) ? log(ratios[i]) : 0.0;
    }
    if (zero && infinite)
        return 1.0;
    if (zero || infinite)
        return zero ? 0.0 : (double)INFINITY;
    return n == 0 ? 1.0 : exp(sum / (double)n);
}
