/* Noise of locations, which is multiplied with them: everything observed in files of a program, and worse. Levels of files
 * have a deviation of 10 %. */
#include "simulation.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "statistics.h"

#define LEVEL 0.1
#define CLOCK_STEPS 10.0 /* ticks of a location, with a coarse clock */
#define RUNS 12          /* number of runs whose mean is a location then */
#define PI 3.14159265358979323846

/* Computes a normal number by the method of Box and Muller. */
static double draw_normal(eti_random *random) {
    double radius = sqrt(-2.0 * log(1.0 - eti__random_uniform(random)));
    return radius * cos(2.0 * PI * eti__random_uniform(random));
}

static bool draw_event(eti_random *random, double probability) {
    return eti__random_uniform(random) < probability;
}

/* ---- noise ----------------------------------------------------------------------------------- */

/* Returns a logarithm. `slow` says whether the file is in its slower mode, `event` is the row's number, `is_new` its
 * side. */
typedef double draw_noise(eti_random *random, bool slow, size_t event, bool is_new);

static double draw_even(eti_random *random, bool slow, size_t event, bool is_new) {
    (void)slow, (void)event, (void)is_new;
    return 0.03 * draw_normal(random);
}

static double draw_unequal(eti_random *random, bool slow, size_t event, bool is_new) {
    (void)slow, (void)event;
    return (is_new ? 0.04 : 0.02) * draw_normal(random);
}

/* Student's t with 3 degrees of freedom. */
static double draw_heavy(eti_random *random, bool slow, size_t event, bool is_new) {
    (void)slow, (void)event, (void)is_new;
    double squares = 0.0;
    for (int i = 0; i < 3; i++)
        squares += pow(draw_normal(random), 2.0);
    return 0.02 * draw_normal(random) / sqrt(squares / 3.0);
}

static double draw_spikes(eti_random *random, bool slow, size_t event, bool is_new) {
    (void)slow, (void)event, (void)is_new;
    double noise = 0.02 * draw_normal(random);
    return draw_event(random, 0.1) ? noise + 0.3 : noise;
}

static double draw_two_modes(eti_random *random, bool slow, size_t event, bool is_new) {
    (void)slow, (void)event, (void)is_new;
    double noise = 0.01 * draw_normal(random);
    return draw_event(random, 0.3) ? noise + 0.2 : noise;
}

/* A third of the events are slower in slow files, all together. */
static double draw_two_modes_of_files(eti_random *random, bool slow, size_t event, bool is_new) {
    (void)is_new;
    double noise = 0.01 * draw_normal(random);
    return slow && event % 3 == 0 ? noise + 0.2 : noise;
}

static const struct distribution {
    const char *name;
    draw_noise *draw;
    bool is_coarse; /* the clock has few steps and rounds down */
} distributions[] = {
    {"normal", draw_even, false},
    {"unequal", draw_unequal, false},
    {"t3", draw_heavy, false},
    {"spikes", draw_spikes, false},
    {"two_modes", draw_two_modes, false},
    {"two_modes_of_files", draw_two_modes_of_files, false},
    {"coarse_clock", draw_even, true},
};

static const struct distribution *find_distribution(const char *name) {
    for (size_t i = 0; i < sizeof distributions / sizeof *distributions; i++) {
        if (strcmp(distributions[i].name, name) == 0)
            return &distributions[i];
    }
    stop("unknown distribution");
}

/* ---- gates ----------------------------------------------------------------------------------- */

typedef struct gates {
    const struct distribution *distribution;
    double alpha, least_effect;
    eti_random random;
    comparison events, total;
    double *uncut; /* locations of events, before the clock */
    size_t n_alarms, n_planted, n_found;
} gates;

/* Returns the mean of a location's runs as measured by the clock. */
static double measure(gates *g, double location) {
    if (!g->distribution->is_coarse)
        return location;
    double sum = 0.0;
    for (int i = 0; i < RUNS; i++)
        sum += floor(location * exp(0.03 * draw_normal(&g->random)));
    return sum / RUNS;
}

/* Fills one column, and adds it to that of the total. */
static void draw_file(gates *g, size_t file) {
    const eti_locations *l = &g->events.locations;
    const struct distribution *d = g->distribution;
    double level = LEVEL * draw_normal(&g->random), total = 0.0;
    bool slow = draw_event(&g->random, 0.5);
    for (size_t e = 0; e < l->n; e++) {
        double usual = d->is_coarse ? CLOCK_STEPS + (double)(e % 10) / 10.0 : 100.0 + (double)e;
        double noise = d->draw(&g->random, slow, e, file >= l->n_base);
        double location = usual * exp((d->is_coarse ? 0.0 : level) + noise);
        size_t at = e * (l->n_base + l->n_new) + file;
        g->uncut[at] = location;
        g->events.values[at] = measure(g, location);
        total += location;
    }
    g->total.values[file] = total;
}

