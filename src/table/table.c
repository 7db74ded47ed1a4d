#include "table/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ==== table =================================================================================== */

#define FIRST_ROWS 16

/* ---- making ---------------------------------------------------------------------------------- */

static bool is_name_of_paths(eti_text name) {
    static const char *const names[] = {"source", "line", "lines", "path", "file", "source_file"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (eti__text_is(name, names[i]))
            return true;
    }
    return false;
}

static bool copy_columns(eti_table *table, const eti_column *columns, size_t n) {
    table->columns = eti__arena_alloc_zero(&table->arena, n, sizeof *table->columns);
    if (!table->columns)
        return false;
    for (size_t i = 0; i < n; i++) {
        eti_text name = columns[i].name.data ? columns[i].name : (eti_text){"", 0};
        table->columns[i] = columns[i];
        table->columns[i].number = i;
        table->columns[i].is_path = is_name_of_paths(name);
        if (!eti__table_own_text(table, name, &table->columns[i].name))
            return false;
    }
    table->n_columns = n;
    table->row_size = n;
    return true;
}

eti_status eti__table_new(eti_table **out, const eti_column *columns, size_t n_columns,
                          eti_error *err) {
    *out = NULL;
    eti_table *table = calloc(1, sizeof *table);
    if (!table || !copy_columns(table, columns, n_columns)) {
        eti_table_free(table);
        return eti_fail_memory(err);
    }
    *out = table;
    return ETI_OK;
}

void eti__table_give_heat(eti_table *table, const char *shares, const char *texts) {
    for (size_t i = 0; i < table->n_columns; i++) {
        eti_column *column = &table->columns[i];
        if (eti__text_equal(column->name, eti__text_of(shares)))
            column->gives_heat = true;
        if (eti__text_equal(column->name, eti__text_of(texts)))
            column->takes_heat = true;
    }
}

void eti__table_distinguish(eti_table *table, const char *texts, const char *by) {
    for (size_t i = 0; i < table->n_columns; i++) {
        eti_column *column = &table->columns[i];
        if (eti__text_equal(column->name, eti__text_of(texts)))
            column->is_distinguished = true;
        if (by && eti__text_equal(column->name, eti__text_of(by)))
            column->distinguishes = true;
    }
}

void eti__table_cut_first(eti_table *table, const char *texts) {
    for (size_t i = 0; i < table->n_columns; i++) {
        if (eti__text_equal(table->columns[i].name, eti__text_of(texts)))
            table->columns[i].is_cut_first = true;
    }
}

void eti__table_mark_findings(eti_table *table, const char *texts) {
    for (size_t i = 0; i < table->n_columns; i++) {
        if (eti__text_equal(table->columns[i].name, eti__text_of(texts)))
            table->columns[i].is_finding = true;
    }
}

void eti__table_mark_spread(eti_table *table, const char *shares) {
    for (size_t i = 0; i < table->n_columns; i++) {
        if (eti__text_equal(table->columns[i].name, eti__text_of(shares)))
            table->columns[i].is_spread = true;
    }
}

/* Doubles the room for rows; false: out of memory, or the size overflows. */
static bool grow(eti_table *table) {
    size_t row_bytes = (table->n_columns ? table->n_columns : 1) * sizeof *table->cells;
    size_t rows = table->row_capacity ? table->row_capacity : FIRST_ROWS / 2;
    if (row_bytes / sizeof *table->cells < table->n_columns || rows > SIZE_MAX / 2 / row_bytes)
        return false;
    eti_cell *cells = realloc(table->cells, rows * 2 * row_bytes);
    if (!cells)
        return false;
    table->cells = cells;
    table->row_capacity = rows * 2;
    return true;
}

static void clear_cells(eti_cell *cells, size_t n) {
    for (size_t i = 0; i < n; i++)
        cells[i] = (eti_cell){.kind = ETI_CELL_NONE};
}

eti_cell *eti__table_add_row(eti_table *table) {
    if (table->n_rows == table->row_capacity && !grow(table))
        return NULL;
    eti_cell *row = table->cells + table->n_rows * table->n_columns;
    clear_cells(row, table->n_columns);
    table->n_rows++;
    return row;
}

