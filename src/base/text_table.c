#include "base/text_table.h"

#include <stdlib.h>

bool eti__text_table_add(eti_text_table *table, eti_text text, eti_arena *owner, uint32_t *number) {
    return eti__intern_add_text(&table->table, text, owner, number);
}

bool eti__text_table_find(const eti_text_table *table, eti_text text, uint32_t *number) {
    return eti__intern_find(&table->table, &eti__text_kind, &text, number);
}

void eti__text_table_free(eti_text_table *table) {
    eti__intern_free(&table->table);
}

bool eti__number_equal_texts(const eti_text *texts, size_t n, uint32_t *numbers,
                             uint32_t *n_equal) {
    eti_text_table known = {0};
    uint32_t *counts = calloc(n + 1, sizeof *counts), number;
    bool done = counts != NULL;
    for (size_t i = 0; i < n && done; i++) {
        done = eti__text_table_add(&known, texts[i], NULL, &number);
        if (!done)
            break;
        numbers[i] = ++counts[number];
        if (n_equal)
            n_equal[i] = number;
    }
    for (size_t i = 0; i < n && done && n_equal; i++)
        n_equal[i] = counts[n_equal[i]];
    free(counts);
    eti__text_table_free(&known);
    return done;
}
