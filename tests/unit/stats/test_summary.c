#include "support.h"

#include "statistics_samples.h"

#include "series_cases.h"

#include "stats/parts.h"
#include "stats/stats.h"

#include <math.h>

/* ==== summary ================================================================================= */
/* Expected values come from numpy 2.4, for the numbers that next_sample() makes:
 *
 *     a = numpy.array(samples); percentile(a, 10), (a, 50), (a, 90); mean(a); min(a); max(a)
 */

static const struct {
    size_t n;
    uint64_t seed; /* a seed whose mean depends on the order of additions */
    double values[6];
} summary_expected[] = {
    {1,
     1,
     {0x1.b15dbeb10ff40p+44, 0x1.b15dbeb10ff40p+44, 0x1.b15dbeb10ff40p+44, 0x1.b15dbeb10ff40p+44,
      0x1.b15dbeb10ff40p+44, 0x1.b15dbeb10ff40p+44}},
    {2,
     1,
     {0x1.ee5b30fbc696ep+44, 0x1.71287d1350913p+45, 0x1.eb2361a8bdd6fp+45, 0x1.71287d1350913p+45,
      0x1.b15dbeb10ff40p+44, 0x1.04d10d670c943p+46}},
    {7,
     1,
     {0x1.8fa73638abe2ap+45, 0x1.9744ed6971035p+46, 0x1.1e8a838f8fe6bp+51, 0x1.6f1f1d8b86b91p+49,
      0x1.b15dbeb10ff40p+44, 0x1.4bf5c332412f5p+51}},
    {8,
     2,
     {0x1.5187943cd0ed2p+45, 0x1.142de13669414p+49, 0x1.048c6f3154d71p+51, 0x1.acf20b8b65485p+49,
      0x1.d735be63e7340p+41, 0x1.754242c290184p+51}},
    {9,
     2,
     {0x1.7d8a77b6e5d9fp+45, 0x1.61fe96202579ap+49, 0x1.e8e4eb1498c02p+50, 0x1.d6c952f34ee5cp+49,
      0x1.d735be63e7340p+41, 0x1.754242c290184p+51}},
    {127,
     8,
     {0x1.f40738c767f20p+44, 0x1.1fdbc8a20afebp+48, 0x1.b778489d44c36p+51, 0x1.eb56b0f2a2b22p+49,
      0x1.b21afc5bd9300p+39, 0x1.fcf1c027b3495p+52}},
    {128,
     41,
     {0x1.87b7a6562e2a9p+44, 0x1.aa1cf10509100p+48, 0x1.3c5bd26f2b297p+52, 0x1.51b9a94f6e211p+50,
      0x1.cc2d2c82c7c00p+37, 0x1.ff2531c3d376cp+52}},
    {129,
     3,
     {0x1.91b3d1f58dd18p+44, 0x1.c32a91f7c7112p+47, 0x1.c73a0f3b8694ap+51, 0x1.1630facd3a64ap+50,
      0x1.462ef499d1b10p+42, 0x1.c212b11bfceaap+52}},
    {137,
     18,
     {0x1.bf53e4b3c37a2p+44, 0x1.01d6920188e58p+48, 0x1.b9435618958acp+51, 0x1.e5da9a0c0f829p+49,
      0x1.26a7fa9ad28f0p+41, 0x1.db90e01f4f02ap+52}},
    {1000,
     39,
     {0x1.dea07435e0fd9p+44, 0x1.348ef192d4bfap+48, 0x1.8c59a325d14cep+51, 0x1.f516e30418a67p+49,
      0x1.b65a6aafcbe00p+37, 0x1.fe7331a587f8ap+52}},
    {2051,
     42,
     {0x1.82939fd52e632p+44, 0x1.fa4c91b4ff504p+47, 0x1.a4abe1a4c7b78p+51, 0x1.03e89bdcfae01p+50,
      0x1.dbfbd17ed1c00p+35, 0x1.ff2200d26f382p+52}},
};

static double next_sample(uint64_t *generator) {
    *generator = *generator * 6364136223846793005u + 1442695040888963407u;
    return (double)(*generator >> 11) / (double)(UINT64_C(1) << (*generator >> 40 & 7));
}

static void assert_summary(eti_summary found, const double values[6]) {
    assert_bits(found.p10, values[0]);
    assert_bits(found.p50, values[1]);
    assert_bits(found.p90, values[2]);
    assert_bits(found.avg, values[3]);
    assert_bits(found.min, values[4]);
    assert_bits(found.max, values[5]);
}

