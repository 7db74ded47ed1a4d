#include "recorded_fixture.h"

#include "numerics/saved.h"

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
        cmocka_unit_test(tensors_are_named_by_event_or_handle),
        cmocka_unit_test(names_always_differ),
        cmocka_unit_test(tensors_without_a_node_have_no_handle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
