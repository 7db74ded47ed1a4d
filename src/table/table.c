#include "table/table.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_ROWS 16

/* ---- making ---------------------------------------------------------------------------------- */

static bool copy_columns(eti_table *table, const eti_column *columns, size_t n) {
    table->columns = eti__arena_alloc_zero(&table->arena, n, sizeof *table->columns);
    if (!table->columns)
        return false;
    for (size_t i = 0; i < n; i++) {
        eti_text name = columns[i].name.data ? columns[i].name : (eti_text){"", 0};
        table->columns[i] = columns[i];
        table->columns[i].number = i;
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

bool eti__arena_own_text(eti_arena *arena, eti_text text, eti_text *out) {
    if (!text.data || eti__text_valid_utf8(text) == text.size)
        return eti__arena_copy_text(arena, text, out);
    eti_buffer repaired = {0};
    eti__buffer_add_utf8(&repaired, text);
    bool fits = !repaired.failed && eti__arena_copy_text(arena, eti__buffer_text(&repaired), out);
    eti__buffer_free(&repaired);
    return fits;
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
