/*
 * profile_merge.c - merges profiles of the same program into one with all their files, or makes a profile of the last files
 * of another.
 */
#include "profile/delegate_scales.h"
#include "profile/profile_join.h"

#include <stdlib.h>

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
        profile->n_uncounted += parts[i]->n_uncounted;
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