static void statistics_equal_numpys_to_the_last_bit(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(summary_expected); i++) {
        size_t n = summary_expected[i].n;
        uint64_t generator = summary_expected[i].seed;
        double *samples = malloc(2 * n * sizeof *samples);
        assert_non_null(samples);
        for (size_t j = 0; j < n; j++)
            samples[j] = next_sample(&generator);
        assert_summary(eti__summarize(samples, n, samples + n), summary_expected[i].values);
        free(samples);
    }
}

static void samples_are_not_reordered(void **state) {
    (void)state;
    const double samples[] = {3, 1, 2};
    double scratch[3];
    eti_summary summary = eti__summarize(samples, 3, scratch);
    assert_bits(summary.p50, 2.0);
    assert_bits(samples[0], 3.0);
}

static void a_summary_begins_with_its_size(void **state) {
    (void)state;
    const double samples[] = {3, 1, 2};
    double scratch[3];
    assert_int_equal(eti__summarize(samples, 1, scratch).struct_size, sizeof(eti_summary));
    assert_int_equal(eti__summarize(samples, 3, scratch).struct_size, sizeof(eti_summary));
}

/* numpy interpolates from the nearer neighbour; from the other one these results would be rounded differently. */
static void percentiles_interpolate_from_the_nearer_neighbour(void **state) {
    (void)state;
    const double pair[] = {0.1, 12.0 / 7.0};
    double scratch[2];
    eti_summary summary = eti__summarize(pair, 2, scratch);
    assert_bits(summary.p10, 0x1.0bb3ee721a54ep-2);
    assert_bits(summary.p50, 0x1.d075075075075p-1);
    assert_bits(summary.p90, 0x1.8d880bb3ee722p+0);
}

static void equal_samples_have_no_rounding(void **state) {
    (void)state;
    double samples[300], scratch[300];
    for (size_t i = 0; i < 300; i++)
        samples[i] = 0.125;
    const double values[6] = {0.125, 0.125, 0.125, 0.125, 0.125, 0.125};
    for (size_t n = 1; n <= 300; n++)
        assert_summary(eti__summarize(samples, n, scratch), values);
}

/* Contrived orders of 0, 1, ... n - 1. */
static double in_order(size_t i, size_t n, int order) {
    switch (order) {
    case 0:
        return (double)i;
    case 1:
        return (double)(n - 1 - i);
    case 2: /* up and down again */
        return (double)(i < (n + 1) / 2 ? 2 * i : 2 * (n - 1 - i) + 1);
    case 3: /* the smallest in the middle */
        return (double)((i + n / 2 + 1) % n);
    default: /* scattered: 7919 is prime and divides no n here */
        return (double)(i * 7919 % n);
    }
}

/* With 10 k + 1 samples the percentiles are samples. */
static void percentiles_are_found_in_any_order(void **state) {
    (void)state;
    enum { MOST = 5001 };
    static double samples[MOST], scratch[MOST];
    for (size_t n = 11; n <= MOST; n += n < 200 ? 10 : 600) {
        for (int order = 0; order < 5; order++) {
            for (size_t i = 0; i < n; i++)
                samples[i] = in_order(i, n, order);
            eti_summary found = eti__summarize(samples, n, scratch);
            size_t k = n / 10;
            assert_bits(found.p10, (double)k);
            assert_bits(found.p50, (double)(5 * k));
            assert_bits(found.p90, (double)(9 * k));
            assert_bits(found.min, 0.0);
            assert_bits(found.max, (double)(n - 1));
        }
    }
}

/* Pairs that a median of three always chooses as its pivot: without a limit, selection would take n / 4 partitions of all
 * remaining samples. */
static void a_bad_choice_of_pivots_changes_nothing(void **state) {
    (void)state;
    enum { N = 100001, HALF = N / 2 };
    double *samples = malloc(2 * N * sizeof *samples);
    assert_non_null(samples);
    for (size_t i = 0; i < HALF; i++) {
        samples[i] = (double)(i % 2 ? HALF + i - 1 : i);
        samples[HALF + i] = (double)(2 * i + 1);
    }
    samples[N - 1] = N - 1;
    double *sorted = samples + N;
    eti_summary found = eti__summarize(samples, N, sorted);
    size_t below = 0, above = 0;
    for (size_t i = 0; i < N; i++) {
        below += samples[i] < found.p50;
        above += samples[i] > found.p50;
    }
    assert_true(below <= N / 2 && above <= N / 2);
    free(samples);
}

