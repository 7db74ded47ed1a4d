/* Finds the nodes of the edge program from which the calls of a Vulkan graph were made, and the calls that events run. */
#include "support.h"

#include "base/text.h"
#include "etrecord/etrecord.h"
#include "inside/inside.h"

#include <string.h>

#define MOST 16
#define MOST_INPUTS 4

/* A call that takes values and gives the value of its own number plus 32; smaller values are inputs, those below 8 constants. */
typedef struct call_spec {
    const char *op;
    uint32_t inputs[MOST_INPUTS];
    uint32_t n_inputs;
} call_spec;

#define CALL(name, ...)                                                                            \
    { (name), {__VA_ARGS__}, sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t) }
#define OUT(call) ((call) + 32u)
#define INPUT 8u

typedef struct node_spec {
    const char *op;
    uint32_t producers[MOST_INPUTS]; /* numbers of nodes + 1 */
} node_spec;

typedef struct session {
    eti_arena arena;
    eti_vulkan graph;
    eti_vulkan_call calls[MOST];
    uint32_t links[MOST * MOST_INPUTS], constants_of[64];
    eti_payload_key constants[8];
    eti_graph_node nodes[MOST];
    const eti_graph_node *producers[MOST][MOST_INPUTS];
    const eti_op_node *list[MOST];
    size_t n_nodes, work;
} session;

static void add_calls(session *s, const call_spec *specs, size_t n) {
    uint32_t n_links = 0;
    for (uint32_t i = 0; i < 64; i++)
        s->constants_of[i] = i < 8 ? i : ETI_VULKAN_NONE;
    for (uint32_t i = 0; i < n; i++) {
        s->calls[i] = (eti_vulkan_call){.node_id = i * 2,
                                        .op = eti__text_of(specs[i].op),
                                        .first_link = n_links,
                                        .n_inputs = specs[i].n_inputs,
                                        .n_outputs = 1};
        for (uint32_t k = 0; k < specs[i].n_inputs; k++)
            s->links[n_links++] = specs[i].inputs[k];
        s->links[n_links++] = OUT(i);
    }
    s->graph = (eti_vulkan){.calls = s->calls,
                            .n_calls = (uint32_t)n,
                            .links = s->links,
                            .constants_of = s->constants_of,
                            .n_values = 64,
                            .constants = s->constants,
                            .n_constants = 8};
}

/* The handle of a node is its number plus 10. */
static void add_nodes(session *s, const node_spec *specs, size_t n) {
    for (size_t i = 0; i < n; i++) {
        s->nodes[i] = (eti_graph_node){.op_type = eti__text_of(specs[i].op),
                                       .has_debug_handle = true,
                                       .debug_handle = (int64_t)i + 10,
                                       .producers = s->producers[i]};
        for (size_t k = 0; k < MOST_INPUTS && specs[i].producers[k] > 0; k++)
            s->producers[i][s->nodes[i].n_producers++] = &s->nodes[specs[i].producers[k] - 1];
        s->list[n - 1 - i] = &s->nodes[i].node; /* in another order */
    }
    s->n_nodes = n;
}

#define CALLS(s, ...)                                                                              \
    add_calls(s, (const call_spec[]){__VA_ARGS__}, COUNT_OF(((const call_spec[]){__VA_ARGS__})))
#define GRAPH(s, ...)                                                                              \
    add_nodes(s, (const node_spec[]){__VA_ARGS__}, COUNT_OF(((const node_spec[]){__VA_ARGS__})))

/* Returns a line like "exact 0 1|exact 2|inferred (0)": the nodes of each call, in brackets if all are its own. */
static eti_text describe(session *s, const eti_weight_users *weights, eti_buffer *out) {
    const eti_call_nodes *found =
        eti__vulkan_nodes_find(&s->arena, &s->graph, s->list, s->n_nodes, weights, &s->work);
    assert_non_null(found);
    for (uint32_t i = 0; i < s->graph.n_calls; i++) {
        eti_text attribution = eti__attribution_name(found[i].attribution);
        eti__buffer_add_string(out, i > 0 ? "|" : "");
        eti__buffer_add_text(out, attribution);
        for (uint32_t k = 0; k < found[i].n; k++) {
            const eti_graph_node *node = (const eti_graph_node *)(const void *)found[i].nodes[k];
            eti__buffer_printf(out, k < found[i].n_own && found[i].n_own > 1 ? " (%d)" : " %d",
                               (int)(node - s->nodes));
            assert_true(found[i].n_handles > k || found[i].n_handles == 64);
            assert_true(found[i].n_op_types > 0);
        }
    }
    return eti__buffer_text(out);
}

static void check_with(session *s, const eti_weight_users *weights, const char *expected) {
    eti_buffer text = {0};
    assert_text(describe(s, weights, &text), expected);
    eti__buffer_free(&text);
    eti__arena_free(&s->arena);
}

static void check(session *s, const char *expected) {
    check_with(s, NULL, expected);
}

/* ==== vulkan nodes ============================================================================ */

/* Batch norms and activations are part of a convolution, a permutation is part of the linear that uses it, a clone was
 * inserted. */
