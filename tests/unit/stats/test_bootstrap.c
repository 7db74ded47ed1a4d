/* comparison_cases.h has probabilities of ranks, and resamples drawn by another program. */
#include "statistics_samples.h"

#include <math.h>

#include "comparison_cases.h"
#include "stats/bootstrap.h"
#include "stats/order.h"

static void resample(eti_resampling *resampling, size_t n, size_t n_resamples, uint64_t seed,
                     uint64_t stream) {
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__resample(resampling, n, n_resamples, seed, stream, &err));
}

static double pair_probability(const eti_resampling *resampling, size_t i) {
    double before = i > 0 ? resampling->up_to[i - 1] : 0.0;
    return (resampling->up_to[i] - before) / resampling->up_to[resampling->n_pairs - 1];
}

/* Adds up all n^n resamples; next_resample() counts through them. */
static bool next_resample(size_t *drawn, size_t n) {
    size_t i = 0;
    while (i < n && ++drawn[i] == n)
        drawn[i++] = 0;
    return i < n;
}

static void middle_ranks(const size_t *drawn, size_t n, size_t *low, size_t *high) {
    size_t n_of_rank[8] = {0}, seen = 0;
    bool found_low = false;
    for (size_t i = 0; i < n; i++)
        n_of_rank[drawn[i]]++;
    for (size_t rank = 0; rank < n; rank++) {
        seen += n_of_rank[rank];
        if (!found_low && seen >= (n + 1) / 2) {
            *low = rank;
            found_low = true;
        }
        if (seen >= n / 2 + 1) {
            *high = rank;
            return;
        }
    }
}

static void probabilities_are_those_of_all_resamples(void **state) {
    (void)state;
    for (size_t n = 1; n <= 7; n++) {
        size_t drawn[8] = {0}, n_all = 0, n_of_pair[8][8] = {{0}};
        do {
            size_t low = 0, high = 0;
            middle_ranks(drawn, n, &low, &high);
            n_of_pair[low][high]++;
            n_all++;
        } while (next_resample(drawn, n));
        eti_resampling resampling = {0};
        resample(&resampling, n, 1, 1, 0);
        for (size_t i = 0; i < resampling.n_pairs; i++) {
            eti_middle_ranks pair = resampling.pairs[i];
            double expected = (double)n_of_pair[pair.low][pair.high] / (double)n_all;
            assert_true(fabs(pair_probability(&resampling, i) - expected) < 1e-12);
            n_of_pair[pair.low][pair.high] = 0;
        }
        for (size_t i = 0; i < 64; i++)
            assert_true((double)n_of_pair[i / 8][i % 8] < 1e-12 * (double)n_all);
        eti__resampling_free(&resampling);
    }
}

static void probabilities_are_binomial_for_any_n(void **state) {
    (void)state;
    eti_resampling resampling = {0};
    for (size_t i = 0; i < COUNT_OF(marginals); i++) {
        resample(&resampling, marginals[i].n, 1, 1, 0);
        double low_below = 0.0, high_below = 0.0;
        for (size_t j = 0; j < resampling.n_pairs; j++) {
            double probability = pair_probability(&resampling, j);
            low_below += resampling.pairs[j].low < marginals[i].rank ? probability : 0.0;
            high_below += resampling.pairs[j].high < marginals[i].rank ? probability : 0.0;
        }
        assert_true(fabs(low_below - marginals[i].low_below) < 1e-10);
        assert_true(fabs(high_below - marginals[i].high_below) < 1e-10);
    }
    eti__resampling_free(&resampling);
}

static void a_seed_draws_the_same_everywhere(void **state) {
    (void)state;
    eti_resampling resampling = {0};
    for (size_t i = 0; i < COUNT_OF(draws); i++) {
        resample(&resampling, draws[i].n, 12, draws[i].seed, draws[i].stream);
        assert_int_equal(resampling.medians[draws[i].i].low, draws[i].low);
        assert_int_equal(resampling.medians[draws[i].i].high, draws[i].high);
    }
    eti__resampling_free(&resampling);
}

static void draws_have_their_probabilities(void **state) {
    (void)state;
    enum { N = 100, DRAWS = 200000 };
    eti_resampling resampling = {0};
    resample(&resampling, N, DRAWS, 3, 1);
    size_t n_low[N] = {0};
    double expected[N] = {0};
    for (size_t i = 0; i < DRAWS; i++)
        n_low[resampling.medians[i].low]++;
    for (size_t i = 0; i < resampling.n_pairs; i++)
        expected[resampling.pairs[i].low] += DRAWS * pair_probability(&resampling, i);
    for (size_t i = 0; i < N; i++)
        assert_true(fabs((double)n_low[i] - expected[i]) <= 5.0 * sqrt(expected[i]) + 1.0);
    eti__resampling_free(&resampling);
}

