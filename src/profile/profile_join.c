#include "profile/profile_join.h"

#include "profile/block_names.h"
#include "profile/match_profiles.h"
#include "profile/profile_group.h"

#include <stdlib.h>
#include <string.h>

/* A group is compared with at most this many groups of the same name. */
#define MOST_TRIES 16

typedef struct joiner {
    eti_profile *profile;
    ETI_INTERN_OF(eti_block_group) groups;
    uint32_t *marks; /* per file: mark of the last group that contained it */
    uint32_t mark;
    eti_error *err;
} joiner;

/* ---- equal blocks ---------------------------------------------------------------------------- */

static bool is_equal_entry(const eti_entry *a, const eti_entry *b) {
    return a->kind == b->kind && a->role == b->role && eti__text_equal(a->name, b->name) &&
           eti__text_equal(a->op, b->op) && eti__text_equal(a->module, b->module) &&
           eti__text_equal(a->backend, b->backend) &&
           eti__text_equal(a->delegate_id, b->delegate_id) &&
           eti__text_equal(a->handles, b->handles);
}

static bool is_equal_block(const void *key, const void *other) {
    const eti_profile_block *a = ((const eti_block_group *)key)->first,
                            *b = ((const eti_block_group *)other)->first;
    if (((const eti_block_group *)key)->nth != ((const eti_block_group *)other)->nth ||
        !eti__block_has_name_of(a, b) || a->n_entries != b->n_entries)
        return false;
    for (size_t i = 0; i < a->n_entries; i++) {
        if (!is_equal_entry(&a->entries[i], &b->entries[i]))
            return false;
    }
    return true;
}

static uint64_t hash_block(const void *key, uint64_t seed) {
    const eti_profile_block *block = ((const eti_block_group *)key)->first;
    uint64_t hash = eti__text_hash(block->name, seed);
    hash = eti__hash_mix(hash, (uint32_t)block->bundled_input_index);
    hash = eti__hash_mix(hash, ((const eti_block_group *)key)->nth);
    for (size_t i = 0; i < block->n_entries; i++)
        hash = eti__text_hash(block->entries[i].name, hash);
    return hash;
}

static bool has_files(const eti_profile_block *block, const uint32_t *numbers) {
    for (size_t i = 0; i < block->n_files; i++) {
        if (numbers[block->files[i].file] != ETI_NO_FILE)
            return true;
    }
    return false;
}

static bool add_part(eti_block_group *to, eti_block_part added) {
    if (!ETI_GROW(to->parts, to->part_capacity, to->n_parts + 1))
        return false;
    to->parts[to->n_parts++] = added;
    return true;
}

static eti_block_group *find_group(joiner *j, const eti_profile_block *block, uint32_t nth) {
    static const eti_intern_kind kind = {
        .item_size = sizeof(eti_block_group), .hash = hash_block, .is_equal = is_equal_block};
    uint32_t number;
    bool done = eti__intern_add(&j->groups.table, &kind,
                                &(eti_block_group){.first = block, .nth = nth}, &number);
    return done ? &j->groups.items[number] : NULL;
}

static bool add_block(joiner *j, const eti_profile_block *block, const uint32_t *numbers) {
    if (!has_files(block, numbers))
        return true;
    eti_block_group *to = find_group(j, block, 0);
    if (!to)
        return false;
    to->n_seen = to->source == numbers ? to->n_seen + 1 : 0;
    to->source = numbers;
    if (to->n_seen > 0)
        to = find_group(j, block, to->n_seen);
    return to && add_part(to, (eti_block_part){block, numbers, 0});
}

/* ---- blocks that differ in few events -------------------------------------------------------- */

/* Returns whether no file has parts of both groups. */
static bool are_of_other_files(joiner *j, const eti_block_group *a, const eti_block_group *b) {
    const eti_block_group *const both[] = {a, b};
    for (size_t side = 0; side < 2; side++) {
        j->mark += side == 0;
        for (size_t i = 0; i < both[side]->n_parts; i++) {
            const eti_block_part *p = &both[side]->parts[i];
            for (size_t k = 0; k < p->block->n_files; k++) {
                uint32_t file = p->numbers[p->block->files[k].file];
                if (file == ETI_NO_FILE)
                    continue;
                if (side == 1 && j->marks[file] == j->mark)
                    return false;
                j->marks[file] = side == 0 ? j->mark : j->marks[file];
            }
        }
    }
    return true;
}

