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
    double *values, *logs, *levels, *scratch, *p;
    eti_change *changes;
    eti_ranks ranks;
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
    size_t n_values = g->n * g->n_files;
    g->ticks = allocate(n_values * g->n_runs, sizeof(double));
    g->runs = allocate(g->n_runs, sizeof(double));
    g->values = allocate(n_values, sizeof(double));
    g->logs = allocate(n_values, sizeof(double));
    g->levels = allocate(g->n_files, sizeof(double));
    g->scratch = allocate(n_values + 5 * g->n + 2 * g->n_files, sizeof(double));
    g->p = allocate(g->n, sizeof(double));
    g->changes = allocate(g->n, sizeof(eti_change));
    if (!eti__ranks_make(&g->ranks, g->n_files / 2, g->n_files - g->n_files / 2)) {
        fputs("many_files: out of memory\n", stderr);
        exit(1);
    }
    eti_random random = eti__random_start(1, 0);
    for (size_t i = 0; i < n_values * g->n_runs; i++)
        g->ticks[i] = (double)(uint64_t)(1e6 * (1.0 + 0.2 * eti__random_uniform(&random)));
}

static void close_gate(gate *g) {
    free(g->ticks);
    free(g->runs);
    free(g->values);
    free(g->logs);
    free(g->levels);
    free(g->scratch);
    free(g->p);
    free(g->changes);
    eti__ranks_free(&g->ranks);
}

static void find_values(gate *g) {
    for (size_t i = 0; i < g->n * g->n_files; i++) {
        memcpy(g->runs, g->ticks + i * g->n_runs, g->n_runs * sizeof *g->runs);
        g->values[i] = eti__median(g->runs, g->n_runs);
    }
}

static void judge(gate *g) {
    const eti_file_values file_values = {
        .n = g->n, .n_base = g->ranks.n_base, .n_new = g->ranks.n_new, .values = g->values};
    eti_variance_prior prior;
    eti__log_values(g->logs, &file_values);
    eti__find_levels(g->levels, g->logs, &file_values, g->scratch);
    eti__find_changes(g->changes, g->logs, g->levels, &file_values, &prior, g->scratch);
    for (size_t i = 0; i < g->n; i++) {
        const eti_change *change = &g->changes[i];
        g->p[i] = eti__student_two_sided(change->difference / change->error, change->dof) / 2.0;
    }
    eti__holm_adjust(g->p, g->n, g->scratch);
}

/* Judges all events as measured, which is what sides with two readings need in addition. Returns a number that depends on all
 * of them. */
static double judge_as_measured(const gate *g) {
    double sum = 0.0;
    for (size_t i = 0; i < g->n; i++)
        sum += eti__shift_of(&g->ranks, g->logs + i * g->n_files, 0.05, g->scratch).low + g->p[i];
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
    find_values(&g);
    double reduced = seconds();
    judge(&g);
    double judged = seconds();
    double sum = judge_as_measured(&g);
    double end = seconds();
    printf(
        "%zu files per side, %zu events, %zu runs: %.3f s (medians %.3f, changes %.3f, as measured "
        "%.3f; %.3g)\n",
        n_a_side, g.n, g.n_runs, end - start, reduced - start, judged - reduced, end - judged, sum);
    close_gate(&g);
    return 0;
}
