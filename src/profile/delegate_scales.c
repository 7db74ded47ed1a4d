#include "profile/delegate_scales.h"

#include "account/account.h"

#include <string.h>

static const eti_delegate_scale *find_scale(const eti_profile *profile, eti_text backend) {
    for (size_t i = 0; i < profile->n_delegate_scales; i++) {
        if (eti__text_equal(profile->delegate_scales[i].backend, backend))
            return &profile->delegate_scales[i];
    }
    return NULL;
}

bool eti__delegate_scales_add(eti_profile *profile, eti_text backend, eti_time_scale scale) {
    size_t n = profile->n_delegate_scales;
    eti_delegate_scale *scales = profile->delegate_scales;
    eti_text copy = {NULL, 0};
    if (n == ETI_MOST_DELEGATE_SCALES || find_scale(profile, backend))
        return true;
    if ((n & (n - 1)) == 0) { /* grows when it has 0, 1, 2, 4, 8 ... scales */
        scales = eti__arena_alloc(&profile->arena, 2 * n + 1, sizeof *scales);
        if (!scales)
            return false;
        if (n > 0)
            memcpy(scales, profile->delegate_scales, n * sizeof *scales);
        profile->delegate_scales = scales;
    }
    if (backend.size > 0 && !eti__arena_copy_text(&profile->arena, backend, &copy))
        return false;
    scales[n] = (eti_delegate_scale){copy, scale};
    profile->n_delegate_scales = n + 1;
    return true;
}

static bool find_in_block(eti_profile *profile, const eti_profile_block *block) {
    bool done = true, is_countable;
    for (size_t i = block->n_totals; i < block->n_entries && done; i++) {
        const eti_entry *entry = &block->entries[i];
        if (entry->role != ETI_ROLE_DELEGATED || !entry->event)
            continue;
        eti_time_scale scale =
            eti__event_scale(&profile->inspector->options, entry->event, &is_countable);
        done = eti__delegate_scales_add(profile, entry->backend, scale);
    }
    return done;
}

bool eti__delegate_scales_find(eti_profile *profile) {
    bool done = true;
    for (size_t i = 0; i < profile->n_blocks && done; i++)
        done = find_in_block(profile, &profile->blocks[i]);
    return done;
}

/* Returns whether all parts that have a scale for the backend have this one. */
static bool is_agreed(const eti_profile *profile, const eti_delegate_scale *wanted) {
    for (size_t i = 0; i < profile->n_parts; i++) {
        const eti_delegate_scale *found = find_scale(profile->parts[i], wanted->backend);
        if (found && found->scale != wanted->scale)
            return false;
    }
    return true;
}

bool eti__delegate_scales_merge(eti_profile *profile) {
    bool done = true;
    for (size_t i = 0; i < profile->n_parts; i++) {
        const eti_profile *part = profile->parts[i];
        for (size_t k = 0; k < part->n_delegate_scales && done; k++) {
            const eti_delegate_scale *of = &part->delegate_scales[k];
            if (is_agreed(profile, of))
                done = eti__delegate_scales_add(profile, of->backend, of->scale);
        }
    }
    return done;
}

/* Returns whether two scales, without one of the same name on the other side, may be of one backend: without an ETRecord, a
 * side does not know its backends. */
static bool may_be_one(const eti_profile *a, const eti_delegate_scale *of_a, const eti_profile *b,
                       const eti_delegate_scale *of_b) {
    if (eti__text_equal(of_a->backend, of_b->backend))
        return true;
    bool is_unknown = of_a->backend.size == 0 || of_b->backend.size == 0;
    return is_unknown && !find_scale(b, of_a->backend) && !find_scale(a, of_b->backend);
}

const eti_delegate_scale *eti__delegate_scales_find_unlike(const eti_profile *base,
                                                           const eti_profile *new_side,
                                                           eti_time_scale scales[2]) {
    for (size_t i = 0; i < base->n_delegate_scales; i++) {
        for (size_t k = 0; k < new_side->n_delegate_scales; k++) {
            const eti_delegate_scale *of_base = &base->delegate_scales[i],
                                     *of_new = &new_side->delegate_scales[k];
            if (of_base->scale == of_new->scale || !may_be_one(base, of_base, new_side, of_new))
                continue;
            scales[0] = of_base->scale;
            scales[1] = of_new->scale;
            return of_base->backend.size > 0 ? of_base : of_new;
        }
    }
    return NULL;
}
