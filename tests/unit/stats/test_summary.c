/* Expected values come from numpy 2.4, for the numbers that next_sample() makes:
 *
 *     a = numpy.array(samples); percentile(a, 10), (a, 50), (a, 90); mean(a); min(a); max(a)
 */
#include "support.h"

#include "stats/summary.h"

static const struct {
    size_t n;
    uint64_t seed; /* a seed whose mean depends on the order of additions */
    double values[6];
} expected[] = {
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
    for (size_t i = 0; i < COUNT_OF(expected); i++) {
        size_t n = expected[i].n;
        uint64_t generator = expected[i].seed;
        double *samples = malloc(2 * n * sizeof *samples);
        assert_non_null(samples);
        for (size_t j = 0; j < n; j++)
            samples[j] = next_sample(&generator);
        assert_summary(eti__summarize(samples, n, samples + n), expected[i].values);
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