static void an_average_of_nothing_but_zeros_is_positive(void **state) {
    (void)state;
    const double zeros[] = {0.0, 0.0};
    double scratch[2];
    assert_bits(eti__summarize(zeros, 2, scratch).avg, 0.0);
}

static void order_of_large_and_small_samples_matters_as_in_numpy(void **state) {
    (void)state;
    /* numpy adds eight lanes: 1e16 is added to the ones of its own lane only. */
    double samples[16], scratch[16];
    for (size_t i = 0; i < 16; i++)
        samples[i] = i == 0 ? 1e16 : 1.0;
    double lanes = ((1e16 + 1.0) + 2.0) + 4.0 + 8.0;
    assert_bits(eti__summarize(samples, 16, scratch).avg, lanes / 16.0);
}

/* ==== order =================================================================================== */
/* test_summary.c has further tests of the selection of ranks, in contrived orders too. */

static int compare(const void *a, const void *b) {
    double x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

static void values_are_sorted_as_by_the_c_library(void **state) {
    (void)state;
    for (int kind = SAMPLES_EVEN; kind <= SAMPLES_WARM; kind++) {
        for (size_t n = 0; n <= 3000; n += n < 100 ? 1 : 725) {
            double *sorted = make_samples((sample_kind)kind, n, 1.0, n);
            double *expected = make_samples((sample_kind)kind, n, 1.0, n);
            qsort(expected, n, sizeof *expected, compare);
            eti__sort_doubles(sorted, n);
            assert_memory_equal(sorted, expected, n * sizeof *sorted);
            free(expected);
            free(sorted);
        }
    }
}

/* Pairs that a median of three always chooses as its pivot. */
static void a_contrived_order_is_sorted_too(void **state) {
    (void)state;
    enum { N = 100000, HALF = N / 2 };
    double *values = malloc(N * sizeof *values);
    assert_non_null(values);
    for (size_t i = 0; i < HALF; i++) {
        values[i] = (double)(i % 2 ? HALF + i - 1 : i);
        values[HALF + i] = (double)(2 * i + 1);
    }
    eti__sort_doubles(values, N);
    for (size_t i = 1; i < N; i++)
        assert_true(values[i - 1] <= values[i]);
    free(values);
}

static void medians_are_numpys(void **state) {
    (void)state;
    double one[] = {3}, two[] = {4, 3}, odd[] = {9, 1, 5}, even[] = {9, 1, 5, 0.25};
    assert_bits(eti__median(one, 1), 3.0);
    assert_bits(eti__median(two, 2), 3.5);
    assert_bits(eti__median(odd, 3), 5.0);
    assert_bits(eti__median(even, 4), 3.0);
    /* The sum is rounded, unlike the midpoint that a percentile takes. */
    double rounded[] = {0.1, 0.7};
    assert_bits(eti__median(rounded, 2), (0.1 + 0.7) / 2.0);
}

static void median_of_values_leaves_them(void **state) {
    (void)state;
    const double values[] = {9, 1, 5, 0.25};
    double scratch[4];
    assert_bits(eti__median_of(values, 4, scratch), 3.0);
    assert_bits(eti__median_of(values, 1, scratch), 9.0);
}

/* ==== spread ================================================================================== */
/* Expected values from NumPy and SciPy are in series_cases.h. */

static void spread_equals_numpys_and_scipys(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        size_t n = cases[i].n;
        double *samples = make_samples(cases[i].kind, cases[i].seed, 1.0, n);
        double *scratch = malloc(n * sizeof *scratch);
        assert_non_null(scratch);
        eti_spread spread = eti__spread_of(samples, n, scratch);
        assert_near(spread.median, cases[i].median);
        assert_near(spread.mad, cases[i].mad);
        assert_near(spread.mean_deviation, cases[i].mean_deviation);
        assert_near(eti__coefficient_of_variation(samples, n, scratch), cases[i].variation);
        free(scratch);
        free(samples);
    }
}

static void scaled_mad_is_scipys(void **state) {
    (void)state;
    /* scipy.stats.median_abs_deviation([1, 2, 3, 4, 6, 9], scale="normal") */
    const double samples[] = {1, 2, 3, 4, 6, 9};
    double scratch[6];
    assert_near(eti__spread_of(samples, 6, scratch).mad * ETI_MAD_TO_SIGMA, 2.9652044370112037);
}

