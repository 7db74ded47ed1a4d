/*
 * profile_merge.c - turns profiles of the same thing into one with all their runs.
 */
#include "base/array.h"
#include "base/intern.h"
#include "base/text.h"
#include "compare/diff.h"
#include "compare/profile.h"

#include <stdlib.h>
#include <string.h>

/* A block of the merged profile, and those that it is made of. */
typedef struct merged {
    const eti_profile_block *first;
    const eti_profile_block **parts;
    uint32_t
        *first_files; /* per part: the number of its profile's first file in the merged profile */
    size_t n_parts, capacity, file_capacity;
} merged;

typedef struct merger {
    eti_profile *profile;
    ETI_INTERN_OF(merged) blocks;
} merger;

static bool is_equal_entry(const eti_entry *a, const eti_entry *b) {
    return a->kind == b->kind && a->role == b->role && eti__text_equal(a->name, b->name) &&
           eti__text_equal(a->op, b->op) && eti__text_equal(a->module, b->module) &&
           eti__text_equal(a->backend, b->backend) &&
           eti__text_equal(a->delegate_id, b->delegate_id) &&
           eti__text_equal(a->handles, b->handles);
}

static bool is_equal_block(const void *key, const void *other) {
    const eti_profile_block *a = ((const merged *)key)->first, *b = ((const merged *)other)->first;
    if (!eti__text_equal(a->name, b->name) || a->bundled_input_index != b->bundled_input_index ||
        a->n_entries != b->n_entries)
        return false;
    for (size_t i = 0; i < a->n_entries; i++) {
        if (!is_equal_entry(&a->entries[i], &b->entries[i]))
            return false;
    }
    return true;
}

static uint64_t hash_block(const void *key, uint64_t seed) {
    const eti_profile_block *block = ((const merged *)key)->first;
    uint64_t hash = eti__text_hash(block->name, seed);
    hash = eti__hash_mix(hash, (uint32_t)block->bundled_input_index);
    for (size_t i = 0; i < block->n_entries; i++)
        hash = eti__text_hash(block->entries[i].name, hash);
    return hash;
}

static bool add_block(merger *m, const eti_profile_block *block, uint32_t first_file) {
    static const eti_intern_kind kind = {
        .item_size = sizeof(merged), .hash = hash_block, .is_equal = is_equal_block};
    uint32_t number;
    if (!eti__intern_add(&m->blocks.table, &kind, &(merged){.first = block}, &number))
        return false;
    merged *to = &m->blocks.items[number];
    if (!ETI_GROW(to->parts, to->capacity, to->n_parts + 1) ||
        !ETI_GROW(to->first_files, to->file_capacity, to->n_parts + 1))
        return false;
    to->first_files[to->n_parts] = first_file;
    to->parts[to->n_parts++] = block;
    return true;
}

/* Number n_entries is what was allocated. */
static const eti_entry *entry_of(const eti_profile_block *block, size_t i) {
    return i < block->n_entries ? &block->entries[i] : block->allocated;
}

/* The ticks of all parts, one behind the other, where all parts keep them. */
static bool join_ticks(eti_profile *profile, const merged *from, size_t i, size_t n_runs,
                       eti_entry *out) {
    out->ticks = NULL;
    if (!profile->has_ticks)
        return true;
    uint64_t *ticks = eti__arena_alloc(&profile->arena, n_runs, sizeof *ticks);
    for (size_t part = 0, at = 0; ticks && part < from->n_parts; at += from->parts[part++]->n_runs)
        memcpy(ticks + at, entry_of(from->parts[part], i)->ticks,
               from->parts[part]->n_runs * sizeof *ticks);
    out->ticks = ticks;
    return ticks;
}

/* A step that one part does not know is not known of all. */
static void join_step(const merged *from, size_t i, eti_entry *out) {
    for (size_t part = 1; part < from->n_parts; part++)
        out->step = eti__common_divisor(out->step, entry_of(from->parts[part], i)->step);
}

