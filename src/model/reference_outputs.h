/*
 * reference_outputs.h - gives EventBlocks the outputs that the ETRecord expects of them, as values.
 *
 * An ETRecord has lists of test cases by the names of methods. Blocks take those of their method, or where that is not known or
 * has none, as the Inspector, those of "forward". eti_inspector_read_reference_outputs() of etinspect.h is here.
 */
#ifndef ETI_MODEL_REFERENCE_OUTPUTS_H
#define ETI_MODEL_REFERENCE_OUTPUTS_H

#include "read/tensors/saved_value.h"

#include "etinspect.h"

/* Makes values of the items of a list or tuple: tensors, whose data are copied to `arena` where they are not row-major, lists of
 * nothing but tensors, and numbers; all else is none. Of another value it makes one. ETI_ERROR_MEMORY. */
eti_status eti__values_of_saved(const eti_value **out, size_t *n, eti_arena *arena,
                                const eti_saved_value *saved, eti_error *err) ETI_WARN_UNUSED;

#endif
