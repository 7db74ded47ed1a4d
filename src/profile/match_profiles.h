/*
 * match_profiles.h - matches the blocks and events of two profiles by the rules of numerics/differences.h.
 *
 * The keys of an event are its kind, name and operators, and its module and the code of its source line if the record has
 * them; otherwise its debug handles and delegate id, which change if an operator is inserted before it. If both profiles
 * know nodes of the exported model, events with other names match if they belong to the same node.
 */
#ifndef ETI_PROFILE_MATCH_PROFILES_H
#define ETI_PROFILE_MATCH_PROFILES_H

#include "etinspect.h"
#include "profile/match.h"
#include "profile/profile.h"

/* Matches the blocks of two profiles. The caller frees `*out`. ETI_ERROR_MEMORY. */
eti_status eti__match_blocks(eti_match **out, size_t *n, const struct eti_profile *base,
                             const struct eti_profile *new_side, eti_error *err) ETI_WARN_UNUSED;

/* Matches the events of two blocks; indices count from the first entry after the totals. The caller frees `*out`.
 * ETI_ERROR_MEMORY. */
eti_status eti__match_events(eti_match **out, size_t *n, const eti_profile_block *base,
                             const eti_profile_block *new_side, eti_error *err) ETI_WARN_UNUSED;

#endif
