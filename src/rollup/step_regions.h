/*
 * step_regions.h - finds kernels between two delegate calls that also have control flow between them.
 *
 * Blocks of one method may take different branches from one call to the other: a region has the kernels of all of them, in
 * order of their instructions. A kernel is in at most one region.
 */
#ifndef ETI_ROLLUP_STEP_REGIONS_H
#define ETI_ROLLUP_STEP_REGIONS_H

#include "etinspect.h"
#include "rollup/steps.h"

typedef struct eti_step_region {
    size_t position;   /* in the order of steps: of the first kernel of the block that came first */
    size_t first, end; /* range of its kernels in steps->order, behind the order of steps */
} eti_step_region;

/* Initialize to all zeros. */
typedef struct eti_step_regions {
    eti_step_region *items; /* by position */
    size_t n;
} eti_step_regions;

/* Finds the regions, and stores each behind the last step of steps->order: the delegate call before it, its kernels, the
 * delegate call after it. Returns false if memory runs out; free `out` in any case. */
bool eti__step_regions_find(eti_step_regions *out, eti_steps *steps) ETI_WARN_UNUSED;
void eti__step_regions_free(eti_step_regions *regions);

#endif
