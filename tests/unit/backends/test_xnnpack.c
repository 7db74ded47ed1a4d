#include "program_files.h"

#include "support.h"

#include "backends/backends.h"
#include "backends/xnnpack.h"

#include <stdlib.h>

/* ==== xnnpack ================================================================================= */
/* Reads payloads of real programs down to their nodes; damaged and foreign ones are rejected, whatever their bytes. */

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

/* ==== xnnpack owners ========================================================================== */
/* Inserted nodes belong to the nodes whose tensors they bring into another form. */

#define MOST 32
#define INTO ETI_XNNPACK_INTO
#define OUT_OF ETI_XNNPACK_OUT_OF
#define OTHER ETI_XNNPACK_OTHER_CHANGE

typedef struct xnnpack_owners_graph {
    eti_xnnpack_node nodes[MOST];
    uint32_t n;
    const uint32_t *owners;
    eti_arena arena;
} xnnpack_owners_graph;

static eti_xnnpack_node *add(xnnpack_owners_graph *g, uint8_t kind, uint32_t handle, uint32_t input,
                             uint32_t output) {
    assert_true(g->n < MOST);
    g->nodes[g->n] = (eti_xnnpack_node){.kind = kind,
                                        .has_handle = handle > 0,
                                        .is_inserted = handle == 0,
                                        .is_owner_sure = handle > 0,
                                        .n_inputs = 1,
                                        .debug_handle = handle > 0 ? handle : 65535,
                                        .inputs = {input},
                                        .output = output};
    return &g->nodes[g->n++];
}

static void operate(xnnpack_owners_graph *g, uint32_t handle, uint32_t input, uint32_t output) {
    add(g, ETI_XNNPACK_CONV2D, handle, input, output);
}

/* Adds an operator with two inputs. */
static void combine(xnnpack_owners_graph *g, uint32_t handle, uint32_t a, uint32_t b,
                    uint32_t output) {
    eti_xnnpack_node *node = add(g, ETI_XNNPACK_ADD, handle, a, output);
    node->n_inputs = 2;
    node->inputs[1] = b;
}

static void insert(xnnpack_owners_graph *g, uint8_t kind, eti_xnnpack_change change, uint32_t input,
                   uint32_t output) {
    add(g, kind, 0, input, output)->change = (uint8_t)change;
}

static void transpose(xnnpack_owners_graph *g, eti_xnnpack_change change, uint32_t input,
                      uint32_t output) {
    insert(g, ETI_XNNPACK_STATIC_TRANSPOSE, change, input, output);
}

static void find_owners(xnnpack_owners_graph *g) {
    assert_true(eti__xnnpack_find_owners(g->nodes, g->n, &g->arena, &g->owners));
}

/* Compares the handles of the owners of a node, such as "1 2"; "?" precedes them if they are not sure. */
static void assert_owned(const xnnpack_owners_graph *g, uint32_t number, const char *expected) {
    const eti_xnnpack_node *node = &g->nodes[number];
    char found[256] = "";
    if (!node->is_owner_sure)
        strcat(found, "?");
    for (uint32_t i = 0; i < node->n_owners; i++) {
        uint32_t owner = g->owners[node->first_owner + i];
        assert_false(g->nodes[owner].is_inserted);
        snprintf(found + strlen(found), sizeof found - strlen(found), "%s%u", i ? " " : "",
                 g->nodes[owner].debug_handle);
    }
    assert_string_equal(found, expected);
    if (node->n_owners > 0)
        assert_int_equal(node->debug_handle, g->nodes[g->owners[node->first_owner]].debug_handle);
}

static void close_graph(xnnpack_owners_graph *g) {
    eti__arena_free(&g->arena);
    *g = (xnnpack_owners_graph){.n = 0};
}

