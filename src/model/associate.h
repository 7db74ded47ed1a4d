/*
 * associate.h - gives events the debug handles, backends, operators, stack traces and modules that
 * an ETRecord has for their instructions.
 */
#ifndef ETI_MODEL_ASSOCIATE_H
#define ETI_MODEL_ASSOCIATE_H

#include "base/arena.h"
#include "etrecord/etrecord.h"
#include "model/block.h"

/* Chooses blocks by their number. */
typedef bool (*eti_block_choice)(const void *context, size_t block);

/* Sets `known` of all events, and the association, of the chosen blocks (NULL: all) from the maps and `graph` of one
 * method. ETI_ERROR_LIMIT if handles and nodes multiply to more than 4194304 operators, or more than 65536 plus one for
 * each byte of the record; ETI_ERROR_MEMORY. */
eti_status eti__associate(eti_blocks *blocks, eti_arena *arena, const eti_etrecord *record,
                          size_t method, const eti_graph *graph, eti_block_choice is_chosen,
                          const void *context, eti_error *err) ETI_WARN_UNUSED;

/* Returns whether the event belongs to an instruction of a method, not to the framework. */
bool eti__event_has_instruction(const eti_event *event);
/* Returns whether its instruction_id is the number of that instruction: outside of instructions, where no chain is set, the
 * runtime and libetcapture log the number 0. */
bool eti__event_names_instruction(const eti_event *event);

/* Returns whether the event's name is one that the runtime's framework uses for itself. */
bool eti__is_framework_event(eti_text name);

#endif
