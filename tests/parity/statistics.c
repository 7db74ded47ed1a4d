/*
 * statistics - lets scripts call src/stats: reads requests from standard input, answers each with a line of
 * numbers.
 *
 * A request is a line of words, then doubles as the machine stores them. Answers are doubles as "%a" writes
 * them, which Python's float.fromhex() takes.
 *
 *     compare N_BASE N_NEW CONFIDENCE RESAMPLES SEED    n_base + n_new samples
 *         -> median_base median_new delta ratio low high shift p exact
 *     holm N                                            p-values
 *         -> adjusted p-values
 *     series N                                          values
 *         -> median mad mean_deviation variation trend.p trend.per_run lag_correlation
 *     effect N EFFECT LEAST_EFFECT ALPHA FAMILY POWER   samples
 *         -> samples needed to find the effect, the effect that as many find
 *     pace N_EVENTS N_RUNS                              usual times, then the samples of each event
 *         -> pace of each run
 *     gate N_EVENTS N_BASE N_NEW ALPHA LEAST_EFFECT LEAST_SHARE PACE   samples of each event: base, then new
 *         -> for each event 0 noise, 1 slower, 2 faster, 3 too few, or -1 below LEAST_SHARE of the longest event;
 *            PACE 0: as measured, 1: relative to the pace of the run, 2: as much as scatters least
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stats/compare.h"
#include "stats/holm.h"
#include "stats/order.h"
#include "stats/pace.h"
#include "stats/power.h"
#include "stats/series.h"
#include "stats/spread.h"
#include "stats/verdict.h"

static eti_compare_scratch compare_scratch;

static void stop(const char *why) {
    fprintf(stderr, "statistics: %s\n", why);
    exit(1);
}

/* Room for `n_scratch` more lies behind the n values. */
static double *read_values(size_t n, size_t n_scratch) {
    double *values = malloc((n + n_scratch + 1) * sizeof *values);
    if (!values)
        stop("out of memory");
    if (fread(values, sizeof *values, n, stdin) != n)
        stop("standard input ends within the values of a request");
    return values;
}

static void answer(const double *values, size_t n) {
    for (size_t i = 0; i < n; i++)
        printf("%s%a", i > 0 ? " " : "", values[i]);
    putchar('\n');
}

static void compare(const char *words) {
    size_t n_base, n_new;
    eti_compare_options options;
    if (sscanf(words, "%zu %zu %lf %zu %" SCNu64, &n_base, &n_new, &options.confidence,
               &options.n_resamples, &options.seed) != 5)
        stop("expected compare N_BASE N_NEW CONFIDENCE RESAMPLES SEED");
    double *values = read_values(n_base + n_new, 0);
    eti_comparison found;
    eti_error err = ETI_ERROR_INIT;
    if (eti__compare(&found, (eti_sample_set){values, n_base},
                     (eti_sample_set){values + n_base, n_new}, &options, &compare_scratch,
                     &err) != ETI_OK)
        stop(err.message);
    const double numbers[] = {
        found.median_base,        found.median_new,          found.delta, found.ratio,
        found.ratio_interval.low, found.ratio_interval.high, found.shift, found.p,
        found.p_is_exact,
    };
    answer(numbers, sizeof numbers / sizeof *numbers);
    free(values);
}

static void holm(const char *words) {
    size_t n;
    if (sscanf(words, "%zu", &n) != 1)
        stop("expected holm N");
    double *values = read_values(n, 2 * n);
    eti__holm_adjust(values, n, values + n);
    answer(values, n);
    free(values);
}

static void series(const char *words) {
    size_t n;
    if (sscanf(words, "%zu", &n) != 1)
        stop("expected series N");
    double *values = read_values(n, 2 * n), *scratch = values + n;
    eti_spread spread = eti__spread_of(values, n, scratch);
    double variation = eti__coefficient_of_variation(values, n, scratch);
    eti_trend trend = eti__trend_of(values, n, scratch);
    double lag_correlation = eti__lag_correlation(values, n, scratch);
    const double numbers[] = {spread.median, spread.mad,    spread.mean_deviation, variation,
                              trend.p,       trend.per_run, lag_correlation};
    answer(numbers, sizeof numbers / sizeof *numbers);
    free(values);
}

static void effect(const char *words) {
    size_t n;
    double wanted;
    eti_power_goal goal = {.confidence = 0.95};
    eti_error err = ETI_ERROR_INIT;
    if (sscanf(words, "%zu %lf %lf %lf %zu %lf", &n, &wanted, &goal.rule.least_effect,
               &goal.rule.alpha, &goal.n_family, &goal.power) != 6)
        stop("expected effect N EFFECT LEAST_EFFECT ALPHA FAMILY POWER");
    double *values = read_values(n, 0);
    eti__sort_doubles(values, n);
    if (eti__resample(&compare_scratch.base, n, 1, 1, 0, &err) != ETI_OK)
        stop(err.message);
    eti_noise noise = {values, n, eti__median_deviation(&compare_scratch.base, values)};
    size_t needed = eti__samples_for_effect(&noise, wanted, &goal);
    const double numbers[] = {(double)needed, eti__effect_for_samples(&noise, needed, &goal)};
    answer(numbers, 2);
    free(values);
}

