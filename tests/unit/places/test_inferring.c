#include "support.h"

#include "record_builder.h"

#include "backends/backends.h"
#include "etrecord/etrecord.h"
#include "model/model.h"
#include "places/inferring.h"

/* ==== inferring =============================================================================== */
/* Matches events with the operators of their call where equally many of them fit, in graph order. */

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

/* ==== run order =============================================================================== */
/* An operator's place is known if each other operator that the same events may be precedes or follows it. */

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

/* ==== record fit ============================================================================== */
/* Checks whether delegates logged the operators that a record lists for their calls. Expected counts were made by hand: for
 * each kind, the surplus of events over operators, or of operators over events. */

/* An operator with its debug handle; 0: it has none. */
typedef struct op {
    const char *op_type;
    int64_t handle;
} op;

static const char convolution[] = "aten.convolution.default", tanh_op[] = "aten.tanh.default",
                  relu[] = "aten.relu.default", permute[] = "aten.permute_copy.default",
                  novel_op[] = "mine.novel.default",
                  batch_norm[] = "aten._native_batch_norm_legit_no_training.default",
                  quantize[] = "quantized_decomposed.quantize_per_tensor.default";

#define FIT_CONV "Convolution (NHWC, F32) IGEMM #1"
#define TANH "TanH (NC) #1"
#define TRANSPOSE "Transpose (ND, X32) #1"
#define NOVEL "Novel Kernel (NC) #1"

/* A call of a delegate, and the record that lists it. */
typedef struct fixture {
    eti_record_fit fit;
    record_builder builder;
    eti_arena arena;
    eti_etrecord *record;
    eti_graph_node nodes[MOST];
    const eti_op_node *op_nodes[MOST];
    eti_event_record known, backend;
    eti_event event, logged;
    eti_event *events[MOST];
    eti_text names[MOST];
    eti_delegated_call call;
} fixture;

/* `handles` lists the handles of each instruction of the record. */
static void open_fixture(fixture *f, const char *handles) {
    eti_error err = ETI_ERROR_INIT;
    *f = (fixture){0};
    make_record(&f->builder, &(record_spec){.handles = handles});
    assert_ok(eti__etrecord_open(&f->record, &f->arena, &f->builder.file, &err));
    eti__record_fit_begin(&f->fit, f->record, 0);
}

static void close_fixture(fixture *f) {
    eti__record_fit_free(&f->fit);
    eti__etrecord_close(f->record);
    eti__arena_free(&f->arena);
    free_record(&f->builder);
}

static void set_call(fixture *f, const op *ops, size_t n_ops, const char *const *names, size_t n) {
    for (size_t i = 0; i < n_ops; i++) {
        f->nodes[i] = (eti_graph_node){.op_type = eti__text_of(ops[i].op_type),
                                       .has_debug_handle = ops[i].handle != 0,
                                       .debug_handle = ops[i].handle};
        f->op_nodes[i] = &f->nodes[i].node;
    }
    f->backend.backend_name = eti__text_of("XnnpackBackend");
    f->logged.known = &f->backend;
    for (size_t i = 0; i < n; i++) {
        f->names[i] = eti__text_of(names[i]);
        f->events[i] = &f->logged;
    }
    f->known = (eti_event_record){.op_nodes = f->op_nodes, .n_op_nodes = n_ops};
    f->event.known = &f->known;
    f->call =
        (eti_delegated_call){.event = &f->event, .events = f->events, .names = f->names, .n = n};
}

#define OPS(...) (const op[]){__VA_ARGS__}, COUNT_OF(((const op[]){__VA_ARGS__}))
#define LOGS(...) (const char *const[]){__VA_ARGS__}, COUNT_OF(((const char *const[]){__VA_ARGS__}))

static void assert_unlike(const char *handles, const op *ops, size_t n_ops,
                          const char *const *names, size_t n, uint64_t n_unlike,
                          uint64_t n_compared) {
    fixture f;
    open_fixture(&f, handles);
    set_call(&f, ops, n_ops, names, n);
    assert_true(eti__record_fit_add(&f.fit, &f.call));
    assert_int_equal(f.fit.n_unlike, n_unlike);
    assert_int_equal(f.fit.n_compared, n_compared);
    assert_int_equal(eti__record_is_foreign(&f.fit), n_unlike > 0);
    close_fixture(&f);
}

#define ALONE "{\"0\": [7, 8, 9]}"

/* ---- kinds ----------------------------------------------------------------------------------- */

static void order_does_not_matter(void **state) {
    (void)state;
    assert_unlike(ALONE, OPS({convolution, 7}, {tanh_op, 8}), LOGS(TANH, FIT_CONV), 0, 4);
}