/* Data of chapter 3 by Iglewicz and Hoaglin: plain z-scores miss both of the last two. */
static void outliers_do_not_hide_each_other(void **state) {
    (void)state;
    const double samples[] = {2.1, 2.6, 2.4, 2.5, 2.3, 2.1, 2.3, 2.6, 8.2, 8.3};
    double scratch[10];
    eti_spread spread = eti__spread_of(samples, 10, scratch);
    assert_near(spread.median, 2.45);
    assert_near(eti__modified_z(&spread, 8.2), 0.6745 * 5.75 / spread.mad);
    size_t n_outliers = 0;
    for (size_t i = 0; i < 10; i++)
        n_outliers += eti__is_outlier(&spread, samples[i]);
    assert_int_equal(n_outliers, 2);
}

static void mostly_equal_samples_have_outliers_too(void **state) {
    (void)state;
    const double samples[] = {5, 5, 5, 5, 5, 5, 5, 5, 5, 6};
    double scratch[10];
    eti_spread spread = eti__spread_of(samples, 10, scratch);
    assert_bits(spread.mad, 0.0);
    assert_near(eti__modified_z(&spread, 6), 1.0 / (1.253314 * 0.1));
    assert_true(eti__is_outlier(&spread, 6));
    assert_false(eti__is_outlier(&spread, 5));
}

static void only_another_value_lies_outside_equal_samples(void **state) {
    (void)state;
    const double samples[] = {5, 5, 5};
    double scratch[3];
    eti_spread spread = eti__spread_of(samples, 3, scratch);
    assert_bits(eti__modified_z(&spread, 5), 0.0);
    assert_bits(eti__modified_z(&spread, 6), (double)INFINITY);
    assert_bits(eti__modified_z(&spread, 4), -(double)INFINITY);
}

/* ==== location ================================================================================ */

#define assert_fast(expected, ...)                                                                 \
    do {                                                                                           \
        double values_[] = {__VA_ARGS__};                                                          \
        assert_bits(eti__fast_mean(values_, COUNT_OF(values_)), (expected));                       \
    } while (0)

static void locations_are_those_of_the_specification(void **state) {
    (void)state;
    assert_fast(2.0, 9, 1, 2, 3, 4, 5, 6, 7, 8, 100, 50, 60);
    assert_fast(5.0, 5, 7);
    double ramp[60];
    for (size_t i = 0; i < COUNT_OF(ramp); i++)
        ramp[i] = (double)(59 - i);
    assert_bits(eti__fast_mean(ramp, COUNT_OF(ramp)), 8.5);
}

static void few_runs_have_the_fastest(void **state) {
    (void)state;
    assert_fast(5.0, 5);
    assert_fast(5.0, 9, 8, 7, 6, 7, 5, 9);
    assert_fast(5.5, 9, 8, 7, 6, 7, 5, 9, 9);
}

/* From 20 runs on the fastest is ignored, from 40 on the second fastest, too. */
static void the_fastest_twentieth_does_not_count(void **state) {
    (void)state;
    double values[40];
    for (size_t n = 19; n <= COUNT_OF(values); n++) {
        for (size_t i = 0; i < n; i++)
            values[i] = i < n / 20 ? 1.0 : i < n / 4 ? 50.0 : 1000.0;
        assert_bits(eti__fast_mean(values, n), 50.0);
    }
}

/* Computes the definition literally. */
static double location_by_definition(double *values, size_t n) {
    eti__sort_doubles(values, n);
    size_t a = n / 20, b = n / 4 > a + 1 ? n / 4 : a + 1;
    double sum = 0.0;
    for (size_t i = a; i < b; i++)
        sum += values[i];
    return sum / (double)(b - a);
}

static void any_order_has_the_same_fast_mean(void **state) {
    (void)state;
    for (size_t n = 1; n < 500; n += 7) {
        double *values = make_samples(SAMPLES_HEAVY, n, 1000.0, n);
        for (size_t i = 0; i < n; i++)
            values[i] = (double)(uint64_t)values[i];
        double found = eti__fast_mean(values, n);
        assert_bits(found, location_by_definition(values, n));
        free(values);
    }
}

/* ==== timescale =============================================================================== */

static void names_are_parsed_back(void **state) {
    (void)state;
    static const char *const names[] = {"ns", "us", "ms", "s", "cycles"};
    for (int i = 0; i < 5; i++) {
        eti_time_scale scale;
        assert_string_equal(eti_time_scale_name((eti_time_scale)i), names[i]);
        assert_true(eti_time_scale_parse(names[i], &scale));
        assert_int_equal(scale, i);
    }
}

