/*
 * shared_texts.h - numbers the distinct texts, which may be long, of objects that share them: the bytes at an address are
 * read only once.
 */
#ifndef ETI_BASE_SHARED_TEXTS_H
#define ETI_BASE_SHARED_TEXTS_H

#include "base/arena.h"
#include "base/pointer_table.h"
#include "base/text_table.h"

/* Does what eti__intern_add() does, for items that begin with a text. The bytes at one address always stand for the same
 * text; they are read only if `places` does not contain the address. */
static inline bool eti__intern_add_shared(eti_intern *table, const eti_intern_kind *kind,
                                          eti_pointer_table *places, const void *item,
                                          uint32_t *number) {
    eti_text text = *(const eti_text *)item;
    if (text.size == 0)
        return eti__intern_add(table, kind, item, number);
    uint32_t *known = eti__pointer_table_at(places, text.data);
    if (!known || (*known == ETI_INDEX_END && !eti__intern_add(table, kind, item, known)))
        return false;
    *number = *known;
    return true;
}

/* Starts as all zeros. Texts are borrowed. */
typedef struct eti_shared_texts {
    eti_text_table texts;
    eti_pointer_table places;
} eti_shared_texts;

/* Stores the number of `text`. False: out of memory. */
static inline bool eti__shared_texts_add(eti_shared_texts *shared, eti_text text,
                                         uint32_t *number) {
    return eti__intern_add_shared(&shared->texts.table, &eti__text_kind, &shared->places, &text,
                                  number);
}

/* Copies the distinct texts, in the order in which they were added, to the arena. NULL: out of memory. */
static inline eti_text *eti__shared_texts_copy(const eti_shared_texts *shared, eti_arena *arena) {
    size_t n = shared->texts.count;
    eti_text *copy = eti__arena_alloc(arena, n + 1, sizeof *copy);
    for (size_t i = 0; copy && i < n; i++)
        copy[i] = shared->texts.texts[i];
    return copy;
}

static inline void eti__shared_texts_free(eti_shared_texts *shared) {
    eti__text_table_free(&shared->texts);
    eti__pointer_table_free(&shared->places);
}

#endif
