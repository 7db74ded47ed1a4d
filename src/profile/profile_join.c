#include "profile/profile_join.h"

#include "profile/labels.h"
#include "profile/parts.h"

#include <stdlib.h>
#include <string.h>

/* ==== profile group =========================================================================== */
/* Finds the groups of blocks that are joined into one; "profile join" makes blocks of them. */

typedef struct eti_block_part {
    const eti_profile_block *block;
    const uint32_t *numbers; /* of its files, see profile_join.h */
    size_t variant;          /* index of its variant in the group */
} eti_block_part;

/* Equal blocks, with the number that each of their events has in the group. */
typedef struct eti_group_variant {
    const eti_profile_block *block;
    uint32_t *ids;
} eti_group_variant;

typedef struct eti_block_group {
    /* Key of equal blocks; if a file has several equal blocks, each belongs to another group. */
    const eti_profile_block *first;
    uint32_t nth;
    uint32_t n_seen; /* kept only in the first group: number of equal blocks in the last source */
    const uint32_t *source;
    eti_block_part *parts;
    eti_group_variant *variants; /* NULL: all blocks are equal to `first` */
    eti_entry *events; /* in order, with their numbers in `order`; NULL: the events of `first` */
    uint32_t *order;
    size_t n_parts, part_capacity, n_variants, n_events;
    bool is_folded; /* merged into another group */
} eti_block_group;

static inline size_t count_all_events(const eti_profile_block *block) {
    return block->n_entries - block->n_totals;
}

/* A file of a part, and its place in the joined block. */
typedef struct slot {
    uint32_t number; /* index in the joined profile */
    size_t place;    /* index among the files of all parts */
    const eti_file_runs *from;
} slot;

typedef struct joint {
    eti_profile *profile;
    const eti_block_group *of;
    eti_profile_block *out;
    slot *slots;      /* n_files of `out`, in order */
    uint32_t *places; /* per file of all parts: its index in `out`, or ETI_NO_FILE */
    double *scratch;  /* one value per file of `out` */
    size_t
        *positions; /* indices of entries in `out`: of totals by kind, then of events by number */
} joint;

