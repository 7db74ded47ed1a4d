#include "stats/change.h"

#include <math.h>

#include "stats/order.h"
#include "stats/student.h"
#include "stats/summary.h"

static size_t count_files(const eti_locations *locations) {
    return locations->n_base + locations->n_new;
}

static double step_of(const eti_locations *locations, size_t row) {
    return locations->steps ? locations->steps[row] : 0.0;
}

static double square(double x) {
    return x * x;
}

/* ---- logarithms and levels ------------------------------------------------------------------- */

void eti__log_locations(double *out, const eti_locations *locations) {
    size_t n_files = count_files(locations);
    for (size_t i = 0; i < locations->n; i++) {
        double half_step = step_of(locations, i) / 2.0;
        for (size_t j = i * n_files; j < (i + 1) * n_files; j++)
            out[j] = log(locations->values[j] + half_step);
    }
}

void eti__find_levels(double *levels, const double *logs, const eti_locations *locations,
                      double *scratch) {
    size_t n = locations->n, n_files = count_files(locations);
    if (n < ETI_LEVEL_FEWEST_EVENTS) {
        for (size_t j = 0; j < n_files; j++)
            levels[j] = 0.0;
        return;
    }
    double *deviations = scratch; /* one per file */
    for (size_t i = 0; i < n; i++) {
        const double *row = logs + i * n_files;
        double usual = eti__median_of(row, n_files, scratch + n * n_files);
        for (size_t j = 0; j < n_files; j++)
            deviations[j * n + i] = row[j] - usual;
    }
    for (size_t j = 0; j < n_files; j++)
        levels[j] = eti__median(deviations + j * n, n);
}

/* ---- changes --------------------------------------------------------------------------------- */

typedef struct side {
    double mean, variance;
} side;

/* Describes one side. The values are sorted first, so that the sums do not depend on the order of files. `scratch`
 * has room for 2 n numbers. */
static side describe_side(const double *logs, const double *levels, size_t n, double *scratch) {
    for (size_t i = 0; i < n; i++)
        scratch[i] = levels ? logs[i] - levels[i] : logs[i];
    eti__sort_doubles(scratch, n);
    return (side){
        .mean = n > 0 ? eti__mean(scratch, n) : 0.0,
        .variance = n > 1 ? eti__variance(scratch, n, scratch + n) : 0.0,
    };
}

/* Variances of the rows, for each side and for both together. */
typedef struct variances {
    double *base, *new_side, *pooled;
} variances;

static size_t count_degrees(size_t n_base, size_t n_new) {
    return n_base + n_new - (n_base > 0) - (n_new > 0);
}

/* Returns the smallest plausible variance (3.7): the position of a time within a step of the clock is unknown. */
static double least_variance(double relative_step) {
    return square(relative_step) / 12.0 + square(ETI_LEAST_DEVIATION);
}

/* Fills difference, step and variances of a row. `scratch` has room for 2 numbers per file. */
static void describe_row(eti_change *out, variances *v, size_t row, const double *logs,
                         const double *levels, const eti_locations *locations, double *scratch) {
    size_t n_base = locations->n_base, n_new = locations->n_new, first = row * (n_base + n_new);
    side base = describe_side(logs + first, levels, n_base, scratch);
    side new_side =
        describe_side(logs + first + n_base, levels ? levels + n_base : NULL, n_new, scratch);
    double step = step_of(locations, row);
    out->difference = new_side.mean - base.mean;
    out->relative_step = 0.0;
    if (step > 0.0)
        out->relative_step =
            step / eti__median_of(locations->values + first, n_base + n_new, scratch);
    double squares = 0.0;
    if (n_base > 0)
        squares += (double)(n_base - 1) * base.variance;
    if (n_new > 0)
        squares += (double)(n_new - 1) * new_side.variance;
    v->base[row] = base.variance;
    v->new_side[row] = new_side.variance;
    v->pooled[row] =
        fmax(squares / (double)count_degrees(n_base, n_new), least_variance(out->relative_step));
}

/* Returns the square of the standard error of the mean of n files; 0 if n is 0. */
static double error_of_mean(double variance, size_t n) {
    return n > 0 ? variance / (double)n : 0.0;
}

/* Fills the standard error (3.10) from the variances of one file. If the numbers of files differ, the many files of
 * one side must not hide the noise of the few. In that case each side's own variance counts, with Welch's degrees of
 * freedom, which are never greater. */
