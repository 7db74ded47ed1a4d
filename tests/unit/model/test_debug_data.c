#include "model_fixture.h"

#include "file_order.h"

#include "support.h"

#include "model/parts.h"

#include <time.h>

/* ==== debug data ============================================================================== */

/* Returns a buffer with two floats 1, 2 at 0, the same at 16, and 1, 3 at 32. */
static const struct eti_file *debug_buffer(void) {
    static float floats[16] = {1, 2, 0, 0, 1, 2, 0, 0, 1, 3};
    static struct eti_file file;
    file = (struct eti_file){.name = (char *)(uintptr_t) "buffer.bin",
                             .data = (const uint8_t *)floats,
                             .size = sizeof floats};
    return &file;
}

static eti_status fill(model *m) {
    eti_status status = ETI_OK;
    eti_debug_totals totals = {0};
    for (size_t i = 0; i < m->blocks.n_blocks && status == ETI_OK; i++)
        status =
            eti__debug_data_fill(&m->blocks.blocks[i], &m->arena, debug_buffer(), &totals, &m->err);
    return status;
}

#define NULL_VALUE(b) VALUE(b, .val = SOME(VAL_NULL))
#define BOOL_VALUE(b, truth) VALUE(b, .val = SOME(VAL_BOOL), .bool_value = put_bool((b), (truth)))
#define FLOAT_VALUE(b, x) VALUE(b, .val = SOME(VAL_FLOAT), .float_value = put_float((b), (x)))
#define DOUBLE_VALUE(b, x) VALUE(b, .val = SOME(VAL_DOUBLE), .double_value = put_double((b), (x)))
#define FLOATS(b, at) TENSOR_VALUE(b, TENSOR(b, TYPE_FLOAT, at, 2))
#define LIST_VALUE(b, ...)                                                                         \
    VALUE(b, .val = SOME(VAL_TENSOR_LIST), .tensor_list = put_tensor_list((b), PLACES(__VA_ARGS__)))

/* ---- values ---------------------------------------------------------------------------------- */

static void every_kind_of_value_is_made(void **state) {
    (void)state;
    model m = {0};
    builder *b = &m.b;
    place first = TENSOR(b, TYPE_FLOAT, 32, 1, 2), second = TENSOR(b, TYPE_LONG, 0, 1);
    build_model(&m, DUMP(b, RUN(b, "r", LOGGED(b, .value = INT_VALUE(b, -5)),
                                LOGGED(b, .value = BOOL_VALUE(b, 7)),
                                LOGGED(b, .value = FLOAT_VALUE(b, 0.1f)),
                                LOGGED(b, .value = DOUBLE_VALUE(b, 1e-20)),
                                LOGGED(b, .value = TENSOR_VALUE(b, first)),
                                LOGGED(b, .value = LIST_VALUE(b, second, first)),
                                LOGGED(b, .value = NULL_VALUE(b)),
                                LOGGED(b, .value = VALUE(b, .val = SOME(VAL_STRING))))));
    assert_int_equal(fill(&m), ETI_OK);
    const eti_values *of_event = m.blocks.blocks[0].debug_data[0];
    assert_int_equal(of_event->n, 8);
    const eti_value *values = of_event->values;
    static const eti_value_kind kinds[] = {
        ETI_VALUE_INT,    ETI_VALUE_BOOL,        ETI_VALUE_FLOAT, ETI_VALUE_DOUBLE,
        ETI_VALUE_TENSOR, ETI_VALUE_TENSOR_LIST, ETI_VALUE_NONE,  ETI_VALUE_NONE};
    for (size_t i = 0; i < 8; i++)
        assert_int_equal(values[i].kind, kinds[i]);
    assert_true(values[0].as_int == -5);
    assert_true(values[1].as_bool);
    /* exact, unlike values that passed through JSON */
    assert_bits(values[2].as_double, (double)0.1f);
    assert_bits(values[3].as_double, 1e-20);
    assert_int_equal(values[4].n_tensors, 1);
    assert_int_equal(values[5].n_tensors, 2);
    assert_int_equal(values[6].n_tensors, 0);

    const eti_tensor *tensor = values[4].tensors;
    assert_string_equal(tensor->dtype, "float32");
    assert_int_equal(tensor->scalar_type, TYPE_FLOAT);
    assert_int_equal(tensor->n_dims, 2);
    assert_int_equal(tensor->sizes[0], 1);
    assert_int_equal(tensor->sizes[1], 2);
    assert_int_equal(tensor->offset, 32);
    assert_int_equal(tensor->n_bytes, 8);
    assert_ptr_equal(tensor->data, debug_buffer()->data + 32);
    assert_string_equal(values[5].tensors[0].dtype, "int64");
    assert_string_equal(values[5].tensors[1].dtype, "float32");
    free_model(&m);
}

static void without_a_debug_buffer_tensors_have_no_data(void **state) {
    (void)state;
    model m = {0};
    builder *b = &m.b;
    build_model(&m, DUMP(b, RUN(b, "r", LOGGED(b, .value = FLOATS(b, 99999))),
                         RUN(b, "r", LOGGED(b, .value = FLOATS(b, 77777)))));
    eti_error err = ETI_ERROR_INIT;
    eti_debug_totals totals = {0};
    assert_ok(eti__debug_data_fill(&m.blocks.blocks[0], &m.arena, NULL, &totals, &err));
    const eti_tensor *tensor = m.blocks.blocks[0].debug_data[0]->values[0].tensors;
    assert_null(tensor->data);
    assert_int_equal(tensor->n_bytes, 0);
    assert_int_equal(tensor->sizes[0], 2);
    free_model(&m);
}

/* The offset -1 does not stand for the last byte of the buffer. */
static void contents_that_were_not_recorded_are_absent(void **state) {
    (void)state;
    model m = {0};
    builder *b = &m.b;
    place byte = TENSOR(b, TYPE_BYTE, -1, 1), there = TENSOR(b, TYPE_FLOAT, 0, 2),
          empty = TENSOR(b, TYPE_FLOAT, -1, 0), unknown = TENSOR(b, 99, -1, 2),
          gone = TENSOR(b, TYPE_FLOAT, -1, 2);
    build_model(
        &m,
        DUMP(b, RUN(b, "r", LOGGED(b, .value = TENSOR_VALUE(b, byte)),
                    LOGGED(b, .value = LIST_VALUE(b, gone, gone, there, empty, unknown, gone)))));
    eti_error err = ETI_ERROR_INIT;
    eti_debug_totals totals = {0};
    assert_ok(eti__debug_data_fill(&m.blocks.blocks[0], &m.arena, debug_buffer(), &totals, &err));
    const eti_value *values = m.blocks.blocks[0].debug_data[0]->values;
    assert_null(values[0].tensors[0].data);
    assert_int_equal(values[0].tensors[0].n_bytes, 0);
    assert_int_equal(values[0].tensors[0].offset, -1);
    for (size_t i = 0; i < 6; i++)
        assert_ptr_equal(values[1].tensors[i].data, i == 2 ? debug_buffer()->data : NULL);
    assert_int_equal(values[1].tensors[5].sizes[0], 2);
    assert_int_equal(totals.n_tensors[ETI_CONTENTS_NOT_RECORDED], 4);
    assert_int_equal(totals.n_tensors[ETI_CONTENTS_IN_BUFFER], 1);
    assert_int_equal(totals.n_tensors[ETI_CONTENTS_NONE], 2);
    free_model(&m);
}

