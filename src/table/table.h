/*
 * table.h - the one typed table that every view makes and every writer prints.
 *
 * A column has a name and cells; a cell has a kind of its own (see eti_cell), because the Inspector's columns mix numbers
 * and missing values. Rows are either stored, or made each time one is read, because a profile may have millions. Cells
 * borrow text: the caller keeps it alive, or has it copied.
 */
#ifndef ETI_TABLE_TABLE_H
#define ETI_TABLE_TABLE_H

#include "base/arena.h"
#include "base/text.h"
#include "table/cell.h"

typedef struct eti_column {
    eti_text name;
    eti_column_type type;
    eti_column_kind kind;
    bool is_extra; /* see eti_table_column_is_extra() */
    /* Unless it is requested by name, only the Inspector's formats (table, TSV and CSV) have it: it
     * is long, or another column has the same data. */
    bool is_on_request;
    bool gives_heat; /* shares whose colours are given to texts of the same row ... */
    bool takes_heat; /* ... which are these */
    /* Texts that rows may have in common, and texts by which people distinguish such rows: formats for people show the
     * labels of those (eti__named_cell()), and these next to them, even if they are extra. */
    bool is_distinguished, distinguishes;
    bool is_spread;   /* shares that are deviations, not parts of a whole: no bars */
    bool varies;      /* in rows that are alike, see eti_table.count_alike() */
    const char *help; /* half a line that describes its cells; static; NULL: none */
    const char *unit; /* of times; the name ends with it in parentheses; static; NULL: none */
    size_t number;    /* among the columns of eti_table.whole */
} eti_column;

/* Returns whether cells of such columns may be lists. */
static inline bool eti__column_holds_lists(eti_column_kind kind) {
    return kind == ETI_COLUMN_LIST || kind == ETI_COLUMN_SERIES || kind == ETI_COLUMN_RANGES;
}

/* A row that is being made. */
typedef struct eti_row {
    eti_cell *cells; /* one per column, ETI_CELL_NONE to start with */
    /* number of first columns whose cells are read; other cells may be left uncleared */
    size_t n_wanted;
    const bool *wanted; /* per column: whether its cell will be read; NULL: all are */
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
    eti_kept kept;             /* object that rows are read from */
    struct eti_report *report; /* owner of the table, which may borrow from it; NULL: none */
    eti_arena arena;           /* of column names and owned text */
    eti_column *columns;
    size_t n_columns;
    /* number of cells in which a row is made: one per column, and those of hidden columns */
    size_t row_size;
    size_t n_rows;
    /* The table from which rows were chosen, which lives at least as long; NULL: this one. */
    const eti_table *whole;
    eti_cell *cells; /* stored rows: n_rows x n_columns, by row */
    size_t row_capacity;
    eti_row_source source; /* `make` NULL: rows are stored */
    /* Returns the number of rows from this one on, at least 1, that differ only in columns that vary; NULL: unknown. */
    size_t (*count_alike)(const void *context, size_t row);
    /* Reads `n` numbers of a column that varies, of rows that are alike, in the type of the column. Returns false if a row
     * has no value, or if the column must be read cell by cell. NULL: all columns must. */
    bool (*read_alike)(const void *context, size_t column, size_t row, size_t n, void *out);
    /* Whether "table" and "tsv" begin with a column without a name that has the row's number, from
     * 0; "table" only if there are rows. Starts as false. */
    bool index_column;
    /* Numbers for that column if rows are not in their original order, as in pandas; NULL: the index of the row. Borrowed
     * from the table that rows are read from, or owned by its source. */
    const size_t *row_numbers;
    /* Number of threads that may call source.make() at the same time; 0: one. */
    size_t n_threads;
    /* Largest number of bytes that a writer may write by padding cells with blanks; 0: no limit. */
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

/* Makes a table of made rows over `base`, with its number of rows and its other properties, but with these `n_columns`
 * columns, whose cells may differ. */
eti_status eti__table_new_over(eti_table **out, const eti_table *base, const eti_column *columns,
                               size_t n_columns, eti_row_source source,
                               eti_error *err) ETI_WARN_UNUSED;

/* Makes people see the texts of one column in the colours of the shares of another. The names are without unit; if either
 * column is missing, nothing changes. */
void eti__table_give_heat(eti_table *table, const char *shares, const char *texts);

/* Makes people see the labels of the texts of a column, which do not suffice to distinguish the rows, and next to them
 * the texts of an extra column, `by`, unless it is NULL or missing. */
void eti__table_distinguish(eti_table *table, const char *texts, const char *by);

/* Marks the shares of a column as deviations. */
void eti__table_mark_spread(eti_table *table, const char *shares);

/* Appends a row of ETI_CELL_NONE cells, to be filled in: n_columns of them, valid until the next
 * row is added. NULL: out of memory; the table is unchanged. */
eti_cell *eti__table_add_row(eti_table *table);

/* Copies `text` into the arena, as UTF-8; other bytes become U+FFFD. False: out of memory. */
bool eti__arena_own_text(eti_arena *arena, eti_text text, eti_text *out);
/* Copies `text` into the arena of the table. */
bool eti__table_own_text(eti_table *table, eti_text text, eti_text *out);

/* Makes the text built in row->scratch a text of the row, and empties the scratch. False: out of memory. */
bool eti__row_take_text(eti_row *row, eti_text *out);
/* Does the same for a cell of this kind, ETI_CELL_TEXT or ETI_CELL_LIST; keeps its items. */
bool eti__row_take_cell(eti_row *row, eti_cell_kind kind, eti_cell *cell);

/* ---- reading --------------------------------------------------------------------------------- */

/* A cursor over a table's rows; there may be several at a time. */
struct eti_row_reader {
    const eti_table *table;
    eti_row row;
    size_t at;   /* the last row that was made; SIZE_MAX: none */
    bool failed; /* out of memory: rows are missing */
};

/* Opens a reader of all columns; set row.wanted to read fewer. False: out of memory. */
bool eti__row_reader_open(eti_row_reader *out, const eti_table *table);
/* Returns the cells of a row, which are valid until another row is read. If memory runs out, `failed` is set and stays set,
 * and all cells are ETI_CELL_NONE. */
const eti_cell *eti__row_reader_read(eti_row_reader *reader, size_t row);
void eti__row_reader_close(eti_row_reader *reader);

/* Returns the number of rows from this one on that differ only in columns that vary; at least 1. */
static inline size_t eti__table_count_alike(const eti_table *table, size_t row) {
    return table->count_alike ? table->count_alike(table->source.context, row) : 1;
}

/* Makes a row of the table in `out`, for a table whose rows are made from those of this one. `out` has `table->row_size`
 * cells, all ETI_CELL_NONE. False: out of memory. */
bool eti__table_make_row(const eti_table *table, size_t row, eti_row *out);

/* Returns the content of the index column. */
static inline size_t eti__table_row_number(const eti_table *table, size_t row) {
    return table->row_numbers ? table->row_numbers[row] : row;
}

#endif
