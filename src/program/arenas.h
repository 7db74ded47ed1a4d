/*
 * arenas.h - the bytes that a changing set of tensors covers, and whether a new tensor would overlap another one.
 *
 * Each change takes time logarithmic in the number of tensors.
 */
#ifndef ETI_PROGRAM_ARENAS_H
#define ETI_PROGRAM_ARENAS_H

#include "base/arena.h"
#include "etinspect.h"
#include "program/program.h"

/* One or several adjacent places. A place is the range between two neighbouring edges. */
typedef struct eti_cover_node {
    uint32_t n_whole; /* number of tensors that cover all of it, but not all of its parent */
    uint64_t bytes;   /* number of covered bytes */
} eti_cover_node;

typedef struct eti_cover {
    const eti_planned *tensors;
    uint64_t *edges; /* ascending: where tensors begin or end */
    uint32_t n_edges;
    eti_cover_node *nodes; /* a tree over the places: 2 i + 1 and 2 i + 2 are the halves of i */
    /* Owners do not overlap, so that only the last one before a byte can contain it. */
    uint32_t *owner;    /* by edge: the owner that begins there, or ETI_NO_PLANNED */
    uint32_t *n_owners; /* binary indexed tree over the edges */
} eti_cover;

/* Makes an empty set that may contain any of the `n` listed tensors. Everything lives in `arena`. ETI_ERROR_MEMORY. */
eti_status eti__cover_make(eti_cover *out, eti_arena *arena, const eti_planned *tensors,
                           const uint32_t *list, uint32_t n, eti_error *err) ETI_WARN_UNUSED;

/* Add a tensor to the set, or remove one, which then no longer owns its bytes. */
void eti__cover_add(eti_cover *cover, uint32_t tensor);
void eti__cover_remove(eti_cover *cover, uint32_t tensor);

/* Makes a tensor the owner of its bytes. Returns false if one of them has an owner, which is then stored in `*other`. */
bool eti__cover_own(eti_cover *cover, uint32_t tensor, uint32_t *other);

/* Returns the number of bytes that tensors of the set cover. */
static inline uint64_t eti__cover_bytes(const eti_cover *cover) {
    return cover->n_edges > 0 ? cover->nodes[0].bytes : 0;
}

#endif
