/*
 * base/numbers.h - generates random numbers that are the same on every machine.
 *
 * SplitMix64 (Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators, OOPSLA 2014)
 * has 64 bits of state and a period of 2^64; every seed is as good as any other. Not for
 * cryptography.
 */
#ifndef ETI_STATS_RANDOM_H
#define ETI_STATS_RANDOM_H

typedef struct eti_random {
    uint64_t state;
} eti_random;

static inline uint64_t eti__random_next(eti_random *random) {
    uint64_t mixed = random->state += UINT64_C(0x9e3779b97f4a7c15);
    mixed = (mixed ^ mixed >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94d049bb133111eb);
    return mixed ^ mixed >> 31;
}

/* Starts a stream; each stream of a seed has its own numbers. */
static inline eti_random eti__random_start(uint64_t seed, uint64_t stream) {
    eti_random random = {stream};
    random.state = seed + eti__random_next(&random);
    return random;
}

/* Returns a number in [0, 1) that is a multiple of 2^-53. */
static inline double eti__random_uniform(eti_random *random) {
    return (double)(eti__random_next(random) >> 11) * 0x1p-53;
}

#endif