static void unknown_names_are_refused(void **state) {
    (void)state;
    eti_time_scale scale = ETI_SCALE_S;
    static const char *const names[] = {"", "NS", "n", "nss", "cycle"};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        assert_false(eti_time_scale_parse(names[i], &scale));
    assert_int_equal(scale, ETI_SCALE_S);
}

static void factors_are_quotients_of_doubles(void **state) {
    (void)state;
    assert_bits(eti__time_scale_factor(ETI_SCALE_NS, ETI_SCALE_MS, 0), 1e6);
    assert_bits(eti__time_scale_factor(ETI_SCALE_NS, ETI_SCALE_NS, 0), 1.0);
    assert_bits(eti__time_scale_factor(ETI_SCALE_S, ETI_SCALE_NS, 0), 1e-9);
    assert_bits(eti__time_scale_factor(ETI_SCALE_MS, ETI_SCALE_US, 0), 1e-3);
    assert_bits(eti__time_scale_factor(ETI_SCALE_CYCLES, ETI_SCALE_CYCLES, 0), 1.0);
    assert_bits(eti__time_scale_factor(ETI_SCALE_CYCLES, ETI_SCALE_MS, 0), 1.0);
}

static void a_clock_makes_cycles_time(void **state) {
    (void)state;
    assert_bits(eti__time_scale_factor(ETI_SCALE_CYCLES, ETI_SCALE_MS, 400e6), 400e3);
    assert_bits(eti__time_scale_factor(ETI_SCALE_CYCLES, ETI_SCALE_NS, 1e9), 1.0);
    assert_bits(eti__time_scale_factor(ETI_SCALE_CYCLES, ETI_SCALE_CYCLES, 400e6), 1.0);
    assert_bits(eti__time_scale_factor(ETI_SCALE_NS, ETI_SCALE_MS, 400e6), 1e6);
    assert_true(eti__time_scales_fit(ETI_SCALE_CYCLES, ETI_SCALE_MS, 400e6));
    assert_false(eti__time_scales_fit(ETI_SCALE_NS, ETI_SCALE_CYCLES, 400e6));
}

static void cycles_convert_only_to_cycles(void **state) {
    (void)state;
    for (int source = 0; source < 5; source++) {
        for (int target = 0; target < 5; target++) {
            bool fit = (source == ETI_SCALE_CYCLES) == (target == ETI_SCALE_CYCLES);
            assert_int_equal(
                eti__time_scales_fit((eti_time_scale)source, (eti_time_scale)target, 0), fit);
        }
    }
}

static void exact_subtracts_integers_and_divides(void **state) {
    (void)state;
    double elapsed;
    assert_true(eti__elapsed_exact(1173212209, 1173213321, 1e6, &elapsed));
    assert_bits(elapsed, 0.001112);
    assert_true(eti__elapsed_exact(5, 5, 1e6, &elapsed));
    assert_bits(elapsed, 0.0);
    /* 4 s in ns: divided by 1e-9, not multiplied by 1e9 */
    assert_true(eti__elapsed_exact(0, 4, 1e-9, &elapsed));
    assert_bits(elapsed, 3999999999.9999995);
    assert_true(eti__elapsed_exact(0, UINT64_MAX, 1.0, &elapsed));
    assert_bits(elapsed, 18446744073709551616.0);
}

static void exact_wraps_around_one_tick_short(void **state) {
    (void)state;
    double elapsed;
    assert_true(eti__elapsed_exact(4294967291u, 10, 1.0, &elapsed));
    assert_bits(elapsed, 14.0);
    assert_true(eti__elapsed_exact(4294967295u, 0, 1.0, &elapsed));
    assert_bits(elapsed, 0.0);
    assert_true(eti__elapsed_exact(4294967295u, 4294967294u, 1.0, &elapsed));
    assert_bits(elapsed, 4294967294.0);
}

static void exact_fails_backwards_beyond_32_bits(void **state) {
    (void)state;
    double elapsed;
    assert_false(eti__elapsed_exact(4294967296u, 10, 1e6, &elapsed));
    assert_false(eti__elapsed_exact(UINT64_MAX, UINT64_MAX - 1, 1e6, &elapsed));
    assert_true(eti__elapsed_exact(4294967296u, 4294967296u, 1e6, &elapsed));
}

static void scaled_rounds_both_stamps_first(void **state) {
    (void)state;
    double elapsed;
    assert_true(eti__elapsed_scaled(1173212209, 1173213321, 1e6, &elapsed));
    assert_bits(elapsed, 0.001111999999920954);
    assert_true(eti__elapsed_scaled(UINT64_MAX, UINT64_MAX, 1e6, &elapsed));
    assert_bits(elapsed, 0.0);
}

