/*
 * many_files - prints the time for the statistics of a gate, without reading any file.
 *
 *     many_files [FILES [EVENTS [RUNS]]]      default: 200 files per side, 1000 events, 60 runs
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "stats/stats.h"

typedef struct gate {
    size_t n, n_files, n_runs; /* files of both sides */
    double *ticks;             /* runs of each event in each file */
    double *runs;
    double *locations, *logs, *levels, *scratch, *p;
    eti_change *changes;
} gate;

static void *allocate(size_t n, size_t size) {
    void *found = malloc(n * size);
    if (!found) {
        fputs("many_files: out of memory\n", stderr);
        exit(1);
    }
    return found;
}

static void open_gate(gate *g) {
    size_t n_locations = g->n * g->n_files;
    g->ticks = allocate(n_locations * g->n_runs, sizeof(double));
    g->runs = allocate(g->n_runs, sizeof(double));
    g->locations = allocate(n_locations, sizeof(double));
    g->logs = allocate(n_locations, sizeof(double));
    g->levels = allocate(g->n_files, sizeof(double));
    g->scratch = allocate(n_locations + 5 * g->n + 2 * g->n_files, sizeof(double));
    g->p = allocate(g->n, sizeof(double));
    g->changes = allocate(g->n, sizeof(eti_change));
    eti_random random = eti__random_start(1, 0);
    for (size_t i = 0; i < n_locations * g->n_runs; i++)
        g->ticks[i] = (double)(uint64_t)(1e6 * (1.0 + 0.2 * eti__random_uniform(&random)));
}

static void close_gate(gate *g) {
    free(g->ticks);
    free(g->runs);
    free(g->locations);
    free(g->logs);
    free(g->levels);
    free(g->scratch);
    free(g->p);
    free(g->changes);
}

static void find_locations(gate *g) {
    for (size_t i = 0; i < g->n * g->n_files; i++) {
        memcpy(g->runs, g->ticks + i * g->n_runs, g->n_runs * sizeof *g->runs);
        g->locations[i] = eti__fast_mean(g->runs, g->n_runs);
    }
}

static void judge(gate *g) {
    eti_locations locations = {g->n,         g->n_files / 2, g->n_files - g->n_files / 2,
                               g->locations, NULL,           0};
    eti_variance_prior prior;
    eti__log_locations(g->logs, &locations);
    eti__find_levels(g->levels, g->logs, &locations, g->changes, g->scratch);
    locations.n_level_rows = g->n;
    eti__find_changes(g->changes, g->logs, g->levels, &locations, &prior, g->scratch);
    for (size_t i = 0; i < g->n; i++)
        g->p[i] = g->changes[i].p;
    eti__holm_adjust(g->p, g->n, g->scratch);
}

/* Reads the report's rows of events. Returns a number that depends on all of them. */
static double describe(const gate *g) {
    double sum = 0.0;
    for (size_t i = 0; i < g->n; i++) {
        const eti_change *change = &g->changes[i];
        sum += eti__verdict_on(change, g->p[i], 0.005, 0.05) != ETI_VERDICT_NOISE;
        sum += eti__change_interval(change, 0.95).low;
        sum += eti__detectable(change, g->n, 0.005, 0.05);
    }
    return sum;
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static size_t argument(int argc, char **argv, int i, size_t otherwise) {
    return argc > i ? (size_t)strtoull(argv[i], NULL, 10) : otherwise;
}

int main(int argc, char **argv) {
    size_t n_a_side = argument(argc, argv, 1, 200);
    gate g = {.n = argument(argc, argv, 2, 1000),
              .n_files = 2 * n_a_side,
              .n_runs = argument(argc, argv, 3, 60)};
    if (n_a_side < 2 || g.n < 1 || g.n_runs < 1) {
        fputs("usage: many_files [FILES [EVENTS [RUNS]]]\n", stderr);
        return 2;
    }
    open_gate(&g);
    double start = seconds();
    find_locations(&g);
    double located = seconds();
    judge(&g);
    double judged = seconds();
    double sum = describe(&g);
    double end = seconds();
    printf("%zu files per side, %zu events, %zu runs: %.3f s (locations %.3f, changes %.3f, report "
           "%.3f; %.3g)\n",
           n_a_side, g.n, g.n_runs, end - start, located - start, judged - located, end - judged,
           sum);
    close_gate(&g);
    return 0;
}
