/* Checks whether delegates logged the operators that a record lists for their calls. Expected counts were made by hand: for
 * each kind, the surplus of events over operators, or of operators over events. */
#include "record_builder.h"
#include "support.h"

#include "places/record_fit.h"

#define MOST 8

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

#define CONV "Convolution (NHWC, F32) IGEMM #1"
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
    assert_unlike(ALONE, OPS({convolution, 7}, {tanh_op, 8}), LOGS(TANH, CONV), 0, 4);
}

static void each_event_needs_an_operator_and_each_operator_an_event(void **state) {
    (void)state;
    assert_unlike(ALONE, OPS({convolution, 7}, {tanh_op, 8}), LOGS(CONV, TANH, TANH), 1, 5);
    assert_unlike(ALONE, OPS({convolution, 7}, {tanh_op, 8}, {tanh_op, 9}), LOGS(CONV, TANH), 1, 5);
    assert_unlike(ALONE, OPS({tanh_op, 8}), LOGS("Sigmoid (NC) #1"), 2, 2);
    assert_unlike(ALONE, OPS({tanh_op, 7}, {tanh_op, 8}, {tanh_op, 9}), LOGS(CONV), 4, 4);
}

static void what_is_fused_or_inserted_is_not_compared(void **state) {
    (void)state;
    assert_unlike(ALONE, OPS({convolution, 7}, {relu, 8}, {permute, 9}), LOGS(CONV), 0, 2);
    assert_unlike(ALONE, OPS({convolution, 7}), LOGS(TRANSPOSE, CONV, TRANSPOSE), 0, 2);
}

static void what_has_no_known_kind_is_a_counterpart_of_anything(void **state) {
    (void)state;
    assert_unlike(ALONE, OPS({convolution, 7}, {tanh_op, 8}), LOGS(CONV, NOVEL), 0, 3);
    assert_unlike(ALONE, OPS({convolution, 7}, {novel_op, 8}), LOGS(CONV, TANH), 0, 3);
    /* a surplus on one side only */
    assert_unlike(ALONE, OPS({tanh_op, 7}, {tanh_op, 8}), LOGS(NOVEL), 1, 2);
}

/* A normalization is part of the convolution before it, or runs as a convolution. */
static void normalizations_may_run_as_convolutions(void **state) {
    (void)state;
    assert_unlike(ALONE, OPS({convolution, 7}, {batch_norm, 8}), LOGS(CONV), 0, 2);
    assert_unlike(ALONE, OPS({batch_norm, 8}), LOGS(CONV), 0, 1);
    assert_unlike(ALONE, OPS({batch_norm, 8}), LOGS(TANH), 1, 1);
}

/* ---- handles --------------------------------------------------------------------------------- */

static void operators_that_share_a_handle_need_no_event(void **state) {
    (void)state;
    assert_unlike(ALONE, OPS({tanh_op, 8}, {tanh_op, 8}), LOGS(TANH), 0, 1);
    assert_unlike(ALONE, OPS({convolution, 7}, {tanh_op, 8}, {convolution, 8}, {tanh_op, 9}),
                  LOGS(CONV, TANH), 0, 4);
    assert_unlike(ALONE, OPS({convolution, 7}, {tanh_op, 0}), LOGS(CONV), 0, 2);
}

static void an_operator_whose_handle_another_instruction_has_needs_no_event(void **state) {
    (void)state;
    const op ops[] = {{convolution, 7}, {tanh_op, 8}};
    assert_unlike("{\"0\": [7, 8], \"1\": [9, 8]}", ops, 2, LOGS(CONV), 0, 2);
    assert_unlike("{\"0\": [7, 8], \"1\": [9]}", ops, 2, LOGS(CONV), 1, 3);
    assert_unlike("{\"0\": [7, 8, 8], \"1\": [9]}", ops, 2, LOGS(CONV), 1, 3);
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
    assert_quantized_otherwise(OPS({quantize, 0}, {convolution, 7}), CONV, true);
    assert_quantized_otherwise(OPS({quantize, 0}, {convolution, 7}),
                               "Convolution (NHWC, QC8) IGEMM #1", false);
    assert_quantized_otherwise(OPS({convolution, 7}), "Convolution (NHWC, QC8) IGEMM #1", true);
    assert_quantized_otherwise(OPS({convolution, 7}), CONV, false);
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
