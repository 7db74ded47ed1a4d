#include "numerics/number_pairs.h"

#include "numerics/float_distance.h"

#include "support.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MANY 1000

/* The same numbers as floats and as doubles, followed by zeros. */
typedef struct arrays {
    float float_a[MANY + ETI_PAIR_LANES], float_b[MANY + ETI_PAIR_LANES];
    double a[MANY + ETI_PAIR_LANES], b[MANY + ETI_PAIR_LANES];
    eti_number_pairs floats, doubles;
} arrays;

static void make(arrays *out, const float *a, const float *b, size_t n) {
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < n; i++) {
        out->float_a[i] = a[i];
        out->float_b[i] = b[i];
        out->a[i] = (double)a[i];
        out->b[i] = (double)b[i];
    }
    out->floats = (eti_number_pairs){.float_a = out->float_a, .float_b = out->float_b, .n = n};
    out->doubles = (eti_number_pairs){.a = out->a, .b = out->b, .n = n};
}

static double ratio_of(double a, double b) {
    return fabs(a - b) / fmax(fmax(fabs(a), fabs(b)), ETI_LEAST_MAGNITUDE);
}

/* Makes numbers of all magnitudes, some of which are 0 and some equal. */
static void draw(float *a, float *b, size_t n) {
    for (size_t i = 0; i < n; i++) {
        a[i] = ldexpf((float)rand() / (float)RAND_MAX - 0.5F, rand() % 40 - 20);
        b[i] = rand() % 5 == 0 ? a[i] : a[i] * (1 + (float)(rand() % 100 - 50) * 1e-3F);
        if (rand() % 9 == 0)
            a[i] = 0;
    }
}

static void assert_near(double value, double expected) {
    if (!(fabs(value - expected) <= 1e-13 * fabs(expected)))
        fail_msg("%.17g, expected %.17g", value, expected);
}

static void sums_are_those_of_their_definitions(void **state) {
    (void)state;
    static arrays k;
    float a[MANY], b[MANY];
    srand(5);
    for (size_t n = 1; n <= MANY; n += 1 + n / 3) {
        long double d2 = 0, d1 = 0, a2 = 0, b2 = 0, ab = 0;
        double max_d = 0, max_a = 0, max_b = 0, n_mismatched = 0, ratio = 0;
        draw(a, b, n);
        make(&k, a, b, n);
        for (size_t i = 0; i < n; i++) {
            double x = k.a[i], y = k.b[i], d = fabs(x - y);
            d2 += (long double)(d * d);
            d1 += (long double)d;
            a2 += (long double)(x * x);
            b2 += (long double)(y * y);
            ab += (long double)(x * y);
            max_d = fmax(max_d, d);
            max_a = fmax(max_a, fabs(x));
            max_b = fmax(max_b, fabs(y));
            n_mismatched += d > 1e-6 + 0.02 * fabs(x) ? 1 : 0;
            ratio = fmax(ratio, ratio_of(x, y));
        }
        const eti_number_pairs *both[] = {&k.floats, &k.doubles};
        for (int i = 0; i < 2; i++) {
            eti_pair_sums got = eti__pairs_sum(both[i], 0.02, 1e-6);
            assert_near(got.d2, (double)d2);
            assert_near(got.d1, (double)d1);
            assert_near(got.a2, (double)a2);
            assert_near(got.b2, (double)b2);
            assert_near(got.ab, (double)ab);
            assert_true(got.max_d == max_d && got.max_a == max_a);
            assert_true(got.n_mismatched == n_mismatched);
            assert_true(eti__pairs_largest_b(both[i]) == max_b);
            assert_true(eti__pairs_larger_ratio(both[i], 0) == ratio);
            size_t first = eti__pairs_find(both[i], max_d);
            assert_true(first < n && fabs(k.a[first] - k.b[first]) == max_d);
            for (size_t j = 0; j < first; j++)
                assert_true(fabs(k.a[j] - k.b[j]) < max_d);
        }
    }
}

static void both_types_give_the_same_bits(void **state) {
    (void)state;
    static arrays k;
    float a[MANY], b[MANY];
    srand(6);
    draw(a, b, MANY);
    make(&k, a, b, MANY);
    eti_pair_sums narrow = eti__pairs_sum(&k.floats, 1e-5, 1e-8);
    eti_pair_sums wide = eti__pairs_sum(&k.doubles, 1e-5, 1e-8);
    assert_memory_equal(&narrow, &wide, sizeof wide);
    narrow = eti__pairs_sum_same(&k.floats);
    wide = eti__pairs_sum_same(&k.doubles);
    assert_memory_equal(&narrow, &wide, sizeof wide);
    k.floats.float_b = k.floats.float_a;
    eti_pair_sums of_pairs = eti__pairs_sum(&k.floats, 0, 0);
    assert_memory_equal(&narrow, &of_pairs, sizeof of_pairs);
}

