#include "profile/parts.h"

#include "account/account.h"
#include "stats/stats.h"
#include "table/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ==== profile ================================================================================= */

eti_profile *eti__profile_new(void) {
    eti_profile *profile = calloc(1, sizeof *profile);
    if (profile)
        profile->factor = 1;
    return profile;
}

void eti_profile_free(eti_profile *profile) {
    if (!profile || !eti__references_drop(&profile->references))
        return;
    eti_inspector_close((eti_inspector *)profile->inspector);
    for (size_t i = 0; i < profile->n_parts; i++)
        eti_profile_free((eti_profile *)profile->parts[i]);
    eti__file_release(&profile->file);
    eti__arena_free(&profile->arena);
    free(profile);
}

bool eti__profile_label_blocks(eti_profile *profile) {
    size_t n = profile->n_blocks;
    eti_named_block *named = calloc(n + 1, sizeof *named);
    for (size_t i = 0; named && i < n; i++)
        named[i] = (eti_named_block){.name = profile->blocks[i].name,
                                     .method = profile->blocks[i].method,
                                     .bundled_input_index = profile->blocks[i].bundled_input_index};
    bool done = named && eti__named_blocks_label(named, n, &profile->arena);
    for (size_t i = 0; i < n && done; i++)
        profile->blocks[i].label = named[i].label;
    free(named);
    return done;
}

static eti_status add_sources(eti_report *report, const eti_profile *profile, eti_error *err) {
    const struct eti_file *file;
    const char *kind;
    for (size_t i = 0; i < profile->n_parts; i++)
        ETI_TRY(add_sources(report, profile->parts[i], err));
    for (size_t i = 0;
         profile->inspector && (file = eti__inspector_file(profile->inspector, i, &kind)); i++)
        ETI_TRY(eti__report_add_source(report, kind, file, err));
    if (!profile->file.name)
        return ETI_OK;
    return eti__report_add_source(report, "baseline", &profile->file, err);
}

int64_t eti__entry_event_number(const eti_entry *entry) {
    return entry && entry->event ? entry->event - entry->event->block->events : -1;
}

const eti_inspector *eti__profile_inspector(const eti_profile *profile) {
    const eti_inspector *found = profile->inspector;
    for (size_t i = 0; i < profile->n_parts && !found; i++)
        found = eti__profile_inspector(profile->parts[i]);
    return found;
}

static void drop_profile(void *profile) {
    eti_profile_free(profile);
}

eti_kept eti__profile_keep(const eti_profile *profile) {
    eti__references_add(&profile->references);
    return (eti_kept){(eti_profile *)profile, drop_profile};
}

/* Adds the files from which the profile was made to the report, and makes the report keep the profile. */
static eti_status add_profile(eti_report *report, const eti_profile *profile, eti_error *err) {
    eti__report_keep(report, eti__profile_keep(profile));
    return add_sources(report, profile, err);
}

eti_status eti__profiles_begin_report(eti_report **out, const char *view, const eti_profile *base,
                                      const eti_profile *new_side, eti_error *err) {
    *out = NULL;
    ETI_TRY(eti__report_new(out, view, new_side->target_scale, err));
    eti_status status = base ? add_profile(*out, base, err) : ETI_OK;
    if (status == ETI_OK)
        status = add_profile(*out, new_side, err);
    if (status == ETI_OK)
        return ETI_OK;
    eti_report_free(*out);
    *out = NULL;
    return status;
}

/* ==== profile entry =========================================================================== */
/* Names the kinds of entries, and computes the times of files from the ticks of runs. */

