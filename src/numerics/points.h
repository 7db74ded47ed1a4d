/*
 * points.h - turns the tensors that a run recorded into points: places of the model whose values
 * can be compared.
 *
 * A point is an output of an Event: the result of one node for a delegate call, all tensors for a
 * kernel. Events with the same debug handles are one point, with the values of the largest
 * instruction; Events with overlapping handles are one point, too, with the handles of all. An
 * output of a delegate call remains a point of its own if no later Event has its handle. A delegate
 * call is left out if the delegate logged values of operators inside it.
 */
#ifndef ETI_NUMERICS_POINTS_H
#define ETI_NUMERICS_POINTS_H

#include "base/arena.h"
#include "etrecord/etrecord.h"
#include "model/model.h"
#include "numerics/origins.h"

typedef struct eti_point {
    const eti_event *event;             /* NULL for a file, or for an output of the run */
    const eti_recorded_tensor *tensors; /* n tensors */
    size_t n;
    /* the outputs of the node that they are, in ascending order; NULL: all, from 0 on */
    const uint32_t *ports;
    /* All debug handles, in order, and the handle of this output; none if unknown. */
    const int64_t *handles;
    size_t n_handles;
    int64_t handle;
    const eti_graph_node *node;      /* NULL if unknown */
    const eti_graph_node *last_node; /* last node of the graph with its handle; NULL if unknown */
    eti_text source_node;            /* node of the exported program; absent if unknown */
    /* Names of all Events with these handles, one for each list of handles; none for a file. */
    const eti_text *names;
    size_t n_names;
    eti_text name;       /* name of the Event; for a file, the names of its operators */
    int32_t instruction; /* instruction of the program; -1 if there is none or it is unknown */
    /* index among the outputs of the Event, and number of these outputs */
    uint32_t output, n_outputs;
    bool has_handle;
    /* The Inspector does not compare it, because a later Event has other handles of this delegate call. */
    bool is_remainder;
} eti_point;

typedef struct eti_points {
    eti_arena arena;
    eti_point *points; /* in order of execution */
    size_t n, capacity;
} eti_points;

/* Finds the points of the recorded tensors [first, end), which must end at the end of an Event or a run. Fails with
 * ETI_ERROR_LIMIT if handles overlap too much, or with ETI_ERROR_MEMORY. Free `out` in any case. */
eti_status eti__points_find(eti_points *out, const eti_origins *origins, size_t first, size_t end,
                            eti_error *err) ETI_WARN_UNUSED;

/* Lists every Event, and the outputs of runs, with all of their tensors, without searching for nodes. Fails with the
 * same statuses. */
eti_status eti__points_of_events(eti_points *out, const eti_origins *origins, size_t first,
                                 size_t end, eti_error *err) ETI_WARN_UNUSED;

/* Sets the nodes of points of a file that have none: the last node with their debug handle, in the graph of the
 * method whose tensors `origins` has. The file must have the handles of that export. Returns false if memory runs
 * out. */
bool eti__points_find_nodes(eti_points *points, const eti_origins *origins);

void eti__points_free(eti_points *points);

/* Precedes the handle in names of saved tensors that also name their run: "Execute.0/handle:7:add#0". */
#define ETI_SAVED_HANDLE_MARK "handle"

/* Returns whether the point is an output of a run. */
static inline bool eti__point_is_run_outputs(const eti_point *point) {
    return !point->event && !point->name.data;
}

#endif
