/*
 * planned_use.h - finds the bytes in use of planned arenas during the calls of a run.
 */
#ifndef ETI_TIMELINE_PLANNED_USE_H
#define ETI_TIMELINE_PLANNED_USE_H

#include "model/model.h"
#include "places/places.h"
#include "pte/pte.h"
#include "timeline/slices.h"

/* Largest number of arenas of a method that are shown; those with the smallest ids are. Programs have one to three. */
#define ETI_MOST_SHOWN_ARENAS 16

/* A method that at least one block ran. */
typedef struct eti_used_plan {
    const eti_pte_plan *plan;
    eti_planned_method method;
    uint32_t first, n; /* range of its shown arenas among those of all methods */
} eti_used_plan;

typedef struct eti_planned_use {
    eti_used_plan *plans;
    size_t n_plans;
    uint32_t n_arenas; /* number of shown arenas of all methods */
} eti_planned_use;

/* Finds the methods of the inspector's program that the selected blocks ran; sets `*out` to NULL if there are none.
 * source->arena owns the result. Fails with ETI_ERROR_LIMIT or ETI_ERROR_MEMORY. */
eti_status eti__planned_use_make(const eti_planned_use **out, eti_slice_source *source,
                                 eti_error *err) ETI_WARN_UNUSED;

/* Returns the method of a block, or NULL if it is unknown. */
const eti_used_plan *eti__planned_use_of(const eti_planned_use *use, const eti_event_block *block);

/* Returns the number, in its method, of the instruction of the profile event `number` of a run, or
 * ETI_NO_INSTRUCTION. An Event stands for equal instructions in several chains; the profile event determines the
 * chain. */
uint32_t eti__used_plan_instruction(const eti_used_plan *plan, const eti_event *event,
                                    const eti_block_run *run, uint32_t number);

#endif
