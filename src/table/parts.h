/*
 * parts.h - pieces that the sources of the room share.
 */
#ifndef ETI_TABLE_PARTS_H
#define ETI_TABLE_PARTS_H

#include "etinspect.h"
#include "table/table.h"

/* ==== cell ==================================================================================== */

/* Fills `out` with the number in the cell. If the cell has none, returns false and sets `out` to NaN or 0. Flags
 * count as integers. */
bool eti__cell_read_double(const eti_cell *cell, double *out);
bool eti__cell_read_int(const eti_cell *cell, int64_t *out);
bool eti__cell_read_uint(const eti_cell *cell, uint64_t *out);

/* ==== table =================================================================================== */

/* Returns the number of rows from this one on that differ only in columns that vary; at least 1. */
static inline size_t eti__table_count_alike(const eti_table *table, size_t row) {
    return table->count_alike ? table->count_alike(table->source.context, row) : 1;
}

#endif
