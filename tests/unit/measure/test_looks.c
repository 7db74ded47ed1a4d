#include "support.h"

#include "measure/looks.h"
#include "stats/stats.h"

#include <math.h>

static eti_error err = ETI_ERROR_INIT;

static void check_plan(size_t n_pairs, double alpha, const size_t *expected, size_t n) {
    eti_looks looks;
    assert_ok(eti__looks_plan(&looks, n_pairs, alpha, &err));
    assert_int_equal(looks.n, n);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(looks.pairs[i], expected[i]);
    assert_true(fabs(looks.alpha - alpha / (double)n) < 1e-15);
}

static void twenty_pairs_have_four_looks(void **state) {
    (void)state;
    check_plan(20, 0.01, (const size_t[]){6, 9, 14, 20}, 4);
    check_plan(25, 0.01, (const size_t[]){8, 11, 18, 25}, 4);
    check_plan(100, 0.01, (const size_t[]){30, 45, 70, 100}, 4);
}

static void fewer_pairs_have_fewer_looks(void **state) {
    (void)state;
    check_plan(10, 0.01, (const size_t[]){6, 7, 10}, 3);
    check_plan(7, 0.01, (const size_t[]){6, 7}, 2);
    check_plan(6, 0.01, (const size_t[]){6}, 1);
    check_plan(5, 0.01, (const size_t[]){5}, 1);
}

static void every_look_has_files_enough(void **state) {
    (void)state;
    for (size_t n_pairs = 5; n_pairs < 200; n_pairs++) {
        eti_looks looks;
        assert_ok(eti__looks_plan(&looks, n_pairs, 0.01, &err));
        assert_true(looks.pairs[0] >= eti__fewest_files(looks.alpha));
        assert_int_equal(looks.pairs[looks.n - 1], n_pairs);
        for (size_t i = 1; i < looks.n; i++)
            assert_true(looks.pairs[i] > looks.pairs[i - 1]);
        assert_true(looks.alpha * (double)looks.n <= 0.01 * (1 + 1e-12));
    }
}

static void too_few_pairs_are_refused(void **state) {
    (void)state;
    eti_looks looks;
    assert_fails(eti__looks_plan(&looks, 4, 0.01, &err), ETI_ERROR_USAGE,
                 "pairs: 4 pairs of processes cannot show a change; with alpha 0.01, at least 5");
    check_plan(4, 0.05, (const size_t[]){4}, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(twenty_pairs_have_four_looks),
        cmocka_unit_test(fewer_pairs_have_fewer_looks),
        cmocka_unit_test(every_look_has_files_enough),
        cmocka_unit_test(too_few_pairs_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