static void an_empty_tensor_list_is_a_list(void **state) {
    (void)state;
    model m = {0};
    builder *b = &m.b;
    place list = put_tensor_list(b, NULL, 0);
    build_model(&m, DUMP(b, RUN(b, "r",
                                LOGGED(b, .value = VALUE(b, .val = SOME(VAL_TENSOR_LIST),
                                                         .tensor_list = list)))));
    assert_int_equal(fill(&m), ETI_OK);
    const eti_value *value = m.blocks.blocks[0].debug_data[0]->values;
    assert_int_equal(value->kind, ETI_VALUE_TENSOR_LIST);
    assert_int_equal(value->n_tensors, 0);
    free_model(&m);
}

/* ---- malformed ------------------------------------------------------------------------------- */

static void assert_refused(model *m, place dump, eti_status status, const char *what) {
    build_model(m, dump);
    assert_int_equal(fill(m), status);
    if (strcmp(m->err.message, what) != 0)
        fail_msg("expected: %s\nfound: %s", what, m->err.message);
    free_model(m);
}

static void a_value_without_its_content_is_malformed(void **state) {
    (void)state;
    static const char *const names[] = {"",       "Int",    "Bool",      "Float",
                                        "Double", "Tensor", "TensorList"};
    for (int type = VAL_INT; type <= VAL_TENSOR_LIST; type++) {
        char what[128];
        snprintf(
            what, sizeof what,
            "test.etdp: run 0: block r: a debug event says that it has a %s value, but has none",
            names[type]);
        model m = {0};
        builder *b = &m.b;
        place value = VALUE(b, .val = SOME(type),
                            .output = put_bool(b, (uint8_t)(type % 2))); /* outputs too */
        assert_refused(&m, DUMP(b, RUN(b, "r", LOGGED(b, .value = value))), ETI_ERROR_MALFORMED,
                       what);
    }
}

static void content_of_another_type_does_not_count(void **state) {
    (void)state;
    model m = {0};
    builder *b = &m.b;
    place value = VALUE(b, .val = SOME(VAL_INT), .double_value = put_double(b, 1.0));
    assert_refused(
        &m, DUMP(b, RUN(b, "r", LOGGED(b, .value = value))), ETI_ERROR_MALFORMED,
        "test.etdp: run 0: block r: a debug event says that it has a Int value, but has none");
}

static void unknown_value_types_are_malformed(void **state) {
    (void)state;
    static const int8_t types[] = {-128, -1, 8, 127};
    for (size_t i = 0; i < COUNT_OF(types); i++) {
        model m = {0};
        builder *b = &m.b;
        char what[128];
        snprintf(what, sizeof what,
                 "test.etdp: run 0: block r: a debug value has the unknown type %d", types[i]);
        assert_refused(&m,
                       DUMP(b, RUN(b, "r", LOGGED(b, .value = VALUE(b, .val = SOME(types[i]))))),
                       ETI_ERROR_MALFORMED, what);
    }
}

static void tensors_outside_the_buffer_are_malformed(void **state) {
    (void)state;
    model m = {0};
    builder *b = &m.b;
    assert_refused(
        &m, DUMP(b, RUN(b, "r", LOGGED(b, .value = FLOATS(b, 60)))), ETI_ERROR_MALFORMED,
        "test.etdp: run 0: block r: a tensor's 8 bytes at offset 60 lie outside the debug buffer "
        "buffer.bin of 64 bytes (is it the one that was written with this ETDump?)");
}

/* ---- several runs ---------------------------------------------------------------------------- */

/* Returns whether runs that recorded these two values may be inspected together. */
#define MATCH(a, c)                                                                                \
    match_of(&m, DUMP(&m.b, RUN(&m.b, "r", LOGGED(&m.b, .value = (a))),                            \
                      RUN(&m.b, "r", LOGGED(&m.b, .value = (c)))))

static bool match_of(model *m, place dump) {
    build_model(m, dump);
    assert_int_equal(m->blocks.n_blocks, 1);
    eti_status status = fill(m);
    if (status != ETI_OK) {
        assert_int_equal(status, ETI_ERROR_DATA);
        assert_non_null(strstr(m->err.message, "debug data: run 1 recorded other debug values"));
        assert_memory_equal(m->err.message, "test.etdp: block r: ", 20);
    }
    free_model(m);
    return status == ETI_OK;
}

static void equal_values_match(void **state) {
    (void)state;
    model m = {0};
    builder *b = &m.b;
    assert_true(MATCH(INT_VALUE(b, 5), INT_VALUE(b, 5)));
    assert_true(MATCH(NULL_VALUE(b), NULL_VALUE(b)));
    assert_true(MATCH(FLOATS(b, 0), FLOATS(b, 16)));
    assert_true(MATCH(FLOAT_VALUE(b, 0.0f), FLOAT_VALUE(b, -0.0f)));
    assert_true(MATCH(INT_VALUE(b, 1), BOOL_VALUE(b, 1))); /* 1 == True == 1.0 */
    assert_true(MATCH(INT_VALUE(b, 1), DOUBLE_VALUE(b, 1.0)));
    assert_true(MATCH(FLOAT_VALUE(b, 0.5f), DOUBLE_VALUE(b, 0.5)));
    assert_true(MATCH(LIST_VALUE(b, TENSOR(b, TYPE_FLOAT, 0, 2)),
                      LIST_VALUE(b, TENSOR(b, TYPE_FLOAT, 16, 2))));
    assert_true(MATCH(FLOATS(b, 0), FLOATS(b, -1))); /* one run had no room for it */
    assert_true(MATCH(FLOATS(b, -1), FLOATS(b, 32)));
}

