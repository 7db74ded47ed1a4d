/*
 * references.h - counts who needs an object: its owner, and what borrows from it and may outlive the owner's interest.
 *
 * Starts as zeros, which is one reference: the owner's.
 */
#ifndef ETI_BASE_REFERENCES_H
#define ETI_BASE_REFERENCES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct eti_references {
    atomic_size_t n_more;
} eti_references;

/* Adds one. The object may be const: nothing changes for its readers. */
static inline void eti__references_add(const eti_references *references) {
    atomic_fetch_add(&((eti_references *)references)->n_more, 1);
}

/* True when this was the last: the object is to be freed. */
static inline bool eti__references_drop(eti_references *references) {
    return atomic_fetch_sub(&references->n_more, 1) == 0;
}

/* An object that another one holds a reference to. */
typedef struct eti_kept {
    void *object;
    void (*drop)(void *object); /* NULL: there is none */
} eti_kept;

static inline void eti__kept_drop(const eti_kept *kept) {
    if (kept->drop)
        kept->drop(kept->object);
}

#endif
