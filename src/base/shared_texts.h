/*
 * shared_texts.h - numbers distinct texts, which may be long, of things that share them: the bytes at one place
 * are looked at once.
 */
#ifndef ETI_BASE_SHARED_TEXTS_H
#define ETI_BASE_SHARED_TEXTS_H

#include "base/pointer_table.h"
#include "base/text_table.h"

/* Starts as all zeros. Texts are borrowed. */
typedef struct eti_shared_texts {
    eti_text_table texts;
    eti_pointer_table places;
} eti_shared_texts;

/* The number of `text`, whose bytes (not NULL) always stand for the same text; false when memory is out. */
static inline bool eti_shared_texts_add(eti_shared_texts *shared, eti_text text, uint32_t *number) {
    if (eti_pointer_table_find(&shared->places, text.data, number))
        return true;
    return eti_text_table_add(&shared->texts, text, NULL, number) &&
           eti_pointer_table_add(&shared->places, text.data, *number);
}

static inline void eti_shared_texts_free(eti_shared_texts *shared) {
    eti_text_table_free(&shared->texts);
    eti_pointer_table_free(&shared->places);
}

#endif
