/*
 * text_table.h - numbers distinct texts 0, 1, 2, … in the order in which they first came.
 *
 * The caller keeps the data of a text, in an array with the same numbers. The texts
 * themselves are copied into an arena, or borrowed, as the caller says; the table is the heap's and
 * is freed by its owner.
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

/* The number of `text`, which is added when it is new: `*number` is then the old `count`. With
 * `owner` a new text is copied into that arena, otherwise it must outlive the table. False: out of
 * memory; the table is then only to be freed. */
bool eti__text_table_add(eti_text_table *table, eti_text text, eti_arena *owner, uint32_t *number);

/* False when `text` was never added. */
bool eti__text_table_find(const eti_text_table *table, eti_text text, uint32_t *number);

void eti__text_table_free(eti_text_table *table);

#endif
