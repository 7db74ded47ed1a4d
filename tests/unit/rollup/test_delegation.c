#include "seen_fixture.h"

#include "inspector_fixture.h"

#include "rollup/delegation.h"
#include "rollup/rollup.h"

#include <math.h>

/* ==== delegation ============================================================================== */
/*
 * Durations are powers of two, so that a sum shows what was added.
 */

#define MS UINT64_C(1000000)
#define DELEGATES                                                                                  \
    "{\"1\": {\"name\": \"Npu\", \"delegate_map\": {}}, \"3\": {\"name\": \"Npu\", "               \
    "\"delegate_map\": {}}, \"5\": {\"name\": \"Gpu\", \"delegate_map\": {}}}"
#define HANDLES "{\"1\": [1], \"3\": [3], \"5\": [5]}"
#define EDGE EDGE_PROGRAM(NODE("a", "1", "L__self__,,M"))

/* Adds an instruction of the runtime, whose name says which kind it is. */
#define STEP(b, event_name, id, start, end)                                                        \
    TIMED(b, .name = (event_name), .instruction_id = SOME(id), .start_time = (start)*MS,           \
          .end_time = (end)*MS)
#define DELEGATED(b, debug_id, id, start, end)                                                     \
    TIMED(b, .delegate_id_str = (debug_id), .instruction_id = SOME(id), .start_time = (start)*MS,  \
          .end_time = (end)*MS)

static eti_delegation make_delegation(const eti_inspector *inspector) {
    const eti_view_options options = ETI_VIEW_OPTIONS_DEFAULT;
    eti_error err = ETI_ERROR_INIT;
    eti_delegation out;
    assert_ok(eti__delegation_make(&out, inspector, &options, true, &err));
    return out;
}

static void assert_ms(eti_time_sum time, uint64_t ms) {
    assert_int_equal(time.total.high, 0);
    assert_int_equal(time.total.low, ms * MS);
}

static void assert_backend(const eti_delegation *d, size_t i, const char *name, uint64_t n_calls,
                           uint64_t n_operators, uint64_t ms) {
    const eti_backend_cost *backend = &d->backends[i];
    assert_text(backend->name, name);
    assert_int_equal(backend->n_calls, n_calls);
    assert_int_equal(backend->n_operators, n_operators);
    assert_ms(backend->cost.time, ms);
    assert_false(backend->has_bytes);
}

static void assert_saving(const eti_saving *saving, uint64_t ms, uint64_t copies,
                          uint64_t overhead) {
    assert_ms(saving->cost.time, ms);
    assert_ms(saving->copies.time, copies);
    assert_ms(saving->bound, ms + copies);
    assert_ms(saving->overhead, overhead);
}

static void assert_op(const eti_delegation *d, size_t i, const char *name, uint64_t n_calls,
                      uint64_t n_splits, uint64_t ms, uint64_t copies, uint64_t overhead) {
    const eti_outside_op *op = &d->outside[i];
    assert_text(op->name, name);
    assert_int_equal(op->n_calls, n_calls);
    assert_int_equal(op->n_splits, n_splits);
    assert_saving(&op->saving, ms, copies, overhead);
}

static void assert_split(const eti_delegation *d, size_t i, const char *op, size_t n, uint64_t ms,
                         uint64_t copies, uint64_t overhead) {
    const eti_split *split = &d->splits[i];
    const eti_step *step = &d->steps.all.items[d->steps.order[split->first]];
    assert_text(d->steps.names.texts.texts[step->key.name], op);
    assert_int_equal(split->end - split->first, n);
    assert_saving(&split->saving, ms, copies, overhead);
}

/* Adds a convolution followed by a transpose; a relu with a conversion before it and a copy outside; a delegate that logs
 * nothing; and a final kernel, which splits nothing. */
