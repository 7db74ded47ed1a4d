/*
 * processes.c - counts false alarms of gates between real processes, and how often a gate finds a planted slowdown.
 *
 *     gate_processes GATES SEED ETDUMP...
 *
 * The ETDumps come from one program, one per process, in the order of recording. A gate takes consecutive dumps from
 * anywhere in that row and assigns them to base and new in turns: only the processes differ, so a failing gate is a false
 * alarm. For each number of files per side, GATES gates are judged by the functions of etinspect gate with its default
 * rules, and again with the sides exchanged, which shows events falsely reported as faster.
 *
 * Then one event, of at least 3 % of the total, takes longer in each run of the new side, and so do the totals around it:
 * the gate must fail for that event. Where the clock has steps, the longer time is rounded down to whole steps as the clock
 * would do.
 */
#include "account/account.h"
#include "base/arena.h"
#include "base/numbers.h"
#include "gate/gate.h"
#include "model/model.h"
#include "profile/profile.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_SHARE 0.03
#define MOST_FILES 16 /* of a gate */

static _Noreturn void stop(const char *message) {
    fprintf(stderr, "gate_processes: %s\n", message);
    exit(1);
}

/* Returns a random number of xorshift64*, the same on each machine. */
static uint64_t draw(uint64_t *state) {
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * UINT64_C(2685821657736338717);
}

static double draw_share(uint64_t *state) {
    return (double)(draw(state) >> 11) * 0x1p-53;
}

/* ---- the processes of a set ------------------------------------------------------------------ */

typedef struct set {
    eti_profile **profiles;
    size_t n;
    size_t *heavy; /* entries of at least LEAST_SHARE */
    size_t n_heavy;
    uint64_t *steps; /* per entry: step of the clock of all entries of its role */
} set;

static const eti_profile_block *block_of(const eti_profile *profile) {
    if (profile->n_blocks != 1)
        stop("an ETDump has other than one EventBlock called Execute");
    return &profile->blocks[0];
}

static eti_profile *open_profile(const char *path) {
    eti_source source = {path, NULL, 0};
    const eti_inputs inputs = {.etdumps = &source, .n_etdumps = 1};
    eti_profile_options options = ETI_PROFILE_OPTIONS_DEFAULT;
    eti_inspector *inspector;
    eti_profile *profile;
    eti_error err = ETI_ERROR_INIT;
    options.block = "Execute";
    if (eti__inspector_open(&inspector, &inputs, NULL, &err) != ETI_OK ||
        eti__profile_from_inspector(&profile, inspector, &options, &err) != ETI_OK)
        stop(err.message);
    eti_inspector_close(inspector);
    return profile;
}

static uint64_t step_of_role(const set *s, uint8_t role) {
    uint64_t step = 0;
    for (size_t i = 0; i < s->n; i++) {
        const eti_profile_block *block = block_of(s->profiles[i]);
        for (size_t e = block->n_totals; e < block->n_entries; e++) {
            if (block->entries[e].role == role)
                step = eti__common_divisor(step, block->entries[e].step);
        }
    }
    return step > 1 ? step : 0;
}

static void open_set(set *s, char **paths, size_t n) {
    s->n = n;
    s->profiles = calloc(n, sizeof *s->profiles);
    for (size_t i = 0; i < n; i++)
        s->profiles[i] = open_profile(paths[i]);
    const eti_profile_block *block = block_of(s->profiles[n / 2]);
    s->heavy = calloc(block->n_entries, sizeof *s->heavy);
    s->steps = calloc(block->n_entries, sizeof *s->steps);
    for (size_t e = block->n_totals; e < block->n_entries; e++) {
        s->steps[e] = step_of_role(s, block->entries[e].role);
        if (block->entries[e].summary.p50 >= LEAST_SHARE * block->entries[0].summary.p50)
            s->heavy[s->n_heavy++] = e;
    }
    if (s->n_heavy == 0)
        stop("no event is 3 % of the whole");
}

/* ---- planting -------------------------------------------------------------------------------- */

/* Returns the additional ticks of a slower event whose time the clock had rounded down. */
static uint64_t extra_ticks(uint64_t ticks, uint64_t step, double effect, uint64_t *state) {
    if (step == 0)
        return (uint64_t)(effect * (double)ticks + 0.5);
    double time = (double)ticks + draw_share(state) * (double)step;
    return (uint64_t)(time * (1 + effect) / (double)step) * step - ticks;
}

