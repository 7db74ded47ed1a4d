#include "recorded_fixture.h"

#include "inspector_fixture.h"

#include "numerics/recorded.h"

#include <time.h>

/* ==== recorded ================================================================================ */
/* Tests which tensors of runs are listed, in which order, and which faults are reported. */

#define NO_ROOM UINT64_MAX /* the offset of a tensor that was not recorded */

static void tensors_have_their_faults(void **state) {
    (void)state;
    found f = {.recorded = {.n = 0}};
    builder *b = &f.s.b;
    static const struct {
        uint8_t fault;
        uint64_t n_elements;
    } expected[] = {{ETI_RECORDED_FINE, 4},     {ETI_RECORDED_FINE, 0},
                    {ETI_RECORDED_CONTENTS, 4}, {ETI_RECORDED_OUTSIDE, 61},
                    {ETI_RECORDED_OUTSIDE, 1},  {ETI_RECORDED_TYPE, 1},
                    {ETI_RECORDED_SHAPE, 0},    {ETI_RECORDED_FINE, 64}};
    place tensors[] = {TENSOR(b, TYPE_FLOAT, 0, 4),       TENSOR(b, TYPE_FLOAT, NO_ROOM, 3, 0),
                       TENSOR(b, TYPE_FLOAT, NO_ROOM, 4), TENSOR(b, TYPE_FLOAT, 16, 61),
                       TENSOR(b, TYPE_FLOAT, 256, 1),     TENSOR(b, 9, 0, 1),
                       TENSOR(b, TYPE_FLOAT, 0, -1),      TENSOR(b, TYPE_FLOAT, 0, 64)};
    place value = VALUE(b, .val = SOME(VAL_TENSOR_LIST),
                        .tensor_list = put_tensor_list(b, tensors, COUNT_OF(tensors)));
    find_recorded(&f,
                  DUMP(b, RUN(b, "Execute", TIMED_CALL(b, "k", 1),
                              LOGGED(b, .name = "k", .instruction_id = SOME(1), .value = value))),
                  NULL);
    assert_int_equal(f.recorded.n, COUNT_OF(expected));
    for (uint32_t i = 0; i < COUNT_OF(expected); i++) {
        const eti_recorded_tensor *tensor = &f.recorded.tensors[i];
        assert_int_equal(tensor->fault, expected[i].fault);
        assert_int_equal(tensor->index, i);
        assert_int_equal(tensor->n_of_event, COUNT_OF(expected));
        assert_int_equal(tensor->values.data != NULL,
                         tensor->fault == ETI_RECORDED_FINE && expected[i].n_elements > 0);
        assert_int_equal(tensor->is_dense, tensor->fault != ETI_RECORDED_SHAPE);
        assert_false(tensor->has_odd_strides);
        if (tensor->fault != ETI_RECORDED_SHAPE)
            assert_int_equal(tensor->values.n_elements, expected[i].n_elements);
    }
    assert_int_equal(f.recorded.n_with_bytes, 4);
    assert_int_equal(f.recorded.n_outside, 2);
    close_recorded(&f);
}

/* A tensor that a list names twice is read once, and counted twice. */
static void a_list_may_repeat_a_tensor(void **state) {
    (void)state;
    found f = {.recorded = {.n = 0}};
    builder *b = &f.s.b;
    place fine = TENSOR(b, TYPE_FLOAT, 0, 4), outside = TENSOR(b, TYPE_FLOAT, 252, 2),
          empty = TENSOR(b, TYPE_FLOAT, 0, 0), complex = TENSOR(b, 9, 0, 1),
          one = TENSOR(b, TYPE_FLOAT, 8, 1);
    const place tensors[] = {fine,  fine,    fine,    outside, outside, empty,
                             empty, complex, complex, one,     one};
    place value = VALUE(b, .val = SOME(VAL_TENSOR_LIST),
                        .tensor_list = put_tensor_list(b, tensors, COUNT_OF(tensors)));
    find_recorded(&f,
                  DUMP(b, RUN(b, "Execute", TIMED_CALL(b, "k", 1),
                              LOGGED(b, .name = "k", .instruction_id = SOME(1), .value = value))),
                  NULL);
    assert_int_equal(f.recorded.n, COUNT_OF(tensors));
    for (uint32_t i = 0; i < COUNT_OF(tensors); i++)
        assert_int_equal(f.recorded.tensors[i].index, i);
    for (uint32_t i = 1; i < COUNT_OF(tensors); i++)
        assert_int_equal(f.recorded.tensors[i].values.sizes ==
                             f.recorded.tensors[i - 1].values.sizes,
                         tensors[i] == tensors[i - 1]);
    assert_int_equal(f.recorded.n_with_bytes, 7);
    assert_int_equal(f.recorded.n_outside, 2);
    close_recorded(&f);
}

/* ---- Events ----------------------------------------------------------------------------------- */

/* A tensor as it is listed: the float of the debug buffer where it starts, its number, and the name of its Event (NULL: an
 * output of the run). */
typedef struct listed {
    uint32_t at;
    uint32_t index, n_of_event;
    const char *name;
    int32_t instruction;
} listed;

static void assert_listed(const found *f, const listed *expected, size_t n) {
    assert_int_equal(f->recorded.n, n);
    for (size_t i = 0; i < n; i++) {
        const eti_recorded_tensor *tensor = &f->recorded.tensors[i];
        assert_int_equal(tensor->offset, 4 * expected[i].at);
        assert_int_equal(tensor->index, expected[i].index);
        assert_int_equal(tensor->n_of_event, expected[i].n_of_event);
        if (!expected[i].name) {
            assert_null(tensor->event);
            continue;
        }
        assert_non_null(tensor->event);
        assert_text(tensor->event->name, expected[i].name);
        assert_int_equal(tensor->event->instruction_id, expected[i].instruction);
    }
}

