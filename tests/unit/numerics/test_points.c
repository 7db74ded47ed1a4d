#include "support.h"

#include "recorded_fixture.h"

#include <string.h>

/* ==== points ================================================================================== */

#define MOST 16

/* Events logged by a run, without a dump. */
typedef struct recording {
    eti_event_block block;
    eti_event events[MOST];
    eti_event_record records[MOST];
    eti_recorded_tensor tensors[MOST];
    eti_tensor_origin of[MOST];
    eti_recorded recorded;
    eti_origins origins;
    size_t n_events;
} recording;

static void begin(recording *r) {
    *r = (recording){.n_events = 0};
    r->recorded.tensors = r->tensors;
    r->origins.recorded = &r->recorded;
    r->origins.of = r->of;
}

/* Adds an Event that logged `n` tensors, the first of which are inputs. */
static eti_event *log_event(recording *r, const char *name, int32_t instruction,
                            const int64_t *handles, size_t n_handles, size_t n, size_t n_inputs) {
    eti_event_record *record = &r->records[r->n_events];
    eti_event *event = &r->events[r->n_events++];
    *record = (eti_event_record){
        .handles = {n_handles ? ETI_HANDLES_LIST : ETI_HANDLES_NONE, handles, n_handles}};
    *event = (eti_event){.name = eti__text_of(name),
                         .block = &r->block,
                         .record = record,
                         .known = record,
                         .instruction_id = instruction};
    for (uint32_t i = 0; i < n; i++) {
        r->of[r->recorded.n].is_input = i < n_inputs;
        r->tensors[r->recorded.n++] = (eti_recorded_tensor){
            .block = &r->block, .event = event, .index = i, .n_of_event = (uint32_t)n};
    }
    return event;
}
#define HANDLES(...)                                                                               \
    (const int64_t[]){__VA_ARGS__}, sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t)

static eti_points find(const recording *r) {
    eti_points points;
    eti_error err = ETI_ERROR_INIT;
    assert_int_equal(eti__points_find(&points, &r->origins, 0, r->recorded.n, &err), ETI_OK);
    return points;
}

static void assert_handles(const eti_point *point, const int64_t *handles, size_t n) {
    assert_int_equal(point->n_handles, n);
    assert_memory_equal(point->handles, handles, n * sizeof *handles);
}

static void a_kernel_is_a_point_with_all_its_tensors(void **state) {
    (void)state;
    recording r;
    begin(&r);
    log_event(&r, "native_call_layer_norm.out", 1, HANDLES(3, 7), 3, 0);
    log_event(&r, "without handles", 2, NULL, 0, 1, 0);
    eti_points points = find(&r);
    assert_int_equal(points.n, 1);
    assert_int_equal(points.points[0].n, 3);
    assert_int_equal(points.points[0].handle, 7);
    eti__points_free(&points);
}

static void the_largest_instruction_counts_and_of_equal_ones_the_first(void **state) {
    (void)state;
    recording r;
    begin(&r);
    log_event(&r, "permute", 1, HANDLES(3), 1, 0);
    log_event(&r, "addmm", 4, HANDLES(3), 1, 0);
    log_event(&r, "clone", 2, HANDLES(3), 1, 0);
    log_event(&r, "addmm again", 4, HANDLES(3), 1, 0);
    eti_points points = find(&r);
    assert_int_equal(points.n, 1);
    assert_true(eti__text_is(points.points[0].name, "addmm"));
    assert_ptr_equal(points.points[0].tensors, &r.tensors[1]);
    eti__points_free(&points);
}

static void methods_have_handles_of_their_own(void **state) {
    (void)state;
    recording r;
    eti_event_block other = {.method = 1};
    begin(&r);
    log_event(&r, "a", 1, HANDLES(3), 1, 0);
    log_event(&r, "b", 2, HANDLES(3), 1, 0)->block = &other;
    log_event(&r, "c", 3, HANDLES(2, 3), 1, 0)->block = &other;
    eti_points points = find(&r);
    assert_int_equal(points.n, 2);
    assert_true(eti__text_is(points.points[1].name, "c"));
    assert_handles(&points.points[1], HANDLES(2, 3));
    eti__points_free(&points);
}

/* As the Inspector joins them: handles that only the lower instruction has come first. */
static void overlapping_handles_are_joined(void **state) {
    (void)state;
    recording r;
    begin(&r);
    log_event(&r, "low", 1, HANDLES(5, 2, 5), 1, 0);
    log_event(&r, "other", 2, HANDLES(9), 1, 0);
    log_event(&r, "high", 3, HANDLES(4, 2, 4), 1, 0);
    log_event(&r, "lower than all", 0, HANDLES(9, 6, 6), 1, 0);
    eti_points points = find(&r);
    assert_int_equal(points.n, 2);
    assert_true(eti__text_is(points.points[0].name, "other"));
    assert_handles(&points.points[0], HANDLES(6, 6, 9));
    assert_true(eti__text_is(points.points[1].name, "high"));
    assert_handles(&points.points[1], HANDLES(5, 5, 4, 2));
    assert_int_equal(points.points[1].handle, 2);
    eti__points_free(&points);
}

