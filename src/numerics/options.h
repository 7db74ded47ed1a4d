/*
 * options.h - options for comparing recorded tensors.
 */
#ifndef ETI_NUMERICS_OPTIONS_H
#define ETI_NUMERICS_OPTIONS_H

#include "account/account.h"
#include "base/names.h"
#include "numerics/metrics.h"

typedef struct eti_numerics_options {
    eti_view_options view; /* selects blocks and runs */
    /* n_references files or folders of tensors, one for each input or one for all; or a bundled program */
    const eti_source *references;
    size_t n_references;
    bool is_each; /* each input has its own rows; otherwise a row has the worst of all inputs */
    const char *match;  /* "source", "handle", "instruction" or "name"; NULL: the best that fits */
    const char *metric; /* "mse", "l1" or "snr": the Inspector's table; NULL: all metrics */
    eti_tolerances tolerances;
    const char *const *fail_on; /* n_fail_on expressions */
    size_t n_fail_on;
    eti_source_paths source_paths; /* source paths of outputs that fail */
    size_t min_compared;           /* smallest number of compared outputs for an answer */
    /* test case of a bundled program; ETI_NO_TEST_CASE_ASKED: the one that the block ran */
    size_t test_case;
    bool verify; /* outputs that do not pass, or cannot be verified, make the command fail */
} eti_numerics_options;

#define ETI_NO_TEST_CASE_ASKED SIZE_MAX

#define ETI_NUMERICS_OPTIONS_DEFAULT                                                               \
    { .tolerances = {ETI_USUAL_RTOL, ETI_USUAL_ATOL}, .test_case = ETI_NO_TEST_CASE_ASKED }

#endif
