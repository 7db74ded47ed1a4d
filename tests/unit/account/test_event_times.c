#include "account/options.h"
#include "inspector_fixture.h"
#include "timed_events.h"

#include "account/event_times.h"

static place put_branch(builder *b, const char *kernel) {
    return RUN(b, "Execute", EVENT(b, kernel, 1, 4),
               LOGGED(b, .name = "value", .instruction_id = SOME(99), .value = INT_VALUE(b, 1)),
               EVENT(b, "Method::execute", 0, 5));
}

/* Blocks are the inspector's, which puts runs of one kind together. */
static void times_come_by_block_run_and_event(void **state) {
    (void)state;
    static const struct {
        const char *event;
        size_t run;
        uint64_t self;
    } expected[] = {
        {"a", 0, 3}, {"Method::execute", 0, 2}, {"a", 1, 3}, {"Method::execute", 1, 2},
        {"b", 0, 3}, {"Method::execute", 0, 2},
    };
    session s = {0};
    builder *b = &s.b;
    eti_view_options options = ETI_VIEW_OPTIONS_DEFAULT;
    eti_event_times times;
    eti_error err = ETI_ERROR_INIT;
    open_session(&s,
                 DUMP(b, put_branch(b, "a"), put_branch(b, "a"),
                      RUN(b, "Logged", LOGGED(b, .name = "v", .value = INT_VALUE(b, 1))),
                      put_branch(b, "b")),
                 NULL);
    assert_ok(eti__event_times_make(&times, s.inspector, &options, &err));
    assert_int_equal(times.n, COUNT_OF(expected));
    for (size_t i = 0; i < times.n; i++) {
        eti_event_time time = eti__event_times_at(&times, i);
        assert_text(time.event->name, expected[i].event);
        assert_int_equal(time.run, expected[i].run);
        assert_true(&time.account->block->events[time.number] == time.event);
        assert_int_equal(eti__account_self(time.account, time.number)[time.run], expected[i].self);
    }
    /* "Execute" six times, with "a", "a", "b" and three times "Method::execute" */
    assert_int_equal(times.n_bytes, 6 * 7 + 3 * 1 + 3 * 15);
    eti__event_times_free(&times);
    options.block = "Logged";
    assert_ok(eti__event_times_make(&times, s.inspector, &options, &err));
    assert_int_equal(times.n, 0);
    eti__event_times_free(&times);
    close_session(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_come_by_block_run_and_event),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
