/*
 * arena.h - memory that is allocated piece by piece and freed all at once.
 *
 * Nothing in it can be freed alone. With ETI_ARENA_DEBUG each allocation is one of malloc's own, so
 * that sanitizers and valgrind see overruns and reads of memory that was never written.
 */
#ifndef ETI_BASE_ARENA_H
#define ETI_BASE_ARENA_H

#include "base/status.h"

typedef struct eti_arena_chunk eti_arena_chunk;

/* Starts as all zeros. */
typedef struct eti_arena {
    eti_arena_chunk *newest;
} eti_arena;

/* `count` objects of `size` bytes, not initialised, aligned for any type of that size that needs at
 * most 8 bytes (long double does not). NULL when memory is out
 * or the product overflows; a zero product gives a pointer that must not be read. */
void *eti__arena_alloc(eti_arena *arena, size_t count, size_t size);

/* The same, all bytes zero. */
void *eti__arena_alloc_zero(eti_arena *arena, size_t count, size_t size);

/* A copy of `text` in the arena; absent text stays absent. False when memory is out. */
bool eti__arena_copy_text(eti_arena *arena, eti_text text, eti_text *out);

/* Puts a copy of the C string `*string` in the arena in its place; NULL stays NULL. False when
 * memory is out. */
bool eti__arena_copy_string(eti_arena *arena, const char **string);

/* Gives everything back, but keeps some memory for what comes next. */
void eti__arena_reset(eti_arena *arena);

/* Makes what `from` has a part of `arena`; `from` is as new afterwards. */
void eti__arena_join(eti_arena *arena, eti_arena *from);

/* Frees everything; the arena is as new afterwards. */
void eti__arena_free(eti_arena *arena);

#endif
