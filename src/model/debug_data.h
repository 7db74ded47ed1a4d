/*
 * debug_data.h - turns the values that debug events recorded into eti_values, and checks that all
 * runs of a block recorded the same ones.
 *
 * A tensor's bytes lie in the debug buffer, a file of its own; without it shapes and types are
 * known but no contents. A float or double is kept exactly (the Inspector rounds them to 6 or 12
 * decimals, because it passes them through JSON).
 */
#ifndef ETI_MODEL_DEBUG_DATA_H
#define ETI_MODEL_DEBUG_DATA_H

#include "model/event.h"

/* Where the contents of a tensor are. */
typedef enum eti_contents {
    ETI_CONTENTS_NONE, /* it is empty, or its elements have an unknown width */
    ETI_CONTENTS_IN_BUFFER,
    ETI_CONTENTS_NOT_RECORDED,
    ETI_N_CONTENTS,
} eti_contents;

/* Counts over all blocks of an inspector; starts as zeros, except n_more_bytes. */
typedef struct eti_debug_totals {
    uint64_t n_tensors[ETI_N_CONTENTS]; /* that values were made of */
    uint64_t n_compared;                /* bytes of tensors */
    uint64_t n_more_bytes;              /* of further debug buffers */
} eti_debug_totals;

/* Fills debug_data of the block's events and its run_outputs, in time and memory that grow with what
 * the runs recorded: events of one group share their values. `debug_buffer` may be NULL; messages
 * name the file and run they are about. A tensor whose contents were not recorded has none, and equals
 * any of its type and shape.
 * ETI_ERROR_MALFORMED: a value without content, a tensor with impossible sizes or outside the
 * buffer; ETI_ERROR_DATA: runs of one block with different values; ETI_ERROR_LIMIT: tensors that
 * overlap so much that all comparisons would read more than 64 MiB and 4 times the buffer;
 * ETI_ERROR_MEMORY. */
eti_status eti__debug_data_fill(eti_event_block *block, eti_arena *arena,
                                const struct eti_file *debug_buffer, eti_debug_totals *totals,
                                eti_error *err) ETI_WARN_UNUSED;

#endif
