/*
 * blocks.h - selects the EventBlocks that a request concerns.
 */
#ifndef ETI_ACCOUNT_BLOCKS_H
#define ETI_ACCOUNT_BLOCKS_H

#include "etinspect.h"

/* Returns whether both blocks ran the same method; false if the method of one is unknown. */
bool eti__blocks_are_alike(const eti_event_block *a, const eti_event_block *b);

#endif
