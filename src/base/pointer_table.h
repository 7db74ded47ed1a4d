/*
 * pointer_table.h - maps pointers to numbers, to store the result computed once for an object that many others share.
 */
#ifndef ETI_BASE_POINTER_TABLE_H
#define ETI_BASE_POINTER_TABLE_H

#include "base/intern.h"

typedef struct eti_pointer_entry {
    const void *pointer;
    uint32_t number;
} eti_pointer_entry;

/* Starts as all zeros. */
typedef ETI_INTERN_OF(eti_pointer_entry) eti_pointer_table;

/* Stores the number of the pointer; returns false if the pointer is not in the table. */
bool eti__pointer_table_find(const eti_pointer_table *table, const void *pointer, uint32_t *number);

/* Adds a pointer that is not in the table yet, with its number. False: out of memory. */
bool eti__pointer_table_add(eti_pointer_table *table, const void *pointer, uint32_t number);

/* Returns where the number of a pointer is stored, valid until the next pointer is added. For a new pointer, the number
 * is ETI_INDEX_END, and the caller sets it. NULL: out of memory. */
uint32_t *eti__pointer_table_at(eti_pointer_table *table, const void *pointer);

void eti__pointer_table_free(eti_pointer_table *table);

#endif
