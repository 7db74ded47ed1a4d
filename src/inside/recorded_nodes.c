#include "inside/inside.h"

#include "backends/backends.h"
#include "base/array.h"

#include <inttypes.h>
#include <stdlib.h>

/* Limit on the keys that are compared with parts of identifiers. */
#define MOST_WORK ((size_t)1 << 22)

/* ---- maps ------------------------------------------------------------------------------------ */

static uint64_t hash_key(const void *key, uint64_t seed) {
    const eti_recorded_key *of = key;
    return eti__text_hash(of->key, eti__hash_mix(seed, (uintptr_t)of->map));
}

static bool keys_equal(const void *key, const void *other) {
    const eti_recorded_key *a = key, *b = other;
    return a->map == b->map && eti__text_equal(a->key, b->key);
}

static const eti_intern_kind key_kind = {
    .item_size = sizeof(eti_recorded_key), .hash = hash_key, .is_equal = keys_equal};

/* Sets `*out` to whether the record lists all handles of a map for its instruction. Returns false if memory runs out. */
static bool is_listed(eti_recorded_nodes *recorded, const eti_debug_handles *listed,
                      const eti_delegate_call *map, bool *out) {
    if (!ETI_GROW(recorded->handles, recorded->handle_capacity, listed->n + 1))
        return false;
    for (size_t i = 0; i < listed->n; i++)
        recorded->handles[i] = listed->handles[i];
    qsort(recorded->handles, listed->n, sizeof *recorded->handles, eti__compare_handles);
    *out = true;
    for (size_t i = 0; i < map->n_entries && *out; i++) {
        const eti_debug_handles *handles = &map->entries[i].handles;
        for (size_t k = 0; k < handles->n && *out; k++)
            *out = bsearch(&handles->handles[k], recorded->handles, listed->n,
                           sizeof *recorded->handles, eti__compare_handles) != NULL;
    }
    return true;
}

static bool add_keys(eti_recorded_nodes *recorded, const eti_delegate_call *map) {
    for (size_t i = 0; i < map->n_entries; i++) {
        const eti_delegate_entry *entry = &map->entries[i];
        uint32_t number;
        if (!eti__intern_add(&recorded->keys.table, &key_kind,
                             &(eti_recorded_key){entry->identifier, map, entry}, &number))
            return false;
    }
    return true;
}

bool eti__recorded_map_find(eti_recorded_nodes *recorded, const eti_etrecord *record, size_t method,
                            int32_t instruction, const eti_delegate_call **out) {
    static const eti_intern_kind kind = {.item_size = sizeof(eti_recorded_map),
                                         .key_size = sizeof(eti_delegate_call *)};
    const eti_delegate_call *map = record && method != ETI_NO_METHOD
                                       ? eti__etrecord_find_delegate(record, method, instruction)
                                       : NULL;
    size_t n_known = recorded->maps.count;
    eti_debug_handles listed;
    uint32_t number;
    *out = NULL;
    if (!map || map->n_entries == 0)
        return true;
    if (!eti__intern_add(&recorded->maps.table, &kind, &(eti_recorded_map){map, instruction, true},
                         &number))
        return false;
    eti_recorded_map *found = &recorded->maps.items[number];
    if (number == n_known) {
        eti__etrecord_find_handles(record, method, instruction, &listed);
        if (!is_listed(recorded, &listed, map, &found->is_used) ||
            (found->is_used && !add_keys(recorded, map)))
            return false;
    }
    *out = found->is_used && !eti__is_vulkan(map->backend_name) ? map : NULL;
    return true;
}

/* ---- entries --------------------------------------------------------------------------------- */

static bool is_number(eti_text key) {
    for (size_t i = 0; i < key.size; i++) {
        if (key.data[i] < '0' || key.data[i] > '9')
            return false;
    }
    return true;
}

/* Returns the entry with the only key that is part of an identifier; NULL if no key is, or several are. */
static const eti_delegate_entry *find_part(eti_recorded_nodes *recorded,
                                           const eti_delegate_call *map, eti_text identifier) {
    const eti_delegate_entry *found = NULL;
    if (map->n_entries > MOST_WORK - recorded->work)
        return NULL;
    recorded->work += map->n_entries;
    for (size_t i = 0; i < map->n_entries; i++) {
        eti_text key = map->entries[i].identifier;
        if (is_number(key) || !eti__text_contains(identifier, key))
            continue;
        if (found)
            return NULL;
        found = &map->entries[i];
    }
    return found;
}

const eti_delegate_entry *eti__recorded_entry_find(eti_recorded_nodes *recorded,
                                                   const eti_delegate_call *map,
                                                   const eti_event *event,
                                                   eti_attribution *attribution) {
    const eti_recorded_key wanted = {.key = event->name, .map = map};
    const eti_delegate_entry *entry;
    uint32_t number;
    *attribution = ETI_ATTRIBUTION_RECORDED;
    if (eti__intern_find(&recorded->keys.table, &key_kind, &wanted, &number)) {
        entry = recorded->keys.items[number].entry;
    } else {
        *attribution = ETI_ATTRIBUTION_INFERRED;
        entry = event->delegate_id_kind == ETI_DELEGATE_ID_STRING
                    ? find_part(recorded, map, event->name)
                    : NULL;
    }
    return entry && entry->handles.n > 0 ? entry : NULL;
}

/* ---- note ------------------------------------------------------------------------------------ */

eti_status eti__recorded_nodes_note(const eti_recorded_nodes *recorded, eti_inspector *inspector,
                                    eti_error *err) {
    const eti_recorded_map *first = NULL;
    eti_buffer text = {0};
    size_t n = 0;
    for (size_t i = 0; i < recorded->maps.count; i++) {
        const eti_recorded_map *map = &recorded->maps.items[i];
        first = first || map->is_used ? first : map;
        n += !map->is_used;
    }
    if (!first)
        return ETI_OK;
    if (n == 1)
        eti__buffer_printf(&text, "the delegate_map of instruction %" PRId32, first->instruction);
    else
        eti__buffer_printf(&text, "the delegate_map of %zu instructions", n);
    eti__buffer_printf(&text, " (%.*s) holds other numbers than debug handles: not used",
                       ETI_TEXT_ARGS(first->map->backend_name));
    return eti__notes_add(inspector, ETI_NOTE_INFO, &text, err);
}

void eti__recorded_nodes_free(eti_recorded_nodes *recorded) {
    eti__intern_free(&recorded->maps.table);
    eti__intern_free(&recorded->keys.table);
    free(recorded->handles);
    *recorded = (eti_recorded_nodes){0};
}
