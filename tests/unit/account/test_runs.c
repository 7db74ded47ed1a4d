#include "inspector_fixture.h"

#include "timed_events.h"

#include "account/account.h"

#include <math.h>

/* ==== run list ================================================================================ */

typedef struct listing {
    session s;
    eti_view_options options;
    eti_run_list list;
} listing;

static void open_list(listing *l, place dump) {
    eti_error err = ETI_ERROR_INIT;
    if (dump)
        open_session(&l->s, dump, NULL);
    assert_ok(eti__run_list_make(&l->list, l->s.inspector, &l->options, &err));
}

static void close_list(listing *l) {
    eti__run_list_free(&l->list);
    close_session(&l->s);
}

static void own_times_are_added_by_role(void **state) {
    (void)state;
    static const uint64_t expected[ETI_N_TIMED_ROLES] = {
        [ETI_ROLE_KERNEL] = 6,      [ETI_ROLE_DELEGATED] = 5,     [ETI_ROLE_DELEGATE_CALL] = 3,
        [ETI_ROLE_NOT_LOGGED] = 15, [ETI_ROLE_OPERATOR_CALL] = 4, [ETI_ROLE_INSTRUCTION] = 1,
        [ETI_ROLE_EXECUTE] = 66,
    };
    listing l = {.options = ETI_VIEW_OPTIONS_DEFAULT};
    builder *b = &l.s.b;
    open_list(&l, DUMP(b, RUN(b, "Load", EVENT(b, "Method::init", 0, 7)),
                       RUN(b, "Execute", CALL(b, "native_call_a", 1, 12, 18),
                           CALL(b, "OPERATOR_CALL", 1, 10, 20),
                           TIMED(b, .delegate_id_str = "conv", .instruction_id = SOME(2),
                                 .start_time = 900, .end_time = 905),
                           CALL(b, "DELEGATE_CALL", 2, 20, 40), CALL(b, "DELEGATE_CALL", 3, 50, 53),
                           CALL(b, "JF_CALL", 4, 60, 61), EVENT(b, "Method::execute", 0, 100))));
    assert_int_equal(l.list.n_blocks, 1);
    assert_int_equal(l.list.n_runs, 1);
    assert_true(l.list.has_execute);
    for (int role = 0; role < ETI_N_TIMED_ROLES; role++) {
        assert_int_equal(l.list.runs[0].ticks[role], expected[role]);
        bool is_there = expected[role] > 0;
        assert_int_equal(l.list.n_events[role], is_there);
        assert_int_equal(l.list.n_calls[role], is_there);
    }
    assert_int_equal(eti__run_ticks(&l.list.runs[0], ETI_ROLE_KERNEL, ETI_ROLE_LOAD), 100);
    assert_int_equal(eti__run_ticks(&l.list.runs[0], ETI_ROLE_DELEGATE_CALL, ETI_ROLE_NOT_LOGGED),
                     18);
    assert_bits(l.list.runs[0].elapsed, 100 / 1e6); /* ms */
    close_list(&l);
}

static void loading_is_listed_where_there_is_nothing_else(void **state) {
    (void)state;
    listing l = {.options = ETI_VIEW_OPTIONS_DEFAULT};
    builder *b = &l.s.b;
    l.options.block = "Load";
    open_list(&l, DUMP(b, RUN(b, "Load", EVENT(b, "Method::init", 0, 7)),
                       RUN(b, "Execute", EVENT(b, "Method::execute", 0, 100))));
    assert_int_equal(l.list.n_runs, 1);
    assert_int_equal(l.list.runs[0].ticks[ETI_ROLE_LOAD], 7);
    assert_false(l.list.has_execute);
    eti__run_list_free(&l.list);
    l.options.block = NULL;
    open_list(&l, 0);
    assert_int_equal(l.list.n_runs, 1);
    assert_int_equal(l.list.runs[0].ticks[ETI_ROLE_EXECUTE], 100);
    close_list(&l);
}