static void other_values_do_not_match(void **state) {
    (void)state;
    model m = {0};
    builder *b = &m.b;
    assert_false(MATCH(INT_VALUE(b, 5), INT_VALUE(b, 6)));
    assert_false(MATCH(INT_VALUE(b, INT64_MAX), INT_VALUE(b, INT64_MAX - 1)));
    assert_false(MATCH(BOOL_VALUE(b, 0), BOOL_VALUE(b, 1)));
    assert_false(MATCH(FLOAT_VALUE(b, 0.1f), DOUBLE_VALUE(b, 0.1)));
    assert_false(MATCH(NULL_VALUE(b), INT_VALUE(b, 0)));
    assert_false(MATCH(INT_VALUE(b, 0), FLOATS(b, 0)));
    assert_false(MATCH(FLOATS(b, 0), FLOATS(b, 32)));
    assert_false(MATCH(FLOATS(b, 0), TENSOR_VALUE(b, TENSOR(b, TYPE_FLOAT, 0, 2, 1))));
    assert_false(MATCH(FLOATS(b, 0), TENSOR_VALUE(b, TENSOR(b, TYPE_FLOAT, -1, 2, 1))));
    assert_false(MATCH(FLOATS(b, 0), LIST_VALUE(b, TENSOR(b, TYPE_FLOAT, 0, 2))));
    assert_false(MATCH(LIST_VALUE(b, TENSOR(b, TYPE_FLOAT, 0, 2)),
                       LIST_VALUE(b, TENSOR(b, TYPE_FLOAT, 32, 2))));
}

static void lists_match_up_to_the_shorter_one(void **state) {
    (void)state;
    model m = {0};
    builder *b = &m.b;
    assert_true(MATCH(LIST_VALUE(b, TENSOR(b, TYPE_FLOAT, 0, 2)),
                      LIST_VALUE(b, TENSOR(b, TYPE_FLOAT, 16, 2), TENSOR(b, TYPE_LONG, 0, 2))));
}

static void the_first_runs_values_are_kept_and_longer_lists_pass(void **state) {
    (void)state;
    model m = {0};
    builder *b = &m.b;
    build_model(
        &m,
        DUMP(b,
             RUN(b, "r", LOGGED(b, .value = INT_VALUE(b, 1)), LOGGED(b, .value = INT_VALUE(b, 2))),
             RUN(b, "r", LOGGED(b, .value = INT_VALUE(b, 1))),
             RUN(b, "r", LOGGED(b, .value = INT_VALUE(b, 1)), LOGGED(b, .value = INT_VALUE(b, 2)),
                 LOGGED(b, .value = INT_VALUE(b, 3)))));
    assert_int_equal(fill(&m), ETI_OK);
    assert_int_equal(m.blocks.blocks[0].debug_data[0]->n, 2);
    free_model(&m);
}

static void two_profile_events_share_their_debug_data(void **state) {
    (void)state;
    model m = {0};
    builder *b = &m.b;
    build_model(&m, DUMP(b, RUN(b, "r", TIMED(b, .name = "a", .instruction_id = SOME(1)),
                                TIMED(b, .name = "b", .instruction_id = SOME(1)),
                                TIMED(b, .name = "c", .instruction_id = SOME(2)),
                                LOGGED(b, .instruction_id = SOME(1), .value = INT_VALUE(b, 7)))));
    assert_int_equal(fill(&m), ETI_OK);
    const eti_values *const *values = m.blocks.blocks[0].debug_data;
    assert_true(values[0]->values[0].as_int == 7);
    assert_true(values[1]->values[0].as_int == 7);
    assert_null(values[2]);
    free_model(&m);
}

#define CALL(b, event_name, chain)                                                                 \
    TIMED(b, .name = (event_name), .instruction_id = SOME(1), .chain_index = SOME(chain))
#define RESULT(b, chain, x)                                                                        \
    LOGGED(b, .instruction_id = SOME(1), .chain_index = SOME(chain), .value = INT_VALUE(b, x))

static void an_event_has_the_values_of_the_group_it_was_last_in(void **state) {
    (void)state;
    model m = {0};
    builder *b = &m.b;
    build_model(&m, DUMP(b, RUN(b, "r", CALL(b, "a", 0), CALL(b, "b", 0), CALL(b, "c", 0),
                                RESULT(b, 0, 7), CALL(b, "b", 1), RESULT(b, 1, 8))));
    assert_names(&m.blocks.blocks[0], "a b c");
    assert_int_equal(fill(&m), ETI_OK);
    const eti_values *const *values = m.blocks.blocks[0].debug_data;
    assert_true(values[0]->values[0].as_int == 7);
    assert_true(values[1]->values[0].as_int == 8);
    assert_ptr_equal(values[2], values[0]);
    free_model(&m);
}

static void values_shared_in_one_run_only_are_compared_for_each_event(void **state) {
    (void)state;
    static const char message[] = "test.etdp: block r: debug data: run 1 recorded other debug "
                                  "values than run 0: runs of the same name and events must have "
                                  "the same inputs to be inspected together; "
                                  "etinspect --no_debug_data ignores their tensors";
    model m = {0};
    builder *b = &m.b;
    place together = RUN(b, "r", CALL(b, "a", 0), CALL(b, "b", 0), RESULT(b, 0, 7));
    place apart = RUN(b, "r", CALL(b, "a", 0), RESULT(b, 0, 7), CALL(b, "b", 1), RESULT(b, 1, 8));
    assert_refused(&m, DUMP(b, together, apart), ETI_ERROR_DATA, message);
    b = &m.b;
    apart = RUN(b, "r", CALL(b, "a", 0), RESULT(b, 0, 7), CALL(b, "b", 1), RESULT(b, 1, 8));
    together = RUN(b, "r", CALL(b, "a", 0), CALL(b, "b", 0), RESULT(b, 0, 7));
    assert_refused(&m, DUMP(b, apart, together), ETI_ERROR_DATA, message);
}

enum { N_SHARED = 2000, SHARED_BYTES = 1 << 14 };

/* Makes as many profile events as debug events of one instruction; each debug event has a tensor at `offset`. */
static place put_product(builder *b, int64_t offset) {
    static place events[2 * N_SHARED];
    for (size_t i = 0; i < N_SHARED; i++) {
        char name[16];
        snprintf(name, sizeof name, "p%zu", i);
        events[i] = CALL(b, name, 0);
        events[N_SHARED + i] =
            LOGGED(b, .instruction_id = SOME(1), .chain_index = SOME(0),
                   .value = TENSOR_VALUE(b, TENSOR(b, TYPE_BYTE, offset, SHARED_BYTES)));
    }
    return put_run(b, &(run_spec){.name = "r", .events = put_tables(b, events, 2 * N_SHARED)});
}

