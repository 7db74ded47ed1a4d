#include "inspector_fixture.h"

/* Modules nest: "L__self__" holds "L__self___fc"; "c" belongs to another one. */
#define EDGE                                                                                       \
    EDGE_PROGRAM(NODE("a", "1", "L__self__,,M;L__self___fc,fc,Linear") "," NODE(                   \
        "b", "2", "L__self__,,M") "," NODE("c", "3", "other,o,Other"))
#define HANDLES "{\"1\": 1, \"2\": 2, \"3\": 3, \"4\": [1, 1, 2], \"5\": [77]}"
#define CALL(b, call_name, id, ms)                                                                 \
    TIMED(b, .name = (call_name), .instruction_id = SOME(id), .end_time = (ms)*UINT64_C(1000000))

/* Powers of two: a sum shows which terms it has. */
static void open_modules(session *s) {
    builder *b = &s->b;
    open_session(s,
                 DUMP(b,
                      RUN(b, "Execute", CALL(b, "a", 1, 1), CALL(b, "b", 2, 2), CALL(b, "c", 3, 4),
                          CALL(b, "several", 4, 8), CALL(b, "unknown", 5, 16),
                          CALL(b, "OPERATOR_CALL", 1, 32), CALL(b, "an OPERATOR_CALL", 1, 64),
                          CALL(b, "Method::init", 1, 128)),
                      RUN(b, "Again", CALL(b, "a", 1, 256))),
                 &(record_spec){.handles = HANDLES, .edge = EDGE});
}

static void events_of_a_module_are_added_once_each(void **state) {
    (void)state;
    session s = {0};
    open_modules(&s);
    const eti_inspector *inspector = s.inspector;
    assert_bits(eti_inspector_find_total_for_module(inspector, "L__self___fc"), 1 + 8 + 64 + 256);
    assert_bits(eti_inspector_find_total_for_module(inspector, "L__self__"), 1 + 2 + 8 + 64 + 256);
    assert_bits(eti_inspector_find_total_for_module(inspector, "other"), 4);
    close_session(&s);
}

static void any_part_of_a_key_will_do_but_not_paths_or_types(void **state) {
    (void)state;
    session s = {0};
    open_modules(&s);
    const eti_inspector *inspector = s.inspector;
    assert_bits(eti_inspector_find_total_for_module(inspector, "the"), 4);
    assert_bits(eti_inspector_find_total_for_module(inspector, ""), 1 + 2 + 4 + 8 + 64 + 256);
    assert_bits(eti_inspector_find_total_for_module(inspector, "Linear"), 0);
    assert_bits(eti_inspector_find_total_for_module(inspector, "nothing"), 0);
    close_session(&s);
}

static void a_module_is_there_when_an_event_belongs_to_it(void **state) {
    (void)state;
    session s = {0};
    open_modules(&s);
    assert_true(eti_inspector_has_module(s.inspector, "fc"));
    assert_true(eti_inspector_has_module(s.inspector, ""));
    assert_false(eti_inspector_has_module(s.inspector, "nothing"));
    close_session(&s);
    open_session(&s, DUMP(&s.b, RUN(&s.b, "r", CALL(&s.b, "a", 1, 1))), NULL);
    assert_false(eti_inspector_has_module(s.inspector, ""));
    close_session(&s);
}

static void averages_are_added(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(&s, DUMP(b, RUN(b, "r", CALL(b, "a", 1, 1)), RUN(b, "r", CALL(b, "a", 1, 2))),
                 &(record_spec){.handles = HANDLES, .edge = EDGE});
    assert_bits(eti_inspector_find_total_for_module(s.inspector, "fc"), 1.5);
    close_session(&s);
}

static void events_without_samples_add_nothing(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(
        &s, DUMP(b, RUN(b, "r", LOGGED(b, .instruction_id = SOME(1), .value = INT_VALUE(b, 1)))),
        &(record_spec){.handles = HANDLES, .edge = EDGE});
    assert_bits(eti_inspector_find_total_for_module(s.inspector, "fc"), 0.0);
    close_session(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_of_a_module_are_added_once_each),
        cmocka_unit_test(any_part_of_a_key_will_do_but_not_paths_or_types),
        cmocka_unit_test(a_module_is_there_when_an_event_belongs_to_it),
        cmocka_unit_test(averages_are_added),
        cmocka_unit_test(events_without_samples_add_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
