/*
 * lanes.h - puts slices, which arrive in order, on lanes such that the slices of each lane nest.
 */
#ifndef ETI_TIMELINE_LANES_H
#define ETI_TIMELINE_LANES_H

#include "timeline/slices.h"

#define ETI_NO_LANE UINT32_MAX

/* A lane of a group of tracks that differ only in their lane. */
typedef struct eti_lane {
    uint32_t track; /* UINT32_MAX if the lane is still empty */
    uint32_t top;   /* innermost open slice; UINT32_MAX if there is none */
    uint64_t run;   /* number of the run that contains `top` */
    uint64_t busy;  /* latest end of all slices */
} eti_lane;

/* Initialize to all zeros. */
typedef struct eti_lanes {
    eti_lane *lanes;
    size_t n, capacity;
    uint64_t run;    /* run that was begun last */
    uint32_t next;   /* first lane after the searched ones that is free in this run */
    uint64_t latest; /* latest end of all slices on those lanes */
} eti_lanes;

/* Begins a run, which must have another number than the previous run; its slices start at `start` or later. */
void eti__lanes_begin(eti_lanes *lanes, uint64_t run, uint64_t start);

/* Returns the lane of slice `number`: `wanted` if the slice fits there, otherwise the first lane with room;
 * ETI_NO_LANE if memory runs out. Slices of a run must arrive by start, then by end, the later first. Sets the depth
 * of the slice, and sets outer[number] to the slice around it. */
uint32_t eti__lanes_put(eti_lanes *lanes, eti_slice *slices, uint32_t *outer, uint32_t number,
                        uint32_t wanted);

#endif
