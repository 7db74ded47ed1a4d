/*
 * associate.h - turns what an ETRecord knows about instructions into the events' debug handles,
 * backends, operators, stack traces and modules.
 */
#ifndef ETI_MODEL_ASSOCIATE_H
#define ETI_MODEL_ASSOCIATE_H

#include "model/block.h"
#include "read/etrecord.h"

/* How well dump and record fit, counted over all events. */
typedef struct eti_association {
    uint64_t n_instructions;   /* events that belong to an instruction, not to the framework */
    uint64_t n_with_handles;   /* of these, in the record's debug_handle_map */
    uint64_t n_with_operators; /* of these, with nodes in the graph */
    uint64_t n_delegated;
    uint64_t n_without_delegate_map; /* delegated events whose instruction the delegate_map lacks */
    int32_t example_without_delegate_map;
} eti_association;

/* Fills the events of all blocks from the maps and `graph` of one method. ETI_ERROR_LIMIT when
 * handles and nodes multiply to more operators than 65536 and one for each byte of the record, or than
 * 4194304; ETI_ERROR_MEMORY. */
eti_status eti__associate(eti_blocks *blocks, eti_arena *arena, const eti_etrecord *record,
                          size_t method, const eti_graph *graph, eti_association *out,
                          eti_error *err) ETI_WARN_UNUSED;

/* Whether the event's name is one that the runtime's framework uses for itself. */
bool eti__is_framework_event(eti_text name);

#endif
