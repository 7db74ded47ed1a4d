#include "capture_fixture.h"

#include "etcapture_clock.h"

/* ---- rates ----------------------------------------------------------------------------------- */

static void expect_rate(uint64_t hertz, uint32_t numerator, uint32_t denominator) {
    etc_config config = ETC_CONFIG_INIT;
    config.tick_numerator = 7;
    etc_clock_set_hertz(&config, hertz);
    assert_int_equal(config.tick_numerator, numerator);
    assert_int_equal(config.tick_denominator, denominator);
}

static void test_rates_become_fractions(void **state) {
    (void)state;
    expect_rate(0, 0, 0);
    expect_rate(1, 1000000000, 1);
    expect_rate(32768, 1953125, 64);
    expect_rate(25000000, 40, 1);
    expect_rate(1000000000, 1, 1);
    expect_rate(2399999999, 1000000000, 2399999999);
    /* Values that need more bits are rounded. */
    expect_rate(5000000001, 500000000, 2500000000);
    expect_rate(UINT64_MAX, 0, 0);
}

/* ---- narrow counters ------------------------------------------------------------------------- */

static void test_a_counter_is_extended(void **state) {
    (void)state;
    etc_clock_counter counter = {.ticks = 0xfffffff0};
    assert_int_equal(etc_clock_extend(&counter, 0xfffffff0), 0xfffffff0);
    assert_int_equal(etc_clock_extend(&counter, 5), 0x100000005);
    assert_int_equal(etc_clock_extend(&counter, 5), 0x100000005);
    assert_int_equal(etc_clock_extend(&counter, 4), 0x200000004);
}

/* Models a SysTick: at time 0 the counter is set to 0, then it restarts from `reload`. */
typedef struct timer_model {
    uint64_t time;
    uint32_t period;
    uint64_t ends_seen; /* periods that had ended at the last query */
} timer_model;

static uint32_t value(const timer_model *model) {
    uint32_t into = (uint32_t)(model->time % model->period);
    return into ? model->period - into : 0;
}

/* Works like COUNTFLAG; `late`: the flag is set one tick after the counter reached 0. */
static bool has_ended(timer_model *model, bool late) {
    uint64_t ends = (model->time - (late && model->time > 0)) / model->period;
    bool ended = ends != model->ends_seen;
    model->ends_seen = ends;
    return ended;
}

/* Reads the three registers as the clock does, with the given ticks in between. */
static void ask(timer_model *model, etc_clock_timer *timer, unsigned to_count, unsigned to_after,
                bool late) {
    bool before = has_ended(model, late);
    model->time += to_count;
    uint64_t time = model->time;
    uint32_t count = value(model);
    model->time += to_after;
    assert_int_equal(etc_clock_count_down(timer, before, count, has_ended(model, late)), time);
}

static uint32_t random_below(uint32_t *seed, uint32_t bound) {
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) % bound;
}

static etc_clock_timer timer_of(const timer_model *model) {
    return (etc_clock_timer){.reload = model->period - 1, .last = model->period};
}

static void test_a_timer_is_extended(void **state) {
    (void)state;
    static const uint32_t periods[] = {4, 5, 10, 1000, 0x1000000};
    for (size_t i = 0; i < sizeof periods / sizeof *periods; i++) {
        for (unsigned late = 0; late < 2; late++) {
            uint32_t seed = (uint32_t)i;
            timer_model model = {.period = periods[i]};
            etc_clock_timer timer = timer_of(&model);
            for (unsigned n = 0; n < 20000; n++) {
                model.time += random_below(&seed, model.period - 2);
                unsigned steps = random_below(&seed, 3);
                ask(&model, &timer, steps > 0, steps > 1, late);
            }
        }
    }
}

/* The handler runs after each period, sometimes later than the previous time: more than a period then lies between two
 * calls. */
static void test_a_handler_may_be_late(void **state) {
    (void)state;
    uint32_t seed = 1;
    timer_model model = {.period = 1000};
    etc_clock_timer timer = timer_of(&model);
    for (unsigned n = 1; n < 20000; n++) {
        uint64_t time = (uint64_t)n * model.period + random_below(&seed, 400);
        for (; random_below(&seed, 3) == 0 && model.time + 100 < time; model.time += 50)
            ask(&model, &timer, random_below(&seed, 2), random_below(&seed, 2), false);
        model.time = time;
        ask(&model, &timer, 0, 0, false);
    }
}

/* ---- clocks of this machine ------------------------------------------------------------------ */

static void expect_forwards(etc_clock_function clock) {
    uint64_t first = clock(NULL), last = first;
    for (unsigned i = 0; i < 1000; i++) {
        uint64_t next = clock(NULL);
        assert_true(next >= last);
        last = next;
    }
    assert_true(last > first);
}

static void test_clocks_of_this_machine_go_forwards(void **state) {
    (void)state;
#if ETC_HAS_CLOCK_MONOTONIC
    expect_forwards(etc_clock_monotonic);
    uint64_t hertz = etc_clock_measure_hertz(etc_clock_monotonic, NULL, 1);
    assert_in_range(hertz, 500000000, 2000000000);
#endif
#if ETC_HAS_CLOCK_TSC
    expect_forwards(etc_clock_tsc);
    assert_true(etc_clock_measure_hertz(etc_clock_tsc, NULL, 1) > 1000000);
    if (etc_clock_tsc_hertz())
        assert_true(etc_clock_tsc_hertz() > 1000000);
#endif
#if ETC_HAS_CLOCK_CNTVCT
    expect_forwards(etc_clock_cntvct);
    assert_true(etc_clock_cntvct_hertz() > 1000);
#endif
}

#if ETC_HAS_CLOCK_MONOTONIC
static void test_a_capture_takes_such_a_clock(void **state) {
    (void)state;
    etc_config config = ETC_CONFIG_INIT;
    config.clock = etc_clock_monotonic;
    etc_clock_set_hertz(&config, 1000000000);
    etc_capture *c = start_with(&config, sizeof memory);
    uint64_t before = etc_clock_monotonic(NULL);
    add_run(c, "Execute", 1);
    uint64_t after = etc_clock_monotonic(NULL);
    etc_stats stats = ETC_STATS_INIT;
    etc_get_stats(c, &stats);
    assert_int_equal(stats.events, 1);
    assert_true(before <= after);
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rates_become_fractions),
        cmocka_unit_test(test_a_counter_is_extended),
        cmocka_unit_test(test_a_timer_is_extended),
        cmocka_unit_test(test_a_handler_may_be_late),
        cmocka_unit_test(test_clocks_of_this_machine_go_forwards),
#if ETC_HAS_CLOCK_MONOTONIC
        cmocka_unit_test(test_a_capture_takes_such_a_clock),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