bool eti__table_own_text(eti_table *table, eti_text text, eti_text *out) {
    return eti__arena_own_text(&table->arena, text, out);
}

eti_status eti__table_new_made(eti_table **out, const eti_column *columns, size_t n_columns,
                               size_t n_rows, eti_row_source source, eti_error *err) {
    eti_status status = eti__table_new(out, columns, n_columns, err);
    if (status != ETI_OK) {
        if (source.free)
            source.free(source.context);
        return status;
    }
    (*out)->n_rows = n_rows;
    (*out)->source = source;
    return ETI_OK;
}

eti_status eti__table_new_over(eti_table **out, const eti_table *base, const eti_column *columns,
                               size_t n_columns, eti_row_source source, eti_error *err) {
    ETI_TRY(eti__table_new_made(out, columns, n_columns, base->n_rows, source, err));
    (*out)->index_column = base->index_column;
    (*out)->row_numbers = base->row_numbers;
    (*out)->n_threads = base->n_threads;
    (*out)->most_drawn = base->most_drawn;
    (*out)->whole = base->whole ? base->whole : base;
    for (size_t i = 0; i < n_columns; i++)
        (*out)->columns[i].number = columns[i].number;
    if (base->row_size > n_columns)
        (*out)->row_size = base->row_size;
    return ETI_OK;
}

void eti_table_free(eti_table *table) {
    if (!table || !eti__references_drop(&table->references))
        return;
    if (table->source.free)
        table->source.free(table->source.context);
    eti__kept_drop(&table->kept);
    eti__arena_free(&table->arena);
    free(table->cells);
    free(table);
}

bool eti__row_take_text(eti_row *row, eti_text *out) {
    bool taken = !row->scratch.failed &&
                 eti__arena_copy_text(&row->texts, eti__buffer_text(&row->scratch), out);
    row->scratch.size = 0;
    return taken;
}

bool eti__row_take_cell(eti_row *row, eti_cell_kind kind, eti_cell *cell) {
    cell->kind = kind;
    return eti__row_take_text(row, &cell->as_text);
}

/* ---- reading --------------------------------------------------------------------------------- */

bool eti__row_reader_open(eti_row_reader *out, const eti_table *table) {
    *out = (eti_row_reader){.table = table, .at = SIZE_MAX};
    if (!table->source.make)
        return true;
    out->row.n_wanted = table->n_columns;
    out->row.cells = calloc(table->row_size + 1, sizeof *out->row.cells);
    return out->row.cells != NULL;
}

const eti_cell *eti__row_reader_read(eti_row_reader *reader, size_t row) {
    const eti_table *table = reader->table;
    if (!table->source.make)
        return table->cells + row * table->n_columns;
    if (reader->at == row)
        return reader->row.cells;
    reader->at = row;
    reader->row.scratch.size = 0;
    eti__arena_reset(&reader->row.texts);
    clear_cells(reader->row.cells, table->n_columns);
    if (reader->failed || !table->source.make(table->source.context, row, &reader->row)) {
        reader->failed = true;
        clear_cells(reader->row.cells, table->n_columns);
    }
    return reader->row.cells;
}

void eti__row_reader_close(eti_row_reader *reader) {
    eti__arena_free(&reader->row.texts);
    eti__buffer_free(&reader->row.scratch);
    free(reader->row.cells);
    reader->row.cells = NULL;
}

bool eti__table_make_row(const eti_table *table, size_t row, eti_row *out) {
    if (table->source.make)
        return table->source.make(table->source.context, row, out);
    size_t n = out->n_wanted < table->n_columns ? out->n_wanted : table->n_columns;
    if (n > 0)
        memcpy(out->cells, table->cells + row * table->n_columns, n * sizeof *out->cells);
    return true;
}

size_t eti_table_row_count(const eti_table *table) {
    return table->n_rows;
}

size_t eti_table_column_count(const eti_table *table) {
    return table->n_columns;
}

