/*
 * method.h - a method of the inputs: from the program, the ETRecord, or both.
 */
#ifndef ETI_MODEL_METHOD_H
#define ETI_MODEL_METHOD_H

#include "etrecord/etrecord.h"
#include "pte/pte.h"

/* Largest number of methods compared with a block; no program has nearly as many. */
#define ETI_METHODS_COMPARED 64

/* A method of the inputs. */
typedef struct eti_method {
    eti_text name;
    size_t number;            /* number in the ETRecord, or ETI_NO_METHOD */
    const eti_pte_plan *plan; /* plan in the program, or NULL */
    bool has_graph;           /* `graph` was read */
    eti_graph graph;          /* includes its lowered modules */
    /* ids of the instructions that call the lowered modules, ascending, n_modules of them; NULL if unknown */
    const int32_t *calls;
} eti_method;

#endif
