/*
 * arrow_column.h - turns the cells of a column into an Arrow array, and its description into an Arrow schema.
 */
#ifndef ETI_TABLE_ARROW_COLUMN_H
#define ETI_TABLE_ARROW_COLUMN_H

#include "base/text.h"
#include "table/arrow.h"
#include "table/table.h"

/* The cells of a column added so far. Starts as all zeros except for `type`. */
typedef struct eti_arrow_column {
    eti_column_type type;
    size_t n, n_null;
    eti_buffer validity; /* one bit per cell, once a cell has had no value */
    eti_buffer offsets;  /* start of each text or list, and end of the last */
    eti_buffer values;   /* values of cells, or of the items of all lists */
    size_t n_items;
    eti_buffer item_offsets; /* offsets of texts in lists */
    size_t expected;         /* size of the values in the previous batch; kept by a reset */
} eti_arrow_column;

/* Appends a cell. Returns 0, ENOMEM, EINVAL if the cell is not of the column's type, or EOVERFLOW if the column
 * becomes too long for its offsets; after EINVAL or EOVERFLOW the column must be reset. */
int eti__arrow_column_add(eti_arrow_column *column, const eti_cell *cell);

/* Appends a cell `n` times, n > 0; returns as eti__arrow_column_add() does. */
int eti__arrow_column_repeat(eti_arrow_column *column, const eti_cell *cell, size_t n);

/* Returns room for `n` numbers after the cells, which the caller fills with numbers of the column's type, INT32, INT64 or
 * FLOAT64; NULL: out of memory. eti__arrow_column_take() then makes them cells. */
void *eti__arrow_column_room(eti_arrow_column *column, size_t n);
/* Appends the numbers in that room; returns 0 or ENOMEM. */
int eti__arrow_column_take(eti_arrow_column *column, size_t n);

/* Returns the approximate number of bytes by which a cell enlarges the largest buffer of its column. */
size_t eti__arrow_cell_size(const eti_cell *cell);

/* Returns the size of the column's largest buffer in bytes. */
size_t eti__arrow_column_size(const eti_arrow_column *column);

/* Moves the cells into an array, which then owns them, and empties the column. False: out of memory; the column is
 * empty and nothing is left to release. */
bool eti__arrow_column_finish(eti_arrow_column *column, struct ArrowArray *out);

/* Frees the cells; the column is then empty. */
void eti__arrow_column_reset(eti_arrow_column *column);

/* Makes an array of structs, `n_rows` long; the caller makes the children. False: out of memory. */
bool eti__arrow_make_rows(struct ArrowArray *out, size_t n_rows, size_t n_children);

/* Describes the columns of a table as a struct. False: out of memory, with nothing left to release. */
bool eti__arrow_make_schema(struct ArrowSchema *out, const eti_table *table);

#endif
