#include "report_fixture.h"

#define KERNELS 5
#define NONE UINT64_MAX /* no further event */

/* Runs of one delegate call with up to five events of these lengths, each `gap` after the one before. */
static void open_lengths(session *s, const uint64_t (*lengths)[KERNELS], size_t n, uint64_t gap) {
    static const char *const names[KERNELS] = {"a", "b", "c", "d", "e"};
    builder *b = &s->b;
    place runs[32];
    for (size_t run = 0; run < n; run++) {
        place events[KERNELS + 1];
        uint64_t start = 1000000 * run, at = start;
        size_t n_events = 0;
        for (size_t i = 0; i < KERNELS && lengths[run][i] != NONE; i++) {
            at += i > 0 ? gap : 0;
            events[n_events++] = TIMED(b, .delegate_id_str = names[i], .instruction_id = SOME(1),
                                       .start_time = at, .end_time = at + lengths[run][i]);
            at += lengths[run][i];
        }
        events[n_events++] = TIMED(b, .name = "DELEGATE_CALL", .instruction_id = SOME(1),
                                   .start_time = start, .end_time = at);
        runs[run] =
            put_run(b, &(run_spec){.name = "Execute", .events = put_tables(b, events, n_events)});
    }
    open_session(s, put_dump(b, (optional){0}, put_tables(b, runs, n)), NULL);
}

static void assert_said(const uint64_t (*lengths)[KERNELS], size_t n, uint64_t gap,
                        const char *expected) {
    session s = {0};
    open_lengths(&s, lengths, n, gap);
    eti_report *report = report_of(&s, "summary", NULL);
    if (expected)
        assert_true(has_note(report, "account", expected));
    else
        assert_false(has_note(report, "account", "look"));
    eti_report_free(report);
    close_session(&s);
}

static void measured_times_are_not_suspected(void **state) {
    (void)state;
    const uint64_t lengths[][KERNELS] = {{1311, 204, 77, 912, 55}, {1298, 211, 80, 899, 61}};
    assert_said(lengths, 2, 3, NULL);
    assert_said(lengths, 2, 0, NULL);
}

static void equal_lengths_are_synthetic(void **state) {
    (void)state;
    const uint64_t lengths[][KERNELS] = {{1000, 1000, 1000, 1000, 1000}};
    assert_said(lengths, 1, 0, "each of its events takes 1000 ticks");
    assert_said(lengths, 1, 7, "each of its events takes 1000 ticks");
}

static void lengths_that_never_change_are_estimates(void **state) {
    (void)state;
    const uint64_t lengths[][KERNELS] = {
        {10, 20, 35, 4, 5}, {10, 20, 35, 4, 5}, {10, 20, 35, 4, 5}};
    assert_said(lengths, 3, 1, "the same in every run");
    assert_said(lengths, 2, 1, NULL);
}

static void steps_in_a_row_are_laid_out(void **state) {
    (void)state;
    const uint64_t lengths[][KERNELS] = {{3000, 0, 2000, 0, 5000}, {2000, 0, 2000, 1000, 4000}};
    assert_said(lengths, 2, 0, "in steps of 1000 ticks");
    assert_said(lengths, 2, 10, NULL);
}

static void few_samples_may_be_chance(void **state) {
    (void)state;
    const uint64_t four[][KERNELS] = {{70, 70, 70, 70, NONE}},
                   three[][KERNELS] = {{70, 70, 70, NONE}},
                   two_twice[][KERNELS] = {{70, 70, NONE}, {70, 70, NONE}},
                   one[][KERNELS] = {{70, NONE}, {70, NONE}, {70, NONE}, {70, NONE}};
    assert_said(four, 1, 7, "each of its events takes 70 ticks");
    assert_said(three, 1, 7, NULL);
    assert_said(two_twice, 2, 7, "each of its events takes 70 ticks");
    assert_said(one, 4, 7, NULL);
}

