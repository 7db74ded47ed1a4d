/* The same source without random pivots, which leaves the bisection for samples that make all of these bad ones. */
#define ETI_MOST_RANDOM_PIVOTS 0
#include "stats/hodges_lehmann.c"

#include "statistics_samples.h"

static void bisection_finds_the_median(void **state) {
    (void)state;
    static double base[300], new_samples[200], differences[60000];
    for (int kind = SAMPLES_EVEN; kind <= SAMPLES_WARM; kind++) {
        for (size_t n_new = 101; n_new <= 200; n_new += 33) {
            double *first = make_samples((sample_kind)kind, n_new, 1.0, 300);
            double *second = make_samples((sample_kind)kind, n_new + 1, 0.9, n_new);
            memcpy(base, first, sizeof base);
            memcpy(new_samples, second, n_new * sizeof *second);
            eti__sort_doubles(base, 300);
            eti__sort_doubles(new_samples, n_new);
            for (size_t i = 0; i < 300 * n_new; i++)
                differences[i] = new_samples[i % n_new] - base[i / n_new];
            size_t ranks[4 * 300];
            double work[4 * (300 + 200)];
            assert_true(eti__hodges_lehmann_differences(300, n_new) <= COUNT_OF(work));
            double found = eti__hodges_lehmann(base, 300, new_samples, n_new,
                                               (eti_hodges_lehmann_scratch){ranks, work});
            assert_bits(found, eti__median(differences, 300 * n_new));
            free(second);
            free(first);
        }
    }
}

static void numbers_are_in_the_order_of_doubles(void **state) {
    (void)state;
    const double ascending[] = {-INFINITY, -1e300, -1.0, -5e-324, -0.0, 0.0, 5e-324, 1.0, INFINITY};
    for (size_t i = 0; i < COUNT_OF(ascending); i++) {
        assert_bits(double_of(number_of(ascending[i])), ascending[i]);
        assert_true(i == 0 || number_of(ascending[i - 1]) < number_of(ascending[i]));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bisection_finds_the_median),
        cmocka_unit_test(numbers_are_in_the_order_of_doubles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
