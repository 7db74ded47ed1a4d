/* Tests the backends that are known, and what their events mean. */
#include "backends/backends.h"
#include "base/text.h"

#include "support.h"

static void backends_have_ids(void **state) {
    (void)state;
    for (int i = ETI_BACKEND_OTHER + 1; i < ETI_N_BACKENDS; i++)
        assert_int_equal(eti__backend_of_id(eti__backend_id((eti_backend)i)), i);
    assert_int_equal(eti__backend_of_id(eti__text_of("MyBackend")), ETI_BACKEND_OTHER);
    assert_int_equal(eti__backend_of_id((eti_text){NULL, 0}), ETI_BACKEND_OTHER);
    assert_null(eti__backend_id(ETI_BACKEND_OTHER).data);
}

static void events_of_unknown_backends_are_nodes(void **state) {
    (void)state;
    eti_arena arena = {0};
    const eti_logged_event logged = {.name = eti__text_of("matmul"), .has_id = true};
    eti_delegate_event event;
    assert_int_equal(eti__backend_of_event(&logged), ETI_BACKEND_OTHER);
    assert_true(eti__delegate_event_read(&event, ETI_BACKEND_OTHER, &logged, &arena));
    assert_int_equal(event.role, ETI_DELEGATE_NODE);
    assert_int_equal(event.clock, ETI_CLOCK_UNKNOWN);
    assert_text(event.label, "matmul");
    assert_true(eti__delegate_event_read(&event, ETI_BACKEND_XNNPACK, &logged, &arena));
    assert_int_equal(event.clock, ETI_CLOCK_DEVICE);
    eti__arena_free(&arena);
}

static void units_have_names(void **state) {
    (void)state;
    assert_text(eti__delegate_unit_name(ETI_UNIT_US), "us");
    assert_null(eti__delegate_unit_name(ETI_UNIT_TICKS).data);
}

static void backends_have_the_names_that_people_know(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"XnnpackBackend", "XNNPACK"},
        {"CoreMLBackend", "Core ML"},
        {"Backend", "Backend"},
        {"MyBackend2", "MyBackend2"},
        {"Backends", "Backends"},
        {"backend", "backend"},
        {"xnnpackbackend", "xnnpackbackend"},
        {"ABackendBackend", "ABackend"},
        {"", ""},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_text(eti__backend_label(eti__text_of(cases[i][0])), cases[i][1]);
    assert_int_equal(eti__backend_label((eti_text){NULL, 0}).size, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(backends_have_ids),
        cmocka_unit_test(backends_have_the_names_that_people_know),
        cmocka_unit_test(events_of_unknown_backends_are_nodes),
        cmocka_unit_test(units_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
