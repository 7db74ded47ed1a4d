#include "inspector_fixture.h"

#include "account/synthetic.h"

#define KERNELS 5
#define NONE UINT64_MAX /* no further event */

/* Opens runs of one delegate call with up to five events of these lengths, each `gap` after the one before. */
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

/* Returns the stamps of the session's only block, in which one backend ran. */
static eti_delegate_stamps stamps_of(const session *s) {
    eti_synthetic synthetic = {0};
    assert_true(eti__synthetic_add(&synthetic, eti_inspector_block(s->inspector, 0)));
    assert_int_equal(synthetic.stamps.count, 1);
    eti_delegate_stamps stamps = synthetic.stamps.items[0];
    eti__synthetic_free(&synthetic);
    return stamps;
}

static eti_delegate_stamps assert_sign(const uint64_t (*lengths)[KERNELS], size_t n, uint64_t gap,
                                       eti_synthetic_sign expected) {
    session s = {0};
    open_lengths(&s, lengths, n, gap);
    eti_delegate_stamps stamps = stamps_of(&s);
    assert_int_equal(eti__synthetic_judge(&stamps), expected);
    close_session(&s);
    return stamps;
}

static void measured_times_are_not_suspected(void **state) {
    (void)state;
    const uint64_t lengths[][KERNELS] = {{1311, 204, 77, 912, 55}, {1298, 211, 80, 899, 61}};
    assert_sign(lengths, 2, 3, ETI_SYNTHETIC_NOT);
    assert_sign(lengths, 2, 0, ETI_SYNTHETIC_NOT);
}

static void equal_lengths_are_synthetic(void **state) {
    (void)state;
    const uint64_t lengths[][KERNELS] = {{1000, 1000, 1000, 1000, 1000}};
    assert_int_equal(assert_sign(lengths, 1, 0, ETI_SYNTHETIC_ALIKE).first_length, 1000);
    assert_int_equal(assert_sign(lengths, 1, 7, ETI_SYNTHETIC_ALIKE).first_length, 1000);
}

static void lengths_that_never_change_are_estimates(void **state) {
    (void)state;
    const uint64_t lengths[][KERNELS] = {
        {10, 20, 35, 4, 5}, {10, 20, 35, 4, 5}, {10, 20, 35, 4, 5}};
    assert_sign(lengths, 3, 1, ETI_SYNTHETIC_CONSTANT);
    assert_sign(lengths, 2, 1, ETI_SYNTHETIC_NOT);
}

static void steps_in_a_row_are_laid_out(void **state) {
    (void)state;
    const uint64_t lengths[][KERNELS] = {{3000, 0, 2000, 0, 5000}, {2000, 0, 2000, 1000, 4000}};
    assert_int_equal(assert_sign(lengths, 2, 0, ETI_SYNTHETIC_STEPS).step, 1000);
    assert_sign(lengths, 2, 10, ETI_SYNTHETIC_NOT);
}

static void few_samples_may_be_chance(void **state) {
    (void)state;
    const uint64_t four[][KERNELS] = {{70, 70, 70, 70, NONE}},
                   three[][KERNELS] = {{70, 70, 70, NONE}},
                   two_twice[][KERNELS] = {{70, 70, NONE}, {70, 70, NONE}},
                   one[][KERNELS] = {{70, NONE}, {70, NONE}, {70, NONE}, {70, NONE}};
    assert_int_equal(assert_sign(four, 1, 7, ETI_SYNTHETIC_ALIKE).first_length, 70);
    assert_sign(three, 1, 7, ETI_SYNTHETIC_NOT);
    assert_int_equal(assert_sign(two_twice, 2, 7, ETI_SYNTHETIC_ALIKE).first_length, 70);
    assert_sign(one, 4, 7, ETI_SYNTHETIC_NOT);
}

static void few_or_small_steps_may_be_chance(void **state) {
    (void)state;
    const uint64_t lengths[][KERNELS] = {{300, 100, 200, 100, 500}},
                   four[][KERNELS] = {{300, 100, 200, 100, NONE}},
                   small[][KERNELS] = {{297, 99, 198, 99, 495}};
    assert_int_equal(assert_sign(lengths, 1, 0, ETI_SYNTHETIC_STEPS).step, 100);
    assert_sign(four, 1, 0, ETI_SYNTHETIC_NOT);
    assert_sign(small, 1, 0, ETI_SYNTHETIC_NOT);
}

/* There are four pairs, two in each call; nothing is required of the gap between the calls. */
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
    eti_delegate_stamps stamps = stamps_of(&s);
    assert_int_equal(stamps.n_pairs, 4);
    assert_int_equal(eti__synthetic_judge(&stamps), ETI_SYNTHETIC_STEPS);
    assert_int_equal(stamps.step, 1000);
    close_session(&s);
}

/* Only the first 16 runs count. */
static void one_run_of_many_may_differ(void **state) {
    (void)state;
    for (size_t odd = 15; odd <= 16; odd++) {
        uint64_t lengths[17][KERNELS];
        for (size_t run = 0; run < 17; run++)
            memcpy(lengths[run], (uint64_t[KERNELS]){10, 20, run == odd ? 36 : 35, 4, 5},
                   sizeof lengths[run]);
        assert_sign((const uint64_t(*)[KERNELS])lengths, 17, 1,
                    odd == 16 ? ETI_SYNTHETIC_CONSTANT : ETI_SYNTHETIC_NOT);
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
        cmocka_unit_test(one_run_of_many_may_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
