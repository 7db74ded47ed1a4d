/*
 * report.h - the result of a view, which a writer prints.
 */
#ifndef ETI_TABLE_REPORT_H
#define ETI_TABLE_REPORT_H

#include "base/arena.h"
#include "etinspect.h"

/* Returns a reference to a table and to the report that owns it. */
eti_kept eti__table_keep(const eti_table *table);

#endif
