#include "compare/parts.h"

#include "base/names.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ==== diff units ============================================================================== */
/* Chooses the evidence: files or runs, the number of each, and the step of its clock. */

/* ---- units ----------------------------------------------------------------------------------- */

static size_t count_units(const eti_diff *diff, const eti_profile_block *block) {
    if (!block)
        return 0;
    return diff->options.one_process ? block->n_runs : block->n_files;
}

static size_t count_fewest_runs(const eti_profile_block *block, size_t fewest) {
    for (size_t i = 0; block && i < block->n_files; i++)
        fewest = block->files[i].n < fewest ? block->files[i].n : fewest;
    return fewest;
}

/* Finds out which pairs are whole. Returns false if memory runs out. */
static bool find_whole(eti_diff *diff) {
    /* numbers of files, per block */
    size_t *n_base = eti__arena_alloc(&diff->arena, diff->base->n_blocks, sizeof *n_base);
    size_t *n_new = eti__arena_alloc(&diff->arena, diff->new_side->n_blocks, sizeof *n_new);
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

/* Counts the units of all pairs, and finds the distributions of their ranks; pairs with the same numbers share one. */
static eti_status count_pairs(eti_diff *diff, eti_error *err) {
    for (size_t i = 0; i < diff->n_pairs; i++) {
        eti_diff_pair *pair = &diff->pairs[i], *before = i > 0 ? pair - 1 : pair;
        pair->n_base = count_units(diff, pair->base);
        pair->n_new = count_units(diff, pair->new_side);
        pair->n_runs = count_fewest_runs(pair->base, count_fewest_runs(pair->new_side, SIZE_MAX));
        bool is_shared = pair->n_base == before->ranks.n_base && pair->n_new == before->ranks.n_new;
        if (is_shared)
            pair->ranks = before->ranks;
        else if (pair->n_base > 0 && pair->n_new > 0 &&
                 !eti__ranks_make(&pair->ranks, pair->n_base, pair->n_new))
            return eti_fail_memory(err);
    }
    return find_whole(diff) ? ETI_OK : eti_fail_memory(err);
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

/* Returns the largest number of units of a side. */
static size_t count_most_units(const eti_diff *diff) {
    size_t most = 1;
    for (size_t i = 0; i < diff->n_pairs; i++) {
        most = diff->pairs[i].n_base > most ? diff->pairs[i].n_base : most;
        most = diff->pairs[i].n_new > most ? diff->pairs[i].n_new : most;
    }
    return most;
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

/* Fills the locations, ratios and shares of all rows; with NULL for `scratch`, the deltas. The totals come first, because
 * the other rows have a share of them. */
static void set_sizes(eti_diff *diff, double *scratch) {
    eti_diff_rows *const all[] = {&diff->totals, &diff->events, &diff->groups, &diff->allocated};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        for (size_t k = 0; k < all[i]->n; k++) {
            eti_diff_row *row = &all[i]->rows[k];
            const eti_diff_row *total = diff->pairs[row->pair].total;
            if (scratch)
                eti__diff_set_sizes(diff, row, total, scratch);
            else if (!row->is_level)
                eti__diff_set_delta(row, total);
        }
    }
}

/* Chooses the units and the metric, and fills the steps of the clocks of events. Fails with
 * ETI_ERROR_USAGE if runs are requested that were not kept, or with ETI_ERROR_MEMORY. */
static eti_status find_diff_units(eti_diff *diff, eti_error *err) {
    diff->metric = diff->options.metric;
    if (diff->options.one_process) {
        ETI_TRY(check_runs(diff->base, err));
        ETI_TRY(check_runs(diff->new_side, err));
    }
    ETI_TRY(count_pairs(diff, err));
    count_least(diff);
    diff->fewest = eti__fewest_files(diff->options.alpha / 2);
    diff->has_equal_ticks = has_equal_ticks(diff->base) && has_equal_ticks(diff->new_side);
    if (!eti__diff_add_clocks(diff))
        return eti_fail_memory(err);
    for (size_t i = 0; i < diff->events.n; i++) {
        eti_diff_row *row = &diff->events.rows[i];
        const eti_entry *entry = row->new_side.entry ? row->new_side.entry : row->base.entry;
        row->step = eti__diff_clock_step(diff, entry);
    }
    return ETI_OK;
}

/* ==== diff order ============================================================================== */
/* Sorts rows for people: changes first, times before cycles, the largest first. */

/* Largest number of rows without a verdict of slower or faster that people see; there may be thousands. */
#define MOST_UNJUDGED ((size_t)20)

typedef enum interest {
    IS_SLOWER_OR_FASTER,
    IS_UNDECIDED,
    IS_OTHER_CHANGE, /* added, removed, renamed, or moved to a delegate */
    IS_UNCHANGED,
} interest;

typedef struct sort_key {
    double size;
    bool is_in_cycles;
    uint32_t number;
    uint32_t interest; /* an enum interest */
} sort_key;

static interest interest_of(const eti_diff_row *row) {
    switch (row->verdict) {
    case ETI_VERDICT_SLOWER:
    case ETI_VERDICT_FASTER:
        return IS_SLOWER_OR_FASTER;
    case ETI_VERDICT_UNDECIDED:
        return IS_UNDECIDED;
    case ETI_VERDICT_ADDED:
    case ETI_VERDICT_REMOVED:
        return IS_OTHER_CHANGE;
    default:
        break;
    }
    bool is_same = row->match == ETI_MATCH_SAME || row->match == ETI_MATCH_MOVED;
    return is_same ? IS_UNCHANGED : IS_OTHER_CHANGE;
}

/* Returns the size of the change in time or cycles. If the row is not judged, uses the ratio itself. */
static double size_of(const eti_diff_row *row) {
    bool is_undecided = row->verdict == ETI_VERDICT_UNDECIDED;
    double size = fabs(is_undecided ? log(row->ratio) : row->delta);
    return isnan(size) ? 0 : size;
}

static int compare_keys(const void *a, const void *b) {
    const sort_key *x = a, *y = b;
    if (x->interest != y->interest)
        return x->interest < y->interest ? -1 : 1;
    if (x->is_in_cycles != y->is_in_cycles)
        return x->is_in_cycles ? 1 : -1;
    if (x->size != y->size)
        return x->size > y->size ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static size_t count_changed(const sort_key *keys, size_t n) {
    size_t n_judged = 0, n_all = 0;
    while (n_all < n && keys[n_all].interest != IS_UNCHANGED)
        n_judged += keys[n_all++].interest == IS_SLOWER_OR_FASTER;
    size_t n_other = n_all - n_judged;
    return n_judged + (n_other < MOST_UNJUDGED ? n_other : MOST_UNJUDGED);
}

eti_status eti__diff_sort_rows(eti_diff_rows *rows, eti_error *err) {
    eti_arena arena = {0};
    sort_key *keys = eti__arena_alloc(&arena, rows->n, sizeof *keys);
    eti_diff_row *before = eti__arena_alloc(&arena, rows->n, sizeof *before);
    if (!keys || !before) {
        eti__arena_free(&arena);
        return eti_fail_memory(err);
    }
    for (size_t i = 0; i < rows->n; i++) {
        const eti_diff_row *row = &rows->rows[i];
        keys[i] = (sort_key){.size = size_of(row),
                             .is_in_cycles = eti__diff_row_unit(row).data != NULL,
                             .number = (uint32_t)i,
                             .interest = interest_of(row)};
    }
    qsort(keys, rows->n, sizeof *keys, compare_keys);
    rows->n_changed = count_changed(keys, rows->n);
    for (size_t i = 0; i < rows->n; i++)
        before[i] = rows->rows[i];
    for (size_t i = 0; i < rows->n; i++)
        rows->rows[i] = before[keys[i].number];
    eti__arena_free(&arena);
    return ETI_OK;
}

/* ==== diff gaps =============================================================================== */
/* Finds the gaps of rows: for an event, those of the results that the two paired events recorded;
 * for a module, a line or a node, the worst of its results. */

/* ---- events ---------------------------------------------------------------------------------- */

typedef struct paired_events {
    const eti_event *base, *newer;
    eti_gap gap;
} paired_events;

static const eti_intern_kind by_events = {.item_size = sizeof(paired_events),
                                          .key_size = offsetof(paired_events, gap)};

static bool set_events(eti_diff *diff) {
    ETI_INTERN_OF(paired_events) known = {{0}};
    bool done = true;
    uint32_t number;
    for (size_t i = 0; done && i < diff->options.n_gaps; i++) {
        const eti_gap_of *of = &diff->options.gaps[i];
        const paired_events item = {.base = of->base_event, .newer = of->event};
        if (!item.base || !item.newer)
            continue;
        done = eti__intern_add(&known.table, &by_events, &item, &number);
        if (done)
            eti__gap_join(&known.items[number].gap, &of->gap);
    }
    for (size_t i = 0; done && i < diff->events.n; i++) {
        eti_diff_row *row = &diff->events.rows[i];
        const eti_entry *base = row->base.entry, *newer = row->new_side.entry;
        const paired_events item = {.base = base ? base->event : NULL,
                                    .newer = newer ? newer->event : NULL};
        if (eti__intern_find(&known.table, &by_events, &item, &number))
            row->gap = known.items[number].gap;
    }
    eti__intern_free(&known.table);
    return done;
}

/* ---- groups ---------------------------------------------------------------------------------- */

typedef struct named_gap {
    eti_text name;
    eti_gap gap;
} named_gap;

static const eti_intern_kind by_name = ETI_INTERN_BY_TEXT(named_gap);

/* Appends the name of the group that contains the result; appends nothing if no group does. */
static void add_name(eti_buffer *out, const char *group, const eti_gap_of *of) {
    if (strcmp(group, "node") == 0)
        eti__buffer_add_text(out, of->source_node);
    else if (strcmp(group, "module") == 0)
        eti__buffer_add_text(out, of->module);
    else if (of->file.data)
        eti__add_source_line(out, of->file, of->line);
}

static bool set_groups(eti_diff *diff) {
    ETI_INTERN_OF(named_gap) known = {{0}};
    eti_buffer text = {0};
    bool done = true;
    uint32_t number;
    for (size_t i = 0; done && i < diff->options.n_gaps; i++) {
        named_gap item = {.name = {NULL, 0}};
        text.size = 0;
        add_name(&text, diff->options.group, &diff->options.gaps[i]);
        if (text.size == 0 && !text.failed)
            continue;
        done = !text.failed &&
               eti__arena_copy_text(&diff->arena, eti__buffer_text(&text), &item.name) &&
               eti__intern_add(&known.table, &by_name, &item, &number);
        if (done)
            eti__gap_join(&known.items[number].gap, &diff->options.gaps[i].gap);
    }
    for (size_t i = 0; done && i < diff->groups.n; i++) {
        eti_diff_row *row = &diff->groups.rows[i];
        bool is_paired = row->base.entry && row->new_side.entry;
        if (is_paired && eti__intern_find(&known.table, &by_name, &row->name, &number))
            row->gap = known.items[number].gap;
    }
    eti__buffer_free(&text);
    eti__intern_free(&known.table);
    return done;
}

/* Sets the gaps of rows on both sides from diff->options.gaps. Fails with ETI_ERROR_MEMORY. */
static eti_status set_diff_gaps(eti_diff *diff, eti_error *err) {
    const eti_diff_grouping *grouping = eti__find_diff_grouping(diff->options.group);
    bool done = set_events(diff) && (!eti__has_gaps(grouping) || set_groups(diff));
    return done ? ETI_OK : eti_fail_memory(err);
}

/* ==== diff ==================================================================================== */

/* ---- comparable profiles --------------------------------------------------------------------- */

static bool is_between(double value, double low, double high) {
    return value > low && value < high; /* false for NaN */
}

static eti_status fail_option(const char *option, double value, const char *expected,
                              eti_error *err) {
    return eti_fail(err, ETI_ERROR_USAGE, "%s%s: %g is out of range: expected %s",
                    eti__option_prefix(), option, value, expected);
}

eti_status eti__diff_check_options(const eti_diff_options *options, eti_error *err) {
    if (!is_between(options->alpha, 1e-12, 1))
        return fail_option("alpha", options->alpha,
                           "a probability above 1e-12 and below 1, such as 0.01", err);
    if (!(options->least_effect >= 0) || !is_between(options->least_effect, -1, 1e6))
        return fail_option("least_effect", options->least_effect,
                           "a share of at least 0, such as 5%", err);
    if (!(options->min_share >= 0 && options->min_share < 1))
        return fail_option("min_share", options->min_share, "a share below 100%, such as 1%", err);
    if (!is_between(options->margin, 0, 1e6))
        return fail_option("margin", options->margin, "a share above 0, such as 10%", err);
    if (!is_between(options->beta, 1e-12, 0.5))
        return fail_option("beta", options->beta,
                           "a probability above 1e-12 and below 0.5, such as 0.05", err);
    return ETI_OK;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static eti_status check_common_block(const eti_diff *diff, eti_error *err) {
    for (size_t i = 0; i < diff->n_pairs; i++) {
        if (diff->pairs[i].base && diff->pairs[i].new_side)
            return ETI_OK;
    }
    const eti_profile *base = diff->base, *new_side = diff->new_side;
    if (base->n_blocks == 0 || new_side->n_blocks == 0) /* a side is a program without times */
        return ETI_OK;
    return eti_fail(
        err, ETI_ERROR_DATA,
        "%.*s and %.*s have no EventBlock in common: one has %.*s, the other %.*s",
        ETI_TEXT_ARGS(base->name), ETI_TEXT_ARGS(new_side->name),
        ETI_TEXT_ARGS(base->n_blocks ? base->blocks[0].name : eti__text_of("none")),
        ETI_TEXT_ARGS(new_side->n_blocks ? new_side->blocks[0].name : eti__text_of("none")));
}

/* Checks that no event is in cycles on one side only. ETI_ERROR_USAGE names one. */
static eti_status check_units(const eti_diff *diff, eti_error *err) {
    for (size_t i = 0; i < diff->events.n; i++) {
        const eti_diff_row *row = &diff->events.rows[i];
        const eti_text base = eti__row_side_unit(&row->base);
        if (row->unjudged == ETI_UNJUDGED_UNITS)
            return eti_fail(err, ETI_ERROR_USAGE,
                            "%.*s is in %s in %.*s, but in %s in %.*s: give both sides the same "
                            "%sdelegate_time_scale, or %sallow_unlike",
                            ETI_TEXT_ARGS(row->name), base.data ? "cycles" : "time",
                            ETI_TEXT_ARGS(diff->base->name), base.data ? "time" : "cycles",
                            ETI_TEXT_ARGS(diff->new_side->name), eti__option_prefix(),
                            eti__option_prefix());
    }
    return ETI_OK;
}

static eti_status find_same_file(eti_diff *diff, eti_error *err) {
    const eti_profile_file *same[2];
    ETI_TRY(eti__profiles_find_same_file(diff->base, diff->new_side, same, err));
    diff->is_same_file = same[0];
    for (size_t i = 0; i < 2 && same[0]; i++)
        diff->same_file[i] = same[i]->name;
    return ETI_OK;
}

/* Names the doubtful rows again after they were sorted. */
static void name_doubtful(eti_diff_rows *rows) {
    rows->judgement.n_named = 0;
    for (size_t i = 0; i < rows->n; i++) {
        if (rows->rows[i].is_doubtful)
            eti__judgement_name(&rows->judgement, &rows->rows[i]);
    }
}

eti_status eti__diff_make(eti_diff *out, const eti_profile *base, const eti_profile *new_side,
                          const eti_diff_options *options, eti_error *err) {
    static const eti_diff_options defaults = ETI_DIFF_OPTIONS_DEFAULT;
    *out = (eti_diff){.base = base, .new_side = new_side, .options = options ? *options : defaults};
    ETI_TRY(eti__diff_check_options(&out->options, err));
    ETI_TRY(eti__profile_check_unmerged(base, err));
    ETI_TRY(eti__profile_check_unmerged(new_side, err));
    if (!out->options.allow_unlike) {
        ETI_TRY(eti__profiles_check_alike(base, new_side, err));
        ETI_TRY(eti__profiles_check_jobs(base, new_side, err));
        ETI_TRY(eti__profile_check_blocks(base, err));
        ETI_TRY(eti__profile_check_blocks(new_side, err));
    }
    const eti_label *jobs[2];
    out->is_of_two_jobs = eti__profiles_find_unlike_jobs(base, new_side, jobs);
    if (!out->options.in_turns)
        ETI_TRY(eti__profiles_are_in_turns(&out->options.in_turns, base, new_side, err));
    ETI_TRY(eti__diff_find_scale(out, err));
    ETI_TRY(find_same_file(out, err));
    ETI_TRY(eti__diff_match_blocks(out, err));
    ETI_TRY(check_common_block(out, err));
    ETI_TRY(eti__diff_list_rows(out, err));
    if (!out->options.allow_unlike)
        ETI_TRY(check_units(out, err));
    ETI_TRY(find_diff_units(out, err));
    if (out->options.group)
        ETI_TRY(eti__diff_list_groups(out, err));
    if (out->options.has_gaps)
        ETI_TRY(set_diff_gaps(out, err));
    double *scratch = eti__arena_alloc(&out->arena, count_most_units(out), sizeof *scratch);
    if (!scratch)
        return eti_fail_memory(err);
    set_sizes(out, scratch);
    ETI_TRY(eti__diff_judge(out, err));
    set_sizes(out, NULL);
    ETI_TRY(eti__diff_sort_rows(&out->events, err));
    ETI_TRY(eti__diff_sort_rows(&out->groups, err));
    name_doubtful(&out->events);
    name_doubtful(&out->groups);
    return ETI_OK;
}

void eti__diff_free(eti_diff *diff) {
    for (size_t i = diff->n_pairs; i-- > 0;) {
        if (i == 0 || diff->pairs[i].ranks.below != diff->pairs[i - 1].ranks.below)
            eti__ranks_free(&diff->pairs[i].ranks);
    }
    eti__clocks_free(&diff->clocks);
    eti__clocks_free(&diff->base_clocks);
    eti__arena_free(&diff->arena);
    *diff = (eti_diff){0};
}
