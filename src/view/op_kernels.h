/*
 * op_kernels.h - lists the kernels that ran each operator, by the names of events: IGEMM or DWConv,
 * layout, data types.
 */
#ifndef ETI_VIEW_OP_KERNELS_H
#define ETI_VIEW_OP_KERNELS_H

#include "account/account.h"
#include "model/model.h"
#include "table/table.h"

/* Makes the view "ops" with options->kernels: one row per operator and kernel, the most expensive
 * operator first. */
eti_status eti__view_op_kernels(eti_report *report, const eti_inspector *inspector,
                                const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;

#endif
