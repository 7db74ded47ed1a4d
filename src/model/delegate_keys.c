#include "model/delegate_keys.h"

#include "base/text.h"

#include <stdlib.h>

static int compare_sizes(const void *a, const void *b) {
    const size_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Sorted, each length once. */
static void settle_lengths(eti_delegate_keys *keys) {
    size_t n = 0;
    qsort(keys->lengths, keys->n_lengths, sizeof *keys->lengths, compare_sizes);
    for (size_t i = 0; i < keys->n_lengths; i++) {
        if (n == 0 || keys->lengths[n - 1] != keys->lengths[i])
            keys->lengths[n++] = keys->lengths[i];
    }
    keys->n_lengths = n;
}

bool eti_delegate_keys_init(eti_delegate_keys *keys, const eti_delegate_call *call) {
    *keys = (eti_delegate_keys){.call = call, .seed = eti_hash_seed()};
    keys->lengths = malloc((call->n_entries + 1) * sizeof *keys->lengths);
    if (!keys->lengths || !eti_index_reset(&keys->index, call->n_entries)) {
        eti_delegate_keys_free(keys);
        return false;
    }
    for (size_t i = 0; i < call->n_entries; i++) {
        eti_text key = call->entries[i].identifier;
        keys->lengths[keys->n_lengths++] = key.size;
        if (!eti_index_add(&keys->index, eti_text_hash(key, keys->seed), (uint32_t)i)) {
            eti_delegate_keys_free(keys);
            return false;
        }
    }
    settle_lengths(keys);
    return true;
}

void eti_delegate_keys_free(eti_delegate_keys *keys) {
    free(keys->lengths);
    eti_index_free(&keys->index);
    *keys = (eti_delegate_keys){0};
}

/* The entry with this key, or NULL. */
static const eti_delegate_entry *find_entry(const eti_delegate_keys *keys, eti_text key) {
    eti_index_cursor cursor = eti_index_start(&keys->index, eti_text_hash(key, keys->seed));
    for (uint32_t i; (i = eti_index_next(&keys->index, &cursor)) != ETI_INDEX_END;) {
        if (eti_text_equal(keys->call->entries[i].identifier, key))
            return &keys->call->entries[i];
    }
    return NULL;
}

eti_debug_handles eti_delegate_keys_find(const eti_delegate_keys *keys, eti_text identifier,
                                         bool is_string) {
    const eti_delegate_entry *found = is_string ? find_entry(keys, identifier) : NULL;
    if (found && found->handles.kind != ETI_HANDLES_NONE)
        return found->handles;

    found = NULL;
    for (size_t l = 0; l < keys->n_lengths && keys->lengths[l] <= identifier.size; l++) {
        size_t length = keys->lengths[l];
        size_t last = length == 0 ? 0 : identifier.size - length;
        for (size_t at = 0; at <= last; at++) {
            const eti_delegate_entry *entry =
                find_entry(keys, (eti_text){identifier.data + at, length});
            if (entry && (!found || entry > found))
                found = entry;
        }
    }
    return found ? found->handles : (eti_debug_handles){ETI_HANDLES_NONE, NULL, 0};
}