#define TIMED_IN(b, chain, of, id)                                                                 \
    TIMED(b, .name = (of), .chain_index = SOME(chain), .instruction_id = SOME(id),                 \
          .start_time = 1, .end_time = 2)
/* Logs the float number `at` of the debug buffer. */
#define FLOAT_IN(b, chain, of, id, at)                                                             \
    LOGGED(b, .name = (of), .chain_index = SOME(chain), .instruction_id = SOME(id),                \
           .value = TENSOR_VALUE(b, TENSOR(b, TYPE_FLOAT, 4 * (at), 1)))

/* The Event has the debug events of the last chain only; those of the others are listed with it, in the order of recording.
 * Neighbours of one chain are tensors of one group. */
static void chains_that_are_alike_share_an_event(void **state) {
    (void)state;
    found f = {.recorded = {.n = 0}};
    builder *b = &f.s.b;
    place run =
        RUN(b, "Execute", TIMED_IN(b, 0, "first", 6), FLOAT_IN(b, 0, "first", 6, 0),
            TIMED_IN(b, 0, "k", 9), FLOAT_IN(b, 0, "k", 9, 1), FLOAT_IN(b, 0, "k", 9, 2),
            TIMED_IN(b, 0, "other", 2), FLOAT_IN(b, 0, "other", 2, 3), FLOAT_IN(b, 0, "k", 9, 4),
            FLOAT_IN(b, 1, "k", 9, 5), TIMED_IN(b, 1, "k", 9), TIMED_IN(b, 1, "other", 2),
            FLOAT_IN(b, 1, "other", 2, 6), TIMED_IN(b, 2, "k", 9), FLOAT_IN(b, 2, "k", 9, 7),
            TIMED_IN(b, 0, "last", 5), FLOAT_IN(b, 0, "last", 5, 9), FLOAT_IN(b, 2, "k", 9, 8));
    find_recorded(&f, DUMP(b, run), NULL);
    static const listed expected[] = {{0, 0, 1, "first", 6}, {1, 0, 2, "k", 9}, {2, 1, 2, "k", 9},
                                      {3, 0, 1, "other", 2}, {4, 0, 1, "k", 9}, {5, 0, 1, "k", 9},
                                      {6, 0, 1, "other", 2}, {7, 0, 2, "k", 9}, {8, 1, 2, "k", 9},
                                      {9, 0, 1, "last", 5}};
    assert_listed(&f, expected, COUNT_OF(expected));
    close_recorded(&f);
}

#define DELEGATED_TIME(b, chain, ...)                                                              \
    TIMED(b, .chain_index = SOME(chain), .instruction_id = SOME(3), .start_time = 1,               \
          .end_time = 2, __VA_ARGS__)
#define DELEGATED_FLOAT(b, chain, at, ...)                                                         \
    LOGGED(b, .chain_index = SOME(chain), .instruction_id = SOME(3),                               \
           .value = TENSOR_VALUE(b, TENSOR(b, TYPE_FLOAT, 4 * (at), 1)), __VA_ARGS__)

/* The Event of a chain that is left out is the one with the same instruction and delegate id. */
static void chains_find_the_event_of_their_delegate_id(void **state) {
    (void)state;
    found f = {.recorded = {.n = 0}};
    builder *b = &f.s.b;
    place events[2 * 2 * 5], *next = events;
    for (uint32_t chain = 0; chain < 2; chain++) {
        uint32_t at = 10 * chain;
        *next++ = DELEGATED_TIME(b, chain, .delegate_id_int = SOME(4));
        *next++ = DELEGATED_FLOAT(b, chain, at + 1, .delegate_id_int = SOME(4));
        *next++ = DELEGATED_TIME(b, chain, .delegate_id_int = SOME(6));
        *next++ = DELEGATED_FLOAT(b, chain, at + 2, .delegate_id_int = SOME(6));
        *next++ = DELEGATED_TIME(b, chain, .delegate_id_str = "conv");
        *next++ = DELEGATED_FLOAT(b, chain, at + 3, .delegate_id_str = "conv");
        *next++ = DELEGATED_TIME(b, chain, .delegate_id_str = "relu");
        *next++ = DELEGATED_FLOAT(b, chain, at + 4, .delegate_id_str = "relu");
        *next++ = DELEGATED_TIME(b, chain, .name = "call");
        *next++ = DELEGATED_FLOAT(b, chain, at + 5, .name = "call");
    }
    place run = put_run(
        b, &(run_spec){.name = "Execute", .events = put_tables(b, events, COUNT_OF(events))});
    find_recorded(&f, DUMP(b, run), NULL);
    static const listed expected[] = {
        {1, 0, 1, "4", 3},     {2, 0, 1, "6", 3},    {3, 0, 1, "conv", 3}, {4, 0, 1, "relu", 3},
        {5, 0, 1, "call", 3},  {11, 0, 1, "4", 3},   {12, 0, 1, "6", 3},   {13, 0, 1, "conv", 3},
        {14, 0, 1, "relu", 3}, {15, 0, 1, "call", 3}};
    assert_listed(&f, expected, COUNT_OF(expected));
    close_recorded(&f);
}

static eti_status find_run(eti_recorded *out, const session *s, const char *run, eti_error *err) {
    const eti_view_options options = {.table = ETI_TABLE_OPTIONS_DEFAULT, .run = run};
    return eti__recorded_find(out, s->inspector, &options, err);
}

