/*
 * reference_outputs.h - gives EventBlocks the outputs that the ETRecord expects of them, as values.
 *
 * An ETRecord has lists of test cases by method name. Blocks use those of their method; if the method is unknown or has
 * none, they use those of "forward", as the Inspector does. eti_inspector_read_reference_outputs() of etinspect.h is
 * implemented here.
 */
#ifndef ETI_MODEL_REFERENCE_OUTPUTS_H
#define ETI_MODEL_REFERENCE_OUTPUTS_H

#include "base/arena.h"
#include "tensors/tensors.h"

#include "etinspect.h"

/* Makes values of the items of a list or tuple: tensors (copied to `arena` unless they are row-major), lists that consist
 * of tensors, and numbers; any other item becomes ETI_VALUE_NONE. A value that is neither a list nor a tuple yields one
 * value. ETI_ERROR_MEMORY. */
eti_status eti__values_of_saved(const eti_value **out, size_t *n, eti_arena *arena,
                                const eti_saved_value *saved, eti_error *err) ETI_WARN_UNUSED;

#endif
