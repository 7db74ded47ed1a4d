#include "base/arena.h"

#include "base/array.h"

#include <stdalign.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST_ALIGNMENT sizeof(uint64_t)
#define FIRST_CHUNK_BYTES ((size_t)16 << 10)
#define LARGEST_CHUNK_BYTES ((size_t)1 << 20)

struct eti_arena_chunk {
    eti_arena_chunk *older;
    size_t capacity;
    size_t used;
    alignas(LARGEST_ALIGNMENT) unsigned char bytes[];
};

static eti_arena_chunk *add_chunk(eti_arena *arena, size_t capacity) {
    if (capacity > SIZE_MAX - sizeof(eti_arena_chunk))
        return NULL;
    eti_arena_chunk *chunk = eti__realloc(NULL, sizeof *chunk + capacity);
    if (!chunk)
        return NULL;
    chunk->older = arena->newest;
    chunk->capacity = capacity;
    chunk->used = 0;
    arena->newest = chunk;
    return chunk;
}

#ifdef ETI_ARENA_DEBUG

static void *take(eti_arena *arena, size_t bytes, size_t alignment) {
    (void)alignment;
    eti_arena_chunk *chunk = add_chunk(arena, bytes);
    return chunk ? chunk->bytes : NULL;
}

#else

/* Gives a request larger than a chunk a chunk of its own, behind the newest one, which stays in use. */
static void *take_own_chunk(eti_arena *arena, size_t bytes) {
    eti_arena_chunk *current = arena->newest;
    eti_arena_chunk *chunk = add_chunk(arena, bytes);
    if (!chunk)
        return NULL;
    chunk->used = bytes;
    if (current) {
        chunk->older = current->older;
        current->older = chunk;
        arena->newest = current;
    }
    return chunk->bytes;
}

static void *take(eti_arena *arena, size_t bytes, size_t alignment) {
    eti_arena_chunk *chunk = arena->newest;
    size_t at = chunk ? (chunk->used + alignment - 1) & ~(alignment - 1) : 0;
    if (!chunk || at > chunk->capacity || bytes > chunk->capacity - at) {
        size_t capacity = chunk ? chunk->capacity * 2 : FIRST_CHUNK_BYTES;
        if (capacity < FIRST_CHUNK_BYTES)
            capacity = FIRST_CHUNK_BYTES;
        if (capacity > LARGEST_CHUNK_BYTES)
            capacity = LARGEST_CHUNK_BYTES;
        if (bytes > capacity / 4)
            return take_own_chunk(arena, bytes);
        chunk = add_chunk(arena, capacity);
        if (!chunk)
            return NULL;
        at = 0;
    }
    chunk->used = at + bytes;
    return chunk->bytes + at;
}

#endif

/* Returns an alignment that fits any type of this size: the size of a type is a multiple of its alignment, so text, which
 * has none, is not rounded up. */
static size_t alignment_of(size_t size) {
    size_t alignment = size & (~size + 1);
    return alignment == 0 || alignment > LARGEST_ALIGNMENT ? LARGEST_ALIGNMENT : alignment;
}

void *eti__arena_alloc(eti_arena *arena, size_t count, size_t size) {
    size_t bytes;
    /* An overflow check by division would take longer than everything else here. */
    if (__builtin_mul_overflow(count, size, &bytes))
        return NULL;
    return take(arena, bytes == 0 ? 1 : bytes, alignment_of(size));
}

void *eti__arena_alloc_zero(eti_arena *arena, size_t count, size_t size) {
    void *result = eti__arena_alloc(arena, count, size);
    if (result)
        memset(result, 0, count * size);
    return result;
}

bool eti__arena_copy_text(eti_arena *arena, eti_text text, eti_text *out) {
    *out = (eti_text){NULL, 0};
    if (!text.data)
        return true;
    char *copy = eti__arena_alloc(arena, text.size, 1);
    if (!copy)
        return false;
    if (text.size > 0)
        memcpy(copy, text.data, text.size);
    *out = (eti_text){copy, text.size};
    return true;
}

bool eti__arena_own_text(eti_arena *arena, eti_text text, eti_text *out) {
    if (!text.data || eti__text_valid_utf8(text) == text.size)
        return eti__arena_copy_text(arena, text, out);
    eti_buffer repaired = {0};
    eti__buffer_add_utf8(&repaired, text);
    bool fits = !repaired.failed && eti__arena_copy_text(arena, eti__buffer_text(&repaired), out);
    eti__buffer_free(&repaired);
    return fits;
}

char *eti__arena_string_of(eti_arena *arena, eti_text text) {
    char *copy = eti__arena_alloc(arena, text.size + 1, 1);
    if (!copy)
        return NULL;
    if (text.size > 0)
        memcpy(copy, text.data, text.size);
    copy[text.size] = '\0';
    return copy;
}

bool eti__arena_copy_string(eti_arena *arena, const char **string) {
    if (!*string)
        return true;
    eti_text copy;
    if (!eti__arena_copy_text(arena, (eti_text){*string, strlen(*string) + 1}, &copy))
        return false;
    *string = copy.data;
    return true;
}

static void free_chunks(eti_arena_chunk *chunk) {
    while (chunk) {
        eti_arena_chunk *older = chunk->older;
        free(chunk);
        chunk = older;
    }
}

void eti__arena_reset(eti_arena *arena) {
#ifdef ETI_ARENA_DEBUG
    eti__arena_free(arena);
#else
    eti_arena_chunk *kept = arena->newest;
    if (!kept)
        return;
    free_chunks(kept->older);
    kept->older = NULL;
    kept->used = 0;
    if (kept->capacity > LARGEST_CHUNK_BYTES)
        eti__arena_free(arena);
#endif
}

void eti__arena_join(eti_arena *arena, eti_arena *from) {
    eti_arena_chunk **place = arena->newest ? &arena->newest->older : &arena->newest;
    eti_arena_chunk *oldest = from->newest;
    if (!oldest)
        return;
    while (oldest->older)
        oldest = oldest->older;
    oldest->older = *place;
    *place = from->newest;
    from->newest = NULL;
}

void eti__arena_free(eti_arena *arena) {
    free_chunks(arena->newest);
    arena->newest = NULL;
}