/* Names of the kinds of entries, also used in baselines. */
static const struct {
    const char *name;
    eti_entry_kind kind;
    eti_role role; /* for events */
} kind_names[] = {
    {"execute", ETI_ENTRY_EXECUTE, 0},
    {"operators", ETI_ENTRY_OPERATORS, 0},
    {"delegates", ETI_ENTRY_DELEGATES, 0},
    {"framework", ETI_ENTRY_FRAMEWORK, 0},
    {"loading", ETI_ENTRY_LOADING, 0},
    {"kernel", ETI_ENTRY_EVENT, ETI_ROLE_KERNEL},
    {"delegated", ETI_ENTRY_EVENT, ETI_ROLE_DELEGATED},
    {"device", ETI_ENTRY_EVENT, ETI_ROLE_DEVICE},
    {"transfer", ETI_ENTRY_EVENT, ETI_ROLE_TRANSFER},
    {"overhead", ETI_ENTRY_EVENT, ETI_ROLE_OVERHEAD},
    {"profiling", ETI_ENTRY_EVENT, ETI_ROLE_PROFILING},
    {"delegate_call", ETI_ENTRY_EVENT, ETI_ROLE_DELEGATE_CALL},
    {"instruction", ETI_ENTRY_EVENT, ETI_ROLE_INSTRUCTION},
    {"allocated", ETI_ENTRY_ALLOCATED, 0},
};
#define N_KINDS (sizeof kind_names / sizeof *kind_names)

const char *eti__entry_kind_name(const eti_entry *entry) {
    size_t i = 0;
    while (i + 1 < N_KINDS &&
           (kind_names[i].kind != entry->kind || kind_names[i].role != entry->role))
        i++;
    return kind_names[i].name;
}

bool eti__entry_set_kind(eti_entry *entry, eti_text name) {
    for (size_t i = 0; i < N_KINDS; i++) {
        if (!eti__text_is(name, kind_names[i].name))
            continue;
        entry->kind = (uint8_t)kind_names[i].kind;
        entry->role = (uint8_t)kind_names[i].role;
        return true;
    }
    return false;
}

/* ---- times ----------------------------------------------------------------------------------- */

void eti__file_times_of(eti_file_times *out, const uint64_t *ticks, size_t n, double *scratch) {
    for (size_t i = 0; i < n; i++)
        scratch[i] = (double)ticks[i];
    double *sorted = scratch + n;
    sorted[0] = scratch[0]; /* a single value is not copied */
    eti_summary summary = eti__summarize(scratch, n, sorted);
    /* values from the rank of p90 on are in place, so only these must be sorted for higher percentiles */
    size_t tail = (size_t)floor((double)(n - 1) * 0.9);
    eti__sort_doubles(sorted + tail, n - tail);
    *out = (eti_file_times){.p10 = summary.p10,
                            .p50 = summary.p50,
                            .p90 = summary.p90,
                            .p95 = eti__percentile(sorted, n, 0.95),
                            .p99 = eti__percentile(sorted, n, 0.99),
                            .avg = summary.avg,
                            .min = summary.min,
                            .max = summary.max,
                            .fast = eti__fast_mean(scratch, n)};
}

/* Returns the median over the files that have the entry; NaN if the value of one of them is unknown. */
static double median_of(const eti_entry *entry, size_t n_files, size_t offset, double *scratch) {
    size_t n = 0;
    for (size_t i = 0; i < n_files; i++) {
        if (eti__file_lacks_entry(&entry->times[i]))
            continue;
        memcpy(&scratch[n], (const char *)&entry->times[i] + offset, sizeof *scratch);
        if (isnan(scratch[n++]))
            return (double)NAN;
    }
    return eti__median(scratch, n);
}

void eti__entry_set_summary(const eti_profile *profile, const eti_profile_block *block,
                            eti_entry *entry, double *scratch) {
    const eti_file_times *times = entry->times;
    size_t n = block->n_files;
    double factor = eti__entry_is_time(entry) ? profile->factor : 1, min = (double)NAN, max = min;
    for (size_t i = 0; i < n; i++) {
        min = fmin(min, times[i].min); /* fmin() ignores NaN */
        max = fmax(max, times[i].max);
    }
    entry->summary = (eti_summary){
        .struct_size = sizeof entry->summary,
        .p10 = median_of(entry, n, offsetof(eti_file_times, p10), scratch) / factor,
        .p50 = median_of(entry, n, offsetof(eti_file_times, p50), scratch) / factor,
        .p90 = median_of(entry, n, offsetof(eti_file_times, p90), scratch) / factor,
        .avg = median_of(entry, n, offsetof(eti_file_times, avg), scratch) / factor,
        .min = min / factor,
        .max = max / factor,
    };
}

