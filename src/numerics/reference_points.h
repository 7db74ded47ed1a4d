/*
 * reference_points.h - turns a file of tensors into points. The name of a tensor identifies its
 * point:
 *
 *     7:conv2d,relu             result of the nodes with debug handle 7
 *     7:split#0                 the first of several outputs
 *     Execute.0/handle:7:add#0  the first output of the node with debug handle 7, in this run
 *     Execute.0/3:add.out#0     output 0 of instruction 3, whose Event is called add.out
 *     Execute.0/output#0        output 0 of the run
 *     Execute.0/3:add.out#0~2   output 0 of instruction 3, the second time it ran
 *
 * Any other name is the name of an Event.
 */
#ifndef ETI_NUMERICS_REFERENCE_POINTS_H
#define ETI_NUMERICS_REFERENCE_POINTS_H

#include "base/arena.h"
#include "base/files.h"
#include "base/intern.h"
#include "numerics/points.h"
#include "tensors/tensors.h"

typedef struct eti_reference_points {
    eti_points points;
    eti_arena arena;
    struct eti_file file; /* all zeros for a folder */
    eti_tensor_file tensors;
    eti_recorded_tensor *recorded;      /* in the order of the points; `data` may be missing */
    size_t *numbers;                    /* their indexes in the file */
    bool has_handles, has_instructions; /* true if a point has them */
    eti_text_table runs;                /* prefixes of names, such as "Execute.0" */
    uint32_t *run_of; /* per point: 1 + the number of its run; 0 if its name has no run */
} eti_reference_points;

/* Reads the file or the folder; a file in memory must outlive the points. Fails with the statuses of
 * eti__tensor_file_open(). Free `out` in any case. */
eti_status eti__reference_points_read(eti_reference_points *out, const eti_source *source,
                                      eti_error *err) ETI_WARN_UNUSED;
/* Is an eti_element_loader for tensors of eti_reference_points. */
eti_status eti__reference_points_load(void *reference, const eti_recorded_tensor *tensor,
                                      eti_arena *arena, eti_tensor_values *out,
                                      eti_error *err) ETI_WARN_UNUSED;
/* Copies the points of the runs with the given numbers (NULL: of all runs), and those without a run. Fails with
 * ETI_ERROR_MEMORY. Free `out` in any case; it borrows from `reference`. */
eti_status eti__reference_points_choose(eti_points *out, const eti_reference_points *reference,
                                        const bool *is_chosen, eti_error *err) ETI_WARN_UNUSED;
void eti__reference_points_free(eti_reference_points *reference);

#endif
