/*
 * arenas.h - computes the bytes in use in each arena at each instruction from the lives of planned tensors: the peak, the
 * waste, and tensors planned onto one another.
 *
 * The bytes in use are the union of the tensors' ranges: a view adds nothing to the tensor it shows.
 */
#ifndef ETI_PROGRAM_ARENAS_H
#define ETI_PROGRAM_ARENAS_H

#include "base/arena.h"
#include "program/liveness.h"

/* Bytes in use from an instruction until the next step. */
typedef struct eti_arena_step {
    uint32_t instruction;
    uint64_t in_use; /* in bytes */
} eti_arena_step;

/* The arena of a memory id, which the runtime calls a planned buffer. */
typedef struct eti_planned_arena {
    uint32_t memory_id;
    uint64_t size;    /* bytes that the program requests */
    uint64_t highest; /* end of the last byte planned, including tensors that are not used */
    uint64_t peak;    /* largest number of bytes in use at an instruction */
    uint32_t peak_at; /* first such instruction, or 0 */
    const eti_arena_step
        *steps; /* in order of instructions; before the first step, nothing is in use */
    uint32_t n_steps;
    const uint32_t *tensors; /* tensors of this arena, as indices into eti_liveness.tensors */
    uint32_t n_tensors;
} eti_planned_arena;

/* Two tensors that are live at the same instruction and share bytes, although neither is a view of the other. */
typedef struct eti_planned_overlap {
    uint32_t tensor,
        other; /* indices into eti_liveness.tensors; `other` was live before, or since the same instruction */
    uint32_t instruction; /* first instruction at which both are live */
} eti_planned_overlap;

typedef struct eti_planned_arenas {
    const eti_liveness *liveness;
    const eti_planned_arena *arenas; /* by memory id, for ids that have a size or a tensor */
    uint32_t n_arenas;
    const eti_planned_overlap *overlaps; /* one for each tensor that is planned onto a live one */
    uint32_t n_overlaps;
    const uint32_t *beyond; /* tensors that extend past the end of their arena */
    uint32_t n_beyond;
    uint64_t total_size; /* sum of the arenas' sizes */
    uint64_t total_peak; /* sum of the arenas' peaks */
} eti_planned_arenas;

/* Makes the arenas; everything lives in `arena` and borrows from `liveness`. ETI_ERROR_MEMORY. */
eti_status eti__arenas_make(eti_planned_arenas *out, eti_arena *arena, const eti_liveness *liveness,
                            eti_error *err) ETI_WARN_UNUSED;

/* Return the bytes in use at an instruction, in one arena or in all. */
uint64_t eti__arena_in_use(const eti_planned_arena *of, uint32_t instruction);
uint64_t eti__arenas_in_use(const eti_planned_arenas *all, uint32_t instruction);

/* Returns the bytes of an arena that are unused at its peak. */
static inline uint64_t eti__arena_waste(const eti_planned_arena *of) {
    return of->size > of->peak ? of->size - of->peak : 0;
}

#endif
