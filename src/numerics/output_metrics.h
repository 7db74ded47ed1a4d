/*
 * output_metrics.h - compares an output with the expected one like the Inspector's
 * compare_results(): in single precision, rounded to two decimals.
 */
#ifndef ETI_NUMERICS_OUTPUT_METRICS_H
#define ETI_NUMERICS_OUTPUT_METRICS_H

#include "etinspect.h"

typedef struct eti_output_metrics {
    double snr, mse, cosine_similarity;
} eti_output_metrics;

/* Compares two tensors. Fails with ETI_ERROR_DATA if their shapes differ, they have no data, or their elements cannot
 * be read; the message names neither tensor. */
eti_status eti__output_metrics_compare(eti_output_metrics *out, const eti_tensor *reference,
                                       const eti_tensor *output, eti_error *err) ETI_WARN_UNUSED;

/* Rounds to two decimals like Python's round(value, 2): to the nearest value, and to the even one of two equally near
 * values. */
double eti__round_to_cents(double value);

#endif
