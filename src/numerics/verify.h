/*
 * verify.h - compares the outputs of a run with those that a test case of a bundled program
 * expects, like ExecuTorch's verify_method_outputs() and compute_method_output_error_stats().
 *
 * Let e be an expected element and y an element of the run, of type float32, float64 or float16
 * (computed in float64). They are equal if both are NaN, or if neither is finite and both or none
 * is above 0 (so a NaN also equals -Inf); otherwise, with rtol = atol = 0, if e == y; otherwise, if
 * |e - y| <= atol + |rtol * y|. Elements of all other types must have the same bytes. Before that,
 * types, sizes and strides must be equal.
 *
 * If the runtime would abort, for example because of different strides, or would stop comparing,
 * for example at expected outputs that the method does not have, the output fails.
 */
#ifndef ETI_NUMERICS_VERIFY_H
#define ETI_NUMERICS_VERIFY_H

#include "numerics/metrics.h"
#include "pte/pte.h"
#include "tensors/tensors.h"

typedef enum eti_verdict_of_output {
    ETI_VERIFY_PASSED,
    ETI_VERIFY_VALUES,      /* elements differ by more than the tolerance */
    ETI_VERIFY_TYPE,        /* types differ */
    ETI_VERIFY_SIZES,       /* sizes differ */
    ETI_VERIFY_STRIDES,     /* dimensions are in another order */
    ETI_VERIFY_NO_OUTPUT,   /* the run has no such output, or it is not a tensor */
    ETI_VERIFY_NO_DATA,     /* the elements of the output are unknown */
    ETI_VERIFY_NO_EXPECTED, /* the test case has no such output, or it is not a tensor */
    ETI_VERIFY_FAULT,       /* the value has a fault, see pte/bundle.h */
    ETI_N_VERIFY_VERDICTS,
} eti_verdict_of_output;

/* Errors of a number of elements. Relative errors are |e - y| / max(|e|, |y|, 1e-8f). A maximum ignores NaN; a sum
 * does not. */
typedef struct eti_output_errors {
    uint64_t n; /* number of elements */
    double sum_abs, sum_rel, max_abs, max_rel;
} eti_output_errors;

/* Return the mean errors; 0 if there are no elements. */
double eti__errors_mean_abs(const eti_output_errors *errors);
double eti__errors_mean_rel(const eti_output_errors *errors);

typedef struct eti_verified_output {
    eti_verdict_of_output verdict;
    /* number of elements that did not pass; set for verdicts that compare elements */
    uint64_t n_failed;
    /* number of the first of these, in memory order or, if strides differ, in row-major order */
    uint64_t first_failed;
    /* types and sizes are equal, and elements are numbers. Errors are computed in float32 like the runtime, for other
     * types in float64 */
    bool has_errors;
    eti_output_errors errors;
} eti_verified_output;

/* Compares one output; a side is NULL if there is no such tensor. */
eti_verified_output eti__verify_output(const eti_bundle_value *expected,
                                       const eti_tensor_values *output,
                                       const eti_tolerances *tolerances);

typedef struct eti_verified_case {
    bool has_expected; /* if false, nothing is verified and the case does not pass */
    bool passed;
    bool has_errors;          /* all of its outputs have errors */
    eti_output_errors errors; /* errors of all outputs together */
} eti_verified_case;

/* Returns the number of rows of a case: the larger of the numbers of outputs of the run and of expected outputs. */
uint32_t eti__verify_row_count(const eti_bundle_case *expected, uint32_t n_outputs);

/* Compares all outputs of a run, which are NULL if they are not tensors, and fills a row for each. */
eti_verified_case eti__verify_case(const eti_bundle_case *expected,
                                   const eti_tensor_values *const *outputs, uint32_t n_outputs,
                                   const eti_tolerances *tolerances, eti_verified_output *rows);

/* Returns whether the elements of both were compared. */
static inline bool eti__verdict_compares(eti_verdict_of_output verdict) {
    return verdict == ETI_VERIFY_PASSED || verdict == ETI_VERIFY_VALUES ||
           verdict == ETI_VERIFY_STRIDES;
}

/* Returns the verdict in a word, such as "values"; never NULL. */
const char *eti__verify_name(eti_verdict_of_output verdict);

#endif
