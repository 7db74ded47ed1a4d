#include "report_fixture.h"
#include "timed_events.h"

#include <string.h>

#define MS UINT64_C(1000000)

/* Returns the row of the first action of a kind; SIZE_MAX if there is none. */
static size_t row_of_kind(const eti_table *actions, const char *kind) {
    for (size_t i = 0; i < eti_table_row_count(actions); i++) {
        if (eti__text_is(cell_at(actions, i, "action").as_text, kind))
            return i;
    }
    return SIZE_MAX;
}

/* Adds a run of 100 ms: a delegate call of 40 that ends in a copy of 5, a kernel that takes `between`, and a delegate call
 * with the rest. */
static place put_split(builder *b, uint64_t start, uint64_t between) {
    uint64_t at = start * MS;
    return RUN(b, "Execute", DELEGATED(b, "Convolution (NHWC) #1", 1, at, at + 35 * MS),
               DELEGATED(b, "Transpose (ND) #1", 1, at + 35 * MS, at + 40 * MS),
               CALL(b, "DELEGATE_CALL", 1, at, at + 40 * MS),
               CALL(b, "native_call_mul.out", 2, at + 40 * MS, at + (40 + between) * MS),
               DELEGATED(b, "Convolution (NHWC) #2", 3, at + (40 + between) * MS, at + 100 * MS),
               CALL(b, "DELEGATE_CALL", 3, at + (40 + between) * MS, at + 100 * MS),
               CALL(b, "Method::execute", 4, at, at + 100 * MS));
}

static void an_operator_between_delegates_saves_its_copies(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(&s, DUMP(b, put_split(b, 0, 10)), NULL);
    eti_report *report = report_of(&s, "answer", NULL);
    const eti_table *actions = table_of(report, "actions");
    assert_int_equal(row_of_kind(actions, "delegate"), 0);
    assert_near(cell_at(actions, 0, "saves_at_most").as_double, 10 + 5);
    assert_near(cell_at(actions, 0, "share").as_double, 0.15);
    assert_true(has_note(report, "actions",
                         "1. native_call_mul.out runs on the CPU between two "
                         "delegate calls: delegate it. Saves at most 15.00 ms, "
                         "15.0 %."));
    /* its copies count once */
    assert_int_equal(row_of_kind(actions, "copies"), SIZE_MAX);
    eti_report_free(report);
    /* the bound of one saving is the same in every view */
    report = report_of(&s, "delegates", NULL);
    assert_near(cell_at(table_of(report, "splits"), 0, "saves_at_most").as_double, 0.15);
    assert_near(cell_at(table_of(report, "outside"), 0, "saves_at_most").as_double, 0.15);
    eti_report_free(report);
    close_session(&s);
}

/* The sentence is whole in the table and in the notes, however long a name is. */
static void names_of_any_length_are_whole(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    char name[400], wanted[600];
    snprintf(name, sizeof name, "native_call_%0*d.out", 380, 1);
    place run = RUN(b, "Execute", DELEGATED(b, "Convolution #1", 1, 0, 40 * MS),
                    CALL(b, "DELEGATE_CALL", 1, 0, 40 * MS), CALL(b, name, 2, 40 * MS, 50 * MS),
                    DELEGATED(b, "Convolution #2", 3, 50 * MS, 100 * MS),
                    CALL(b, "DELEGATE_CALL", 3, 50 * MS, 100 * MS));
    open_session(&s, DUMP(b, run), NULL);
    eti_report *report = report_of(&s, "answer", NULL);
    snprintf(wanted, sizeof wanted,
             "%s runs on the CPU between two delegate calls: delegate it. Saves at most 10.00 ms, "
             "10.0 %%.",
             name);
    assert_text(cell_at(table_of(report, "actions"), 0, "text").as_text, wanted);
    assert_true(has_note(report, "actions", wanted));
    eti_report_free(report);
    close_session(&s);
}

static void little_is_not_worth_an_action(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    /* 2 of 102 ms, without copies */
    open_session(&s,
                 DUMP(b, RUN(b, "Execute", DELEGATED(b, "Convolution #1", 1, 0, 50 * MS),
                             CALL(b, "DELEGATE_CALL", 1, 0, 50 * MS),
                             CALL(b, "native_call_mul.out", 2, 50 * MS, 52 * MS),
                             DELEGATED(b, "Convolution #2", 3, 52 * MS, 102 * MS),
                             CALL(b, "DELEGATE_CALL", 3, 52 * MS, 102 * MS))),
                 NULL);
    eti_report *report = report_of(&s, "answer", NULL);
    assert_int_equal(eti_table_row_count(table_of(report, "actions")), 0);
    assert_true(
        has_note(report, "actions", "No single change is known to save 3 % of the time or more."));
    eti_report_free(report);
    close_session(&s);
}

