/*
 * options.h - options of comparing recorded tensors.
 */
#ifndef ETI_NUMERICS_OPTIONS_H
#define ETI_NUMERICS_OPTIONS_H

#include "account/options.h"
#include "base/source_path.h"
#include "numerics/numbers/metrics.h"

typedef struct eti_numerics_options {
    eti_view_options view; /* blocks and runs */
    /* n_references files or folders of tensors, one for each input or for all; or a bundled program */
    const eti_source *references;
    size_t n_references;
    bool is_each;       /* inputs have rows of their own; otherwise a row has the worst of all */
    const char *match;  /* "source", "handle", "instruction" or "name"; NULL: what fits */
    const char *metric; /* "mse", "l1" or "snr": the Inspector's table; NULL: all metrics */
    eti_tolerances tolerances;
    const char *const *fail_on; /* expressions, n_fail_on of them */
    size_t n_fail_on;
    eti_source_paths source_paths; /* of outputs that fail */
    size_t min_compared;           /* fewer are too few for an answer */
    size_t test_case; /* of a bundled program; ETI_NO_TEST_CASE_ASKED: that which the block ran */
    bool verify;      /* outputs that do not pass fail, and so does what could not be verified */
} eti_numerics_options;

#define ETI_NO_TEST_CASE_ASKED SIZE_MAX

#define ETI_NUMERICS_OPTIONS_DEFAULT                                                               \
    { .tolerances = {ETI_USUAL_RTOL, ETI_USUAL_ATOL}, .test_case = ETI_NO_TEST_CASE_ASKED }

#endif