static place put_split_run(builder *b) {
    return RUN(b, "Execute",
               /* 0..16: conv 8, transpose 4, not logged 4 */
               DELEGATED(b, "Convolution (NHWC) #1", 1, 0, 8),
               DELEGATED(b, "Transpose (ND) #1", 1, 8, 12), STEP(b, "DELEGATE_CALL", 1, 0, 16),
               /* 16..51: mul 32, 3 around it */
               STEP(b, "native_call_mul.out", 2, 17, 49), STEP(b, "OPERATOR_CALL", 2, 16, 51),
               /* 51..116: conversion 64 - 1, not logged 1 */
               DELEGATED(b, "Convert (NC) #1", 3, 51, 52),
               DELEGATED(b, "Clamp (NC) #1", 3, 52, 115), STEP(b, "DELEGATE_CALL", 3, 51, 116),
               /* 116..244: a copy */
               STEP(b, "native_call__to_copy.out", 4, 116, 244),
               STEP(b, "DELEGATE_CALL", 5, 244, 500), STEP(b, "native_call_mul.out", 6, 500, 1012),
               STEP(b, "Method::execute", 7, 0, 1012));
}

static void operators_between_delegates_are_found(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(&s, DUMP(b, put_split_run(b)),
                 &(record_spec){.handles = HANDLES, .delegates = DELEGATES, .edge = EDGE});
    eti_delegation d = make_delegation(s.inspector);
    assert_int_equal(d.n_backends, 4);
    assert_backend(&d, 0, "Gpu", 1, 0, 256);
    assert_backend(&d, 1, "Npu", 2, 4, 16 + 65);
    assert_backend(&d, 2, ETI_GROUP_NOT_DELEGATED, 3, 3, 32 + 128 + 512);
    assert_backend(&d, 3, ETI_GROUP_FRAMEWORK, 0, 0, 3);
    assert_true(d.backends[2].has_calls && !d.backends[3].has_calls);
    assert_bits(d.backends[1].cost.p50, 81);

    assert_int_equal(d.n_splits, 2);
    /* only a copy; a delegate that logs nothing has no known overhead */
    assert_split(&d, 0, "native_call__to_copy.out", 1, 0, 128, 0);
    assert_true(isnan(d.splits[0].saving.cost.p50));
    /* mul, the transpose before it, the conversion after it; 3 around it and an overhead of 1 */
    assert_split(&d, 1, "native_call_mul.out", 1, 32, 4 + 1, 4);
    assert_bits(d.splits[1].saving.copies.p50, 5);

    assert_int_equal(d.n_outside, 2);
    assert_op(&d, 0, "native_call_mul.out", 2, 1, 32 + 512, 5, 4);
    assert_op(&d, 1, "native_call__to_copy.out", 1, 1, 128, 0, 0);
    eti__delegation_free(&d);
    close_session(&s);
}

/* A split has the place of the operator that takes the most time: the first of equal ones, and no copy beside others. */
static void the_longest_operator_stands_for_a_split(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(
        &s,
        DUMP(b,
             RUN(b, "Execute", STEP(b, "DELEGATE_CALL", 1, 0, 1),
                 STEP(b, "native_call_clone.out", 2, 1, 33),
                 STEP(b, "native_call_a.out", 3, 33, 35), STEP(b, "native_call_b.out", 4, 35, 39),
                 STEP(b, "native_call_b.out", 5, 39, 43), STEP(b, "DELEGATE_CALL", 6, 43, 44),
                 STEP(b, "native_call_clone.out", 7, 44, 45),
                 STEP(b, "native_call_clone.out", 8, 45, 47), STEP(b, "DELEGATE_CALL", 9, 47, 48))),
        NULL);
    eti_delegation d = make_delegation(s.inspector);
    assert_int_equal(d.n_splits, 2);
    assert_split(&d, 0, "native_call_clone.out", 4, 10, 32, 0);
    assert_int_equal(d.splits[0].longest, d.splits[0].first + 2);
    assert_split(&d, 1, "native_call_clone.out", 2, 0, 3, 0);
    assert_int_equal(d.splits[1].longest, d.splits[1].first + 1);
    eti__delegation_free(&d);
    close_session(&s);
}