/* Looking through all Events of the instruction for each value would take more than a minute. */
static void values_of_many_ids_are_found_quickly(void **state) {
    (void)state;
    enum { N = 120000 };
    static const eti_options undebugged = {.target_time_scale = ETI_SCALE_MS,
                                           .no_debug_data = true};
    session s = {.options = &undebugged};
    builder *b = &s.b;
    eti_error err = ETI_ERROR_INIT;
    eti_recorded recorded;
    static place events[2 * N];
    place value = INT_VALUE(b, 1);
    place tensor = TENSOR_VALUE(b, TENSOR(b, TYPE_FLOAT, 4, 1));
    for (uint32_t i = 0; i < 2 * N; i++)
        events[i] = LOGGED(b, .chain_index = SOME(i / N), .instruction_id = SOME(3),
                           .delegate_id_int = SOME(i % N), .value = i % N > 0 ? value : tensor);
    place run = put_run(b, &(run_spec){.name = "Execute", .events = put_tables(b, events, 2 * N)});
    open_session(&s, DUMP(b, run), NULL);
    clock_t begin = clock();
    assert_ok(find_run(&recorded, &s, "all", &err));
    assert_true((double)(clock() - begin) / CLOCKS_PER_SEC < 5);
    assert_int_equal(recorded.n, 2);
    eti__recorded_free(&recorded);
    close_session(&s);
}

/* A debug event of an instruction or delegate id without an Event that logged values is not listed. */
static void values_of_no_event_are_not_listed(void **state) {
    (void)state;
    found f = {.recorded = {.n = 0}};
    builder *b = &f.s.b;
    place value = TENSOR_VALUE(b, TENSOR(b, TYPE_FLOAT, 4, 1));
    profile_spec timed = {.name = "k", .instruction_id = SOME(4), .start_time = 1, .end_time = 2};
    debug_spec logged_beside = {.name = "k", .instruction_id = SOME(4), .value = value};
    place both = put_event(b, put_profile(b, &timed), 0, put_debug(b, &logged_beside));
    find_recorded(&f,
                  DUMP(b, RUN(b, "Execute", TIMED_IN(b, 0, "a", 2), FLOAT_IN(b, 0, "a", 2, 2), both,
                              ALLOCATED(b), TIMED_IN(b, 0, "c", 6), FLOAT_IN(b, 0, "c", 6, 3))),
                  NULL);
    static const listed expected[] = {{2, 0, 1, "a", 2}, {3, 0, 1, "c", 6}};
    assert_listed(&f, expected, COUNT_OF(expected));
    close_recorded(&f);
}

/* The Events of an instruction share its values, which are those of the kernel, whichever of them was recorded first. */
static void values_belong_to_the_kernel_of_an_operator_call(void **state) {
    (void)state;
    for (int is_kernel_first = 0; is_kernel_first < 2; is_kernel_first++) {
        found f = {.recorded = {.n = 0}};
        builder *b = &f.s.b;
        place kernel = TIMED_IN(b, 0, "native_call_k", 1);
        place call = TIMED_IN(b, 0, "OPERATOR_CALL", 1);
        place tensors[] = {TENSOR(b, TYPE_FLOAT, 4, 1), TENSOR(b, TYPE_FLOAT, 8, 1)};
        place values = VALUE(b, .val = SOME(VAL_TENSOR_LIST),
                             .tensor_list = put_tensor_list(b, tensors, COUNT_OF(tensors)));
        place second = TIMED_IN(b, 1, "native_call_k", 1);
        find_recorded(
            &f,
            DUMP(b,
                 RUN(b, "Execute",
                     LOGGED(b, .instruction_id = SOME(1), .value = TENSOR_VALUE(b, tensors[0])),
                     is_kernel_first ? kernel : call, is_kernel_first ? call : kernel,
                     LOGGED(b, .instruction_id = SOME(1), .chain_index = SOME(1), .value = values),
                     second, TIMED_IN(b, 1, "OPERATOR_CALL", 1), TIMED_IN(b, 0, "behind", 2),
                     FLOAT_IN(b, 0, "behind", 2, 5),
                     LOGGED(b, .value = VALUE(b, .val = SOME(VAL_TENSOR), .tensor = tensors[1],
                                              .output = put_bool(b, 1))))),
            NULL);
        static const listed expected[] = {{1, 0, 1, "native_call_k", 1},
                                          {1, 0, 2, "native_call_k", 1},
                                          {2, 1, 2, "native_call_k", 1},
                                          {5, 0, 1, "behind", 2},
                                          {2, 0, 1, NULL, -1}};
        assert_listed(&f, expected, COUNT_OF(expected));
        close_recorded(&f);
    }
}

/* ---- runs and debug buffers ------------------------------------------------------------------- */

