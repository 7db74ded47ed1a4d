/*
 * sides.h - sides of a measurement that are programs: they are recorded, and their inputs and outputs compared.
 */
#ifndef ETI_MEASURE_SIDES_H
#define ETI_MEASURE_SIDES_H

#include "measure/parts.h"

/* ==== sides =================================================================================== */

/* Finds out which sides are programs, by their content, and checks that they have equal ports. ETI_ERROR_USAGE: one side is a
 * command, or an option needs one; and statuses of reading programs. */
eti_status eti__sides_open(eti_runner *runner, const eti_measure_options *options,
                           eti_error *err) ETI_WARN_UNUSED;

/* Records a side's program to `path`, and keeps the outputs of its first process. Fails as eti__record() does. */
eti_status eti__side_run(eti_runner *runner, eti_measured_side of, const char *path,
                         eti_error *err) ETI_WARN_UNUSED;

void eti__sides_close(eti_runner *runner);

typedef enum eti_outputs_verdict {
    ETI_OUTPUTS_UNCHECKED, /* a side is a command, or has not run */
    ETI_OUTPUTS_EQUAL,     /* bit for bit, with NaN equal to NaN */
    ETI_OUTPUTS_DIFFER,
} eti_outputs_verdict;

/* The largest difference of an output. */
typedef struct eti_outputs_difference {
    eti_outputs_verdict verdict;
    size_t n;      /* number of outputs */
    size_t output; /* that differs most */
    double
        most; /* largest absolute difference; infinite: of a type or size that cannot be compared */
    double share; /* of the largest absolute value of the base's output */
} eti_outputs_difference;

/* Compares the outputs of the first processes. ETI_ERROR_MEMORY, and statuses of reading the program. */
eti_status eti__outputs_compare(eti_outputs_difference *out, const eti_runner *runner,
                                eti_error *err) ETI_WARN_UNUSED;

#endif
