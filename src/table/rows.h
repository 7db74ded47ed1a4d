/*
 * rows.h - goes through the rows of a table, on as many threads as may read it, and puts together what they write
 * in the order of the rows: the same bytes whatever the number of threads.
 */
#ifndef ETI_TABLE_ROWS_H
#define ETI_TABLE_ROWS_H

#include "base/files/atomic_file.h"
#include "table/table.h"

/* Reads a row, and appends its text to `out`. */
typedef void (*eti_row_function)(void *state, size_t row, const eti_cell *cells, eti_buffer *out);

/* How many threads there will be, 1 at least. */
size_t eti__rows_thread_count(const eti_table *table);

/* Calls `take` for every row. What one thread takes comes in the order of the rows, with a state of its own:
 * `states` has `state_size` bytes for each; 0: they share one that no call changes. Stops early when the output
 * fails. False when memory is out. */
bool eti__rows_each(const eti_table *table, eti_row_function take, void *states, size_t state_size,
                    eti_output *output);

/* Appends the cells [first, end) of a row to `out`, with what begins the line before the first cell, and what ends it behind
 * the last. `first` < `end`. */
typedef void (*eti_cells_function)(void *state, size_t row, const eti_cell *cells, size_t first,
                                   size_t end, eti_buffer *out);

/* Writes every row, in this thread. Of rows that are alike only the cells that vary are made and written anew. Rows are numbered from
 * `first_row` on for `add`; row 0 may begin otherwise than all others. Stops early when the output fails. False when memory is out. */
bool eti__rows_write_alike(const eti_table *table, eti_cells_function add, void *state,
                           size_t first_row, eti_output *output);

#endif
