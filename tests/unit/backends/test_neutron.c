/* Tests the events of Neutron. */
#include "backends/backends.h"
#include "base/text.h"

#include "support.h"

static eti_arena arena;

static eti_delegate_event read_number(const char *id, eti_text metadata) {
    const eti_logged_event logged = {
        .name = eti__text_of(id), .metadata = metadata, .has_id = true, .has_int_id = true};
    eti_delegate_event event;
    assert_int_equal(eti__backend_of_event(&logged),
                     metadata.size == 1 ? ETI_BACKEND_NEUTRON : ETI_BACKEND_OTHER);
    assert_true(eti__delegate_event_read(&event, ETI_BACKEND_NEUTRON, &logged, &arena));
    assert_int_equal(event.clock, ETI_CLOCK_DEVICE);
    assert_true(event.wraps_at_32);
    assert_text(event.node, id);
    return event;
}

static void kernels_are_numbered(void **state) {
    (void)state;
    eti_delegate_event event = read_number("5", (eti_text){"\x0c", 1});
    assert_text(event.label, "Neutron kernel 12");
    assert_text(event.kernel, "Neutron kernel 12");
    assert_text(event.compute_unit, "NPU");
    assert_true(event.is_numbered);
    assert_int_equal(event.role, ETI_DELEGATE_NODE);
    assert_true(eti__delegate_event_has_time(&event));
    assert_int_equal(event.unit, ETI_UNIT_CYCLES);
    assert_text(read_number("6", (eti_text){"\xff", 1}).label, "Neutron kernel 255");
}

static void the_dump_of_the_profile_has_no_time(void **state) {
    (void)state;
    eti_delegate_event event = read_number("8", (eti_text){"\0", 1});
    assert_text(event.label, "Profiling dump");
    assert_text(event.kernel, "Profiling dump");
    assert_int_equal(event.role, ETI_DELEGATE_PROFILING);
    assert_false(eti__delegate_event_has_time(&event));
    assert_false(event.is_numbered);
}

static void other_metadata_name_no_kernel(void **state) {
    (void)state;
    eti_delegate_event event = read_number("3", (eti_text){"\x01\x02", 2});
    assert_text(event.label, "3");
    assert_absent(event.kernel);
    assert_absent(read_number("3", (eti_text){NULL, 0}).kernel);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_are_numbered),
        cmocka_unit_test(the_dump_of_the_profile_has_no_time),
        cmocka_unit_test(other_metadata_name_no_kernel),
    };
    int n_failed = cmocka_run_group_tests(tests, NULL, NULL);
    eti__arena_free(&arena);
    return n_failed;
}
