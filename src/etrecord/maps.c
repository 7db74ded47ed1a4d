#include "etrecord/maps.h"

#include <stdlib.h>
#include <string.h>

/* ==== id table ================================================================================ */

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

/* ==== record maps ============================================================================= */

/* A method takes some hundreds of bytes however short its name is, and a key about a hundred. Current programs have about
 * ten thousand instructions. */
#define MOST_METHODS 10000
#define MOST_KEYS ((size_t)1 << 21)
#define MOST_LISTED_HANDLES ((size_t)1 << 22)
/* Searching names for identifiers takes up to 50 times their size. */
#define MOST_IDENTIFIER_BYTES ((size_t)8 << 20)

typedef struct reader {
    eti_json *json;
    eti_record_maps *maps; /* for the limits */
    eti_arena *arena;
    int64_t *handles; /* of the current list */
    size_t handles_capacity;
    eti_delegate_entry *entries; /* of the current delegate call */
    size_t entries_capacity;
} reader;

/* Reads the next value into `value`, which is all zeros. */
typedef void (*read_value)(reader *in, void *value);

/* Describes a map of a method and its values. */
typedef struct map_kind {
    size_t offset; /* in eti_method_maps */
    size_t value_size;
    read_value read;
} map_kind;

void eti__record_maps_init(eti_record_maps *maps, eti_arena *arena) {
    *maps = (eti_record_maps){.arena = arena};
}

static void free_map(eti_instruction_map *map) {
    eti__id_table_free(&map->ids);
    eti__text_table_free(&map->others);
    free(map->values);
    *map = (eti_instruction_map){0};
}

void eti__record_maps_free(eti_record_maps *maps) {
    for (size_t i = 0; i < maps->methods.count; i++) {
        free_map(&maps->by_method[i].handles);
        free_map(&maps->by_method[i].delegates);
        free_map(&maps->by_method[i].num_outputs);
    }
    eti__text_table_free(&maps->methods);
    free(maps->by_method);
    maps->by_method = NULL;
}

bool eti__record_maps_add_method(eti_record_maps *maps, eti_text method, uint32_t *number) {
    size_t old_count = maps->methods.count;
    if (!ETI_GROW(maps->by_method, maps->capacity, old_count + 1))
        return false;
    memset(&maps->by_method[old_count], 0, sizeof *maps->by_method);
    return eti__text_table_add(&maps->methods, method, maps->arena, number);
}

/* ---- limits ---------------------------------------------------------------------------------- */

/* Takes the next key; a repeated key counts, too, because it costs as much. */
static bool next_key(reader *in, eti_text *key) {
    if (!eti__json_next_key(in->json, key))
        return false;
    if (in->maps->n_keys++ < MOST_KEYS)
        return true;
    eti__json_fail(in->json, ETI_ERROR_LIMIT, "more than %zu keys in the maps of the record",
                   MOST_KEYS);
    return false;
}

static bool next_handle(reader *in) {
    if (!eti__json_next_element(in->json))
        return false;
    if (in->maps->n_listed_handles++ < MOST_LISTED_HANDLES)
        return true;
    eti__json_fail(in->json, ETI_ERROR_LIMIT, "more than %zu debug handles in lists",
                   MOST_LISTED_HANDLES);
    return false;
}

