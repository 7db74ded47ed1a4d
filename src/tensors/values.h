/*
 * values.h - types of elements, and elements as numbers.
 */
#ifndef ETI_TENSORS_VALUES_H
#define ETI_TENSORS_VALUES_H

#include "etinspect.h"

/* ==== scalar type ============================================================================= */

/* Returns the number of the type that torch calls `name`; -1 if there is none, its elements have no width, or it is
 * quantized. */
int8_t eti__scalar_type_find(eti_text name);

/* ==== tensor values =========================================================================== */

/* torch's number for complex64, which ExecuTorch does not have. */
#define ETI_COMPLEX64 9

#endif
