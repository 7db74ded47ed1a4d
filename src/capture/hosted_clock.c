/*
 * hosted_clock.c - the clock of captures whose configuration has no clock.
 */
#include "capture/capture.h"

#if ETC_HOSTED

#include <time.h>

uint64_t etc__monotonic(void *context) {
    struct timespec now = {0};
    (void)context;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

#endif
