#include "stats/change.h"

#include "stats/stats.h"
#include "stats/summary.h"

#include <math.h>
#include <string.h>

/* ==== variance prior ========================================================================== */

#define LEAST_OF_MEDIAN 1e-5 /* smaller variances are raised to this share of the median */
#define WILD 0.1             /* share of variances at each end that must not influence the prior */
#define MANY 1e6             /* degrees of freedom of a variance that is considered known */

/* Returns log(dof / 2) - digamma(dof / 2): the average distance of the logarithm of a variance below that of the true
 * variance. */
static double log_bias(double dof) {
    return log(dof / 2.0) - eti__digamma(dof / 2.0);
}

/* Fills the bias-corrected logarithms of variances in ascending order. */
static void take_logarithms(double *logs, double *sorted, size_t n, double dof) {
    double least = LEAST_OF_MEDIAN * (sorted[(n - 1) / 2] + sorted[n / 2]) / 2.0;
    double bias = log_bias(dof);
    for (size_t i = 0; i < n; i++)
        logs[i] = log(fmax(sorted[i], least)) + bias;
}

/* Clips values in ascending order to their quantiles. */
static void winsorise(double *values, size_t n) {
    double low = eti__percentile(values, n, WILD), high = eti__percentile(values, n, 1.0 - WILD);
    for (size_t i = 0; i < n; i++)
        values[i] = fmin(fmax(values[i], low), high);
}

/* Sorts the values first, so that the sums do not depend on their order. */
eti_variance_prior eti__variance_prior_of(const double *variances, size_t n, double dof,
                                          double *scratch) {
    if (n < ETI_PRIOR_FEWEST)
        return (eti_variance_prior){0.0, 0.0};
    double *logs = scratch;
    memcpy(logs, variances, n * sizeof *variances);
    eti__sort_doubles(logs, n);
    take_logarithms(logs, logs, n, dof);
    winsorise(logs, n);
    double mean = eti__mean(logs, n);
    double beyond_chance = eti__variance(logs, n, scratch + n) - eti__trigamma(dof / 2.0);
    if (!(beyond_chance > 0.0))
        return (eti_variance_prior){(double)INFINITY, exp(mean)};
    double prior_dof = 2.0 * eti__trigamma_inverse(beyond_chance);
    return (eti_variance_prior){prior_dof, exp(mean - log_bias(prior_dof))};
}

/* Changes nothing without a prior, whose variance is then 0: no variance is smaller. */
void eti__moderate_variance(const eti_variance_prior *prior, double *variance, double *dof) {
    if (*variance > prior->variance)
        return;
    if (isinf(prior->dof)) {
        *variance = prior->variance;
        *dof = MANY;
        return;
    }
    double sum = prior->dof + *dof;
    *variance = (prior->dof * prior->variance + *dof * *variance) / sum;
    *dof = sum;
}

/* ==== change ================================================================================== */

#define HALF_PI 1.57079632679489661923

/* Probability that any of the rows of a family is left out of the level although it has not changed. */
#define LEVEL_ALPHA 0.01
/* Rows are left out of the level in steps of 1 of this number, so that their number does not square the time. */
#define LEVEL_STEP 64

static size_t count_files(const eti_locations *locations) {
    return locations->n_base + locations->n_new;
}

static double step_of(const eti_locations *locations, size_t row) {
    return locations->steps ? locations->steps[row] : 0.0;
}

static double square(double x) {
    return x * x;
}

/* ---- logarithms ------------------------------------------------------------------------------ */

