/*
 * saved.h - names recorded tensors for saving, so that a reader finds them.
 *
 * With the key "event", a tensor is called <block>.<run>/<instruction>:<event name>#<output>, and
 * an output of the run <block>.<run>/output#<number>; "-" replaces a missing instruction number.
 * With the key "handle", a tensor is called <handle>:<source node>#<output>, and only points (see
 * points.h), which can be compared, are listed. These names are the same in all runs of one export;
 * if several runs are listed, <block>.<run>/handle: precedes them. If several tensors would have
 * the same name, all but the first get a suffix ~2, ~3, ...
 */
#ifndef ETI_NUMERICS_SAVED_H
#define ETI_NUMERICS_SAVED_H

#include "base/arena.h"
#include "numerics/points.h"
#include "tensors/tensors.h"

/* Keys that name tensors, in the order of the option's choices. */
typedef enum eti_saved_key { ETI_SAVED_BY_EVENT, ETI_SAVED_BY_HANDLE } eti_saved_key;

typedef struct eti_saved_tensors {
    eti_arena arena; /* owns the names */
    eti_tensor_values *tensors;
    size_t n;
    /* number of tensors that are not listed because they cannot be read */
    size_t n_without_elements;
    /* number of tensors that are not listed because the key is "handle" and they are not points */
    size_t n_without_node;
} eti_saved_tensors;

/* Lists those of the tensors numbers[0 .. n-1] that have a name and elements, in this order. Fails with
 * ETI_ERROR_LIMIT if handles overlap too much, or with ETI_ERROR_MEMORY. Free `out` in any case; it borrows from
 * `origins`. */
eti_status eti__saved_tensors_list(eti_saved_tensors *out, const eti_origins *origins,
                                   const size_t *numbers, size_t n, unsigned key,
                                   eti_error *err) ETI_WARN_UNUSED;
void eti__saved_tensors_free(eti_saved_tensors *saved);

#endif