/* Handling each event separately would take 4,000,000 values and comparisons of 16 KB: seconds. */
static void profile_times_debug_events_do_not_multiply(void **state) {
    (void)state;
    static uint8_t zeros[2 * SHARED_BYTES];
    struct eti_file buffer = {.name = (char *)(uintptr_t) "b", .data = zeros, .size = sizeof zeros};
    model m = {0};
    place first = put_product(&m.b, 0);
    build_model(&m, DUMP(&m.b, first, put_product(&m.b, SHARED_BYTES)));
    eti_event_block *block = &m.blocks.blocks[0];
    assert_int_equal(block->n_runs, 2);
    eti_debug_totals totals = {0};
    clock_t start = clock();
    assert_int_equal(eti__debug_data_fill(block, &m.arena, &buffer, &totals, &m.err), ETI_OK);
    assert_true(clock() - start < CLOCKS_PER_SEC);
    assert_int_equal(block->n_events, N_SHARED);
    for (size_t i = 0; i < N_SHARED; i++) {
        assert_int_equal(block->debug_data[i]->n, N_SHARED);
        assert_ptr_equal(block->debug_data[i], block->debug_data[0]);
    }
    free_model(&m);
}

/* Runs each record the same megabyte, at an offset that grows by one byte per run. */
static void tensors_may_overlap_only_so_much(void **state) {
    (void)state;
    enum { N_RUNS = 80, BYTES = 1 << 20 };
    static uint8_t zeros[BYTES + N_RUNS];
    struct eti_file buffer = {.name = (char *)(uintptr_t) "b", .data = zeros, .size = sizeof zeros};
    for (size_t n = 60; n <= N_RUNS; n += 20) {
        model m = {0};
        builder *b = &m.b;
        place runs[N_RUNS];
        for (size_t i = 0; i < n; i++)
            runs[i] =
                RUN(b, "r", LOGGED(b, .value = TENSOR_VALUE(b, TENSOR(b, TYPE_BYTE, i, BYTES))));
        build_model(&m, put_dump(b, (optional){0}, put_tables(b, runs, n)));
        eti_debug_totals totals = {0};
        eti_status status =
            eti__debug_data_fill(&m.blocks.blocks[0], &m.arena, &buffer, &totals, &m.err);
        assert_int_equal(status, n < N_RUNS ? ETI_OK : ETI_ERROR_LIMIT);
        if (status != ETI_OK)
            assert_string_equal(
                m.err.message,
                "test.etdp: run 69: block r: the recorded tensors overlap so much that comparing "
                "them would read more than 4 times the size of the debug buffer");
        free_model(&m);
    }
}

/* ---- outputs of runs ------------------------------------------------------------------------- */

#define OUTPUT(b, ...) LOGGED(b, .value = VALUE(b, __VA_ARGS__, .output = put_bool((b), 1)))
#define INT_OUT(b, x) LOGGED(b, .value = INT_OUTPUT(b, x))
#define BOOL_OUT(b, x) OUTPUT(b, .val = SOME(VAL_BOOL), .bool_value = put_bool((b), (x)))
#define DOUBLE_OUT(b, x) OUTPUT(b, .val = SOME(VAL_DOUBLE), .double_value = put_double((b), (x)))
#define FLOATS_OUT(b, at)                                                                          \
    OUTPUT(b, .val = SOME(VAL_TENSOR), .tensor = TENSOR((b), TYPE_FLOAT, at, 2))
#define LIST_OUT(b, ...)                                                                           \
    OUTPUT(b, .val = SOME(VAL_TENSOR_LIST),                                                        \
           .tensor_list = put_tensor_list((b), PLACES(__VA_ARGS__)))
#define RUNS(first, second) DUMP(&m.b, RUN(&m.b, "r", first), RUN(&m.b, "r", second))

static void the_first_outputs_are_the_blocks(void **state) {
    (void)state;
    model m = {0};
    builder *b = &m.b;
    build_model(&m, DUMP(b, put_run(b, &(run_spec){.name = "r", .events = put_tables(b, NULL, 0)}),
                         RUN(b, "r", INT_OUT(b, 4), FLOATS_OUT(b, 0)),
                         RUN(b, "r", INT_OUT(b, 4), FLOATS_OUT(b, 16))));
    assert_int_equal(m.blocks.n_blocks, 1);
    assert_int_equal(fill(&m), ETI_OK);
    const eti_event_block *block = &m.blocks.blocks[0];
    assert_int_equal(block->n_run_outputs, 2);
    assert_true(block->run_outputs[0].as_int == 4);
    assert_int_equal(block->run_outputs[1].tensors[0].offset, 0);
    free_model(&m);
}

static void runs_must_have_as_many_outputs(void **state) {
    (void)state;
    model m = {0};
    builder *b = &m.b;
    place two = RUN(b, "r", INT_OUT(b, 1), INT_OUT(b, 2));
    assert_refused(
        &m, DUMP(b, two, RUN(b, "r", INT_OUT(b, 1))), ETI_ERROR_DATA,
        "test.etdp: block r: run outputs: 1 in run 1, but 2 in run 0: runs of the same name and "
        "events must have the same inputs to be inspected together; "
        "etinspect --no_debug_data ignores their tensors");
    b = &m.b;
    place none = put_run(b, &(run_spec){.name = "r", .events = put_tables(b, NULL, 0)});
    assert_refused(
        &m, DUMP(b, RUN(b, "r", INT_OUT(b, 1)), none), ETI_ERROR_DATA,
        "test.etdp: block r: run outputs: 0 in run 1, but 1 in run 0: runs of the same name and "
        "events must have the same inputs to be inspected together; "
        "etinspect --no_debug_data ignores their tensors");
}

static void outputs_must_be_equal(void **state) {
    (void)state;
    static const char message[] = "test.etdp: block r: run outputs: output 0 of run 1 differs from "
                                  "that of run 0: runs of the same name "
                                  "and events must have the same inputs to be inspected together; "
                                  "etinspect --no_debug_data ignores their tensors";
    model m = {0};
    builder *b = &m.b;
    assert_refused(&m, RUNS(INT_OUT(b, 1), INT_OUT(b, 2)), ETI_ERROR_DATA, message);
    assert_refused(&m, RUNS(FLOATS_OUT(b, 0), FLOATS_OUT(b, 32)), ETI_ERROR_DATA, message);
    assert_refused(&m, RUNS(INT_OUT(b, 0), OUTPUT(b, .val = SOME(VAL_NULL))), ETI_ERROR_DATA,
                   message);
}

