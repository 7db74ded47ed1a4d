/*
 * alias_sources.h - finds the tensor whose bytes a view shows.
 *
 * Views are laid out at export and execute nothing: the only trace they leave is that their bytes lie in those of a tensor
 * of the same type that was written before. Tensors are written here in order of time, and looked for in between.
 */
#ifndef ETI_PROGRAM_ALIAS_SOURCES_H
#define ETI_PROGRAM_ALIAS_SOURCES_H

#include "program/planned.h"

/* Tensors of one arena and type that have the same bytes. */
typedef struct eti_alias_range {
    uint32_t memory_id;
    int8_t scalar_type;
    uint64_t offset, end;
    uint32_t group, n_group; /* where those of this arena and type begin, and their number */
    uint32_t latest;         /* the tensor written last, or ETI_NO_PLANNED */
    uint32_t time;           /* when it was written */
} eti_alias_range;

/* For each group a binary indexed tree over its ranges, by offset. A node holds those of its ranges that may be an answer:
 * ends fall as times rise. */
typedef struct eti_alias_sources {
    const eti_planned *tensors;
    uint32_t *range_of; /* each tensor's; of those without bytes, any */
    eti_alias_range *ranges;
    uint32_t n_ranges;
    size_t *stacks;  /* where the stack of each node begins, in `stacked` */
    uint32_t *depth; /* of each stack */
    uint32_t *stacked;
} eti_alias_sources;

/* Prepares the search among `tensors`; borrows them. Everything lives in `arena`. ETI_ERROR_MEMORY. */
eti_status eti__alias_sources_make(eti_alias_sources *out, eti_arena *arena,
                                   const eti_planned *tensors, uint32_t n,
                                   eti_error *err) ETI_WARN_UNUSED;

/* Remembers that a tensor is written at a time, which never falls; of one time, tensors come in order. */
void eti__alias_sources_write(eti_alias_sources *sources, uint32_t tensor, uint32_t time);

/* Returns the tensor that a view shows: of exactly its bytes, else of those written last that hold all of them, of equal
 * times the larger number. ETI_NO_PLANNED: there is none. */
uint32_t eti__alias_sources_find(const eti_alias_sources *sources, uint32_t tensor);

#endif