static bool join(eti_profile *profile, const merged *from, size_t i, const eti_profile_block *block,
                 eti_entry *out) {
    eti_file_times *times = eti__arena_alloc(&profile->arena, block->n_files, sizeof *times);
    *out = *entry_of(from->parts[0], i);
    if (!times)
        return false;
    for (size_t part = 0, at = 0; part < from->n_parts; at += from->parts[part++]->n_files)
        memcpy(times + at, entry_of(from->parts[part], i)->times,
               from->parts[part]->n_files * sizeof *times);
    out->times = times;
    join_step(from, i, out);
    return join_ticks(profile, from, i, block->n_runs, out) &&
           eti__entry_set_summary(profile, block, out);
}

/* Unknown where one part has not recorded it. */
static bool join_allocated(eti_profile *profile, const merged *from, eti_profile_block *out) {
    out->allocated = &out->entries[out->n_entries];
    for (size_t part = 0; part < from->n_parts; part++) {
        if (!from->parts[part]->allocated)
            out->allocated = NULL;
    }
    return !out->allocated || join(profile, from, out->n_entries, out, out->allocated);
}

static bool join_files(eti_profile *profile, const merged *from, eti_profile_block *out) {
    out->n_files = 0;
    for (size_t part = 0; part < from->n_parts; part++)
        out->n_files += from->parts[part]->n_files;
    eti_file_runs *files = eti__arena_alloc(&profile->arena, out->n_files + 1, sizeof *files);
    if (!files)
        return false;
    size_t n = 0, first = 0;
    for (size_t part = 0; part < from->n_parts; first += from->parts[part++]->n_runs) {
        for (size_t i = 0; i < from->parts[part]->n_files; i++) {
            const eti_file_runs *runs = &from->parts[part]->files[i];
            files[n++] =
                (eti_file_runs){from->first_files[part] + runs->file, first + runs->first, runs->n};
        }
    }
    out->files = files;
    return true;
}

static bool make_block(eti_profile *profile, const merged *from, eti_profile_block *out) {
    *out = *from->parts[0];
    for (size_t part = 1; part < from->n_parts; part++) {
        out->n_runs += from->parts[part]->n_runs;
        out->n_skipped += from->parts[part]->n_skipped;
    }
    out->entries = eti__arena_alloc(&profile->arena, out->n_entries + 1, sizeof *out->entries);
    bool done = out->entries && join_files(profile, from, out);
    for (size_t i = 0; i < out->n_entries && done; i++)
        done = join(profile, from, i, out, &out->entries[i]);
    return done && join_allocated(profile, from, out);
}

static bool merge_blocks(merger *m, const eti_profile *const *profiles, size_t n) {
    eti_profile *profile = m->profile;
    uint32_t first_file = 0;
    for (size_t i = 0; i < n; i++) {
        profile->n_uncounted += profiles[i]->n_uncounted;
        for (size_t k = 0; k < profiles[i]->n_blocks; k++) {
            if (!add_block(m, &profiles[i]->blocks[k], first_file))
                return false;
        }
        first_file += (uint32_t)profiles[i]->n_files;
    }
    profile->blocks =
        eti__arena_alloc(&profile->arena, m->blocks.count + 1, sizeof *profile->blocks);
    if (!profile->blocks)
        return false;
    for (; profile->n_blocks < m->blocks.count; profile->n_blocks++) {
        if (!make_block(profile, &m->blocks.items[profile->n_blocks],
                        &profile->blocks[profile->n_blocks]))
            return false;
    }
    return true;
}

static void free_merger(merger *m) {
    for (size_t i = 0; i < m->blocks.count; i++) {
        free(m->blocks.items[i].parts);
        free(m->blocks.items[i].first_files);
    }
    eti__intern_free(&m->blocks.table);
}

