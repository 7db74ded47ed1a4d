/*
 * recorded.h - lists the tensors that runs recorded, with their statistics.
 *
 * A run's tensors are in the order in which they were logged: those of each Event, flattened, and last the outputs of the run.
 * The Events of an instruction share its tensors, which are listed once: with the Event that is not
 * the framework's own.
 */
#ifndef ETI_NUMERICS_RECORDED_H
#define ETI_NUMERICS_RECORDED_H

#include "account/options.h"
#include "model/inspector.h"
#include "numerics/numbers/statistics.h"

/* Why a tensor has no elements that can be read. */
typedef enum eti_recorded_fault {
    ETI_RECORDED_FINE,
    ETI_RECORDED_OUTSIDE,  /* it lies outside of the debug buffer */
    ETI_RECORDED_TYPE,     /* elements of this type cannot be read */
    ETI_RECORDED_SHAPE,    /* its sizes are impossible */
    ETI_RECORDED_CONTENTS, /* they had no room when it was recorded */
} eti_recorded_fault;

typedef struct eti_recorded_tensor {
    const eti_event_block *block;
    size_t run;             /* number in its block */
    const eti_event *event; /* NULL: an output of the run */
    uint32_t index,
        n_of_event; /* number among the tensors of the event, or of the outputs; and how many these are */
    uint8_t fault;          /* an eti_recorded_fault */
    bool is_dense;          /* its elements lie one after the other, see elements.h */
    bool has_odd_strides;   /* recorded strides are not dense; `values` has row-major ones */
    int64_t offset;         /* as recorded */
    const int64_t *strides; /* as recorded, n_strides of them */
    size_t n_strides;
    eti_tensor_values values; /* `data` NULL where there are no elements, or a fault */
    eti_tensor_statistics statistics;
} eti_recorded_tensor;

typedef struct eti_recorded {
    eti_arena arena;
    eti_recorded_tensor *tensors;
    size_t n, capacity;
    size_t n_with_bytes; /* tensors that must lie in the debug buffer */
    size_t n_outside;
} eti_recorded;

/* Lists the tensors of the chosen blocks: of the first run of each that recorded any (`run` NULL; where ETDumps
 * have debug buffers of their own, the first of each ETDump), of the one of this number, or of
 * all ("all"). ETI_ERROR_USAGE: `run` is none of these, no block has such a run, or there are tensors, but no debug buffer;
 * ETI_ERROR_DATA: more than half of them lie outside of it; ETI_ERROR_LIMIT: they overlap so much that more than 64 MiB and 4
 * times the debug buffer would be read; ETI_ERROR_MEMORY. Free `out` in any case. */
eti_status eti__recorded_read(eti_recorded *out, const eti_inspector *inspector,
                              const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;
/* Does the same without the statistics, which stay all zeros. */
eti_status eti__recorded_list(eti_recorded *out, const eti_inspector *inspector,
                              const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;
/* Lists the same with their faults, but without statistics, whatever the debug buffer is. ETI_ERROR_USAGE: `run` is not one of
 * these; ETI_ERROR_MEMORY. */
eti_status eti__recorded_find(eti_recorded *out, const eti_inspector *inspector,
                              const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;
void eti__recorded_free(eti_recorded *recorded);

/* Whether so many tensors lie outside of the debug buffer that it must belong to another ETDump. */
static inline bool eti__recorded_is_foreign(const eti_recorded *recorded) {
    return recorded->n_outside > recorded->n_with_bytes / 2;
}

/* Whether two tensors were recorded by the same run. */
static inline bool eti__recorded_together(const eti_recorded_tensor *a,
                                          const eti_recorded_tensor *b) {
    return a->block == b->block && a->run == b->run;
}

#endif
