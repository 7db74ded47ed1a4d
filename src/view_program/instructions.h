/*
 * model/methods.h - lists the instructions of a program with their times, the bytes that they move, and the memory in use.
 */
#ifndef ETI_VIEW_PROGRAM_INSTRUCTIONS_H
#define ETI_VIEW_PROGRAM_INSTRUCTIONS_H

#include "account/account.h"
#include "model/model.h"
#include "table/table.h"

/* Adds a section with a row for each instruction of the methods that ran: see rollup/rollup.h for the
 * statuses. The inspector must have ETDumps and a program. */
eti_status eti__view_add_instructions(eti_report *report, const eti_inspector *inspector,
                                      const eti_view_options *options,
                                      eti_error *err) ETI_WARN_UNUSED;

#endif