/* The layout of three inputs is changed before the first operator runs. */
static void changes_of_inputs_belong_to_their_users(void **state) {
    (void)state;
    xnnpack_owners_graph g = {.n = 0};
    transpose(&g, INTO, 0, 1);
    transpose(&g, INTO, 2, 3);
    transpose(&g, INTO, 4, 5);
    operate(&g, 1, 1, 6);
    combine(&g, 3, 6, 3, 8);
    combine(&g, 4, 8, 5, 9);
    transpose(&g, OUT_OF, 9, 10);
    find_owners(&g);
    assert_owned(&g, 0, "1");
    assert_owned(&g, 1, "3");
    assert_owned(&g, 2, "4");
    assert_owned(&g, 3, ""); /* it has a handle of its own */
    assert_owned(&g, 6, "4");
    close_graph(&g);
}

/* The output of the first operator leaves the delegate, and the second one reads it too. */
static void changes_of_outputs_belong_to_their_producers(void **state) {
    (void)state;
    xnnpack_owners_graph g = {.n = 0};
    operate(&g, 1, 1, 3);
    transpose(&g, OUT_OF, 3, 5);
    operate(&g, 2, 3, 7);
    transpose(&g, OUT_OF, 7, 9);
    find_owners(&g);
    assert_owned(&g, 1, "1");
    assert_owned(&g, 3, "2");
    close_graph(&g);
}

/* A result is transposed and dequantized, then used, quantized again and transposed. */
static void forms_decide_between_producer_and_user(void **state) {
    (void)state;
    xnnpack_owners_graph g = {.n = 0};
    operate(&g, 5, 2, 4);
    transpose(&g, OUT_OF, 4, 6);
    insert(&g, ETI_XNNPACK_CONVERT, OUT_OF, 6, 7);
    add(&g, ETI_XNNPACK_ADD, 6, 7, 9);
    insert(&g, ETI_XNNPACK_CONVERT, INTO, 9, 10);
    transpose(&g, INTO, 10, 11);
    operate(&g, 8, 11, 12);
    find_owners(&g);
    assert_owned(&g, 1, "5");
    assert_owned(&g, 2, "5");
    assert_owned(&g, 4, "8");
    assert_owned(&g, 5, "8");
    close_graph(&g);
}

/* An operator that needs the channels in the order of the model may be the cause of a transposition, and another
 * permutation says nothing. */
static void ambiguous_changes_are_not_sure(void **state) {
    (void)state;
    xnnpack_owners_graph g = {.n = 0};
    operate(&g, 1, 0, 1);
    transpose(&g, OUT_OF, 1, 2);
    operate(&g, 2, 2, 3);
    transpose(&g, OTHER, 3, 4);
    operate(&g, 3, 4, 5);
    transpose(&g, OTHER, 5, 6);
    find_owners(&g);
    assert_owned(&g, 1, "?1");
    assert_owned(&g, 3, "?2");
    assert_owned(&g, 5, "3");
    close_graph(&g);
}

static void several_users_own_a_change(void **state) {
    (void)state;
    xnnpack_owners_graph g = {.n = 0};
    transpose(&g, INTO, 0, 1);
    operate(&g, 7, 1, 2);
    operate(&g, 3, 1, 3);
    operate(&g, 3, 1, 4); /* one node of each handle is enough */
    find_owners(&g);
    assert_owned(&g, 0, "7 3");
    close_graph(&g);
}

static void the_first_users_are_listed(void **state) {
    (void)state;
    xnnpack_owners_graph g = {.n = 0};
    transpose(&g, INTO, 0, 1);
    for (uint32_t i = 1; i <= 20; i++)
        operate(&g, i, 1, 100 + i);
    find_owners(&g);
    assert_owned(&g, 0, "?1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16");
    close_graph(&g);
}

/* Nothing uses an input that is changed, and nothing produced an output that is. */
static void the_other_side_owns_a_change_without_the_first(void **state) {
    (void)state;
    xnnpack_owners_graph g = {.n = 0};
    operate(&g, 1, 0, 1);
    transpose(&g, INTO, 1, 2);
    transpose(&g, OUT_OF, 8, 9);
    operate(&g, 2, 9, 10);
    find_owners(&g);
    assert_owned(&g, 1, "1");
    assert_owned(&g, 2, "2");
    close_graph(&g);
}

