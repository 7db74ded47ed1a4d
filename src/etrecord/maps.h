/*
 * maps.h - an ETRecord's maps from debug handles and delegates' ids.
 */
#ifndef ETI_ETRECORD_MAPS_H
#define ETI_ETRECORD_MAPS_H

#include "etinspect.h"
#include "etrecord/etrecord.h"

/* ==== id table ================================================================================ */

/* The id that is written so: false for a text that is not str() of a Python int of 32 bits. */
bool eti__id_parse(eti_text text, int32_t *id);

/* ==== record maps ============================================================================= */

/* Finds the number of `method`, which is added if it is new. False: out of memory. */
bool eti__record_maps_add_method(eti_record_maps *maps, eti_text method, uint32_t *number);

/* Returns the handles of the i-th of eti__instruction_map_count() instructions, none if its key is not an id, and its
 * delegate (NULL if none). */
eti_debug_handles eti__method_maps_instruction(const eti_method_maps *maps, size_t i,
                                               const eti_delegate_call **delegate);

/* Stores the id of the i-th instruction of the debug_handle_map; returns false if its key is not an id. */
bool eti__method_maps_instruction_id(const eti_method_maps *maps, size_t i, int32_t *id);

#endif
