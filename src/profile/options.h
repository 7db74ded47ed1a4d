/*
 * options.h - options for making and saving profiles.
 */
#ifndef ETI_PROFILE_OPTIONS_H
#define ETI_PROFILE_OPTIONS_H

#include "base/text.h"

/* Drop the warm-up runs of each file, as the view "runs" finds them. */
#define ETI_SKIP_WARM_UP SIZE_MAX

typedef struct eti_profile_options {
    /* number of leading runs of each file and EventBlock to drop, or ETI_SKIP_WARM_UP */
    size_t skip_first;
    const char *block; /* only EventBlocks with this name; NULL or "all": all blocks */
    bool
        origins; /* find the node of the exported program for each event, which requires reading the ETRecord once more */
    const eti_label *labels; /* labels of device and build; copied */
    size_t n_labels;
} eti_profile_options;

#define ETI_PROFILE_OPTIONS_DEFAULT                                                                \
    { .skip_first = ETI_SKIP_WARM_UP }

/* Options for writing a baseline. */
typedef struct eti_baseline_options {
    bool samples; /* also write the times of all runs */
    bool appends; /* the first merged profile is the baseline being replaced: keep its samples */
    bool allow_unlike; /* accept files of different programs */
    bool no_sync;      /* do not wait until the file is on the disk */
    size_t n_files;    /* write only the last files; 0: all */
} eti_baseline_options;

#endif
