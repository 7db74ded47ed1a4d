/* comparison_cases.h has what SciPy says. */
#include "statistics_samples.h"

#include <math.h>

#include "comparison_cases.h"
#include "stats/mann_whitney.h"
#include "stats/order.h"

static eti_mann_whitney test_sides(double *base, size_t n_base, double *new_samples, size_t n_new) {
    double *scratch = malloc((eti__mann_whitney_scratch(n_base, n_new) + 1) * sizeof *scratch);
    assert_non_null(scratch);
    eti__sort_doubles(base, n_base);
    eti__sort_doubles(new_samples, n_new);
    eti_mann_whitney found = eti__mann_whitney_test(base, n_base, new_samples, n_new, scratch);
    free(scratch);
    return found;
}

static void u_and_p_equal_scipys(void **state) {
    (void)state;
    size_t n_exact = 0;
    for (size_t i = 0; i < COUNT_OF(comparisons); i++) {
        size_t n_base = comparisons[i].n_base, n_new = comparisons[i].n_new;
        uint64_t seed = comparisons[i].seed;
        double *base = make_samples(comparisons[i].kind, seed, 1.0, n_base);
        double *new_samples =
            make_samples(comparisons[i].kind, seed + 1, comparisons[i].factor, n_new);
        eti_mann_whitney found = test_sides(base, n_base, new_samples, n_new);
        assert_bits(found.u, comparisons[i].u);
        assert_near(found.p, comparisons[i].p);
        assert_int_equal(found.exact, comparisons[i].exact);
        n_exact += found.exact;
        eti_mann_whitney exchanged = test_sides(new_samples, n_new, base, n_base);
        assert_bits(exchanged.u, (double)n_base * (double)n_new - found.u);
        assert_bits(exchanged.p, found.p);
        free(new_samples);
        free(base);
    }
    assert_true(n_exact > 80 && n_exact + 80 < COUNT_OF(comparisons));
}

/* Each of the 70 orders of four and four samples has p = (orders with a U at least as far from 8) / 70. */
static void exact_p_counts_orders(void **state) {
    (void)state;
    size_t n_with_u[17] = {0};
    for (unsigned pass = 0; pass < 2; pass++) {
        for (unsigned chosen = 0; chosen < 256; chosen++) {
            double sides[2][8];
            size_t n[2] = {0, 0};
            for (unsigned i = 0; i < 8; i++) {
                unsigned side = chosen >> i & 1;
                sides[side][n[side]++] = i;
            }
            if (n[0] != 4)
                continue;
            eti_mann_whitney found = test_sides(sides[0], 4, sides[1], 4);
            if (pass == 0) {
                n_with_u[(size_t)found.u]++;
                continue;
            }
            size_t n_as_far = 0;
            for (size_t u = 0; u <= 16; u++)
                n_as_far += fabs((double)u - 8.0) >= fabs(found.u - 8.0) ? n_with_u[u] : 0;
            assert_near(found.p, (double)n_as_far / 70.0);
        }
    }
}

/* 8 samples beside 100,000 have 2.5e35 orders. */
static void exact_p_stays_right_for_many_samples(void **state) {
    (void)state;
    enum { MANY = 100000, FEW = 8 };
    double *many = malloc(MANY * sizeof *many), few[FEW];
    assert_non_null(many);
    for (size_t i = 0; i < MANY; i++)
        many[i] = (double)i;
    for (size_t i = 0; i < FEW; i++)
        few[i] = MANY + (double)i;
    eti_mann_whitney apart = test_sides(many, MANY, few, FEW);
    assert_true(apart.exact);
    assert_near(apart.p, eti__mann_whitney_least_p(MANY, FEW));
    assert_near(apart.p, 8.061097564704213e-36);
    for (size_t i = 0; i < FEW; i++)
        few[i] = 12345.0 * (double)(i + 1) + 0.5;
    eti_mann_whitney among = test_sides(many, MANY, few, FEW);
    /* Counted with Python's integers; the approximation would be 0.5864. */
    assert_true(among.exact);
    assert_near(among.p, 0.592818988088282);
    free(many);
}

static void least_p_is_that_of_sides_that_do_not_overlap(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(least_ps); i++)
        assert_near(eti__mann_whitney_least_p(least_ps[i].n_base, least_ps[i].n_new),
                    least_ps[i].p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(u_and_p_equal_scipys),
        cmocka_unit_test(exact_p_counts_orders),
        cmocka_unit_test(exact_p_stays_right_for_many_samples),
        cmocka_unit_test(least_p_is_that_of_sides_that_do_not_overlap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
