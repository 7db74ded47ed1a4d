/* Tests the events of the backend for VGF. */
#include "logged.h"

static void steps_have_roles(void **state) {
    static const struct {
        const char *name;
        uint8_t role;
    } steps[] = {
        {"VGF_EXECUTE", ETI_DELEGATE_WRAPPER},
        {"VGF_DISPATCH_AND_WAIT", ETI_DELEGATE_WRAPPER},
        {"VGF_QUEUE_SUBMIT_AND_WAIT_FENCE", ETI_DELEGATE_DEVICE},
        {"VGF_COPY_INPUTS", ETI_DELEGATE_TRANSFER},
        {"VGF_COPY_OUTPUTS", ETI_DELEGATE_TRANSFER},
        {"VGF_NEURAL_STATISTICS", ETI_DELEGATE_PROFILING},
        {"VGF_TIMESTAMP_QUERY_READBACK", ETI_DELEGATE_PROFILING},
        {"VGF_INIT_SESSION", ETI_DELEGATE_LOAD},
    };
    eti_arena arena = {0};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(steps); i++) {
        eti_delegate_event event = read_logged(ETI_BACKEND_VGF, steps[i].name, NULL, &arena);
        const eti_logged_event logged = {.name = eti__text_of(steps[i].name), .has_id = true};
        assert_int_equal(event.role, steps[i].role);
        assert_int_equal(event.clock, ETI_CLOCK_HOST);
        assert_int_equal(event.unit, ETI_UNIT_TICKS);
        assert_text(event.label, steps[i].name);
        assert_int_equal(event.compute_unit.data != NULL, event.role == ETI_DELEGATE_DEVICE);
        assert_int_equal(eti__backend_of_event(&logged), ETI_BACKEND_VGF);
    }
    eti__arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_have_roles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