/* Numbers the events of a group with one variant in execution order. False: out of memory. */
static bool number_events(eti_block_group *g) {
    size_t n = eti__count_events(g->first);
    if (g->variants)
        return true;
    g->variants = calloc(1, sizeof *g->variants);
    g->events = malloc((n + 1) * sizeof *g->events);
    g->order = malloc((n + 1) * sizeof *g->order);
    if (!g->variants || !g->events || !g->order ||
        !(g->variants->ids = malloc((n + 1) * sizeof *g->variants->ids)))
        return false;
    g->variants->block = g->first;
    g->n_variants = 1;
    g->n_events = n;
    for (size_t i = 0; i < n; i++) {
        g->events[i] = g->first->entries[g->first->n_totals + i];
        g->order[i] = g->variants->ids[i] = (uint32_t)i;
    }
    return true;
}

static bool is_shared(const eti_match *match) {
    return match->kind == ETI_MATCH_SAME || match->kind == ETI_MATCH_MOVED;
}

static bool has_half_in_common(const eti_match *matches, size_t n, size_t n_base, size_t n_new) {
    size_t n_shared = 0;
    for (size_t i = 0; i < n; i++)
        n_shared += is_shared(&matches[i]);
    return 2 * n_shared >= (n_base > n_new ? n_base : n_new);
}

/* Merges the events of a variant into those of the group; events that only one of them has keep their position. */
static bool add_variant(eti_block_group *to, const eti_profile_block *block,
                        const eti_match *matches, size_t n) {
    eti_entry *events = malloc((2 * n + 1) * sizeof *events);
    uint32_t *order = malloc((2 * n + 1) * sizeof *order);
    uint32_t *ids = malloc((eti__count_events(block) + 1) * sizeof *ids);
    eti_group_variant *variants = realloc(to->variants, (to->n_variants + 1) * sizeof *variants);
    if (variants)
        to->variants = variants;
    if (!events || !order || !ids || !variants) {
        free(events);
        free(order);
        free(ids);
        return false;
    }
    size_t n_all = to->n_events, at = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t base = matches[i].base, new_side = matches[i].new_side;
        if (base != ETI_NO_ENTRY) {
            events[at] = to->events[base];
            order[at++] = to->order[base];
        }
        if (new_side != ETI_NO_ENTRY && !(base != ETI_NO_ENTRY && is_shared(&matches[i]))) {
            events[at] = block->entries[block->n_totals + new_side];
            order[at++] = (uint32_t)n_all++;
        }
        if (new_side != ETI_NO_ENTRY)
            ids[new_side] = order[at - 1];
    }
    free(to->events);
    free(to->order);
    to->events = events;
    to->order = order;
    to->n_events = n_all;
    to->variants[to->n_variants++] = (eti_group_variant){block, ids};
    return true;
}

static bool take_parts(eti_block_group *to, eti_block_group *from) {
    for (size_t i = 0; i < from->n_parts; i++) {
        from->parts[i].variant = to->n_variants - 1;
        if (!add_part(to, from->parts[i]))
            return false;
    }
    from->is_folded = true;
    return true;
}

/* Merges the second group into the first if they have enough in common. */
static eti_status try_fold(eti_block_group *to, eti_block_group *from, eti_error *err) {
    eti_match *matches;
    size_t n;
    if (!number_events(to))
        return eti_fail_memory(err);
    const eti_profile_block base = {.entries = to->events, .n_entries = to->n_events};
    ETI_TRY(eti__match_events(&matches, &n, &base, from->first, err));
    bool done = !has_half_in_common(matches, n, to->n_events, eti__count_events(from->first)) ||
                (add_variant(to, from->first, matches, n) && take_parts(to, from));
    free(matches);
    return done ? ETI_OK : eti_fail_memory(err);
}

/* The first groups of a list (block_names.h) that are not merged into another. */
typedef struct candidates {
    uint32_t groups[MOST_TRIES]; /* ascending */
    size_t n;
} candidates;

