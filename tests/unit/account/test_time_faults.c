#include "inspector_fixture.h"

#include "account/account.h"

#define EVENT(b, event_name, id, start, end)                                                       \
    TIMED(b, .name = (event_name), .instruction_id = SOME(id), .start_time = (start),              \
          .end_time = (end))
#define EXECUTE(b, start, end) EVENT(b, "Method::execute", -1, start, end)

/* Describes the faults of the first block of a dump, one line per kind. */
static void assert_faults(session *s, place dump, const char *expected) {
    eti_account account;
    eti_error err = ETI_ERROR_INIT;
    eti_buffer text = {0};
    open_session(s, dump, NULL);
    assert_ok(eti__account_new(&account, eti_inspector_block(s->inspector, 0),
                               &s->inspector->options, &err));
    for (int kind = 0; kind < ETI_N_TIME_FAULTS; kind++) {
        eti__time_faults_describe(&account.faults, (eti_time_fault)kind, &text);
        if (account.faults.of[kind].n > 0)
            eti__buffer_add_char(&text, '\n');
    }
    assert_text(eti__buffer_text(&text), expected);
    eti__buffer_free(&text);
    eti__account_free(&account);
    close_session(s);
}

static void events_of_instructions_lie_in_their_execute(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    assert_faults(&s,
                  DUMP(b, RUN(b, "Execute", EVENT(b, "a", 1, 100, 120), EVENT(b, "b", 2, 120, 200),
                              EXECUTE(b, 100, 200), EVENT(b, "c", 3, 100, 200),
                              EVENT(b, "Method::init", 0, 0, 90), EVENT(b, "profiler", -1, 0, 300),
                              TIMED(b, .delegate_id_str = "d", .instruction_id = SOME(4),
                                    .start_time = 5, .end_time = 900))),
                  "");
    assert_faults(&s,
                  DUMP(b, RUN(b, "Execute", EVENT(b, "early", 1, 99, 120),
                              EVENT(b, "before", 2, 10, 20), EVENT(b, "late", 3, 190, 201),
                              EVENT(b, "after", 4, 300, 301), EXECUTE(b, 100, 200))),
                  "2 events of instructions start before their Method::execute: before (Execute, "
                  "run 0), early (Execute, run 0)\n"
                  "2 events of instructions end after their Method::execute: late (Execute, run "
                  "0), after (Execute, run 0)\n");
    /* the beginning of a run without Method::execute is unknown */
    assert_faults(&s, DUMP(b, RUN(b, "Execute", EVENT(b, "a", 1, 1, 2))), "");
}

/* The run has two calls, and each event lies in one of them. */
static void a_run_may_execute_twice(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    assert_faults(&s,
                  DUMP(b, RUN(b, "Execute", EVENT(b, "a", 1, 10, 20), EXECUTE(b, 10, 30),
                              EVENT(b, "a", 1, 40, 50), EXECUTE(b, 40, 60))),
                  "");
    assert_faults(&s,
                  DUMP(b, RUN(b, "Execute", EVENT(b, "a", 1, 10, 31), EXECUTE(b, 10, 30),
                              EVENT(b, "b", 1, 40, 50), EXECUTE(b, 40, 60))),
                  "1 event of an instruction ends after its Method::execute: a (Execute, run 0)\n");
}

static void clocks_wrap_around_or_run_backwards(void **state) {
    (void)state;
    const uint64_t last = UINT32_MAX;
    session s = {0};
    builder *b = &s.b;
    assert_faults(
        &s,
        DUMP(b, RUN(b, "Execute", EVENT(b, "a", 1, last - 5, 4),
                    TIMED(b, .delegate_id_str = "d", .instruction_id = SOME(4), .start_time = last,
                          .end_time = 1),
                    EXECUTE(b, last - 10, 5))),
        "3 events end before they start, and are treated as if a 32-bit clock had wrapped around: "
        "a (Execute, run 0), d (Execute, run 0), Method::execute (Execute, run 0)\n");
    assert_faults(&s, DUMP(b, RUN(b, "Execute", EVENT(b, "a", 1, 120, 110))),
                  "1 event ends shortly before it starts: its time stamps run backwards, and its "
                  "time is wrong: a (Execute, run 0)\n");
}

static void the_first_of_many_are_named(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    place runs[4];
    for (size_t i = 0; i < COUNT_OF(runs); i++)
        runs[i] = RUN(b, "Execute", EVENT(b, "a", 1, 10, 30), EVENT(b, "b", 2, 20, 40),
                      EXECUTE(b, 0, 100));
    assert_faults(&s, put_dump(b, (optional){0}, put_tables(b, runs, COUNT_OF(runs))),
                  "4 events partly overlap others; the shared time counts for the later one: a "
                  "(Execute, run 0), a (Execute, run 1), a (Execute, run 2), ...\n");
}

static void faults_of_blocks_are_joined(void **state) {
    (void)state;
    const eti_event_block block = {.name = eti__text_of("x")};
    eti_time_faults all = {0}, one = {0};
    eti__time_faults_add(&one, ETI_TIME_EARLY, (eti_faulty_event){&block, 1, 2});
    eti__time_faults_add(&one, ETI_TIME_EARLY, (eti_faulty_event){&block, 3, 4});
    eti__time_faults_join(&all, &one);
    eti__time_faults_join(&all, &one);
    assert_int_equal(all.of[ETI_TIME_EARLY].n, 4);
    assert_int_equal(all.of[ETI_TIME_EARLY].first[1].run, 3);
    assert_int_equal(all.of[ETI_TIME_EARLY].first[2].event, 2);
    assert_int_equal(all.of[ETI_TIME_OUTLASTS].n, 0);
    assert_true(eti__time_fault_is_serious(ETI_TIME_EARLY));
    assert_false(eti__time_fault_is_serious(ETI_TIME_WRAPPED));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_of_instructions_lie_in_their_execute),
        cmocka_unit_test(a_run_may_execute_twice),
        cmocka_unit_test(clocks_wrap_around_or_run_backwards),
        cmocka_unit_test(the_first_of_many_are_named),
        cmocka_unit_test(faults_of_blocks_are_joined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
