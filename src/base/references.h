/*
 * references.h - counts the references to an object: its owner's, and those of objects that borrow from it and may outlive
 * the owner.
 *
 * A count starts as all zeros, which means one reference, the owner's.
 */
#ifndef ETI_BASE_REFERENCES_H
#define ETI_BASE_REFERENCES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct eti_references {
    atomic_size_t n_more;
} eti_references;

/* Adds a reference. The object may be const: the count is invisible to its readers. */
static inline void eti__references_add(const eti_references *references) {
    atomic_fetch_add(&((eti_references *)references)->n_more, 1);
}

/* Drops a reference. Returns true if it was the last: the caller then frees the object. */
static inline bool eti__references_drop(eti_references *references) {
    return atomic_fetch_sub(&references->n_more, 1) == 0;
}

/* An object to which another one holds a reference. */
typedef struct eti_kept {
    void *object;
    void (*drop)(void *object); /* NULL: no object */
} eti_kept;

static inline void eti__kept_drop(const eti_kept *kept) {
    if (kept->drop)
        kept->drop(kept->object);
}

#endif
