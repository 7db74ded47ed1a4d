#include "table/rows.h"

#include <stdlib.h>

/* Bytes of text that a thread collects before they are written: enough to make the cost of starting a thread small. */
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

/* Divides the next rows among the parts; returns the first row after them. */
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

/* Writes the text of all parts; returns its size. */
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

/* Adapts the number of rows per part to the size of the last text. Rows with thousands of samples
 * are large; rather than hold such a row for each thread, uses fewer threads. */
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

/* ---- rows that are alike --------------------------------------------------------------------- */

/* Lines of rows that are alike. */
typedef struct alike_lines {
    const eti_table *table;
    eti_cells_function add;
    void *state;
    size_t first_row;
    size_t first, end; /* range [first, end) of columns that includes all that vary */
    bool *wanted;      /* per column: whether it is in that range */
    eti_row_reader rows;
    eti_buffer text;
    eti_buffer before, after; /* of the last line that was written */
} alike_lines;

/* Returns false if out of memory. */
static bool find_varying(alike_lines *lines) {
    const eti_table *table = lines->table;
    lines->wanted = calloc(table->n_columns + 1, sizeof *lines->wanted);
    lines->first = table->n_columns;
    for (size_t i = 0; i < table->n_columns; i++) {
        if (!table->columns[i].varies)
            continue;
        if (lines->first == table->n_columns)
            lines->first = i;
        lines->end = i + 1;
    }
    if (lines->first == table->n_columns)
        lines->end = table->n_columns;
    for (size_t i = lines->first; lines->wanted && i < lines->end; i++)
        lines->wanted[i] = true;
    return lines->wanted != NULL;
}

static void add_cells(alike_lines *lines, size_t row, const eti_cell *cells, size_t first,
                      size_t end) {
    if (first < end)
        lines->add(lines->state, lines->first_row + row, cells, first, end, &lines->text);
}

/* Writes a line, and keeps its beginning and end, which the next rows share. */
static void add_first(alike_lines *lines, size_t row, const eti_cell *cells) {
    eti_buffer *text = &lines->text;
    size_t begin = text->size;
    add_cells(lines, row, cells, 0, lines->first);
    size_t middle = text->size;
    add_cells(lines, row, cells, lines->first, lines->end);
    size_t behind = text->size;
    add_cells(lines, row, cells, lines->end, lines->table->n_columns);
    lines->before.size = 0;
    lines->after.size = 0;
    if (text->failed)
        return;
    eti__buffer_add(&lines->before, text->data + begin, middle - begin);
    eti__buffer_add(&lines->after, text->data + behind, text->size - behind);
}

static void add_next(alike_lines *lines, size_t row, const eti_cell *cells) {
    eti__buffer_add(&lines->text, lines->before.data, lines->before.size);
    add_cells(lines, row, cells, lines->first, lines->end);
    eti__buffer_add(&lines->text, lines->after.data, lines->after.size);
}

static bool has_failed(const alike_lines *lines) {
    return lines->rows.failed || lines->text.failed || lines->before.failed || lines->after.failed;
}

/* Returns the row after those that begin and end like `row`. Row 0 is alone: its line may begin differently, without a
 * comma. */
static size_t find_end_alike(const alike_lines *lines, size_t row) {
    return lines->first_row + row == 0 ? 1 : row + eti__table_count_alike(lines->table, row);
}

/* Returns false if out of memory. */
static bool write_lines(alike_lines *lines, eti_output *output) {
    size_t n_rows = lines->table->n_rows, end_alike = 0;
    for (size_t row = 0; row < n_rows && !eti__output_failed(output); row++) {
        bool is_first = row >= end_alike;
        if (is_first)
            end_alike = find_end_alike(lines, row);
        lines->rows.row.wanted = is_first ? NULL : lines->wanted;
        const eti_cell *cells = eti__row_reader_read(&lines->rows, row);
        if (is_first)
            add_first(lines, row, cells);
        else
            add_next(lines, row, cells);
        if (has_failed(lines))
            return false;
        if (lines->text.size < TEXT_BYTES && row + 1 < n_rows)
            continue;
        eti__output_add(output, lines->text.data, lines->text.size);
        lines->text.size = 0;
    }
    return true;
}

bool eti__rows_write_alike(const eti_table *table, eti_cells_function add, void *state,
                           size_t first_row, eti_output *output) {
    alike_lines lines = {.table = table, .add = add, .state = state, .first_row = first_row};
    bool done = find_varying(&lines) && eti__row_reader_open(&lines.rows, table);
    if (done) {
        done = write_lines(&lines, output);
        eti__row_reader_close(&lines.rows);
    }
    eti__buffer_free(&lines.text);
    eti__buffer_free(&lines.before);
    eti__buffer_free(&lines.after);
    free(lines.wanted);
    return done;
}