/* While an event's values only need to be equal, outputs also need the same type. */
static void outputs_must_have_the_same_type_and_length(void **state) {
    (void)state;
    model m = {0};
    builder *b = &m.b;
    build_model(&m, RUNS(INT_OUT(b, 1), DOUBLE_OUT(b, 1.0)));
    assert_int_equal(fill(&m), ETI_ERROR_DATA);
    free_model(&m);
    build_model(&m, RUNS(INT_OUT(b, 1), BOOL_OUT(b, 1)));
    assert_int_equal(fill(&m), ETI_ERROR_DATA);
    free_model(&m);
    build_model(&m, RUNS(BOOL_OUT(b, 1), INT_OUT(b, 1))); /* a bool is an int in Python */
    assert_int_equal(fill(&m), ETI_OK);
    free_model(&m);
    build_model(&m, RUNS(LIST_OUT(b, TENSOR(b, TYPE_LONG, 0, 1)),
                         LIST_OUT(b, TENSOR(b, TYPE_LONG, 0, 1), TENSOR(b, TYPE_LONG, 0, 1))));
    assert_int_equal(fill(&m), ETI_ERROR_DATA);
    free_model(&m);
}

/* ---- several files --------------------------------------------------------------------------- */

/* Returns the error for two files of one run each, r1.etdp and r2.etdp. */
static void assert_files_refused(const place runs[2], model models[2], eti_status status,
                                 const char *what) {
    static const char *const names[] = {"r1.etdp", "r2.etdp"};
    eti_etdump dumps[2];
    for (size_t i = 0; i < 2; i++) {
        build_model(&models[i], DUMP(&models[i].b, runs[i]));
        dumps[i] = models[i].dump;
        dumps[i].file_name = names[i];
    }
    eti_arena arena = {0};
    eti_blocks blocks;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__blocks_build(&blocks, &arena, dumps, 2, 1, &err));
    assert_int_equal(blocks.n_blocks, 1);
    eti_debug_totals totals = {0};
    assert_int_equal(eti__debug_data_fill(&blocks.blocks[0], &arena, debug_buffer(), &totals, &err),
                     status);
    if (strcmp(err.message, what) != 0)
        fail_msg("expected: %s\nfound: %s", what, err.message);
    eti__arena_free(&arena);
    for (size_t i = 0; i < 2; i++)
        free_model(&models[i]);
}

#define FILES_REFUSED(first, second, status, what)                                                 \
    do {                                                                                           \
        model models[2] = {0};                                                                     \
        builder *b = &models[0].b;                                                                 \
        place runs[2] = {RUN(b, "r", first)};                                                      \
        b = &models[1].b;                                                                          \
        runs[1] = RUN(b, "r", second);                                                             \
        assert_files_refused(runs, models, status, what);                                          \
    } while (0)

static void runs_that_differ_name_both_files(void **state) {
    (void)state;
#define TWO_INTS INT_OUT(b, 1), INT_OUT(b, 2)
#define SAME_INPUTS                                                                                \
    "runs of the same name and events must have the same inputs to be inspected together; "        \
    "etinspect --no_debug_data ignores their tensors"
    FILES_REFUSED(RESULT(b, 0, 1), RESULT(b, 0, 2), ETI_ERROR_DATA,
                  "r2.etdp: block r: debug data: run 0 recorded other debug values than run 0 of "
                  "r1.etdp: " SAME_INPUTS);
    FILES_REFUSED(INT_OUT(b, 1), INT_OUT(b, 2), ETI_ERROR_DATA,
                  "r2.etdp: block r: run outputs: output 0 of run 0 differs from that of run 0 of "
                  "r1.etdp: " SAME_INPUTS);
    FILES_REFUSED(
        TWO_INTS, INT_OUT(b, 1), ETI_ERROR_DATA,
        "r2.etdp: block r: run outputs: 1 in run 0, but 2 in run 0 of r1.etdp: " SAME_INPUTS);
}

static void a_bad_value_names_its_own_file(void **state) {
    (void)state;
    FILES_REFUSED(
        RESULT(b, 0, 1),
        LOGGED(b, .instruction_id = SOME(1), .chain_index = SOME(0),
               .value = VALUE(b, .val = SOME(VAL_INT))),
        ETI_ERROR_MALFORMED,
        "r2.etdp: run 0: block r: a debug event says that it has a Int value, but has none");
    FILES_REFUSED(
        FLOATS_OUT(b, 0), FLOATS_OUT(b, 60), ETI_ERROR_MALFORMED,
        "r2.etdp: run 0: block r: a tensor's 8 bytes at offset 60 lie outside the debug buffer "
        "buffer.bin of 64 bytes (is it the one that was written with this ETDump?)");
    FILES_REFUSED(FLOATS_OUT(b, 60), FLOATS_OUT(b, 0), ETI_ERROR_MALFORMED,
                  "r1.etdp: run 0: block r: a tensor's 8 bytes at offset 60 lie outside the debug "
                  "buffer buffer.bin of 64 bytes (is it the one that was written with this "
                  "ETDump?)");
}

/* ==== tensor ================================================================================== */

/* 64 bytes: 0, 1, 2, … */
static struct eti_file numbered_buffer(void) {
    static uint8_t bytes[64];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)i;
    return (struct eti_file){.name = (char *)(uintptr_t) "buffer.bin", .data = bytes, .size = 64};
}

/* Reads `tensor` from a dump that contains it. */
static eti_status read_tensor(model *m, place tensor, const struct eti_file *buffer,
                              eti_tensor_view *out) {
    builder *b = &m->b;
    build_model(m, DUMP(b, RUN(b, "r", LOGGED(b, .value = TENSOR_VALUE(b, tensor)))));
    const eti_block_run *run = &m->blocks.blocks[0].runs[0];
    eti_position event = eti__block_run_position(run, run->layout->debug_events[0].events[0]);
    eti_etdump_value value =
        eti__etdump_read_value(&m->dump, eti__etdump_debug_value(&m->dump, event));
    return eti__tensor_read(out, &m->dump, value.tensor, buffer, &m->err);
}

static void every_scalar_type_has_torchs_name(void **state) {
    (void)state;
    static const char *const names[] = {"uint8",           "int8",
                                        "int16",           "int32",
                                        "int64",           "float16",
                                        "float32",         "float64",
                                        "unknown",         "unknown",
                                        "unknown",         "bool",
                                        "qint8",           "quint8",
                                        "qint32",          "bfloat16",
                                        "quint4x2",        "quint2x4",
                                        "unknown",         "unknown",
                                        "unknown",         "unknown",
                                        "uint16",          "float8_e5m2",
                                        "float8_e4m3fn",   "float8_e5m2fnuz",
                                        "float8_e4m3fnuz", "uint16",
                                        "uint32",          "uint64"};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        assert_string_equal(eti__scalar_type((int8_t)i)->name, names[i]);
    assert_string_equal(eti__scalar_type(30)->name, "unknown");
    assert_string_equal(eti__scalar_type(-1)->name, "unknown");
    assert_string_equal(eti__scalar_type(INT8_MIN)->name, "unknown");
    assert_string_equal(eti__scalar_type(INT8_MAX)->name, "unknown");
}