static void a_convolutional_network_is_exact(void **state) {
    (void)state;
    session s = {0};
    CALLS(&s, CALL("et_vk.conv_with_clamp.default", INPUT, 0), CALL("aten.mean.dim", OUT(0)),
          CALL("aten.clone.default", OUT(1)), CALL("aten.view_copy.default", OUT(2)),
          CALL("aten.linear.default", OUT(3), 1));
    GRAPH(&s, {"aten.convolution.default", {0}},
          {"aten._native_batch_norm_legit_no_training.default", {1}}, {"aten.relu.default", {2}},
          {"aten.mean.dim", {3}}, {"aten.view_copy.default", {4}},
          {"aten.permute_copy.default", {0}}, {"aten.addmm.default", {5, 6}});
    check(&s, "exact 0 1 2|exact 3|inferred 3|exact 4|exact 6 5");
}

/* Three linears of an attention with views, whose chain has squeezes, linears and views. */
static void data_flow_pairs_what_names_do_not(void **state) {
    (void)state;
    session s = {0};
    CALLS(&s, CALL("aten.squeeze_copy.dims", INPUT), CALL("aten.squeeze_copy.dims", INPUT + 1),
          CALL("aten.linear.default", OUT(0), 0), CALL("aten.linear.default", OUT(1), 1),
          CALL("aten.view_copy.default", OUT(3)), CALL("aten.view_copy.default", OUT(2)),
          CALL("aten.bmm.default", OUT(5), OUT(4)));
    GRAPH(&s, {"aten.view_copy.default", {0}}, {"aten.addmm.default", {1}},
          {"aten.view_copy.default", {2}}, {"aten.view_copy.default", {0}},
          {"aten.addmm.default", {4}}, {"aten.view_copy.default", {5}},
          {"aten.bmm.default", {3, 6}});
    check(&s, "exact 0|exact 3|exact 1|exact 4|exact 5|exact 2|exact 6");
}

/* An operator that was fused from several, as a normalization, stands for the nodes between its neighbours. */
static void fused_operators_stand_for_what_is_left(void **state) {
    (void)state;
    session s = {0};
    CALLS(&s, CALL("aten.linear.default", INPUT, 0), CALL("et_vk.rms_norm.default", OUT(0), 1),
          CALL("aten.linear.default", OUT(1), 2));
    GRAPH(&s, {"aten.mm.default", {0}}, {"aten.pow.Tensor_Scalar", {1}},
          {"aten.rsqrt.default", {2}}, {"aten.mul.Tensor", {1, 3}}, {"aten.mm.default", {4}});
    check(&s, "aligned 0|inferred (1) (2) (3)|aligned 4");
}

/* The only product among several nodes is the operator. */
static void a_product_is_the_operator_of_a_fused_one(void **state) {
    (void)state;
    session s = {0};
    CALLS(&s, CALL("aten.abs.default", INPUT), CALL("et_vk.sdpa.default", OUT(0)),
          CALL("aten.abs.default", OUT(1)));
    GRAPH(&s, {"aten.abs.default", {0}}, {"aten.mul.Tensor", {1}}, {"aten.bmm.default", {2}},
          {"aten.abs.default", {3}});
    check(&s, "aligned 0|inferred 2 1|aligned 3");
}

/* Order would pair the first convolution with the first; a constant shows that it is the second. */
static void weights_beat_order(void **state) {
    (void)state;
    session s = {0};
    CALLS(&s, CALL("aten.linear.default", INPUT, 0), CALL("aten.linear.default", INPUT, 1));
    GRAPH(&s, {"aten.permute_copy.default", {0}}, {"aten.addmm.default", {1}},
          {"aten.permute_copy.default", {0}}, {"aten.addmm.default", {3}});
    const eti_graph graph = {.nodes = s.nodes, .n_nodes = s.n_nodes};
    const eti_weight_user users[] = {{eti__text_of("a"), 2}, {eti__text_of("b"), 0}};
    const eti_weight_users weights = {users, COUNT_OF(users), &graph};
    s.constants[0].name = eti__text_of("a");
    s.constants[1].name = eti__text_of("b");
    check_with(&s, &weights, "exact 3 2|exact 1 0");
}

static void records_of_other_exports_give_nothing(void **state) {
    (void)state;
    session s = {0};
    CALLS(&s, CALL("aten.linear.default", INPUT, 0), CALL("aten.abs.default", OUT(0)),
          CALL("aten.exp.default", OUT(1)), CALL("aten.mean.dim", OUT(2)));
    GRAPH(&s, {"aten.convolution.default", {0}}, {"aten.abs.default", {1}});
    check(&s, "call|call|call|call");
}

static void without_a_record_calls_have_their_own_operators(void **state) {
    (void)state;
    session s = {0};
    CALLS(&s, CALL("aten.linear.default", INPUT, 0));
    const eti_call_nodes *found =
        eti__vulkan_nodes_find(&s.arena, &s.graph, NULL, 0, NULL, &s.work);
    assert_non_null(found);
    assert_int_equal(found[0].n, 0);
    assert_int_equal(found[0].n_op_types, 1);
    assert_text(found[0].op_types[0], "aten.linear.default");
    eti__arena_free(&s.arena);
}

