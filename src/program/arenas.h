/*
 * arenas.h - turns the lives of planned tensors into the bytes in use of each arena, instruction by instruction: its
 * peak, what it wastes, and tensors that are planned onto one another.
 *
 * Bytes in use are those of the union of the tensors' ranges: a view adds nothing to what it shows.
 */
#ifndef ETI_PROGRAM_ARENAS_H
#define ETI_PROGRAM_ARENAS_H

#include "program/liveness.h"

/* From an instruction on, until the next step. */
typedef struct eti_arena_step {
    uint32_t instruction;
    uint64_t in_use; /* bytes */
} eti_arena_step;

/* The room's word for what the runtime calls a planned buffer: the arena of a memory id. */
typedef struct eti_planned_arena {
    uint32_t memory_id;
    uint64_t size;    /* bytes that the program asks for */
    uint64_t highest; /* the byte behind the last one planned, of tensors that are not used too */
    uint64_t peak;    /* most bytes in use at an instruction */
    uint32_t peak_at; /* the first such instruction; 0 if there is none */
    const eti_arena_step
        *steps; /* in order of their instructions; before the first, nothing is in use */
    uint32_t n_steps;
    const uint32_t *tensors; /* of this arena, indices of eti_liveness.tensors */
    uint32_t n_tensors;
} eti_planned_arena;

/* Two tensors that live at one instruction and share bytes, although neither is a view of the
 * other. */
typedef struct eti_planned_overlap {
    uint32_t tensor, other; /* indices of eti_liveness.tensors; `other` lived before, or as long */
    uint32_t instruction;   /* the first at which both live */
} eti_planned_overlap;

typedef struct eti_planned_arenas {
    const eti_liveness *liveness;
    const eti_planned_arena *arenas; /* by memory id: those that have a size or a tensor */
    uint32_t n_arenas;
    const eti_planned_overlap
        *overlaps; /* one for each tensor that is planned onto one that lives */
    uint32_t n_overlaps;
    const uint32_t *beyond; /* tensors that end past the end of their arena */
    uint32_t n_beyond;
    uint64_t total_size; /* of all arenas */
    uint64_t total_peak; /* sum of the arenas' peaks */
} eti_planned_arenas;

/* Makes them; all lives in `arena`, and borrows from `liveness`. ETI_ERROR_MEMORY. */
eti_status eti__arenas_make(eti_planned_arenas *out, eti_arena *arena, const eti_liveness *liveness,
                            eti_error *err) ETI_WARN_UNUSED;

/* Returns the bytes in use at an instruction: of one arena, or of all. */
uint64_t eti__arena_in_use(const eti_planned_arena *of, uint32_t instruction);
uint64_t eti__arenas_in_use(const eti_planned_arenas *all, uint32_t instruction);

/* Returns the bytes of an arena that nothing uses at its peak. */
static inline uint64_t eti__arena_waste(const eti_planned_arena *of) {
    return of->size > of->peak ? of->size - of->peak : 0;
}

#endif
