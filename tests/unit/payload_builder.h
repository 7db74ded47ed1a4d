/*
 * payload_builder.h - writes payloads of XNNPACK delegates for tests, by the description of the format alone. See
 * etdump_builder.h for how FlatBuffers are written.
 */
#ifndef ETI_TESTS_PAYLOAD_BUILDER_H
#define ETI_TESTS_PAYLOAD_BUILDER_H

#include "etdump_builder.h"

#include "backends/backends.h"
#include "backends/xnnpack.h"

/* A node inserted by lowering. */
#define INSERTED 65535u

typedef struct payload_node {
    uint8_t kind;
    uint32_t handle;
    uint32_t input, output; /* values; both 0: node i takes value i and gives value i + 1 */
    bool has_limits;
} payload_node;

#define XNODE(name, ...)                                                                           \
    { .kind = ETI_XNNPACK_##name, .handle = __VA_ARGS__ }

/* Finds the numbers of the fields for input and output. */
static inline void find_fields(uint8_t kind, size_t *input, size_t *output) {
    *input = 0;
    *output = 1;
    if (kind == ETI_XNNPACK_CONV2D || kind == ETI_XNNPACK_DEPTHWISE_CONV2D) {
        *input = 15;
        *output = 18;
    } else if (kind == ETI_XNNPACK_ADD || kind == ETI_XNNPACK_MULTIPLY) {
        *output = 2;
    } else if (kind == ETI_XNNPACK_FULLY_CONNECTED) {
        *output = 3;
    } else if (kind == ETI_XNNPACK_STATIC_TRANSPOSE || kind == ETI_XNNPACK_STATIC_RESHAPE) {
        *input = 2;
        *output = 3;
    } else if (kind == ETI_XNNPACK_CONCATENATE_2 || kind == ETI_XNNPACK_CONCATENATE_5) {
        *input = 1;
        *output = 5;
    }
}

static inline place put_payload_node(builder *b, const payload_node *node, uint32_t number) {
    slot slots[MOST_SLOTS] = {{0}};
    size_t input, output;
    bool is_next = node->input == 0 && node->output == 0;
    find_fields(node->kind, &input, &output);
    slots[input] = (slot){4, is_next ? number : node->input, 0};
    slots[output] = (slot){4, is_next ? number + 1 : node->output, 0};
    place work = put_table(b, slots, MOST_SLOTS);
    place limits = node->has_limits ? PUT_TABLE(b, (slot){4, 0, 0}, (slot){4, 0x40c00000, 0}) : 0;
    return PUT_TABLE(b, (slot){1, node->kind, 0}, target_slot(work), (slot){4, node->handle, 0},
                     target_slot(limits));
}

/* Writes only the FlatBuffer, as in older payloads, and sets `b->file`. */
static inline void finish_graph(builder *b, const payload_node *nodes, size_t n,
                                const char *identifier) {
    place *tables = malloc((n + 1) * sizeof *tables);
    if (!tables)
        abort();
    for (size_t i = 0; i < n; i++)
        tables[i] = put_payload_node(b, &nodes[i], (uint32_t)i);
    place all = put_tables(b, tables, n);
    free(tables);
    finish_as(b, PUT_TABLE(b, (slot){0}, target_slot(all)), identifier, false);
}

/* Writes the current header before it, with a gap between them. */
static inline void finish_payload(builder *b, const payload_node *nodes, size_t n) {
    enum { HEADER = 30, GRAPH_AT = 32 };
    finish_graph(b, nodes, n, "XN01");
    uint64_t size = b->file.size;
    put_number(b, 0, GRAPH_AT - HEADER);
    put_number(b, 0, 8);               /* 22: size of the constants */
    put_number(b, GRAPH_AT + size, 4); /* 18: place of the constants */
    put_number(b, size, 4);
    put_number(b, GRAPH_AT, 4);
    put_number(b, HEADER, 2);
    put(b, "XH00", 4);
    put_number(b, 0, 4);
    b->file.data = b->bytes + b->capacity - b->size;
    b->file.size = b->size;
}

#endif
