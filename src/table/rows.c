#include "table/rows.h"

#include "base/parallel.h"

#include <stdlib.h>

/* Text that a thread gathers before it is written: enough that starting a thread costs little. */
#define TEXT_BYTES ((size_t)512 << 10)

/* The rows [first, end), which one thread takes. */
typedef struct rows_part {
    size_t first, end;
    eti_row_reader rows;
    eti_buffer text;
} rows_part;

typedef struct rows_walk {
    const eti_table *table;
    eti_row_function take;
    char *states;
    size_t state_size;
    rows_part *parts;
    size_t n_parts;
    size_t rows_per_part;
} rows_walk;

size_t eti__rows_thread_count(const eti_table *table) {
    size_t n = table->n_threads < ETI_MAX_THREADS ? table->n_threads : ETI_MAX_THREADS;
    if (n > table->n_rows)
        n = table->n_rows;
    return n > 0 ? n : 1;
}

static void take_part(void *context, size_t i) {
    rows_walk *walk = context;
    rows_part *part = &walk->parts[i];
    void *state = walk->states + i * walk->state_size;
    for (size_t row = part->first; row < part->end; row++) {
        const eti_cell *cells = eti__row_reader_read(&part->rows, row);
        if (part->rows.failed || part->text.failed)
            return;
        walk->take(state, row, cells, &part->text);
    }
}

/* Shares out the next rows; returns the first that is left. */
static size_t share_rows(rows_walk *walk, size_t row) {
    size_t left = walk->table->n_rows - row;
    size_t share = (left + walk->n_parts - 1) / walk->n_parts;
    if (share > walk->rows_per_part)
        share = walk->rows_per_part;
    for (size_t i = 0; i < walk->n_parts; i++) {
        walk->parts[i].first = row;
        row += share < walk->table->n_rows - row ? share : walk->table->n_rows - row;
        walk->parts[i].end = row;
    }
    return row;
}

static bool is_out_of_memory(const rows_walk *walk) {
    for (size_t i = 0; i < walk->n_parts; i++) {
        if (walk->parts[i].rows.failed || walk->parts[i].text.failed)
            return true;
    }
    return false;
}

/* Returns how much text that was. */
static size_t write_text(rows_walk *walk, eti_output *output) {
    size_t size = 0;
    for (size_t i = 0; i < walk->n_parts; i++) {
        eti_buffer *text = &walk->parts[i].text;
        eti__output_add(output, text->data, text->size);
        size += text->size;
        text->size = 0;
    }
    return size;
}

static void close_part(rows_part *part) {
    eti__row_reader_close(&part->rows);
    eti__buffer_free(&part->text);
}

/* Rows of some thousand samples are large. What is held should not be: rather one thread than one such row
 * for each. */
static void set_pace(rows_walk *walk, size_t size) {
    size_t much = walk->n_parts * TEXT_BYTES;
    if (size < much / 2)
        walk->rows_per_part *= 2;
    else if (size > much && walk->rows_per_part > 1)
        walk->rows_per_part /= 2;
    while (size > much && walk->rows_per_part == 1 && walk->n_parts > 1)
        close_part(&walk->parts[--walk->n_parts]);
}

static bool take_all(rows_walk *walk, eti_output *output) {
    for (size_t row = 0; row < walk->table->n_rows && !eti__output_failed(output);) {
        row = share_rows(walk, row);
        eti__parallel(walk->n_parts, take_part, walk);
        if (is_out_of_memory(walk))
            return false;
        set_pace(walk, write_text(walk, output));
    }
    return true;
}

bool eti__rows_each(const eti_table *table, eti_row_function take, void *states, size_t state_size,
                    eti_output *output) {
    size_t n = eti__rows_thread_count(table), n_open = 0;
    rows_walk walk = {
        .table = table,
        .take = take,
        .states = states,
        .state_size = state_size,
        .parts = calloc(n, sizeof *walk.parts),
        .n_parts = n,
        .rows_per_part = 1,
    };
    while (walk.parts && n_open < n && eti__row_reader_open(&walk.parts[n_open].rows, table))
        n_open++;
    bool done = n_open == n && take_all(&walk, output);
    for (size_t i = 0; i < n_open; i++)
        close_part(&walk.parts[i]);
    free(walk.parts);
    return done;
}
