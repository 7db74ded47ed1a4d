/*
 * arena.h - memory that is allocated piece by piece and freed all at once.
 *
 * A single piece cannot be freed. With ETI_ARENA_DEBUG each piece has its own malloc(), so that
 * sanitizers and valgrind see overruns and reads of memory that was never written.
 */
#ifndef ETI_BASE_ARENA_H
#define ETI_BASE_ARENA_H

#include "etinspect.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* ==== arena =================================================================================== */

typedef struct eti_arena_chunk eti_arena_chunk;

/* Starts as all zeros. */
typedef struct eti_arena {
    eti_arena_chunk *newest;
} eti_arena;

/* Allocates `count` objects of `size` bytes, not initialised, aligned for any type of that size that needs an alignment
 * of at most 8 bytes (long double needs more). Returns NULL if memory runs out or the product overflows; for a zero
 * product, a pointer that must not be read. */
void *eti__arena_alloc(eti_arena *arena, size_t count, size_t size);

/* Does the same, and sets all bytes to zero. */
void *eti__arena_alloc_zero(eti_arena *arena, size_t count, size_t size);

/* Copies `text` into the arena; absent text stays absent. False: out of memory. */
bool eti__arena_copy_text(eti_arena *arena, eti_text text, eti_text *out);

/* Copies a text that enters the model in the same way, and makes it UTF-8, as eti__buffer_add_utf8() does. */
bool eti__arena_own_text(eti_arena *arena, eti_text text, eti_text *out);

/* Copies a text as a C string, which ends at the first NUL. Returns NULL if memory runs out. */
char *eti__arena_string_of(eti_arena *arena, eti_text text);
/* Replaces the C string `*string` by a copy in the arena; NULL stays NULL. False: out of memory. */
bool eti__arena_copy_string(eti_arena *arena, const char **string);

/* Frees all pieces, but keeps some memory for the next ones. */
void eti__arena_reset(eti_arena *arena);

/* Moves all pieces of `from` to `arena`; `from` is empty afterwards. */
void eti__arena_join(eti_arena *arena, eti_arena *from);

/* Frees everything; the arena is empty afterwards. */
void eti__arena_free(eti_arena *arena);

/* ==== references ============================================================================== */
/* Counts the references to an object: its owner's, and those of objects that borrow from it and
 * may outlive the owner.
 *
 * A count starts as all zeros, which means one reference, the owner's. */

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