static void types_have_the_widths_of_the_format(void **state) {
    (void)state;
    static const uint8_t widths[30] = {1, 1, 2, 4, 8, 2, 4, 8, 0, 0, 0, 1, 1, 1, 4,
                                       2, 0, 0, 0, 0, 0, 0, 2, 1, 1, 1, 1, 2, 4, 8};
    struct eti_file buffer = numbered_buffer();
    for (size_t type = 0; type < 30; type++) {
        model m = {0};
        eti_tensor_view view;
        assert_int_equal(read_tensor(&m, TENSOR(&m.b, type, 8, 2, 3), &buffer, &view), ETI_OK);
        assert_int_equal(view.n_elements, 6);
        assert_int_equal(view.n_bytes, 6 * widths[type]);
        assert_ptr_equal(view.data, widths[type] ? buffer.data + 8 : NULL);
        free_model(&m);
    }
}

static void a_tensor_without_sizes_is_one_element(void **state) {
    (void)state;
    struct eti_file buffer = numbered_buffer();
    model m = {0};
    eti_tensor_view view;
    place tensor = put_tensor(
        &m.b, &(tensor_spec){.scalar_type = SOME(TYPE_FLOAT), .sizes = put_i64s(&m.b, NULL, 0)});
    assert_int_equal(read_tensor(&m, tensor, &buffer, &view), ETI_OK);
    assert_int_equal(view.n_elements, 1);
    assert_int_equal(view.n_bytes, 4);
    assert_ptr_equal(view.data, buffer.data);
    free_model(&m);
}

static void an_empty_tensor_ignores_its_offset(void **state) {
    (void)state;
    struct eti_file buffer = numbered_buffer();
    model m = {0};
    eti_tensor_view view;
    place tensor = TENSOR(&m.b, TYPE_FLOAT, 1000000, 3, 0, 5);
    assert_int_equal(read_tensor(&m, tensor, &buffer, &view), ETI_OK);
    assert_int_equal(view.n_elements, 0);
    assert_null(view.data);
    free_model(&m);
}

static void without_a_debug_buffer_there_is_a_shape_but_no_data(void **state) {
    (void)state;
    model m = {0};
    eti_tensor_view view;
    assert_int_equal(read_tensor(&m, TENSOR(&m.b, TYPE_FLOAT, 1000000, 2, 2), NULL, &view), ETI_OK);
    assert_int_equal(view.n_elements, 4);
    assert_null(view.data);
    assert_int_equal(view.n_bytes, 0);
    free_model(&m);
}

static void a_negative_offset_counts_from_the_end(void **state) {
    (void)state;
    struct eti_file buffer = numbered_buffer();
    model m = {0};
    eti_tensor_view view;
    assert_int_equal(read_tensor(&m, TENSOR(&m.b, TYPE_BYTE, -10, 4), &buffer, &view), ETI_OK);
    assert_int_equal(view.data[0], 54);
    free_model(&m);
}

static void assert_tensor_refused(place (*put_odd)(builder *b), const char *what) {
    struct eti_file buffer = numbered_buffer();
    model m = {0};
    eti_tensor_view view;
    assert_int_equal(read_tensor(&m, put_odd(&m.b), &buffer, &view), ETI_ERROR_MALFORMED);
    if (!strstr(m.err.message, what))
        fail_msg("expected \"%s\" in: %s", what, m.err.message);
    free_model(&m);
}

static place put_far(builder *b) {
    return TENSOR(b, TYPE_LONG, 57, 1);
}
static place put_at_end(builder *b) {
    return TENSOR(b, TYPE_BYTE, 64, 1);
}
static place put_beyond(builder *b) {
    return TENSOR(b, TYPE_BYTE, INT64_MAX, 1);
}
static place put_before(builder *b) {
    return TENSOR(b, TYPE_BYTE, -65, 1);
}
static place put_far_before(builder *b) {
    return TENSOR(b, TYPE_BYTE, INT64_MIN, 1);
}
static place put_large(builder *b) {
    return TENSOR(b, TYPE_DOUBLE, 0, 1 << 30, 1 << 20);
}
static place put_overflowing(builder *b) {
    return TENSOR(b, TYPE_BYTE, 0, INT64_MAX, 2);
}
static place put_overflowing_to_zero(builder *b) {
    return TENSOR(b, TYPE_BYTE, 0, 1LL << 32, 1LL << 32);
}
static place put_negative(builder *b) {
    return TENSOR(b, TYPE_BYTE, 0, 2, -3);
}
static place put_sizeless(builder *b) {
    return put_tensor(b, &(tensor_spec){.scalar_type = SOME(TYPE_BYTE)});
}

static place put_without_contents(builder *b) {
    return TENSOR(b, TYPE_BYTE, -1, 1);
}
static place put_more_without_contents(builder *b) {
    return TENSOR(b, TYPE_LONG, -1, 2);
}

/* The offset -1 does not stand for the last byte of the buffer. */
static void contents_that_were_not_recorded_are_refused(void **state) {
    (void)state;
    assert_tensor_refused(put_without_contents, "tensor were not recorded (its offset is -1)");
    assert_tensor_refused(put_more_without_contents, "the 16 bytes of a tensor were not recorded");
}

static void bytes_outside_the_buffer_are_refused(void **state) {
    (void)state;
    assert_tensor_refused(put_far, "a tensor's 8 bytes at offset 57 lie outside the debug buffer "
                                   "buffer.bin of 64 bytes");
    assert_tensor_refused(put_at_end, "lie outside");
    assert_tensor_refused(put_beyond, "lie outside");
    assert_tensor_refused(put_before, "lie outside");
    assert_tensor_refused(put_far_before, "lie outside");
    assert_tensor_refused(put_large, "lie outside");
}

static void impossible_sizes_are_refused(void **state) {
    (void)state;
    assert_tensor_refused(put_overflowing, "exceeds 64 bits");
    assert_tensor_refused(put_overflowing_to_zero, "exceeds 64 bits");
    assert_tensor_refused(put_negative, "a tensor has size -3");
    assert_tensor_refused(put_sizeless, "Tensor.sizes is missing");
}

/* ---- equality -------------------------------------------------------------------------------- */

