/*
 * program_ops.h - lists the operators that programs need: the view "ops" without an ETDump.
 */
#ifndef ETI_VIEW_PROGRAM_OPS_H
#define ETI_VIEW_PROGRAM_OPS_H

#include "account/account.h"
#include "model/model.h"
#include "table/table.h"

/* Adds the operators of all programs. With options->available, adds only those that the build lacks, and marks the report as
 * failed if there are any. With options->emits_ops, adds all operators, even those without a call, as a list for a selective
 * build. */
eti_status eti__view_program_ops(eti_report *report, const eti_inspector *inspector,
                                 const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;

#endif
