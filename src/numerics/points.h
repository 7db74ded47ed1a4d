/*
 * points.h - turns the tensors that a run recorded into points: places of the model whose values
 * can be compared.
 *
 * A point is an output of an Event: the result of one node for a delegate call, all tensors for a
 * kernel. Events with the same debug handles are one point, with the values of the largest
 * instruction; Events with overlapping handles are one point, too, which has the handles of all. A
 * delegate call is left out where the delegate logged values of operators inside it.
 */
#ifndef ETI_NUMERICS_POINTS_H
#define ETI_NUMERICS_POINTS_H

#include "numerics/origins.h"

typedef struct eti_point {
    const eti_event *event;             /* NULL: of a file, or an output of the run */
    const eti_recorded_tensor *tensors; /* n of them */
    size_t n;
    /* which of the node's outputs they are, in ascending order; NULL: all, from 0 on */
    const uint32_t *ports;
    /* All debug handles, in order, and the one of this output; none: unknown. */
    const int64_t *handles;
    size_t n_handles;
    int64_t handle;
    const eti_graph_node *node;      /* NULL: unknown */
    const eti_graph_node *last_node; /* in the graph, of those with its handle; NULL: unknown */
    eti_text source_node;            /* of the exported program; absent: unknown */
    /* Names of all Events with these handles, one for each list of handles; none in a file. */
    const eti_text *names;
    size_t n_names;
    eti_text name;              /* of the Event, or in a file: the names of its operators */
    int32_t instruction;        /* of the program; -1: none, or unknown */
    uint32_t output, n_outputs; /* number among the outputs of the Event, and how many these are */
    bool has_handle;
} eti_point;

typedef struct eti_points {
    eti_arena arena;
    eti_point *points; /* in order of execution */
    size_t n, capacity;
} eti_points;

/* Finds the points of the recorded tensors [first, end), which end with those of an Event or a run. ETI_ERROR_LIMIT: handles
 * overlap too much; ETI_ERROR_MEMORY. Free `out` in any case. */
eti_status eti__points_find(eti_points *out, const eti_origins *origins, size_t first, size_t end,
                            eti_error *err) ETI_WARN_UNUSED;

/* Lists every Event, and the outputs of runs, with all of their tensors, without looking for nodes.
 * The same statuses. */
eti_status eti__points_of_events(eti_points *out, const eti_origins *origins, size_t first,
                                 size_t end, eti_error *err) ETI_WARN_UNUSED;

/* Sets the node of points of a file that have none: the last one with their debug handle, in the graph of the method that `origins`
 * has tensors of. For a file with the handles of that export. False: out of memory. */
bool eti__points_find_nodes(eti_points *points, const eti_origins *origins);

void eti__points_free(eti_points *points);

/* Stands before the handle in names of saved tensors that also name their run: "Execute.0/handle:7:add#0". */
#define ETI_SAVED_HANDLE_MARK "handle"

/* Whether it is an output of a run. */
static inline bool eti__point_is_run_outputs(const eti_point *point) {
    return !point->event && !point->name.data;
}

#endif
