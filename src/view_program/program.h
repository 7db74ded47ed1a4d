/*
 * etrecord/exported_program.h - turns a program into an overview: its files, methods, inputs and outputs, and its
 * largest parts.
 */
#ifndef ETI_VIEW_PROGRAM_PROGRAM_H
#define ETI_VIEW_PROGRAM_PROGRAM_H

#include "account/account.h"
#include "model/model.h"
#include "table/table.h"

/* Adds the tables. ETI_ERROR_USAGE: no program, or no such method; ETI_ERROR_MALFORMED: an input is not a data file;
 * ETI_ERROR_LIMIT, ETI_ERROR_MEMORY. */
eti_status eti__view_program(eti_report *report, const eti_inspector *inspector,
                             const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;

#endif