static uint64_t step_of(const uint64_t *ticks, size_t n) {
    uint64_t step = 0;
    for (size_t i = 0; i < n && step != 1; i++)
        step = eti__common_divisor(ticks[i], step);
    return step;
}

bool eti__entry_set_ticks(eti_profile *profile, const eti_profile_block *block, eti_entry *entry,
                          const uint64_t *ticks, double *scratch) {
    eti_file_times *times = eti__arena_alloc(&profile->arena, block->n_files, sizeof *times);
    if (!times)
        return false;
    for (size_t i = 0; i < block->n_files; i++)
        eti__file_times_of(&times[i], ticks + block->files[i].first, block->files[i].n, scratch);
    entry->ticks = ticks;
    entry->times = times;
    entry->step = step_of(ticks, block->n_runs);
    eti__entry_set_summary(profile, block, entry, scratch);
    return true;
}

/* ==== profile figures ========================================================================= */

/* Returns the profile that has figures or a loaded program; NULL if none has. */
static const eti_profile *find_source(const eti_profile *profile) {
    if (profile->figures || (profile->inspector && profile->inspector->n_programs > 0))
        return profile;
    const eti_profile *found = NULL;
    for (size_t i = profile->n_parts; i-- > 0 && !found;)
        found = find_source(profile->parts[i]);
    return found;
}

const eti_pte *eti__profile_program(const eti_profile *profile) {
    const eti_profile *source = find_source(profile);
    return source && source->inspector ? source->inspector->programs : NULL;
}

eti_status eti__profile_find_figures(eti_figures *out, bool *are_known, const eti_profile *profile,
                                     eti_error *err) {
    const eti_profile *source = find_source(profile);
    *are_known = source != NULL;
    if (!source)
        return ETI_OK;
    if (!source->figures)
        return eti__figures_make(out, source->inspector->programs, err);
    *out = *source->figures;
    return ETI_OK;
}

/* ==== clocks ================================================================================== */

static uint64_t hash_clock(const void *key, uint64_t seed) {
    const eti_clock *clock = key;
    return eti__hash_mix(eti__text_hash(clock->backend, seed), clock->role);
}

static bool is_equal_clock(const void *key, const void *other) {
    const eti_clock *a = key, *b = other;
    return a->role == b->role && eti__text_equal(a->backend, b->backend) &&
           eti__text_equal(a->unit, b->unit);
}

static const eti_intern_kind clock_kind = {
    .item_size = sizeof(eti_clock), .hash = hash_clock, .is_equal = is_equal_clock};

static eti_clock clock_of(const eti_entry *entry) {
    eti_clock clock = {.role = entry->role, .unit = entry->unit};
    if (eti__role_is_logged((eti_role)entry->role))
        clock.backend = entry->backend;
    return clock;
}

bool eti__clocks_add(eti_clocks *clocks, const eti_profile *profile) {
    uint32_t number;
    for (size_t i = 0; i < profile->n_blocks; i++) {
        const eti_profile_block *block = &profile->blocks[i];
        for (size_t k = block->n_totals; k < block->n_entries; k++) {
            eti_clock clock = clock_of(&block->entries[k]);
            if (!eti__intern_add(&clocks->clocks.table, &clock_kind, &clock, &number))
                return false;
            eti_clock *of = &clocks->clocks.items[number];
            of->step = eti__common_divisor(of->step, block->entries[k].step);
        }
    }
    return true;
}

void eti__clocks_free(eti_clocks *clocks) {
    eti__intern_free(&clocks->clocks.table);
}

double eti__clock_step(const eti_clocks *clocks, const eti_entry *entry) {
    eti_clock clock = clock_of(entry);
    uint32_t number;
    if (!eti__intern_find(&clocks->clocks.table, &clock_kind, &clock, &number))
        return 0;
    uint64_t step = clocks->clocks.items[number].step;
    return step > 1 ? (double)step : 0;
}
