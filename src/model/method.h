/*
 * method.h - a method of the inputs: in the program, in the ETRecord, or in both.
 */
#ifndef ETI_MODEL_METHOD_H
#define ETI_MODEL_METHOD_H

#include "read/pte/pte.h"
#include "read/record/graph.h"

/* Methods that are compared with a block: no program has nearly as many. */
#define ETI_METHODS_COMPARED 64

/* A method of the inputs. */
typedef struct eti_method {
    eti_text name;
    size_t number;            /* in the ETRecord, or ETI_NO_METHOD */
    const eti_pte_plan *plan; /* in the program, or NULL */
    bool has_graph;           /* `graph` was read */
    eti_graph graph;          /* with its lowered modules */
    /* Ids of the instructions that call the lowered modules, ascending: n_modules of the graph;
     * NULL if they are not known. */
    const int32_t *calls;
} eti_method;

#endif
