/*
 * resample.c - how often a gate alarms without reason, and how often it finds a planted slowdown, in real runs.
 *
 *     gate_resample GATES SEED ETDUMP...
 *
 * Deals runs of each ETDump out to two sides of 50 at random, GATES times, and applies the default rules of etinspect
 * gate, by its own functions: nothing differs between the sides, so that each failed gate is a false alarm. Then one
 * event, of at least 3 % of the whole, takes 10 % longer on the new side, and its run with it: the gate must fail for
 * that event. Prints both shares for each file and for all, and the second one again for those events of which etinspect
 * noise says that 50 runs a side suffice for 10 %: others are not resolvable, they scatter too much or take too few ticks
 * of their clock.
 */
#include "base/text.h"
#include "compare/diff_report.h"
#include "compare/profile.h"
#include "gate/gate.h"
#include "model/inspector.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIDE 50
#define WARM_UP 10
#define SLOWDOWN 1.1
#define LEAST_SHARE 0.03

static _Noreturn void stop(const char *message) {
    fprintf(stderr, "gate_resample: %s\n", message);
    exit(1);
}

/* xorshift64*: the same on each machine. */
static uint64_t draw(uint64_t *state) {
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * UINT64_C(2685821657736338717);
}

static void shuffle(uint32_t *order, size_t n, uint64_t *state) {
    for (size_t i = 0; i < n; i++)
        order[i] = (uint32_t)i;
    for (size_t i = n; i > 1; i--) {
        size_t k = (size_t)(draw(state) % i);
        uint32_t other = order[i - 1];
        order[i - 1] = order[k];
        order[k] = other;
    }
}

static const eti_profile_block *find_block(const eti_profile *profile) {
    for (size_t i = 0; i < profile->n_blocks; i++) {
        if (profile->blocks[i].n_runs >= 2 * SIDE)
            return &profile->blocks[i];
    }
    stop("an ETDump has no EventBlock with 100 runs after the warm-up");
}

/* A profile of these runs; `slow` is the number of the entry that takes longer, SIZE_MAX: none. */
static eti_profile *deal(const eti_profile *of, const uint32_t *runs, size_t slow) {
    const eti_profile_block *from = find_block(of);
    eti_profile *profile = eti__profile_new();
    eti_profile_block *block =
        profile ? eti__arena_alloc_zero(&profile->arena, 1, sizeof *block) : NULL;
    if (!block)
        stop("out of memory");
    profile->name = of->name;
    profile->source_scale = of->source_scale;
    profile->target_scale = of->target_scale;
    profile->factor = of->factor;
    profile->blocks = block;
    profile->n_blocks = 1;
    *block = *from;
    block->n_runs = SIDE;
    block->entries = eti__arena_alloc(&profile->arena, from->n_entries, sizeof *block->entries);
    for (size_t i = 0; i < from->n_entries; i++) {
        uint64_t *ticks = eti__arena_alloc(&profile->arena, SIDE, sizeof *ticks);
        const eti_entry *entry = &from->entries[i];
        bool is_around = slow != SIZE_MAX && entry->kind == ETI_ENTRY_EXECUTE;
        for (size_t run = 0; run < SIDE; run++) {
            ticks[run] = entry->ticks[runs[run]];
            if (i == slow || is_around)
                ticks[run] +=
                    (uint64_t)((SLOWDOWN - 1) * (double)from->entries[slow].ticks[runs[run]] + 0.5);
        }
        block->entries[i] = *entry;
        if (!eti__entry_set_samples(profile, &block->entries[i], ticks, SIDE))
            stop("out of memory");
    }
    return profile;
}

/* An event that is worth finding. */
static size_t choose_event(const eti_profile *profile, uint64_t *state) {
    const eti_profile_block *block = find_block(profile);
    double whole = block->entries[0].summary.p50;
    size_t n = 0, found = SIZE_MAX;
    for (size_t i = block->n_totals; i < block->n_entries; i++) {
        if (block->entries[i].summary.p50 >= LEAST_SHARE * whole && draw(state) % ++n == 0)
            found = i;
    }
    if (found == SIZE_MAX)
        stop("an ETDump has no event of 3 % of the whole");
    return found;
}

/* The default rules; whether the gate failed, and for that entry of the new side. */
static bool gate_fails(const eti_profile *base, const eti_profile *new_side, size_t entry,
                       bool *for_entry) {
    eti_gate gate;
    eti_gate_options options = ETI_GATE_OPTIONS_DEFAULT;
    eti_error err = ETI_ERROR_INIT;
    options.diff.n_threads = 1;
    if (eti__gate_make(&gate, base, new_side, &options, &err) != ETI_OK)
        stop(err.message);
    if (gate.outcome == ETI_GATE_TOO_FEW)
        stop("50 runs are too few");
    bool failed = gate.outcome == ETI_GATE_FAILED;
    *for_entry = false;
    for (size_t i = 0; i < gate.n_checks && entry != SIZE_MAX; i++) {
        if (gate.checks[i].verdict == ETI_CHECK_FAILED &&
            gate.checks[i].row->new_side == &new_side->blocks[0].entries[entry])
            *for_entry = true;
    }
    eti__gate_free(&gate);
    return failed;
}

