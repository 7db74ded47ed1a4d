/*
 * match_profiles.h - finds out which block and which event of one profile is which of another, by the rules of match.h.
 *
 * An event is known by kind, name and operators; by module and the code of its source line where the record knows
 * these, otherwise by debug handles and delegate id, which an operator that is inserted before it changes. Where both profiles
 * know nodes of the exported model, events of other names are those of the same node.
 */
#ifndef ETI_PROFILE_MATCH_PROFILES_H
#define ETI_PROFILE_MATCH_PROFILES_H

#include "profile/match.h"
#include "profile/profile.h"

/* Matches the blocks of two profiles. The caller frees `*out`. ETI_ERROR_MEMORY. */
eti_status eti__match_blocks(eti_match **out, size_t *n, const struct eti_profile *base,
                             const struct eti_profile *new_side, eti_error *err) ETI_WARN_UNUSED;

/* Matches the events of two blocks; their numbers begin behind the totals. The caller frees `*out`. ETI_ERROR_MEMORY. */
eti_status eti__match_events(eti_match **out, size_t *n, const eti_profile_block *base,
                             const eti_profile_block *new_side, eti_error *err) ETI_WARN_UNUSED;

#endif
