/*
 * debug_data.h - turns the values recorded by debug events into eti_values, and checks that all runs of a block recorded the
 * same ones.
 *
 * A tensor's bytes are in the debug buffer, which is a separate file; without it, shapes and types are known, but no
 * contents. A float or double is kept exactly (the Inspector rounds them to 6 or 12 decimals, because it passes them through
 * JSON).
 */
#ifndef ETI_MODEL_DEBUG_DATA_H
#define ETI_MODEL_DEBUG_DATA_H

#include "base/arena.h"
#include "base/files.h"
#include "model/event.h"

/* Place of a tensor's contents. */
typedef enum eti_contents {
    ETI_CONTENTS_NONE, /* the tensor is empty, or its elements have an unknown width */
    ETI_CONTENTS_IN_BUFFER,
    ETI_CONTENTS_NOT_RECORDED,
    ETI_N_CONTENTS,
} eti_contents;

/* Counts over all blocks of an inspector; starts as zeros, except for n_more_bytes. */
typedef struct eti_debug_totals {
    uint64_t n_tensors[ETI_N_CONTENTS]; /* tensors that became values */
    uint64_t n_compared;                /* bytes of compared tensors */
    uint64_t n_more_bytes;              /* bytes of further debug buffers */
} eti_debug_totals;

/* Fills debug_data of the block's events, and its run_outputs, in time and memory proportional to the recorded data:
 * events of a group share their values. `debug_buffer` may be NULL; messages name the file and the run. A tensor without
 * recorded contents equals any tensor of its type and shape. ETI_ERROR_MALFORMED: a value without contents, a tensor with
 * impossible sizes or outside the buffer; ETI_ERROR_DATA: runs of one block with different values; ETI_ERROR_LIMIT:
 * tensors overlap so much that all comparisons would read more than 64 MiB plus 4 times the buffer; ETI_ERROR_MEMORY. */
eti_status eti__debug_data_fill(eti_event_block *block, eti_arena *arena,
                                const struct eti_file *debug_buffer, eti_debug_totals *totals,
                                eti_error *err) ETI_WARN_UNUSED;

#endif
