#include "statistics_samples.h"

#include "stats/stats.h"

#include <math.h>
#include <string.h>

#define MOST_TIMES 400

static bool has_clusters(const double *times, size_t n, eti_clusters *out) {
    double copy[MOST_TIMES];
    memcpy(copy, times, n * sizeof *times);
    memset(out, 0, sizeof *out);
    return eti__find_clusters(copy, n, out);
}

#define assert_no_clusters(...)                                                                    \
    do {                                                                                           \
        const double times_[] = {__VA_ARGS__};                                                     \
        eti_clusters ignored_;                                                                     \
        assert_false(has_clusters(times_, COUNT_OF(times_), &ignored_));                           \
    } while (0)

#define assert_clusters(low_, n_low_, high_, n_high_, ...)                                         \
    do {                                                                                           \
        const double times_[] = {__VA_ARGS__};                                                     \
        eti_clusters of_;                                                                          \
        assert_true(has_clusters(times_, COUNT_OF(times_), &of_));                                 \
        assert_int_equal(of_.n_low, (n_low_));                                                     \
        assert_int_equal(of_.n_high, (n_high_));                                                   \
        assert_float_equal(of_.low, (low_), 1e-12);                                                \
        assert_float_equal(of_.high, (high_), 1e-12);                                              \
    } while (0)

static void two_kinds_of_runs_are_found(void **state) {
    (void)state;
    assert_clusters(1, 3, 4.1, 2, 4, 1, 1.01, 4.2, 0.99);
    assert_clusters(0.9, 8, 4.1, 4, 4.1, 0.9, 0.91, 0.89, 4.2, 0.9, 0.9, 4.1, 0.88, 0.92, 4.0, 0.9);
    /* without any spread inside */
    assert_clusters(1, 2, 2, 2, 1, 2, 1, 2);
    /* one run of the short kind was interrupted */
    assert_clusters(1, 9, 30, 3, 1, 1, 1.1, 1, 1, 0.9, 1, 1, 3, 30, 30, 31);
}

static void single_runs_are_no_cluster(void **state) {
    (void)state;
    assert_no_clusters(1, 1, 1, 1.01, 0.99, 1, 1, 1, 1, 100);
    assert_no_clusters(1, 100, 101, 100, 99, 100, 100.5, 100, 99, 101);
    assert_no_clusters(1, 1, 10);
    assert_no_clusters(1, 10);
}

static void close_clusters_are_none(void **state) {
    (void)state;
    assert_no_clusters(1, 1, 1, 1, 1, 1.2, 1.2, 1.2, 1.2, 1.2);
    assert_clusters(1, 5, 1.26, 5, 1, 1, 1, 1, 1, 1.26, 1.26, 1.26, 1.26, 1.26);
}

static void wide_clusters_are_none(void **state) {
    (void)state;
    assert_no_clusters(1, 1.5, 2, 2.5, 3, 6, 7, 8, 9, 10);
    assert_no_clusters(1, 1.2, 3, 3.6); /* few */
}

static void times_without_logarithm_have_none(void **state) {
    (void)state;
    assert_no_clusters(0, 0, 5, 5, 5);
    assert_no_clusters(-1, -1, 5, 5, 5);
    assert_no_clusters(1, 1, INFINITY, INFINITY);
    assert_no_clusters(1, 1, NAN, NAN);
    eti_clusters ignored;
    assert_false(eti__find_clusters(NULL, 0, &ignored));
}

/* Returns a number of the standard normal distribution, by Box and Muller. */
static double normal_number(eti_random *random) {
    double radius = sqrt(-2 * log(1 - eti__random_uniform(random)));
    return radius * cos(6.283185307179586 * eti__random_uniform(random));
}

static void noise_has_clusters_in_one_of_100_samples_at_most(void **state) {
    (void)state;
    static const size_t sizes[] = {4, 5, 6, 7, 8, 9, 10, 11, 12, 16, 24, 37, 100, MOST_TIMES};
    static const double sigmas[] = {0.02, 0.3, 2};
    double times[MOST_TIMES];
    for (size_t s = 0; s < COUNT_OF(sizes); s++) {
        for (size_t k = 0; k < COUNT_OF(sigmas); k++) {
            eti_random random = eti__random_start(1, s * COUNT_OF(sigmas) + k);
            size_t n_samples = 4000, n_found = 0;
            for (size_t i = 0; i < n_samples; i++) {
                eti_clusters ignored;
                for (size_t j = 0; j < sizes[s]; j++)
                    times[j] = exp(sigmas[k] * normal_number(&random));
                n_found += eti__find_clusters(times, sizes[s], &ignored);
            }
            assert_in_range(n_found, 0, n_samples / 100);
        }
    }
}

static void clusters_are_found_in_noise(void **state) {
    (void)state;
    eti_random random = eti__random_start(2, 0);
    double times[37];
    size_t n_found = 0;
    for (size_t i = 0; i < 1000; i++) {
        eti_clusters of;
        for (size_t j = 0; j < COUNT_OF(times); j++)
            times[j] = (j % 8 == 0 ? 4.1 : 0.9) * exp(0.1 * normal_number(&random));
        n_found += eti__find_clusters(times, COUNT_OF(times), &of) && of.n_high == 5;
    }
    assert_in_range(n_found, 990, 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_kinds_of_runs_are_found),
        cmocka_unit_test(single_runs_are_no_cluster),
        cmocka_unit_test(close_clusters_are_none),
        cmocka_unit_test(wide_clusters_are_none),
        cmocka_unit_test(times_without_logarithm_have_none),
        cmocka_unit_test(noise_has_clusters_in_one_of_100_samples_at_most),
        cmocka_unit_test(clusters_are_found_in_noise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
