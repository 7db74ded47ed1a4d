/*
 * size.h - turns the files of a program into rows whose sizes add up exactly to those of the files.
 */
#ifndef ETI_VIEW_PROGRAM_SIZE_H
#define ETI_VIEW_PROGRAM_SIZE_H

#include "account/account.h"
#include "model/model.h"
#include "table/table.h"

/* Adds a row for each part, or, with options->group, for each category, dtype, op or module. ETI_ERROR_USAGE: no program, or
 * another group; ETI_ERROR_MALFORMED: an input is not a data file; ETI_ERROR_LIMIT, ETI_ERROR_MEMORY. */
eti_status eti__view_size(eti_report *report, const eti_inspector *inspector,
                          const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;

#endif
