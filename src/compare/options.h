/*
 * options.h - options of comparisons.
 */
#ifndef ETI_COMPARE_OPTIONS_H
#define ETI_COMPARE_OPTIONS_H

#include "account/account.h"
#include "stats/stats.h"

typedef struct eti_diff_options {
    double alpha;        /* probability of any false alarm in a comparison; above 0, below 1 */
    double least_effect; /* 0.05: locations must differ by at least 5 % */
    double confidence;   /* confidence of intervals; above 0, below 1 */
    double min_share;    /* 0.01: events below 1 % of the total are not judged */
    /* 0.25: the answer "not slower" requires that a change of 25 % could have been detected */
    double detectable;
    eti_metric metric; /* metric to which the runs of a file are reduced */
    /* "op", "optype", "module", "backend", "source" or "node"; NULL: no groups */
    const char *group;
    bool allow_unlike;  /* compare sides whose time scales, methods or labels differ */
    bool keep_pace;     /* compare events as measured, not relative to the level of their files */
    bool one_process;   /* runs are the units, not files */
    bool lists_all;     /* list unchanged rows, too */
    bool include_units; /* add units to the names of columns */
    /* judge fewer files than alpha needs, but at least two per side: only to estimate how many files would decide */
    bool is_estimate;
    bool has_gaps;          /* gaps from comparing the recorded tensors: */
    const eti_gap_of *gaps; /* n_gaps results; needed only while the report is made */
    size_t n_gaps;
} eti_diff_options;

#define ETI_DIFF_OPTIONS_DEFAULT                                                                   \
    {                                                                                              \
        .alpha = 0.01, .least_effect = 0.05, .confidence = 0.95, .min_share = 0.01,                \
        .detectable = 0.25, .include_units = true                                                  \
    }

typedef struct eti_trend_options {
    eti_diff_options diff; /* options of one side */
    uint64_t seed;         /* seed of permutations */
    size_t n_threads;      /* number of threads; 0: as many as this process may run at once */
} eti_trend_options;

#define ETI_TREND_OPTIONS_DEFAULT                                                                  \
    { .diff = ETI_DIFF_OPTIONS_DEFAULT, .seed = 1 }

#endif
