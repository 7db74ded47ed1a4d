#include "base/text_table.h"

bool eti__text_table_add(eti_text_table *table, eti_text text, eti_arena *owner, uint32_t *number) {
    return eti__intern_add_text(&table->table, text, owner, number);
}

bool eti__text_table_find(const eti_text_table *table, eti_text text, uint32_t *number) {
    return eti__intern_find(&table->table, &eti__text_kind, &text, number);
}

void eti__text_table_free(eti_text_table *table) {
    eti__intern_free(&table->table);
}
