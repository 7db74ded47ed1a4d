/*
 * reference_outputs.h - gives EventBlocks the outputs that the ETRecord expects of them, as values.
 *
 * An ETRecord has lists of test cases by the names of methods. Blocks take those of their method;
 * if that is not known or has none, they take those of "forward", as the Inspector does.
 * eti_inspector_read_reference_outputs() of etinspect.h is here.
 */
#ifndef ETI_MODEL_REFERENCE_OUTPUTS_H
#define ETI_MODEL_REFERENCE_OUTPUTS_H

#include "read/tensors/saved_value.h"

#include "etinspect.h"

/* Makes values of the items of a list or tuple: tensors, whose data are copied to `arena` where they are not row-major, lists of
 * nothing but tensors, and numbers; any other item becomes none. A value that is neither a list nor
 * a tuple gives one value. ETI_ERROR_MEMORY. */
eti_status eti__values_of_saved(const eti_value **out, size_t *n, eti_arena *arena,
                                const eti_saved_value *saved, eti_error *err) ETI_WARN_UNUSED;

#endif
