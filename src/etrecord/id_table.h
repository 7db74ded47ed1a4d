/*
 * id_table.h - numbers distinct instruction ids 0, 1, 2, … in the order in which they first came.
 *
 * A record lists the instructions of a program in their order, so that an id is found among them without a
 * table of hashes, which is made only when one comes out of order. The arrays are the heap's.
 */
#ifndef ETI_ETRECORD_ID_TABLE_H
#define ETI_ETRECORD_ID_TABLE_H

#include "base/array.h"

/* Starts as all zeros. */
typedef struct eti_id_table {
    int32_t *ids; /* by number */
    size_t count;
    size_t capacity;
    eti_index index; /* of all ids, or empty as long as each is above the one before */
    uint64_t seed;
} eti_id_table;

/* The id that is written so: false for a text that is not str() of a Python int of 32 bits. */
bool eti__id_parse(eti_text text, int32_t *id);

/* The number of `id`, which is added when it is new: `*number` is then the old `count`. False: out of memory. */
bool eti__id_table_add(eti_id_table *table, int32_t id, uint32_t *number);

/* False when `id` was never added. */
bool eti__id_table_find(const eti_id_table *table, int32_t id, uint32_t *number);

void eti__id_table_free(eti_id_table *table);

#endif
