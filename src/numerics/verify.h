/*
 * verify.h - compares the outputs of a run with those that a test case of a bundled program
 * expects, like ExecuTorch's verify_method_outputs() and compute_method_output_error_stats().
 */
#ifndef ETI_NUMERICS_VERIFY_H
#define ETI_NUMERICS_VERIFY_H

#include "numerics/numerics.h"
#include "pte/pte.h"
#include "tensors/tensors.h"

/* ==== verify ================================================================================== */

/* Compares one output; a side is NULL if there is no such tensor. */
eti_verified_output eti__verify_output(const eti_bundle_value *expected,
                                       const eti_tensor_values *output,
                                       const eti_tolerances *tolerances);

/* ==== output metrics ========================================================================== */

/* Rounds to two decimals like Python's round(value, 2): to the nearest value, and to the even one of two equally near
 * values. */
double eti__round_to_cents(double value);

#endif