/* Returns whether two vectors of this type with these bytes are equal. */
static bool equal(int8_t type, const void *a, const void *b, size_t size, size_t width) {
    uint8_t bytes[64];
    memcpy(bytes, a, size);
    memcpy(bytes + 32, b, size);
    struct eti_file buffer = {.name = (char *)(uintptr_t) "b", .data = bytes, .size = sizeof bytes};
    model m = {0}, n = {0};
    eti_tensor_view x, y;
    place first = TENSOR(&m.b, type, 0, (int64_t)(size / width));
    place second = TENSOR(&n.b, type, 32, (int64_t)(size / width));
    assert_int_equal(read_tensor(&m, first, &buffer, &x), ETI_OK);
    assert_int_equal(read_tensor(&n, second, &buffer, &y), ETI_OK);
    bool result = eti__tensors_equal(&x, &y);
    free_model(&m);
    free_model(&n);
    return result;
}

static void tensors_are_equal_by_value(void **state) {
    (void)state;
    float plus[] = {0.0f, 1.0f}, minus[] = {-0.0f, 1.0f}, other[] = {0.0f, 1.5f};
    to_file_order(plus, 2, 4);
    to_file_order(minus, 2, 4);
    to_file_order(other, 2, 4);
    assert_true(equal(TYPE_FLOAT, plus, plus, 8, 4));
    assert_true(equal(TYPE_FLOAT, plus, minus, 8, 4));
    assert_false(equal(TYPE_FLOAT, plus, other, 8, 4));
    double plus8[] = {0.0, -0.0}, minus8[] = {-0.0, 0.0};
    to_file_order(plus8, 2, 8);
    to_file_order(minus8, 2, 8);
    assert_true(equal(TYPE_DOUBLE, plus8, minus8, 16, 8));
    assert_true(equal(TYPE_HALF, "\0\0", "\0\x80", 2, 2));
    assert_false(equal(TYPE_HALF, "\0\0", "\1\x80", 2, 2));
    assert_true(equal(15, "\0\0", "\0\x80", 2, 2)); /* bfloat16 */
}

static void integers_have_one_zero(void **state) {
    (void)state;
    assert_false(equal(TYPE_BYTE, "\0", "\x80", 1, 1));
    assert_false(equal(TYPE_LONG, "\0\0\0\0\0\0\0\0", "\0\0\0\0\0\0\0\x80", 8, 8));
    assert_false(equal(25, "\0", "\x80", 1, 1)); /* float8_e5m2fnuz: 0x80 is NaN */
}

/* Tests slowly, element by element. */
static bool is_zero(const uint8_t *element, size_t width) {
    for (size_t i = 0; i < width; i++) {
        if ((element[i] & (i + 1 == width ? 0x7f : 0xff)) != 0)
            return false;
    }
    return true;
}

static bool floats_are_equal(const uint8_t *a, const uint8_t *b, size_t size, size_t width) {
    for (size_t i = 0; i < size; i += width) {
        if (memcmp(a + i, b + i, width) != 0 && !(is_zero(a + i, width) && is_zero(b + i, width)))
            return false;
    }
    return true;
}

/* Tests all relevant pairs of bytes, at every place of a word and after one. */
static void zeros_are_equal_wherever_they_stand(void **state) {
    (void)state;
    static const struct {
        int8_t type;
        size_t width;
    } types[] = {{23, 1}, {TYPE_HALF, 2}, {TYPE_FLOAT, 4}, {TYPE_DOUBLE, 8}};
    static const uint8_t bytes[] = {0, 1, 0x40, 0x7f, 0x80, 0x81, 0xff};
    for (size_t t = 0; t < COUNT_OF(types); t++) {
        for (size_t n = 0; n < COUNT_OF(bytes) * COUNT_OF(bytes) * 16; n++) {
            uint8_t a[16] = {0}, b[16] = {0};
            a[(n + 5) % 16] = b[(n + 5) % 16] = 0x80;
            a[n % 16] = bytes[n / 16 % COUNT_OF(bytes)];
            b[n % 16] = bytes[n / 16 / COUNT_OF(bytes)];
            size_t size = types[t].width == 8 ? 16 : 12;
            assert_int_equal(equal(types[t].type, a, b, size, types[t].width),
                             floats_are_equal(a, b, size, types[t].width));
        }
    }
}

static void any_nonzero_byte_is_true(void **state) {
    (void)state;
    assert_true(equal(TYPE_BOOL, "\0\1\2", "\0\xff\1", 3, 1));
    assert_false(equal(TYPE_BOOL, "\0\1", "\1\1", 2, 1));
    assert_true(equal(TYPE_BOOL, "\0\1\2\x7f\x80\xff\0\0\3", "\0\2\1\1\1\1\0\0\x80", 9, 1));
    for (size_t i = 0; i < 9; i++) {
        char bytes[] = "\0\2\1\1\1\1\0\0\x80";
        bytes[i] = !bytes[i];
        assert_false(equal(TYPE_BOOL, "\0\1\2\x7f\x80\xff\0\0\3", bytes, 9, 1));
    }
}

static void the_same_nan_is_equal(void **state) {
    (void)state;
    assert_true(equal(TYPE_FLOAT, "\0\0\xc0\x7f", "\0\0\xc0\x7f", 4, 4));
    assert_false(equal(TYPE_FLOAT, "\0\0\xc0\x7f", "\1\0\xc0\x7f", 4, 4));
}

static void type_and_shape_count(void **state) {
    (void)state;
    place (*const puts[])(builder * b) = {put_far, put_at_end, put_large};
    eti_tensor_view views[3];
    static model models[3];
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(read_tensor(&models[i], puts[i](&models[i].b), NULL, &views[i]), ETI_OK);
    assert_true(eti__tensors_equal(&views[0], &views[0]));
    assert_false(eti__tensors_equal(&views[0], &views[1]));
    assert_false(eti__tensors_equal(&views[0], &views[2]));
    model long_2 = {0};
    eti_tensor_view view;
    place tensor = TENSOR(&long_2.b, TYPE_LONG, 0, 2);
    assert_int_equal(read_tensor(&long_2, tensor, NULL, &view), ETI_OK);
    assert_false(eti__tensors_equal(&views[0], &view));
    free_model(&long_2);
    for (size_t i = 0; i < 3; i++)
        free_model(&models[i]);
}

/* ==== reference outputs ======================================================================= */
/* Reads values written by torch.save. That those of test cases are assigned to their blocks is tested with the Inspector in
 * testdata/bundled-inputs. */

#define ITEM(...) (&(const eti_saved_value){__VA_ARGS__})