/* Two operators in one split: neither of them alone would join two calls into one. */
static void an_operator_closes_only_splits_of_its_own(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(
        &s,
        DUMP(b, RUN(b, "Execute", DELEGATED(b, "Transpose (ND) #1", 1, 0, 1),
                    STEP(b, "DELEGATE_CALL", 1, 0, 1), STEP(b, "native_call_a.out", 2, 1, 3),
                    STEP(b, "native_call_b.out", 3, 3, 7), STEP(b, "DELEGATE_CALL", 4, 7, 15))),
        NULL);
    eti_delegation d = make_delegation(s.inspector);
    assert_backend(&d, 0, ETI_GROUP_UNKNOWN, 2, 1, 9);
    assert_int_equal(d.n_splits, 1);
    /* a call that only copies has its copies at its start */
    assert_split(&d, 0, "native_call_a.out", 2, 6, 0, 0);
    assert_op(&d, 0, "native_call_b.out", 1, 1, 4, 0, 0);
    assert_op(&d, 1, "native_call_a.out", 1, 1, 2, 0, 0);
    eti__delegation_free(&d);
    close_session(&s);
}

/* A transpose that the model asks for is an operator, even at the edge of a call. */
static void transposes_of_the_model_are_no_copies(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(
        &s,
        DUMP(b,
             RUN(b, "Execute", DELEGATED(b, "Clamp (NC) #1", 1, 0, 1),
                 DELEGATED(b, "Transpose (ND) #1", 1, 1, 3), STEP(b, "DELEGATE_CALL", 1, 0, 3),
                 STEP(b, "native_call_a.out", 2, 3, 7), DELEGATED(b, "Transpose (ND) #2", 3, 7, 15),
                 DELEGATED(b, "Clamp (NC) #2", 3, 15, 31), STEP(b, "DELEGATE_CALL", 3, 7, 31))),
        &(record_spec){
            .handles = "{\"1\": [1], \"3\": [2]}",
            .delegates =
                "{\"1\": {\"name\": \"Npu\", \"delegate_map\": {\"Transpose (ND) #1\": [1]}}, "
                "\"3\": {\"name\": \"Npu\", \"delegate_map\": {\"Transpose (ND) #2\": [2]}}}",
            .edge = EDGE_PROGRAM(NODE("permute_copy", "1", "L__self__,,M") "," NODE(
                "convolution", "2", "L__self__,,M"))});
    eti_delegation d = make_delegation(s.inspector);
    assert_int_equal(d.n_splits, 1);
    assert_split(&d, 0, "native_call_a.out", 1, 4, 8, 0);
    eti__delegation_free(&d);
    close_session(&s);
}

/* No delegate can take a jump: the calls stay apart, with their overhead and the copies at their edges. */
static void jumps_keep_delegate_calls_apart(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(
        &s,
        DUMP(b, RUN(b, "Execute", DELEGATED(b, "Clamp (NC) #1", 1, 0, 1),
                    DELEGATED(b, "Transpose (ND) #1", 1, 1, 3), STEP(b, "DELEGATE_CALL", 1, 0, 7),
                    STEP(b, "native_call_a.out", 2, 7, 9), STEP(b, "JF_CALL", 3, 9, 10),
                    STEP(b, "native_call_a.out", 4, 10, 11), STEP(b, "DELEGATE_CALL", 5, 11, 12))),
        NULL);
    eti_delegation d = make_delegation(s.inspector);
    assert_int_equal(d.n_splits, 1);
    assert_split(&d, 0, "native_call_a.out", 2, 3, 0, 0);
    assert_true(d.splits[0].has_control_flow);
    assert_op(&d, 0, "native_call_a.out", 2, 2, 3, 0, 0);
    eti__delegation_free(&d);
    close_session(&s);
}

/* The blocks take different branches between two calls: their kernels are one row, in order of the instructions. Another
 * pair of calls has another row; jumps outside of calls have none. */
