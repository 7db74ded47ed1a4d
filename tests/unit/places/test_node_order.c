/* A node's place is known if each other node of the list precedes or follows it, also through nodes outside the list. */
#include "support.h"

#include "places/node_order.h"

#define MOST 200

/* Nodes of a graph; each takes up to two of those before it (its own number: none). */
typedef struct graph_spec {
    eti_graph_node nodes[MOST];
    const eti_graph_node *takes[MOST][2];
    const eti_op_node *listed[MOST];
    size_t n, n_listed;
} graph_spec;

static void add(graph_spec *of, bool is_listed, size_t first, size_t second) {
    size_t i = of->n++;
    size_t takes[] = {first, second};
    assert_true(i < MOST);
    of->nodes[i].producers = of->takes[i];
    for (size_t k = 0; k < 2; k++) {
        if (takes[k] != i)
            of->takes[i][of->nodes[i].n_producers++] = &of->nodes[takes[k]];
    }
    if (is_listed)
        of->listed[of->n_listed++] = &of->nodes[i].node;
}

/* Compares the known places with "yn…". */
static void check(const graph_spec *of, const char *expected) {
    eti_arena arena = {0};
    size_t work = 0;
    char found[MOST + 1] = "";
    const eti_node_order *order = eti__node_order_find(&arena, of->listed, of->n_listed, &work);
    assert_non_null(order);
    for (size_t i = 0; i < of->n_listed; i++)
        found[i] = order->is_known[i] ? 'y' : 'n';
    assert_string_equal(found, expected);
    eti__arena_free(&arena);
}

/* 0 -> 1 -> 2, where 1 is not in the list. */
static void others_may_be_between(void **state) {
    (void)state;
    graph_spec g = {.n = 0};
    add(&g, true, 0, 0);
    add(&g, false, 0, 0);
    add(&g, true, 1, 1);
    check(&g, "yy");
}

/* The first step of a recurrent network needs no projection of the inputs, the others need both. */
static void independent_nodes_are_not_known(void **state) {
    (void)state;
    graph_spec g = {.n = 0};
    add(&g, true, 0, 0);  /* projection of all inputs */
    add(&g, true, 1, 1);  /* first step */
    add(&g, false, 0, 1); /* sum */
    add(&g, true, 2, 2);
    add(&g, false, 0, 3);
    add(&g, true, 4, 4);
    check(&g, "nnyy");
}

/* Two independent chains, as in a bidirectional network, and a node that takes both. */
static void chains_do_not_mix(void **state) {
    (void)state;
    graph_spec g = {.n = 0};
    add(&g, true, 0, 0);
    add(&g, true, 0, 0);
    add(&g, true, 2, 2);
    add(&g, true, 2, 2);
    add(&g, true, 1, 3);
    check(&g, "nnnny");
}

/* Inputs from before the first node of the list do not matter. */
static void earlier_inputs_do_not_matter(void **state) {
    (void)state;
    graph_spec g = {.n = 0};
    add(&g, false, 0, 0);
    add(&g, true, 0, 0);
    add(&g, true, 0, 1);
    check(&g, "yy");
}

static void lists_may_be_long(void **state) {
    (void)state;
    static const size_t lengths[] = {63, 64, 65, 128, 129};
    for (size_t i = 0; i < COUNT_OF(lengths); i++) {
        char expected[MOST + 1] = "";
        graph_spec *g = calloc(1, sizeof *g);
        assert_non_null(g);
        for (size_t k = 0; k < lengths[i]; k++) {
            add(g, true, k > 0 ? k - 1 : 0, k > 0 ? k - 1 : 0);
            expected[k] = 'y';
        }
        check(g, expected);
        add(g, true, 0, lengths[i] - 2); /* beside the last one */
        expected[lengths[i] - 1] = expected[lengths[i]] = 'n';
        check(g, expected);
        free(g);
    }
}

/* Beyond the limit of work, no place is known. */
static void work_is_limited(void **state) {
    (void)state;
    graph_spec g = {.n = 0};
    eti_arena arena = {0};
    size_t work = (size_t)1 << 27;
    add(&g, true, 0, 0);
    add(&g, true, 0, 0);
    const eti_node_order *order = eti__node_order_find(&arena, g.listed, 2, &work);
    assert_non_null(order);
    assert_false(order->is_known[0] || order->is_known[1]);
    eti__arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(others_may_be_between), cmocka_unit_test(independent_nodes_are_not_known),
        cmocka_unit_test(chains_do_not_mix),     cmocka_unit_test(earlier_inputs_do_not_matter),
        cmocka_unit_test(lists_may_be_long),     cmocka_unit_test(work_is_limited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