static const int64_t sizes[] = {2, 3}, rows[] = {3, 1}, columns[] = {1, 2};
static const uint8_t reference_outputs_bytes[] = {1, 2, 3, 4, 5, 6};

static eti_tensor_values tensor_of(int8_t type, const int64_t *strides) {
    return (eti_tensor_values){.scalar_type = type,
                               .n_dims = 2,
                               .sizes = sizes,
                               .strides = strides,
                               .n_elements = 6,
                               .data = reference_outputs_bytes};
}

static void every_kind_has_its_value(void **state) {
    (void)state;
    eti_arena arena = {0};
    eti_error err = ETI_ERROR_INIT;
    eti_tensor_values plain = tensor_of(0, rows), turned = tensor_of(0, columns),
                      complex = tensor_of(9, rows);
    const eti_saved_value *pair[] = {ITEM(.kind = ETI_SAVED_TENSOR, .tensor = &plain),
                                     ITEM(.kind = ETI_SAVED_TENSOR, .tensor = &turned)};
    const eti_saved_value *mixed[] = {pair[0], ITEM(.kind = ETI_SAVED_NONE)};
    const eti_saved_value *items[] = {
        pair[0],
        pair[1],
        ITEM(.kind = ETI_SAVED_INT, .as_int = -7),
        ITEM(.kind = ETI_SAVED_BOOL, .as_bool = true),
        ITEM(.kind = ETI_SAVED_FLOAT, .as_float = 1.5),
        ITEM(.kind = ETI_SAVED_TUPLE, .items = pair, .n_items = 2),
        ITEM(.kind = ETI_SAVED_LIST, .items = mixed, .n_items = 2),
        ITEM(.kind = ETI_SAVED_TENSOR, .tensor = &complex),
        ITEM(.kind = ETI_SAVED_NONE),
    };
    static const eti_value_kind kinds[] = {
        ETI_VALUE_TENSOR,      ETI_VALUE_TENSOR, ETI_VALUE_INT,  ETI_VALUE_BOOL, ETI_VALUE_DOUBLE,
        ETI_VALUE_TENSOR_LIST, ETI_VALUE_NONE,   ETI_VALUE_NONE, ETI_VALUE_NONE};
    const eti_value *values;
    size_t n;
    assert_ok(eti__values_of_saved(
        &values, &n, &arena,
        ITEM(.kind = ETI_SAVED_LIST, .items = items, .n_items = COUNT_OF(items)), &err));
    assert_int_equal(n, COUNT_OF(kinds));
    for (size_t i = 0; i < n; i++)
        assert_int_equal(values[i].kind, kinds[i]);
    assert_ptr_equal(values[0].tensors->data, reference_outputs_bytes);
    assert_int_equal(values[0].tensors->n_bytes, 6);
    assert_string_equal(values[0].tensors->dtype, "uint8");
    assert_memory_equal(values[1].tensors->data, "\1\3\5\2\4\6", 6);
    assert_true(values[2].as_int == -7 && values[3].as_bool);
    assert_bits(values[4].as_double, 1.5);
    assert_int_equal(values[5].n_tensors, 2);
    assert_memory_equal(values[5].tensors[1].data, "\1\3\5\2\4\6", 6);
    eti__arena_free(&arena);
}

static void a_value_alone_is_the_only_output(void **state) {
    (void)state;
    eti_arena arena = {0};
    eti_error err = ETI_ERROR_INIT;
    eti_tensor_values plain = tensor_of(1, rows);
    const eti_value *values;
    size_t n;
    assert_ok(eti__values_of_saved(&values, &n, &arena,
                                   ITEM(.kind = ETI_SAVED_TENSOR, .tensor = &plain), &err));
    assert_int_equal(n, 1);
    assert_int_equal(values[0].kind, ETI_VALUE_TENSOR);
    assert_ok(eti__values_of_saved(&values, &n, &arena, ITEM(.kind = ETI_SAVED_TUPLE), &err));
    assert_int_equal(n, 0);
    eti__arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_value_is_made),
        cmocka_unit_test(without_a_debug_buffer_tensors_have_no_data),
        cmocka_unit_test(contents_that_were_not_recorded_are_absent),
        cmocka_unit_test(an_empty_tensor_list_is_a_list),
        cmocka_unit_test(a_value_without_its_content_is_malformed),
        cmocka_unit_test(content_of_another_type_does_not_count),
        cmocka_unit_test(unknown_value_types_are_malformed),
        cmocka_unit_test(tensors_outside_the_buffer_are_malformed),
        cmocka_unit_test(equal_values_match),
        cmocka_unit_test(other_values_do_not_match),
        cmocka_unit_test(lists_match_up_to_the_shorter_one),
        cmocka_unit_test(the_first_runs_values_are_kept_and_longer_lists_pass),
        cmocka_unit_test(two_profile_events_share_their_debug_data),
        cmocka_unit_test(an_event_has_the_values_of_the_group_it_was_last_in),
        cmocka_unit_test(values_shared_in_one_run_only_are_compared_for_each_event),
        cmocka_unit_test(profile_times_debug_events_do_not_multiply),
        cmocka_unit_test(tensors_may_overlap_only_so_much),
        cmocka_unit_test(the_first_outputs_are_the_blocks),
        cmocka_unit_test(runs_must_have_as_many_outputs),
        cmocka_unit_test(outputs_must_be_equal),
        cmocka_unit_test(outputs_must_have_the_same_type_and_length),
        cmocka_unit_test(runs_that_differ_name_both_files),
        cmocka_unit_test(a_bad_value_names_its_own_file),
        cmocka_unit_test(every_scalar_type_has_torchs_name),
        cmocka_unit_test(types_have_the_widths_of_the_format),
        cmocka_unit_test(a_tensor_without_sizes_is_one_element),
        cmocka_unit_test(an_empty_tensor_ignores_its_offset),
        cmocka_unit_test(without_a_debug_buffer_there_is_a_shape_but_no_data),
        cmocka_unit_test(a_negative_offset_counts_from_the_end),
        cmocka_unit_test(bytes_outside_the_buffer_are_refused),
        cmocka_unit_test(contents_that_were_not_recorded_are_refused),
        cmocka_unit_test(impossible_sizes_are_refused),
        cmocka_unit_test(tensors_are_equal_by_value),
        cmocka_unit_test(integers_have_one_zero),
        cmocka_unit_test(zeros_are_equal_wherever_they_stand),
        cmocka_unit_test(any_nonzero_byte_is_true),
        cmocka_unit_test(the_same_nan_is_equal),
        cmocka_unit_test(type_and_shape_count),
        cmocka_unit_test(every_kind_has_its_value),
        cmocka_unit_test(a_value_alone_is_the_only_output),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