static void branches_of_all_blocks_are_one_split(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(
        &s,
        DUMP(b,
             RUN(b, "Execute", STEP(b, "native_call_a.out", 0, 0, 1), STEP(b, "JF_CALL", 1, 1, 2),
                 STEP(b, "DELEGATE_CALL", 2, 2, 3), STEP(b, "native_call_a.out", 3, 3, 5),
                 STEP(b, "JF_CALL", 4, 5, 6), STEP(b, "native_call_c.out", 6, 6, 10),
                 STEP(b, "DELEGATE_CALL", 7, 10, 11), STEP(b, "JF_CALL", 8, 11, 12),
                 STEP(b, "DELEGATE_CALL", 9, 12, 13), STEP(b, "native_call_a.out", 10, 13, 14),
                 STEP(b, "MOVE_CALL", 11, 14, 15)),
             RUN(b, "Execute", STEP(b, "native_call_a.out", 0, 20, 21),
                 STEP(b, "JF_CALL", 1, 21, 22), STEP(b, "DELEGATE_CALL", 2, 22, 23),
                 STEP(b, "native_call_a.out", 3, 23, 25), STEP(b, "JF_CALL", 4, 25, 26),
                 STEP(b, "native_call_b.out", 5, 26, 34), STEP(b, "DELEGATE_CALL", 7, 34, 35),
                 STEP(b, "JF_CALL", 8, 35, 36), STEP(b, "native_call_d.out", 12, 36, 68),
                 STEP(b, "DELEGATE_CALL", 9, 68, 69))),
        &(record_spec){.handles = "{\"2\": [1]}",
                       .delegates = "{\"2\": {\"name\": \"Npu\", \"delegate_map\": {}}}",
                       .edge = EDGE});
    eti_delegation d = make_delegation(s.inspector);
    assert_int_equal(d.steps.rollup.runs.n_blocks, 2);
    assert_int_equal(d.n_splits, 2);
    assert_split(&d, 0, "native_call_d.out", 1, 32, 0, 0);
    assert_split(&d, 1, "native_call_a.out", 3, 2 + 2 + 4 + 8, 0, 0);
    static const int32_t instructions[] = {2, 3, 5, 6, 7};
    for (size_t i = 0; i < COUNT_OF(instructions); i++) {
        uint32_t step = d.steps.order[d.splits[1].first - 1 + i];
        assert_int_equal(d.steps.all.items[step].key.instruction, instructions[i]);
    }
    for (size_t i = 0; i < d.n_outside; i++) {
        bool is_a = eti__text_is(d.outside[i].name, "native_call_a.out");
        assert_int_equal(d.outside[i].n_calls, is_a ? 3 : 1);
        assert_int_equal(d.outside[i].n_splits, 1);
    }
    eti__delegation_free(&d);
    close_session(&s);
}

/* ---- beside copies, and in several blocks ---------------------------------------------------- */

/* A copy in a split belongs to the operator beside it; one among a delegate's operators is the delegate's work. */
static void copies_go_with_the_operator_beside_them(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(
        &s,
        DUMP(b,
             RUN(b, "Execute", DELEGATED(b, "Clamp (NC) #1", 1, 0, 1),
                 DELEGATED(b, "Convert (NC) #1", 1, 1, 3), DELEGATED(b, "Clamp (NC) #2", 1, 3, 7),
                 STEP(b, "DELEGATE_CALL", 1, 0, 7), STEP(b, "native_call_clone.out", 2, 7, 15),
                 STEP(b, "native_call_mul.out", 3, 15, 31), STEP(b, "DELEGATE_CALL", 4, 31, 63))),
        NULL);
    eti_delegation d = make_delegation(s.inspector);
    assert_int_equal(d.n_splits, 1);
    assert_split(&d, 0, "native_call_clone.out", 2, 16, 8, 0);
    assert_op(&d, 0, "native_call_mul.out", 1, 1, 16, 8, 0);
    assert_op(&d, 1, "native_call_clone.out", 1, 1, 8, 0, 0);
    assert_true(d.outside[1].is_copy && !d.outside[0].is_copy);
    eti__delegation_free(&d);
    close_session(&s);
}

