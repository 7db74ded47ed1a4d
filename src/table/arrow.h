/*
 * arrow.h - exports tables as streams of the Arrow C stream interface.
 */
#ifndef ETI_TABLE_ARROW_H
#define ETI_TABLE_ARROW_H

#include "etinspect.h"
#include "table/table.h"

/* Does what eti_table_arrow_stream() does, with the given limits. */
eti_status eti__arrow_open(struct ArrowArrayStream *out, const eti_table *table,
                           eti_arrow_limits limits, eti_error *err) ETI_WARN_UNUSED;

#endif
