#include "base/pointer_table.h"

#include "base/array.h"

#include <stdlib.h>

static uint64_t hash_of(const void *pointer) {
    return eti_hash_mix(0, (uintptr_t)pointer);
}

bool eti_pointer_table_find(const eti_pointer_table *table, const void *pointer, uint32_t *number) {
    eti_index_cursor cursor = eti_index_start(&table->index, hash_of(pointer));
    for (uint32_t i; (i = eti_index_next(&table->index, &cursor)) != ETI_INDEX_END;) {
        if (table->entries[i].pointer == pointer) {
            *number = table->entries[i].number;
            return true;
        }
    }
    return false;
}

bool eti_pointer_table_add(eti_pointer_table *table, const void *pointer, uint32_t number) {
    if (table->n_entries >= ETI_INDEX_END - 1 ||
        !ETI_GROW(table->entries, table->capacity, table->n_entries + 1) ||
        !eti_index_add(&table->index, hash_of(pointer), (uint32_t)table->n_entries))
        return false;
    table->entries[table->n_entries++] = (eti_pointer_entry){pointer, number};
    return true;
}

void eti_pointer_table_free(eti_pointer_table *table) {
    free(table->entries);
    eti_index_free(&table->index);
    *table = (eti_pointer_table){0};
}
