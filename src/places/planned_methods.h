/*
 * planned_methods.h - finds the memory that each method of the program plans, together with data of
 * its delegates from an ETRecord.
 */
#ifndef ETI_PLACES_PLANNED_METHODS_H
#define ETI_PLACES_PLANNED_METHODS_H

#include "base/arena.h"
#include "model/model.h"
#include "program/program.h"
#include "pte/pte.h"

typedef struct eti_planned_method {
    const eti_pte_plan *plan;
    uint32_t number; /* number of the plan */
    /* number of the method in the ETRecord; ETI_NO_METHOD if it has no method with this name */
    size_t record_method;
    eti_liveness liveness;
    eti_planned_arenas arenas;
} eti_planned_method;

typedef struct eti_planned_methods {
    const eti_pte *pte;
    eti_planned_method *methods;
    uint32_t n;
} eti_planned_methods;

/* Returns the method of the ETRecord that corresponds to a plan, or ETI_NO_METHOD if there is none. If record and
 * program have one method each, the names need not be equal. */
size_t eti__record_method_of_plan(const eti_inspector *inspector, const eti_pte *pte,
                                  const eti_pte_plan *plan);

/* Finds the memory of a method of one of the inspector's programs. `arena` owns the result. Fails with
 * ETI_ERROR_LIMIT or ETI_ERROR_MEMORY. */
eti_status eti__planned_method_make(eti_planned_method *out, eti_arena *arena,
                                    const eti_inspector *inspector, const eti_pte *pte,
                                    uint32_t number, eti_error *err) ETI_WARN_UNUSED;

/* Finds the memory of all methods of the inspector's first program, or only of the requested one. `arena` owns the
 * result. Fails with ETI_ERROR_USAGE if there is no program or no method with that name, or with ETI_ERROR_LIMIT or
 * ETI_ERROR_MEMORY. */
eti_status eti__planned_methods_make(eti_planned_methods *out, eti_arena *arena,
                                     const eti_inspector *inspector,
                                     eti_error *err) ETI_WARN_UNUSED;

#endif