static void find_error(eti_change *change, double variance_base, double variance_new,
                       const eti_locations *locations) {
    size_t n_base = locations->n_base, n_new = locations->n_new;
    double least = least_variance(change->relative_step);
    double squared =
        error_of_mean(change->variance, n_base) + error_of_mean(change->variance, n_new);
    double base = error_of_mean(fmax(variance_base, least), n_base);
    double new_side = error_of_mean(fmax(variance_new, least), n_new);
    if (n_base > 1 && n_new > 1 && n_base != n_new && base + new_side > squared) {
        squared = base + new_side;
        change->dof = square(squared) / (square(base) / (double)(n_base - 1) +
                                         square(new_side) / (double)(n_new - 1));
    }
    change->error = sqrt(squared);
}

void eti__find_means(eti_change *out, const double *logs, const double *levels,
                     const eti_locations *locations, eti_variance_prior *prior, double *scratch) {
    size_t n = locations->n;
    double dof = (double)count_degrees(locations->n_base, locations->n_new);
    variances v = {scratch, scratch + n, scratch + 2 * n};
    for (size_t i = 0; i < n; i++)
        describe_row(&out[i], &v, i, logs, levels, locations, scratch + 5 * n);
    if (prior)
        *prior = eti__variance_prior_of(v.pooled, n, dof, scratch + 3 * n);
    for (size_t i = 0; i < n; i++) {
        out[i].variance = v.pooled[i];
        out[i].dependence = 0.0;
        out[i].dof = dof;
        if (prior)
            eti__moderate_variance(prior, &out[i].variance, &out[i].dof);
        find_error(&out[i], v.base[i], v.new_side[i], locations);
        out[i].p = 1.0;
    }
}

void eti__find_changes(eti_change *out, const double *logs, const double *levels,
                       const eti_locations *locations, eti_variance_prior *prior, double *scratch) {
    eti__find_means(out, logs, levels, locations, prior, scratch);
    for (size_t i = 0; i < locations->n; i++) {
        double t = out[i].difference / out[i].error;
        out[i].p = isfinite(t) ? eti__student_two_sided(t, out[i].dof) : 1.0;
    }
}

eti_interval eti__change_interval(const eti_change *change, double confidence) {
    double reach = -eti__student_quantile((1.0 - confidence) / 2.0, change->dof) * change->error;
    return (eti_interval){exp(change->difference - reach), exp(change->difference + reach)};
}

eti_verdict eti__verdict_on(const eti_change *change, double adjusted_p, double family_alpha,
                            double least_effect) {
    double size = fabs(change->difference);
    bool counts = adjusted_p < family_alpha && size >= log1p(least_effect) &&
                  size > log1p(change->relative_step);
    if (!counts)
        return ETI_VERDICT_NOISE;
    return change->difference > 0.0 ? ETI_VERDICT_SLOWER : ETI_VERDICT_FASTER;
}

/* ---- numbers of files ------------------------------------------------------------------------ */

size_t eti__fewest_files(double alpha) {
    size_t m = 1;
    /* `ways` is C(2m, m). */
    for (double ways = 2.0; ways < 2.0 / alpha; m++)
        ways = ways * (double)(4 * m + 2) / (double)(m + 1);
    return m;
}

double eti__detectable(const eti_change *change, size_t n_family, double family_alpha,
                       double least_effect) {
    double share = family_alpha / (double)n_family;
    double significant = -eti__student_quantile(share / 2.0, change->dof) * change->error;
    double needed = fmax(significant, fmax(log1p(least_effect), log1p(change->relative_step)));
    return expm1(needed + eti__student_quantile(0.8, change->dof) * change->error);
}

eti_change eti__with_files(const eti_change *change, size_t n_base, size_t n_new, size_t n) {
    double of_a_file =
        square(change->error) / (error_of_mean(1.0, n_base) + error_of_mean(1.0, n_new));
    double of_prior = fmax(change->dof - (double)count_degrees(n_base, n_new), 0.0);
    eti_change with = *change;
    with.error = sqrt(2.0 * of_a_file / (double)n);
    with.dof = of_prior + (double)count_degrees(n, n);
    return with;
}

size_t eti__files_for_effect(const eti_change *change, size_t n_base, size_t n_new, double effect,
                             size_t n_family, double family_alpha, double least_effect,
                             size_t fewest) {
    size_t low = fewest, high = ETI_TOO_MANY_FILES;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        eti_change with = eti__with_files(change, n_base, n_new, middle);
        if (eti__detectable(&with, n_family, family_alpha, least_effect) <= effect)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}