static int compare_slots(const void *a, const void *b) {
    const slot *x = a, *y = b;
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

static size_t count_files(const eti_block_group *g) {
    size_t n = 0;
    for (size_t i = 0; i < g->n_parts; i++)
        n += g->parts[i].block->n_files;
    return n;
}

static void list_slots(joint *t) {
    size_t n = 0, place = 0;
    for (size_t i = 0; i < t->of->n_parts; i++) {
        const eti_block_part *p = &t->of->parts[i];
        for (size_t k = 0; k < p->block->n_files; k++, place++) {
            const eti_file_runs *runs = &p->block->files[k];
            t->places[place] = ETI_NO_FILE;
            if (p->numbers[runs->file] != ETI_NO_FILE)
                t->slots[n++] = (slot){p->numbers[runs->file], place, runs};
        }
    }
    qsort(t->slots, n, sizeof *t->slots, compare_slots);
    t->out->n_files = n;
}

static bool place_runs(joint *t) {
    eti_profile_block *out = t->out;
    eti_file_runs *files = eti__arena_alloc(&t->profile->arena, out->n_files, sizeof *files);
    if (!files)
        return false;
    for (size_t i = 0; i < out->n_files; i++) {
        const slot *s = &t->slots[i];
        t->places[s->place] = (uint32_t)i;
        files[i] = (eti_file_runs){s->number, out->n_runs, s->from->n, s->from->n_skipped};
        out->n_runs += s->from->n;
        out->n_skipped += s->from->n_skipped;
    }
    out->files = files;
    return true;
}

/* Makes an entry that all files lack so far. */
static bool begin_entry(const joint *t, const eti_entry *like, eti_entry *out) {
    eti_arena *arena = &t->profile->arena;
    eti_file_times *times = eti__arena_alloc(arena, t->out->n_files, sizeof *times);
    *out = *like;
    out->times = times;
    out->ticks = NULL;
    out->step = 0;
    for (size_t i = 0; times && i < t->out->n_files; i++)
        times[i] = eti__no_file_times();
    if (t->profile->has_ticks)
        out->ticks = eti__arena_alloc_zero(arena, t->out->n_runs, sizeof *out->ticks);
    return times && (out->ticks || !t->profile->has_ticks);
}

/* Sets the times of the entry for the files of a part, the first of which is at `place`. An unknown step, 0, does not
 * change the common divisor. */
static void add_times(const joint *t, const eti_profile_block *block, size_t place,
                      const eti_entry *entry, eti_entry *out) {
    eti_file_times *times = (eti_file_times *)out->times;
    uint64_t *ticks = (uint64_t *)out->ticks;
    for (size_t i = 0; i < block->n_files; i++) {
        uint32_t to = t->places[place + i];
        if (to == ETI_NO_FILE)
            continue;
        times[to] = entry->times[i];
        if (ticks)
            memcpy(ticks + t->out->files[to].first, entry->ticks + block->files[i].first,
                   block->files[i].n * sizeof *ticks);
    }
    out->step = eti__common_divisor(out->step, entry->step);
}

static bool begin_total(joint *t, int kind) {
    for (size_t i = 0; i < t->of->n_parts; i++) {
        const eti_profile_block *block = t->of->parts[i].block;
        for (size_t k = 0; k < block->n_totals; k++) {
            if (block->entries[k].kind != kind)
                continue;
            t->positions[kind] = t->out->n_entries++;
            return begin_entry(t, &block->entries[k], &t->out->entries[t->positions[kind]]);
        }
    }
    return true;
}

static bool begin_entries(joint *t) {
    const eti_block_group *g = t->of;
    eti_profile_block *out = t->out;
    size_t n_events = g->variants ? g->n_events : count_all_events(g->first);
    bool done = true;
    out->entries =
        eti__arena_alloc(&t->profile->arena, n_events + ETI_N_TOTALS + 1, sizeof *out->entries);
    t->positions = calloc(n_events + ETI_N_TOTALS, sizeof *t->positions);
    if (!out->entries || !t->positions)
        return false;
    for (int kind = 0; kind < ETI_N_TOTALS && done; kind++)
        done = begin_total(t, kind);
    out->n_totals = out->n_entries;
    for (size_t i = 0; i < n_events && done; i++) {
        const eti_entry *like =
            g->variants ? &g->events[i] : &g->first->entries[g->first->n_totals + i];
        t->positions[ETI_N_TOTALS + (g->variants ? g->order[i] : i)] = out->n_entries;
        done = begin_entry(t, like, &out->entries[out->n_entries++]);
    }
    return done;
}

static void add_entries(const joint *t) {
    size_t place = 0;
    for (size_t i = 0; i < t->of->n_parts; i++) {
        const eti_block_part *p = &t->of->parts[i];
        const eti_profile_block *block = p->block;
        for (size_t k = 0; k < block->n_entries; k++) {
            const eti_entry *entry = &block->entries[k];
            size_t id = entry->kind;
            if (k >= block->n_totals)
                id = ETI_N_TOTALS + (t->of->variants
                                         ? t->of->variants[p->variant].ids[k - block->n_totals]
                                         : k - block->n_totals);
            add_times(t, block, place, entry, &t->out->entries[t->positions[id]]);
        }
        place += block->n_files;
    }
}

/* Sets the summaries of entries, and removes entries that no file has. */
static void finish_entries(const joint *t) {
    eti_profile_block *out = t->out;
    size_t n = 0, n_totals = 0;
    for (size_t i = 0; i < out->n_entries; i++) {
        eti_entry *entry = &out->entries[i];
        size_t n_lacking = 0;
        while (n_lacking < out->n_files && eti__file_lacks_entry(&entry->times[n_lacking]))
            n_lacking++;
        if (n_lacking == out->n_files)
            continue;
        eti__entry_set_summary(t->profile, out, entry, t->scratch);
        n_totals += i < out->n_totals;
        out->entries[n++] = *entry;
    }
    out->n_entries = n;
    out->n_totals = n_totals;
}

/* Joins the allocated bytes; they remain unknown if a part did not record them. */
static bool join_allocated(const joint *t) {
    eti_profile_block *out = t->out;
    size_t place = 0;
    for (size_t i = 0; i < t->of->n_parts; i++) {
        if (!t->of->parts[i].block->allocated)
            return true;
    }
    eti_entry *entry = eti__arena_alloc(&t->profile->arena, 1, sizeof *entry);
    if (!entry || !begin_entry(t, t->of->first->allocated, entry))
        return false;
    for (size_t i = 0; i < t->of->n_parts; place += t->of->parts[i++].block->n_files)
        add_times(t, t->of->parts[i].block, place, t->of->parts[i].block->allocated, entry);
    eti__entry_set_summary(t->profile, out, entry, t->scratch);
    out->allocated = entry;
    return true;
}

/* Makes a block of a group. False: out of memory. */
static bool make_group_block(eti_profile *profile, const eti_block_group *g,
                             eti_profile_block *out) {
    size_t n_files = count_files(g);
    joint t = {.profile = profile, .of = g, .out = out};
    *out = (eti_profile_block){.name = g->first->name,
                               .method = g->first->method,
                               .bundled_input_index = g->first->bundled_input_index};
    t.slots = malloc((n_files + 1) * sizeof *t.slots);
    t.places = malloc((n_files + 1) * sizeof *t.places);
    t.scratch = malloc((n_files + 1) * sizeof *t.scratch);
    bool done = t.slots && t.places && t.scratch;
    if (done) {
        list_slots(&t);
        done = place_runs(&t) && begin_entries(&t);
    }
    if (done) {
        add_entries(&t);
        finish_entries(&t);
        done = join_allocated(&t);
    }
    free(t.slots);
    free(t.places);
    free(t.scratch);
    free(t.positions);
    return done;
}

/* ==== profile join ============================================================================ */

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
           eti__text_equal(a->backend, b->backend) && eti__text_equal(a->unit, b->unit) &&
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
    size_t n = count_all_events(g->first);
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
    uint32_t *ids = malloc((count_all_events(block) + 1) * sizeof *ids);
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
    bool done = !has_half_in_common(matches, n, to->n_events, count_all_events(from->first)) ||
                (add_variant(to, from->first, matches, n) && take_parts(to, from));
    free(matches);
    return done ? ETI_OK : eti_fail_memory(err);
}

