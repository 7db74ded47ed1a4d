#include "base/text_table.h"

#include "base/array.h"
#include "base/text.h"

#include <stdlib.h>

static uint32_t find(const eti_text_table *table, eti_text text, uint64_t hash) {
    eti_index_cursor cursor = eti_index_start(&table->index, hash);
    for (uint32_t i; (i = eti_index_next(&table->index, &cursor)) != ETI_INDEX_END;) {
        if (eti_text_equal(table->texts[i], text))
            return i;
    }
    return ETI_INDEX_END;
}

bool eti_text_table_add(eti_text_table *table, eti_text text, eti_arena *owner, uint32_t *number) {
    if (table->count == 0)
        table->seed = eti_hash_seed();
    uint64_t hash = eti_text_hash(text, table->seed);
    *number = find(table, text, hash);
    if (*number != ETI_INDEX_END)
        return true;

    if (table->count >= ETI_INDEX_END - 1 ||
        !ETI_GROW(table->texts, table->capacity, table->count + 1) ||
        (owner && !eti_arena_copy_text(owner, text, &text)) ||
        !eti_index_add(&table->index, hash, (uint32_t)table->count))
        return false;
    *number = (uint32_t)table->count;
    table->texts[table->count++] = text;
    return true;
}

bool eti_text_table_find(const eti_text_table *table, eti_text text, uint32_t *number) {
    *number = find(table, text, eti_text_hash(text, table->seed));
    return *number != ETI_INDEX_END;
}

void eti_text_table_free(eti_text_table *table) {
    eti_index_free(&table->index);
    free(table->texts);
    *table = (eti_text_table){0};
}
