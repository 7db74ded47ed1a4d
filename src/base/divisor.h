/*
 * divisor.h - the greatest common divisor; that of all times of a clock is the clock's step.
 */
#ifndef ETI_BASE_DIVISOR_H
#define ETI_BASE_DIVISOR_H

#include <stdint.h>

/* Returns the greatest common divisor of a and b; that of 0 and n is n. */
static inline uint64_t eti__common_divisor(uint64_t a, uint64_t b) {
    while (b != 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

#endif
