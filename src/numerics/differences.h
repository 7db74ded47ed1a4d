/*
 * differences.h - pairs the points of two sides, and their outputs.
 */
#ifndef ETI_NUMERICS_DIFFERENCES_H
#define ETI_NUMERICS_DIFFERENCES_H

#include "numerics/numerics.h"

/* Returns which of the `several` tensors of an Event is compared with one: the only one with equal shape, else the
 * only one of these with equal type, else the last. n >= 1. */
const eti_recorded_tensor *eti__match_one(const eti_recorded_tensor *one,
                                          const eti_recorded_tensor *several, size_t n);

/* Relation of the shapes of two tensors. */
typedef enum eti_shape_match {
    ETI_SHAPES_EQUAL,     /* ignoring dimensions of size 1 */
    ETI_SHAPES_VIEW,      /* a view: the same elements in the same order */
    ETI_SHAPES_DIFFERENT, /* the corresponding elements are unknown */
} eti_shape_match;
eti_shape_match eti__match_shapes(const eti_matched_outputs *outputs);

#endif
