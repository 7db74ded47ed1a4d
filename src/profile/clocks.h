/*
 * clocks.h - turns the ticks of two profiles into the step of each clock: of kernels, of delegate calls, and of each
 * backend.
 */
#ifndef ETI_PROFILE_CLOCKS_H
#define ETI_PROFILE_CLOCKS_H

#include "base/intern.h"
#include "profile/profile.h"

/* Events of a role, and of a backend if it logged them, run on the same clock. */
typedef struct eti_clock {
    eti_text backend;
    uint32_t role;
    uint64_t step; /* greatest common divisor of all ticks */
} eti_clock;

/* Starts as all zeros. */
typedef struct eti_clocks {
    ETI_INTERN_OF(eti_clock) clocks;
} eti_clocks;

/* Adds the events of a profile. False: out of memory. */
bool eti__clocks_add(eti_clocks *clocks, const struct eti_profile *profile);
void eti__clocks_free(eti_clocks *clocks);

/* Returns the step of an event's clock, in ticks; 0: it has none. The profile of the event was added. */
double eti__clock_step(const eti_clocks *clocks, const eti_entry *entry);

#endif
