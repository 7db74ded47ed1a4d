/* An operator's place is known if each other operator that the same events may be precedes or follows it. */
#include "support.h"

#include "places/run_order.h"

#define MOST 8
#define CONV ((eti_xnnpack_kinds)1 << 3)
#define GEMM ((eti_xnnpack_kinds)1 << 5)
#define ADD ((eti_xnnpack_kinds)1 << 40)

/* An operator: its kind, the numbers of the two operators it takes (its own number: none), and whether its place is
 * known. */
typedef struct case_operator {
    eti_xnnpack_kinds kinds;
    uint32_t takes[2];
    bool is_known;
} case_operator;

/* The bits of `asked` say which operators take part. */
static void check(const case_operator *operators, size_t n, const eti_xnnpack_kinds *run,
                  unsigned asked) {
    eti_graph_node nodes[MOST];
    const eti_graph_node *listed[MOST], *takes[MOST][2];
    eti_run_part parts[MOST], events[MOST] = {{0, 0}};
    eti_run_order order = {0};
    size_t n_asked = 0;
    memset(nodes, 0, sizeof nodes);
    for (size_t i = 0; i < n; i++) {
        listed[i] = &nodes[i];
        nodes[i].producers = takes[i];
        for (size_t k = 0; k < 2; k++) {
            if (operators[i].takes[k] != i)
                takes[i][nodes[i].n_producers++] = &nodes[operators[i].takes[k]];
        }
        if ((asked >> i & 1) != 0)
            parts[n_asked++] = (eti_run_part){operators[i].kinds, (uint32_t)i};
    }
    for (size_t i = 0; i < n_asked; i++)
        events[i] = (eti_run_part){run[i], (uint32_t)i};
    assert_true(eti__run_order_find(&order, listed, n, parts, events, n_asked));
    for (size_t i = 0; i < n_asked; i++)
        assert_int_equal(order.is_known[i], operators[parts[i].number].is_known);
    eti__run_order_free(&order);
}

static void a_chain_has_one_order(void **state) {
    (void)state;
    static const case_operator chain[] = {
        {CONV, {0, 0}, true}, {CONV, {0, 1}, true}, {CONV, {1, 2}, true}, {CONV, {2, 3}, true}};
    static const eti_xnnpack_kinds run[] = {CONV, CONV, CONV, CONV};
    check(chain, 4, run, 0xf);
}

/* x -> 0 -> 1 -> 3 and x -> 0 -> 2 -> 3: the branches may have run in either order. */
static void branches_alike_are_not_known(void **state) {
    (void)state;
    static const case_operator diamond[] = {
        {CONV, {0, 0}, true}, {CONV, {0, 1}, false}, {CONV, {0, 2}, false}, {CONV, {1, 2}, true}};
    static const case_operator unlike[] = {
        {CONV, {0, 0}, true}, {CONV, {0, 1}, true}, {ADD, {0, 2}, true}, {CONV, {1, 2}, true}};
    static const eti_xnnpack_kinds run[] = {CONV, CONV, CONV, CONV};
    static const eti_xnnpack_kinds run_unlike[] = {CONV, CONV, ADD, CONV};
    check(diamond, 4, run, 0xf);
    check(unlike, 4, run_unlike, 0xf);
}

/* Two kinds are alike if one event may be both, or one operator may become both. */
static void kinds_are_alike_through_others(void **state) {
    (void)state;
    static const case_operator by_event[] = {{CONV, {0, 0}, false}, {GEMM, {1, 1}, false}};
    static const eti_xnnpack_kinds either[] = {CONV | GEMM, CONV | GEMM};
    static const eti_xnnpack_kinds one[] = {CONV, GEMM};
    static const case_operator apart[] = {{CONV, {0, 0}, true}, {GEMM, {1, 1}, true}};
    static const case_operator by_operator[] = {
        {CONV, {0, 0}, false}, {GEMM, {1, 1}, false}, {CONV | GEMM, {0, 1}, true}};
    static const eti_xnnpack_kinds three[] = {CONV, GEMM, GEMM};
    check(by_event, 2, either, 3);
    check(apart, 2, one, 3);
    check(by_operator, 3, three, 7);
}

/* An operator's input may pass through operators that take no part, any number of them. */
static void needs_pass_through_what_takes_no_part(void **state) {
    (void)state;
    static const case_operator chain[] = {
        {CONV, {0, 0}, true}, {ADD, {0, 1}, true}, {ADD, {1, 2}, true}, {CONV, {2, 3}, true}};
    static const case_operator cut[] = {
        {CONV, {0, 0}, false}, {ADD, {0, 1}, true}, {ADD, {2, 2}, true}, {CONV, {2, 3}, false}};
    static const eti_xnnpack_kinds run[] = {CONV, CONV};
    check(chain, 4, run, 0x9);
    check(cut, 4, run, 0x9);
}

/* Tests more operators than a row of 64 bits holds, and more than any call has. */
static void long_chains_are_followed_up_to_a_limit(void **state) {
    (void)state;
    static eti_graph_node nodes[4097];
    static const eti_graph_node *listed[4097], *takes[4097];
    static eti_run_part parts[4097];
    eti_run_order order = {0};
    for (uint32_t i = 0; i < 4097; i++) {
        listed[i] = &nodes[i];
        takes[i] = &nodes[i > 0 ? i - 1 : 0];
        nodes[i].producers = &takes[i];
        nodes[i].n_producers = i > 0;
        parts[i] = (eti_run_part){CONV, i};
    }
    assert_true(eti__run_order_find(&order, listed, 4096, parts, parts, 4096));
    for (size_t i = 0; i < 4096; i++)
        assert_true(order.is_known[i]);
    assert_true(eti__run_order_find(&order, listed, 4097, parts, parts, 4097));
    for (size_t i = 0; i < 4097; i++)
        assert_false(order.is_known[i]);
    nodes[100].n_producers = 0;
    assert_true(eti__run_order_find(&order, listed, 4096, parts, parts, 4096));
    for (size_t i = 0; i < 4096; i++)
        assert_false(order.is_known[i]);
    eti__run_order_free(&order);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chain_has_one_order),
        cmocka_unit_test(branches_alike_are_not_known),
        cmocka_unit_test(kinds_are_alike_through_others),
        cmocka_unit_test(needs_pass_through_what_takes_no_part),
        cmocka_unit_test(long_chains_are_followed_up_to_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
