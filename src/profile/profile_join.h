/*
 * profile_join.h - turns the blocks of several profiles, or of the files of one, into blocks with the runs of all.
 *
 * Blocks of different files that have the same name and bundled input and at least half of their events in common become
 * one, in which files lack the events that they did not run. So a history survives an operator that was added.
 */
#ifndef ETI_PROFILE_PROFILE_JOIN_H
#define ETI_PROFILE_PROFILE_JOIN_H

#include "profile/profile.h"

/* Blocks whose files have other numbers in the joined profile. */
typedef struct eti_join_source {
    const eti_profile_block *blocks;
    size_t n_blocks;
    const uint32_t *
        numbers; /* per file: its number in the joined profile, or ETI_NO_FILE: it is left out; ascending */
} eti_join_source;

/* Sets profile->blocks, which borrow texts from the sources. profile->n_files, factor and has_ticks are set.
 * ETI_ERROR_MEMORY. */
eti_status eti__profile_join(eti_profile *profile, const eti_join_source *sources, size_t n,
                             eti_error *err) ETI_WARN_UNUSED;

#endif