eti_text eti_table_column_name(const eti_table *table, size_t column) {
    return column < table->n_columns ? table->columns[column].name : (eti_text){NULL, 0};
}

eti_column_kind eti_table_column_kind(const eti_table *table, size_t column) {
    return column < table->n_columns ? table->columns[column].kind : ETI_COLUMN_TEXT;
}

eti_column_type eti_table_column_type(const eti_table *table, size_t column) {
    return column < table->n_columns ? table->columns[column].type : ETI_TYPE_UTF8;
}

bool eti_table_column_is_extra(const eti_table *table, size_t column) {
    return column < table->n_columns && table->columns[column].is_extra;
}

const char *eti_table_column_help(const eti_table *table, size_t column) {
    return column < table->n_columns ? table->columns[column].help : NULL;
}

const char *eti_column_kind_name(eti_column_kind kind) {
    static const char *const names[] = {
        [ETI_COLUMN_TEXT] = "text",   [ETI_COLUMN_LIST] = "list",
        [ETI_COLUMN_COUNT] = "count", [ETI_COLUMN_NUMBER] = "number",
        [ETI_COLUMN_TIME] = "time",   [ETI_COLUMN_SHARE] = "share",
        [ETI_COLUMN_BYTES] = "bytes", [ETI_COLUMN_CHANGE] = "change",
        [ETI_COLUMN_MARK] = "mark",   [ETI_COLUMN_SERIES] = "series",
        [ETI_COLUMN_UNIT] = "unit",   [ETI_COLUMN_RANGES] = "ranges",
    };
    return (size_t)kind < sizeof names / sizeof *names ? names[kind] : NULL;
}

/* ==== cell ==================================================================================== */

/* ---- accessors of etinspect.h ---------------------------------------------------------------- */

eti_cell_kind eti_cell_kind_of(const eti_cell *cell) {
    return cell->kind;
}

bool eti_cell_as_bool(const eti_cell *cell) {
    return cell->kind == ETI_CELL_BOOL && cell->as_bool;
}

int64_t eti_cell_as_int(const eti_cell *cell) {
    return cell->kind == ETI_CELL_INT ? cell->as_int : 0;
}

double eti_cell_as_double(const eti_cell *cell) {
    if (cell->kind == ETI_CELL_INT)
        return (double)cell->as_int;
    return cell->kind == ETI_CELL_DOUBLE ? cell->as_double : NAN;
}

eti_text eti_cell_as_text(const eti_cell *cell) {
    return cell->as_text;
}

size_t eti_cell_item_count(const eti_cell *cell) {
    return eti_cell_items(cell) ? cell->n_items : 0;
}

const void *eti_cell_items(const eti_cell *cell) {
    bool has_items = cell->kind == ETI_CELL_LIST || cell->kind >= ETI_CELL_DOUBLES;
    return has_items ? cell->items : NULL;
}

/* ---- values of a column's type --------------------------------------------------------------- */

bool eti__cell_read_double(const eti_cell *cell, double *out) {
    *out = eti_cell_as_double(cell);
    return cell->kind == ETI_CELL_DOUBLE || cell->kind == ETI_CELL_INT;
}

bool eti__cell_read_int(const eti_cell *cell, int64_t *out) {
    *out = cell->kind == ETI_CELL_BOOL ? cell->as_bool : eti_cell_as_int(cell);
    return cell->kind == ETI_CELL_BOOL || cell->kind == ETI_CELL_INT;
}

bool eti__cell_read_uint(const eti_cell *cell, uint64_t *out) {
    bool is_large = cell->kind == ETI_CELL_DOUBLE && cell->as_int < 0; /* see eti__count_cell() */
    bool found = is_large || (cell->kind == ETI_CELL_INT && cell->as_int >= 0);
    *out = found ? (uint64_t)cell->as_int : 0;
    return found;
}

/* ==== reader ================================================================================== */

/* Implements the functions of etinspect.h that read tables: one cell at a time, or many values of a
 * column. */

struct eti_table_reader {
    eti_row_reader rows;
};

