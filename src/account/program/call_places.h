/*
 * call_places.h - finds the node, the module and the line of source of an instruction of a program, by the ETRecord.
 */
#ifndef ETI_ACCOUNT_PROGRAM_CALL_PLACES_H
#define ETI_ACCOUNT_PROGRAM_CALL_PLACES_H

#include "account/places/places.h"
#include "account/program/planned_methods.h"
#include "model/handle_index.h"

/* Of one method. Starts as all zeros. */
typedef struct eti_call_places {
    const eti_etrecord *record; /* NULL: nothing is known */
    const eti_planned_method *method;
    eti_graph graph;
    eti_handle_index by_handle;
    const eti_op_node **found; /* of the current instruction; malloc's */
    size_t n_found, found_capacity;
    size_t n_listed; /* of all instructions, for the limit */
    eti_places places;
} eti_call_places;

typedef struct eti_call_place {
    const eti_graph_node *node; /* the only one; NULL: none or several */
    eti_text module;            /* absent: none */
    eti_text file;              /* absent: none */
    uint32_t line;
} eti_call_place;

/* Reads the graph of the method if the inspector has not. Of an inspector without a record, or a method that it does not
 * have, nothing will be known. ETI_ERROR_MEMORY, or what reading the graph returned. Free it in any case. */
eti_status eti__call_places_init(eti_call_places *out, const eti_inspector *inspector,
                                 const eti_planned_method *method, eti_error *err) ETI_WARN_UNUSED;
void eti__call_places_free(eti_call_places *places);

/* Finds the place of an instruction; all zeros: it is not known. Texts are the record's. False: out of memory. */
bool eti__call_places_find(eti_call_places *places, uint32_t instruction, eti_call_place *out);

#endif
