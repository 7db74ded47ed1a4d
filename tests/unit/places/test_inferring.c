/* Matches events with the operators of their call where equally many of them fit, in graph order. */
#include "support.h"

#include "places/inferring.h"

#define MOST 8
#define NOTHING (-1)

/* Returns whether anything is inferred; `found` gets the operator number of each event, or NOTHING. The call's list of
 * nodes is in reverse order; each node takes the value of the one before it. */
static bool infer(const char *const *ops, size_t n_ops, const char *const *names, size_t n_names,
                  int *found) {
    eti_graph_node nodes[MOST];
    const eti_graph_node *before[MOST];
    memset(nodes, 0, sizeof nodes);
    const eti_op_node *listed[MOST];
    eti_text texts[MOST];
    for (size_t i = 0; i < n_ops; i++) {
        nodes[i].op_type = eti__text_of(ops[i]);
        before[i] = &nodes[i > 0 ? i - 1 : 0];
        nodes[i].producers = &before[i];
        nodes[i].n_producers = i > 0;
        listed[n_ops - 1 - i] = &nodes[i].node;
    }
    for (size_t i = 0; i < n_names; i++)
        texts[i] = eti__text_of(names[i]);
    const eti_event_record known = {.op_nodes = listed, .n_op_nodes = n_ops};
    const eti_event event = {.known = &known};
    const eti_delegated_call call = {.event = &event, .names = texts, .n = n_names};
    eti_inferring inferring = {0};
    bool is_inferred;
    assert_true(eti__infer(&inferring, &call, &is_inferred));
    for (size_t i = 0; i < n_names && is_inferred; i++)
        found[i] = inferring.found[i] ? (int)(inferring.found[i] - nodes) : NOTHING;
    eti__inferring_free(&inferring);
    return is_inferred;
}

#define INFER(ops, names, found) infer(ops, COUNT_OF(ops), names, COUNT_OF(names), found)

static void pairs_that_fit_are_taken_in_order(void **state) {
    (void)state;
    static const char *const ops[] = {"aten.convolution.default", "aten.add.Tensor"};
    static const char *const names[] = {"Convolution (NHWC, F32) IGEMM #1", "Add (ND) #1"};
    static const char *const other[] = {"Add (ND) #1", "Convolution (NHWC, F32) IGEMM #1"};
    static const char *const more[] = {"Convolution (NHWC, F32) IGEMM #1", "Add (ND) #1",
                                       "Add (ND) #2"};
    int found[MOST];
    assert_true(INFER(ops, names, found));
    assert_int_equal(found[0], 0);
    assert_int_equal(found[1], 1);
    assert_false(INFER(ops, other, found));
    assert_false(INFER(ops, more, found));
    assert_false(infer(ops, 1, names, 2, found));
    assert_false(infer(ops, 2, names, 1, found));
}

static void optional_operators_take_no_part(void **state) {
    (void)state;
    static const char *const ops[] = {"quantized_decomposed.quantize_per_tensor.default",
                                      "aten.convolution.default", "aten.permute_copy.default"};
    static const char *const names[] = {"Transpose (ND, X32) #1",
                                        "Convolution (NHWC, F32) IGEMM #1", "Convert (NC) #1",
                                        "Transpose (ND, X32) #2"};
    int found[MOST];
    assert_true(INFER(ops, names, found));
    assert_int_equal(found[0], NOTHING);
    assert_int_equal(found[1], 1);
    assert_int_equal(found[2], NOTHING);
    assert_int_equal(found[3], NOTHING);
}

/* An operator that no XNNPACK node computes is not inferred either. */
static void only_what_is_left_is_nothing(void **state) {
    (void)state;
    static const char *const ops[] = {"aten.permute_copy.default", "aten.cumsum.default"};
    static const char *const names[] = {"Transpose (ND, X32) #1"};
    int found[MOST];
    assert_false(INFER(ops, names, found));
}

static void clamps_take_part_where_all_run(void **state) {
    (void)state;
    static const char *const ops[] = {"aten.convolution.default", "aten.relu.default",
                                      "aten.add.Tensor", "aten.relu.default"};
    static const char *const all[] = {"Convolution (NHWC, F32) IGEMM #1", "Clamp (NC) #1",
                                      "Add (ND) #1", "Clamp (NC) #2"};
    static const char *const one[] = {"Convolution (NHWC, F32) IGEMM #1", "Add (ND) #1",
                                      "Clamp (NC) #1"};
    int found[MOST];
    assert_true(INFER(ops, all, found));
    for (int i = 0; i < 4; i++)
        assert_int_equal(found[i], i);
    /* one of the two runs inside the convolution; which one is unknown */
    assert_true(INFER(ops, one, found));
    assert_int_equal(found[0], 0);
    assert_int_equal(found[1], 2);
    assert_int_equal(found[2], NOTHING);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_that_fit_are_taken_in_order),
        cmocka_unit_test(optional_operators_take_no_part),
        cmocka_unit_test(only_what_is_left_is_nothing),
        cmocka_unit_test(clamps_take_part_where_all_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