/* A block without a run of this number lists no tensors. */
static void a_run_is_chosen_by_its_number(void **state) {
    (void)state;
    static const eti_options undebugged = {.target_time_scale = ETI_SCALE_MS,
                                           .no_debug_data = true};
    session s = {.options = &undebugged};
    builder *b = &s.b;
    eti_error err = ETI_ERROR_INIT;
    eti_recorded recorded;
    open_session(&s,
                 DUMP(b, RUN(b, "Load", TIMED_IN(b, 0, "a", 1), FLOAT_IN(b, 0, "a", 1, 1)),
                      RUN(b, "Execute", TIMED_IN(b, 0, "b", 1)),
                      RUN(b, "Execute", TIMED_IN(b, 0, "c", 1), FLOAT_IN(b, 0, "c", 1, 2)),
                      RUN(b, "Execute", TIMED_IN(b, 0, "c", 1), FLOAT_IN(b, 0, "c", 1, 3))),
                 NULL);
    static const struct {
        const char *run;
        size_t n;
        int64_t first, last; /* offsets */
    } expected[] = {{NULL, 2, 4, 8}, {"0", 2, 4, 8}, {"1", 1, 12, 12}, {"all", 3, 4, 12}};
    for (size_t i = 0; i < COUNT_OF(expected); i++) {
        assert_ok(find_run(&recorded, &s, expected[i].run, &err));
        assert_int_equal(recorded.n, expected[i].n);
        assert_int_equal(recorded.tensors[0].offset, expected[i].first);
        assert_int_equal(recorded.tensors[recorded.n - 1].offset, expected[i].last);
        eti__recorded_free(&recorded);
    }
    assert_fails(find_run(&recorded, &s, "2", &err), ETI_ERROR_USAGE,
                 "there is no run 2: the last one is run 1");
    eti__recorded_free(&recorded);
    assert_fails(find_run(&recorded, &s, "-1", &err), ETI_ERROR_USAGE, "found '-1'");
    eti__recorded_free(&recorded);
    close_session(&s);
    open_session(&s, DUMP(b, RUN(b, "Empty", ALLOCATED(b))), NULL);
    assert_fails(find_run(&recorded, &s, "1", &err), ETI_ERROR_USAGE,
                 "there is no run 1: the last one is run 0");
    eti__recorded_free(&recorded);
    close_session(&s);
    open_session(&s, put_dump(b, (optional){0}, put_tables(b, NULL, 0)), NULL);
    assert_ok(find_run(&recorded, &s, NULL, &err));
    assert_int_equal(recorded.n, 0);
    eti__recorded_free(&recorded);
    close_session(&s);
}

/* Without a choice, the runs of a block before the first that recorded tensors are passed over, and so are those after it. */
static void the_first_run_with_tensors_is_chosen(void **state) {
    (void)state;
    static const eti_options undebugged = {.target_time_scale = ETI_SCALE_MS,
                                           .no_debug_data = true};
    session s = {.options = &undebugged};
    builder *b = &s.b;
    eti_error err = ETI_ERROR_INIT;
    eti_recorded recorded;
    place number = LOGGED(b, .name = "c", .instruction_id = SOME(1), .value = INT_VALUE(b, 7));
    open_session(&s,
                 DUMP(b, RUN(b, "Execute", TIMED_IN(b, 0, "c", 1), number),
                      RUN(b, "Execute", TIMED_IN(b, 0, "c", 1), FLOAT_IN(b, 0, "c", 1, 2)),
                      RUN(b, "Execute", TIMED_IN(b, 0, "c", 1), FLOAT_IN(b, 0, "c", 1, 3))),
                 NULL);
    assert_int_equal(eti_inspector_block_count(s.inspector), 1);
    assert_ok(find_run(&recorded, &s, NULL, &err));
    assert_int_equal(recorded.n, 1);
    assert_int_equal(recorded.tensors[0].offset, 8);
    assert_int_equal(recorded.tensors[0].run, 1);
    eti__recorded_free(&recorded);
    assert_ok(find_run(&recorded, &s, "0", &err));
    assert_int_equal(recorded.n, 0);
    eti__recorded_free(&recorded);
    close_session(&s);
}

/* Tensors may overlap until they take 64 MiB and four times the debug buffer: 68 times its 1 MiB. */
static void tensors_overlap_up_to_a_limit(void **state) {
    (void)state;
    enum { MOST = 68, N_FLOATS = 1 << 18 };
    static float floats[N_FLOATS];
    static const eti_options undebugged = {.target_time_scale = ETI_SCALE_MS,
                                           .no_debug_data = true};
    static const eti_source buffer = {"debug.bin", floats, sizeof floats};
    static const eti_view_options options = {.table = ETI_TABLE_OPTIONS_DEFAULT};
    place tensors[MOST + 1];
    for (size_t n_more = 0; n_more < 2; n_more++) {
        session s = {.options = &undebugged, .debug_buffer = &buffer};
        builder *b = &s.b;
        eti_error err = ETI_ERROR_INIT;
        eti_recorded recorded;
        tensors[MOST] = TENSOR(b, TYPE_FLOAT, 0, 1);
        tensors[0] = TENSOR(b, TYPE_FLOAT, 0, N_FLOATS);
        for (size_t i = 1; i < MOST; i++)
            tensors[i] = tensors[0];
        place value = VALUE(b, .val = SOME(VAL_TENSOR_LIST),
                            .tensor_list = put_tensor_list(b, tensors, MOST + n_more));
        open_session(
            &s,
            DUMP(b, RUN(b, "Execute", TIMED_CALL(b, "k", 1),
                        LOGGED(b, .name = "k", .instruction_id = SOME(1), .value = value))),
            NULL);
        if (n_more == 0)
            assert_ok(eti__recorded_list(&recorded, s.inspector, &options, &err));
        else
            assert_fails(eti__recorded_list(&recorded, s.inspector, &options, &err),
                         ETI_ERROR_LIMIT, "more than 4 times");
        assert_int_equal(recorded.n, MOST + n_more);
        eti__recorded_free(&recorded);
        close_session(&s);
    }
}

static const eti_source two_buffers[] = {
    {"first.bin", buffer_of_floats, sizeof buffer_of_floats},
    {"second.bin", buffer_of_floats, sizeof buffer_of_floats},
};

