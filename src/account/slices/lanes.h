/*
 * lanes.h - puts slices, which arrive in order, on lanes, so that the slices of a lane nest.
 */
#ifndef ETI_ACCOUNT_SLICES_LANES_H
#define ETI_ACCOUNT_SLICES_LANES_H

#include "account/slices.h"

#define ETI_NO_LANE UINT32_MAX

/* A lane of a group of tracks that differ only in their lane. */
typedef struct eti_lane {
    uint32_t track; /* UINT32_MAX: nothing was put there yet */
    uint32_t top;   /* the innermost slice that is open; UINT32_MAX: none */
    uint64_t run;   /* number of the run that `top` is of */
    uint64_t busy;  /* the last end of all slices */
} eti_lane;

/* Starts as all zeros. */
typedef struct eti_lanes {
    eti_lane *lanes;
    size_t n, capacity;
    uint64_t run;    /* the one that was begun last */
    uint32_t next;   /* the first of the lanes behind those searched that is free in this run */
    uint64_t latest; /* the last end of all slices on those lanes */
} eti_lanes;

/* Begins a run, which must have another number than the one before; its slices start at `start` or later. */
void eti__lanes_begin(eti_lanes *lanes, uint64_t run, uint64_t start);

/* Returns the lane of slice `number`: `wanted` if it fits there, or else the first; ETI_NO_LANE: out of memory. Slices of
 * a run come by start, then by end, the later first. Sets its depth, and outer[number] to the slice around it. */
uint32_t eti__lanes_put(eti_lanes *lanes, eti_slice *slices, uint32_t *outer, uint32_t number,
                        uint32_t wanted);

#endif
