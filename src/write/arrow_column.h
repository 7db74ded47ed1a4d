/*
 * arrow_column.h - turns the cells of a column into an array of Arrow, and its description into a schema.
 */
#ifndef ETI_WRITE_ARROW_COLUMN_H
#define ETI_WRITE_ARROW_COLUMN_H

#include "table/table.h"
#include "write/arrow.h"

/* The cells of a column so far. Starts as zeros but for the type. */
typedef struct eti_arrow_column {
    eti_column_type type;
    size_t n, n_null;
    eti_buffer validity; /* a bit per cell */
    eti_buffer offsets;  /* where each text or list begins, and the last one ends */
    eti_buffer values;   /* of cells, or of the items of all lists */
    size_t n_items;
    eti_buffer item_offsets; /* of texts in lists */
} eti_arrow_column;

/* Returns 0, ENOMEM, EINVAL where the cell is not of the column's type, or EOVERFLOW where the column becomes too long
 * for its offsets; after these it must be reset. */
int eti__arrow_column_add(eti_arrow_column *column, const eti_cell *cell);

/* Number of bytes in the largest of its buffers. */
size_t eti__arrow_column_size(const eti_arrow_column *column);

/* Moves the cells into an array, which owns them from then on, and makes the column empty, also when memory is out:
 * the result is then false, and nothing is left to release. */
bool eti__arrow_column_finish(eti_arrow_column *column, struct ArrowArray *out);

/* Frees the cells: the column is empty. */
void eti__arrow_column_reset(eti_arrow_column *column);

/* Makes an array of structs, `n_rows` long, whose children have still to be made. False when memory is out. */
bool eti__arrow_make_rows(struct ArrowArray *out, size_t n_rows, size_t n_children);

/* Describes the columns of a table as a struct. False when memory is out, with nothing left to release. */
bool eti__arrow_make_schema(struct ArrowSchema *out, const eti_table *table);

#endif