/* Opens two ETDumps, the first or both of which have a debug buffer of their own. */
static eti_inspector *open_two(const eti_source etdumps[2], const eti_source buffers[2],
                               size_t n_more) {
    static const eti_options undebugged = {.target_time_scale = ETI_SCALE_MS,
                                           .no_debug_data = true};
    const eti_inputs inputs = {.etdumps = etdumps,
                               .n_etdumps = 2,
                               .debug_buffer = &buffers[0],
                               .more_debug_buffers = &buffers[1],
                               .n_more_debug_buffers = n_more};
    eti_error err = ETI_ERROR_INIT;
    eti_inspector *inspector;
    assert_ok(eti__inspector_open(&inspector, &inputs, &undebugged, &err));
    return inspector;
}

/* At most half of the tensors of an ETDump may lie outside its debug buffer. Each debug buffer is checked separately. */
static void a_debug_buffer_belongs_to_its_dump(void **state) {
    (void)state;
    static const eti_view_options all = {.table = ETI_TABLE_OPTIONS_DEFAULT, .run = "all"};
    /* Numbers of the floats where the tensors of each ETDump start; from 64 on they lie outside. */
    static const struct {
        uint32_t at[2][2];
        const char *foreign; /* NULL: none */
    } cases[] = {
        {{{0, 64}, {1, 2}}, NULL},
        {{{64, 64}, {1, 2}}, "first.bin: does not belong"},
        {{{0, 1}, {64, 64}}, "second.bin: does not belong to this ETDump: 2 of the 2 tensors"},
        {{{64, 0}, {2, 64}}, NULL},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        builder dumps[2] = {{0}, {0}};
        eti_source sources[2];
        eti_error err = ETI_ERROR_INIT;
        eti_recorded recorded;
        for (size_t k = 0; k < 2; k++) {
            builder *b = &dumps[k];
            finish_dump(b,
                        DUMP(b, RUN(b, "Execute", TIMED_IN(b, 0, "k", 1),
                                    FLOAT_IN(b, 0, "k", 1, cases[i].at[k][0]),
                                    FLOAT_IN(b, 0, "k", 1, cases[i].at[k][1]))),
                        true);
            sources[k] = (eti_source){k == 0 ? "a.etdp" : "b.etdp", b->file.data, b->file.size};
        }
        eti_inspector *inspector = open_two(sources, two_buffers, 1);
        if (cases[i].foreign)
            assert_fails(eti__recorded_list(&recorded, inspector, &all, &err), ETI_ERROR_DATA,
                         cases[i].foreign);
        else
            assert_ok(eti__recorded_list(&recorded, inspector, &all, &err));
        assert_int_equal(recorded.n, 4);
        eti__recorded_free(&recorded);
        eti_inspector_close(inspector);
        for (size_t k = 0; k < 2; k++)
            builder_free(&dumps[k]);
    }
}

/* Tensors overlap too much only if those of one debug buffer do, which the message names. */
static void each_debug_buffer_has_its_limit(void **state) {
    (void)state;
    enum { MOST = 68, N_FLOATS = 1 << 18 };
    static float floats[N_FLOATS];
    static const eti_source buffers[] = {{"first.bin", floats, sizeof floats},
                                         {"second.bin", floats, sizeof floats}};
    static const eti_view_options all = {.table = ETI_TABLE_OPTIONS_DEFAULT, .run = "all"};
    for (size_t n_more = 0; n_more < 2; n_more++) {
        builder dumps[2] = {{0}, {0}};
        eti_source sources[2];
        eti_error err = ETI_ERROR_INIT;
        eti_recorded recorded;
        for (size_t k = 0; k < 2; k++) {
            builder *b = &dumps[k];
            place tensors[MOST + 1];
            for (size_t i = 0; i < MOST + 1; i++)
                tensors[i] = TENSOR(b, TYPE_FLOAT, 0, N_FLOATS);
            size_t n = k == 0 ? MOST / 2 : MOST + n_more;
            place value = VALUE(b, .val = SOME(VAL_TENSOR_LIST),
                                .tensor_list = put_tensor_list(b, tensors, n));
            finish_dump(
                b,
                DUMP(b, RUN(b, "Execute", TIMED_CALL(b, "k", 1),
                            LOGGED(b, .name = "k", .instruction_id = SOME(1), .value = value))),
                true);
            sources[k] = (eti_source){k == 0 ? "a.etdp" : "b.etdp", b->file.data, b->file.size};
        }
        eti_inspector *inspector = open_two(sources, buffers, 1);
        if (n_more == 0)
            assert_ok(eti__recorded_list(&recorded, inspector, &all, &err));
        else
            assert_fails(eti__recorded_list(&recorded, inspector, &all, &err), ETI_ERROR_LIMIT,
                         "second.bin: the recorded tensors overlap so much");
        eti__recorded_free(&recorded);
        eti_inspector_close(inspector);
        for (size_t k = 0; k < 2; k++)
            builder_free(&dumps[k]);
    }
}

