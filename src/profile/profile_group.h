/*
 * profile_group.h - blocks that become one when profiles are joined: the groups that profile_join.c finds, of which
 * profile_group.c makes blocks.
 */
#ifndef ETI_PROFILE_PROFILE_GROUP_H
#define ETI_PROFILE_PROFILE_GROUP_H

#include "profile/profile.h"

typedef struct eti_group_part {
    const eti_profile_block *block;
    const uint32_t *numbers; /* of its files, see profile_join.h */
    size_t variant;          /* of the group */
} eti_group_part;

/* Equal blocks: the number of each event in the group. */
typedef struct eti_group_variant {
    const eti_profile_block *block;
    uint32_t *ids;
} eti_group_variant;

typedef struct eti_block_group {
    /* The key of equal blocks; the second equal block of a file is another group. */
    const eti_profile_block *first;
    uint32_t nth;
    uint32_t n_seen; /* of the first: equal blocks in the last source */
    const uint32_t *source;
    eti_group_part *parts;
    eti_group_variant *variants; /* NULL: all are equal to `first` */
    eti_entry *events; /* in their order, with their numbers beside them; NULL: those of `first` */
    uint32_t *order;
    size_t n_parts, part_capacity, n_variants, n_events;
    bool is_folded; /* into another */
} eti_block_group;

static inline size_t eti__count_events(const eti_profile_block *block) {
    return block->n_entries - block->n_totals;
}

/* Makes a block of a group. False: out of memory. */
bool eti__group_make_block(struct eti_profile *profile, const eti_block_group *group,
                           eti_profile_block *out);

#endif
