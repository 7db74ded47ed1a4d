/*
 * statistics - lets scripts call src/stats: reads requests from standard input, answers each with a line of
 * numbers.
 *
 * A request is a line of words, then doubles as the machine stores them. Answers are doubles as "%a" writes
 * them, which Python's float.fromhex() takes.
 *
 *     student N                                         pairs of t and degrees of freedom
 *         -> the probability of each
 *     quantile N                                        pairs of a probability and degrees of freedom
 *         -> t of each
 *     polygamma N                                       values
 *         -> digamma, trigamma, tetragamma and the inverse of trigamma of each
 *     holm N                                            p-values
 *         -> adjusted p-values
 *     series N                                          values
 *         -> median mad mean_deviation variation trend.p trend.per_run lag_correlation
 *     fast N                                            values
 *         -> the mean of the fastest quarter
 *     ranks N_BASE N_NEW
 *         -> P(U <= u) for u = 0 .. N_BASE N_NEW
 *     shift N_BASE N_NEW BETA                           values, base first
 *         -> estimate low high p_slower p_faster, and number of differences outside of each bound
 *     prior N DOF                                       variances
 *         -> degrees of freedom and variance of the prior, then for each: moderated variance and degrees of freedom
 *     changes N N_BASE N_NEW                            steps of the rows, then values, row by row
 *         -> degrees of freedom and variance of the prior, level of each file, then for each row: difference error dof
 *     divide N ALPHA SEED                               values
 *         -> for each change: at p score
 *     gates DISTRIBUTION N N_BASE N_NEW GATES EFFECT OF_ONE SEED
 *         -> shares of gates that failed, that passed, in which anything was faster, in which the first event was slower, and in
 *            which another one was; the new side is slower by EFFECT, or only its first event if OF_ONE is 1
 *     trials DISTRIBUTION N SERIES DEPENDENCE CHANGED_AT EFFECT ALPHA SEED
 *         -> share of series in which a change was found
 */
#include "statistics.h"

#include "simulation.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Noreturn void stop(const char *why) {
    fprintf(stderr, "statistics: %s\n", why);
    exit(1);
}

void *allocate(size_t n, size_t size) {
    void *found = calloc(n + 1, size);
    if (!found)
        stop("out of memory");
    return found;
}

static void fill(double *values, size_t n) {
    if (fread(values, sizeof *values, n, stdin) != n)
        stop("standard input ends within the values of a request");
}

/* Room for `n_scratch` more lies behind the n values. */
static double *read_values(size_t n, size_t n_scratch) {
    double *values = allocate(n + n_scratch, sizeof *values);
    fill(values, n);
    return values;
}

static void answer(const double *values, size_t n) {
    for (size_t i = 0; i < n; i++)
        printf("%s%a", i > 0 ? " " : "", values[i]);
    putchar('\n');
}

static size_t read_count(const char *words, const char *expected) {
    size_t n;
    if (sscanf(words, "%zu", &n) != 1)
        stop(expected);
    return n;
}

static void answer_pairs(size_t n, double of(double value, double dof)) {
    double *values = read_values(2 * n, 0);
    for (size_t i = 0; i < n; i++)
        values[i] = of(values[2 * i], values[2 * i + 1]);
    answer(values, n);
    free(values);
}

static void student(const char *words) {
    answer_pairs(read_count(words, "expected student N"), eti__student_two_sided);
}

static void quantile(const char *words) {
    answer_pairs(read_count(words, "expected quantile N"), eti__student_quantile);
}

static void polygamma(const char *words) {
    size_t n = read_count(words, "expected polygamma N");
    double *values = read_values(n, 4 * n), *found = values + n;
    for (size_t i = 0; i < n; i++) {
        found[4 * i] = eti__digamma(values[i]);
        found[4 * i + 1] = eti__trigamma(values[i]);
        found[4 * i + 2] = eti__tetragamma(values[i]);
        found[4 * i + 3] = eti__trigamma_inverse(values[i]);
    }
    answer(found, 4 * n);
    free(values);
}

static void holm(const char *words) {
    size_t n = read_count(words, "expected holm N");
    double *values = read_values(n, 2 * n);
    eti__holm_adjust(values, n, values + n);
    answer(values, n);
    free(values);
}

static void series(const char *words) {
    size_t n = read_count(words, "expected series N");
    double *values = read_values(n, 2 * n), *scratch = values + n;
    eti_spread spread = eti__spread_of(values, n, scratch);
    double variation = eti__coefficient_of_variation(values, n, scratch);
    eti_run_trend trend = eti__trend_of(values, n, scratch);
    double lag_correlation = eti__lag_correlation(values, n, scratch);
    const double numbers[] = {spread.median, spread.mad,    spread.mean_deviation, variation,
                              trend.p,       trend.per_run, lag_correlation};
    answer(numbers, sizeof numbers / sizeof *numbers);
    free(values);
}

static void fast(const char *words) {
    size_t n = read_count(words, "expected fast N");
    double *values = read_values(n, 0);
    double found = eti__fast_mean(values, n);
    answer(&found, 1);
    free(values);
}

static eti_ranks make_ranks(size_t n_base, size_t n_new) {
    eti_ranks made;
    if (!eti__ranks_make(&made, n_base, n_new))
        stop("out of memory");
    return made;
}

