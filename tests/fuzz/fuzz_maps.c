/*
 * fuzz_maps.c - the input is the JSON of an ETRecord's three maps (debug_handle_map, delegate_map,
 * instruction_id_to_num_outs_map) with a NUL between them. They are read as texts and in pieces of
 * a few bytes; both must have the same result, or fail with the same error.
 */

#include "json_input.h"

#define N_MAPS 3
#define MOST_METHODS_LOOKED_AT 16

static void (*const readers[N_MAPS])(eti_record_maps *, eti_json *) = {
    eti__record_maps_read_handles,
    eti__record_maps_read_delegates,
    eti__record_maps_read_num_outputs,
};

typedef struct outcome {
    eti_arena arena;
    eti_record_maps maps;
    eti_status status[N_MAPS];
    eti_error error[N_MAPS];
} outcome;

static void split(eti_text text, eti_text parts[N_MAPS]) {
    for (size_t i = 0; i < N_MAPS; i++) {
        const char *end = i + 1 < N_MAPS && text.size ? memchr(text.data, 0, text.size) : NULL;
        size_t size = end ? (size_t)(end - text.data) : text.size;
        parts[i] = (eti_text){text.data, size};
        text.data += end ? size + 1 : size;
        text.size -= end ? size + 1 : size;
    }
}

/* `piece` 0: as one text. */
static void read_maps(outcome *out, const eti_text parts[N_MAPS], size_t piece) {
    *out = (outcome){.arena = {0}};
    eti__record_maps_init(&out->maps, &out->arena);
    for (size_t i = 0; i < N_MAPS; i++) {
        json_pieces pieces = {parts[i], piece};
        eti_json json;
        if (piece == 0)
            eti__json_open_text(&json, parts[i]);
        else
            eti__json_open_stream(&json, (eti_json_source){json_read_piece, &pieces});
        readers[i](&out->maps, &json);
        out->status[i] = eti__json_close(&json, &out->error[i]);
    }
}

static void expect_same_handles(const eti_debug_handles *a, const eti_debug_handles *b) {
    FUZZ_EXPECT(!a == !b);
    if (!a)
        return;
    FUZZ_EXPECT(a->kind == b->kind && a->n == b->n);
    for (size_t i = 0; i < a->n; i++)
        FUZZ_EXPECT(a->handles[i] == b->handles[i]);
}

static void expect_same_call(const eti_delegate_call *a, const eti_delegate_call *b) {
    FUZZ_EXPECT(!a == !b);
    if (!a)
        return;
    FUZZ_EXPECT(fuzz_same_text(a->backend_name, b->backend_name) && a->n_entries == b->n_entries);
    for (size_t i = 0; i < a->n_entries; i++) {
        FUZZ_EXPECT(fuzz_same_text(a->entries[i].identifier, b->entries[i].identifier));
        expect_same_handles(&a->entries[i].handles, &b->entries[i].handles);
    }
}

static void expect_same_method(const eti_method_maps *a, const eti_method_maps *b) {
    FUZZ_EXPECT(a->handles.present == b->handles.present);
    FUZZ_EXPECT(eti__instruction_map_count(&a->handles) == eti__instruction_map_count(&b->handles));
    for (int32_t id = -2; id < 24; id++) {
        expect_same_handles(eti__method_maps_find_handles(a, id),
                            eti__method_maps_find_handles(b, id));
        expect_same_call(eti__method_maps_find_delegate(a, id),
                         eti__method_maps_find_delegate(b, id));
        const int64_t *x = eti__method_maps_find_num_outputs(a, id);
        const int64_t *y = eti__method_maps_find_num_outputs(b, id);
        FUZZ_EXPECT(!x == !y && (!x || *x == *y));
    }
}

static void expect_same(const outcome *a, const outcome *b, const eti_text parts[N_MAPS]) {
    for (size_t i = 0; i < N_MAPS; i++) {
        FUZZ_EXPECT(a->status[i] == b->status[i]);
        if (a->status[i] == ETI_OK) {
            FUZZ_EXPECT(json_is_well_formed(parts[i]));
            continue;
        }
        fuzz_expect_error(a->status[i], &a->error[i]);
        FUZZ_EXPECT(strcmp(a->error[i].message, b->error[i].message) == 0);
    }
    size_t n_methods = a->maps.methods.count;
    FUZZ_EXPECT(n_methods == b->maps.methods.count);
    for (size_t i = 0; i < n_methods && i < MOST_METHODS_LOOKED_AT; i++) {
        FUZZ_EXPECT(fuzz_same_text(a->maps.methods.texts[i], b->maps.methods.texts[i]));
        expect_same_method(&a->maps.by_method[i], &b->maps.by_method[i]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    eti_text parts[N_MAPS];
    split((eti_text){data ? (const char *)data : "", size}, parts);
    outcome whole, pieces;
    read_maps(&whole, parts, 0);
    read_maps(&pieces, parts, 1 + size % 13);
    expect_same(&whole, &pieces, parts);
    eti__record_maps_free(&whole.maps);
    eti__record_maps_free(&pieces.maps);
    eti__arena_free(&whole.arena);
    eti__arena_free(&pieces.arena);
    return 0;
}