static bool next_identifier(reader *in, eti_text *identifier) {
    if (!next_key(in, identifier))
        return false;
    in->maps->identifier_bytes += identifier->size;
    if (in->maps->identifier_bytes <= MOST_IDENTIFIER_BYTES)
        return true;
    eti__json_fail(in->json, ETI_ERROR_LIMIT, "more than %zu bytes of delegates' identifiers",
                   MOST_IDENTIFIER_BYTES);
    return false;
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Copies an array from the heap to the arena. */
static void *copy_array(reader *in, const void *items, size_t n, size_t size) {
    void *copy = eti__arena_alloc(in->arena, n, size);
    if (!copy)
        eti__json_fail_memory(in->json);
    else if (n > 0)
        memcpy(copy, items, n * size);
    return copy;
}

static void read_handle_list(reader *in, eti_debug_handles *out) {
    size_t n = 0;
    (void)eti__json_enter_array(in->json);
    while (next_handle(in)) {
        if (!ETI_GROW(in->handles, in->handles_capacity, n + 1))
            eti__json_fail_memory(in->json);
        else if (eti__json_read_int64(in->json, &in->handles[n]))
            n++;
    }
    const int64_t *handles = copy_array(in, in->handles, n, sizeof *handles);
    *out = (eti_debug_handles){ETI_HANDLES_LIST, handles, n};
}

static void read_one_handle(reader *in, eti_debug_handles *out) {
    int64_t *handle = eti__arena_alloc(in->arena, 1, sizeof *handle);
    if (!handle)
        eti__json_fail_memory(in->json);
    else if (eti__json_read_int64(in->json, handle))
        *out = (eti_debug_handles){ETI_HANDLES_INT, handle, 1};
}

/* Reads 7, [7, 8] or null. */
static void read_handles(reader *in, void *value) {
    eti_debug_handles *out = value;
    if (eti__json_peek(in->json) == ETI_JSON_ARRAY)
        read_handle_list(in, out);
    else if (!eti__json_take_null(in->json))
        read_one_handle(in, out);
}

static void read_int64(reader *in, void *value) {
    (void)eti__json_read_int64(in->json, value);
}

static void read_entries(reader *in, eti_text_table *keys) {
    eti_text key;
    uint32_t i;
    (void)eti__json_enter_object(in->json);
    while (next_identifier(in, &key)) {
        if (!ETI_GROW(in->entries, in->entries_capacity, keys->count + 1) ||
            !eti__text_table_add(keys, key, in->arena, &i)) {
            eti__json_fail_memory(in->json);
            return;
        }
        in->entries[i] = (eti_delegate_entry){.identifier = keys->texts[i]};
        read_handles(in, &in->entries[i].handles);
    }
}

static void read_delegate_map(reader *in, eti_delegate_call *out) {
    out->entries = NULL;
    out->n_entries = 0;
    if (eti__json_take_null(in->json))
        return;
    eti_text_table keys = {0};
    read_entries(in, &keys);
    out->entries = copy_array(in, in->entries, keys.count, sizeof *in->entries);
    out->n_entries = keys.count;
    eti__text_table_free(&keys);
}

static void read_backend_name(reader *in, eti_delegate_call *out) {
    eti_text name;
    if (!eti__json_take_null(in->json) && eti__json_read_string(in->json, &name) &&
        !eti__arena_copy_text(in->arena, name, &out->backend_name))
        eti__json_fail_memory(in->json);
}

/* Reads a delegate. A null is equivalent to no entry: the backend's name stays absent. */
static void read_delegate(reader *in, void *value) {
    eti_delegate_call *out = value;
    *out = (eti_delegate_call){0};
    if (eti__json_take_null(in->json))
        return;
    out->backend_name = (eti_text){"", 0};
    eti_text key;
    (void)eti__json_enter_object(in->json);
    while (next_key(in, &key)) {
        if (eti__text_is(key, "name"))
            read_backend_name(in, out);
        else if (eti__text_is(key, "delegate_map"))
            read_delegate_map(in, out);
        else
            eti__json_skip(in->json);
    }
}

/* ---- maps ------------------------------------------------------------------------------------ */

/* Adds an all-zero value of the kind's size, which the type of the array does not show. */
/* NOLINTBEGIN(clang-analyzer-unix.Malloc): the map owns the array that was grown */
static void *add_value(eti_instruction_map *map, const map_kind *kind, uint32_t i) {
    if (i >= map->capacity) {
        void *grown = eti__array_grow(map->values, &map->capacity, (size_t)i + 1, kind->value_size);
        if (!grown)
            return NULL;
        map->values = grown;
    }
    unsigned char *value = (unsigned char *)map->values + i * kind->value_size;
    return memset(value, 0, kind->value_size);
}
/* NOLINTEND(clang-analyzer-unix.Malloc) */

/* Returns where the value of `key` is stored: in the map, or in `ignored` if no event can have the key. NULL: out of
 * memory. */
static void *place_value(reader *in, eti_instruction_map *map, const map_kind *kind, eti_text key,
                         void *ignored) {
    int32_t id;
    uint32_t number;
    if (eti__id_parse(key, &id))
        return eti__id_table_add(&map->ids, id, &number) ? add_value(map, kind, number) : NULL;
    return eti__text_table_add(&map->others, key, in->arena, &number)
               ? memset(ignored, 0, kind->value_size)
               : NULL;
}

static void read_instructions(reader *in, eti_instruction_map *map, const map_kind *kind) {
    union {
        eti_debug_handles handles;
        eti_delegate_call call;
        int64_t n_outputs;
    } ignored;
    eti_text key;
    (void)eti__json_enter_object(in->json);
    while (next_key(in, &key)) {
        void *value = place_value(in, map, kind, key, &ignored);
        if (!value) {
            eti__json_fail_memory(in->json);
            return;
        }
        kind->read(in, value);
    }
}

/* Reads a method; if it is repeated, the last one replaces the others. */
static void read_method(reader *in, eti_method_maps *maps, const map_kind *kind) {
    eti_instruction_map *map =
        (eti_instruction_map *)(void *)((unsigned char *)maps + kind->offset);
    free_map(map);
    if (eti__json_take_null(in->json))
        return;
    map->present = true;
    read_instructions(in, map, kind);
}

static void read_methods(reader *in, eti_record_maps *maps, const map_kind *kind) {
    eti_text method;
    uint32_t number;
    if (eti__json_take_null(in->json))
        return;
    (void)eti__json_enter_object(in->json);
    while (next_key(in, &method)) {
        if (!eti__record_maps_add_method(maps, method, &number)) {
            eti__json_fail_memory(in->json);
            return;
        }
        if (number >= MOST_METHODS) {
            eti__json_fail(in->json, ETI_ERROR_LIMIT, "more than %d methods", MOST_METHODS);
            return;
        }
        read_method(in, &maps->by_method[number], kind);
    }
}

static void read_map(eti_record_maps *maps, eti_json *json, const map_kind *kind) {
    reader in = {.json = json, .maps = maps, .arena = maps->arena};
    read_methods(&in, maps, kind);
    free(in.handles);
    free(in.entries);
}

static const map_kind handles_kind = {offsetof(eti_method_maps, handles), sizeof(eti_debug_handles),
                                      read_handles};
static const map_kind delegates_kind = {offsetof(eti_method_maps, delegates),
                                        sizeof(eti_delegate_call), read_delegate};
static const map_kind num_outputs_kind = {offsetof(eti_method_maps, num_outputs), sizeof(int64_t),
                                          read_int64};

void eti__record_maps_read_handles(eti_record_maps *maps, eti_json *json) {
    read_map(maps, json, &handles_kind);
}

void eti__record_maps_read_delegates(eti_record_maps *maps, eti_json *json) {
    read_map(maps, json, &delegates_kind);
}

void eti__record_maps_read_num_outputs(eti_record_maps *maps, eti_json *json) {
    read_map(maps, json, &num_outputs_kind);
}

/* ---- lookups --------------------------------------------------------------------------------- */

size_t eti__instruction_map_count(const eti_instruction_map *map) {
    return map->ids.count + map->others.count;
}

eti_debug_handles eti__method_maps_instruction(const eti_method_maps *maps, size_t i,
                                               const eti_delegate_call **delegate) {
    const eti_debug_handles *handles = maps->handles.values;
    const eti_delegate_call *calls = maps->delegates.values;
    uint32_t at;
    *delegate = NULL;
    if (i >= maps->handles.ids.count)
        return (eti_debug_handles){ETI_HANDLES_NONE, NULL, 0};
    if (eti__id_table_find(&maps->delegates.ids, maps->handles.ids.ids[i], &at) &&
        calls[at].backend_name.data)
        *delegate = &calls[at];
    return handles[i];
}

bool eti__method_maps_instruction_id(const eti_method_maps *maps, size_t i, int32_t *id) {
    bool is_id = i < maps->handles.ids.count;
    *id = is_id ? maps->handles.ids.ids[i] : -1;
    return is_id;
}

const eti_debug_handles *eti__method_maps_find_handles(const eti_method_maps *maps, int32_t id) {
    const eti_debug_handles *values = maps->handles.values;
    uint32_t i;
    return eti__id_table_find(&maps->handles.ids, id, &i) ? &values[i] : NULL;
}

const eti_delegate_call *eti__method_maps_find_delegate(const eti_method_maps *maps, int32_t id) {
    const eti_delegate_call *values = maps->delegates.values;
    uint32_t i;
    return eti__id_table_find(&maps->delegates.ids, id, &i) && values[i].backend_name.data
               ? &values[i]
               : NULL;
}

const int64_t *eti__method_maps_find_num_outputs(const eti_method_maps *maps, int32_t id) {
    const int64_t *values = maps->num_outputs.values;
    uint32_t i;
    return eti__id_table_find(&maps->num_outputs.ids, id, &i) ? &values[i] : NULL;
}
