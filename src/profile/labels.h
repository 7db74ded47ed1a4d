/*
 * labels.h - labels of blocks, and scales of delegates.
 */
#ifndef ETI_PROFILE_LABELS_H
#define ETI_PROFILE_LABELS_H

#include "base/intern.h"
#include "etinspect.h"
#include "profile/profile.h"

/* ==== block names ============================================================================= */

/* Largest number of lists that a block adds. */
#define ETI_MOST_BLOCK_LISTS 3

/* Numbers of lists of blocks. */
typedef struct eti_block_lists {
    uint32_t own, any;     /* lists to which the block belongs: with its method, and with any */
    uint32_t with_name[2]; /* lists that together have the blocks with its name, each once */
    size_t n_with_name;    /* 1: the list of any method; 2: lists of one method each */
} eti_block_lists;

typedef struct eti_block_list_key {
    eti_text name, method;
    int32_t bundled_input_index;
    bool is_any; /* blocks of any method */
} eti_block_list_key;

/* Starts as all zeros; `count` is the number of lists. */
typedef ETI_INTERN_OF(eti_block_list_key) eti_block_names;

/* Adds a block, whose texts are borrowed, and sets the numbers of its lists. False: out of memory. */
bool eti__block_names_add(eti_block_names *names, const eti_profile_block *block,
                          eti_block_lists *out);
void eti__block_names_free(eti_block_names *names);

/* ==== delegate scales ========================================================================= */
/* The time scales in which the delegates of a profile count.
 *
 * Ticks of delegated events are converted to the source scale when a profile is made, so the
 * scales are not needed for numbers: they show whether the stamps of two profiles were read in the
 * same way. */

/* Lists the scale of each backend that logged events of the profile's inspector. False: out of memory. */
bool eti__delegate_scales_find(eti_profile *profile) ETI_WARN_UNUSED;

#define ETI_MOST_DELEGATE_SCALES 1024

/* Adds a scale, unless the backend has one or there are ETI_MOST_DELEGATE_SCALES; backend and scales live in the profile's arena. False: out of memory. */
bool eti__delegate_scales_add(eti_profile *profile, eti_text backend,
                              eti_time_scale scale) ETI_WARN_UNUSED;

/* Takes the scales of the profile's parts, except those in which parts differ. False: out of memory. */
bool eti__delegate_scales_merge(eti_profile *profile) ETI_WARN_UNUSED;

#endif
