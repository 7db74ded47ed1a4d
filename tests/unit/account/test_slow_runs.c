/* Tests how much of the time slow outliers add. */
#include "account/options.h"
#include "inspector_fixture.h"
#include "timed_events.h"

#include "account/slow_runs.h"

#include <math.h>

/* Adds a block whose runs have these lengths, and opens its session, to which `out` refers. */
static void add_lengths(eti_slow_runs *out, session *s, const uint64_t *lengths, size_t n) {
    builder *b = &s->b;
    eti_account account;
    eti_error err = ETI_ERROR_INIT;
    place runs[16];
    for (size_t i = 0; i < n; i++)
        runs[i] = RUN(b, "Execute", EVENT(b, "Method::execute", 0, lengths[i]));
    open_session(s, put_dump(b, (optional){0}, put_tables(b, runs, n)), NULL);
    assert_ok(
        eti__account_new(&account, &s->inspector->blocks.blocks[0], &s->inspector->options, &err));
    assert_true(eti__slow_runs_add(out, &account));
    eti__account_free(&account);
}

/* Compares with ticks, of which 1,000,000 are 1 ms. */
static void assert_ticks(double time, double ticks) {
    if (!(fabs(time * 1e6 - ticks) <= 1e-6))
        fail_msg("expected %g, found %g", ticks, time * 1e6);
}

/* The first two runs warm up. Of the others, the median is 100; one outlier is slow, and one is quick. */
static void a_slow_outlier_adds_what_exceeds_the_median(void **state) {
    (void)state;
    const uint64_t lengths[] = {900, 700, 100, 99, 101, 350, 100, 98, 102, 40, 100};
    session s = {0};
    eti_slow_runs runs = {0};
    add_lengths(&runs, &s, lengths, COUNT_OF(lengths));
    assert_ticks(runs.total, 1090);
    assert_ticks(runs.excess, 250);
    assert_int_equal(runs.n, 1);
    assert_int_equal(runs.number, 5);
    assert_true(fabs(runs.ratio - 3.5) < 1e-9);
    assert_true(runs.block == &s.inspector->blocks.blocks[0]);
    assert_true(eti__slow_runs_matter(&runs));
    close_session(&s);
}

static void small_excesses_do_not_matter(void **state) {
    (void)state;
    const uint64_t small[] = {100, 101, 99, 100, 150, 101, 99, 100, 101, 99}, /* 50 of 1050 */
        few[] = {100, 100, 100, 900};                                         /* too few to judge */
    session s = {0}, other = {0};
    eti_slow_runs runs = {0};
    assert_false(eti__slow_runs_matter(&runs));
    add_lengths(&runs, &s, small, COUNT_OF(small));
    assert_int_equal(runs.n, 1);
    assert_false(eti__slow_runs_matter(&runs));
    close_session(&s);
    runs = (eti_slow_runs){0};
    add_lengths(&runs, &other, few, COUNT_OF(few));
    assert_int_equal(runs.n, 0);
    assert_ticks(runs.excess, 0);
    close_session(&other);
}

static void blocks_have_the_largest_excess_of_all(void **state) {
    (void)state;
    const uint64_t first[] = {100, 101, 99, 100, 300, 101, 99, 100},
                   second[] = {1000, 1010, 990, 1000, 1010, 1500, 990, 1000};
    session s = {0}, other = {0};
    eti_slow_runs runs = {0}, joined = {0}, none = {0};
    add_lengths(&runs, &s, first, COUNT_OF(first));
    add_lengths(&joined, &other, second, COUNT_OF(second));
    eti__slow_runs_join(&runs, &joined);
    eti__slow_runs_join(&runs, &none);
    assert_int_equal(runs.n, 2);
    assert_ticks(runs.excess, 700);
    assert_ticks(runs.total, 9500);
    assert_int_equal(runs.number, 5);
    assert_true(runs.block == &other.inspector->blocks.blocks[0]);
    close_session(&other);
    close_session(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_slow_outlier_adds_what_exceeds_the_median),
        cmocka_unit_test(small_excesses_do_not_matter),
        cmocka_unit_test(blocks_have_the_largest_excess_of_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
