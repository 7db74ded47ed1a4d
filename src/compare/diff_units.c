/*
 * diff_units.c - chooses the evidence: files or runs, the number of each, and the step of its
 * clock.
 */
#include "compare/diff_parts.h"

#include <math.h>
#include <stdlib.h>

#define FEWEST_OF_ESTIMATE 2 /* files per side of which the scatter is known */

/* ---- units ----------------------------------------------------------------------------------- */

static size_t count_units(const eti_diff *diff, const eti_profile_block *block) {
    if (!block)
        return 0;
    return diff->options.one_process ? block->n_runs : block->n_files;
}

/* Finds out which pairs are whole; `n_base` and `n_new` are numbers of files per block. */
static bool find_whole(eti_diff *diff, size_t *n_base, size_t *n_new) {
    if (!n_base || !n_new || !eti__block_names_count_files(diff->base, n_base) ||
        !eti__block_names_count_files(diff->new_side, n_new))
        return false;
    for (size_t i = 0; i < diff->n_pairs; i++) {
        eti_diff_pair *pair = &diff->pairs[i];
        if (pair->base && pair->new_side)
            pair->is_whole =
                pair->base->n_files == n_base[pair->base - diff->base->blocks] &&
                pair->new_side->n_files == n_new[pair->new_side - diff->new_side->blocks];
    }
    return true;
}

static eti_status count_pairs(eti_diff *diff, eti_error *err) {
    for (size_t i = 0; i < diff->n_pairs; i++) {
        diff->pairs[i].n_base = count_units(diff, diff->pairs[i].base);
        diff->pairs[i].n_new = count_units(diff, diff->pairs[i].new_side);
    }
    size_t *n_base = malloc((diff->base->n_blocks + 1) * sizeof *n_base);
    size_t *n_new = malloc((diff->new_side->n_blocks + 1) * sizeof *n_new);
    bool done = find_whole(diff, n_base, n_new);
    free(n_base);
    free(n_new);
    return done ? ETI_OK : eti_fail_memory(err);
}

/* Takes the numbers of the pair with the fewest units; loading is skipped, because it happens once per file. */
static void count_least(eti_diff *diff) {
    bool has_total = false;
    diff->n_base = diff->n_new = SIZE_MAX;
    for (size_t i = 0; i < diff->n_pairs; i++)
        has_total = has_total || (diff->pairs[i].total_base && diff->pairs[i].total_new);
    for (size_t i = 0; i < diff->n_pairs; i++) {
        const eti_diff_pair *pair = &diff->pairs[i];
        if (!pair->base || !pair->new_side || (has_total && !(pair->total_base && pair->total_new)))
            continue;
        diff->n_base = pair->n_base < diff->n_base ? pair->n_base : diff->n_base;
        diff->n_new = pair->n_new < diff->n_new ? pair->n_new : diff->n_new;
    }
}

/* ---- metric ---------------------------------------------------------------------------------- */

static eti_status check_runs(const eti_profile *profile, eti_error *err) {
    if (profile->has_ticks)
        return ETI_OK;
    return eti_fail(err, ETI_ERROR_USAGE,
                    "%.*s does not contain the times of runs, which %sone_process compares: save "
                    "it with %ssamples, or give ETDumps",
                    ETI_TEXT_ARGS(profile->name), eti__option_prefix(), eti__option_prefix());
}

static eti_status find_steps(eti_diff *diff, eti_error *err) {
    if (!eti__diff_add_clocks(diff))
        return eti_fail_memory(err);
    for (size_t i = 0; i < diff->events.n; i++) {
        eti_diff_row *row = &diff->events.rows[i];
        const eti_entry *entry = row->new_side.entry ? row->new_side.entry : row->base.entry;
        row->step = eti__diff_clock_step(diff, entry);
    }
    return ETI_OK;
}

/* ---- clocks without variation ---------------------------------------------------------------- */

static bool has_equal_runs(const eti_profile_block *block) {
    for (size_t i = 0; i < block->n_entries; i++) {
        for (size_t k = 0; k < block->n_files; k++) {
            const eti_file_times *times = &block->entries[i].times[k];
            if (times->min != times->max)
                return false;
        }
    }
    return true;
}

/* Returns whether all runs are equal; a file with a single run is not. */
static bool has_equal_ticks(const eti_profile *profile) {
    bool has_runs = false;
    for (size_t i = 0; i < profile->n_blocks; i++) {
        const eti_profile_block *block = &profile->blocks[i];
        has_runs = has_runs || block->n_runs > block->n_files;
        if (!has_equal_runs(block))
            return false;
    }
    return has_runs;
}

/* ---- sizes ----------------------------------------------------------------------------------- */

static void set_sizes(const eti_diff *diff, eti_diff_rows *rows, double *scratch) {
    for (size_t i = 0; i < rows->n; i++)
        eti__diff_set_sizes(diff, &rows->rows[i], diff->pairs[rows->rows[i].pair].total, scratch);
}

/* Sets the totals first, because the other rows have a share of them. */
eti_status eti__diff_set_all_sizes(eti_diff *diff, eti_error *err) {
    eti_diff_rows *const all[] = {&diff->totals, &diff->events, &diff->groups, &diff->allocated};
    size_t most = 1;
    for (size_t i = 0; i < diff->n_pairs; i++) {
        most = diff->pairs[i].n_base > most ? diff->pairs[i].n_base : most;
        most = diff->pairs[i].n_new > most ? diff->pairs[i].n_new : most;
    }
    double *scratch = malloc(most * sizeof *scratch);
    if (!scratch)
        return eti_fail_memory(err);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        set_sizes(diff, all[i], scratch);
    free(scratch);
    return ETI_OK;
}

eti_status eti__diff_find_units(eti_diff *diff, eti_error *err) {
    diff->metric = diff->options.metric;
    if (diff->options.one_process) {
        ETI_TRY(check_runs(diff->base, err));
        ETI_TRY(check_runs(diff->new_side, err));
    }
    if (diff->metric == ETI_METRIC_LOCATION &&
        !(eti__profile_has_locations(diff->base) && eti__profile_has_locations(diff->new_side)))
        diff->metric = ETI_METRIC_P50;
    ETI_TRY(count_pairs(diff, err));
    count_least(diff);
    diff->fewest =
        diff->options.is_estimate ? FEWEST_OF_ESTIMATE : eti__fewest_files(diff->options.alpha);
    diff->has_equal_ticks = has_equal_ticks(diff->base) && has_equal_ticks(diff->new_side);
    return find_steps(diff, err);
}