static void ranks(const char *words) {
    size_t n_base, n_new;
    if (sscanf(words, "%zu %zu", &n_base, &n_new) != 2)
        stop("expected ranks N_BASE N_NEW");
    eti_ranks made = make_ranks(n_base, n_new);
    double *found = allocate(n_base * n_new + 1, sizeof *found);
    for (size_t u = 0; u <= n_base * n_new; u++)
        found[u] = eti__ranks_below(&made, u);
    answer(found, n_base * n_new + 1);
    free(found);
    eti__ranks_free(&made);
}

static void shift(const char *words) {
    size_t n_base, n_new;
    double beta;
    if (sscanf(words, "%zu %zu %lf", &n_base, &n_new, &beta) != 3)
        stop("expected shift N_BASE N_NEW BETA");
    size_t n = n_base + n_new;
    double *values = read_values(n, 2 * n);
    eti_ranks made = make_ranks(n_base, n_new);
    eti_shift found = eti__shift_of(&made, values, beta, values + n);
    const double numbers[] = {found.estimate, found.low,
                              found.high,     found.p_slower,
                              found.p_faster, (double)eti__ranks_outside(&made, beta)};
    answer(numbers, sizeof numbers / sizeof *numbers);
    eti__ranks_free(&made);
    free(values);
}

static void prior(const char *words) {
    size_t n;
    double dof;
    if (sscanf(words, "%zu %lf", &n, &dof) != 2)
        stop("expected prior N DOF");
    double *variances = read_values(n, 2 * n + 2 + 2 * n), *found = variances + 3 * n;
    eti_variance_prior p = eti__variance_prior_of(variances, n, dof, variances + n);
    found[0] = p.dof;
    found[1] = p.variance;
    for (size_t i = 0; i < n; i++) {
        found[2 + 2 * i] = variances[i];
        found[3 + 2 * i] = dof;
        eti__moderate_variance(&p, &found[2 + 2 * i], &found[3 + 2 * i]);
    }
    answer(found, 2 + 2 * n);
    free(variances);
}

/* Finds the changes relative to the level of files, with a prior, as comparisons do. */
static void changes(const char *words) {
    size_t n, n_base, n_new;
    if (sscanf(words, "%zu %zu %zu", &n, &n_base, &n_new) != 3)
        stop("expected changes N N_BASE N_NEW");
    size_t n_files = n_base + n_new, n_values = n * n_files, n_numbers = 2 + n_files + 3 * n;
    double *steps = read_values(n + n_values, 0), *values = steps + n;
    double *logs = allocate(n_values, sizeof *logs), *found = allocate(n_numbers, sizeof *found);
    double *scratch = allocate(n_values + 5 * n + 2 * n_files, sizeof *scratch);
    double *levels = found + 2, *rows = levels + n_files;
    eti_change *made = allocate(n, sizeof *made);
    const eti_file_values file_values = {
        .n = n, .n_base = n_base, .n_new = n_new, .values = values, .steps = steps};
    eti_variance_prior of_rows;
    eti__log_values(logs, &file_values);
    eti__find_levels(levels, logs, &file_values, scratch);
    eti__find_changes(made, logs, levels, &file_values, &of_rows, scratch);
    found[0] = of_rows.dof;
    found[1] = of_rows.variance;
    for (size_t i = 0; i < n; i++) {
        rows[3 * i] = made[i].difference;
        rows[3 * i + 1] = made[i].error;
        rows[3 * i + 2] = made[i].dof;
    }
    answer(found, n_numbers);
    free(made);
    free(scratch);
    free(found);
    free(logs);
    free(steps);
}

static void divide(const char *words) {
    size_t n, n_points;
    double alpha;
    uint64_t seed;
    if (sscanf(words, "%zu %lf %" SCNu64, &n, &alpha, &seed) != 3)
        stop("expected divide N ALPHA SEED");
    double *values = read_values(n, n), *found = values + n;
    eti_change_point *points = allocate(n, sizeof *points);
    eti_error err = ETI_ERROR_INIT;
    if (eti__find_change_points(points, &n_points, values, n, alpha, seed, &err) != ETI_OK)
        stop(err.message);
    for (size_t i = 0; i < n_points; i++) {
        found[3 * i] = (double)points[i].at;
        found[3 * i + 1] = points[i].p;
        found[3 * i + 2] = points[i].score;
    }
    answer(found, 3 * n_points);
    free(points);
    free(values);
}

static const struct {
    const char *name;
    void (*run)(const char *words);
} requests[] = {
    {"student ", student},
    {"quantile ", quantile},
    {"polygamma ", polygamma},
    {"holm ", holm},
    {"series ", series},
    {"fast ", fast},
    {"ranks ", ranks},
    {"shift ", shift},
    {"prior ", prior},
    {"changes ", changes},
    {"divide ", divide},
    {"gates ", simulate_gates},
    {"trials ", simulate_series},
};

int main(void) {
    char line[256];
    while (fgets(line, sizeof line, stdin)) {
        size_t i = 0, n_requests = sizeof requests / sizeof *requests;
        while (i < n_requests && strncmp(line, requests[i].name, strlen(requests[i].name)) != 0)
            i++;
        if (i == n_requests)
            stop("unknown request");
        requests[i].run(line + strlen(requests[i].name));
    }
    return 0;
}
