#include "support.h"

#include "stats/stats.h"

static void numbers_are_those_of_splitmix64(void **state) {
    (void)state;
    /* Expected output comes from Sebastiano Vigna's splitmix64.c for the state 1234567. */
    const uint64_t expected[] = {
        UINT64_C(6457827717110365317),  UINT64_C(3203168211198807973),
        UINT64_C(9817491932198370423),  UINT64_C(4593380528125082431),
        UINT64_C(16408922859458223821),
    };
    eti_random random = {1234567};
    for (size_t i = 0; i < COUNT_OF(expected); i++)
        assert_true(eti__random_next(&random) == expected[i]);
}

static void streams_of_a_seed_differ(void **state) {
    (void)state;
    eti_random a = eti__random_start(1, 0), b = eti__random_start(1, 1),
               again = eti__random_start(1, 0);
    for (int i = 0; i < 100; i++) {
        uint64_t number = eti__random_next(&a);
        assert_true(number != eti__random_next(&b));
        assert_true(number == eti__random_next(&again));
    }
}

static void uniform_numbers_fill_their_range(void **state) {
    (void)state;
    enum { N = 100000, PARTS = 10 };
    size_t in_part[PARTS] = {0};
    eti_random random = eti__random_start(7, 0);
    for (int i = 0; i < N; i++) {
        double uniform = eti__random_uniform(&random);
        assert_true(uniform >= 0.0 && uniform < 1.0);
        in_part[(size_t)(uniform * PARTS)]++;
    }
    /* Each has 10,000 on average, with a standard deviation of 95. */
    for (size_t i = 0; i < PARTS; i++)
        assert_in_range(in_part[i], N / PARTS - 500, N / PARTS + 500);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_those_of_splitmix64),
        cmocka_unit_test(streams_of_a_seed_differ),
        cmocka_unit_test(uniform_numbers_fill_their_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
