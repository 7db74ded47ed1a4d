/*
 * kind.h - the identifier of baselines; all else about kinds of files is in etinspect.h.
 */
#ifndef ETI_READ_KIND_H
#define ETI_READ_KIND_H

/* Its first field. */
#define ETI_BASELINE_MAGIC "etinspect-baseline"

#endif
