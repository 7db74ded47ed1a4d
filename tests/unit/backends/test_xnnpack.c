/* Reads payloads of real programs down to their nodes; damaged and foreign ones are rejected, whatever their bytes. */
#include "program_files.h"

#include "backends/xnnpack.h"

#define MODEL "testdata/xnnpack-conv/model.pte"

typedef struct payload {
    program_file program;
    eti_text bytes;
} payload;

static void open_payload(payload *p, uint32_t delegate) {
    open_program(&p->program, MODEL, NULL);
    assert_true(delegate < p->program.pte.plans[0].n_delegates);
    p->bytes = p->program.pte.plans[0].delegates[delegate].payload;
}

static eti_status read_bytes(eti_xnnpack *out, eti_arena *arena, const char *bytes, size_t size,
                             eti_error *err) {
    return eti__xnnpack_read(out, arena, (eti_text){bytes, size}, err);
}

static void nodes_are_listed_in_order(void **state) {
    (void)state;
    static const uint8_t kinds[] = {ETI_XNNPACK_STATIC_TRANSPOSE, ETI_XNNPACK_CONV2D,
                                    ETI_XNNPACK_STATIC_TRANSPOSE};
    eti_error err = ETI_ERROR_INIT;
    eti_xnnpack graph;
    payload p;
    open_payload(&p, 0);
    assert_ok(eti__xnnpack_read(&graph, &p.program.arena, p.bytes, &err));
    assert_int_equal(graph.n_nodes, COUNT_OF(kinds));
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        assert_int_equal(graph.nodes[i].kind, kinds[i]);
        assert_true(graph.nodes[i].has_handle);
        bool is_inserted = kinds[i] != ETI_XNNPACK_CONV2D;
        assert_int_equal(graph.nodes[i].is_inserted, is_inserted);
        assert_int_equal(graph.nodes[i].n_owners, is_inserted);
        /* the handle of the convolution, before and after it */
        assert_int_equal(graph.nodes[i].debug_handle, 1);
        assert_int_equal(graph.nodes[i].output_bits, 32);
    }
    assert_int_equal(graph.nodes[1].inputs[0], graph.nodes[0].output);
    /* to channels last and back */
    assert_int_equal(graph.nodes[0].change, ETI_XNNPACK_INTO);
    assert_int_equal(graph.nodes[1].change, ETI_XNNPACK_OTHER_CHANGE);
    assert_int_equal(graph.nodes[2].change, ETI_XNNPACK_OUT_OF);
    assert_int_equal(graph.owners[graph.nodes[0].first_owner], 1);
    close_program(&p.program);
}

static eti_text key_at(const eti_xnnpack *graph, uint32_t value) {
    assert_true(value < graph->n_values);
    assert_int_equal(graph->values[value].scales, ETI_XNNPACK_NO_KEY); /* not quantized */
    uint32_t key = graph->values[value].numbers;
    assert_true(key == ETI_XNNPACK_NO_KEY || key < graph->n_keys);
    return key == ETI_XNNPACK_NO_KEY ? (eti_text){NULL, 0} : graph->keys[key].name;
}

/* The keys are those of the filter, 8 x 2 x 3 x 3 numbers, and of the bias. */
static void weights_outside_have_keys(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    eti_xnnpack graph;
    payload p;
    open_payload(&p, 0);
    assert_ok(eti__xnnpack_read(&graph, &p.program.arena, p.bytes, &err));
    const eti_xnnpack_node *conv = &graph.nodes[1];
    assert_int_equal(graph.n_keys, 2);
    assert_text(key_at(&graph, conv->inputs[1]),
                "d82e730beb44d7d3b56c9a0d4cdebd364108bfccefa3a311bbf307e25172823e");
    assert_text(key_at(&graph, conv->bias),
                "0ae45a4c6a97f96648fa9bd34b21c4d990c9c0f7111673729f84466cc3de047e");
    assert_null(key_at(&graph, conv->inputs[0]).data);
    assert_null(key_at(&graph, conv->output).data);
    assert_int_equal(graph.nodes[0].bias, ETI_XNNPACK_NO_VALUE);
    close_program(&p.program);
}

static void bare_graphs_are_read(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    eti_xnnpack graph;
    payload p;
    open_payload(&p, 0);
    const uint8_t *header = (const uint8_t *)p.bytes.data;
    uint32_t offset = eti__load_u32(header + 10), size = eti__load_u32(header + 14);
    char *bare = malloc(size);
    assert_non_null(bare);
    memcpy(bare, p.bytes.data + offset, size);
    assert_ok(read_bytes(&graph, &p.program.arena, bare, size, &err));
    assert_int_equal(graph.n_nodes, 3);
    memcpy(bare + 4, "XN00", 4);
    assert_ok(read_bytes(&graph, &p.program.arena, bare, size, &err));
    assert_int_equal(graph.n_nodes, 3);
    memcpy(bare + 4, "XN99", 4);
    assert_int_equal(read_bytes(&graph, &p.program.arena, bare, size, &err), ETI_ERROR_MALFORMED);
    free(bare);
    close_program(&p.program);
}

/* Sanitizers watch. */
static void no_damage_is_followed(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    eti_xnnpack graph;
    payload p;
    open_payload(&p, 1);
    for (size_t size = 0; size < p.bytes.size; size++) {
        char *cut = malloc(size + 1);
        eti_arena arena = {0};
        assert_non_null(cut);
        memcpy(cut, p.bytes.data, size);
        eti_status status = read_bytes(&graph, &arena, cut, size, &err);
        assert_true(status == ETI_OK || status == ETI_ERROR_MALFORMED);
        assert_true(status == ETI_OK || size < p.bytes.size);
        eti__arena_free(&arena);
        free(cut);
    }
    char *flipped = malloc(p.bytes.size);
    assert_non_null(flipped);
    for (size_t at = 0; at < p.bytes.size; at++) {
        eti_arena arena = {0};
        memcpy(flipped, p.bytes.data, p.bytes.size);
        flipped[at] = (char)~flipped[at];
        eti_status status = read_bytes(&graph, &arena, flipped, p.bytes.size, &err);
        assert_true(status == ETI_OK || status == ETI_ERROR_MALFORMED || status == ETI_ERROR_LIMIT);
        eti__arena_free(&arena);
    }
    free(flipped);
    close_program(&p.program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_are_listed_in_order),
        cmocka_unit_test(weights_outside_have_keys),
        cmocka_unit_test(bare_graphs_are_read),
        cmocka_unit_test(no_damage_is_followed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
