/*
 * options.h - options of comparing recorded tensors.
 */
#ifndef ETI_NUMERICS_OPTIONS_H
#define ETI_NUMERICS_OPTIONS_H

#include "account/options.h"
#include "numerics/metrics.h"

typedef struct eti_numerics_options {
    eti_view_options view;       /* blocks and runs */
    const eti_source *reference; /* a file or a folder of tensors; NULL: none */
    const char *match;           /* "source", "handle", "instruction" or "name"; NULL: what fits */
    const char *metric; /* "mse", "l1" or "snr": the Inspector's table; NULL: all metrics */
    eti_tolerances tolerances;
    const char *const *fail_on; /* expressions, n_fail_on of them */
    size_t n_fail_on;
    size_t min_compared; /* fewer are too few for an answer */
} eti_numerics_options;

#endif