void eti__log_locations(double *out, const eti_locations *locations) {
    size_t n_files = count_files(locations);
    for (size_t i = 0; i < locations->n; i++) {
        double half_step = step_of(locations, i) / 2.0;
        for (size_t j = i * n_files; j < (i + 1) * n_files; j++)
            out[j] = log(locations->values[j] + half_step);
    }
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
typedef struct side_variances {
    double *base, *new_side, *pooled;
} side_variances;

static size_t count_degrees(size_t n_base, size_t n_new) {
    return n_base + n_new - (n_base > 0) - (n_new > 0);
}

/* Returns the smallest plausible variance (3.7): the position of a time within a step of the clock is unknown. */
static double least_variance(double relative_step) {
    return square(relative_step) / 12.0 + square(ETI_LEAST_DEVIATION);
}

/* Fills difference, step and variances of a row. `scratch` has room for 2 numbers per file. */
static void describe_row(eti_change *out, side_variances *v, size_t row, const double *logs,
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

/* Adds the error of the level to the errors of the rows: a median of n numbers has pi / 2n of their variance. `scratch`
 * has room for n numbers. */
static void add_level_error(eti_change *changes, const eti_locations *locations, double *scratch) {
    size_t n = locations->n;
    if (locations->n_level_rows == 0 || n == 0)
        return;
    for (size_t i = 0; i < n; i++)
        scratch[i] = square(changes[i].error);
    double of_level = HALF_PI / (double)locations->n_level_rows * eti__median(scratch, n);
    for (size_t i = 0; i < n; i++)
        changes[i].error = sqrt(square(changes[i].error) + of_level);
}

void eti__find_means(eti_change *out, const double *logs, const double *levels,
                     const eti_locations *locations, eti_variance_prior *prior, double *scratch) {
    size_t n = locations->n;
    double dof = (double)count_degrees(locations->n_base, locations->n_new);
    side_variances v = {scratch, scratch + n, scratch + 2 * n};
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
    add_level_error(out, locations, scratch + 3 * n);
}

void eti__find_changes(eti_change *out, const double *logs, const double *levels,
                       const eti_locations *locations, eti_variance_prior *prior, double *scratch) {
    eti__find_means(out, logs, levels, locations, prior, scratch);
    for (size_t i = 0; i < locations->n; i++) {
        double t = out[i].difference / out[i].error;
        out[i].p = isfinite(t) ? eti__student_two_sided(t, out[i].dof) : 1.0;
    }
}

/* ---- levels ---------------------------------------------------------------------------------- */

/* Fills the levels of the files of one side, of which the first is file `first`. */
static void find_side_levels(double *levels, const double *logs, const eti_locations *locations,
                             size_t first, size_t n_files, double *scratch) {
    size_t n = locations->n;
    double *deviations = scratch; /* one row of n numbers per file */
    if (n_files == 0)
        return;
    for (size_t i = 0; i < n; i++) {
        const double *row = logs + i * count_files(locations) + first;
        double usual = eti__median_of(row, n_files, scratch + n * n_files);
        for (size_t j = 0; j < n_files; j++)
            deviations[j * n + i] = row[j] - usual;
    }
    for (size_t j = 0; j < n_files; j++)
        levels[first + j] = eti__median(deviations + j * n, n);
}

/* Leaves out the rows whose difference from `middle` exceeds their reach most: one row, or 1 of LEVEL_STEP. Returns the
 * number of rows that remain, which is n if no row exceeds its reach. `scratch` has room for 2 n numbers. */
static size_t leave_out_changed(double *differences, double *reaches, size_t n, double middle,
                                double *scratch) {
    size_t n_most = n / LEVEL_STEP > 1 ? n / LEVEL_STEP : 1, n_left = 0;
    double *distances = scratch, *sorted = scratch + n;
    for (size_t i = 0; i < n; i++)
        distances[i] = sorted[i] = fabs(differences[i] - middle) / reaches[i];
    eti__sort_doubles(sorted, n);
    double limit = sorted[n - n_most];
    for (size_t i = 0; i < n; i++) {
        if (distances[i] >= limit && distances[i] > 1.0)
            continue;
        differences[n_left] = differences[i];
        reaches[n_left++] = reaches[i];
    }
    return n_left;
}

/* Returns the median difference of the largest set of rows that agree, if these are more than half of n rows, otherwise
 * the median of all. Rows without a finite difference are ignored. `scratch` has room for 4 n numbers. */
static double find_common_difference(const eti_change *changes, size_t n, double *scratch) {
    double *differences = scratch, *reaches = scratch + n, *rest = scratch + 2 * n;
    double t = 0.0, dof = 0.0;
    size_t n_all = 0;
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(changes[i].difference))
            continue;
        if (changes[i].dof != dof) {
            dof = changes[i].dof;
            t = -eti__student_quantile(LEVEL_ALPHA / 2.0 / (double)n, dof);
        }
        differences[n_all] = changes[i].difference;
        reaches[n_all++] = dof > 0.0 ? t * changes[i].error : (double)INFINITY;
    }
    if (n_all == 0)
        return 0.0;
    double of_all = eti__median_of(differences, n_all, rest), middle = of_all;
    for (size_t n_left = n_all, n_before = 0; n_left != n_before;) {
        n_before = n_left;
        n_left = leave_out_changed(differences, reaches, n_left, middle, rest);
        if (2 * n_left <= n_all)
            return of_all;
        middle = eti__median_of(differences, n_left, rest);
    }
    return middle;
}