/* The first groups of a list (labels.h) that are not merged into another. */
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
        if (!make_group_block(profile, &j->groups.items[i], made))
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

/* ==== profile merge =========================================================================== */
/* Merges profiles of the same program into one with all their files, or makes a profile of the
 * last files of another. */

static eti_text spell_rate(const eti_profile *profile, char out[48]) {
    if (profile->clock_hz > 0)
        eti__snprintf(out, 48, "at %.10g Hz", profile->clock_hz);
    return profile->clock_hz > 0 ? eti__text_of(out) : eti__text_of("at an unknown frequency");
}

/* Checks that ticks of both profiles last equally long. */
static eti_status check_ticks(const eti_profile *first, const eti_profile *other, eti_error *err) {
    char of_first[48], of_other[48];
    if (other->source_scale != first->source_scale)
        return eti_fail(err, ETI_ERROR_USAGE,
                        "%.*s is in %s, but %.*s is in %s: they cannot be merged",
                        ETI_TEXT_ARGS(first->name), eti_time_scale_name(first->source_scale),
                        ETI_TEXT_ARGS(other->name), eti_time_scale_name(other->source_scale));
    if (first->source_scale != ETI_SCALE_CYCLES || first->clock_hz == other->clock_hz)
        return ETI_OK;
    return eti_fail(err, ETI_ERROR_USAGE,
                    "%.*s counts cycles %.*s, but %.*s %.*s: they cannot be merged; see "
                    "%sclock_hz",
                    ETI_TEXT_ARGS(first->name), ETI_TEXT_ARGS(spell_rate(first, of_first)),
                    ETI_TEXT_ARGS(other->name), ETI_TEXT_ARGS(spell_rate(other, of_other)),
                    eti__option_prefix());
}

static eti_status check(const eti_profile *const *profiles, size_t n, bool allow_unlike,
                        eti_error *err) {
    for (size_t i = 0; i < n; i++) {
        ETI_TRY(check_ticks(profiles[0], profiles[i], err));
        if (!allow_unlike)
            ETI_TRY(eti__profiles_check_alike(profiles[0], profiles[i], err));
    }
    return ETI_OK;
}

