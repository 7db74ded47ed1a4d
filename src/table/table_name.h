/*
 * table_name.h - turns a table's name, as a user types it, into the number of the table in a report.
 */
#ifndef ETI_TABLE_TABLE_NAME_H
#define ETI_TABLE_TABLE_NAME_H

#include "etinspect.h"
#include "table/report.h"

/* Finds the section called `name`. ETI_ERROR_USAGE: there is none; ETI_ERROR_MEMORY. */
eti_status eti__table_name_find(const eti_report *report, const char *name, size_t *out,
                                eti_error *err) ETI_WARN_UNUSED;

#endif
