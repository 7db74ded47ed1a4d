#include "compare/profile_join.h"

#include "base/array.h"
#include "base/intern.h"
#include "base/text.h"
#include "compare/diff_parts.h"

#include <stdlib.h>
#include <string.h>

/* A group is compared with no more that are called the same. */
#define MOST_TRIES 16

typedef struct part {
    const eti_profile_block *block;
    const uint32_t *numbers; /* of its files */
    size_t variant;          /* of the group */
} part;

/* Equal blocks: the number of each event in the group. */
typedef struct variant {
    const eti_profile_block *block;
    uint32_t *ids;
} variant;

/* Blocks that become one. */
typedef struct group {
    /* What equal blocks are found by: the second of a file is another group. */
    const eti_profile_block *first;
    uint32_t nth;
    uint32_t n_seen; /* of the first: equal blocks in the last source */
    const uint32_t *source;
    part *parts;
    variant *variants;
    eti_entry *events; /* in their order, with their numbers beside them; NULL: those of `first` */
    uint32_t *order;
    size_t n_parts, part_capacity, n_variants, n_events;
    bool is_folded; /* into another */
} group;

typedef struct joiner {
    eti_profile *profile;
    ETI_INTERN_OF(group) groups;
    uint32_t *marks; /* per file: the last group that had it */
    uint32_t mark;
    eti_error *err;
} joiner;

static size_t count_events(const eti_profile_block *block) {
    return block->n_entries - block->n_totals;
}

/* ---- equal blocks ---------------------------------------------------------------------------- */

static bool is_equal_entry(const eti_entry *a, const eti_entry *b) {
    return a->kind == b->kind && a->role == b->role && eti__text_equal(a->name, b->name) &&
           eti__text_equal(a->op, b->op) && eti__text_equal(a->module, b->module) &&
           eti__text_equal(a->backend, b->backend) &&
           eti__text_equal(a->delegate_id, b->delegate_id) &&
           eti__text_equal(a->handles, b->handles);
}

static bool has_same_name(const eti_profile_block *a, const eti_profile_block *b) {
    return eti__text_equal(a->name, b->name) && a->bundled_input_index == b->bundled_input_index;
}

static bool is_equal_block(const void *key, const void *other) {
    const eti_profile_block *a = ((const group *)key)->first, *b = ((const group *)other)->first;
    if (((const group *)key)->nth != ((const group *)other)->nth || !has_same_name(a, b) ||
        a->n_entries != b->n_entries)
        return false;
    for (size_t i = 0; i < a->n_entries; i++) {
        if (!is_equal_entry(&a->entries[i], &b->entries[i]))
            return false;
    }
    return true;
}

static uint64_t hash_block(const void *key, uint64_t seed) {
    const eti_profile_block *block = ((const group *)key)->first;
    uint64_t hash = eti__text_hash(block->name, seed);
    hash = eti__hash_mix(hash, (uint32_t)block->bundled_input_index);
    hash = eti__hash_mix(hash, ((const group *)key)->nth);
    for (size_t i = 0; i < block->n_entries; i++)
        hash = eti__text_hash(block->entries[i].name, hash);
    return hash;
}

static bool has_files(const eti_profile_block *block, const uint32_t *numbers) {
    for (size_t i = 0; i < block->n_files; i++) {
        if (numbers[block->files[i].file] != ETI_JOIN_NO_FILE)
            return true;
    }
    return false;
}

static bool add_part(group *to, part added) {
    if (!ETI_GROW(to->parts, to->part_capacity, to->n_parts + 1))
        return false;
    to->parts[to->n_parts++] = added;
    return true;
}

static group *find_group(joiner *j, const eti_profile_block *block, uint32_t nth) {
    static const eti_intern_kind kind = {
        .item_size = sizeof(group), .hash = hash_block, .is_equal = is_equal_block};
    uint32_t number;
    bool done =
        eti__intern_add(&j->groups.table, &kind, &(group){.first = block, .nth = nth}, &number);
    return done ? &j->groups.items[number] : NULL;
}

static bool add_block(joiner *j, const eti_profile_block *block, const uint32_t *numbers) {
    if (!has_files(block, numbers))
        return true;
    group *to = find_group(j, block, 0);
    if (!to)
        return false;
    to->n_seen = to->source == numbers ? to->n_seen + 1 : 0;
    to->source = numbers;
    if (to->n_seen > 0)
        to = find_group(j, block, to->n_seen);
    return to && add_part(to, (part){block, numbers, 0});
}

/* ---- blocks that differ in few events -------------------------------------------------------- */

/* Whether no file has parts of both. */
static bool are_of_other_files(joiner *j, const group *a, const group *b) {
    const group *const both[] = {a, b};
    for (size_t side = 0; side < 2; side++) {
        j->mark += side == 0;
        for (size_t i = 0; i < both[side]->n_parts; i++) {
            const part *p = &both[side]->parts[i];
            for (size_t k = 0; k < p->block->n_files; k++) {
                uint32_t file = p->numbers[p->block->files[k].file];
                if (file == ETI_JOIN_NO_FILE)
                    continue;
                if (side == 1 && j->marks[file] == j->mark)
                    return false;
                j->marks[file] = side == 0 ? j->mark : j->marks[file];
            }
        }
    }
    return true;
}