static void one_event_may_overlap_with_several(void **state) {
    (void)state;
    recording r;
    begin(&r);
    log_event(&r, "a", 1, HANDLES(1), 1, 0);
    log_event(&r, "b", 2, HANDLES(2), 1, 0);
    log_event(&r, "c", 3, HANDLES(3), 1, 0);
    log_event(&r, "all", 4, HANDLES(3, 1, 2), 1, 0);
    log_event(&r, "late", 5, HANDLES(2, 8), 1, 0);
    eti_points points = find(&r);
    assert_int_equal(points.n, 1);
    assert_handles(&points.points[0], HANDLES(3, 1, 2, 8));
    assert_int_equal(points.points[0].handle, 8);
    eti__points_free(&points);
}

static void each_output_of_a_call_is_a_point(void **state) {
    (void)state;
    recording r;
    const eti_graph_node nodes[] = {
        {.node = {.origin = {"linear", 6}}, .has_debug_handle = true, .debug_handle = 4},
        {.node = {.origin = {"relu", 4}}, .has_debug_handle = true, .debug_handle = 2},
    };
    begin(&r);
    log_event(&r, "DELEGATE_CALL", 1, HANDLES(2, 4, 5), 4, 2);
    r.of[2].node = &nodes[0];
    r.of[3].node = &nodes[1];
    eti_points points = find(&r);
    assert_int_equal(points.n, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(points.points[i].n, 1);
        assert_int_equal(points.points[i].output, i);
        assert_int_equal(points.points[i].n_outputs, 2);
        assert_int_equal(points.points[i].handle, nodes[i].debug_handle);
        assert_true(eti__text_equal(points.points[i].source_node, nodes[i].node.origin));
        assert_ptr_equal(points.points[i].tensors, &r.tensors[2 + i]);
    }
    eti__points_free(&points);
}

/* A later kernel replaces only the output whose handle it has. */
static void an_output_of_a_call_that_no_later_event_has_remains(void **state) {
    (void)state;
    recording r;
    const eti_graph_node nodes[] = {
        {.node = {.origin = {"relu", 4}}, .has_debug_handle = true, .debug_handle = 3},
        {.node = {.origin = {"clamp", 5}}, .has_debug_handle = true, .debug_handle = 6},
    };
    begin(&r);
    log_event(&r, "DELEGATE_CALL", 0, HANDLES(1, 2, 3, 6), 3, 1);
    log_event(&r, "copy", 1, HANDLES(3), 1, 0);
    log_event(&r, "mean", 2, HANDLES(4), 1, 0);
    r.of[1].node = r.of[3].node = &nodes[0];
    r.of[2].node = &nodes[1];
    eti_points points = find(&r);
    assert_int_equal(points.n, 3);
    const eti_point *clamp = &points.points[0], *relu = &points.points[1];
    assert_true(eti__text_is(clamp->name, "DELEGATE_CALL") && clamp->is_remainder);
    assert_int_equal(clamp->handle, 6);
    assert_int_equal(clamp->output, 1);
    assert_int_equal(clamp->n_outputs, 2);
    assert_handles(clamp, HANDLES(1, 2, 3, 6));
    assert_ptr_equal(clamp->tensors, &r.tensors[2]);
    assert_true(clamp->n_names == 1 && eti__text_is(clamp->names[0], "DELEGATE_CALL"));
    assert_true(eti__text_is(relu->name, "copy") && !relu->is_remainder);
    assert_int_equal(relu->handle, 3);
    assert_handles(relu, HANDLES(1, 2, 6, 3));
    eti__points_free(&points);
    /* The value is not the last one if a later kernel has the handle among others. */
    log_event(&r, "fused", 3, HANDLES(6, 8), 1, 0);
    points = find(&r);
    assert_int_equal(points.n, 2);
    assert_true(eti__text_is(points.points[1].name, "fused"));
    eti__points_free(&points);
    /* Without its node, the handle of an output is not known. */
    r.n_events = r.recorded.n = 0;
    r.of[1].node = r.of[2].node = NULL;
    log_event(&r, "DELEGATE_CALL", 0, HANDLES(1, 2, 3, 6), 3, 1);
    log_event(&r, "copy", 1, HANDLES(3), 1, 0);
    points = find(&r);
    assert_int_equal(points.n, 1);
    eti__points_free(&points);
}

