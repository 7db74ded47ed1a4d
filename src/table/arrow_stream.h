/*
 * arrow_stream.h - exports tables as streams of the Arrow C stream interface.
 *
 * The Arrow type of a column follows from its description, not from its cells. The child of a list is called
 * "element"; text is utf8.
 */
#ifndef ETI_TABLE_ARROW_STREAM_H
#define ETI_TABLE_ARROW_STREAM_H

#include "etinspect.h"
#include "table/arrow.h"
#include "table/report.h"

/* Limits of a batch. */
typedef struct eti_arrow_limits {
    size_t rows;  /* maximum number of rows */
    size_t bytes; /* size of a column from which on no row is added: offsets have 31 bits */
} eti_arrow_limits;

/* Does what eti_table_arrow_stream() does, with the given limits. */
eti_status eti__arrow_open(struct ArrowArrayStream *out, const eti_table *table,
                           eti_arrow_limits limits, eti_error *err) ETI_WARN_UNUSED;

/* Makes a stream of the tables of `parts`, with the columns of `table`, which the stream keeps alive. A batch may have rows
 * of several tables. Once a part has failed, the stream fails with the same message. */
eti_status eti__arrow_open_parts(struct ArrowArrayStream *out, const eti_table *table,
                                 const eti_row_parts *parts, eti_arrow_limits limits,
                                 eti_error *err) ETI_WARN_UNUSED;

extern const eti_arrow_limits eti__arrow_usual_limits;

#endif
