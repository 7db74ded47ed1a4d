#include "profile/profile.h"

#include <stdlib.h>
#include <string.h>

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

bool eti__profile_has_locations(const eti_profile *profile) {
    for (size_t i = 0; i < profile->n_blocks; i++) {
        const eti_profile_block *block = &profile->blocks[i];
        for (size_t k = 0; block->n_entries > 0 && k < block->n_files; k++) {
            const eti_file_times *times = &block->entries[0].times[k];
            if (isnan(times->location) && !eti__file_lacks_entry(times))
                return false;
        }
    }
    return true;
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

eti_status eti__profile_add_sources(eti_report *report, const eti_profile *profile,
                                    eti_error *err) {
    eti__report_keep(report, eti__profile_keep(profile));
    return add_sources(report, profile, err);
}
