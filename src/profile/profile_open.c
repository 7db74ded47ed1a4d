/*
 * profile_open.c - makes a profile from the files of one process.
 */
#include "places/places.h"
#include "profile/profile.h"

eti_status eti__profile_open(eti_profile **out, const eti_inputs *inputs,
                             const eti_options *opening, const eti_profile_options *options,
                             eti_error *err) {
    eti_inspector *inspector;
    *out = NULL;
    ETI_TRY(eti__open_seen_through(&inspector, inputs, opening, err));
    eti_status status = eti__profile_from_inspector(out, inspector, options, err);
    eti_inspector_close(inspector); /* the profile keeps a reference */
    return status;
}
