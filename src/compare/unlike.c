/*
 * unlike.c - finds why a comparison must not pass although nothing is slower: parts of the sides were not compared, because
 * the sides are not alike.
 */
#include "compare/compare.h"

#include "compare/parts.h"

#include <math.h>
#include <stdlib.h>

/* Warm-up that takes at most this many runs of a file, or this share of them, more than on the base is usual. */
#define USUAL_WARM_UP 2
#define USUAL_WARM_UP_SHARE 0.1
#define USUAL_WARM_UP_ALONE 0.25 /* of a limit, without a base to compare with */

static const eti_unlike alike = {.kind = ETI_ALIKE};

/* Facts about the compared rows of a pair of blocks. */
typedef struct pair_facts {
    eti_shared_times times;
    bool is_concerned; /* the comparison is about a row */
} pair_facts;

static bool is_about(const eti_compared_rows *of, const eti_diff_row *row) {
    return !of->is_about || of->is_about(of->rule, row);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

/* Returns whether only the base has blocks with this name, except for loading, which is not a run of the model. */
static bool is_only_in_base(const eti_diff *diff, const eti_diff_pair *pair) {
    if (pair->new_side || !pair->total_base)
        return false;
    for (size_t i = 0; i < diff->new_side->n_blocks; i++) {
        if (eti__block_has_name_of(&diff->new_side->blocks[i], pair->base))
            return false;
    }
    return true;
}

/* Finds a block that only the base has, with a row that is compared. */
static const eti_diff_pair *find_lost_block(const eti_compared_rows *of) {
    const eti_diff_rows *rows = of->rows;
    for (size_t i = 0; i < rows->n; i++) {
        const eti_diff_row *row = &rows->rows[i];
        const eti_diff_pair *pair = &of->diff->pairs[row->pair];
        if (row->new_side.n_events == 0 && is_about(of, row) && is_only_in_base(of->diff, pair))
            return pair;
    }
    return NULL;
}

/* ---- shared times ---------------------------------------------------------------------------- */

void eti__add_shared(eti_shared_times *times, const eti_diff_row *row) {
    bool is_on_both = eti__diff_row_is_on_both(row);
    if (row->is_rest || eti__row_side_unit(&row->base).data ||
        eti__row_side_unit(&row->new_side).data)
        return;
    times->base += row->base.typical;
    times->new_side += row->new_side.typical;
    times->of_base += is_on_both ? row->base.typical : 0;
    times->of_new_side += is_on_both ? row->new_side.typical : 0;
}

static bool is_little(double part, double whole) {
    return part < ETI_LITTLE_IN_COMMON * whole;
}

/* Finds a pair whose sides have little in common. Looks at all events or groups, not only those that the pattern selects,
 * because changes are relative to the level of all rows that the sides share. */
static eti_unlike find_little_in_common(const eti_compared_rows *of, pair_facts *facts) {
    const eti_diff *diff = of->diff;
    for (size_t i = 0; i < of->rows->n; i++) {
        const eti_diff_row *row = &of->rows->rows[i];
        pair_facts *pair = &facts[row->pair];
        pair->is_concerned = pair->is_concerned || is_about(of, row);
        eti__add_shared(&pair->times, row);
    }
    for (size_t i = 0; i < diff->n_pairs; i++) {
        const eti_shared_times *t = &facts[i].times;
        bool is_on_both = diff->pairs[i].base && diff->pairs[i].new_side;
        if (!is_on_both || !facts[i].is_concerned ||
            (!is_little(t->of_base, t->base) && !is_little(t->of_new_side, t->new_side)))
            continue;
        return (eti_unlike){ETI_UNLIKE_EVENTS, &diff->pairs[i],
                            t->base > 0 ? t->of_base / t->base : 0,
                            t->new_side > 0 ? t->of_new_side / t->new_side : 0};
    }
    return alike;
}

/* ---- warm-up --------------------------------------------------------------------------------- */

static double share_of_warm_up(const eti_profile_block *block) {
    size_t n = block->n_runs + block->n_skipped;
    return n > 0 ? (double)block->n_skipped / (double)n : 0;
}

/* Finds a checked pair in which warm-up took many more runs of the new side than of the base or, for a limit without a
 * base, many runs. */
static eti_unlike find_warm_up(const eti_diff *diff, const bool *are_checked) {
    for (size_t i = 0; i < diff->n_pairs; i++) {
        const eti_diff_pair *pair = &diff->pairs[i];
        if (!are_checked[i] || !pair->new_side || pair->new_side->n_files == 0)
            continue;
        bool has_base = pair->base && diff->base != diff->new_side;
        double base = has_base ? share_of_warm_up(pair->base) : 0;
        double usual = has_base ? USUAL_WARM_UP_SHARE : USUAL_WARM_UP_ALONE;
        double new_side = share_of_warm_up(pair->new_side);
        double n_runs = (double)(pair->new_side->n_runs + pair->new_side->n_skipped) /
                        (double)pair->new_side->n_files;
        if (new_side - base <= usual || (new_side - base) * n_runs <= USUAL_WARM_UP)
            continue;
        return (eti_unlike){ETI_UNLIKE_WARM_UP, pair, base, new_side};
    }
    return alike;
}

/* ---- the whole ------------------------------------------------------------------------------- */

bool eti__find_unlike(eti_unlike *out, const eti_compared_rows *of, const bool *are_checked) {
    const eti_diff *diff = of->diff;
    *out = alike;
    if (diff->options.allow_unlike)
        return true;
    pair_facts *facts = calloc(diff->n_pairs + 1, sizeof *facts);
    if (!facts)
        return false;
    const eti_diff_pair *lost = of->compares ? find_lost_block(of) : NULL;
    if (lost)
        *out = (eti_unlike){.kind = ETI_UNLIKE_BLOCKS, .pair = lost};
    if (out->kind == ETI_ALIKE && of->compares && of->are_parts)
        *out = find_little_in_common(of, facts);
    if (out->kind == ETI_ALIKE && of->have_warm_up && !diff->new_side->has_fixed_skip)
        *out = find_warm_up(diff, are_checked);
    free(facts);
    return true;
}

/* ---- words ----------------------------------------------------------------------------------- */

static void add_block(eti_buffer *out, const eti_diff_pair *pair, bool names_blocks) {
    if (names_blocks)
        eti__buffer_printf(out, " of %.*s", ETI_TEXT_ARGS(pair->new_side->label));
}

void eti__add_unlike(eti_buffer *out, const eti_diff *diff, const eti_unlike *unlike,
                     const char *things, bool names_blocks) {
    switch (unlike->kind) {
    case ETI_UNLIKE_BLOCKS:
        eti__buffer_printf(out, "only the base has the EventBlock %.*s",
                           ETI_TEXT_ARGS(unlike->pair->base->label));
        break;
    case ETI_UNLIKE_EVENTS:
        eti__buffer_printf(out, "shared %s take only ", things);
        eti__add_share(out, unlike->base);
        eti__buffer_add_string(out, " of the time of the base and ");
        eti__add_share(out, unlike->new_side);
        eti__buffer_add_string(out, " of the time of the new side");
        add_block(out, unlike->pair, names_blocks);
        break;
    case ETI_UNLIKE_WARM_UP:
        eti__add_share(out, unlike->new_side);
        eti__buffer_add_string(out, " of the runs of the new side");
        add_block(out, unlike->pair, names_blocks);
        eti__buffer_add_string(out, " were dropped as warm-up");
        if (diff->base != diff->new_side) {
            eti__buffer_add_string(out, ", but ");
            eti__add_share(out, unlike->base);
            eti__buffer_add_string(out, " of the base");
        }
        break;
    case ETI_ALIKE:
        break;
    }
}