void eti__find_levels(double *levels, const double *logs, const eti_locations *locations,
                      eti_change *changes, double *scratch) {
    size_t n = locations->n, n_base = locations->n_base, n_new = locations->n_new;
    if (n < ETI_LEVEL_FEWEST_EVENTS) {
        for (size_t j = 0; j < n_base + n_new; j++)
            levels[j] = 0.0;
        return;
    }
    find_side_levels(levels, logs, locations, 0, n_base, scratch);
    find_side_levels(levels, logs, locations, n_base, n_new, scratch);
    if (n_base == 0 || n_new == 0)
        return;
    if (n_base + n_new > 2) {
        eti_variance_prior prior;
        eti__find_means(changes, logs, levels, locations, &prior, scratch);
    } else {
        for (size_t i = 0; i < n; i++)
            changes[i] = (eti_change){.difference = logs[2 * i + 1] - logs[2 * i]};
    }
    /* Halves make an exchange of the sides change signs only. */
    double half = find_common_difference(changes, n, scratch) / 2.0;
    for (size_t j = 0; j < n_base + n_new; j++)
        levels[j] += j < n_base ? -half : half;
}

/* ---- for each change ------------------------------------------------------------------------- */

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

/* ==== holm ==================================================================================== */

/* Returns the index of the first sorted value that equals `value`, which must be one of them. */
static size_t find_first(const double *sorted, size_t n, double value) {
    size_t low = 0, high = n - 1;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (sorted[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Multiplies the p-value of rank i (from 0) by n - i, but keeps it at least as large as those before it; equal
 * p-values count like the first of them. */
void eti__holm_adjust(double *p, size_t n, double *scratch) {
    double *sorted = scratch, *adjusted = scratch + n;
    memcpy(sorted, p, n * sizeof *p);
    eti__sort_doubles(sorted, n);
    double most = 0.0;
    for (size_t i = 0; i < n; i++) {
        most = fmax(most, fmin(1.0, sorted[i] * (double)(n - i)));
        adjusted[i] = most;
    }
    for (size_t i = 0; i < n; i++)
        p[i] = adjusted[find_first(sorted, n, p[i])];
}

/* ==== verdict ================================================================================= */

const char *eti__verdict_name(eti_verdict verdict) {
    static const char *const names[ETI_N_VERDICTS] = {
        [ETI_VERDICT_NOISE] = "~",           [ETI_VERDICT_SLOWER] = "slower",
        [ETI_VERDICT_FASTER] = "faster",     [ETI_VERDICT_UNDECIDED] = "undecided",
        [ETI_VERDICT_ADDED] = "added",       [ETI_VERDICT_REMOVED] = "removed",
        [ETI_VERDICT_UNTESTED] = "untested",
    };
    return names[verdict];
}
