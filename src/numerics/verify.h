/*
 * verify.h - compares the outputs of a run with those that a test case of a bundled program expects, as ExecuTorch's
 * verify_method_outputs() and compute_method_output_error_stats() do.
 *
 * An expected element e and an element y of the run, of type float32, float64 or float16 (computed
 * in float64), are equal if both are NaN, or if neither is finite and both or none is above 0 (so a
 * NaN also equals -Inf); otherwise, with rtol = atol = 0, if e == y; otherwise, if |e - y| <= atol
 * + |rtol * y|. Elements of all other types must have the same bytes. Before that, types, sizes and
 * strides must be equal.
 *
 * If the runtime would abort, as with different strides, or would stop comparing, as at expected
 * outputs that the method does not have, the output fails.
 */
#ifndef ETI_NUMERICS_VERIFY_H
#define ETI_NUMERICS_VERIFY_H

#include "numerics/numbers/metrics.h"
#include "read/pte/bundle.h"

typedef enum eti_verdict_of_output {
    ETI_VERIFY_PASSED,
    ETI_VERIFY_VALUES,      /* elements differ by more than is tolerated */
    ETI_VERIFY_TYPE,        /* elements have another type */
    ETI_VERIFY_SIZES,       /* other sizes */
    ETI_VERIFY_STRIDES,     /* dimensions lie in another order */
    ETI_VERIFY_NO_OUTPUT,   /* the run has no such output, or it is no tensor */
    ETI_VERIFY_NO_DATA,     /* the elements of the output are not known */
    ETI_VERIFY_NO_EXPECTED, /* the test case has no such output, or it is no tensor */
    ETI_VERIFY_FAULT,       /* it has a fault: see bundle.h */
    ETI_N_VERIFY_VERDICTS,
} eti_verdict_of_output;

/* Errors of some elements. Relative errors are |e - y| / max(|e|, |y|, 1e-8f). A maximum ignores
 * NaN; a sum does not. */
typedef struct eti_output_errors {
    uint64_t n; /* number of elements */
    double sum_abs, sum_rel, max_abs, max_rel;
} eti_output_errors;

/* Return the mean errors; 0 without elements. */
double eti__errors_mean_abs(const eti_output_errors *errors);
double eti__errors_mean_rel(const eti_output_errors *errors);

typedef struct eti_verified_output {
    eti_verdict_of_output verdict;
    /* number of elements that did not pass, in any verdict but those that compare none */
    uint64_t n_failed;
    /* number of the first of these as the elements lie in memory, or with other strides in row-major order */
    uint64_t first_failed;
    bool
        has_errors; /* types and sizes are equal, and elements are numbers. In float32 as the runtime computes them; of other
                        types in float64 */
    eti_output_errors errors;
} eti_verified_output;

/* Compares one output; NULL: there is no such tensor. */
eti_verified_output eti__verify_output(const eti_bundle_value *expected,
                                       const eti_tensor_values *output,
                                       const eti_tolerances *tolerances);

typedef struct eti_verified_case {
    bool has_expected; /* without any, nothing is verified, and the case does not pass */
    bool passed;
    bool has_errors;          /* all of its outputs have them */
    eti_output_errors errors; /* of all outputs together */
} eti_verified_case;

/* Returns the number of rows that a case has: outputs of the run or expected ones, whichever are more. */
uint32_t eti__verify_row_count(const eti_bundle_case *expected, uint32_t n_outputs);

/* Compares all outputs of a run, NULL for those that are no tensors, and fills a row for each. */
eti_verified_case eti__verify_case(const eti_bundle_case *expected,
                                   const eti_tensor_values *const *outputs, uint32_t n_outputs,
                                   const eti_tolerances *tolerances, eti_verified_output *rows);

/* Whether the elements of both were compared. */
static inline bool eti__verdict_compares(eti_verdict_of_output verdict) {
    return verdict == ETI_VERIFY_PASSED || verdict == ETI_VERIFY_VALUES ||
           verdict == ETI_VERIFY_STRIDES;
}

/* Returns the verdict in a word, such as "values"; never NULL. */
const char *eti__verify_name(eti_verdict_of_output verdict);

#endif
