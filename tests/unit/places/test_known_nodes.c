/* Finds the operators that a delegate call is for. */
#include "record_builder.h"
#include "support.h"

#include "backends/backends.h"
#include "backends/xnnpack.h"
#include "etrecord/etrecord.h"
#include "places/known_nodes.h"
#include "places/places.h"

#define MOST 8

#define OP(name, with_handle)                                                                      \
    { .op_type = {name, sizeof(name) - 1}, .has_debug_handle = true, .debug_handle = (with_handle) }
#define CONV(handle) OP("aten.convolution.default", handle)
#define MUL(handle) OP("aten.mul.Tensor", handle)
#define RELU(handle) OP("aten.relu.default", handle)
#define PERMUTE(handle) OP("aten.permute_copy.default", handle)
#define DEQUANTIZE(handle) OP("quantized_decomposed.dequantize_per_tensor.default", handle)

#define RUNS(of_kind, handle)                                                                      \
    { .kind = ETI_XNNPACK_##of_kind, .has_handle = true, .debug_handle = (handle) }
#define INSERTED(of_kind, handle)                                                                  \
    {                                                                                              \
        .kind = ETI_XNNPACK_##of_kind, .has_handle = true, .is_inserted = true,                    \
        .debug_handle = (handle)                                                                   \
    }

/* Two calls list 7, for a product that the first one quantizes. */
static const char handles[] = "{\"0\": [6, 7], \"1\": [7, 8, 9]}";

/* Checks the numbers of the nodes after the search, with a bar after those found, such as "1 | 0". */
static void check(const char *listed, const eti_xnnpack *payload, const eti_graph_node *nodes,
                  size_t n, const char *expected) {
    record_builder builder = {0};
    eti_call_work work = {.method = 0};
    eti_arena arena = {0};
    eti_error err = ETI_ERROR_INIT;
    eti_etrecord *record;
    const eti_op_node *list[MOST];
    eti_buffer found = {0};
    size_t n_own;
    make_record(&builder, &(record_spec){.handles = listed});
    assert_ok(eti__etrecord_open(&record, &arena, &builder.file, &err));
    work.record = record;
    for (size_t i = 0; i < n; i++)
        list[i] = &nodes[i].node;
    assert_true(eti__call_work_find(&work, payload, list, n, &n_own));
    for (size_t i = 0; i < n; i++)
        eti__buffer_printf(&found, "%s%d ", i == n_own ? "| " : "",
                           (int)((const eti_graph_node *)(const void *)list[i] - nodes));
    assert_text(eti__buffer_text(&found), expected);
    eti__buffer_free(&found);
    eti__call_work_free(&work);
    eti__etrecord_close(record);
    eti__arena_free(&arena);
    free_record(&builder);
}

#define CHECK(listed, payload_nodes, of_call, expected)                                            \
    check((listed), &(eti_xnnpack){.nodes = (payload_nodes), .n_nodes = COUNT_OF(payload_nodes)},  \
          (of_call), COUNT_OF(of_call), (expected))

static void operators_of_other_calls_do_not_count(void **state) {
    (void)state;
    static const eti_xnnpack_node payload[] = {INSERTED(STATIC_TRANSPOSE, 8), RUNS(CONV2D, 8)};
    static const eti_graph_node nodes[] = {MUL(7), DEQUANTIZE(7), CONV(8), DEQUANTIZE(8)};
    CHECK(handles, payload, nodes, "2 3 | 0 1 ");
    /* nothing shows that another call runs it */
    CHECK("{\"1\": [7, 8]}", payload, nodes, "0 2 3 | 1 ");
}

static void conversions_at_the_border_do_not_count(void **state) {
    (void)state;
    static const eti_xnnpack_node payload[] = {RUNS(CONVERT, 7), RUNS(CONV2D, 8)};
    static const eti_graph_node nodes[] = {MUL(7), DEQUANTIZE(7), CONV(8)};
    CHECK(handles, payload, nodes, "2 | 0 1 ");
}

static void fused_operators_count(void **state) {
    (void)state;
    static const eti_xnnpack_node payload[] = {RUNS(CONV2D, 8)};
    static const eti_graph_node nodes[] = {DEQUANTIZE(6), CONV(8), RELU(9)};
    CHECK(handles, payload, nodes, "1 2 | 0 ");
}

static void moves_count_if_there_is_nothing_else(void **state) {
    (void)state;
    static const eti_xnnpack_node both[] = {RUNS(STATIC_TRANSPOSE, 9), RUNS(CONV2D, 8)};
    static const eti_xnnpack_node move[] = {RUNS(STATIC_TRANSPOSE, 9), RUNS(CONVERT, 8)};
    static const eti_xnnpack_node conversion[] = {RUNS(CONVERT, 8)};
    static const eti_graph_node nodes[] = {PERMUTE(9), CONV(8)};
    static const eti_graph_node converted[] = {MUL(7), CONV(8)};
    CHECK(handles, both, nodes, "1 | 0 ");
    CHECK(handles, move, nodes, "0 | 1 ");
    CHECK(handles, conversion, converted, "1 | 0 ");
}

/* A handle that computes in one node of the payload moves in another. */
static void the_best_use_of_a_handle_counts(void **state) {
    (void)state;
    static const eti_xnnpack_node payload[] = {RUNS(STATIC_RESHAPE, 8), RUNS(MULTIPLY, 8),
                                               RUNS(STATIC_RESHAPE, 8), RUNS(CONV2D, 9)};
    static const eti_graph_node nodes[] = {MUL(7), MUL(8), CONV(9)};
    CHECK(handles, payload, nodes, "1 2 | 0 ");
}

static void without_a_choice_all_count(void **state) {
    (void)state;
    static const eti_xnnpack_node none[] = {INSERTED(CONV2D, 1)};
    static const eti_graph_node nodes[] = {MUL(7), DEQUANTIZE(7)};
    CHECK(handles, none, nodes, "0 1 ");
}

static void nothing_is_known_without_a_record(void **state) {
    (void)state;
    static const eti_xnnpack_node nodes[] = {RUNS(CONV2D, 8)};
    static const eti_graph_node of[] = {MUL(7), CONV(8)};
    const eti_op_node *list[] = {&of[0].node, &of[1].node};
    eti_call_work work = {.record = NULL};
    size_t n_own;
    assert_true(
        eti__call_work_find(&work, &(eti_xnnpack){.nodes = nodes, .n_nodes = 1}, list, 2, &n_own));
    assert_int_equal(n_own, 2);
    eti__call_work_free(&work);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operators_of_other_calls_do_not_count),
        cmocka_unit_test(conversions_at_the_border_do_not_count),
        cmocka_unit_test(fused_operators_count),
        cmocka_unit_test(moves_count_if_there_is_nothing_else),
        cmocka_unit_test(the_best_use_of_a_handle_counts),
        cmocka_unit_test(without_a_choice_all_count),
        cmocka_unit_test(nothing_is_known_without_a_record),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
