/*
 * stacks.h - the size of the names in a profile by stack.
 */
#ifndef ETI_TIMELINE_STACKS_H
#define ETI_TIMELINE_STACKS_H

#include "timeline/timeline.h"

/* Returns the total size of the names of all stacks. */
uint64_t eti__stacks_text_size(const eti_stacks *stacks);

#endif
