/*
 * text_table.h - numbers distinct texts 0, 1, 2, … in order of first appearance.
 *
 * The caller keeps the data that belong to a text in an array with the same numbers. The texts
 * themselves are copied into an arena or borrowed, as the caller chooses; the table is on the heap,
 * and its owner frees it.
 */
#ifndef ETI_BASE_TEXT_TABLE_H
#define ETI_BASE_TEXT_TABLE_H

#include "base/arena.h"
#include "base/intern.h"

/* Starts as all zeros. */
typedef union eti_text_table {
    eti_intern table;
    struct {
        eti_text *texts; /* by number */
        size_t count;
    };
} eti_text_table;

/* Stores the number of `text`, which is added if it is new: `*number` is then the old `count`. A
 * new text is copied into the arena `owner`; if that is NULL, the text must outlive the table.
 * False: out of memory; the table may then only be freed. */
bool eti__text_table_add(eti_text_table *table, eti_text text, eti_arena *owner, uint32_t *number);

/* Returns false if `text` was never added. */
bool eti__text_table_find(const eti_text_table *table, eti_text text, uint32_t *number);

/* Numbers equal texts 1, 2, … in their order. `n_equal`, unless it is NULL, gets for each text how many equal it, itself
 * included. False: out of memory. */
bool eti__number_equal_texts(const eti_text *texts, size_t n, uint32_t *numbers, uint32_t *n_equal);

void eti__text_table_free(eti_text_table *table);

#endif