/* Two blocks run the program's only method: its steps and splits are counted once, its times twice. */
static void blocks_of_one_method_have_the_same_splits(void **state) {
    (void)state;
    seen s = {0};
    builder *b = &s.session.b;
    s.program.n_operators = 1;
    add_payload(&s, NODES(XNODE(TANH, 1)));
    add_call(&s.program, A_KERNEL_CALL, 0, I32S(&s.program.b, 0));
    add_delegate_bytes(&s, "Npu", "other", 5);
#define ONE_RUN(name, at)                                                                          \
    RUN(b, name, DELEGATED(b, "TanH (NC) #1", 0, (at), (at) + 1),                                  \
        STEP(b, "DELEGATE_CALL", 0, (at), (at) + 1),                                               \
        STEP(b, "native_call_add.out", 1, (at) + 1, (at) + 3),                                     \
        STEP(b, "DELEGATE_CALL", 2, (at) + 3, (at) + 7))
    open_seen(&s, DUMP(b, ONE_RUN("Execute", 8), ONE_RUN("Again", 16)), NULL);
    eti_delegation d = make_delegation(s.session.inspector);
    assert_int_equal(d.n_backends, 4);
    /* each call has the backend that the program names for it */
    assert_text(d.backends[0].name, "Npu");
    assert_ms(d.backends[0].cost.time, 2 * 4);
    assert_int_equal(d.backends[0].n_bytes, 5);
    assert_true(d.has_bytes && d.backends[0].has_bytes);
    assert_text(d.backends[1].name, "XnnpackBackend");
    assert_int_equal(d.backends[1].n_calls, 1);
    assert_int_equal(d.backends[1].n_operators, 1);
    assert_int_equal(d.n_splits, 1);
    assert_ms(d.splits[0].saving.cost.time, 2 * 2);
    assert_op(&d, 0, "native_call_add.out", 1, 1, 2 * 2, 0, 0);
    eti__delegation_free(&d);
    close_seen(&s);
}

/* A program whose instructions do not match the run, and one whose payload has other operators than those logged. */
static void a_program_of_another_export_is_not_used(void **state) {
    (void)state;
    seen s = {0};
    builder *b = &s.session.b;
    add_delegate_bytes(&s, "Npu", "other", 5);
    open_seen(&s,
              DUMP(b, RUN(b, "Execute", STEP(b, "DELEGATE_CALL", 7, 0, 1),
                          STEP(b, "native_call_add.out", 8, 1, 3))),
              NULL);
    eti_delegation d = make_delegation(s.session.inspector);
    assert_backend(&d, 0, ETI_GROUP_UNKNOWN, 1, 0, 1);
    assert_false(d.has_bytes);
    eti__delegation_free(&d);
    close_seen(&s);
    s = (seen){0};
    add_payload(&s, NODES(XNODE(TANH, 1), XNODE(TANH, 2)));
    open_seen(&s,
              DUMP(b, RUN(b, "Execute", DELEGATED(b, "Convolution (NHWC, F32) IGEMM #1", 0, 0, 1),
                          DELEGATED(b, "Convolution (NHWC, F32) IGEMM #2", 0, 1, 2),
                          STEP(b, "DELEGATE_CALL", 0, 0, 2))),
              NULL);
    assert_true(s.session.inspector->blocks.blocks[0].has_other_payloads);
    d = make_delegation(s.session.inspector);
    assert_backend(&d, 0, "XnnpackBackend", 1, 2, 2);
    assert_false(d.has_bytes);
    eti__delegation_free(&d);
    close_seen(&s);
}

