/*
 * rows.h - goes through the rows of a table, on as many threads as may read it, and joins their text in the order of the
 * rows. The bytes are the same for any number of threads.
 */
#ifndef ETI_TABLE_ROWS_H
#define ETI_TABLE_ROWS_H

#include "base/output.h"
#include "base/text.h"
#include "table/table.h"

/* Reads a row, and appends its text to `out`. */
typedef void (*eti_row_function)(void *state, size_t row, const eti_cell *cells, eti_buffer *out);

/* Returns the number of threads, at least 1. */
size_t eti__rows_thread_count(const eti_table *table);

/* Calls `take` for every row. Each thread takes its rows in order, with a state of its own: `states` has `state_size` bytes
 * for each thread; 0: all threads share one state that no call changes. Stops early if the output fails. False: out of
 * memory. */
bool eti__rows_each(const eti_table *table, eti_row_function take, void *states, size_t state_size,
                    eti_output *output);

/* Appends the cells [first, end) of a row to `out`; puts the beginning of the line before the first cell, and the end of the
 * line after the last. `first` < `end`. */
typedef void (*eti_cells_function)(void *state, size_t row, const eti_cell *cells, size_t first,
                                   size_t end, eti_buffer *out);

/* Writes every row, in this thread. For rows that are alike, makes and formats only the cells that vary. For `add`, rows are
 * numbered from `first_row`; row 0 may begin differently from all others. Stops early if the output fails. False: out of
 * memory. */
bool eti__rows_write_alike(const eti_table *table, eti_cells_function add, void *state,
                           size_t first_row, eti_output *output);

#endif
