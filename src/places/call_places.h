/*
 * call_places.h - uses the ETRecord to find the node, the module and the line of source of an
 * instruction of a program.
 */
#ifndef ETI_PLACES_CALL_PLACES_H
#define ETI_PLACES_CALL_PLACES_H

#include "base/arena.h"
#include "etrecord/etrecord.h"
#include "model/model.h"
#include "places/call_work.h"
#include "places/payloads.h"
#include "places/places.h"
#include "places/planned_methods.h"

/* Limit on the payload bytes that are examined, as a multiple of the size of the program. */
#define ETI_PAYLOADS_EXAMINED 4u

/* Places of the calls of one method. Initialize to all zeros. */
typedef struct eti_call_places {
    const eti_etrecord *record; /* NULL if nothing is known */
    const eti_planned_method *method;
    eti_graph graph;
    eti_handle_index by_handle;
    const eti_op_node **found; /* nodes of the current instruction; allocated with malloc() */
    size_t n_found, found_capacity;
    size_t n_listed; /* number of nodes listed for all instructions, which is limited */
    eti_call_work work;
    eti_arena arena; /* owns the payloads */
    eti_payloads payloads;
    uint64_t n_left; /* number of bytes of payloads that may still be examined */
    eti_places places;
} eti_call_places;

typedef struct eti_call_place {
    const eti_graph_node *node; /* the only node; NULL if there is none or more than one */
    eti_text module;            /* absent if unknown */
    eti_text file;              /* absent if unknown */
    uint32_t line;
} eti_call_place;

/* Reads the graph of the method unless the inspector has read it. Nothing is found if the inspector has no record, or
 * the record lacks the method. Fails with ETI_ERROR_MEMORY, or with any status of reading the graph. Free it in any
 * case. */
eti_status eti__call_places_init(eti_call_places *out, const eti_inspector *inspector,
                                 const eti_planned_method *method, eti_error *err) ETI_WARN_UNUSED;
void eti__call_places_free(eti_call_places *places);

/* Finds the place of an instruction; all zeros if it is unknown. The record owns the texts. Returns false if memory
 * runs out. */
bool eti__call_places_find(eti_call_places *places, uint32_t instruction, eti_call_place *out);

#endif
