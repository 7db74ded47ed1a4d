/*
 * record_maps.h - turns the JSON maps of an ETRecord into tables by method and instruction id.
 *
 *     debug_handle_map                {"forward": {"3": 7, "4": [7, 8]}}
 *     delegate_map                    {"forward": {"4": {"name": "XnnpackBackend",
 *                                                        "delegate_map": {"0": [7]}}}}
 *     instruction_id_to_num_outs_map  {"forward": {"4": 2}}
 *
 * Instruction ids are compared as text, as the Inspector does: no event has the id "07". Of equal keys, the last value
 * counts, in the position of the first. Everything lives in the given arena.
 */
#ifndef ETI_ETRECORD_RECORD_MAPS_H
#define ETI_ETRECORD_RECORD_MAPS_H

#include "base/arena.h"
#include "base/intern.h"
#include "etrecord/delegate_call.h"
#include "etrecord/id_table.h"
#include "read/read.h"

/* The values of one map of a method; the functions below know the size of a value. */
typedef struct eti_instruction_map {
    bool present; /* the file has an entry for the method, which may be empty */
    eti_id_table ids;
    void *values; /* by number in `ids` */
    size_t capacity;
    eti_text_table others; /* keys that are not ids, which are only counted */
} eti_instruction_map;

typedef struct eti_method_maps {
    eti_instruction_map handles;
    eti_instruction_map delegates;
    eti_instruction_map num_outputs;
} eti_method_maps;

typedef struct eti_record_maps {
    eti_arena *arena;
    eti_text_table methods;
    eti_method_maps *by_method;
    size_t capacity;
    /* Totals over all maps so far, for the limits. */
    size_t n_keys;
    size_t n_listed_handles;
    size_t identifier_bytes;
} eti_record_maps;

void eti__record_maps_init(eti_record_maps *maps, eti_arena *arena);
void eti__record_maps_free(eti_record_maps *maps);

/* Finds the number of `method`, which is added if it is new. False: out of memory. */
bool eti__record_maps_add_method(eti_record_maps *maps, eti_text method, uint32_t *number);

/* Returns the number of distinct keys. */
size_t eti__instruction_map_count(const eti_instruction_map *map);

/* Read one member each from `json`, which the caller opens and closes, and which keeps errors. ETI_ERROR_LIMIT for more
 * than 10000 methods, or in all maps together, 2097152 keys, 4194304 handles in lists, or 8 MiB of delegate identifiers. */
void eti__record_maps_read_handles(eti_record_maps *maps, eti_json *json);
void eti__record_maps_read_delegates(eti_record_maps *maps, eti_json *json);
void eti__record_maps_read_num_outputs(eti_record_maps *maps, eti_json *json);

/* Returns the handles of the i-th of eti__instruction_map_count() instructions, none if its key is not an id, and its
 * delegate (NULL if none). */
eti_debug_handles eti__method_maps_instruction(const eti_method_maps *maps, size_t i,
                                               const eti_delegate_call **delegate);

/* Stores the id of the i-th instruction of the debug_handle_map; returns false if its key is not an id. */
bool eti__method_maps_instruction_id(const eti_method_maps *maps, size_t i, int32_t *id);

/* Return the value of an instruction; NULL if there is no such instruction. */
const eti_debug_handles *eti__method_maps_find_handles(const eti_method_maps *maps, int32_t id);
const eti_delegate_call *eti__method_maps_find_delegate(const eti_method_maps *maps, int32_t id);
const int64_t *eti__method_maps_find_num_outputs(const eti_method_maps *maps, int32_t id);

#endif