/* Two delegates may have one payload. */
static void payloads_are_counted_once(void **state) {
    (void)state;
    seen s = {0};
    builder *b = &s.session.b;
    add_delegate_bytes(&s, "Npu", "other", 5);
    add_delegate_of(&s.program, "Npu", false, 0);
    add_call(&s.program, A_DELEGATE_CALL, 1, I32S(&s.program.b, 0));
    open_seen(&s,
              DUMP(b, RUN(b, "Execute", STEP(b, "DELEGATE_CALL", 0, 0, 1),
                          STEP(b, "DELEGATE_CALL", 1, 1, 3))),
              NULL);
    eti_delegation d = make_delegation(s.session.inspector);
    assert_text(d.backends[0].name, "Npu");
    assert_int_equal(d.backends[0].n_calls, 2);
    assert_int_equal(d.backends[0].n_bytes, 5);
    eti__delegation_free(&d);
    close_seen(&s);
}

static eti_inspector *open_program(const char *path) {
    const eti_source program = {.path = path};
    const eti_inputs inputs = {.programs = &program, .n_programs = 1};
    eti_inspector *inspector;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__inspector_open(&inspector, &inputs, NULL, &err));
    return inspector;
}

/* Payloads have the same size where two files store them in different places. */
static void a_program_alone_has_no_times(void **state) {
    (void)state;
    static const char *const paths[] = {"testdata/xnnpack-conv/model.pte",
                                        "testdata/xnnpack-conv/inline.pte"};
    for (size_t i = 0; i < 2; i++) {
        eti_inspector *inspector = open_program(paths[i]);
        eti_delegation d = make_delegation(inspector);
        assert_false(d.steps.has_times);
        assert_int_equal(d.n_backends, 2);
        assert_text(d.backends[0].name, "XnnpackBackend");
        assert_true(d.backends[0].has_bytes && d.backends[0].n_bytes > 0);
        assert_true(d.backends[0].n_operators > 0);
        assert_true(isnan(d.backends[0].cost.p50));
        assert_text(d.backends[1].name, ETI_GROUP_NOT_DELEGATED);
        eti__delegation_free(&d);
        eti_inspector_close(inspector);
    }
}

/* ==== steps =================================================================================== */

/* Adds a kernel of 1 ms. */
#define KERNEL(b, event_name, id)                                                                  \
    TIMED(b, .name = (event_name), .instruction_id = SOME(id),                                     \
          .start_time = (id)*UINT64_C(1000000), .end_time = ((id) + 1) * UINT64_C(1000000))

static eti_steps make_steps(const eti_inspector *inspector) {
    const eti_view_options options = ETI_VIEW_OPTIONS_DEFAULT;
    eti_error err = ETI_ERROR_INIT;
    eti_steps out;
    assert_ok(eti__steps_make(&out, inspector, &options, &err));
    return out;
}

static const eti_step *step_called(const eti_steps *steps, const char *name) {
    for (size_t i = 0; i < steps->all.count; i++) {
        const eti_step *step = &steps->all.items[i];
        if (eti__text_is(steps->names.texts.texts[step->key.name], name))
            return step;
    }
    fail_msg("there is no %s", name);
    return NULL;
}

static void copies_are_known_by_their_names(void **state) {
    (void)state;
    static const char *const copies[] = {"native_call__to_dim_order_copy.out",
                                         "native_call__clone_dim_order.out",
                                         "native_call__to_copy.out",
                                         "native_call_clone.out",
                                         "native_call_quantize_per_tensor.out",
                                         "native_call_dequantize_per_channel.out"};
    static const char *const others[] = {"native_call_permute_copy.out", "native_call_clones.out",
                                         "native_call_slice_copy.Tensor_out"};
    session s = {0};
    builder *b = &s.b;
    open_session(
        &s,
        DUMP(b, RUN(b, "Execute", KERNEL(b, copies[0], 0), KERNEL(b, copies[1], 1),
                    KERNEL(b, copies[2], 2), KERNEL(b, copies[3], 3), KERNEL(b, copies[4], 4),
                    KERNEL(b, copies[5], 5), KERNEL(b, others[0], 6), KERNEL(b, others[1], 7),
                    KERNEL(b, others[2], 8))),
        NULL);
    eti_steps steps = make_steps(s.inspector);
    assert_true(steps.has_times);
    assert_int_equal(steps.all.count, 9);
    for (size_t i = 0; i < sizeof copies / sizeof *copies; i++)
        assert_true(step_called(&steps, copies[i])->is_copy);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(step_called(&steps, others[i])->is_copy);
    eti__steps_free(&steps);
    close_session(&s);
}