/* Returns a profile in which entry `slow` takes longer, and so do the totals that contain it. */
static eti_profile *plant(const eti_profile *of, size_t slow, uint64_t step, double effect,
                          uint64_t *state) {
    const eti_profile_block *from = block_of(of);
    eti_profile *profile = eti__profile_new();
    eti_profile_block *block =
        profile ? eti__arena_alloc_zero(&profile->arena, 1, sizeof *block) : NULL;
    uint64_t *extra = calloc(from->n_runs, sizeof *extra);
    double *scratch = malloc(2 * from->n_runs * sizeof *scratch);
    if (!block || !extra || !scratch)
        stop("out of memory");
    profile->name = of->name;
    profile->source_scale = of->source_scale;
    profile->target_scale = of->target_scale;
    profile->factor = of->factor;
    profile->files = of->files;
    profile->n_files = of->n_files;
    profile->has_ticks = true;
    profile->blocks = block;
    profile->n_blocks = 1;
    *block = *from;
    block->entries = eti__arena_alloc(&profile->arena, from->n_entries, sizeof *block->entries);
    memcpy(block->entries, from->entries, from->n_entries * sizeof *block->entries);
    for (size_t run = 0; run < from->n_runs; run++)
        extra[run] = extra_ticks(from->entries[slow].ticks[run], step, effect, state);
    uint8_t part =
        from->entries[slow].role == ETI_ROLE_KERNEL ? ETI_ENTRY_OPERATORS : ETI_ENTRY_DELEGATES;
    for (size_t e = 0; e < from->n_entries; e++) {
        uint8_t kind = from->entries[e].kind;
        if (e != slow && kind != ETI_ENTRY_EXECUTE && kind != part)
            continue;
        uint64_t *ticks = eti__arena_alloc(&profile->arena, from->n_runs, sizeof *ticks);
        for (size_t run = 0; run < from->n_runs; run++)
            ticks[run] = from->entries[e].ticks[run] + extra[run];
        if (!eti__entry_set_ticks(profile, block, &block->entries[e], ticks, scratch))
            stop("out of memory");
    }
    free(scratch);
    free(extra);
    return profile;
}

/* ---- gates ----------------------------------------------------------------------------------- */

typedef struct sides {
    eti_profile *base[MOST_FILES], *new_side[MOST_FILES];
    size_t n_base, n_new;
} sides;

/* Takes consecutive files and distributes them so that each side is spread over all of them. */
static void deal(sides *out, const set *s, size_t n_base, size_t n_new, uint64_t *state) {
    size_t n = n_base + n_new, first = draw(state) % (s->n - n + 1), phase = draw(state) % n;
    *out = (sides){0};
    for (size_t i = 0; i < n; i++) {
        if ((i * n_new + phase) % n < n_new)
            out->new_side[out->n_new++] = s->profiles[first + i];
        else
            out->base[out->n_base++] = s->profiles[first + i];
    }
}

static eti_profile *merge(eti_profile *const *profiles, size_t n) {
    eti_profile *merged;
    eti_error err = ETI_ERROR_INIT;
    if (eti__profile_merge(&merged, (const eti_profile *const *)profiles, n, false, &err) != ETI_OK)
        stop(err.message);
    return merged;
}

typedef struct outcome {
    eti_gate_outcome gate;
    bool found;  /* the gate failed for the event */
    bool blamed; /* it failed for another event */
} outcome;

static outcome judge(const eti_profile *base, const eti_profile *new_side, size_t slow) {
    eti_gate gate;
    eti_gate_options options = ETI_GATE_OPTIONS_DEFAULT;
    eti_error err = ETI_ERROR_INIT;
    if (eti__gate_make(&gate, base, new_side, &options, &err) != ETI_OK)
        stop(err.message);
    outcome out = {gate.outcome, false, false};
    for (size_t i = 0; i < gate.n_checks; i++) {
        const eti_entry *entry = gate.checks[i].row->new_side.entry;
        if (gate.checks[i].finding != ETI_FINDING_FAILED || !entry ||
            entry->kind != ETI_ENTRY_EVENT)
            continue;
        if (slow != SIZE_MAX && entry == &new_side->blocks[0].entries[slow])
            out.found = true;
        else
            out.blamed = true;
    }
    eti__gate_free(&gate);
    return out;
}

typedef struct tally {
    size_t n, n_exit[3], n_either, n_found, n_blamed;
} tally;

