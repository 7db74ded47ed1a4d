/*
 * options.h - options of making profiles and of saving them.
 */
#ifndef ETI_PROFILE_OPTIONS_H
#define ETI_PROFILE_OPTIONS_H

#include "base/label.h"

/* Leave out the warm-up runs, as the view "runs" finds them, per file. */
#define ETI_SKIP_WARM_UP SIZE_MAX

typedef struct eti_profile_options {
    /* first runs of each file and EventBlock to leave out, or ETI_SKIP_WARM_UP */
    size_t skip_first;
    const char *block; /* only EventBlocks of this name; NULL or "all": all */
    bool
        origins; /* events know the node of the exported program that they come from: the ETRecord is read once more */
    const eti_label *labels; /* labels of device and build; copied */
    size_t n_labels;
} eti_profile_options;

#define ETI_PROFILE_OPTIONS_DEFAULT                                                                \
    { .skip_first = ETI_SKIP_WARM_UP }

/* Options of writing a baseline. */
typedef struct eti_baseline_options {
    bool samples; /* the times of all runs, too */
    /* the first profile that was merged is the baseline that is replaced: it loses no samples, and gets no other program */
    bool appends;
    bool allow_unlike; /* add files of another program, too */
    bool no_sync;      /* do not wait until the file is on the disk */
    size_t n_files;    /* only the last ones; 0: all */
} eti_baseline_options;

#endif