eti_status eti_table_reader_open(eti_table_reader **out, const eti_table *table, eti_error *err) {
    *out = calloc(1, sizeof **out);
    if (*out && eti__row_reader_open(&(*out)->rows, table))
        return ETI_OK;
    free(*out);
    *out = NULL;
    return eti_fail_memory(err);
}

const eti_cell *eti_table_reader_cell(eti_table_reader *reader, size_t row, size_t column) {
    const eti_table *table = reader->rows.table;
    if (row >= table->n_rows || column >= table->n_columns)
        return NULL;
    const eti_cell *cells = eti__row_reader_read(&reader->rows, row);
    return reader->rows.failed ? NULL : &cells[column];
}

void eti_table_reader_close(eti_table_reader *reader) {
    if (!reader)
        return;
    eti__row_reader_close(&reader->rows);
    free(reader);
}

/* ---- a column at once ------------------------------------------------------------------------ */

/* Destination of values. */
typedef struct column_values {
    bool are_ints;
    double *doubles;
    int64_t *ints;
    bool *is_valid; /* may be NULL */
} column_values;

static bool has_type(const eti_table *table, size_t column, const column_values *values) {
    switch (table->columns[column].type) {
    case ETI_TYPE_INT32:
    case ETI_TYPE_INT64:
        return true;
    case ETI_TYPE_BOOL:
        return values->are_ints;
    case ETI_TYPE_UINT64:
    case ETI_TYPE_FLOAT64:
        return !values->are_ints;
    default:
        return false;
    }
}

static eti_status check_range(const eti_table *table, size_t column, size_t first, size_t n,
                              const column_values *values, eti_error *err) {
    if (column >= table->n_columns)
        return eti_fail(err, ETI_ERROR_USAGE, "the table has %zu columns: there is no column %zu",
                        table->n_columns, column);
    if (first > table->n_rows || n > table->n_rows - first)
        return eti_fail(err, ETI_ERROR_USAGE,
                        "the table has %zu rows: there are no %zu rows from row %zu", table->n_rows,
                        n, first);
    if (!has_type(table, column, values))
        return eti_fail(
            err, ETI_ERROR_USAGE, "column %.*s does not have a type that can be read as %s",
            ETI_TEXT_ARGS(table->columns[column].name), values->are_ints ? "int64_t" : "double");
    return ETI_OK;
}

static void take_value(const eti_cell *cell, const column_values *values, size_t i) {
    bool is_valid = values->are_ints ? eti__cell_read_int(cell, &values->ints[i])
                                     : eti__cell_read_double(cell, &values->doubles[i]);
    if (values->is_valid)
        values->is_valid[i] = is_valid;
}

/* Reads values; only the cells of this column are made. */
static eti_status read_values(const eti_table *table, size_t column, size_t first, size_t n,
                              const column_values *values, eti_error *err) {
    ETI_TRY(check_range(table, column, first, n, values, err));
    eti_row_reader rows;
    bool *wanted = calloc(table->n_columns, sizeof *wanted);
    if (!wanted || !eti__row_reader_open(&rows, table)) {
        free(wanted);
        return eti_fail_memory(err);
    }
    wanted[column] = true;
    rows.row.wanted = wanted;
    for (size_t i = 0; i < n && !rows.failed; i++)
        take_value(&eti__row_reader_read(&rows, first + i)[column], values, i);
    bool failed = rows.failed;
    eti__row_reader_close(&rows);
    free(wanted);
    return failed ? eti_fail_memory(err) : ETI_OK;
}

eti_status eti_table_read_doubles(const eti_table *table, size_t column, size_t first_row,
                                  size_t n_rows, double *out, bool *is_valid, eti_error *err) {
    const column_values values = {.doubles = out, .is_valid = is_valid};
    return read_values(table, column, first_row, n_rows, &values, err);
}

eti_status eti_table_read_ints(const eti_table *table, size_t column, size_t first_row,
                               size_t n_rows, int64_t *out, bool *is_valid, eti_error *err) {
    const column_values values = {.are_ints = true, .ints = out, .is_valid = is_valid};
    return read_values(table, column, first_row, n_rows, &values, err);
}

/* ==== rows ==================================================================================== */

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
