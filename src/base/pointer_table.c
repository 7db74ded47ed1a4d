#include "base/pointer_table.h"

static const eti_intern_kind entry_kind = {.item_size = sizeof(eti_pointer_entry),
                                           .key_size = sizeof(void *)};

bool eti__pointer_table_find(const eti_pointer_table *table, const void *pointer,
                             uint32_t *number) {
    uint32_t entry;
    if (!eti__intern_find(&table->table, &entry_kind, &pointer, &entry))
        return false;
    *number = table->items[entry].number;
    return true;
}

bool eti__pointer_table_add(eti_pointer_table *table, const void *pointer, uint32_t number) {
    uint32_t entry;
    return eti__intern_add(&table->table, &entry_kind, &(eti_pointer_entry){pointer, number},
                           &entry);
}

uint32_t *eti__pointer_table_at(eti_pointer_table *table, const void *pointer) {
    const eti_pointer_entry wanted = {pointer, ETI_INDEX_END};
    uint32_t entry;
    return eti__intern_add(&table->table, &entry_kind, &wanted, &entry)
               ? &table->items[entry].number
               : NULL;
}

void eti__pointer_table_free(eti_pointer_table *table) {
    eti__intern_free(&table->table);
}