/* Without a choice, runs of an ETDump with a debug buffer of its own stand for the others of that ETDump only. */
static void each_debug_buffer_has_a_run(void **state) {
    (void)state;
    static const eti_view_options options = {.table = ETI_TABLE_OPTIONS_DEFAULT};
    builder dumps[2] = {{0}, {0}};
    eti_source sources[2];
    for (uint32_t k = 0; k < 2; k++) {
        builder *b = &dumps[k];
        place runs[2];
        for (uint32_t i = 0; i < 2; i++)
            runs[i] =
                RUN(b, "Execute", TIMED_IN(b, 0, "k", 1), FLOAT_IN(b, 0, "k", 1, 10 * (k + 1) + i));
        finish_dump(b, DUMP(b, runs[0], runs[1]), true);
        sources[k] = (eti_source){k == 0 ? "a.etdp" : "b.etdp", b->file.data, b->file.size};
    }
    for (size_t n_more = 0; n_more < 2; n_more++) {
        eti_error err = ETI_ERROR_INIT;
        eti_recorded recorded;
        eti_inspector *inspector = open_two(sources, two_buffers, n_more);
        assert_ok(eti__recorded_list(&recorded, inspector, &options, &err));
        assert_int_equal(recorded.n, 1 + n_more);
        assert_int_equal(recorded.tensors[0].offset, 4 * 10);
        assert_int_equal(recorded.tensors[n_more].offset, n_more ? 4 * 20 : 4 * 10);
        eti__recorded_free(&recorded);
        eti_inspector_close(inspector);
    }
    for (size_t k = 0; k < 2; k++)
        builder_free(&dumps[k]);
}

/* ---- statistics ------------------------------------------------------------------------------- */

/* Threads visit parts of tensors, of 2^18 elements. Each element counts once, however the sizes divide. */
static void statistics_have_every_element(void **state) {
    (void)state;
    enum { PART = 1 << 18, MOST = 3 * PART + 1 };
    static const int64_t sizes[] = {1, PART - 1, PART, PART + 1, 2 * PART, MOST, 0, 7};
    static float floats[MOST];
    static const eti_source buffer = {"debug.bin", floats, sizeof floats};
    static const eti_view_options all = {.table = ETI_TABLE_OPTIONS_DEFAULT, .run = "all"};
    for (size_t i = 0; i < MOST; i++)
        floats[i] = (float)(i % 5);
    for (size_t n_threads = 1; n_threads <= 3; n_threads++) {
        const eti_options options = {
            .target_time_scale = ETI_SCALE_MS, .no_debug_data = true, .n_threads = n_threads};
        session s = {.options = &options, .debug_buffer = &buffer};
        builder *b = &s.b;
        eti_error err = ETI_ERROR_INIT;
        eti_recorded recorded;
        place tensors[COUNT_OF(sizes)];
        for (size_t i = 0; i < COUNT_OF(sizes); i++)
            tensors[i] = TENSOR(b, TYPE_FLOAT, 0, sizes[i]);
        place value = VALUE(b, .val = SOME(VAL_TENSOR_LIST),
                            .tensor_list = put_tensor_list(b, tensors, COUNT_OF(sizes)));
        open_session(
            &s,
            DUMP(b, RUN(b, "Execute", TIMED_CALL(b, "k", 1),
                        LOGGED(b, .name = "k", .instruction_id = SOME(1), .value = value))),
            NULL);
        assert_ok(eti__recorded_read(&recorded, s.inspector, &all, &err));
        assert_int_equal(recorded.n, COUNT_OF(sizes));
        for (size_t i = 0; i < COUNT_OF(sizes); i++) {
            const eti_tensor_statistics *statistics = &recorded.tensors[i].statistics;
            int64_t n = sizes[i], rest = n % 5, sum = n / 5 * 10 + rest * (rest - 1) / 2;
            assert_int_equal(statistics->n, n);
            assert_int_equal(statistics->n_zero, (n + 4) / 5);
            assert_true(statistics->sum == (long double)sum);
        }
        eti__recorded_free(&recorded);
        close_session(&s);
    }
}

/* ==== recorded notes ========================================================================== */
/* Notes about debug buffers of 256 bytes. */

#define IS_COMPLEX UINT64_C(1000000) /* in place of an offset: of a type that cannot be read */

typedef struct expected_note {
    eti_note_kind kind;
    const char *text;
} expected_note;

/* Expects the notes about floats at these offsets, which each of `n_runs` runs recorded; `bytes` NULL: no debug buffer. */
static void expect_notes_of(size_t n_runs, const uint8_t *bytes, const uint64_t *offsets, size_t n,
                            const expected_note *expected, size_t n_expected) {
    static const eti_options undebugged = {.target_time_scale = ETI_SCALE_MS,
                                           .no_debug_data = true};
    const eti_source buffer = {"debug.bin", bytes, 256};
    session s = {.options = &undebugged, .debug_buffer = bytes ? &buffer : NULL};
    builder *b = &s.b;
    eti_error err = ETI_ERROR_INIT;
    place tensors[8];
    for (size_t i = 0; i < n; i++)
        tensors[i] =
            offsets[i] == IS_COMPLEX ? TENSOR(b, 9, 0, 1) : TENSOR(b, TYPE_FLOAT, offsets[i], 1);
    place value =
        VALUE(b, .val = SOME(VAL_TENSOR_LIST), .tensor_list = put_tensor_list(b, tensors, n));
    const place run =
        RUN(b, "Execute",
            TIMED(b, .name = "k", .instruction_id = SOME(1), .start_time = 1, .end_time = 2),
            LOGGED(b, .name = "k", .instruction_id = SOME(1), .value = value));
    const place runs[] = {run, run};
    open_session(&s, put_dump(b, (optional){0}, put_tables(b, runs, n_runs)), NULL);
    size_t before = s.inspector->n_notes;
    assert_ok(eti__recorded_note(s.inspector, &err));
    assert_int_equal(s.inspector->n_notes - before, n_expected);
    for (size_t i = 0; i < n_expected; i++) {
        const eti_note *note = &s.inspector->notes[before + i];
        assert_int_equal(note->kind, expected[i].kind);
        assert_text(note->text, expected[i].text);
    }
    close_session(&s);
}

static void expect_notes(const uint8_t *bytes, const uint64_t *offsets, size_t n,
                         const expected_note *expected, size_t n_expected) {
    expect_notes_of(1, bytes, offsets, n, expected, n_expected);
}