/* The sides differ only in their processes. */
static void run_null_gate(tally *t, const sides *dealt) {
    eti_profile *base = merge(dealt->base, dealt->n_base);
    eti_profile *new_side = merge(dealt->new_side, dealt->n_new);
    outcome slower = judge(base, new_side, SIZE_MAX), faster = judge(new_side, base, SIZE_MAX);
    t->n++;
    t->n_exit[slower.gate]++;
    t->n_either += slower.gate == ETI_GATE_FAILED || faster.gate == ETI_GATE_FAILED;
    eti_profile_free(base);
    eti_profile_free(new_side);
}

static void run_planted_gate(tally *t, const set *s, const sides *dealt, size_t slow, double effect,
                             uint64_t *state) {
    eti_profile *planted[MOST_FILES];
    for (size_t i = 0; i < dealt->n_new; i++)
        planted[i] = plant(dealt->new_side[i], slow, s->steps[slow], effect, state);
    eti_profile *base = merge(dealt->base, dealt->n_base), *new_side = merge(planted, dealt->n_new);
    outcome got = judge(base, new_side, slow);
    t->n++;
    t->n_exit[got.gate]++;
    t->n_found += got.found;
    t->n_blamed += got.blamed;
    eti_profile_free(base);
    eti_profile_free(new_side);
    for (size_t i = 0; i < dealt->n_new; i++)
        eti_profile_free(planted[i]);
}

static double percent(size_t n, size_t of) {
    return of > 0 ? 100.0 * (double)n / (double)of : (double)NAN;
}

static void measure_alarms(const set *s, size_t n_gates, uint64_t *state) {
    static const size_t cells[][2] = {{1, 1}, {3, 3}, {5, 5}, {8, 8}, {10, 1}, {10, 5}};
    printf("  %-8s %8s %8s %8s   %s\n", "files", "exit 0", "exit 1", "exit 6",
           "alarm, slower or faster");
    for (size_t c = 0; c < sizeof cells / sizeof *cells; c++) {
        tally t = {0};
        sides dealt;
        for (size_t i = 0; i < n_gates; i++) {
            deal(&dealt, s, cells[c][0], cells[c][1], state);
            run_null_gate(&t, &dealt);
        }
        printf("  %4zu:%-3zu %6.1f %% %6.1f %% %6.1f %% %10.1f %%\n", cells[c][0], cells[c][1],
               percent(t.n_exit[ETI_GATE_PASSED], t.n), percent(t.n_exit[ETI_GATE_FAILED], t.n),
               percent(t.n_exit[ETI_GATE_UNDECIDED], t.n), percent(t.n_either, t.n));
        fflush(stdout);
    }
}

static void measure_power(const set *s, size_t n_gates, uint64_t *state) {
    static const size_t sizes[] = {5, 8};
    static const double effects[] = {0.05, 0.1, 0.2, 0.3};
    printf("  %-8s %8s %8s %8s %8s\n", "files", "planted", "found", "exit 1", "blamed");
    for (size_t c = 0; c < sizeof sizes / sizeof *sizes; c++) {
        for (size_t k = 0; k < sizeof effects / sizeof *effects; k++) {
            tally t = {0};
            sides dealt;
            for (size_t i = 0; i < n_gates; i++) {
                size_t slow = s->heavy[draw(state) % s->n_heavy];
                deal(&dealt, s, sizes[c], sizes[c], state);
                run_planted_gate(&t, s, &dealt, slow, effects[k], state);
            }
            printf("  %4zu:%-3zu %+6.0f %% %6.1f %% %6.1f %% %6.1f %%\n", sizes[c], sizes[c],
                   100 * effects[k], percent(t.n_found, t.n),
                   percent(t.n_exit[ETI_GATE_FAILED], t.n), percent(t.n_blamed, t.n));
            fflush(stdout);
        }
    }
}

int main(int argc, char **argv) {
    if (argc < 4 + MOST_FILES)
        stop("expected GATES SEED and the ETDumps of at least 17 processes");
    size_t n_gates = strtoul(argv[1], NULL, 10);
    uint64_t state = strtoull(argv[2], NULL, 10) * 2 + 1;
    set s = {0};
    open_set(&s, argv + 3, (size_t)argc - 3);
    printf("%zu processes, %zu events of at least %g %%, %zu gates each\n", s.n, s.n_heavy,
           100 * LEAST_SHARE, n_gates);
    measure_alarms(&s, n_gates, &state);
    measure_power(&s, n_gates, &state);
    for (size_t i = 0; i < s.n; i++)
        eti_profile_free(s.profiles[i]);
    free(s.profiles);
    free(s.heavy);
    free(s.steps);
    return 0;
}
