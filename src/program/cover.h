/*
 * cover.h - the bytes that a changing set of tensors covers, and whether a new one would lie on another.
 *
 * Each change takes time in proportion to the logarithm of the number of tensors.
 */
#ifndef ETI_PROGRAM_COVER_H
#define ETI_PROGRAM_COVER_H

#include "program/planned.h"

/* A place between two neighbouring ends of tensors, or several such places side by side. */
typedef struct eti_cover_node {
    uint32_t n_whole; /* tensors that cover all of it, and not all of what it is a half of */
    uint64_t bytes;   /* covered */
} eti_cover_node;

typedef struct eti_cover {
    const eti_planned *tensors;
    uint64_t *edges; /* ascending: where tensors begin or end */
    uint32_t n_edges;
    eti_cover_node
        *nodes; /* a tree over the places between edges: 2 i + 1 and 2 i + 2 are the halves of i */
    /* Owners lie side by side, so that the last one before a byte is the only one that may hold it: */
    uint32_t *owner;    /* by edge: the tensor that begins there, or ETI_NO_PLANNED */
    uint32_t *n_owners; /* binary indexed tree over edges */
} eti_cover;

/* Makes an empty set of up to `n` of the tensors, those listed. Everything lives in `arena`. ETI_ERROR_MEMORY. */
eti_status eti__cover_make(eti_cover *out, eti_arena *arena, const eti_planned *tensors,
                           const uint32_t *list, uint32_t n, eti_error *err) ETI_WARN_UNUSED;

/* Adds a tensor to the set; removes one, which also stops owning its bytes. */
void eti__cover_add(eti_cover *cover, uint32_t tensor);
void eti__cover_remove(eti_cover *cover, uint32_t tensor);

/* Makes a tensor the owner of its bytes, unless one of them has an owner, which is then stored in `other`: false. */
bool eti__cover_own(eti_cover *cover, uint32_t tensor, uint32_t *other);

/* Returns the number of bytes that tensors of the set cover. */
static inline uint64_t eti__cover_bytes(const eti_cover *cover) {
    return cover->n_edges > 0 ? cover->nodes[0].bytes : 0;
}

#endif
