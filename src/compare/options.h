/*
 * options.h - options of making and comparing profiles.
 */
#ifndef ETI_COMPARE_OPTIONS_H
#define ETI_COMPARE_OPTIONS_H

#include "base/label.h"
#include "stats/metric.h"

/* Leave out the warm-up runs, as the view "runs" finds them, per file. */
#define ETI_SKIP_WARM_UP SIZE_MAX

typedef struct eti_profile_options {
    /* first runs of each file and EventBlock to leave out, or ETI_SKIP_WARM_UP */
    size_t skip_first;
    const char *block;       /* only EventBlocks of this name; NULL or "all": all */
    const eti_label *labels; /* labels of device and build; copied */
    size_t n_labels;
} eti_profile_options;

#define ETI_PROFILE_OPTIONS_DEFAULT                                                                \
    { .skip_first = ETI_SKIP_WARM_UP }

/* What a baseline keeps. */
typedef struct eti_baseline_options {
    bool samples; /* the times of all runs, too */
    bool
        appends; /* the first of what was merged is the baseline that is replaced: it loses no samples */
    size_t n_files; /* only the last ones; 0: all */
} eti_baseline_options;

typedef struct eti_diff_options {
    double alpha;        /* probability of any false alarm in a comparison; above 0, below 1 */
    double least_effect; /* 0.05: locations must differ by at least 5 % */
    double confidence;   /* of intervals; above 0, below 1 */
    double min_share;    /* 0.01: events below 1 % of the total are not judged */
    double detectable;   /* 0.25: nothing was found only where 25 % would have been */
    eti_metric metric;   /* number that runs of a file are reduced to */
    const char *group;   /* "op", "optype", "module", "backend" or "source"; NULL: none */
    bool allow_unlike;   /* compare sides whose time scales, methods or labels differ */
    bool keep_pace;      /* compare events as measured, not relative to the level of their files */
    bool one_process;    /* runs are the units, not files */
    bool lists_all;      /* unchanged rows, too */
    bool include_units;  /* in the names of columns */
} eti_diff_options;

#define ETI_DIFF_OPTIONS_DEFAULT                                                                   \
    {                                                                                              \
        .alpha = 0.01, .least_effect = 0.05, .confidence = 0.95, .min_share = 0.01,                \
        .detectable = 0.25, .include_units = true                                                  \
    }

typedef struct eti_trend_options {
    eti_diff_options diff; /* those of one side */
    uint64_t seed;         /* of permutations */
    size_t n_threads;      /* 0: as many as this process may run at once */
} eti_trend_options;

#define ETI_TREND_OPTIONS_DEFAULT                                                                  \
    { .diff = ETI_DIFF_OPTIONS_DEFAULT, .seed = 1 }

#endif