#define OFFSETS(...)                                                                               \
    (const uint64_t[]){__VA_ARGS__}, sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t)
#define NOTES(...)                                                                                 \
    (const expected_note[]){__VA_ARGS__},                                                          \
        sizeof((const expected_note[]){__VA_ARGS__}) / sizeof(expected_note)
#define LIE(what)                                                                                  \
    { ETI_NOTE_INFO, what " in the debug buffer" }
#define USED(what)                                                                                 \
    {                                                                                              \
        ETI_NOTE_WARNING, "debug.bin: " what                                                       \
                          " gaps between recorded tensors are not zero, but the runtime writes "   \
                          "zeros there: it does not belong to this ETDump; give the debug buffer " \
                          "written with it"                                                        \
    }

static void tensors_are_counted(void **state) {
    (void)state;
    const uint8_t zeros[256] = {0};
    expect_notes(zeros, OFFSETS(0), NOTES(LIE("1 recorded tensor lies")));
    expect_notes(zeros, OFFSETS(0, 64), NOTES(LIE("2 recorded tensors lie")));
    expect_notes(zeros, NULL, 0,
                 NOTES({ETI_NOTE_HINT,
                        "debug.bin: a debug buffer, but it contains no tensors: turn on logging of "
                        "intermediate outputs, or of program outputs"}));
    expect_notes(NULL, OFFSETS(0, 64), NULL, 0);
    expect_notes_of(2, zeros, OFFSETS(0, 64), NOTES(LIE("4 recorded tensors lie")));
}

static void types_that_cannot_be_read_are_counted(void **state) {
    (void)state;
    const uint8_t zeros[256] = {0};
    expect_notes(
        zeros, OFFSETS(IS_COMPLEX, 0),
        NOTES(LIE("1 recorded tensor lies"),
              {ETI_NOTE_HINT, "1 recorded tensor is of a type whose elements cannot be read"}));
    expect_notes(
        zeros, OFFSETS(IS_COMPLEX, IS_COMPLEX),
        NOTES({ETI_NOTE_HINT, "2 recorded tensors are of a type whose elements cannot be read"}));
}

/* Half of the tensors may lie outside if the debug buffer was cut short. */
static void tensors_outside_are_counted(void **state) {
    (void)state;
    uint8_t used[256];
    memset(used, 1, sizeof used);
    const uint8_t zeros[256] = {0};
    expect_notes(zeros, OFFSETS(0, 253, 252),
                 NOTES({ETI_NOTE_WARNING,
                        "debug.bin: 1 of 3 recorded tensors lie beyond its end at byte 256: it was "
                        "cut short, or does not belong to this ETDump: copy it from the device "
                        "again"}));
    /* The gap between the tensors inside is not examined then. */
    expect_notes(used, OFFSETS(0, 256, 257, 258, 16),
                 NOTES({ETI_NOTE_WARNING,
                        "debug.bin: 3 of 5 recorded tensors lie beyond its end at byte 256: it "
                        "does not belong to this ETDump: give the debug buffer written with it"}));
}

/* A gap has at most 63 bytes. One byte in it that is not zero is enough; more than half of the gaps must have one. */
static void gaps_between_tensors_are_zero(void **state) {
    (void)state;
    uint8_t bytes[256] = {0};
    bytes[0] = bytes[3] = bytes[67] = bytes[70] = 1; /* in tensors */
    expect_notes(bytes, OFFSETS(67, 0), NOTES(LIE("2 recorded tensors lie")));
    for (size_t at = 4; at < 67; at += 62) { /* the first and the last of the gap */
        bytes[at] = 1;
        expect_notes(bytes, OFFSETS(67, 0), NOTES(LIE("2 recorded tensors lie"), USED("1 of 1")));
        expect_notes(bytes, OFFSETS(68, 0), NOTES(LIE("2 recorded tensors lie")));
        bytes[at] = 0;
    }
    memset(bytes, 0, sizeof bytes);
    bytes[10] = 1;
    expect_notes(bytes, OFFSETS(64, 0, 32), NOTES(LIE("3 recorded tensors lie")));
    bytes[70] = 1;
    expect_notes(bytes, OFFSETS(96, 64, 0, 32),
                 NOTES(LIE("4 recorded tensors lie"), USED("2 of 3")));
    /* Tensors that touch or overlap have no gap between them. */
    expect_notes(bytes, OFFSETS(8, 4, 68, 66, 128), NOTES(LIE("5 recorded tensors lie")));
    bytes[13] = bytes[105] = 1;
    expect_notes(bytes, OFFSETS(0, 4, 8, 16), NOTES(LIE("4 recorded tensors lie"), USED("1 of 1")));
    /* A gap after one that is too wide counts. */
    expect_notes(bytes, OFFSETS(0, 100, 110), NOTES(LIE("3 recorded tensors lie"), USED("1 of 1")));
    expect_notes(
        bytes, OFFSETS(IS_COMPLEX, 100, 110),
        NOTES(LIE("2 recorded tensors lie"), USED("1 of 1"),
              {ETI_NOTE_HINT, "1 recorded tensor is of a type whose elements cannot be read"}));
}

/* ---- a debug buffer per ETDump ---------------------------------------------------------------- */

typedef struct recording {
    const uint8_t *bytes; /* 256 */
    uint64_t at[4];       /* offsets of its floats */
    size_t n;
} recording;

