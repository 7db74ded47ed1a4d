#include "report_fixture.h"

#define KERNELS 5

/* Runs of one delegate call with five events of these lengths, each `gap` after the one before. */
static void open_lengths(session *s, const uint64_t (*lengths)[KERNELS], size_t n, uint64_t gap) {
    static const char *const names[KERNELS] = {"a", "b", "c", "d", "e"};
    builder *b = &s->b;
    place runs[8];
    for (size_t run = 0; run < n; run++) {
        place events[KERNELS + 1];
        uint64_t start = 1000000 * run, at = start;
        for (size_t i = 0; i < KERNELS; i++) {
            at += i > 0 ? gap : 0;
            events[i] = TIMED(b, .delegate_id_str = names[i], .instruction_id = SOME(1),
                              .start_time = at, .end_time = at + lengths[run][i]);
            at += lengths[run][i];
        }
        events[KERNELS] = TIMED(b, .name = "DELEGATE_CALL", .instruction_id = SOME(1),
                                .start_time = start, .end_time = at);
        runs[run] = put_run(
            b, &(run_spec){.name = "Execute", .events = put_tables(b, events, KERNELS + 1)});
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measured_times_are_not_suspected),
        cmocka_unit_test(equal_lengths_are_synthetic),
        cmocka_unit_test(lengths_that_never_change_are_estimates),
        cmocka_unit_test(steps_in_a_row_are_laid_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