/* A group of one variant numbers its events as they ran. False: out of memory. */
static bool number_events(group *g) {
    size_t n = count_events(g->first);
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

/* Puts the events of a variant among those of the group; what only one of them has keeps its place. */
static bool add_variant(group *to, const eti_profile_block *block, const eti_match *matches,
                        size_t n) {
    eti_entry *events = malloc((2 * n + 1) * sizeof *events);
    uint32_t *order = malloc((2 * n + 1) * sizeof *order);
    uint32_t *ids = malloc((count_events(block) + 1) * sizeof *ids);
    variant *variants = realloc(to->variants, (to->n_variants + 1) * sizeof *variants);
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
    to->variants[to->n_variants++] = (variant){block, ids};
    return true;
}

static bool take_parts(group *to, group *from) {
    for (size_t i = 0; i < from->n_parts; i++) {
        from->parts[i].variant = to->n_variants - 1;
        if (!add_part(to, from->parts[i]))
            return false;
    }
    from->is_folded = true;
    return true;
}

/* Makes both groups one if they have enough in common. */
static eti_status try_fold(group *to, group *from, eti_error *err) {
    eti_match *matches;
    size_t n;
    if (!number_events(to))
        return eti_fail_memory(err);
    const eti_profile_block base = {.entries = to->events, .n_entries = to->n_events};
    ETI_TRY(eti__match_events(&matches, &n, &base, from->first, err));
    bool done = !has_half_in_common(matches, n, to->n_events, count_events(from->first)) ||
                (add_variant(to, from->first, matches, n) && take_parts(to, from));
    free(matches);
    return done ? ETI_OK : eti_fail_memory(err);
}

static eti_status fold_groups(joiner *j) {
    for (size_t i = 1; i < j->groups.count; i++) {
        group *from = &j->groups.items[i];
        size_t n_tries = 0;
        for (size_t k = 0; k < i && !from->is_folded && n_tries < MOST_TRIES; k++) {
            group *to = &j->groups.items[k];
            if (to->is_folded || !has_same_name(to->first, from->first))
                continue;
            n_tries++;
            if (are_of_other_files(j, to, from))
                ETI_TRY(try_fold(to, from, j->err));
        }
    }
    return ETI_OK;
}

/* ---- the joined block ------------------------------------------------------------------------ */

/* A file of a part: where its runs are, and where they come to be. */
typedef struct slot {
    uint32_t number; /* of the file in the joined profile */
    size_t place;    /* among the files of all parts, one behind the other */
    const eti_file_runs *from;
} slot;

typedef struct joint {
    eti_profile *profile;
    const group *of;
    eti_profile_block *out;
    slot *slots;       /* n_files of `out`, in order */
    uint32_t *places;  /* per file of all parts: its number in `out`, or ETI_JOIN_NO_FILE */
    double *scratch;   /* n_files of `out` */
    size_t *positions; /* of entries in `out`: of totals by kind, then of events by their numbers */
} joint;

static int compare_slots(const void *a, const void *b) {
    const slot *x = a, *y = b;
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

static size_t count_files(const group *g) {
    size_t n = 0;
    for (size_t i = 0; i < g->n_parts; i++)
        n += g->parts[i].block->n_files;
    return n;
}

static void list_slots(joint *t) {
    size_t n = 0, place = 0;
    for (size_t i = 0; i < t->of->n_parts; i++) {
        const part *p = &t->of->parts[i];
        for (size_t k = 0; k < p->block->n_files; k++, place++) {
            const eti_file_runs *runs = &p->block->files[k];
            t->places[place] = ETI_JOIN_NO_FILE;
            if (p->numbers[runs->file] != ETI_JOIN_NO_FILE)
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

/* An entry that all files lack so far. */
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

/* The times of the files of a part, which begin at a place, become those of the entry. A step that is not known divides
 * nothing. */
static void add_times(const joint *t, const eti_profile_block *block, size_t place,
                      const eti_entry *entry, eti_entry *out) {
    eti_file_times *times = (eti_file_times *)out->times;
    uint64_t *ticks = (uint64_t *)out->ticks;
    for (size_t i = 0; i < block->n_files; i++) {
        uint32_t to = t->places[place + i];
        if (to == ETI_JOIN_NO_FILE)
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
    const group *g = t->of;
    eti_profile_block *out = t->out;
    size_t n_events = g->variants ? g->n_events : count_events(g->first);
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
        const part *p = &t->of->parts[i];
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

/* What no file has that is left is forgotten. */
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

/* Unknown where one part has not recorded it. */
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

static bool make_block(eti_profile *profile, const group *g, eti_profile_block *out) {
    size_t n_files = count_files(g);
    joint t = {.profile = profile, .of = g, .out = out};
    *out = (eti_profile_block){.name = g->first->name,
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
        if (!make_block(profile, &j->groups.items[i], &profile->blocks[profile->n_blocks++]))
            return eti_fail_memory(j->err);
    }
    return ETI_OK;
}

static void free_joiner(joiner *j) {
    for (size_t i = 0; i < j->groups.count; i++) {
        group *g = &j->groups.items[i];
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
