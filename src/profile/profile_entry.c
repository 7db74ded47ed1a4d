/*
 * profile_entry.c - names the kinds of entries, and computes the times of files from the ticks of runs.
 */
#include "account/account.h"
#include "profile/profile.h"
#include "stats/stats.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

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
double eti__entry_factor(const eti_profile *profile, const eti_entry *entry) {
    return entry->kind == ETI_ENTRY_ALLOCATED ? 1 : profile->factor;
}
/* ---- times ----------------------------------------------------------------------------------- */

void eti__file_times_of(eti_file_times *out, const uint64_t *ticks, size_t n, double *scratch) {
    for (size_t i = 0; i < n; i++)
        scratch[i] = (double)ticks[i];
    eti_summary summary = eti__summarize(scratch, n, scratch + n);
    *out = (eti_file_times){.p10 = summary.p10,
                            .p50 = summary.p50,
                            .p90 = summary.p90,
                            .avg = summary.avg,
                            .min = summary.min,
                            .max = summary.max,
                            .location = eti__location(scratch, n)};
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
    double factor = eti__entry_factor(profile, entry), min = (double)NAN, max = min;
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
