/*
 * profile_join.h - joins the blocks of several profiles, or of the files of one profile, into blocks with the runs of all.
 *
 * Blocks of different files are joined if they have the same name and bundled input and at least half of their events in
 * common; a file then lacks the events that it did not run. Therefore a history continues after an operator was added.
 */
#ifndef ETI_PROFILE_PROFILE_JOIN_H
#define ETI_PROFILE_PROFILE_JOIN_H

#include "etinspect.h"
#include "profile/profile.h"

/* Blocks, and the indices that their files have in the joined profile. */
typedef struct eti_join_source {
    const eti_profile_block *blocks;
    size_t n_blocks;
    const uint32_t *
        numbers; /* per file: its index in the joined profile, ascending, or ETI_NO_FILE if it is dropped */
} eti_join_source;

/* Sets profile->blocks, which borrow texts from the sources. profile->n_files, factor and has_ticks must be set.
 * ETI_ERROR_MEMORY. */
eti_status eti__profile_join(eti_profile *profile, const eti_join_source *sources, size_t n,
                             eti_error *err) ETI_WARN_UNUSED;

#endif
