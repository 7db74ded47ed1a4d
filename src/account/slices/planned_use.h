/*
 * planned_use.h - finds the bytes in use of planned arenas while the calls of a run are made.
 */
#ifndef ETI_ACCOUNT_SLICES_PLANNED_USE_H
#define ETI_ACCOUNT_SLICES_PLANNED_USE_H

#include "account/program/planned_methods.h"
#include "account/slices.h"

/* Arenas of a method that are shown: those with the smallest ids. Programs have one to three. */
#define ETI_MOST_SHOWN_ARENAS 16

/* A method that some block ran. */
typedef struct eti_used_plan {
    const eti_pte_plan *plan;
    eti_planned_method method;
    uint32_t *first_of_chain; /* number of the first instruction of each chain */
    uint32_t first, n;        /* indexes of its arenas that are shown, among those of all methods */
} eti_used_plan;

typedef struct eti_planned_use {
    eti_used_plan *plans;
    size_t n_plans;
    uint32_t n_arenas; /* of all methods */
} eti_planned_use;

/* Finds the methods of the inspector's program that the chosen blocks ran; `*out` is NULL if there are none. All lives in
 * source->arena. ETI_ERROR_LIMIT, ETI_ERROR_MEMORY. */
eti_status eti__planned_use_make(const eti_planned_use **out, eti_slice_source *source,
                                 eti_error *err) ETI_WARN_UNUSED;

/* Returns the method of a block; NULL: it is not known. */
const eti_used_plan *eti__planned_use_of(const eti_planned_use *use, const eti_event_block *block);

/* Returns the number, in its method, of the instruction that the profile event `number` of a run is of, or ETI_NO_INSTRUCTION. An
 * Event stands for instructions of several chains where they are alike: the profile event decides on the chain. */
uint32_t eti__used_plan_instruction(const eti_used_plan *plan, const eti_event *event,
                                    const eti_block_run *run, uint32_t number);

#endif