static void each_event_needs_an_operator_and_each_operator_an_event(void **state) {
    (void)state;
    assert_unlike(ALONE, OPS({convolution, 7}, {tanh_op, 8}), LOGS(FIT_CONV, TANH, TANH), 1, 5);
    assert_unlike(ALONE, OPS({convolution, 7}, {tanh_op, 8}, {tanh_op, 9}), LOGS(FIT_CONV, TANH), 1,
                  5);
    assert_unlike(ALONE, OPS({tanh_op, 8}), LOGS("Sigmoid (NC) #1"), 2, 2);
    assert_unlike(ALONE, OPS({tanh_op, 7}, {tanh_op, 8}, {tanh_op, 9}), LOGS(FIT_CONV), 4, 4);
}

static void what_is_fused_or_inserted_is_not_compared(void **state) {
    (void)state;
    assert_unlike(ALONE, OPS({convolution, 7}, {relu, 8}, {permute, 9}), LOGS(FIT_CONV), 0, 2);
    assert_unlike(ALONE, OPS({convolution, 7}), LOGS(TRANSPOSE, FIT_CONV, TRANSPOSE), 0, 2);
}

static void what_has_no_known_kind_is_a_counterpart_of_anything(void **state) {
    (void)state;
    assert_unlike(ALONE, OPS({convolution, 7}, {tanh_op, 8}), LOGS(FIT_CONV, NOVEL), 0, 3);
    assert_unlike(ALONE, OPS({convolution, 7}, {novel_op, 8}), LOGS(FIT_CONV, TANH), 0, 3);
    /* a surplus on one side only */
    assert_unlike(ALONE, OPS({tanh_op, 7}, {tanh_op, 8}), LOGS(NOVEL), 1, 2);
}

/* A normalization is part of the convolution before it, or runs as a convolution. */
static void normalizations_may_run_as_convolutions(void **state) {
    (void)state;
    assert_unlike(ALONE, OPS({convolution, 7}, {batch_norm, 8}), LOGS(FIT_CONV), 0, 2);
    assert_unlike(ALONE, OPS({batch_norm, 8}), LOGS(FIT_CONV), 0, 1);
    assert_unlike(ALONE, OPS({batch_norm, 8}), LOGS(TANH), 1, 1);
}

/* ---- handles --------------------------------------------------------------------------------- */

static void operators_that_share_a_handle_need_no_event(void **state) {
    (void)state;
    assert_unlike(ALONE, OPS({tanh_op, 8}, {tanh_op, 8}), LOGS(TANH), 0, 1);
    assert_unlike(ALONE, OPS({convolution, 7}, {tanh_op, 8}, {convolution, 8}, {tanh_op, 9}),
                  LOGS(FIT_CONV, TANH), 0, 4);
    assert_unlike(ALONE, OPS({convolution, 7}, {tanh_op, 0}), LOGS(FIT_CONV), 0, 2);
}

static void an_operator_whose_handle_another_instruction_has_needs_no_event(void **state) {
    (void)state;
    const op ops[] = {{convolution, 7}, {tanh_op, 8}};
    assert_unlike("{\"0\": [7, 8], \"1\": [9, 8]}", ops, 2, LOGS(FIT_CONV), 0, 2);
    assert_unlike("{\"0\": [7, 8], \"1\": [9]}", ops, 2, LOGS(FIT_CONV), 1, 3);
    assert_unlike("{\"0\": [7, 8, 8], \"1\": [9]}", ops, 2, LOGS(FIT_CONV), 1, 3);
    assert_unlike("{\"0\": [7, 8], \"1\": [7]}", ops, 2, LOGS(TANH), 0, 2);
}

/* ---- quantized numbers ----------------------------------------------------------------------- */

static void assert_quantized_otherwise(const op *ops, size_t n_ops, const char *name,
                                       bool expected) {
    fixture f;
    open_fixture(&f, ALONE);
    set_call(&f, ops, n_ops, &name, 1);
    assert_true(eti__record_fit_add(&f.fit, &f.call));
    assert_int_equal(f.fit.n_unlike, 0);
    assert_int_equal(eti__record_quantizes_otherwise(&f.fit), expected);
    assert_int_equal(eti__record_is_foreign(&f.fit), expected);
    close_fixture(&f);
}

static void only_one_of_record_and_events_quantizes(void **state) {
    (void)state;
    assert_quantized_otherwise(OPS({quantize, 0}, {convolution, 7}), FIT_CONV, true);
    assert_quantized_otherwise(OPS({quantize, 0}, {convolution, 7}),
                               "Convolution (NHWC, QC8) IGEMM #1", false);
    assert_quantized_otherwise(OPS({convolution, 7}), "Convolution (NHWC, QC8) IGEMM #1", true);
    assert_quantized_otherwise(OPS({convolution, 7}), FIT_CONV, false);
    /* 8-bit numbers may be either */
    assert_quantized_otherwise(OPS({quantize, 0}, {permute, 7}), "Transpose (ND, X8) #1", false);
    assert_quantized_otherwise(OPS({permute, 7}), "Transpose (ND, X8) #1", false);
}