/* Expects the notes about an ETDump for each recording, with the debug buffers "0.bin", "1.bin" and so on. */
static void expect_notes_per_buffer(const recording *recordings, size_t n,
                                    const expected_note *expected, size_t n_expected) {
    enum { MOST = 3 };
    static const char *const names[] = {"0.bin", "1.bin", "2.bin"};
    static const eti_options undebugged = {.target_time_scale = ETI_SCALE_MS,
                                           .no_debug_data = true};
    builder dumps[MOST] = {{0}};
    eti_source sources[MOST], buffers[MOST];
    eti_error err = ETI_ERROR_INIT;
    eti_inspector *inspector;
    for (size_t k = 0; k < n; k++) {
        builder *b = &dumps[k];
        place tensors[4];
        for (size_t i = 0; i < recordings[k].n; i++)
            tensors[i] = TENSOR(b, TYPE_FLOAT, recordings[k].at[i], 1);
        place value = VALUE(b, .val = SOME(VAL_TENSOR_LIST),
                            .tensor_list = put_tensor_list(b, tensors, recordings[k].n));
        finish_dump(b,
                    DUMP(b, RUN(b, "Execute",
                                TIMED(b, .name = "k", .instruction_id = SOME(1), .start_time = 1,
                                      .end_time = 2),
                                LOGGED(b, .name = "k", .instruction_id = SOME(1), .value = value))),
                    true);
        sources[k] = (eti_source){"a.etdp", b->file.data, b->file.size};
        buffers[k] = (eti_source){names[k], recordings[k].bytes, 256};
    }
    const eti_inputs inputs = {.etdumps = sources,
                               .n_etdumps = n,
                               .debug_buffer = &buffers[0],
                               .more_debug_buffers = &buffers[1],
                               .n_more_debug_buffers = n - 1};
    assert_ok(eti__inspector_open(&inspector, &inputs, &undebugged, &err));
    size_t before = inspector->n_notes;
    assert_ok(eti__recorded_note(inspector, &err));
    assert_int_equal(inspector->n_notes - before, n_expected);
    for (size_t i = 0; i < n_expected; i++) {
        assert_int_equal(inspector->notes[before + i].kind, expected[i].kind);
        assert_text(inspector->notes[before + i].text, expected[i].text);
    }
    eti_inspector_close(inspector);
    for (size_t k = 0; k < n; k++)
        builder_free(&dumps[k]);
}

#define USED_IN(name, what)                                                                        \
    {                                                                                              \
        ETI_NOTE_WARNING,                                                                          \
            name ": " what " gaps between recorded tensors are not zero, but the runtime "         \
                 "writes zeros there: it does not belong to this ETDump; give the "                \
                 "debug buffer written with it"                                                    \
    }

/* The file with the faults is named, and the gaps of the others do not count for it. */
static void each_debug_buffer_is_examined(void **state) {
    (void)state;
    uint8_t bad[256];
    memset(bad, 1, sizeof bad);
    const uint8_t clean[256] = {0};
    const expected_note inside[] = {{ETI_NOTE_INFO, "6 recorded tensors lie in the debug buffers"},
                                    USED_IN("1.bin", "1 of 1")};
    recording clean_first[] = {{clean, {0, 32, 64, 96}, 4}, {bad, {0, 32}, 2}};
    expect_notes_per_buffer(clean_first, 2, inside, 2);
    expect_notes_per_buffer((const recording[]){{clean, {0, 32, 64, 96}, 4}, {clean, {0, 32}, 2}},
                            2, inside, 1);
    /* The bytes of the last tensor of one buffer and of the first of the next one are not neighbours. */
    expect_notes_per_buffer((const recording[]){{bad, {0}, 1}, {bad, {32}, 1}}, 2,
                            NOTES({ETI_NOTE_INFO, "2 recorded tensors lie in the debug buffers"}));
    /* In a foreign buffer the gaps are not examined, but in the others they are. */
    expect_notes_per_buffer(
        (const recording[]){{bad, {0, 16}, 2}, {bad, {256, 256, 256, 256}, 4}, {bad, {0}, 0}}, 3,
        NOTES(USED_IN("0.bin", "1 of 1"),
              {ETI_NOTE_WARNING,
               "1.bin: 4 of 4 recorded tensors lie beyond its end at byte 256: it does not belong "
               "to this ETDump: give the debug buffer written with it"},
              {ETI_NOTE_HINT,
               "2.bin: a debug buffer, but it contains no tensors: turn on logging of "
               "intermediate outputs, or of program outputs"}));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tensors_have_their_faults),
        cmocka_unit_test(a_list_may_repeat_a_tensor),
        cmocka_unit_test(chains_that_are_alike_share_an_event),
        cmocka_unit_test(chains_find_the_event_of_their_delegate_id),
        cmocka_unit_test(values_of_many_ids_are_found_quickly),
        cmocka_unit_test(values_of_no_event_are_not_listed),
        cmocka_unit_test(values_belong_to_the_kernel_of_an_operator_call),
        cmocka_unit_test(a_run_is_chosen_by_its_number),
        cmocka_unit_test(the_first_run_with_tensors_is_chosen),
        cmocka_unit_test(tensors_overlap_up_to_a_limit),
        cmocka_unit_test(a_debug_buffer_belongs_to_its_dump),
        cmocka_unit_test(each_debug_buffer_has_its_limit),
        cmocka_unit_test(each_debug_buffer_has_a_run),
        cmocka_unit_test(statistics_have_every_element),
        cmocka_unit_test(tensors_are_counted),
        cmocka_unit_test(types_that_cannot_be_read_are_counted),
        cmocka_unit_test(tensors_outside_are_counted),
        cmocka_unit_test(gaps_between_tensors_are_zero),
        cmocka_unit_test(each_debug_buffer_is_examined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