/* ==== events ================================================================================== */

typedef struct event_spec {
    const char *op, *node, *kernel;
    int64_t number;
    uint8_t role;
} event_spec;

static void check_events(session *s, const event_spec *specs, size_t n, const char *expected) {
    eti_delegate_event events[MOST];
    const eti_delegate_event *list[MOST] = {NULL};
    uint32_t found[MOST];
    eti_attribution attribution;
    eti_buffer text = {0};
    for (size_t i = 0; i < n; i++) {
        events[i] = (eti_delegate_event){.role = specs[i].role, .operator_number = specs[i].number};
        if (specs[i].op)
            events[i].op = eti__text_of(specs[i].op);
        if (specs[i].node)
            events[i].node = eti__text_of(specs[i].node);
        if (specs[i].kernel)
            events[i].kernel = eti__text_of(specs[i].kernel);
        list[i] = &events[i];
    }
    assert_true(eti__vulkan_calls_find(found, &s->graph, list, n, &attribution, &s->work));
    eti__buffer_add_text(&text, eti__attribution_name((uint8_t)attribution));
    for (size_t i = 0; i < n; i++)
        eti__buffer_printf(&text, found[i] == ETI_VULKAN_NONE ? " -" : " %u", found[i]);
    assert_text(eti__buffer_text(&text), expected);
    eti__buffer_free(&text);
}

#define EVENTS(s, expected, ...)                                                                   \
    check_events(s, (const event_spec[]){__VA_ARGS__},                                             \
                 COUNT_OF(((const event_spec[]){__VA_ARGS__})), expected)

static void events_name_their_nodes(void **state) {
    (void)state;
    session s = {0};
    CALLS(&s, CALL("aten.linear.default", INPUT, 0), CALL("aten.abs.default", OUT(0)));
    EVENTS(&s, "exact 1 0 1", {"aten.abs.default", "2", "abs", 7, ETI_DELEGATE_NODE},
           {"aten.linear.default", "0", "linear", 8, ETI_DELEGATE_NODE},
           {"aten.abs.default", "2", "abs2", 9, ETI_DELEGATE_NODE});
    /* of another program: another operator, no such number */
    EVENTS(&s, "exact - - -", {"aten.exp.default", "2", "exp", 7, ETI_DELEGATE_NODE},
           {"aten.abs.default", "3", "abs", 8, ETI_DELEGATE_NODE},
           {"aten.abs.default", "99999999999999999", "abs", 8, ETI_DELEGATE_NODE});
}

static void operators_of_older_events_are_counted(void **state) {
    (void)state;
    session s = {0};
    CALLS(&s, CALL("et_vk.prepack.default", 0), CALL("aten.abs.default", INPUT),
          CALL("aten.abs.default", OUT(1)));
    EVENTS(&s, "exact - 1 1 2", {NULL, NULL, "nchw_to_image", -1, ETI_DELEGATE_TRANSFER},
           {"aten.abs.default", NULL, "abs", 7, ETI_DELEGATE_NODE},
           {"aten.abs.default", NULL, "more", 7, ETI_DELEGATE_NODE},
           {"aten.abs.default", NULL, "abs", 8, ETI_DELEGATE_NODE});
    EVENTS(&s, "aligned 1 -", {"aten.abs.default", NULL, "abs", 7, ETI_DELEGATE_NODE},
           {"aten.exp.default", NULL, "exp", 8, ETI_DELEGATE_NODE});
}

static void kernels_of_old_events_are_aligned(void **state) {
    (void)state;
    session s = {0};
    CALLS(&s, CALL("et_vk.conv_with_clamp.default", INPUT, 0), CALL("aten.abs.default", OUT(0)),
          CALL("aten.clone.default", OUT(1)));
    EVENTS(&s, "exact 0 1 2", {NULL, NULL, "conv2d_float", -1, ETI_DELEGATE_NODE},
           {NULL, NULL, "abs_texture3d_float", -1, ETI_DELEGATE_NODE},
           {NULL, NULL, "view_texture_float", -1, ETI_DELEGATE_NODE});
    EVENTS(&s, "aligned - 1", {NULL, NULL, "exp_texture3d_float", -1, ETI_DELEGATE_NODE},
           {NULL, NULL, "abs_texture3d_float", -1, ETI_DELEGATE_NODE});
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_convolutional_network_is_exact),
        cmocka_unit_test(data_flow_pairs_what_names_do_not),
        cmocka_unit_test(fused_operators_stand_for_what_is_left),
        cmocka_unit_test(a_product_is_the_operator_of_a_fused_one),
        cmocka_unit_test(weights_beat_order),
        cmocka_unit_test(records_of_other_exports_give_nothing),
        cmocka_unit_test(without_a_record_calls_have_their_own_operators),
        cmocka_unit_test(events_name_their_nodes),
        cmocka_unit_test(operators_of_older_events_are_counted),
        cmocka_unit_test(kernels_of_old_events_are_aligned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