static void few_or_small_steps_may_be_chance(void **state) {
    (void)state;
    const uint64_t lengths[][KERNELS] = {{300, 100, 200, 100, 500}},
                   four[][KERNELS] = {{300, 100, 200, 100, NONE}},
                   small[][KERNELS] = {{297, 99, 198, 99, 495}};
    assert_said(lengths, 1, 0, "in steps of 100 ticks");
    assert_said(four, 1, 0, NULL);
    assert_said(small, 1, 0, NULL);
}

/* There are four pairs, two in each call; the delegate need not say what lies between the calls. */
static void calls_need_not_follow_each_other(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    place events[8];
    for (uint32_t call = 0; call < 2; call++) {
        uint64_t start = 50007 * call;
        for (uint32_t i = 0; i < 3; i++)
            events[3 * call + i] =
                TIMED(b, .delegate_id_int = SOME(i), .instruction_id = SOME(call),
                      .start_time = start + 2000 * i,
                      .end_time = start + 2000 * i + (i < 2 ? 2000 : 1000));
        events[6 + call] = TIMED(b, .name = "DELEGATE_CALL", .instruction_id = SOME(call),
                                 .start_time = start, .end_time = start + 5000);
    }
    place run = put_run(b, &(run_spec){.name = "Execute", .events = put_tables(b, events, 8)});
    open_session(&s, DUMP(b, run), NULL);
    eti_report *report = report_of(&s, "summary", NULL);
    assert_true(has_note(report, "account", "in steps of 1000 ticks"));
    eti_report_free(report);
    close_session(&s);
}

static void four_backends_are_named(void **state) {
    (void)state;
    static const char *const backends[] = {"first", "second", "third", "fourth", "fifth"};
    session s = {0};
    builder *b = &s.b;
    place events[COUNT_OF(backends) * 4];
    for (uint32_t i = 0; i < COUNT_OF(events); i++)
        events[i] = TIMED(b, .delegate_id_int = SOME(i), .instruction_id = SOME(i / 4),
                          .start_time = 100 * i, .end_time = 100 * i + 70);
    place run = put_run(
        b, &(run_spec){.name = "Execute", .events = put_tables(b, events, COUNT_OF(events))});
    open_session(&s, DUMP(b, run),
                 &(record_spec){.handles = "{\"0\": 1, \"1\": 1, \"2\": 1, \"3\": 1, \"4\": 1}",
                                .delegates =
                                    "{\"0\": {\"name\": \"first\"}, \"1\": {\"name\": \"second\"}, "
                                    "\"2\": {\"name\": \"third\"}, \"3\": {\"name\": \"fourth\"}, "
                                    "\"4\": {\"name\": \"fifth\"}}"});
    eti_report *report = report_of(&s, "summary", NULL);
    for (size_t i = 0; i < COUNT_OF(backends); i++) {
        char note[64];
        snprintf(note, sizeof note, "times of %s look synthetic", backends[i]);
        assert_int_equal(has_note(report, "account", note), i < 4);
    }
    eti_report_free(report);
    close_session(&s);
}

/* Of the first 16 runs. */
static void one_run_of_many_may_differ(void **state) {
    (void)state;
    for (size_t odd = 15; odd <= 16; odd++) {
        uint64_t lengths[17][KERNELS];
        for (size_t run = 0; run < 17; run++)
            memcpy(lengths[run], (uint64_t[KERNELS]){10, 20, run == odd ? 36 : 35, 4, 5},
                   sizeof lengths[run]);
        assert_said((const uint64_t(*)[KERNELS])lengths, 17, 1,
                    odd == 16 ? "the same in every run" : NULL);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measured_times_are_not_suspected),
        cmocka_unit_test(equal_lengths_are_synthetic),
        cmocka_unit_test(lengths_that_never_change_are_estimates),
        cmocka_unit_test(steps_in_a_row_are_laid_out),
        cmocka_unit_test(few_samples_may_be_chance),
        cmocka_unit_test(few_or_small_steps_may_be_chance),
        cmocka_unit_test(calls_need_not_follow_each_other),
        cmocka_unit_test(four_backends_are_named),
        cmocka_unit_test(one_run_of_many_may_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