typedef struct shares {
    size_t n, n_alarms, n_found;
    size_t n_resolvable, n_resolved;
} shares;

/* Column `effect` of etinspect noise, per entry of the block: the rows of its second table are the events of all blocks,
 * in order. */
static void find_effects(const eti_profile *profile, double *effects) {
    eti_report *report;
    eti_error err = ETI_ERROR_INIT;
    const eti_profile_block *of = find_block(profile);
    if (eti__noise_report(&report, profile, SIDE, NULL, &err) != ETI_OK)
        stop(err.message);
    const eti_table *table = eti_report_table(report, 1);
    size_t column = 0, row = 0;
    while (!eti__text_is(eti_table_column_name(table, column), "effect"))
        column++;
    for (const eti_profile_block *block = profile->blocks; block < of; block++)
        row += block->n_entries - block->n_totals;
    for (size_t i = of->n_totals; i < of->n_entries; i++) {
        eti_cell cell = eti_table_cell(table, row++, column);
        effects[i] = cell.kind == ETI_CELL_DOUBLE ? cell.as_double : (double)INFINITY;
    }
    eti_report_free(report);
}

static void run_gates(const eti_profile *profile, size_t n_gates, uint64_t *state, shares *out) {
    size_t n_runs = find_block(profile)->n_runs;
    uint32_t *order = malloc(n_runs * sizeof *order);
    double *effects = malloc(find_block(profile)->n_entries * sizeof *effects);
    bool for_entry;
    if (!order || !effects)
        stop("out of memory");
    find_effects(profile, effects);
    for (size_t i = 0; i < n_gates; i++) {
        shuffle(order, n_runs, state);
        size_t event = choose_event(profile, state);
        eti_profile *base = deal(profile, order, SIZE_MAX);
        eti_profile *same = deal(profile, order + SIDE, SIZE_MAX);
        eti_profile *slow = deal(profile, order + SIDE, event);
        out->n_alarms += gate_fails(base, same, SIZE_MAX, &for_entry);
        (void)gate_fails(base, slow, event, &for_entry);
        bool is_resolvable = effects[event] <= SLOWDOWN - 1;
        out->n_found += for_entry;
        out->n_resolvable += is_resolvable;
        out->n_resolved += is_resolvable && for_entry;
        out->n++;
        eti_profile_free(slow);
        eti_profile_free(same);
        eti_profile_free(base);
    }
    free(effects);
    free(order);
}

static double percent(size_t n, size_t of) {
    return of > 0 ? 100.0 * (double)n / (double)of : (double)NAN;
}

static void print_shares(const char *name, const shares *s) {
    printf("%-34.34s %6zu %11.1f %% %9.1f %% %10.1f %% ", name, s->n, percent(s->n_alarms, s->n),
           percent(s->n_found, s->n), percent(s->n_resolvable, s->n));
    if (s->n_resolvable > 0)
        printf("%13.1f %%\n", percent(s->n_resolved, s->n_resolvable));
    else
        printf("%15s\n", "-");
    fflush(stdout);
}

static void measure(const char *path, size_t n_gates, uint64_t *state, shares *all) {
    eti_source source = {path, NULL, 0};
    const eti_inputs inputs = {.etdumps = &source, .n_etdumps = 1};
    eti_inspector *inspector;
    eti_profile *profile;
    eti_error err = ETI_ERROR_INIT;
    eti_profile_options options = ETI_PROFILE_OPTIONS_DEFAULT;
    shares own = {0};
    options.skip_first = WARM_UP;
    if (eti__inspector_open(&inspector, &inputs, NULL, &err) != ETI_OK ||
        eti__profile_from_inspector(&profile, inspector, &options, &err) != ETI_OK)
        stop(err.message);
    run_gates(profile, n_gates, state, &own);
    const char *slash = strrchr(path, '/');
    print_shares(slash ? slash + 1 : path, &own);
    all->n += own.n;
    all->n_alarms += own.n_alarms;
    all->n_found += own.n_found;
    all->n_resolvable += own.n_resolvable;
    all->n_resolved += own.n_resolved;
    eti_profile_free(profile);
    eti_inspector_close(inspector);
}

int main(int argc, char **argv) {
    if (argc < 4)
        stop("expected GATES SEED ETDUMP...");
    size_t n_gates = strtoul(argv[1], NULL, 10);
    uint64_t state = strtoull(argv[2], NULL, 10) * 2 + 1;
    shares all = {0};
    printf("%-34s %6s %13s %11s %12s %15s\n", "runs of one process, 50 a side", "gates",
           "false alarms", "found", "resolvable", "found of these");
    for (int i = 3; i < argc; i++)
        measure(argv[i], n_gates, &state, &all);
    print_shares("all", &all);
    bool is_quiet = percent(all.n_alarms, all.n) <= 1;
    bool finds_all = percent(all.n_found, all.n) >= 95;
    bool finds_resolvable = percent(all.n_resolved, all.n_resolvable) >= 95;
    printf("at most 1 %% false alarms: %s; at least 95 %% found: %s, of resolvable ones: %s\n",
           is_quiet ? "met" : "missed", finds_all ? "met" : "missed",
           finds_resolvable ? "met" : "missed");
    return is_quiet && finds_resolvable ? 0 : 1;
}
