#include "stats/parts.h"

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
    *dof = fmin(sum, MANY);
}

/* ==== change ================================================================================== */

static size_t count_files(const eti_file_values *of) {
    return of->n_base + of->n_new;
}

static double step_of(const eti_file_values *of, size_t row) {
    return of->steps ? of->steps[row] : 0.0;
}

static double square(double x) {
    return x * x;
}

void eti__log_values(double *out, const eti_file_values *of) {
    size_t n_files = count_files(of);
    for (size_t i = 0; i < of->n; i++) {
        double half_step = step_of(of, i) / 2.0;
        for (size_t j = i * n_files; j < (i + 1) * n_files; j++)
            out[j] = log(of->values[j] + half_step);
    }
}

void eti__find_deviations(double *out, const double *logs, const eti_file_values *of,
                          double *scratch) {
    size_t n = of->n, n_files = count_files(of);
    for (size_t i = 0; i < n; i++) {
        const double *row = logs + i * n_files;
        double usual = eti__median_of(row, n_files, scratch);
        for (size_t j = 0; j < n_files; j++)
            out[j * n + i] = row[j] - usual;
    }
}

void eti__find_levels(double *levels, const double *logs, const eti_file_values *of,
                      double *scratch) {
    size_t n = of->n, n_files = count_files(of);
    bool has_levels = n >= ETI_LEVEL_FEWEST_EVENTS;
    if (has_levels)
        eti__find_deviations(scratch, logs, of, scratch + n * n_files);
    for (size_t j = 0; j < n_files; j++)
        levels[j] = has_levels ? eti__median(scratch + j * n, n) : 0.0;
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

/* Returns the smallest plausible variance: the position of a time within a step of the clock is unknown. */
static double least_variance(double relative_step) {
    return square(relative_step) / 12.0 + square(ETI_LEAST_DEVIATION);
}

/* Fills difference, step and variances of a row. `scratch` has room for 2 numbers per file. */
static void describe_row(eti_change *out, side_variances *v, size_t row, const double *logs,
                         const double *levels, const eti_file_values *of, double *scratch) {
    size_t n_base = of->n_base, n_new = of->n_new, first = row * (n_base + n_new);
    side base = describe_side(logs + first, levels, n_base, scratch);
    side new_side =
        describe_side(logs + first + n_base, levels ? levels + n_base : NULL, n_new, scratch);
    double step = step_of(of, row);
    out->difference = new_side.mean - base.mean;
    out->relative_step = 0.0;
    if (step > 0.0)
        out->relative_step = step / eti__median_of(of->values + first, n_base + n_new, scratch);
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

/* With equal numbers of files, only rounding distinguishes both errors of an unmoderated variance. */
#define ROUNDING 1e-9

/* Fills the standard error from the variances of one file. The many files of one side must not hide the noise of the
 * few of the other: if the sides' own variances give a greater error, they count, with Welch's degrees of freedom. */
static void find_error(eti_change *change, double variance_base, double variance_new,
                       const eti_file_values *of) {
    size_t n_base = of->n_base, n_new = of->n_new;
    double least = least_variance(change->relative_step);
    double squared =
        error_of_mean(change->variance, n_base) + error_of_mean(change->variance, n_new);
    double base = error_of_mean(fmax(variance_base, least), n_base);
    double new_side = error_of_mean(fmax(variance_new, least), n_new);
    if (n_base > 1 && n_new > 1 && base + new_side > squared * (1.0 + ROUNDING)) {
        squared = base + new_side;
        double welch = square(squared) / (square(base) / (double)(n_base - 1) +
                                          square(new_side) / (double)(n_new - 1));
        change->dof = fmin(change->dof, welch);
    }
    change->error = sqrt(squared);
}

void eti__find_changes(eti_change *out, const double *logs, const double *levels,
                       const eti_file_values *of, eti_variance_prior *prior, double *scratch) {
    size_t n = of->n;
    double dof = (double)count_degrees(of->n_base, of->n_new);
    side_variances v = {scratch, scratch + n, scratch + 2 * n};
    for (size_t i = 0; i < n; i++)
        describe_row(&out[i], &v, i, logs, levels, of, scratch + 5 * n);
    if (prior)
        *prior = eti__variance_prior_of(v.pooled, n, dof, scratch + 3 * n);
    for (size_t i = 0; i < n; i++) {
        out[i].variance = v.pooled[i];
        out[i].dependence = 0.0;
        out[i].dof = dof;
        if (prior)
            eti__moderate_variance(prior, &out[i].variance, &out[i].dof);
        find_error(&out[i], v.base[i], v.new_side[i], of);
    }
}

size_t eti__fewest_files(double share) {
    size_t m = 1;
    /* `ways` is C(2m, m). */
    for (double ways = 2.0; ways < 1.0 / share; m++)
        ways = ways * (double)(4 * m + 2) / (double)(m + 1);
    return m;
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
