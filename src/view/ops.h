/*
 * ops.h - turns EventBlocks and the graph of the ETRecord into an inventory of operators: how many nodes, handed to
 * a delegate or not, run or not, how long, with which types and shapes, and where in the model.
 */
#ifndef ETI_VIEW_OPS_H
#define ETI_VIEW_OPS_H

#include "account/options.h"
#include "model/inspector.h"
#include "table/report.h"

/* The view "ops": one row per operator of the graph or, where the record does not know what an event computes, per
 * name of events, the most expensive first. The time of events that stand for several operators is that of a row
 * of its own. */
eti_status eti__view_ops(eti_report *report, const eti_inspector *inspector,
                         const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;

#endif
