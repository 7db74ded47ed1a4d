#include "support.h"

#include "base/wide.h"

#include <math.h>

/* Numbers at which a carry, a sign or rounding may go wrong. */
static const uint64_t numbers[] = {
    0,
    1,
    2,
    3,
    10,
    0x7fffffff,
    0x80000000,
    0xffffffff,
    0x100000000,
    0x100000001,
    0x123456789abcdef,
    0x7fffffffffffffff,
    0x8000000000000000,
    0x8000000000000001,
    0xfffffffffffffffe,
    0xffffffffffffffff,
};

static void assert_wide(eti_wide n, uint64_t high, uint64_t low) {
    assert_int_equal(n.high, high);
    assert_int_equal(n.low, low);
}

static void sums_carry_and_differences_borrow(void **state) {
    (void)state;
    eti_wide n = eti__wide_of(UINT64_MAX);
    eti__wide_add(&n, eti__wide_of(0));
    assert_wide(n, 0, UINT64_MAX);
    eti__wide_add(&n, eti__wide_of(1));
    assert_wide(n, 1, 0);
    eti__wide_add(&n, (eti_wide){2, UINT64_MAX});
    assert_wide(n, 3, UINT64_MAX);
    eti__wide_add(&n, (eti_wide){1, 3});
    assert_wide(n, 5, 2);
}

static void the_high_half_decides_first(void **state) {
    (void)state;
    const eti_wide ascending[] = {{0, 0}, {0, 1}, {0, UINT64_MAX}, {1, 0}, {1, 7}, {UINT64_MAX, 3}};
    for (size_t i = 0; i < COUNT_OF(ascending); i++) {
        for (size_t j = 0; j < COUNT_OF(ascending); j++)
            assert_int_equal(eti__wide_compare(ascending[i], ascending[j]), (i > j) - (i < j));
    }
}

static void products_have_all_their_bits(void **state) {
    (void)state;
    assert_wide(eti__wide_product(UINT64_MAX, UINT64_MAX), UINT64_MAX - 1, 1);
    assert_wide(eti__wide_product_in_steps(UINT64_MAX, UINT64_MAX), UINT64_MAX - 1, 1);
    assert_wide(eti__wide_product_in_steps(0x100000001, 0x100000001), 1, 0x200000001);
    assert_wide(eti__wide_product_in_steps(0x123456789abcdef, 0x8000000000000001), 0x91a2b3c4d5e6f7,
                0x8123456789abcdef);
}

static void quotients_are_rounded_down_and_have_a_limit(void **state) {
    (void)state;
    uint64_t (*const quotients[])(eti_wide, uint64_t) = {eti__wide_quotient,
                                                         eti__wide_quotient_in_steps};
    for (size_t i = 0; i < COUNT_OF(quotients); i++) {
        assert_int_equal(quotients[i]((eti_wide){0, 29}, 10), 2);
        assert_int_equal(quotients[i]((eti_wide){1, 0}, 3), 0x5555555555555555);
        assert_int_equal(quotients[i]((eti_wide){UINT64_MAX - 1, UINT64_MAX}, UINT64_MAX),
                         UINT64_MAX);
        assert_int_equal(quotients[i]((eti_wide){1, 0}, 1), UINT64_MAX);
        assert_int_equal(quotients[i]((eti_wide){3, 0}, 3), UINT64_MAX);
        assert_int_equal(quotients[i](eti__wide_of(5), 0), UINT64_MAX);
    }
}

static void both_ways_agree(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(numbers); i++) {
        for (size_t j = 0; j < COUNT_OF(numbers); j++) {
            eti_wide product = eti__wide_product(numbers[i], numbers[j]);
            eti_wide in_steps = eti__wide_product_in_steps(numbers[i], numbers[j]);
            assert_wide(in_steps, product.high, product.low);
            for (size_t k = 0; k < COUNT_OF(numbers); k++) {
                eti_wide n = {numbers[i], numbers[j]};
                assert_int_equal(eti__wide_quotient_in_steps(n, numbers[k]),
                                 eti__wide_quotient(n, numbers[k]));
            }
        }
    }
}

static void doubles_are_the_nearest(void **state) {
    (void)state;
    const uint64_t half = 0x400, one = 0x800; /* among the bits that a double lacks */
    const uint64_t first = UINT64_C(1) << 63;
    assert_bits(eti__wide_as_double(eti__wide_of(0)), 0);
    assert_bits(eti__wide_as_double(eti__wide_of(UINT64_MAX)), ldexp(1, 64));
    assert_bits(eti__wide_as_double((eti_wide){1, 0}), ldexp(1, 64));
    assert_bits(eti__wide_as_double((eti_wide){UINT64_MAX, UINT64_MAX}), ldexp(1, 128));
    assert_bits(eti__wide_as_double((eti_wide){first, 0}), ldexp(1, 127));
    /* A tie is rounded to the even neighbour; anything above it, however small, is rounded up. */
    assert_bits(eti__wide_as_double((eti_wide){first | half, 0}), ldexp(1, 127));
    assert_bits(eti__wide_as_double((eti_wide){first | half, 1}), ldexp((double)(first | one), 64));
    assert_bits(eti__wide_as_double((eti_wide){first | one | half, 0}),
                ldexp((double)(first | 2 * one), 64));
    assert_bits(eti__wide_as_double((eti_wide){1, 0x800}), ldexp(1, 64));
    assert_bits(eti__wide_as_double((eti_wide){1, 0x801}), ldexp(1, 64) + 4096);
    assert_bits(eti__wide_as_double((eti_wide){1, 0x1800}), ldexp(1, 64) + 8192);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_carry_and_differences_borrow),
        cmocka_unit_test(the_high_half_decides_first),
        cmocka_unit_test(products_have_all_their_bits),
        cmocka_unit_test(quotients_are_rounded_down_and_have_a_limit),
        cmocka_unit_test(both_ways_agree),
        cmocka_unit_test(doubles_are_the_nearest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