/* The estimate of ratios may be too large, but never too small, even where a float overflows, vanishes or is rounded. */
static void no_larger_ratio_is_missed(void **state) {
    (void)state;
    static arrays k;
    const float pairs[][2] = {
        {FLT_MAX, -FLT_MAX},
        {FLT_MAX, FLT_MAX / 2},
        {FLT_MAX, FLT_MAX * 0.999999F},
        {0x1p-149F, 0},
        {0x1p-149F, 0x1p-148F},
        {1e-8F, 0},
        {1e-9F, -1e-9F},
        {1, 1 + FLT_EPSILON},
        {1, 1 - FLT_EPSILON / 2},
        {-1, 1},
        {3, 0},
        {0x1p-126F, 0x1p-127F},
    };
    const double below[] = {0, 0x1p-1074, 1e-300, 1e-40, 1e-30, 0.5, 1 - 1e-15};
    for (size_t i = 0; i < COUNT_OF(pairs); i++) {
        make(&k, &pairs[i][0], &pairs[i][1], 1);
        double ratio = ratio_of(k.a[0], k.b[0]);
        for (size_t j = 0; j < COUNT_OF(below); j++) {
            /* just below the ratio, and fixed bounds */
            double bounds[] = {ratio * below[j], below[j], nextafter(ratio, 0), ratio};
            for (size_t l = 0; l < COUNT_OF(bounds); l++) {
                double expected = fmax(ratio, bounds[l]);
                assert_true(eti__pairs_larger_ratio(&k.floats, bounds[l]) == expected);
                assert_true(eti__pairs_larger_ratio(&k.doubles, bounds[l]) == expected);
            }
        }
    }
}

static bool is_finite(double value) {
    return value - value == 0;
}

static void numbers_that_are_not_finite_show_in_sums(void **state) {
    (void)state;
    static arrays k;
    const float odd[] = {NAN, INFINITY, -INFINITY};
    float a[MANY] = {0}, b[MANY] = {0};
    for (size_t i = 0; i < MANY; i += 37) {
        for (size_t j = 0; j < COUNT_OF(odd); j++) {
            a[i] = odd[j];
            make(&k, a, b, MANY);
            assert_false(is_finite(eti__pairs_sum(&k.floats, 0, 0).a2));
            assert_false(is_finite(eti__pairs_sum_same(&k.floats).a2));
            make(&k, b, a, MANY);
            assert_false(is_finite(eti__pairs_sum(&k.floats, 0, 0).b2));
            assert_true(eti__pairs_sum(&k.floats, 0, 0).a2 == 0);
        }
        a[i] = 0;
    }
}

static double distance_of(size_t width, const uint8_t *a, const uint8_t *b, size_t n) {
    return eti__largest_float_distance(width, a, b, n);
}

/* The pair may be anywhere, at any address. All other elements are zeros, of either sign. */
static void distances_are_found_everywhere(void **state) {
    (void)state;
    uint8_t a[8 * 41 + 3], b[8 * 41 + 3];
    for (size_t width = 1; width <= 8; width *= 2) {
        for (size_t at = 0; at < 40; at++) {
            for (size_t shift = 0; shift < 3; shift++) {
                uint8_t *x = a + shift, *y = b + shift;
                memset(a, 0, sizeof a);
                memset(b, 0, sizeof b);
                x[(at + 1) % 41 * width + width - 1] = 0x80;
                x[at * width] = 5;
                y[at * width] = 3;
                assert_true(distance_of(width, x, y, 40) == 2);
                assert_true(distance_of(width, y, x, 40) == 2);
                assert_true(distance_of(width, x, y, at + 1) == 2);
                assert_true(distance_of(width, x, y, at) == 0);
                y[at * width + width - 1] |= 0x80; /* -3 */
                assert_true(distance_of(width, x, y, 40) == 8);
                assert_true(distance_of(width, y, x, 40) == 8);
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_are_those_of_their_definitions),
        cmocka_unit_test(both_types_give_the_same_bits),
        cmocka_unit_test(no_larger_ratio_is_missed),
        cmocka_unit_test(numbers_that_are_not_finite_show_in_sums),
        cmocka_unit_test(distances_are_found_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