/* [10, 50] and [20, 70] take 60, in two lanes and in one, where they are a fault. */
static void elapsed_time_is_that_of_the_union(void **state) {
    (void)state;
    for (int in_lanes = 0; in_lanes < 2; in_lanes++) {
        listing l = {.options = ETI_VIEW_OPTIONS_DEFAULT};
        builder *b = &l.s.b;
        open_list(&l,
                  DUMP(b, RUN(b, "Execute", CALL(b, "a", 0, 10, 50),
                              in_lanes ? ON_LANE(b, "b", 1u, 20, 70) : CALL(b, "b", 1, 20, 70))));
        assert_bits(l.list.runs[0].elapsed, 60 / 1e6);
        assert_int_equal(eti__run_ticks(&l.list.runs[0], ETI_ROLE_KERNEL, ETI_ROLE_LOAD), 90);
        assert_int_equal(l.list.has_overlaps, in_lanes);
        assert_int_equal(l.list.faults.of[ETI_TIME_BESIDE].n, !in_lanes);
        close_list(&l);
    }
}

/* A lane that works on after Method::execute prolongs the run; one that works inside of it does not. */
static void lanes_prolong_a_run(void **state) {
    (void)state;
    listing l = {.options = ETI_VIEW_OPTIONS_DEFAULT};
    builder *b = &l.s.b;
    open_list(&l, DUMP(b,
                       RUN(b, "Execute", EVENT(b, "Method::execute", 0, 100),
                           ON_LANE(b, "tile", 1u, 90, 130)),
                       RUN(b, "Execute", EVENT(b, "Method::execute", 200, 300),
                           ON_LANE(b, "tile", 1u, 210, 250))));
    assert_bits(l.list.runs[0].elapsed, 130 / 1e6);
    assert_bits(l.list.runs[1].elapsed, 100 / 1e6);
    assert_int_equal(l.list.n_outside, 0);
    close_list(&l);
}

static void open_lengths(listing *l, const uint64_t *lengths, size_t n) {
    builder *b = &l->s.b;
    place runs[16];
    for (size_t i = 0; i < n; i++)
        runs[i] = RUN(b, "Execute", EVENT(b, "Method::execute", 0, lengths[i]));
    open_list(l, put_dump(b, (optional){0}, put_tables(b, runs, n)));
}

/* The median is 100, the median absolute deviation 1: the score of the seventh is 0.6745 * 200. */
static void runs_stand_out_among_those_of_their_block(void **state) {
    (void)state;
    const uint64_t lengths[] = {100, 102, 98, 101, 99, 100, 300, 101, 99, 100};
    listing l = {.options = ETI_VIEW_OPTIONS_DEFAULT};
    open_lengths(&l, lengths, COUNT_OF(lengths));
    assert_int_equal(l.list.dumps[0].n_warm_up, 0);
    assert_bits(l.list.blocks[0].median, 100 / 1e6);
    for (size_t i = 0; i < COUNT_OF(lengths); i++) {
        assert_int_equal(l.list.runs[i].number, i);
        assert_int_equal(l.list.runs[i].is_outlier, i == 6);
    }
    assert_true(l.list.runs[6].deviation > 1.999 && l.list.runs[6].deviation < 2.001);
    assert_true(l.list.runs[6].z > 134 && l.list.runs[6].z < 135.5);
    close_list(&l);
}

static void among_few_runs_none_stands_out(void **state) {
    (void)state;
    const uint64_t lengths[] = {100, 101, 99, 300};
    listing l = {.options = ETI_VIEW_OPTIONS_DEFAULT};
    open_lengths(&l, lengths, COUNT_OF(lengths));
    for (size_t i = 0; i < COUNT_OF(lengths); i++)
        assert_false(l.list.runs[i].is_outlier);
    close_list(&l);
}

/* Two ETDumps of one block. The runs of the second take ten times as long, so that among all runs they would stand out,
 * and the times would rise from the first run to the last. */
static const uint64_t in_first[] = {100, 102, 98, 101, 99, 140, 100, 101, 99, 100},
                      in_second[] = {1000, 1020, 980, 1010, 1500, 990, 1000};

typedef struct two_dumps {
    builder a, b;
    eti_inspector *inspector;
} two_dumps;

static void finish_lengths(builder *b, const uint64_t *lengths, size_t n) {
    place runs[16];
    for (size_t i = 0; i < n; i++)
        runs[i] = RUN(b, "Execute", EVENT(b, "Method::execute", 0, lengths[i]));
    finish_dump(b, put_dump(b, (optional){0}, put_tables(b, runs, n)), true);
}

