#include "compare/profile.h"

#include "base/text.h"
#include "model/inspector.h"

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

static bool is_utf8(const char *string) {
    eti_text text = eti__text_of(string);
    return eti__text_valid_utf8(text) == text.size;
}

eti_status eti__profile_add_labels(eti_profile *profile, const eti_label *labels, size_t n,
                                   eti_error *err) {
    profile->labels = eti__arena_alloc(&profile->arena, n + 1, sizeof *profile->labels);
    if (!profile->labels)
        return eti_fail_memory(err);
    for (size_t i = 0; i < n; i++) {
        eti_label copy = labels[i];
        if (!is_utf8(copy.key) || !is_utf8(copy.value))
            return eti_fail(err, ETI_ERROR_USAGE, "the label %s=%s is not UTF-8", copy.key,
                            copy.value);
        if (!eti__arena_copy_string(&profile->arena, &copy.key) ||
            !eti__arena_copy_string(&profile->arena, &copy.value))
            return eti_fail_memory(err);
        size_t at = profile->n_labels;
        while (at > 0 && strcmp(profile->labels[at - 1].key, copy.key) > 0)
            at--;
        if (at > 0 && strcmp(profile->labels[at - 1].key, copy.key) == 0)
            return eti_fail(err, ETI_ERROR_USAGE, "the label %s is given twice", copy.key);
        memmove(&profile->labels[at + 1], &profile->labels[at],
                (profile->n_labels - at) * sizeof *profile->labels);
        profile->labels[at] = copy;
        profile->n_labels++;
    }
    return ETI_OK;
}

bool eti__profile_has_locations(const eti_profile *profile) {
    for (size_t i = 0; i < profile->n_blocks; i++) {
        const eti_profile_block *block = &profile->blocks[i];
        for (size_t k = 0; block->n_entries > 0 && k < block->n_files; k++) {
            if (isnan(block->entries[0].times[k].location))
                return false;
        }
    }
    return true;
}

bool eti__profile_has_label(const eti_profile *profile, const eti_label *label) {
    for (size_t i = 0; i < profile->n_labels; i++) {
        if (strcmp(profile->labels[i].key, label->key) == 0)
            return strcmp(profile->labels[i].value, label->value) == 0;
    }
    return false;
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
