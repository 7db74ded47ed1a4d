/* comparison_cases.h has what NumPy says about the median of all differences. */
#include "statistics_samples.h"

#include <math.h>

#include "comparison_cases.h"
#include "stats/hodges_lehmann.h"
#include "stats/order.h"

static double find_shift(double *base, size_t n_base, double *new_samples, size_t n_new) {
    eti_hodges_lehmann_scratch scratch = {
        .ranks = malloc(4 * n_base * sizeof(size_t)),
        .differences = malloc(eti__hodges_lehmann_differences(n_base, n_new) * sizeof(double)),
    };
    assert_non_null(scratch.ranks);
    assert_non_null(scratch.differences);
    eti__sort_doubles(base, n_base);
    eti__sort_doubles(new_samples, n_new);
    double shift = eti__hodges_lehmann(base, n_base, new_samples, n_new, scratch);
    free(scratch.differences);
    free(scratch.ranks);
    return shift;
}

static void shifts_equal_numpys_to_the_last_bit(void **state) {
    (void)state;
    size_t n_compared = 0;
    for (size_t i = 0; i < COUNT_OF(comparisons); i++) {
        size_t n_base = comparisons[i].n_base, n_new = comparisons[i].n_new;
        if (isnan(comparisons[i].shift))
            continue;
        double *base = make_samples(comparisons[i].kind, comparisons[i].seed, 1.0, n_base);
        double *new_samples = make_samples(comparisons[i].kind, comparisons[i].seed + 1,
                                           comparisons[i].factor, n_new);
        assert_bits(find_shift(base, n_base, new_samples, n_new), comparisons[i].shift);
        assert_near(find_shift(new_samples, n_new, base, n_base), -comparisons[i].shift);
        n_compared++;
        free(new_samples);
        free(base);
    }
    assert_true(n_compared > 300);
}

/* Any two sizes from 1 to 40, of samples that are whole numbers, against all differences sorted. */
static void shifts_of_all_small_sizes_are_medians(void **state) {
    (void)state;
    double base[40], new_samples[40], differences[1600];
    uint64_t generator = 1;
    for (size_t n_base = 1; n_base <= 40; n_base++) {
        for (size_t n_new = 1; n_new <= 40; n_new++) {
            double range = n_new % 3 == 0 ? 3.0 : 1000.0;
            for (size_t i = 0; i < n_base; i++)
                base[i] = floor(next_uniform(&generator) * range);
            for (size_t j = 0; j < n_new; j++)
                new_samples[j] = floor(next_uniform(&generator) * range);
            for (size_t i = 0; i < n_base * n_new; i++)
                differences[i] = new_samples[i % n_new] - base[i / n_new];
            assert_bits(find_shift(base, n_base, new_samples, n_new),
                        eti__median(differences, n_base * n_new));
        }
    }
}

/* Of 10^10 differences half lie on either side. */
static void shifts_of_many_samples_are_medians(void **state) {
    (void)state;
    enum { N = 100000 };
    const sample_kind kinds[] = {SAMPLES_EVEN, SAMPLES_TIED, SAMPLES_HEAVY, SAMPLES_CONSTANT};
    for (size_t k = 0; k < COUNT_OF(kinds); k++) {
        double *base = make_samples(kinds[k], 11, 1.0, N);
        double *new_samples = make_samples(kinds[k], 12, 1.25, N);
        double shift = find_shift(base, N, new_samples, N);
        uint64_t n_below = 0, n_above = 0;
        for (size_t i = 0, below = 0, not_above = 0; i < N; i++) {
            while (below < N && new_samples[below] - base[i] < shift)
                below++;
            while (not_above < N && new_samples[not_above] - base[i] <= shift)
                not_above++;
            n_below += below;
            n_above += N - not_above;
        }
        uint64_t half = (uint64_t)N * N / 2;
        assert_true(n_below <= half && n_above <= half);
        free(new_samples);
        free(base);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shifts_equal_numpys_to_the_last_bit),
        cmocka_unit_test(shifts_of_all_small_sizes_are_medians),
        cmocka_unit_test(shifts_of_many_samples_are_medians),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