static void without_nodes_the_last_handles_are_those_of_the_outputs(void **state) {
    (void)state;
    recording r;
    begin(&r);
    log_event(&r, "DELEGATE_CALL", 1, HANDLES(2, 4, 5), 3, 1);
    eti_points points = find(&r);
    assert_int_equal(points.n, 2);
    assert_int_equal(points.points[0].handle, 4);
    assert_int_equal(points.points[1].handle, 5);
    eti__points_free(&points);
}

static void a_call_whose_operators_were_logged_is_left_out(void **state) {
    (void)state;
    recording r;
    begin(&r);
    log_event(&r, "DELEGATE_CALL", 1, HANDLES(2, 4), 1, 0);
    log_event(&r, "inner", 1, HANDLES(4), 1, 0);
    log_event(&r, "DELEGATE_CALL", 2, HANDLES(6), 1, 0);
    r.records[0].backend_name = r.records[1].backend_name = r.records[2].backend_name =
        eti__text_of("Backend");
    r.events[1].is_delegated_op = true;
    eti_points points = find(&r);
    assert_int_equal(points.n, 2);
    assert_true(eti__text_is(points.points[0].name, "inner"));
    assert_int_equal(points.points[1].handle, 6);
    eti__points_free(&points);
    r.records[1].backend_name = eti__text_of("Another");
    points = find(&r);
    assert_int_equal(points.n, 2);
    assert_true(eti__text_is(points.points[0].name, "DELEGATE_CALL"));
    eti__points_free(&points);
}

static void events_as_they_are_need_no_handles(void **state) {
    (void)state;
    recording r;
    eti_points points;
    eti_error err = ETI_ERROR_INIT;
    begin(&r);
    log_event(&r, "a", 1, NULL, 0, 2, 0);
    log_event(&r, "DELEGATE_CALL", 2, NULL, 0, 3, 2);
    log_event(&r, "outputs", -1, NULL, 0, 1, 0);
    r.tensors[5].event = NULL;
    assert_int_equal(eti__points_of_events(&points, &r.origins, 0, r.recorded.n, &err), ETI_OK);
    assert_int_equal(points.n, 3);
    assert_int_equal(points.points[1].n, 3);
    assert_null(points.points[2].event);
    eti__points_free(&points);
}

/* ==== saved =================================================================================== */

#define PROGRAM                                                                                    \
    GRAPH_OF(T("second"), MADE("first", "1", FROM("root", ""),                                     \
                               ARG("x")) ", " MADE("second", "2", "", ARG("first")))

static void expect_names(const found *f, const size_t *numbers, size_t n, unsigned key,
                         const char *const *expected, size_t n_expected) {
    eti_saved_tensors saved;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__saved_tensors_list(&saved, &f->origins, numbers, n, key, &err));
    assert_int_equal(saved.n, n_expected);
    assert_int_equal(saved.n + saved.n_without_elements + saved.n_without_node, n);
    for (size_t i = 0; i < n_expected; i++)
        assert_text(saved.tensors[i].name, expected[i]);
    eti__saved_tensors_free(&saved);
}

static void tensors_are_named_by_event_or_handle(void **state) {
    (void)state;
    found f = {0};
    builder *b = &f.s.b;
    place run = RUN(b, "Execute", TIMED_CALL(b, "a.out", 0), LOGGED_AT(b, "a.out", 0, 0, 1),
                    LOGGED_AT(b, "a.out", 0, 4, 1), TIMED_CALL(b, "b.out", 1),
                    LOGGED_AT(b, "b.out", 1, 8, 1), TIMED_CALL(b, "b.out", 2),
                    LOGGED_AT(b, "b.out", 2, 800, 1));
    find_recorded(&f, DUMP(b, run, run),
                  &(record_spec){.handles = "{\"0\": 1, \"1\": 2}", .edge = PROGRAM});
    assert_int_equal(f.recorded.n, 8);
    const size_t all[] = {0, 1, 2, 3, 4, 5, 6, 7}, some[] = {5, 2, 2};
    /* The last tensor of each run lies outside the debug buffer. */
    expect_names(&f, all, 8, ETI_SAVED_BY_EVENT,
                 (const char *const[]){"Execute.0/0:a.out#0", "Execute.0/0:a.out#1",
                                       "Execute.0/1:b.out#0", "Execute.1/0:a.out#0",
                                       "Execute.1/0:a.out#1", "Execute.1/1:b.out#0"},
                 6);
    expect_names(&f, all, 8, ETI_SAVED_BY_HANDLE,
                 (const char *const[]){"Execute.0/handle:1:root#0", "Execute.0/handle:1:root#1",
                                       "Execute.0/handle:2:second_#0", "Execute.1/handle:1:root#0",
                                       "Execute.1/handle:1:root#1", "Execute.1/handle:2:second_#0"},
                 6);
    expect_names(&f, all + 4, 4, ETI_SAVED_BY_HANDLE,
                 (const char *const[]){"1:root#0", "1:root#1", "2:second_#0"}, 3);
    expect_names(&f, some, 3, ETI_SAVED_BY_EVENT,
                 (const char *const[]){"Execute.1/0:a.out#1", "Execute.0/1:b.out#0",
                                       "Execute.0/1:b.out#0~2"},
                 3);
    expect_names(&f, some, 0, ETI_SAVED_BY_EVENT, NULL, 0);
    close_recorded(&f);
}

