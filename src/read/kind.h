/*
 * kind.h - the identifier of baselines; everything else about kinds of files is in etinspect.h.
 */
#ifndef ETI_READ_KIND_H
#define ETI_READ_KIND_H

/* First field of a baseline. */
#define ETI_BASELINE_MAGIC "etinspect-baseline"

#endif