static void add_candidate(candidates *to, uint32_t group) {
    if (to->n < MOST_TRIES)
        to->groups[to->n++] = group;
}

/* Returns the next group with the name of a group, in their order, or NULL; `at` are positions in its lists. */
static eti_block_group *next_candidate(const joiner *j, const candidates *all,
                                       const eti_block_lists *lists, size_t at[2]) {
    uint32_t next = UINT32_MAX;
    size_t of = 0;
    for (size_t i = 0; i < lists->n_with_name; i++) {
        const candidates *list = &all[lists->with_name[i]];
        if (at[i] < list->n && list->groups[at[i]] < next) {
            next = list->groups[at[i]];
            of = i;
        }
    }
    at[of]++;
    return next == UINT32_MAX ? NULL : &j->groups.items[next];
}

static eti_status fold_group(joiner *j, uint32_t number, const eti_block_lists *lists,
                             candidates *all) {
    eti_block_group *from = &j->groups.items[number], *to;
    size_t at[2] = {0};
    for (size_t n_tries = 0; n_tries < MOST_TRIES && !from->is_folded; n_tries++) {
        to = next_candidate(j, all, lists, at);
        if (!to)
            break;
        if (are_of_other_files(j, to, from))
            ETI_TRY(try_fold(to, from, j->err));
    }
    if (from->is_folded)
        return ETI_OK;
    add_candidate(&all[lists->own], number);
    add_candidate(&all[lists->any], number);
    return ETI_OK;
}

/* Merges each group into the first one of its name with which it has enough in common. */
static eti_status fold_groups(joiner *j) {
    size_t n = j->groups.count;
    eti_block_names names = {{0}};
    eti_block_lists *lists = malloc((n + 1) * sizeof *lists);
    bool done = lists;
    for (size_t i = 0; i < n && done; i++)
        done = eti__block_names_add(&names, j->groups.items[i].first, &lists[i]);
    candidates *all = calloc(names.count + 1, sizeof *all);
    eti_status status = done && all ? ETI_OK : eti_fail_memory(j->err);
    for (uint32_t i = 0; i < n && status == ETI_OK; i++)
        status = fold_group(j, i, &lists[i], all);
    eti__block_names_free(&names);
    free(lists);
    free(all);
    return status;
}

/* ---- all blocks ------------------------------------------------------------------------------ */

static eti_status make_blocks(joiner *j) {
    eti_profile *profile = j->profile;
    size_t n = j->groups.count;
    profile->n_blocks = 0;
    profile->blocks = eti__arena_alloc(&profile->arena, n + 1, sizeof *profile->blocks);
    if (!profile->blocks)
        return eti_fail_memory(j->err);
    for (size_t i = 0; i < n; i++) {
        if (j->groups.items[i].is_folded)
            continue;
        eti_profile_block *made = &profile->blocks[profile->n_blocks];
        if (!eti__group_make_block(profile, &j->groups.items[i], made))
            return eti_fail_memory(j->err);
        profile->n_blocks +=
            made->n_entries > 0; /* all its entries may be missing from the remaining files */
    }
    return eti__profile_label_blocks(profile) ? ETI_OK : eti_fail_memory(j->err);
}

static void free_joiner(joiner *j) {
    for (size_t i = 0; i < j->groups.count; i++) {
        eti_block_group *g = &j->groups.items[i];
        for (size_t k = 0; k < g->n_variants; k++)
            free(g->variants[k].ids);
        free(g->variants);
        free(g->parts);
        free(g->events);
        free(g->order);
    }
    eti__intern_free(&j->groups.table);
    free(j->marks);
}

eti_status eti__profile_join(eti_profile *profile, const eti_join_source *sources, size_t n,
                             eti_error *err) {
    joiner j = {.profile = profile, .err = err};
    j.marks = calloc(profile->n_files + 1, sizeof *j.marks);
    bool done = j.marks;
    for (size_t i = 0; i < n && done; i++) {
        for (size_t k = 0; k < sources[i].n_blocks && done; k++)
            done = add_block(&j, &sources[i].blocks[k], sources[i].numbers);
    }
    eti_status status = done ? fold_groups(&j) : eti_fail_memory(err);
    if (status == ETI_OK)
        status = make_blocks(&j);
    free_joiner(&j);
    return status;
}
