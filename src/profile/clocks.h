/*
 * clocks.h - finds the step of each clock from the ticks of two profiles: the clocks of kernels, of delegate calls, and of
 * each backend.
 */
#ifndef ETI_PROFILE_CLOCKS_H
#define ETI_PROFILE_CLOCKS_H

#include "base/intern.h"
#include "profile/profile.h"

/* A clock, shared by the events of a role, or of a backend for events that it logged. */
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

/* Returns the step of an event's clock, in ticks; 0 if it has none. The event's profile must have been added. */
double eti__clock_step(const eti_clocks *clocks, const eti_entry *entry);

#endif