static void scaled_wraps_around_scaled_values(void **state) {
    (void)state;
    double elapsed;
    assert_true(eti__elapsed_scaled(4294967291u, 10, 1e6, &elapsed));
    assert_bits(elapsed, 4294963000.032719);
    /* 4e12 ns are 4e6 ms, which fits 32 bits */
    assert_true(eti__elapsed_scaled(4000000000000u, 1, 1e6, &elapsed));
    assert_bits(elapsed, (4294967295.0 - 4e6) + 1e-6);
}

static void scaled_fails_only_when_scaled_values_exceed_32_bits(void **state) {
    (void)state;
    double elapsed;
    assert_false(eti__elapsed_scaled(4294967296u, 10, 1.0, &elapsed));
    assert_true(eti__elapsed_scaled(4294967296u, 10, 1e6, &elapsed));
    assert_true(eti__elapsed_scaled(4294967295u, 10, 1.0, &elapsed));
    assert_false(eti__elapsed_scaled(5, 1, 1e-9, &elapsed));
}

/* The least numbers with which at least two runs are above a percentile. */
static void percentiles_need_many_runs(void **state) {
    (void)state;
    static const size_t fewest[ETI_N_METRICS] = {
        [ETI_METRIC_P50] = 1,   [ETI_METRIC_AVG] = 1, [ETI_METRIC_P90] = 20, [ETI_METRIC_P95] = 40,
        [ETI_METRIC_P99] = 200, [ETI_METRIC_MIN] = 1, [ETI_METRIC_MAX] = 1,  [ETI_METRIC_FAST] = 1};
    for (int metric = 0; metric < ETI_N_METRICS; metric++)
        assert_int_equal(eti__metric_fewest_runs((eti_metric)metric), fewest[metric]);
    assert_string_equal(eti__metric_names[ETI_METRIC_P99], "p99");
    assert_string_equal(eti__metric_names[ETI_METRIC_FAST], "fast");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statistics_equal_numpys_to_the_last_bit),
        cmocka_unit_test(samples_are_not_reordered),
        cmocka_unit_test(a_summary_begins_with_its_size),
        cmocka_unit_test(percentiles_interpolate_from_the_nearer_neighbour),
        cmocka_unit_test(equal_samples_have_no_rounding),
        cmocka_unit_test(percentiles_are_found_in_any_order),
        cmocka_unit_test(a_bad_choice_of_pivots_changes_nothing),
        cmocka_unit_test(an_average_of_nothing_but_zeros_is_positive),
        cmocka_unit_test(order_of_large_and_small_samples_matters_as_in_numpy),
        cmocka_unit_test(values_are_sorted_as_by_the_c_library),
        cmocka_unit_test(a_contrived_order_is_sorted_too),
        cmocka_unit_test(medians_are_numpys),
        cmocka_unit_test(median_of_values_leaves_them),
        cmocka_unit_test(spread_equals_numpys_and_scipys),
        cmocka_unit_test(scaled_mad_is_scipys),
        cmocka_unit_test(outliers_do_not_hide_each_other),
        cmocka_unit_test(mostly_equal_samples_have_outliers_too),
        cmocka_unit_test(only_another_value_lies_outside_equal_samples),
        cmocka_unit_test(locations_are_those_of_the_specification),
        cmocka_unit_test(few_runs_have_the_fastest),
        cmocka_unit_test(the_fastest_twentieth_does_not_count),
        cmocka_unit_test(any_order_has_the_same_fast_mean),
        cmocka_unit_test(percentiles_need_many_runs),
        cmocka_unit_test(names_are_parsed_back),
        cmocka_unit_test(unknown_names_are_refused),
        cmocka_unit_test(factors_are_quotients_of_doubles),
        cmocka_unit_test(a_clock_makes_cycles_time),
        cmocka_unit_test(cycles_convert_only_to_cycles),
        cmocka_unit_test(exact_subtracts_integers_and_divides),
        cmocka_unit_test(exact_wraps_around_one_tick_short),
        cmocka_unit_test(exact_fails_backwards_beyond_32_bits),
        cmocka_unit_test(scaled_rounds_both_stamps_first),
        cmocka_unit_test(scaled_wraps_around_scaled_values),
        cmocka_unit_test(scaled_fails_only_when_scaled_values_exceed_32_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
