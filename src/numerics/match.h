/*
 * match.h - pairs the points of two sides, and their outputs.
 *
 * Two points are paired if they are the same node of the exported program, which keeps its name in
 * every export of a model. Otherwise they are paired, within one export, by the same debug handle;
 * by instruction; or by the name of their Event and its number among Events with this name. If two
 * nodes of a side have the same name, their operators must also be the same. Outputs of runs are
 * paired by their number.
 */
#ifndef ETI_NUMERICS_MATCH_H
#define ETI_NUMERICS_MATCH_H

#include "base/arena.h"
#include "numerics/points.h"

typedef enum eti_match_by {
    ETI_MATCH_BY_SOURCE,
    ETI_MATCH_BY_HANDLE,
    ETI_MATCH_BY_INSTRUCTION,
    ETI_MATCH_BY_NAME,
} eti_match_by;

/* A comparison, or the reason why there is none. */
typedef struct eti_matched_outputs {
    const eti_point *base, *newer; /* NULL if only the other side has it */
    const eti_recorded_tensor *base_tensor, *newer_tensor;
    uint32_t output;
    /* key by which its point is paired, the same for each input; empty if it has no key */
    eti_text key;
} eti_matched_outputs;

typedef struct eti_matches {
    eti_arena texts;
    /* in the order of the new side; outputs of the base alone where the base has them */
    eti_matched_outputs *outputs;
    size_t n, capacity;
    size_t n_paired; /* number of points */
} eti_matches;

/* Pairs points, including the outputs of both sides. Fails with ETI_ERROR_MEMORY. Free `out` in any case. */
eti_status eti__points_match(eti_matches *out, const eti_points *base, const eti_points *newer,
                             eti_match_by by, eti_error *err) ETI_WARN_UNUSED;
void eti__matches_free(eti_matches *matches);

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
