/* Noise of times, which is multiplied with them: everything observed in files of a program, and worse. Levels of files
 * have a deviation of 10 %. */
#include "simulation.h"

#include "gate/gate.h"
#include "profile/profile.h"
#include "statistics.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEVEL 0.1
#define CLOCK_STEPS 10.0 /* ticks of an event, with a coarse clock */
#define RUNS 12          /* number of runs of a file, whose mean is its time then */
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

/* A side whose times are drawn again for each gate. The first entry is the total of the others, which are events. */
typedef struct side {
    eti_profile *profile;
    eti_file_times **times; /* per entry */
    size_t n_files, n_events;
} side;

typedef struct gates {
    const struct distribution *distribution;
    double effect; /* of the new side: 0.1 makes it 10 % slower */
    bool of_one;   /* only the first event is slower */
    eti_random random;
    side base, new_side;
    size_t n_outcomes[3], n_faster, n_named, n_others;
} gates;

static void *take(eti_profile *profile, size_t n, size_t size) {
    void *taken = eti__arena_alloc_zero(&profile->arena, n, size);
    if (!taken)
        stop("out of memory");
    return taken;
}

static eti_text own_text(eti_profile *profile, const char *format, size_t number) {
    char *text = take(profile, 32, 1);
    snprintf(text, 32, format, number);
    return eti__text_of(text);
}

static void open_side(side *out, size_t n_events, size_t n_files, bool is_coarse) {
    eti_profile *profile = eti__profile_new();
    if (!profile)
        stop("out of memory");
    *out = (side){profile, take(profile, n_events + 1, sizeof *out->times), n_files, n_events};
    eti_profile_block *block = take(profile, 1, sizeof *block);
    eti_file_runs *runs = take(profile, n_files, sizeof *runs);
    profile->files = take(profile, n_files, sizeof *profile->files);
    profile->n_files = n_files;
    profile->blocks = block;
    profile->n_blocks = 1;
    block->name = block->label = eti__text_of("Execute");
    block->bundled_input_index = -1;
    block->n_runs = n_files * RUNS;
    block->files = runs;
    block->n_files = n_files;
    block->entries = take(profile, n_events + 1, sizeof *block->entries);
    block->n_entries = n_events + 1;
    block->n_totals = 1;
    for (size_t i = 0; i < n_files; i++) {
        runs[i] = (eti_file_runs){.file = (uint32_t)i, .first = i * RUNS, .n = RUNS};
        profile->files[i].name = own_text(profile, "%zu", i);
    }
    for (size_t i = 0; i <= n_events; i++) {
        eti_entry *entry = &block->entries[i];
        out->times[i] = take(profile, n_files, sizeof *out->times[i]);
        entry->times = out->times[i];
        entry->kind = i == 0 ? ETI_ENTRY_EXECUTE : ETI_ENTRY_EVENT;
        entry->role = ETI_ROLE_KERNEL;
        entry->name = entry->op_type = own_text(profile, "op%zu.out", i);
        entry->step = is_coarse ? 1 : 0;
    }
}

/* Returns the mean of the runs of an event as measured by the clock. */
static double measure(gates *g, double time) {
    if (!g->distribution->is_coarse)
        return time;
    double sum = 0.0;
    for (int i = 0; i < RUNS; i++)
        sum += floor(time * exp(0.03 * draw_normal(&g->random)));
    return sum / RUNS;
}

static void set_time(eti_file_times *times, double time) {
    *times = (eti_file_times){.fast = time, .p10 = time, .p50 = time, .p90 = time, .p95 = time,
                              .p99 = time,  .avg = time, .min = time, .max = time};
}

static void draw_file(gates *g, side *s, size_t file) {
    const struct distribution *d = g->distribution;
    bool slow = draw_event(&g->random, 0.5), is_new = s == &g->new_side;
    double level = LEVEL * draw_normal(&g->random), total = 0.0;
    for (size_t i = 0; i < s->n_events; i++) {
        double usual = d->is_coarse ? CLOCK_STEPS + (double)(i % 10) / 10.0 : 100.0 + (double)i;
        double noise = d->draw(&g->random, slow, i, is_new) + (d->is_coarse ? 0.0 : level);
        if (is_new && (i == 0 || !g->of_one))
            noise += log1p(g->effect);
        double time = measure(g, usual * exp(noise));
        set_time(&s->times[i + 1][file], time);
        total += time;
    }
    set_time(&s->times[0][file], total);
}

static void run_gate(gates *g) {
    const eti_gate_options options = ETI_GATE_OPTIONS_DEFAULT;
    eti_gate gate;
    eti_error err = ETI_ERROR_INIT;
    for (size_t i = 0; i < g->base.n_files; i++)
        draw_file(g, &g->base, i);
    for (size_t i = 0; i < g->new_side.n_files; i++)
        draw_file(g, &g->new_side, i);
    if (eti__gate_make(&gate, g->base.profile, g->new_side.profile, &options, &err) != ETI_OK)
        stop(err.message);
    bool is_faster = false, is_named = false, are_others = false;
    for (size_t i = 0; i < gate.n_checks; i++) {
        const eti_diff_row *row = gate.checks[i].row;
        bool is_first = row->new_side.entry == &g->new_side.profile->blocks[0].entries[1];
        is_faster = is_faster || row->verdict == ETI_VERDICT_FASTER;
        is_named = is_named || (is_first && row->verdict == ETI_VERDICT_SLOWER);
        are_others = are_others || (!is_first && row->kind == ETI_ENTRY_EVENT &&
                                    row->verdict == ETI_VERDICT_SLOWER);
    }
    g->n_outcomes[gate.outcome]++;
    g->n_faster += is_faster;
    g->n_named += is_named;
    g->n_others += are_others;
    eti__gate_free(&gate);
}

void simulate_gates(const char *words) {
    char name[32];
    size_t n, n_base, n_new, n_gates;
    int of_one;
    uint64_t seed;
    gates g = {0};
    if (sscanf(words, "%31s %zu %zu %zu %zu %lf %d %" SCNu64, name, &n, &n_base, &n_new, &n_gates,
               &g.effect, &of_one, &seed) != 8)
        stop("expected gates DISTRIBUTION N N_BASE N_NEW GATES EFFECT OF_ONE SEED");
    g.distribution = find_distribution(name);
    g.of_one = of_one != 0;
    g.random = eti__random_start(seed, 0);
    open_side(&g.base, n, n_base, g.distribution->is_coarse);
    open_side(&g.new_side, n, n_new, g.distribution->is_coarse);
    for (size_t i = 0; i < n_gates; i++)
        run_gate(&g);
    const size_t counts[] = {g.n_outcomes[ETI_GATE_FAILED], g.n_outcomes[ETI_GATE_PASSED],
                             g.n_faster, g.n_named, g.n_others};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        printf("%s%a", i > 0 ? " " : "", (double)counts[i] / (double)n_gates);
    putchar('\n');
    eti_profile_free(g.base.profile);
    eti_profile_free(g.new_side.profile);
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
