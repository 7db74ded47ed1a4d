/*
 * recorded.h - lists the tensors that runs recorded, with their statistics.
 *
 * A run's tensors are in the order of logging: those of each Event, flattened, and then the outputs
 * of the run. The Events of an instruction share its tensors, which are listed once, with the Event
 * that is not the framework's own.
 */
#ifndef ETI_NUMERICS_RECORDED_H
#define ETI_NUMERICS_RECORDED_H

#include "account/account.h"
#include "base/arena.h"
#include "model/model.h"
#include "numerics/statistics.h"
#include "tensors/tensors.h"

/* Reason why a tensor has no readable elements. */
typedef enum eti_recorded_fault {
    ETI_RECORDED_FINE,
    ETI_RECORDED_OUTSIDE,  /* it lies outside of the debug buffer */
    ETI_RECORDED_TYPE,     /* elements of this type cannot be read */
    ETI_RECORDED_SHAPE,    /* its sizes are impossible */
    ETI_RECORDED_CONTENTS, /* there was no room for its elements when it was recorded */
} eti_recorded_fault;

typedef struct eti_recorded_tensor {
    const eti_event_block *block;
    size_t run;             /* index in its block */
    const eti_event *event; /* NULL for an output of the run */
    uint32_t index,
        /* index among the tensors of the event, or among the outputs; and their number */
        n_of_event;
    uint32_t buffer;        /* index of the debug buffer of its ETDump */
    uint8_t fault;          /* an eti_recorded_fault */
    bool is_dense;          /* its elements are contiguous, see tensors/tensors.h */
    bool has_odd_strides;   /* recorded strides are not dense; `values` has row-major ones */
    int64_t offset;         /* offset as recorded */
    const int64_t *strides; /* n_strides strides as recorded */
    size_t n_strides;
    eti_tensor_values values; /* `data` is NULL if there are no elements, or a fault */
    eti_tensor_statistics statistics;
} eti_recorded_tensor;

/* Numbers of the tensors of a debug buffer. */
typedef struct eti_recorded_buffer {
    const struct eti_file *file; /* NULL without a debug buffer */
    size_t n;
    size_t n_with_bytes; /* number of tensors that must lie in it */
    size_t n_outside;
    uint64_t n_bytes; /* sizes of the tensors in it, which may overlap; at most UINT64_MAX */
} eti_recorded_buffer;

typedef struct eti_recorded {
    eti_arena arena;
    eti_recorded_tensor *tensors;
    size_t n, capacity;
    eti_recorded_buffer *buffers; /* one for each ETDump, or one for all */
    size_t n_buffers;
    size_t n_with_bytes, n_outside; /* sums over the buffers */
} eti_recorded;

/* Lists the tensors of the selected blocks: those of all runs if `run` is "all", of the run with this number, or, if
 * `run` is NULL, of the first run of each block that recorded any (if ETDumps have debug buffers of their own, of the
 * first run of each ETDump). Fails with ETI_ERROR_USAGE if `run` is none of these, no block has such a run, or there
 * are tensors but no debug buffer; with ETI_ERROR_DATA if more than half of those of all runs lie outside of their debug
 * buffer; with ETI_ERROR_LIMIT if those of a debug buffer overlap so much that more than 64 MiB and 4 times its size would
 * be read; or with ETI_ERROR_MEMORY. Free `out` in any case. */
eti_status eti__recorded_read(eti_recorded *out, const eti_inspector *inspector,
                              const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;
/* Does the same without the statistics, which stay all zeros. */
eti_status eti__recorded_list(eti_recorded *out, const eti_inspector *inspector,
                              const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;
/* Lists the same tensors with their faults, but without statistics, regardless of the debug buffer. Fails with
 * ETI_ERROR_USAGE if `run` is not one of these, or with ETI_ERROR_MEMORY. */
eti_status eti__recorded_find(eti_recorded *out, const eti_inspector *inspector,
                              const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;
void eti__recorded_free(eti_recorded *recorded);

/* Returns whether so many tensors lie outside of the debug buffer that it must belong to another ETDump. */
static inline bool eti__recorded_is_foreign(const eti_recorded_buffer *buffer) {
    return buffer->n_outside > buffer->n_with_bytes / 2;
}

/* Returns whether two tensors were recorded by the same run. */
static inline bool eti__recorded_together(const eti_recorded_tensor *a,
                                          const eti_recorded_tensor *b) {
    return a->block == b->block && a->run == b->run;
}

#endif