/* What was drawn before has no influence. */
static void draws_are_kept_or_made_anew(void **state) {
    (void)state;
    eti_resampling used = {0}, fresh = {0};
    const struct {
        size_t n, n_resamples;
        uint64_t seed, stream;
    } requests[] = {{10, 30, 1, 0}, {10, 30, 1, 0}, {10, 30, 2, 0}, {10, 30, 2, 1},
                    {11, 30, 2, 1}, {11, 99, 2, 1}, {11, 7, 2, 1},  {1, 7, 2, 1}};
    for (size_t i = 0; i < COUNT_OF(requests); i++) {
        size_t n_resamples = requests[i].n_resamples;
        resample(&used, requests[i].n, n_resamples, requests[i].seed, requests[i].stream);
        resample(&fresh, requests[i].n, n_resamples, requests[i].seed, requests[i].stream);
        assert_memory_equal(used.medians, fresh.medians, n_resamples * sizeof *used.medians);
        eti__resampling_free(&fresh);
    }
    eti__resampling_free(&used);
}

static void deviations_of_medians_are_exact(void **state) {
    (void)state;
    eti_resampling resampling = {0};
    for (size_t i = 0; i < COUNT_OF(powers); i++) {
        double *sorted = make_samples(powers[i].kind, 5, 1.0, powers[i].n);
        eti__sort_doubles(sorted, powers[i].n);
        resample(&resampling, powers[i].n, 1, 1, 0);
        double found = eti__median_deviation(&resampling, sorted);
        assert_true(fabs(found / powers[i].deviation - 1.0) < 1e-10);
        free(sorted);
    }
    eti__resampling_free(&resampling);
}

static void ratios_of_zeros_are_numbers(void **state) {
    (void)state;
    assert_bits(eti__ratio(3.0, 2.0), 1.5);
    assert_bits(eti__ratio(0.0, 0.0), 1.0);
    assert_bits(eti__ratio(0.0, 2.0), 0.0);
    assert_bits(eti__ratio(1.0, 0.0), (double)INFINITY);

    const double base[] = {0, 0, 0, 1, 1}, new_side[] = {0, 0, 1, 1, 2};
    double ratios[1000];
    eti_resampling of_base = {0}, of_new = {0};
    resample(&of_base, 5, 1000, 1, 0);
    resample(&of_new, 5, 1000, 1, 1);
    eti_interval interval = eti__bootstrap_ratio(&of_base, base, &of_new, new_side, 0.95, ratios);
    assert_bits(interval.low, 0.0);
    assert_bits(interval.high, (double)INFINITY);
    eti__resampling_free(&of_base);
    eti__resampling_free(&of_new);
}

/* 101 ratios have two beyond each end of the middle 95 %: floor(100 * 0.025). */
static void intervals_are_ratios_that_were_drawn(void **state) {
    (void)state;
    double *base = make_samples(SAMPLES_EVEN, 1, 1.0, 1), ratios[101];
    const double new_side[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    eti_resampling of_base = {0}, of_new = {0};
    resample(&of_base, 1, 101, 1, 0);
    resample(&of_new, 11, 101, 1, 1);
    eti_interval interval = eti__bootstrap_ratio(&of_base, base, &of_new, new_side, 0.95, ratios);
    double drawn[101];
    for (size_t i = 0; i < 101; i++)
        drawn[i] = eti__resampled_median(&of_new, new_side, i) / base[0];
    eti__sort_doubles(drawn, 101);
    assert_bits(interval.low, drawn[2]);
    assert_bits(interval.high, drawn[98]);
    assert_true(drawn[0] < drawn[2] && drawn[98] < drawn[100]);
    eti__resampling_free(&of_base);
    eti__resampling_free(&of_new);
    free(base);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(probabilities_are_those_of_all_resamples),
        cmocka_unit_test(probabilities_are_binomial_for_any_n),
        cmocka_unit_test(a_seed_draws_the_same_everywhere),
        cmocka_unit_test(draws_have_their_probabilities),
        cmocka_unit_test(draws_are_kept_or_made_anew),
        cmocka_unit_test(deviations_of_medians_are_exact),
        cmocka_unit_test(ratios_of_zeros_are_numbers),
        cmocka_unit_test(intervals_are_ratios_that_were_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
