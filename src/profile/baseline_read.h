/*
 * baseline_read.h - parts that reading and saving baselines share.
 */
#ifndef ETI_PROFILE_BASELINE_READ_H
#define ETI_PROFILE_BASELINE_READ_H

#include <stddef.h>

/* ==== baseline ================================================================================ */

#define ETI_BASELINE_VERSION 4

/* ==== baseline parts ========================================================================== */
/* Definitions shared by the sources that read and write baselines. */

/* Columns after the step, with a value for each file: offsets in eti_file_times. */
#define ETI_N_BASELINE_LISTS 8
typedef struct eti_baseline_list {
    const char *name;
    size_t offset;
} eti_baseline_list;
extern const eti_baseline_list eti__baseline_lists[ETI_N_BASELINE_LISTS];

#endif
