/* Tests debug events beside slices: one line per instant, "track|name|time". */
#include "slices_fixture.h"
#include "timed_events.h"

#include <inttypes.h>

#define VALUE_OF(b, id) LOGGED(b, .instruction_id = SOME(id), .value = INT_VALUE(b, 5))

static void add_instant_line(eti_buffer *out, const eti_slice_source *source,
                             const eti_slices *slices, const eti_sliced_run *run,
                             const eti_slice_instant *instant) {
    eti__slice_track_add_name(source, eti__slices_track(slices, instant->track), out);
    eti__buffer_add_char(out, '|');
    eti__buffer_add_text(out, eti__slice_instant_name(run, instant));
    eti__buffer_printf(out, "|%" PRIu64 "\n", instant->time);
}

/* `left_out`: name of the Event that is not shown, or NULL. */
static void assert_instants(session *s, place dump, bool is_aligned, const char *left_out,
                            const char *expected) {
    eti_view_options options = ETI_VIEW_OPTIONS_DEFAULT;
    eti_slice_source source;
    eti_error err = ETI_ERROR_INIT;
    eti_buffer text = {0};
    eti_slices *slices;
    eti_sliced_run run = {0};
    bool is_left_out[8] = {false};
    options.debug_events = true;
    options.trace_time = is_aligned;
    open_session(s, dump, NULL);
    assert_ok(eti__slice_source_make(&source, s->inspector, &options, 0, &err));
    assert_true(source.n_events <= 8);
    for (size_t i = 0; i < source.n_events; i++)
        is_left_out[i] = left_out && eti__text_is(source.events[i].event->name, left_out);
    assert_ok(eti__slices_open(&slices, &source, is_left_out, &err));
    do {
        assert_ok(eti__slices_next(slices, &run, &err));
        for (size_t i = 0; i < run.n_instants; i++)
            add_instant_line(&text, &source, slices, &run, &run.instants[i]);
    } while (run.run);
    eti__buffer_add_char(&text, '\0');
    assert_string_equal(text.data, expected);
    eti__buffer_free(&text);
    eti__slices_close(slices);
    eti__slice_source_free(&source);
    close_session(s);
}

static place logging(builder *b) {
    return DUMP(b,
                RUN(b, "Execute", VALUE_OF(b, 1), CALL(b, "native_call_add.out", 1, 12, 18),
                    CALL(b, "OPERATOR_CALL", 1, 11, 20), VALUE_OF(b, 2),
                    CALL(b, "native_call_mul.out", 2, 22, 28), VALUE_OF(b, 2),
                    CALL(b, "Method::execute", 0, 10, 50), LOGGED(b, .value = INT_OUTPUT(b, 3))),
                RUN(b, "Execute", VALUE_OF(b, 1), CALL(b, "native_call_add.out", 1, 62, 68),
                    CALL(b, "OPERATOR_CALL", 1, 61, 70), VALUE_OF(b, 2),
                    CALL(b, "native_call_mul.out", 2, 72, 78), VALUE_OF(b, 2),
                    CALL(b, "Method::execute", 0, 60, 90), LOGGED(b, .value = INT_OUTPUT(b, 3))));
}

/* They have the name of their instruction's kernel, and stand where allocations would. */
static void debug_events_are_instants(void **state) {
    (void)state;
    session s = {0};
    assert_instants(&s, logging(&s.b), false, NULL,
                    "debug events|native_call_add.out|2\n"
                    "debug events|native_call_mul.out|12\n"
                    "debug events|native_call_mul.out|18\n"
                    "debug events|(output)|40\n"
                    "debug events|native_call_add.out|52\n"
                    "debug events|native_call_mul.out|62\n"
                    "debug events|native_call_mul.out|68\n"
                    "debug events|(output)|80\n");
}

static void those_of_events_that_are_left_out_are_too(void **state) {
    (void)state;
    session s = {0};
    assert_instants(&s, logging(&s.b), true, "native_call_mul.out",
                    "run 0, debug events|native_call_add.out|2\n"
                    "run 0, debug events|(output)|40\n"
                    "run 1, debug events|native_call_add.out|2\n"
                    "run 1, debug events|(output)|30\n");
}

/* Their own names take precedence. */
static void names_are_their_own(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    assert_instants(
        &s,
        DUMP(b, RUN(b, "Execute",
                    LOGGED(b, .name = "mine", .instruction_id = SOME(1), .value = INT_VALUE(b, 5)),
                    LOGGED(b, .instruction_id = SOME(7), .value = INT_VALUE(b, 5)),
                    CALL(b, "native_call_add.out", 1, 12, 18))),
        false, NULL,
        "debug events|mine|0\n"
        "debug events|(no name)|0\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(debug_events_are_instants),
        cmocka_unit_test(those_of_events_that_are_left_out_are_too),
        cmocka_unit_test(names_are_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
