#include "series/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- rows ------------------------------------------------------------------------------------ */

static double median_of(const double *values, size_t n, double *scratch) {
    bool is_known = n > 0 && !eti__has_missing(values, n);
    return is_known ? eti__median_of(values, n, scratch) : (double)NAN;
}

static void fill_row(const eti_side *side, const eti_side_block *of, const eti_entry *entry,
                     double *values, eti_side_row *out, double *scratch) {
    size_t n = of->block->n_files;
    for (size_t i = 0; i < n; i++)
        values[i] = eti__file_metric(&entry->times[i], side->metric);
    bool is_time = eti__entry_is_time(entry);
    *out = (eti_side_row){.entry = entry,
                          .block = of,
                          .values = values,
                          .factor = is_time ? side->profile->factor : 1};
    out->location = median_of(values, n, scratch) / out->factor;
    if (entry->kind >= ETI_N_TOTALS) {
        out->step = eti__clock_step(&side->clocks, entry);
        out->namesakes = &of->namesakes[entry - of->block->entries];
    }
    out->share = (double)NAN;
    if (is_time && of->n_totals > 0 && of->totals->location > 0)
        out->share = out->location / of->totals->location;
}

/* Lists the rows; the total comes first, because events have a share of it. */
static bool list_rows(eti_side *side, eti_side_block *out, double *scratch) {
    const eti_profile_block *block = out->block;
    size_t n_rows = block->n_entries - block->n_totals + 1;
    double *values = eti__arena_alloc(&side->arena, n_rows * block->n_files, sizeof *values);
    out->totals = eti__arena_alloc(&side->arena, n_rows, sizeof *out->totals);
    if (!values || !out->totals || !eti__namesakes_find(&out->namesakes, block, &side->arena))
        return false;
    out->events = out->totals;
    for (size_t i = 0; i < block->n_entries; i++) {
        const eti_entry *entry = &block->entries[i];
        if (entry->kind != ETI_ENTRY_EXECUTE && entry->kind < ETI_N_TOTALS)
            continue;
        fill_row(side, out, entry, values, &out->totals[out->n_totals + out->n_events], scratch);
        values += block->n_files;
        if (entry->kind == ETI_ENTRY_EXECUTE)
            out->events = out->totals + ++out->n_totals;
        else
            out->n_events++;
    }
    return true;
}

/* ---- families -------------------------------------------------------------------------------- */

/* Chooses the rows that count cycles, or those that do not. */
static size_t choose_rows(eti_side_family *family, eti_side_row *rows, size_t n, bool in_cycles,
                          double least, double *scratch) {
    size_t n_files = family->file_values.n_new, n_chosen = 0;
    for (size_t i = 0; i < n; i++) {
        if (eti__entry_is_time(rows[i].entry) == in_cycles)
            continue;
        if (rows[i].unjudged == ETI_JUDGED)
            rows[i].unjudged = (uint8_t)eti__find_unjudged(rows[i].values, n_files, least, scratch);
        if (rows[i].unjudged == ETI_JUDGED)
            family->rows[rows[i].place = n_chosen++] = &rows[i];
        rows[i].family = rows[i].unjudged == ETI_JUDGED ? family : NULL;
    }
    return n_chosen;
}

/* Concatenates the values of the rows, and takes their logarithms. */
static bool take_logs(eti_side *side, eti_side_family *family) {
    size_t n = family->file_values.n, n_files = family->file_values.n_new;
    double *values = eti__arena_alloc(&side->arena, n * n_files + 1, sizeof *values);
    double *logs = eti__arena_alloc(&side->arena, n * n_files + 1, sizeof *logs);
    double *steps = eti__arena_alloc(&side->arena, n + 1, sizeof *steps);
    if (!values || !logs || !steps)
        return false;
    for (size_t i = 0; i < n; i++) {
        memcpy(values + i * n_files, family->rows[i]->values, n_files * sizeof *values);
        steps[i] = family->rows[i]->step;
        family->rows[i]->logs = logs + i * n_files;
    }
    family->file_values.values = values;
    family->file_values.steps = steps;
    eti__log_values(logs, &family->file_values);
    family->logs = logs;
    return true;
}

/* Finds the levels of the files, and makes rows relative to them. */
static bool remove_levels(eti_side *side, eti_side_family *family) {
    size_t n = family->file_values.n, n_files = family->file_values.n_new;
    if (n < ETI_LEVEL_FEWEST_EVENTS)
        return true;
    double *levels = eti__arena_alloc(&side->arena, n_files, sizeof *levels);
    double *relative = eti__arena_alloc(&side->arena, n * n_files, sizeof *relative);
    double *scratch = malloc(((n + 1) * n_files) * sizeof *scratch);
    if (!levels || !relative || !scratch) {
        free(scratch);
        return false;
    }
    eti__find_levels(levels, family->logs, &family->file_values, scratch);
    free(scratch);
    for (size_t i = 0; i < n * n_files; i++)
        relative[i] = family->logs[i] - levels[i % n_files];
    for (size_t i = 0; i < n; i++)
        family->rows[i]->logs = relative + i * n_files;
    family->levels = levels;
    return true;
}

