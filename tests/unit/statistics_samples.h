/* statistics_samples.h - samples that C and Python (tests/tools/statistics_samples.py) generate identically, to the last
 * bit. */
#ifndef ETI_TESTS_STATISTICS_SAMPLES_H
#define ETI_TESTS_STATISTICS_SAMPLES_H

#include "support.h"

typedef enum sample_kind {
    SAMPLES_EVEN,     /* between 50 and 150 */
    SAMPLES_TIED,     /* whole numbers below 10 */
    SAMPLES_CONSTANT, /* 7.25 */
    SAMPLES_HEAVY,    /* 1 / uniform: some are very large */
    SAMPLES_MOSTLY,   /* nine of ten are 5 */
    SAMPLES_RISING,   /* even, and each half more than the one before */
    SAMPLES_WARM,     /* uniform, and much higher at first */
} sample_kind;

static inline double next_uniform(uint64_t *generator) {
    *generator = *generator * 6364136223846793005u + 1442695040888963407u;
    return (double)(*generator >> 11) / 9007199254740992.0;
}

static inline double sample_of(sample_kind kind, double uniform, size_t i) {
    double even = 50.0 + 100.0 * uniform;
    switch (kind) {
    case SAMPLES_EVEN:
        return even;
    case SAMPLES_TIED:
        return (double)(int)(10.0 * uniform);
    case SAMPLES_CONSTANT:
        return 7.25;
    case SAMPLES_HEAVY:
        return 1.0 / (1.0 - uniform);
    case SAMPLES_MOSTLY:
        return uniform < 0.9 ? 5.0 : 100.0 * uniform;
    case SAMPLES_RISING:
        return even + 0.5 * (double)i;
    case SAMPLES_WARM:
        return even + 400.0 / (1.0 + (double)i);
    default:
        fail_msg("no such kind of samples");
        return 0.0;
    }
}

/* Returns n samples, each times `factor`; the caller frees them. */
static inline double *make_samples(sample_kind kind, uint64_t seed, double factor, size_t n) {
    double *samples = malloc((n + 1) * sizeof *samples);
    assert_non_null(samples);
    uint64_t generator = seed;
    for (size_t i = 0; i < n; i++)
        samples[i] = sample_of(kind, next_uniform(&generator), i) * factor;
    return samples;
}

/* Checks equality to within a share of the expected value. */
#define assert_within(found, expected, share)                                                      \
    assert_within_at((found), (expected), (share), __FILE__, __LINE__)

static inline void assert_within_at(double found, double expected, double share, const char *file,
                                    int line) {
    double distance = found < expected ? expected - found : found - expected;
    double size = expected < 0.0 ? -expected : expected;
    if (found == expected || distance <= share * size)
        return;
    print_error("%s:%d: expected %.17g, found %.17g\n", file, line, expected, found);
    _fail(file, line);
}

/* Checks equality except for rounding. */
#define assert_near(found, expected) assert_within(found, expected, 1e-12)

#endif
