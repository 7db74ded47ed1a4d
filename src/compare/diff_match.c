/*
 * diff_match.c - makes the pairs of blocks and the rows of a comparison from the corresponding
 * parts of both profiles.
 */
#include "compare/diff_parts.h"

#include <stdlib.h>

/* ---- blocks ---------------------------------------------------------------------------------- */

static const eti_entry *find_total(const eti_profile_block *block) {
    bool has = block && block->n_totals > 0 && block->entries[0].kind == ETI_ENTRY_EXECUTE;
    return has ? &block->entries[0] : NULL;
}

static bool find_namesakes(eti_diff *diff, eti_diff_pair *pair) {
    return (!pair->base || eti__namesakes_find(&pair->namesakes_base, pair->base, &diff->arena)) &&
           (!pair->new_side ||
            eti__namesakes_find(&pair->namesakes_new, pair->new_side, &diff->arena));
}

static eti_status add_pairs(eti_diff *diff, const eti_match *matches, size_t n, eti_error *err) {
    diff->pairs = eti__arena_alloc_zero(&diff->arena, n + 1, sizeof *diff->pairs);
    if (!diff->pairs)
        return eti_fail_memory(err);
    for (size_t i = 0; i < n; i++) {
        eti_diff_pair *pair = &diff->pairs[diff->n_pairs++];
        if (matches[i].base != ETI_NO_ENTRY)
            pair->base = &diff->base->blocks[matches[i].base];
        if (matches[i].new_side != ETI_NO_ENTRY)
            pair->new_side = &diff->new_side->blocks[matches[i].new_side];
        pair->total_base = find_total(pair->base);
        pair->total_new = find_total(pair->new_side);
        if (!find_namesakes(diff, pair))
            return eti_fail_memory(err);
    }
    return ETI_OK;
}

eti_status eti__diff_match_blocks(eti_diff *diff, eti_error *err) {
    eti_match *matches;
    size_t n;
    ETI_TRY(eti__match_blocks(&matches, &n, diff->base, diff->new_side, err));
    eti_status status = add_pairs(diff, matches, n, err);
    free(matches);
    return status;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static void add_row(eti_diff *diff, eti_diff_rows *rows, uint32_t pair, const eti_entry *base,
                    const eti_entry *new_side, eti_match_kind kind) {
    eti_diff_row *row = &rows->rows[rows->n++];
    *row = eti__diff_row_of(diff, pair, base, new_side);
    row->match = (uint8_t)kind;
    if (row->kind == ETI_ENTRY_EXECUTE)
        diff->pairs[pair].total = row;
}

static eti_match_kind kind_of(const eti_entry *base, const eti_entry *new_side) {
    if (!base)
        return ETI_MATCH_ADDED;
    return new_side ? ETI_MATCH_SAME : ETI_MATCH_REMOVED;
}

static void add_totals(eti_diff *diff, uint32_t number) {
    const eti_diff_pair *pair = &diff->pairs[number];
    for (int kind = 0; kind < ETI_N_TOTALS; kind++) {
        const eti_entry *base = NULL, *new_side = NULL;
        for (size_t i = 0; pair->base && i < pair->base->n_totals; i++)
            base = pair->base->entries[i].kind == kind ? &pair->base->entries[i] : base;
        for (size_t i = 0; pair->new_side && i < pair->new_side->n_totals; i++)
            new_side =
                pair->new_side->entries[i].kind == kind ? &pair->new_side->entries[i] : new_side;
        if (base || new_side)
            add_row(diff, &diff->totals, number, base, new_side, kind_of(base, new_side));
    }
}

static void add_allocated(eti_diff *diff, uint32_t number) {
    const eti_diff_pair *pair = &diff->pairs[number];
    const eti_entry *base = pair->base ? pair->base->allocated : NULL;
    const eti_entry *new_side = pair->new_side ? pair->new_side->allocated : NULL;
    if (base || new_side)
        add_row(diff, &diff->allocated, number, base, new_side, kind_of(base, new_side));
}

/* Adds a block that the other side lacks. */
static void add_lonely(eti_diff *diff, uint32_t number) {
    const eti_diff_pair *pair = &diff->pairs[number];
    const eti_profile_block *block = pair->base ? pair->base : pair->new_side;
    for (size_t i = block->n_totals; i < block->n_entries; i++) {
        const eti_entry *entry = &block->entries[i];
        add_row(diff, &diff->events, number, pair->base ? entry : NULL, pair->base ? NULL : entry,
                pair->base ? ETI_MATCH_REMOVED : ETI_MATCH_ADDED);
    }
}

static eti_status add_events(eti_diff *diff, uint32_t number, eti_error *err) {
    const eti_diff_pair *pair = &diff->pairs[number];
    eti_match *matches;
    size_t n;
    ETI_TRY(eti__match_events(&matches, &n, pair->base, pair->new_side, err));
    for (size_t i = 0; i < n; i++) {
        const eti_entry *base = NULL, *new_side = NULL;
        if (matches[i].base != ETI_NO_ENTRY)
            base = &pair->base->entries[pair->base->n_totals + matches[i].base];
        if (matches[i].new_side != ETI_NO_ENTRY)
            new_side = &pair->new_side->entries[pair->new_side->n_totals + matches[i].new_side];
        add_row(diff, &diff->events, number, base, new_side, matches[i].kind);
    }
    free(matches);
    return ETI_OK;
}

static bool has_total(const eti_diff_pair *pair) {
    return pair->total_base || pair->total_new;
}

static bool names_blocks(const eti_diff *diff) {
    eti_row_blocks blocks = {.must_be_named = false};
    for (size_t i = 0; i < diff->n_pairs; i++) {
        const eti_diff_pair *pair = &diff->pairs[i];
        if (pair->total_new)
            eti__row_blocks_add(&blocks, pair->total_new->kind, pair);
    }
    return blocks.must_be_named;
}

static size_t count_events(const eti_profile_block *block) {
    return block ? block->n_entries - block->n_totals : 0;
}

eti_status eti__diff_list_rows(eti_diff *diff, eti_error *err) {
    size_t most = 1;
    for (size_t i = 0; i < diff->n_pairs; i++)
        most += count_events(diff->pairs[i].base) + count_events(diff->pairs[i].new_side);
    diff->totals.rows =
        eti__arena_alloc(&diff->arena, diff->n_pairs * ETI_N_TOTALS + 1, sizeof *diff->totals.rows);
    diff->events.rows = eti__arena_alloc(&diff->arena, most, sizeof *diff->events.rows);
    diff->allocated.rows =
        eti__arena_alloc(&diff->arena, diff->n_pairs + 1, sizeof *diff->allocated.rows);
    if (!diff->totals.rows || !diff->events.rows || !diff->allocated.rows)
        return eti_fail_memory(err);
    for (uint32_t i = 0; i < diff->n_pairs; i++)
        add_allocated(diff, i);
    /* blocks that only load come last */
    for (uint32_t i = 0; i < diff->n_pairs; i++) {
        if (has_total(&diff->pairs[i]))
            add_totals(diff, i);
    }
    for (uint32_t i = 0; i < diff->n_pairs; i++) {
        if (!has_total(&diff->pairs[i]))
            add_totals(diff, i);
    }
    for (uint32_t i = 0; i < diff->n_pairs; i++) {
        if (diff->pairs[i].base && diff->pairs[i].new_side)
            ETI_TRY(add_events(diff, i, err));
        else
            add_lonely(diff, i);
    }
    diff->names_blocks = names_blocks(diff);
    return ETI_OK;
}