/* Two threads take 100 ms each, at the same time. */
static void lanes_save_no_more_than_a_run_takes(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(&s,
                 DUMP(b, RUN(b, "Execute", CALL(b, "native_call_a.out", 1, 0, 100 * MS),
                             ON_LANE(b, "native_call_b.out", 1u, 0, 100 * MS))),
                 NULL);
    eti_report *report = report_of(&s, "answer", NULL);
    const eti_table *actions = table_of(report, "actions");
    assert_true(eti_table_row_count(actions) > 0);
    assert_near(cell_at(actions, 0, "saves_at_most").as_double, 100);
    eti_report_free(report);
    close_session(&s);
}

/* Adds runs of one kernel with these lengths in ms. */
static eti_report *answer_of(session *s, const uint64_t *lengths, size_t n) {
    builder *b = &s->b;
    place runs[16];
    for (size_t i = 0; i < n; i++)
        runs[i] = RUN(b, "Execute",
                      CALL(b, "native_call_a.out", 1, i * 1000 * MS, (i * 1000 + lengths[i]) * MS));
    open_session(s, put_dump(b, (optional){0}, put_tables(b, runs, n)), NULL);
    return report_of(s, "answer", NULL);
}

static void a_slow_first_run_comes_after_each_run(void **state) {
    (void)state;
    static const uint64_t slow[] = {15, 10, 10, 10, 10, 10}, little[] = {14, 10, 10, 10, 10, 10};
    session s = {0}, other = {0};
    eti_report *report = answer_of(&s, slow, COUNT_OF(slow));
    const eti_table *actions = table_of(report, "actions");
    size_t row = row_of_kind(actions, "first run");
    assert_int_not_equal(row, SIZE_MAX);
    assert_near(cell_at(actions, row, "saves_at_most").as_double, 5);
    assert_true(cell_at(actions, row, "once").as_bool);
    assert_int_equal(cell_at(actions, row, "share").kind, ETI_CELL_NONE);
    eti_report_free(report);
    close_session(&s);
    report = answer_of(&other, little, COUNT_OF(little));
    assert_int_equal(row_of_kind(table_of(report, "actions"), "first run"), SIZE_MAX);
    eti_report_free(report);
    close_session(&other);
}

static void interruptions_are_no_reason_to_optimise(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    place runs[6];
    for (size_t i = 0; i < 6; i++) {
        uint64_t length[3] = {10, 10, 10};
        length[i % 3] += 30; /* in each run, another event is interrupted */
        runs[i] = RUN(b, "Execute", CALL(b, "native_call_a.out", 1, 0, length[0] * MS),
                      CALL(b, "native_call_b.out", 2, 100 * MS, (100 + length[1]) * MS),
                      CALL(b, "native_call_c.out", 3, 200 * MS, (200 + length[2]) * MS));
    }
    open_session(&s, put_dump(b, (optional){0}, put_tables(b, runs, 6)), NULL);
    eti_report *report = report_of(&s, "answer", NULL);
    const eti_table *actions = table_of(report, "actions");
    assert_int_equal(eti_table_row_count(actions), 2); /* and one to use a delegate */
    size_t row = row_of_kind(actions, "interruptions");
    assert_int_not_equal(row, SIZE_MAX);
    assert_near(cell_at(actions, row, "saves_at_most").as_double, 60 - 30);
    assert_true(has_note(report, "actions", "Pin the process to a core"));
    assert_true(has_note(report, "headline",
                         "60.00 ms (median of 6 runs), 30.00 ms without "
                         "interruptions."));
    eti_report_free(report);
    close_session(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_save_no_more_than_a_run_takes),
        cmocka_unit_test(an_operator_between_delegates_saves_its_copies),
        cmocka_unit_test(names_of_any_length_are_whole),
        cmocka_unit_test(little_is_not_worth_an_action),
        cmocka_unit_test(a_slow_first_run_comes_after_each_run),
        cmocka_unit_test(interruptions_are_no_reason_to_optimise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
