/*
 * profile_group.h - groups of blocks that are joined into one: profile_join.c finds the groups, and profile_group.c makes
 * blocks of them.
 */
#ifndef ETI_PROFILE_PROFILE_GROUP_H
#define ETI_PROFILE_PROFILE_GROUP_H

#include "profile/profile.h"

typedef struct eti_block_part {
    const eti_profile_block *block;
    const uint32_t *numbers; /* of its files, see profile_join.h */
    size_t variant;          /* index of its variant in the group */
} eti_block_part;

/* Equal blocks, with the number that each of their events has in the group. */
typedef struct eti_group_variant {
    const eti_profile_block *block;
    uint32_t *ids;
} eti_group_variant;

typedef struct eti_block_group {
    /* Key of equal blocks; if a file has several equal blocks, each belongs to another group. */
    const eti_profile_block *first;
    uint32_t nth;
    uint32_t n_seen; /* kept only in the first group: number of equal blocks in the last source */
    const uint32_t *source;
    eti_block_part *parts;
    eti_group_variant *variants; /* NULL: all blocks are equal to `first` */
    eti_entry *events; /* in order, with their numbers in `order`; NULL: the events of `first` */
    uint32_t *order;
    size_t n_parts, part_capacity, n_variants, n_events;
    bool is_folded; /* merged into another group */
} eti_block_group;

static inline size_t eti__count_events(const eti_profile_block *block) {
    return block->n_entries - block->n_totals;
}

/* Makes a block of a group. False: out of memory. */
bool eti__group_make_block(struct eti_profile *profile, const eti_block_group *group,
                           eti_profile_block *out);

#endif