static eti_status check(const eti_profile *const *profiles, size_t n, bool allow_unlike,
                        eti_error *err) {
    for (size_t i = 0; i < n; i++) {
        if (profiles[i]->source_scale != profiles[0]->source_scale)
            return eti_fail(
                err, ETI_ERROR_USAGE,
                "%.*s counts time in %s and %.*s in %s: they cannot be merged",
                ETI_TEXT_ARGS(profiles[0]->name), eti_time_scale_name(profiles[0]->source_scale),
                ETI_TEXT_ARGS(profiles[i]->name), eti_time_scale_name(profiles[i]->source_scale));
        if (!allow_unlike)
            ETI_TRY(eti__profiles_check_alike(profiles[0], profiles[i], err));
    }
    return ETI_OK;
}

/* Labels that all have, with the same value. */
static eti_status keep_labels(eti_profile *profile, const eti_profile *const *profiles, size_t n,
                              eti_error *err) {
    const eti_profile *first = profiles[0];
    eti_label *labels = eti__arena_alloc(&profile->arena, first->n_labels + 1, sizeof *labels);
    size_t n_labels = 0;
    if (!labels)
        return eti_fail_memory(err);
    for (size_t i = 0; i < first->n_labels; i++) {
        bool is_shared = true;
        for (size_t k = 1; k < n && is_shared; k++)
            is_shared = eti__profile_has_label(profiles[k], &first->labels[i]);
        if (is_shared)
            labels[n_labels++] = first->labels[i];
    }
    return eti__profile_add_labels(profile, labels, n_labels, err);
}

static eti_status join_profile_files(eti_profile *profile, const eti_profile *const *profiles,
                                     size_t n, eti_error *err) {
    size_t n_files = 0;
    profile->has_ticks = true;
    for (size_t i = 0; i < n; i++) {
        n_files += profiles[i]->n_files;
        profile->has_ticks = profile->has_ticks && profiles[i]->has_ticks;
    }
    profile->files = eti__arena_alloc(&profile->arena, n_files + 1, sizeof *profile->files);
    if (!profile->files)
        return eti_fail_memory(err);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < profiles[i]->n_files; k++)
            profile->files[profile->n_files++] = profiles[i]->files[k];
    }
    return eti__profile_check_files(profile, err);
}

static eti_status merge(eti_profile *profile, const eti_profile *const *profiles, size_t n,
                        eti_error *err) {
    const eti_profile *first = profiles[0];
    merger m = {.profile = profile};
    profile->name = first->name;
    profile->method = first->method;
    profile->source_scale = first->source_scale;
    profile->target_scale = first->target_scale;
    profile->clock_hz = first->clock_hz;
    profile->factor = first->factor;
    ETI_TRY(join_profile_files(profile, profiles, n, err));
    const eti_profile **parts = eti__arena_alloc(&profile->arena, n, sizeof *parts);
    if (!parts)
        return eti_fail_memory(err);
    for (size_t i = 0; i < n; i++) {
        parts[i] = profiles[i];
        (void)eti__profile_keep(parts[i]);
    }
    profile->parts = parts;
    profile->n_parts = n;
    ETI_TRY(keep_labels(profile, profiles, n, err));
    bool done = merge_blocks(&m, profiles, n);
    free_merger(&m);
    return done ? ETI_OK : eti_fail_memory(err);
}

eti_status eti__profile_merge(eti_profile **out, const eti_profile *const *profiles, size_t n,
                              bool allow_unlike, eti_error *err) {
    *out = NULL;
    if (n == 0)
        return eti_fail(err, ETI_ERROR_USAGE, "there is no profile to merge");
    ETI_TRY(check(profiles, n, allow_unlike, err));
    eti_profile *profile = eti__profile_new();
    if (!profile)
        return eti_fail_memory(err);
    eti_status status = merge(profile, profiles, n, err);
    if (status == ETI_OK)
        *out = profile;
    else
        eti_profile_free(profile);
    return status;
}