/* Work that a run does once for each of two inputs counts as one step. */
static void blocks_of_one_method_share_steps(void **state) {
    (void)state;
    const eti_source dump = {.path = "testdata/bundled-inputs/run.etdp"};
    const eti_source record = {.path = "testdata/bundled-inputs/record.etrecord"};
    const eti_inputs inputs = {.etdumps = &dump, .n_etdumps = 1, .etrecord = &record};
    for (int with_record = 0; with_record < 2; with_record++) {
        eti_inputs of = inputs;
        eti_inspector *inspector;
        eti_error err = ETI_ERROR_INIT;
        if (!with_record)
            of.etrecord = NULL;
        assert_ok(eti__inspector_open(&inspector, &of, NULL, &err));
        eti_steps steps = make_steps(inspector);
        size_t n_blocks = steps.rollup.runs.n_blocks, n_barriers = 0;
        assert_true(n_blocks > 1);
        for (size_t i = 0; i < steps.n_order; i++)
            n_barriers += steps.order[i] == ETI_FIRST_STEP;
        assert_int_equal(n_barriers, n_blocks);
        /* each block has all steps in order */
        assert_int_equal((steps.n_order - n_barriers) / (with_record ? n_blocks : 1),
                         steps.all.count);
        eti__steps_free(&steps);
        eti_inspector_close(inspector);
    }
}

/* Instructions of all methods are listed; jumps and moves are barriers, and instructions that free a value are ignored. */
static void programs_have_steps(void **state) {
    (void)state;
    const eti_source program = {.path = "testdata/control-flow/model.pte"};
    const eti_inputs inputs = {.programs = &program, .n_programs = 1};
    eti_inspector *inspector;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__inspector_open(&inspector, &inputs, NULL, &err));
    eti_steps steps = make_steps(inspector);
    const eti_pte_plan *plan = &inspector->programs[0].plans[0];
    size_t n_kernels = 0, n_barriers = 0, n = 0;
    for (uint32_t i = 0; i < plan->chains[0].n_instructions; i++) {
        uint8_t kind = plan->chains[0].instructions[i].kind;
        n_kernels += kind == ETI_PTE_KERNEL_CALL;
        n_barriers += kind == ETI_PTE_MOVE_CALL || kind == ETI_PTE_JUMP_FALSE_CALL;
    }
    assert_true(n_barriers > 0);
    assert_false(steps.has_times);
    assert_int_equal(steps.all.count, n_kernels);
    for (size_t i = 0; i < steps.n_order; i++)
        n += steps.order[i] == ETI_NO_STEP;
    assert_int_equal(n, n_barriers);
    assert_int_equal(steps.order[0], ETI_FIRST_STEP);
    assert_int_equal(steps.n_order, 1 + n_kernels + n_barriers);
    eti__steps_free(&steps);
    eti_inspector_close(inspector);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operators_between_delegates_are_found),
        cmocka_unit_test(the_longest_operator_stands_for_a_split),
        cmocka_unit_test(an_operator_closes_only_splits_of_its_own),
        cmocka_unit_test(transposes_of_the_model_are_no_copies),
        cmocka_unit_test(jumps_keep_delegate_calls_apart),
        cmocka_unit_test(branches_of_all_blocks_are_one_split),
        cmocka_unit_test(copies_go_with_the_operator_beside_them),
        cmocka_unit_test(blocks_of_one_method_have_the_same_splits),
        cmocka_unit_test(a_program_of_another_export_is_not_used),
        cmocka_unit_test(payloads_are_counted_once),
        cmocka_unit_test(a_program_alone_has_no_times),
        cmocka_unit_test(copies_are_known_by_their_names),
        cmocka_unit_test(blocks_of_one_method_share_steps),
        cmocka_unit_test(programs_have_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
