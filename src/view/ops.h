/*
 * ops.h - turns EventBlocks and the graph of the ETRecord into an inventory of operators: their
 * nodes, delegated or not, run or not, their times, types and shapes, and their places in the
 * model.
 */
#ifndef ETI_VIEW_OPS_H
#define ETI_VIEW_OPS_H

#include "account/account.h"
#include "etinspect.h"

/* Makes the view "ops": one row per operator of the graph, or, if the record does not have the operator of an event, per
 * name of events; the most expensive first. Events that stand for several operators have a row of their own. */
eti_status eti__view_ops(eti_report *report, const eti_inspector *inspector,
                         const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;

#endif
