/*
 * inputs.h - makes the inputs of a method, as files of raw bytes.
 */
#ifndef ETI_MEASURE_INPUTS_H
#define ETI_MEASURE_INPUTS_H

#include "measure/measure.h"
#include "measure/work.h"
#include "pte/pte.h"

/* ==== inputs ================================================================================== */
/* Each input of the method is one file: a tensor with its sizes, or their upper bounds, in the order of its dimensions; an
 * int or a double with 8 bytes, a bool with one, None with none. They depend only on the ports of the method, the kind and
 * the seed, not on the machine. */

/* Writes in-0.bin, in-1.bin, ... to the folder. ETI_ERROR_USAGE: an input is of another type, or the files do not fit;
 * ETI_ERROR_DATA, ETI_ERROR_READ, ETI_ERROR_WRITE, ETI_ERROR_MEMORY, and statuses of reading files of tensors. */
eti_status eti__inputs_write(eti_work *work, const eti_pte_plan *plan,
                             const eti_recording_options *options, eti_error *err) ETI_WARN_UNUSED;

/* Appends "float32 [1, 3, 64, 64], int". */
void eti__inputs_describe(eti_buffer *out, const eti_pte_plan *plan);

#endif
