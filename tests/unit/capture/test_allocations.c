#include "capture_fixture.h"

static void allocators_at_any_time_in_a_run(void **state) {
    (void)state;
    etc_capture *c = start();
    etc_run(c, "Execute");
    assert_int_equal(etc_allocator(c, "planned"), 1);
    etc_allocation(c, 1, 4096);
    assert_int_equal(etc_allocator(c, "temp"), 2);
    etc_allocation(c, 0, 0);
    etc_allocation(c, 77, UINT64_MAX);
    etc_run(c, "Execute");
    assert_int_equal(etc_allocator(c, NULL), 1);
    etc_run_end(c);
    assert_runs(
        c,
        "{\"name\":\"Execute\",\"allocators\":[{\"name\":\"planned\"},{\"name\":\"temp\"}],"
        "\"events\":[{\"allocation_event\":{\"allocator_id\":1,\"allocation_size\":4096}},"
        "{\"allocation_event\":{}},"
        "{\"allocation_event\":{\"allocator_id\":77,\"allocation_size\":18446744073709551615}}]},"
        "{\"name\":\"Execute\",\"allocators\":[{\"name\":\"\"}]}");
}

static void allocations_can_be_left_out(void **state) {
    (void)state;
    etc_capture *c = start();
    etc_run(c, "Execute");
    etc_allocator(c, "planned");
    etc_allocation(c, 1, 4096);
    add_event(c, "conv");
    etc_run_end(c);
    etc_save_options options = ETC_SAVE_OPTIONS_INIT;
    options.no_allocations = true;
    saved s;
    save_with(&s, c, &options);
    assert_int_equal(count_events(&s, 0), 1);
    assert_int_equal(eti__etdump_read_run(&s.dump, 0).allocators.count, 0);
    free_saved(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(allocators_at_any_time_in_a_run),
        cmocka_unit_test(allocations_can_be_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
