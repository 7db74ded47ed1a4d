#include "etrecord/id_table.h"

#include <stdlib.h>

#define MOST_DIGITS 10

bool eti__id_parse(eti_text text, int32_t *id) {
    bool is_negative = text.size > 0 && text.data[0] == '-';
    size_t first = is_negative;
    size_t n_digits = text.size - first;
    if (n_digits == 0 || n_digits > MOST_DIGITS)
        return false;
    if (text.data[first] == '0' && text.size > 1) /* also rejects "-0" */
        return false;
    int64_t magnitude = 0;
    for (size_t i = first; i < text.size; i++) {
        if (text.data[i] < '0' || text.data[i] > '9')
            return false;
        magnitude = magnitude * 10 + (text.data[i] - '0');
    }
    int64_t value = is_negative ? -magnitude : magnitude;
    *id = (int32_t)value;
    return value >= INT32_MIN && value <= INT32_MAX;
}

/* ---- in order -------------------------------------------------------------------------------- */

/* Finds an id; ids mostly count up by 1, and otherwise a binary search finds them. */
static bool find_in_order(const eti_id_table *table, int32_t id, uint32_t *number) {
    if (table->count == 0)
        return false;
    size_t low = 0, high = table->count;
    int64_t guess = (int64_t)id - table->ids[0];
    if (guess >= 0 && (uint64_t)guess < high && table->ids[guess] == id)
        low = (size_t)guess;
    else
        while (high - low > 1) {
            size_t middle = low + (high - low) / 2;
            if (table->ids[middle] <= id)
                low = middle;
            else
                high = middle;
        }
    *number = (uint32_t)low;
    return table->ids[low] == id;
}

/* ---- by hash --------------------------------------------------------------------------------- */

static uint64_t hash_id(const eti_id_table *table, int32_t id) {
    return eti__hash_mix(table->seed, (uint32_t)id);
}

static bool add_to_index(eti_id_table *table, uint32_t number) {
    return eti__index_add(&table->index, hash_id(table, table->ids[number]), number);
}

static bool make_index(eti_id_table *table) {
    table->seed = eti__hash_seed();
    if (!eti__index_reset(&table->index, table->count))
        return false;
    for (size_t i = 0; i < table->count; i++) {
        if (!add_to_index(table, (uint32_t)i))
            return false;
    }
    return true;
}

typedef struct wanted_id {
    const int32_t *ids;
    int32_t id;
} wanted_id;

static bool is_wanted(const void *wanted, uint32_t number) {
    const wanted_id *w = wanted;
    return w->ids[number] == w->id;
}

static bool find_by_hash(const eti_id_table *table, int32_t id, uint32_t *number) {
    wanted_id wanted = {table->ids, id};
    *number = eti__index_find(&table->index, hash_id(table, id), is_wanted, &wanted);
    return *number != ETI_INDEX_END;
}

/* ---- ids ------------------------------------------------------------------------------------- */

bool eti__id_table_find(const eti_id_table *table, int32_t id, uint32_t *number) {
    return table->index.n_items > 0 ? find_by_hash(table, id, number)
                                    : find_in_order(table, id, number);
}

bool eti__id_table_add(eti_id_table *table, int32_t id, uint32_t *number) {
    bool has_index = table->index.n_items > 0;
    bool is_above = table->count == 0 || id > table->ids[table->count - 1];
    if ((has_index || !is_above) && eti__id_table_find(table, id, number))
        return true;
    if (table->count >= ETI_INDEX_END - 1 ||
        !ETI_GROW(table->ids, table->capacity, table->count + 1))
        return false;
    *number = (uint32_t)table->count;
    table->ids[table->count++] = id;
    if (has_index)
        return add_to_index(table, *number);
    return is_above || make_index(table);
}

void eti__id_table_free(eti_id_table *table) {
    free(table->ids);
    eti__index_free(&table->index);
    *table = (eti_id_table){0};
}
