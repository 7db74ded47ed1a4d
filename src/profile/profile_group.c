#include "profile/profile_group.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    size_t n_events = g->variants ? g->n_events : eti__count_events(g->first);
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

bool eti__group_make_block(eti_profile *profile, const eti_block_group *g, eti_profile_block *out) {
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