/* Lists the files of all parts, except the first `n_dropped` of the first part. */
static eti_status list_files(eti_profile *profile, size_t n_dropped, eti_error *err) {
    size_t n_files = 0;
    for (size_t i = 0; i < profile->n_parts; i++)
        n_files += profile->parts[i]->n_files;
    profile->files = eti__arena_alloc(&profile->arena, n_files + 1, sizeof *profile->files);
    if (!profile->files)
        return eti_fail_memory(err);
    for (size_t i = 0; i < profile->n_parts; i++) {
        const eti_profile *part = profile->parts[i];
        for (size_t k = i == 0 ? n_dropped : 0; k < part->n_files; k++)
            profile->files[profile->n_files++] = part->files[k];
    }
    return eti__profile_check_files(profile, err);
}

/* Joins the blocks of all parts; files keep their order. */
static eti_status join_parts(eti_profile *profile, size_t n_dropped, eti_error *err) {
    eti_join_source *sources = malloc(profile->n_parts * sizeof *sources);
    uint32_t *numbers = malloc((n_dropped + profile->n_files + 1) * sizeof *numbers);
    size_t n = 0;
    for (size_t i = 0; sources && numbers && i < profile->n_parts; i++) {
        const eti_profile *part = profile->parts[i];
        sources[i] = (eti_join_source){part->blocks, part->n_blocks, numbers + n};
        for (size_t k = 0; k < part->n_files; k++, n++)
            numbers[n] = n < n_dropped ? ETI_NO_FILE : (uint32_t)(n - n_dropped);
    }
    eti_status status = sources && numbers
                            ? eti__profile_join(profile, sources, profile->n_parts, err)
                            : eti_fail_memory(err);
    free(sources);
    free(numbers);
    return status;
}

static eti_status keep_parts(eti_profile *profile, const eti_profile *const *profiles, size_t n,
                             eti_error *err) {
    const eti_profile **parts = eti__arena_alloc(&profile->arena, n, sizeof *parts);
    if (!parts)
        return eti_fail_memory(err);
    profile->has_ticks = profile->has_fixed_skip = true;
    for (size_t i = 0; i < n; i++) {
        parts[i] = profiles[i];
        (void)eti__profile_keep(parts[i]);
        profile->has_ticks = profile->has_ticks && parts[i]->has_ticks;
        profile->has_fixed_skip = profile->has_fixed_skip && parts[i]->has_fixed_skip;
    }
    profile->parts = parts;
    profile->n_parts = n;
    return ETI_OK;
}

static eti_status merge(eti_profile *profile, const eti_profile *const *profiles, size_t n,
                        size_t n_dropped, eti_error *err) {
    const eti_profile *first = profiles[0];
    profile->name = first->name;
    profile->source_scale = first->source_scale;
    profile->target_scale = first->target_scale;
    profile->clock_hz = first->clock_hz;
    profile->factor = first->factor;
    for (size_t i = 0; i < n && !profile->method.data; i++)
        profile->method = profiles[i]->method;
    ETI_TRY(keep_parts(profile, profiles, n, err));
    if (!eti__delegate_scales_merge(profile))
        return eti_fail_memory(err);
    ETI_TRY(list_files(profile, n_dropped, err));
    ETI_TRY(eti__profile_share_labels(profile, profiles, n, err));
    return join_parts(profile, n_dropped, err);
}

static eti_status make_merged(eti_profile **out, const eti_profile *const *profiles, size_t n,
                              size_t n_dropped, eti_error *err) {
    eti_profile *profile = eti__profile_new();
    *out = NULL;
    if (!profile)
        return eti_fail_memory(err);
    eti_status status = merge(profile, profiles, n, n_dropped, err);
    if (status == ETI_OK)
        *out = profile;
    else
        eti_profile_free(profile);
    return status;
}

eti_status eti__profile_merge(eti_profile **out, const eti_profile *const *profiles, size_t n,
                              bool allow_unlike, eti_error *err) {
    *out = NULL;
    if (n == 0)
        return eti_fail(err, ETI_ERROR_USAGE, "there is no profile to merge");
    ETI_TRY(check(profiles, n, allow_unlike, err));
    return make_merged(out, profiles, n, 0, err);
}

eti_status eti__profile_last_files(eti_profile **out, const eti_profile *profile, size_t n,
                                   eti_error *err) {
    size_t n_dropped = profile->n_files > n ? profile->n_files - n : 0;
    return make_merged(out, &profile, 1, n_dropped, err);
}
