/*
 * arrow_stream.h - hands tables to other libraries as streams of the Arrow C stream interface.
 *
 * A column's Arrow type is that of its description, whatever its cells are; the child of a list is called "element";
 * text is plain utf8.
 */
#ifndef ETI_WRITE_ARROW_STREAM_H
#define ETI_WRITE_ARROW_STREAM_H

#include "base/status.h"
#include "write/arrow.h"

/* Where a batch ends. */
typedef struct eti_arrow_limits {
    size_t rows;  /* that it has at most */
    size_t bytes; /* of one column, after which it takes no further row: offsets have 31 bits */
} eti_arrow_limits;

/* What eti_table_arrow_stream() does, with other limits than its own. */
eti_status eti__arrow_open(struct ArrowArrayStream *out, const eti_table *table,
                           eti_arrow_limits limits, eti_error *err) ETI_WARN_UNUSED;

#endif