static void open_dumps(two_dumps *two, const uint64_t *a, size_t n_a, const uint64_t *b,
                       size_t n_b) {
    eti_error err = ETI_ERROR_INIT;
    finish_lengths(&two->a, a, n_a);
    finish_lengths(&two->b, b, n_b);
    const eti_source sources[] = {{"a.etdp", two->a.file.data, two->a.file.size},
                                  {"b.etdp", two->b.file.data, two->b.file.size}};
    const eti_inputs inputs = {.etdumps = sources, .n_etdumps = 2};
    assert_ok(eti__inspector_open(&two->inspector, &inputs, NULL, &err));
    assert_int_equal(two->inspector->blocks.n_blocks, 1);
}

static void open_two_dumps(two_dumps *two) {
    open_dumps(two, in_first, COUNT_OF(in_first), in_second, COUNT_OF(in_second));
}

static void close_two_dumps(two_dumps *two) {
    eti_inspector_close(two->inspector);
    builder_free(&two->a);
    builder_free(&two->b);
}

static void each_dump_has_its_own_outliers_and_trend(void **state) {
    (void)state;
    const eti_view_options options = ETI_VIEW_OPTIONS_DEFAULT;
    two_dumps two = {0};
    eti_run_list list;
    eti_error err = ETI_ERROR_INIT;
    open_two_dumps(&two);
    assert_ok(eti__run_list_make(&list, two.inspector, &options, &err));
    assert_int_equal(list.n_blocks, 1);
    assert_int_equal(list.n_dumps, 2);
    assert_int_equal(list.blocks[0].n_dumps, 2);
    for (size_t i = 0; i < list.n_runs; i++) {
        assert_int_equal(list.runs[i].dump, i >= COUNT_OF(in_first));
        assert_int_equal(list.runs[i].is_outlier, i == 5 || i == COUNT_OF(in_first) + 4);
    }
    for (size_t i = 0; i < list.n_dumps; i++) {
        const eti_dump_runs *dump = &list.dumps[i];
        assert_int_equal(dump->n, i ? COUNT_OF(in_second) : COUNT_OF(in_first));
        assert_int_equal(dump->first, i ? COUNT_OF(in_first) : 0);
        assert_int_equal(dump->n_warm_up, 0);
        assert_int_equal(dump->n_outliers, 1);
        assert_bits(dump->median, (i ? 1000 : 100) / 1e6);
        assert_true(dump->trend.p > 0.01);
    }
    /* the median of a block is that of all of its runs */
    assert_bits(list.blocks[0].median, 102 / 1e6);
    assert_true(fabs(list.runs[14].deviation - 0.5) < 1e-9);
    eti__run_list_free(&list);
    close_two_dumps(&two);
}

/* Runs of ETDumps with few runs each are compared with those of the others. */
static void few_runs_of_a_dump_are_compared_with_all(void **state) {
    (void)state;
    const uint64_t few[] = {200, 202}, other[] = {400, 404};
    const eti_view_options options = ETI_VIEW_OPTIONS_DEFAULT;
    two_dumps two = {0};
    eti_run_list list;
    eti_error err = ETI_ERROR_INIT;
    open_dumps(&two, few, COUNT_OF(few), other, COUNT_OF(other));
    assert_ok(eti__run_list_make(&list, two.inspector, &options, &err));
    assert_true(fabs(list.runs[0].deviation - (200.0 / 301 - 1)) < 1e-9);
    assert_true(fabs(list.runs[3].deviation - (404.0 / 301 - 1)) < 1e-9);
    eti__run_list_free(&list);
    close_two_dumps(&two);
}

/* ==== representative run ====================================================================== */

enum { OPERATORS = 3 };

