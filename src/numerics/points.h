/*
 * points.h - turns the tensors that a run recorded into points.
 */
#ifndef ETI_NUMERICS_POINTS_H
#define ETI_NUMERICS_POINTS_H

/* Precedes the handle in names of saved tensors that also name their run: "Execute.0/handle:7:add#0". */
#define ETI_SAVED_HANDLE_MARK "handle"

#endif
