/*
 * pointer_table.h - remembers a number for each of many pointers: for what is found out once about a thing
 * that many others share.
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

/* False: nothing is remembered. */
bool eti__pointer_table_find(const eti_pointer_table *table, const void *pointer, uint32_t *number);

/* Remembers `number` of a pointer that is not there yet; false when memory is out. */
bool eti__pointer_table_add(eti_pointer_table *table, const void *pointer, uint32_t number);

/* The number of a pointer, for the caller to set when it is new: it is ETI_INDEX_END then. It moves when the next pointer
 * is added. NULL: out of memory. */
uint32_t *eti__pointer_table_at(eti_pointer_table *table, const void *pointer);

void eti__pointer_table_free(eti_pointer_table *table);

#endif
