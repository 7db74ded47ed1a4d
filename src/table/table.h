/*
 * table.h - the one typed table that every view makes and every writer prints.
 *
 * A column has a name and cells; a cell has a kind of its own (see eti_cell), because the
 * Inspector's columns mix numbers and missing values. Rows are either stored, or made each time one is
 * read: a profile may have millions. Cells hold text as views: the caller keeps it alive, or has it
 * copied.
 */
#ifndef ETI_TABLE_TABLE_H
#define ETI_TABLE_TABLE_H

#include "base/arena.h"
#include "base/references.h"
#include "table/cell.h"

typedef struct eti_column {
    eti_text name;
    eti_column_type type;
    eti_column_kind kind;
    bool is_extra; /* see eti_table_column_is_extra() */
    /* Unless it is requested by name, only the Inspector's formats (table, TSV and CSV) have it: it
     * is long, or another column has the same data. */
    bool is_on_request;
    bool gives_heat;  /* shares in whose colours people see texts of the same row ... */
    bool takes_heat;  /* ... which are these */
    bool is_spread;   /* shares that are parts of no whole, but deviations: no bars */
    bool varies;      /* in rows that are alike, see eti_table.count_alike() */
    const char *help; /* half a line: what its cells say; static; NULL: nothing */
    const char *unit; /* of times, as the name ends with it in parentheses; static; NULL: none */
    size_t number;    /* among the columns of eti_table.whole */
} eti_column;

/* Whether cells of such columns may be lists. */
static inline bool eti__column_holds_lists(eti_column_kind kind) {
    return kind == ETI_COLUMN_LIST || kind == ETI_COLUMN_SERIES || kind == ETI_COLUMN_RANGES;
}

/* A row that is being made. */
typedef struct eti_row {
    eti_cell *cells; /* one per column, ETI_CELL_NONE to start with */
    /* cells of columns from here on will not be looked at, and may not be cleared */
    size_t n_wanted;
    const bool *wanted; /* per column: whether its cell will be looked at; NULL: all are */
    eti_arena texts;    /* for texts of this row */
    eti_buffer scratch; /* to build a text in */
} eti_row;

/* Source of rows that are not stored. */
typedef struct eti_row_source {
    bool (*make)(const void *context, size_t row, eti_row *out); /* false: out of memory */
    void (*free)(void *context);
    void *context;
} eti_row_source;

typedef struct eti_row_reader eti_row_reader;

struct eti_table {
    eti_references references;
    eti_kept kept;             /* what rows are read from */
    struct eti_report *report; /* that owns the table, which may borrow from it; NULL: none */
    eti_arena arena;           /* of column names and owned text */
    eti_column *columns;
    size_t n_columns;
    /* cells that a row is made in: one per column, and those that are then hidden */
    size_t row_size;
    size_t n_rows;
    /* The table that rows were chosen from, which lives at least as long; NULL: this one. */
    const eti_table *whole;
    eti_cell *cells; /* stored rows: n_rows x n_columns, by row */
    size_t row_capacity;
    eti_row_source source; /* `make` NULL: rows are stored */
    /* Number of rows from this one on, 1 at least, that differ in no columns but those that vary; NULL: unknown. */
    size_t (*count_alike)(const void *context, size_t row);
    /* Reads `n` numbers of a column that varies, of rows that are alike, in the type of the column. False: some have no value, or
     * the column must be read by cells. NULL: all must. */
    bool (*read_alike)(const void *context, size_t column, size_t row, size_t n, void *out);
    /* "table" and "tsv" put a column with the row's number, from 0 on, and no name in front;
     * "table" only when there are rows. Starts as false. */
    bool index_column;
    /* Which number that is, where rows are in another order than they had, as in pandas; NULL: the place.
     * Borrowed from the table that rows are read from, or owned by its source. */
    const size_t *row_numbers;
    /* That may read rows at the same time: source.make() is called by as many; 0: one. */
    size_t n_threads;
    /* Bytes that a writer may make of it by filling cells with blanks; 0: any number. */
    uint64_t most_drawn;
};

/* Makes an empty table of `n_columns` columns; names are copied, an absent one as "".
 * ETI_ERROR_MEMORY. */
eti_status eti__table_new(eti_table **out, const eti_column *columns, size_t n_columns,
                          eti_error *err) ETI_WARN_UNUSED;

/* Makes a table whose rows a source makes. It owns source.context, even if this fails. */
eti_status eti__table_new_made(eti_table **out, const eti_column *columns, size_t n_columns,
                               size_t n_rows, eti_row_source source,
                               eti_error *err) ETI_WARN_UNUSED;

/* A table of made rows that stands before `base`, and prints as it does except for the cells changed in it: its
 * columns are `n_columns` of any kind, as many rows as it has. */
eti_status eti__table_new_over(eti_table **out, const eti_table *base, const eti_column *columns,
                               size_t n_columns, eti_row_source source,
                               eti_error *err) ETI_WARN_UNUSED;

/* Makes people see the texts of one column in the colours of the shares of another. Names without unit; without either column,
 * nothing is changed. */
void eti__table_give_heat(eti_table *table, const char *shares, const char *texts);

/* Marks the shares of a column as deviations. */
void eti__table_mark_spread(eti_table *table, const char *shares);

/* Appends a row of ETI_CELL_NONE cells, to be filled in: n_columns of them, valid until the next
 * row is added. NULL: out of memory; the table is unchanged. */
eti_cell *eti__table_add_row(eti_table *table);

/* Copies `text` into the arena, as UTF-8; other bytes become U+FFFD. False when memory is out. */
bool eti__arena_own_text(eti_arena *arena, eti_text text, eti_text *out);
/* Copies `text` into the arena of the table. */
bool eti__table_own_text(eti_table *table, eti_text text, eti_text *out);

/* Makes the text built in row->scratch one of the row, and empties the scratch; false when memory is out. */
bool eti__row_take_text(eti_row *row, eti_text *out);
/* The same as a cell of this kind, ETI_CELL_TEXT or ETI_CELL_LIST; its items stay. */
bool eti__row_take_cell(eti_row *row, eti_cell_kind kind, eti_cell *cell);

/* ---- reading --------------------------------------------------------------------------------- */

/* A cursor over a table's rows; there may be several at a time. */
struct eti_row_reader {
    const eti_table *table;
    eti_row row;
    size_t at;   /* the row that was made last; SIZE_MAX: none */
    bool failed; /* memory was out: rows are missing */
};

/* Reads all columns; set row.wanted to read fewer. False when memory is out. */
bool eti__row_reader_open(eti_row_reader *out, const eti_table *table);
/* The cells of a row, which are valid until another one is read. When memory is out `failed` is set, here
 * and for good, and all cells are ETI_CELL_NONE. */
const eti_cell *eti__row_reader_read(eti_row_reader *reader, size_t row);
void eti__row_reader_close(eti_row_reader *reader);

/* Number of rows from this one on that differ only in columns that vary; 1 at least. */
static inline size_t eti__table_count_alike(const eti_table *table, size_t row) {
    return table->count_alike ? table->count_alike(table->source.context, row) : 1;
}

/* Makes a row of the table in `out`, whose cells are ETI_CELL_NONE and `table->row_size` in number, for a
 * table whose rows are made of those of this one. False when memory is out. */
bool eti__table_make_row(const eti_table *table, size_t row, eti_row *out);

/* Content of the index column. */
static inline size_t eti__table_row_number(const eti_table *table, size_t row) {
    return table->row_numbers ? table->row_numbers[row] : row;
}

#endif