/* It may be part of either neighbour, or neither. */
static void nodes_that_compute_are_not_sure(void **state) {
    (void)state;
    xnnpack_owners_graph g = {.n = 0};
    operate(&g, 1, 0, 1);
    insert(&g, ETI_XNNPACK_FULLY_CONNECTED, OTHER, 1, 2);
    operate(&g, 2, 2, 3);
    insert(&g, ETI_XNNPACK_FULLY_CONNECTED, OTHER, 3, 4);
    find_owners(&g);
    assert_owned(&g, 1, "?2");
    assert_owned(&g, 3, "?2");
    close_graph(&g);
}

static void concatenations_are_continued(void **state) {
    (void)state;
    xnnpack_owners_graph g = {.n = 0};
    add(&g, ETI_XNNPACK_CONCATENATE_5, 7, 1, 2);
    insert(&g, ETI_XNNPACK_CONCATENATE_5, OTHER, 2, 3);
    insert(&g, ETI_XNNPACK_CONCATENATE_2, OTHER, 3, 4);
    operate(&g, 8, 4, 5);
    find_owners(&g);
    assert_owned(&g, 1, "7");
    assert_owned(&g, 2, "7");
    close_graph(&g);
}

static void nodes_without_values_have_neighbours(void **state) {
    (void)state;
    xnnpack_owners_graph g = {.n = 0};
    operate(&g, 1, 0, 1);
    insert(&g, ETI_XNNPACK_NONE, OTHER, 0, 0);
    g.nodes[1].n_inputs = 0;
    operate(&g, 2, 2, 3);
    transpose(&g, INTO, UINT32_MAX, UINT32_MAX - 1);
    find_owners(&g);
    assert_owned(&g, 1, "?2");
    assert_owned(&g, 3, "?2");
    close_graph(&g);
}

static void without_handles_there_are_no_owners(void **state) {
    (void)state;
    xnnpack_owners_graph g = {.n = 0};
    transpose(&g, INTO, 0, 1);
    insert(&g, ETI_XNNPACK_CONV2D, OTHER, 1, 2);
    find_owners(&g);
    assert_owned(&g, 0, "?");
    assert_false(g.nodes[0].has_handle);
    close_graph(&g);
}

/* All nodes in a row have all users of its last value. */
static void long_rows_take_no_longer(void **state) {
    (void)state;
    enum { ROW = 200000, USERS = 40 };
    uint32_t n = ROW + USERS;
    eti_xnnpack_node *nodes = calloc(n, sizeof *nodes);
    const uint32_t *owners;
    eti_arena arena = {0};
    assert_non_null(nodes);
    for (uint32_t i = 0; i < n; i++)
        nodes[i] = (eti_xnnpack_node){.kind = ETI_XNNPACK_STATIC_TRANSPOSE,
                                      .has_handle = i >= ROW,
                                      .is_inserted = i < ROW,
                                      .debug_handle = i,
                                      .change = INTO,
                                      .n_inputs = 1,
                                      .inputs = {i < ROW ? i : ROW},
                                      .output = i + 1};
    assert_true(eti__xnnpack_find_owners(nodes, n, &arena, &owners));
    assert_int_equal(nodes[0].n_owners, ETI_XNNPACK_MOST_OWNERS);
    assert_int_equal(owners[nodes[0].first_owner], ROW);
    eti__arena_free(&arena);
    free(nodes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_are_listed_in_order),
        cmocka_unit_test(weights_outside_have_keys),
        cmocka_unit_test(bare_graphs_are_read),
        cmocka_unit_test(no_damage_is_followed),
        cmocka_unit_test(changes_of_inputs_belong_to_their_users),
        cmocka_unit_test(changes_of_outputs_belong_to_their_producers),
        cmocka_unit_test(forms_decide_between_producer_and_user),
        cmocka_unit_test(ambiguous_changes_are_not_sure),
        cmocka_unit_test(several_users_own_a_change),
        cmocka_unit_test(the_first_users_are_listed),
        cmocka_unit_test(the_other_side_owns_a_change_without_the_first),
        cmocka_unit_test(nodes_that_compute_are_not_sure),
        cmocka_unit_test(concatenations_are_continued),
        cmocka_unit_test(nodes_without_values_have_neighbours),
        cmocka_unit_test(without_handles_there_are_no_owners),
        cmocka_unit_test(long_rows_take_no_longer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
