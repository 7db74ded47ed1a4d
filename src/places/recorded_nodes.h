/*
 * recorded_nodes.h - the nodes that the delegate_map of the ETRecord has for identifiers that a delegate logged.
 *
 * A map is used only if all its handles are in the debug_handle_map of its instruction: some
 * exporters write other numbers into it. An identifier is recorded if it is a key of the map. If it
 * only contains a key, as "matmul_7" contains "matmul", that counts if the key is not a number and
 * no other key is part of the identifier.
 */
#ifndef ETI_PLACES_RECORDED_NODES_H
#define ETI_PLACES_RECORDED_NODES_H

#include "base/intern.h"
#include "model/model.h"

/* A key of a map. */
typedef struct eti_recorded_key {
    eti_text key;
    const eti_delegate_call *map;
    const eti_delegate_entry *entry;
} eti_recorded_key;

/* A map that was looked at. */
typedef struct eti_recorded_map {
    const eti_delegate_call *map;
    int32_t instruction;
    bool is_used;
} eti_recorded_map;

/* Initialize to all zeros. */
typedef struct eti_recorded_nodes {
    ETI_INTERN_OF(eti_recorded_map) maps;
    ETI_INTERN_OF(eti_recorded_key) keys;
    int64_t *handles; /* scratch */
    size_t handle_capacity;
    size_t work; /* keys compared with parts of identifiers, which are limited */
} eti_recorded_nodes;

/* Sets `*out` to the map of an instruction; NULL if there is none, or it is not used, or if it is that of a Vulkan delegate.
 * Returns false if memory runs out. */
bool eti__recorded_map_find(eti_recorded_nodes *recorded, const eti_etrecord *record, size_t method,
                            int32_t instruction, const eti_delegate_call **out);

/* Finds the entry of a map for the identifier of an event; NULL if there is none. Sets `*attribution` if it finds one. */
const eti_delegate_entry *eti__recorded_entry_find(eti_recorded_nodes *recorded,
                                                   const eti_delegate_call *map,
                                                   const eti_event *event,
                                                   eti_attribution *attribution);

/* Adds a note about the maps that are not used. ETI_ERROR_MEMORY. */
eti_status eti__recorded_nodes_note(const eti_recorded_nodes *recorded, eti_inspector *inspector,
                                    eti_error *err) ETI_WARN_UNUSED;

void eti__recorded_nodes_free(eti_recorded_nodes *recorded);

#endif