/* Makes runs of operators of these lengths, one after the other, and checks which run is the representative one. */
static void assert_representative(const uint64_t (*lengths)[OPERATORS], size_t n, uint32_t expected,
                                  bool keeps_warm_up) {
    eti_options options = ETI_OPTIONS_DEFAULT;
    listing l = {.options = ETI_VIEW_OPTIONS_DEFAULT};
    builder *b = &l.s.b;
    place runs[16];
    options.keeps_warm_up = keeps_warm_up;
    l.s.options = &options;
    for (size_t i = 0; i < n; i++) {
        const uint64_t *of = lengths[i];
        uint64_t end = of[0] + of[1] + of[2];
        runs[i] = RUN(b, "Execute", CALL(b, "native_call_a", 1, 0, of[0]),
                      CALL(b, "native_call_b", 2, of[0], of[0] + of[1]),
                      CALL(b, "native_call_c", 3, of[0] + of[1], end));
    }
    open_list(&l, put_dump(b, (optional){0}, put_tables(b, runs, n)));
    assert_int_equal(l.list.n_runs, n);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(l.list.runs[i].is_representative, i == expected);
    close_list(&l);
}

/* The medians are 10, 20 and 30. Run 1 takes their sum, but with an interruption of one operator; run 3 differs by 2. */
static void each_event_of_the_representative_run_is_near_its_median(void **state) {
    (void)state;
    static const uint64_t lengths[][OPERATORS] = {
        {14, 20, 30}, {10, 5, 45}, {10, 26, 30}, {9, 21, 30}, {10, 20, 90}};
    assert_representative(lengths, COUNT_OF(lengths), 3, true);
}

/* Between two middle values, all distances are equal. */
static void of_equally_near_runs_the_first_is_representative(void **state) {
    (void)state;
    static const uint64_t lengths[][OPERATORS] = {{10, 1, 1}, {12, 1, 1}};
    static const uint64_t three[][OPERATORS] = {{9, 1, 1}, {10, 1, 1}, {10, 1, 1}};
    assert_representative(lengths, COUNT_OF(lengths), 0, true);
    assert_representative(three, COUNT_OF(three), 1, true);
}

/* Twice a length may need more than 64 bits. */
static void very_long_events_are_compared_exactly(void **state) {
    (void)state;
    const uint64_t half = UINT64_MAX / 2;
    const uint64_t lengths[][OPERATORS] = {
        {half + 8, 1, 1}, {half + 3, 1, 1}, {half + 1, 3, 1}, {half + 2, 1, 1}};
    assert_representative(lengths, COUNT_OF(lengths), 1, true);
}

/* The first run of ten takes nine times as long, so it warms up and does not count; the median of the others is 100. */
static void a_warm_up_run_is_not_representative(void **state) {
    (void)state;
    static const uint64_t lengths[][OPERATORS] = {
        {900, 1, 1}, {99, 1, 1}, {101, 1, 1}, {99, 1, 1},  {100, 1, 1},
        {101, 1, 1}, {99, 1, 1}, {101, 1, 1}, {101, 1, 1}, {99, 1, 1}};
    assert_representative(lengths, COUNT_OF(lengths), 4, false);
    static const uint64_t two[][OPERATORS] = {{100, 1, 1}, {900, 1, 1}};
    assert_representative(two, COUNT_OF(two), 0, false);
}

/* ==== synthetic =============================================================================== */

#define KERNELS 5
#define NONE UINT64_MAX /* no further event */

/* Opens runs of one delegate call with up to five events of these lengths, each `gap` after the one before. */
static void open_synthetic_lengths(session *s, const uint64_t (*lengths)[KERNELS], size_t n,
                                   uint64_t gap) {
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
    open_synthetic_lengths(&s, lengths, n, gap);
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
        cmocka_unit_test(own_times_are_added_by_role),
        cmocka_unit_test(loading_is_listed_where_there_is_nothing_else),
        cmocka_unit_test(elapsed_time_is_that_of_the_union),
        cmocka_unit_test(lanes_prolong_a_run),
        cmocka_unit_test(runs_stand_out_among_those_of_their_block),
        cmocka_unit_test(among_few_runs_none_stands_out),
        cmocka_unit_test(each_dump_has_its_own_outliers_and_trend),
        cmocka_unit_test(few_runs_of_a_dump_are_compared_with_all),
        cmocka_unit_test(each_event_of_the_representative_run_is_near_its_median),
        cmocka_unit_test(of_equally_near_runs_the_first_is_representative),
        cmocka_unit_test(very_long_events_are_compared_exactly),
        cmocka_unit_test(a_warm_up_run_is_not_representative),
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
