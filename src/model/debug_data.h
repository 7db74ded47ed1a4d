/*
 * debug_data.h - turns the values recorded by debug events into eti_values, and checks that all runs of a block recorded the
 * same ones.
 */
#ifndef ETI_MODEL_DEBUG_DATA_H
#define ETI_MODEL_DEBUG_DATA_H

#include "base/arena.h"
#include "base/files.h"
#include "etinspect.h"
#include "model/model.h"
#include "tensors/tensors.h"

/* ==== debug data ============================================================================== */

/* Fills debug_data of the block's events, and its run_outputs, in time and memory proportional to the recorded data:
 * events of a group share their values. `debug_buffer` may be NULL; messages name the file and the run. A tensor without
 * recorded contents equals any tensor of its type and shape. ETI_ERROR_MALFORMED: a value without contents, a tensor with
 * impossible sizes or outside the buffer; ETI_ERROR_DATA: runs of one block with different values; ETI_ERROR_LIMIT:
 * tensors overlap so much that all comparisons would read more than 64 MiB plus 4 times the buffer; ETI_ERROR_MEMORY. */
eti_status eti__debug_data_fill(eti_event_block *block, eti_arena *arena,
                                const struct eti_file *debug_buffer, eti_debug_totals *totals,
                                eti_error *err) ETI_WARN_UNUSED;

/* ==== reference outputs ======================================================================= */
/* Gives EventBlocks the outputs that the ETRecord expects of them, as values.
 *
 * An ETRecord has lists of test cases by method name. Blocks use those of their method; if the
 * method is unknown or has none, they use those of "forward", as the Inspector does.
 * eti_inspector_read_reference_outputs() of etinspect.h is implemented here. */

/* Makes values of the items of a list or tuple: tensors (copied to `arena` unless they are row-major), lists that consist
 * of tensors, and numbers; any other item becomes ETI_VALUE_NONE. A value that is neither a list nor a tuple yields one
 * value. ETI_ERROR_MEMORY. */
eti_status eti__values_of_saved(const eti_value **out, size_t *n, eti_arena *arena,
                                const eti_saved_value *saved, eti_error *err) ETI_WARN_UNUSED;

/* ==== tensor ================================================================================== */

/* Returns whether both have the same type, shape and elements. Bit-identical tensors are equal even if they contain NaN,
 * unlike in torch.equal(); 0.0 equals -0.0. A tensor without data equals any tensor of its type and shape. */
bool eti__tensors_equal(const eti_tensor_view *a, const eti_tensor_view *b);

#endif