static bool make_family(eti_side *side, const eti_side_block *of, eti_side_row *rows, size_t n,
                        bool in_cycles, double least, eti_side_family *out, double *scratch) {
    *out = (eti_side_family){.file_values = {.n_new = of->block->n_files}};
    out->rows = eti__arena_alloc(&side->arena, n + 1, sizeof *out->rows);
    if (!out->rows)
        return false;
    out->file_values.n = choose_rows(out, rows, n, in_cycles, least, scratch);
    return take_logs(side, out);
}

/* ---- units ----------------------------------------------------------------------------------- */

/* Fills the ends of the units of a block, given the push of each file of the profile. Returns false if memory runs out. */
static bool list_units(eti_side *side, const uint32_t *pushes, eti_side_block *out) {
    const eti_profile_block *block = out->block;
    out->ends = eti__arena_alloc(&side->arena, block->n_files, sizeof *out->ends);
    for (size_t i = 0; out->ends && i < block->n_files; i++) {
        bool is_next = i > 0 && pushes[block->files[i].file] != pushes[block->files[i - 1].file];
        out->n_units += i == 0 || is_next;
        out->ends[out->n_units - 1] = i + 1;
    }
    return out->ends;
}

/* Replaces the numbers of a row, one per file, by those of units. Returns false if memory runs out. */
static bool take_units(eti_side *side, const eti_side_block *of, eti_side_row *row,
                       double *scratch) {
    double *values = eti__arena_alloc(&side->arena, 2 * of->n_units, sizeof *values);
    if (!values)
        return false;
    double *logs = values + of->n_units;
    for (size_t i = 0, first = 0; i < of->n_units; first = of->ends[i++]) {
        size_t n = of->ends[i] - first;
        values[i] = eti__median_of_known(row->values + first, n, scratch);
        if (row->logs)
            logs[i] = eti__median_of(row->logs + first, n, scratch);
    }
    row->values = values;
    row->logs = row->logs ? logs : NULL;
    return true;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static void leave_out(eti_side_row *rows, size_t n) {
    for (size_t i = 0; i < n; i++)
        rows[i].unjudged = ETI_UNJUDGED_FEW_FILES;
}

/* Returns the cycles of a row; 0 if it counts time. */
static double cycles_of(const eti_side_row *row) {
    return eti__entry_is_time(row->entry) || isnan(row->location) ? 0 : row->location;
}

static bool make_block(eti_side *side, const uint32_t *pushes, eti_side_block *out, size_t fewest,
                       double *scratch) {
    if (!list_rows(side, out, scratch) || !list_units(side, pushes, out))
        return false;
    if (out->n_units < fewest) {
        leave_out(out->totals, out->n_totals);
        leave_out(out->events, out->n_events);
    }
    double least = 0, all_cycles = 0;
    for (size_t i = 0; i < out->n_events; i++)
        all_cycles += cycles_of(&out->events[i]);
    if (out->n_totals > 0 && out->totals->location > 0)
        least = side->options.min_share * out->totals->location * side->profile->factor;
    size_t n = out->n_events;
    bool done =
        make_family(side, out, out->totals, out->n_totals, false, 0, &out->total, scratch) &&
        make_family(side, out, out->events, n, false, least, &out->family, scratch) &&
        make_family(side, out, out->events, n, true, side->options.min_share * all_cycles,
                    &out->cycles, scratch) &&
        remove_levels(side, &out->family) && remove_levels(side, &out->cycles);
    if (out->n_units < out->block->n_files) {
        for (size_t i = 0; i < out->n_totals + out->n_events && done; i++)
            done = take_units(side, out, &out->totals[i], scratch);
    }
    return done;
}

static void count_block(eti_side *side, const eti_side_block *of, double *judged, double *all) {
    if (of->block->n_files > side->n_files)
        side->n_files = of->block->n_files;
    if (of->n_units > side->n_units)
        side->n_units = of->n_units;
    for (size_t i = 0; i < of->n_events; i++) {
        eti__coverage_add(&side->coverage, (eti_unjudged)of->events[i].unjudged);
        if (of->events[i].unjudged == ETI_JUDGED && eti__entry_is_time(of->events[i].entry))
            *judged += of->events[i].location;
    }
    if (of->n_totals > 0 && of->totals->location > 0)
        *all += of->totals->location;
}

/* ---- lists ----------------------------------------------------------------------------------- */

/* compares addresses: the rows of a block are one array */
static int compare_rows(const void *a, const void *b) {
    const eti_side_row *x = *(eti_side_row *const *)a, *y = *(eti_side_row *const *)b;
    bool is_judged = x->unjudged == ETI_JUDGED;
    if (is_judged != (y->unjudged == ETI_JUDGED))
        return is_judged ? -1 : 1;
    if (is_judged && eti__entry_is_time(x->entry) != eti__entry_is_time(y->entry))
        return eti__entry_is_time(x->entry) ? -1 : 1;
    if (is_judged && x->location != y->location)
        return x->location > y->location ? -1 : 1;
    if (x->block != y->block)
        return x->block < y->block ? -1 : 1;
    return (x > y) - (x < y);
}

static bool list_all(eti_side *side, bool are_totals, eti_side_rows *out) {
    size_t n = 0;
    for (size_t i = 0; i < side->profile->n_blocks; i++)
        n += are_totals ? side->blocks[i].n_totals : side->blocks[i].n_events;
    out->rows = eti__arena_alloc(&side->arena, n + 1, sizeof *out->rows);
    if (!out->rows)
        return false;
    for (size_t i = 0; i < side->profile->n_blocks; i++) {
        const eti_side_block *block = &side->blocks[i];
        size_t n_rows = are_totals ? block->n_totals : block->n_events;
        for (size_t k = 0; k < n_rows; k++) {
            eti_side_row *row = are_totals ? &block->totals[k] : &block->events[k];
            out->rows[out->n++] = row;
            out->n_judged += row->unjudged == ETI_JUDGED;
        }
    }
    if (!are_totals)
        qsort((void *)out->rows, out->n, sizeof *out->rows, compare_rows);
    return true;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static eti_status make_blocks(eti_side *side, const char *by, size_t fewest, eti_error *err) {
    const eti_profile *profile = side->profile;
    double judged = 0, all = 0;
    size_t most = 1;
    for (size_t i = 0; i < profile->n_blocks; i++)
        most = profile->blocks[i].n_files > most ? profile->blocks[i].n_files : most;
    double *scratch = malloc(most * sizeof *scratch);
    uint32_t *pushes = malloc((profile->n_files + 1) * sizeof *pushes);
    side->blocks = eti__arena_alloc_zero(&side->arena, profile->n_blocks + 1, sizeof *side->blocks);
    bool done = scratch && pushes && side->blocks;
    side->units = "files";
    if (done && eti__profile_number_pushes(profile, by, pushes) < profile->n_files)
        side->units = "pushes";
    for (size_t i = 0; i < profile->n_files; i++) {
        if (profile->files[i].n_merged > 0)
            side->units = "pushes";
    }
    for (size_t i = 0; i < profile->n_blocks && done; i++) {
        side->blocks[i].block = &profile->blocks[i];
        done = make_block(side, pushes, &side->blocks[i], fewest, scratch);
        if (done)
            count_block(side, &side->blocks[i], &judged, &all);
    }
    free(scratch);
    free(pushes);
    side->coverage.share = all > 0 ? fmin(1, judged / all) : (double)NAN;
    done = done && list_all(side, true, &side->totals) && list_all(side, false, &side->events);
    return done ? ETI_OK : eti_fail_memory(err);
}

eti_status eti__side_make(eti_side *out, const eti_profile *profile,
                          const eti_diff_options *options, const char *by, size_t fewest,
                          eti_error *err) {
    static const eti_diff_options defaults = ETI_DIFF_OPTIONS_DEFAULT;
    *out = (eti_side){.profile = profile, .options = options ? *options : defaults};
    ETI_TRY(eti__diff_check_options(&out->options, err));
    if (!out->options.allow_unlike)
        ETI_TRY(eti__profile_check_blocks(profile, err));
    out->metric = out->options.metric;
    if (!eti__clocks_add(&out->clocks, profile))
        return eti_fail_memory(err);
    return make_blocks(out, by, fewest, err);
}

void eti__side_show_values(const eti_side *side, eti_column_spec *specs, size_t n) {
    for (size_t i = 0; i < side->events.n; i++) {
        if (!eti__entry_is_time(side->events.rows[i]->entry)) {
            eti__columns_show_values(specs, n);
            return;
        }
    }
}

bool eti__side_rows_name_blocks(const eti_side_rows *rows) {
    eti_row_blocks blocks = {.must_be_named = false};
    for (size_t i = 0; i < rows->n && !blocks.must_be_named; i++) {
        if (rows->rows[i]->unjudged == ETI_JUDGED)
            eti__row_blocks_add(&blocks, rows->rows[i]->entry->kind, rows->rows[i]->block);
    }
    return blocks.must_be_named;
}

void eti__side_free(eti_side *side) {
    eti__clocks_free(&side->clocks);
    eti__arena_free(&side->arena);
    *side = (eti_side){0};
}