static void pace(const char *words) {
    size_t n_events, n_runs;
    if (sscanf(words, "%zu %zu", &n_events, &n_runs) != 2)
        stop("expected pace N_EVENTS N_RUNS");
    double *usual = read_values(n_events + n_events * n_runs, n_events + n_runs);
    double *samples = usual + n_events, *paces = samples + n_events * n_runs;
    const double **rows = malloc((n_events + 1) * sizeof *rows);
    if (!rows)
        stop("out of memory");
    for (size_t i = 0; i < n_events; i++)
        rows[i] = samples + i * n_runs;
    eti__find_paces(paces, rows, usual, n_events, n_runs, paces + n_runs);
    answer(paces, n_runs);
    free(rows);
    free(usual);
}

/* ---- a whole gate ---------------------------------------------------------------------------- */

typedef struct gate {
    size_t n_events, n_base, n_new;
    eti_rule rule;
    double least_share;
    int pace;
    const double **rows; /* of each event: n_base samples, then n_new */
    double *usual;       /* what each event takes, over both sides */
    double *paces;       /* of each run */
    double *row, *scratch;
} gate;

static double *allocate(size_t n) {
    double *values = malloc((n + 1) * sizeof *values);
    if (!values)
        stop("out of memory");
    return values;
}

/* The samples of an event as they are compared. */
static const double *compared_row(const gate *g, size_t event) {
    const double *row = g->rows[event];
    size_t n = g->n_base + g->n_new;
    eti_pace_share share = g->pace < 2
                               ? (g->pace == 0 ? ETI_PACE_NONE : ETI_PACE_FULL)
                               : eti__choose_pace_share(row, g->paces, g->n_base, n, g->scratch);
    eti__apply_pace(g->row, row, g->paces, n, share);
    return g->row;
}

static void find_usual(gate *g) {
    size_t n = g->n_base + g->n_new;
    for (size_t i = 0; i < g->n_events; i++) {
        memcpy(g->scratch, g->rows[i], n * sizeof *g->scratch);
        g->usual[i] = eti__median(g->scratch, n);
    }
    eti__find_paces(g->paces, g->rows, g->usual, g->n_events, n, g->scratch);
}

static void judge_events(const gate *g, double *verdicts) {
    eti_comparison *found = calloc(g->n_events + 1, sizeof *found);
    double *p = allocate(3 * g->n_events), longest = 0.0;
    size_t n_tested = 0, k = 0;
    eti_error err = ETI_ERROR_INIT;
    if (!found)
        stop("out of memory");
    for (size_t i = 0; i < g->n_events; i++)
        longest = g->usual[i] > longest ? g->usual[i] : longest;
    for (size_t i = 0; i < g->n_events; i++) {
        verdicts[i] = -1.0;
        if (g->usual[i] < g->least_share * longest)
            continue;
        const double *row = compared_row(g, i);
        if (eti__compare(&found[n_tested], (eti_sample_set){row, g->n_base},
                         (eti_sample_set){row + g->n_base, g->n_new}, NULL, &compare_scratch,
                         &err) != ETI_OK)
            stop(err.message);
        p[n_tested] = found[n_tested].p;
        verdicts[i] = 0.0;
        n_tested++;
    }
    eti__holm_adjust(p, n_tested, p + g->n_events);
    for (size_t i = 0; i < g->n_events; i++) {
        if (verdicts[i] == 0.0) {
            verdicts[i] = (double)eti__judge(&found[k], p[k], n_tested, &g->rule);
            k++;
        }
    }
    free(p);
    free(found);
}

static void run_gate(const char *words) {
    gate g;
    if (sscanf(words, "%zu %zu %zu %lf %lf %lf %d", &g.n_events, &g.n_base, &g.n_new, &g.rule.alpha,
               &g.rule.least_effect, &g.least_share, &g.pace) != 7)
        stop("expected gate N_EVENTS N_BASE N_NEW ALPHA LEAST_EFFECT LEAST_SHARE PACE");
    size_t n = g.n_base + g.n_new;
    double *samples = read_values(g.n_events * n, 0), *verdicts = allocate(g.n_events);
    g.rows = malloc((g.n_events + 1) * sizeof *g.rows);
    g.usual = allocate(g.n_events);
    g.paces = allocate(n);
    g.row = allocate(n);
    g.scratch = allocate(2 * n + g.n_events);
    if (!g.rows)
        stop("out of memory");
    for (size_t i = 0; i < g.n_events; i++)
        g.rows[i] = samples + i * n;
    find_usual(&g);
    judge_events(&g, verdicts);
    answer(verdicts, g.n_events);
    free(g.scratch);
    free(g.row);
    free(g.paces);
    free(g.usual);
    free(g.rows);
    free(verdicts);
    free(samples);
}

static const struct {
    const char *name;
    void (*run)(const char *words);
} requests[] = {
    {"compare ", compare}, {"holm ", holm}, {"series ", series},
    {"effect ", effect},   {"pace ", pace}, {"gate ", run_gate},
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
    eti__compare_scratch_free(&compare_scratch);
    return 0;
}