/* A name that looks like a numbered duplicate stays with the tensor that has it. */
static void names_always_differ(void **state) {
    (void)state;
    found f = {0};
    builder *b = &f.s.b;
    find_recorded(&f,
                  DUMP(b, RUN(b, "Execute#0~2", TIMED_CALL(b, "a", 0), LOGGED_AT(b, "a", 0, 0, 1),
                              TIMED_CALL(b, "\xff\xfe", 1), LOGGED_AT(b, "\xff\xfe", 1, 4, 1))),
                  NULL);
    assert_int_equal(f.recorded.n, 2);
    const size_t twice[] = {0, 0, 1, 0};
    eti_saved_tensors saved;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__saved_tensors_list(&saved, &f.origins, twice, 4, ETI_SAVED_BY_EVENT, &err));
    assert_int_equal(saved.n, 4);
    assert_text(saved.tensors[1].name, "Execute#0~2.0/0:a#0~2");
    assert_text(saved.tensors[2].name, "Execute#0~2.0/1:\xef\xbf\xbd\xef\xbf\xbd#0");
    assert_text(saved.tensors[3].name, "Execute#0~2.0/0:a#0~3");
    eti__saved_tensors_free(&saved);
    close_recorded(&f);
}

/* Outputs of a run, Events without an instruction, and tensors without a node. */
static void tensors_without_a_node_have_no_handle(void **state) {
    (void)state;
    found f = {0};
    builder *b = &f.s.b;
    place output = VALUE(b, .val = SOME(VAL_TENSOR), .tensor = TENSOR(b, TYPE_FLOAT, 12, 2),
                         .output = put_bool(b, 1));
    place run =
        RUN(b, "Execute", TIMED_CALL(b, "a.out", 0), LOGGED_AT(b, "a.out", 0, 0, 1),
            TIMED_CALL(b, "c.out", 7), LOGGED_AT(b, "c.out", 7, 4, 1),
            TIMED(b, .name = "loose", .start_time = 1, .end_time = 2),
            LOGGED(b, .name = "loose", .value = TENSOR_VALUE(b, TENSOR(b, TYPE_FLOAT, 8, 1))),
            TIMED_CALL(b, "b.out", 1), LOGGED_AT(b, "b.out", 1, 800, 1), LOGGED(b, .value = output),
            LOGGED(b, .value = output));
    find_recorded(&f, DUMP(b, run),
                  &(record_spec){.handles = "{\"0\": 1, \"1\": 2}", .edge = PROGRAM});
    assert_int_equal(f.recorded.n, 6);
    const size_t all[] = {5, 4, 3, 2, 1, 0};
    expect_names(&f, all, 6, ETI_SAVED_BY_EVENT,
                 (const char *const[]){"Execute.0/output#1", "Execute.0/output#0",
                                       "Execute.0/-:loose#0", "Execute.0/7:c.out#0",
                                       "Execute.0/0:a.out#0"},
                 5);
    expect_names(&f, all, 6, ETI_SAVED_BY_HANDLE, (const char *const[]){"1:root#0"}, 1);
    eti_saved_tensors saved;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__saved_tensors_list(&saved, &f.origins, all, 6, ETI_SAVED_BY_HANDLE, &err));
    assert_int_equal(saved.n_without_elements, 1);
    assert_int_equal(saved.n_without_node, 4);
    assert_ptr_equal(saved.tensors[0].data, f.recorded.tensors[0].values.data);
    eti__saved_tensors_free(&saved);
    close_recorded(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kernel_is_a_point_with_all_its_tensors),
        cmocka_unit_test(the_largest_instruction_counts_and_of_equal_ones_the_first),
        cmocka_unit_test(methods_have_handles_of_their_own),
        cmocka_unit_test(overlapping_handles_are_joined),
        cmocka_unit_test(one_event_may_overlap_with_several),
        cmocka_unit_test(each_output_of_a_call_is_a_point),
        cmocka_unit_test(an_output_of_a_call_that_no_later_event_has_remains),
        cmocka_unit_test(without_nodes_the_last_handles_are_those_of_the_outputs),
        cmocka_unit_test(a_call_whose_operators_were_logged_is_left_out),
        cmocka_unit_test(events_as_they_are_need_no_handles),
        cmocka_unit_test(tensors_are_named_by_event_or_handle),
        cmocka_unit_test(names_always_differ),
        cmocka_unit_test(tensors_without_a_node_have_no_handle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