static void what_was_not_judged_does_not_quantize_otherwise(void **state) {
    (void)state;
    assert_false(eti__record_quantizes_otherwise(&(eti_record_fit){.runs_quantized = true}));
}

/* ---- all calls ------------------------------------------------------------------------------- */

static void more_than_one_in_32_is_another_model(void **state) {
    (void)state;
    assert_true(eti__record_is_foreign(&(eti_record_fit){.n_compared = 31, .n_unlike = 1}));
    assert_false(eti__record_is_foreign(&(eti_record_fit){.n_compared = 32, .n_unlike = 1}));
    assert_true(eti__record_is_foreign(&(eti_record_fit){.n_compared = 63, .n_unlike = 2}));
    assert_false(eti__record_is_foreign(&(eti_record_fit){.n_compared = 64, .n_unlike = 2}));
    assert_false(eti__record_is_foreign(&(eti_record_fit){.n_compared = 0, .n_unlike = 0}));
}

static void calls_add_up_and_those_of_one_record_count_once(void **state) {
    (void)state;
    fixture f;
    open_fixture(&f, ALONE);
    set_call(&f, OPS({convolution, 7}), LOGS(TANH));
    assert_true(eti__record_fit_add(&f.fit, &f.call));
    assert_true(eti__record_fit_add(&f.fit, &f.call));
    assert_int_equal(f.fit.n_unlike, 2);
    assert_int_equal(f.fit.n_compared, 2);
    const eti_event_record another = f.known;
    f.event.known = &another;
    assert_true(eti__record_fit_add(&f.fit, &f.call));
    assert_int_equal(f.fit.n_unlike, 4);
    assert_int_equal(f.fit.n_compared, 4);
    eti__record_fit_begin(&f.fit, f.record, 0);
    assert_int_equal(f.fit.n_unlike, 0);
    assert_int_equal(f.fit.n_compared, 0);
    assert_true(eti__record_fit_add(&f.fit, &f.call));
    assert_int_equal(f.fit.n_unlike, 2);
    close_fixture(&f);
}

static void other_backends_and_calls_without_operators_are_not_judged(void **state) {
    (void)state;
    fixture f;
    open_fixture(&f, ALONE);
    set_call(&f, OPS({convolution, 7}), LOGS(TANH));
    f.backend.backend_name = eti__text_of("CoreMLBackend");
    assert_true(eti__record_fit_add(&f.fit, &f.call));
    f.backend.backend_name = eti__text_of("XnnpackBackend");
    f.known.n_op_nodes = 0;
    assert_true(eti__record_fit_add(&f.fit, &f.call));
    f.known.n_op_nodes = 65537;
    assert_true(eti__record_fit_add(&f.fit, &f.call));
    assert_int_equal(f.fit.n_compared, 0);
    assert_int_equal(f.fit.judged.count, 0);
    close_fixture(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_that_fit_are_taken_in_order),
        cmocka_unit_test(optional_operators_take_no_part),
        cmocka_unit_test(only_what_is_left_is_nothing),
        cmocka_unit_test(clamps_take_part_where_all_run),
        cmocka_unit_test(a_chain_has_one_order),
        cmocka_unit_test(branches_alike_are_not_known),
        cmocka_unit_test(kinds_are_alike_through_others),
        cmocka_unit_test(needs_pass_through_what_takes_no_part),
        cmocka_unit_test(long_chains_are_followed_up_to_a_limit),
        cmocka_unit_test(order_does_not_matter),
        cmocka_unit_test(each_event_needs_an_operator_and_each_operator_an_event),
        cmocka_unit_test(what_is_fused_or_inserted_is_not_compared),
        cmocka_unit_test(what_has_no_known_kind_is_a_counterpart_of_anything),
        cmocka_unit_test(normalizations_may_run_as_convolutions),
        cmocka_unit_test(operators_that_share_a_handle_need_no_event),
        cmocka_unit_test(an_operator_whose_handle_another_instruction_has_needs_no_event),
        cmocka_unit_test(only_one_of_record_and_events_quantizes),
        cmocka_unit_test(what_was_not_judged_does_not_quantize_otherwise),
        cmocka_unit_test(more_than_one_in_32_is_another_model),
        cmocka_unit_test(calls_add_up_and_those_of_one_record_count_once),
        cmocka_unit_test(other_backends_and_calls_without_operators_are_not_judged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
