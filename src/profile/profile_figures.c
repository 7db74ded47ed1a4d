#include "profile/profile_figures.h"

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