static bool is_alarm(const comparison *c, const gates *g) {
    for (size_t i = 0; i < c->locations.n; i++) {
        if (eti__verdict_on(&c->changes[i], c->adjusted_p[i], g->alpha / 2.0, g->least_effect) !=
            ETI_VERDICT_NOISE)
            return true;
    }
    return false;
}

/* Plants in the first event the change that would have been found. */
static void plant(gates *g) {
    const eti_locations *l = &g->events.locations;
    double effect = eti__detectable(&g->events.changes[0], l->n, g->alpha / 2.0, g->least_effect);
    for (size_t f = l->n_base; f < l->n_base + l->n_new; f++)
        g->events.values[f] = measure(g, g->uncut[f] * (1.0 + effect));
    comparison_run(&g->events, true);
    g->n_planted++;
    g->n_found += eti__verdict_on(&g->events.changes[0], g->events.adjusted_p[0], g->alpha / 2.0,
                                  g->least_effect) == ETI_VERDICT_SLOWER;
}

static void run_gate(gates *g) {
    for (size_t f = 0; f < g->events.locations.n_base + g->events.locations.n_new; f++)
        draw_file(g, f);
    comparison_run(&g->events, true);
    comparison_run(&g->total, false);
    g->n_alarms += is_alarm(&g->events, g) || is_alarm(&g->total, g);
    plant(g);
}

void simulate_gates(const char *words) {
    char name[32];
    size_t n, n_base, n_new, n_gates;
    uint64_t seed;
    gates g = {0};
    if (sscanf(words, "%31s %zu %zu %zu %zu %lf %lf %" SCNu64, name, &n, &n_base, &n_new, &n_gates,
               &g.alpha, &g.least_effect, &seed) != 8)
        stop("expected gates DISTRIBUTION N N_BASE N_NEW GATES ALPHA LEAST_EFFECT SEED");
    g.distribution = find_distribution(name);
    g.random = eti__random_start(seed, 0);
    comparison_open(&g.events, n, n_base, n_new);
    comparison_open(&g.total, 1, n_base, n_new);
    g.uncut = allocate(n * (n_base + n_new), sizeof *g.uncut);
    for (size_t e = 0; e < n; e++)
        g.events.steps[e] = g.distribution->is_coarse ? 1.0 : 0.0;
    for (size_t i = 0; i < n_gates; i++)
        run_gate(&g);
    printf("%a %a\n", (double)g.n_alarms / (double)n_gates,
           (double)g.n_found / (double)g.n_planted);
    free(g.uncut);
    comparison_close(&g.total);
    comparison_close(&g.events);
}

/* ---- series ---------------------------------------------------------------------------------- */

/* Makes each value depend on the previous one by `dependence`; values from `changed_at` on are longer by `effect`. */
typedef struct series {
    const struct distribution *distribution;
    size_t n, changed_at;
    double dependence, effect, alpha;
    eti_random random;
    double *values;
    eti_change_point *points;
} series;

static void draw_series(series *s) {
    double before = 0.0;
    for (size_t i = 0; i < s->n; i++) {
        double noise = s->distribution->draw(&s->random, false, 0, false);
        before = s->dependence * before + noise;
        s->values[i] = before + (i >= s->changed_at ? log1p(s->effect) : 0.0);
    }
}

void simulate_series(const char *words) {
    char name[32];
    size_t n_series, n_hits = 0;
    uint64_t seed;
    series s;
    if (sscanf(words, "%31s %zu %zu %lf %zu %lf %lf %" SCNu64, name, &s.n, &n_series, &s.dependence,
               &s.changed_at, &s.effect, &s.alpha, &seed) != 8)
        stop("expected trials DISTRIBUTION N SERIES DEPENDENCE CHANGED_AT EFFECT ALPHA SEED");
    s.distribution = find_distribution(name);
    s.random = eti__random_start(seed, 0);
    s.values = allocate(s.n, sizeof *s.values);
    s.points = allocate(s.n, sizeof *s.points);
    for (size_t i = 0; i < n_series; i++) {
        size_t n_points;
        eti_error err = ETI_ERROR_INIT;
        draw_series(&s);
        if (eti__find_change_points(s.points, &n_points, s.values, s.n, s.alpha, seed + i, &err) !=
            ETI_OK)
            stop(err.message);
        n_hits += n_points > 0;
    }
    printf("%a\n", (double)n_hits / (double)n_series);
    free(s.points);
    free(s.values);
}
