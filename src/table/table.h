/*
 * table.h - typed columns and rows, selection, reports of tables, Arrow.
 */
#ifndef ETI_TABLE_TABLE_H
#define ETI_TABLE_TABLE_H

#include "base/arena.h"
#include "base/files.h"
#include "base/json_writer.h"
#include "base/numbers.h"
#include "base/output.h"
#include "base/text.h"
#include "digest/digest.h"
#include "etinspect.h"

#include <math.h>
#include <stdint.h>

/* ==== table =================================================================================== */
/* The one typed table that every view makes and every writer prints.
 *
 * A column has a name and cells; a cell has a kind of its own (see eti_cell), because the
 * Inspector's columns mix numbers and missing values. Rows are either stored, or made each time
 * one is read, because a profile may have millions. Cells borrow text: the caller keeps it alive,
 * or has it copied. */

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
    bool is_path;      /* texts are paths or lines of files, which people read from the end */
    bool is_cut_first; /* people see parts of its texts before columns are left out */
    bool is_spread;    /* shares that are deviations, not parts of a whole: no bars */
    bool varies;       /* in rows that are alike, see eti_table.count_alike() */
    bool is_finding;   /* texts are verdicts or sentences, which change with the numbers */
    bool is_counter;   /* numbers that the program counted, under its own name for them */
    const char *help;  /* half a line that describes its cells; static; NULL: none */
    const char *unit;  /* of times; the name ends with it in parentheses; static; NULL: none */
    size_t number;     /* among the columns of eti_table.whole */
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

/* A number without a unit that a filter compared with a column. */
typedef struct eti_compared {
    eti_text name; /* of the column, without unit */
    eti_column_kind kind;
    size_t column; /* in the table before the selection */
    double number;
    bool has_large; /* a cell of the column has 1024 or more, so that bytes have a larger unit */
} eti_compared;

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
    /* Numbers of the filter that chose the rows; in the arena. */
    const eti_compared *compared;
    size_t n_compared;
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

/* Makes formats for people cut the texts of a column, to 12 characters at least, before they leave out columns. */
void eti__table_cut_first(eti_table *table, const char *texts);

/* Marks the texts of a column as findings: verdicts or sentences. */
void eti__table_mark_findings(eti_table *table, const char *texts);

/* Marks the shares of a column as deviations. */
void eti__table_mark_spread(eti_table *table, const char *shares);

/* Appends a row of ETI_CELL_NONE cells, to be filled in: n_columns of them, valid until the next
 * row is added. NULL: out of memory; the table is unchanged. */
eti_cell *eti__table_add_row(eti_table *table);

/* Copies `text` into the arena of the table, as UTF-8. False: out of memory. */
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

/* Makes a row of the table in `out`, for a table whose rows are made from those of this one. `out` has `table->row_size`
 * cells, all ETI_CELL_NONE. False: out of memory. */
bool eti__table_make_row(const eti_table *table, size_t row, eti_row *out);

/* Returns the content of the index column. */
static inline size_t eti__table_row_number(const eti_table *table, size_t row) {
    return table->row_numbers ? table->row_numbers[row] : row;
}

/* ==== arrow =================================================================================== */
/* The structs of the Arrow C data interface and the Arrow C stream interface.
 *
 * They are copied from the specification
 * (https://arrow.apache.org/docs/format/CDataInterface.html), with the include guards that it
 * prescribes. */

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
    const char *format;
    const char *name;
    const char *metadata;
    int64_t flags;
    int64_t n_children;
    struct ArrowSchema **children;
    struct ArrowSchema *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};

struct ArrowArray {
    int64_t length;
    int64_t null_count;
    int64_t offset;
    int64_t n_buffers;
    int64_t n_children;
    const void **buffers;
    struct ArrowArray **children;
    struct ArrowArray *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};

#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};

#endif

/* ==== report ================================================================================== */
/* The result of a view, which a writer prints: one or more tables with their titles, and the
 * provenance of their numbers. */

/* Numbers in the order of time, shown to people as a line of characters, see write/readable.h. */
typedef struct eti_series {
    eti_text name;
    const double *values;
    size_t n;
} eti_series;

/* Rows that are not in memory together. They are made each time the report is written, as a sequence of tables with the
 * columns of the section's table. */
typedef struct eti_row_parts {
    eti_status (*open)(void **pass, const void *context, eti_error *err);
    eti_status (*next)(void *pass, eti_table **out, eti_error *err); /* *out NULL: the end */
    void (*close)(void *pass);
    const void *context; /* lives as long as the report */
} eti_row_parts;

typedef struct eti_section {
    const char *name;    /* for programs: a key in JSON, a table in SQLite */
    const char *title;   /* for people, static; NULL: none */
    eti_table *table;    /* owned */
    eti_row_parts parts; /* further rows; `open` NULL: none */
    eti_text *notes; /* lines that belong below the table; in the report's arena except the array */
    size_t n_notes, note_capacity;
    size_t *sums; /* rows that are sums of others, in ascending order; owned like notes */
    size_t n_sums, sum_capacity;
    eti_series *series; /* drawn below the table on a terminal; owned like notes */
    size_t n_series, series_capacity;
    bool has_chosen_columns; /* all columns are shown, extra ones too */
    bool is_detail;          /* folded in Markdown */
    bool explains_itself;    /* shown to people without names of columns: "runs 10" */
    bool is_told_above;      /* on a screen an earlier section already has it in short */
    bool is_in_notes;        /* people read its notes instead of its table */
    bool hides_empty;        /* columns without any value are not shown to people */
    size_t n_kept_back;      /* number of last rows that formats for people leave out */
    size_t n_folded;         /* number of first rows for which formats for people have a line ... */
    eti_text folded;         /* ... with this text: "14 inputs: ..."; in the report's arena */
} eti_section;

/* Returns whether text and Markdown show the column. */
static inline bool eti__section_shows(const eti_section *section, const eti_column *column) {
    return section->has_chosen_columns || !(column->is_extra || column->is_on_request);
}

/* Returns whether text and Markdown leave out columns without any value. */
static inline bool eti__section_hides_empty(const eti_section *section) {
    return section->hides_empty && !section->has_chosen_columns;
}

/* Returns whether any part of the section is shown to people; a section without rows for people and
 * without notes is only for programs. */
static inline bool eti__section_is_read(const eti_section *section) {
    if (section->is_told_above && section->table->n_rows == 0)
        return false;
    return !section->is_in_notes || section->n_notes > 0;
}

/* An input that the numbers come from. */
typedef struct eti_report_source {
    const char *kind; /* "etdump", "etrecord", "debug_buffer" */
    eti_text path;
    const void *data; /* borrowed: as long as the inspector is open */
    size_t size;
} eti_report_source;

/* A view of a database: a query over its tables. All members are static. */
typedef struct eti_report_query {
    const char *name;
    const char *sql; /* SELECT ... */
} eti_report_query;

/* A comparison with its sides exchanged, which is made when it is needed. */
typedef struct eti_swap {
    eti_status (*make)(eti_report **out, const void *context, eti_error *err);
    void *context; /* lives as long as the report */
} eti_swap;

#define ETI_MOST_KEPT 3

/* Times of the runs of a method after its warm-up. */
typedef struct eti_method_times {
    eti_text name; /* absent: the only method */
    size_t n_runs; /* not 0 */
    eti_summary times;
} eti_method_times;

struct eti_report {
    eti_references references;
    eti_kept kept[ETI_MOST_KEPT]; /* objects that tables and sources borrow from */
    size_t n_kept;
    eti_arena arena;           /* of notes and sources */
    const char *view;          /* static */
    eti_time_scale time_scale; /* of ETI_COLUMN_TIME */
    bool has_time_scale;       /* false: a single table about which nothing else is known */
    eti_report_source *sources;
    size_t n_sources;
    eti_label *labels; /* in addition to the labels that the user gives */
    size_t n_labels, label_capacity;
    const eti_report_query *queries; /* only for SQLite; static */
    size_t n_queries;
    eti_section *sections;
    size_t n_sections, section_capacity;
    size_t n_left_out;  /* sections after `n_sections` that a selection left out */
    bool has_one_table; /* one of several, chosen by a selection */
    size_t selected; /* section that selections apply to: the first, unless the view sets another */
    bool is_failed;  /* a requested check failed */
    eti_gate_outcome outcome; /* of a comparison; of other reports: passed */
    eti_text mismatch; /* of a measurement: a warning that a file does not belong to a dump */
    /* Subject of the report besides its tables, for formats that take more than tables; NULL: another view. It lives as long
     * as the report, and row i of the selected section is finding i, or node i, until rows are selected. */
    const struct eti_gate_result *gate;    /* gate/gate.h */
    const struct eti_timed_graph *graph;   /* rollup/rollup.h */
    const struct eti_stack_source *stacks; /* timeline/timeline.h, of the same runs */
    const eti_method_times *methods;       /* in the report's arena */
    size_t n_methods;
    const struct eti_slice_source *slices; /* timeline/timeline.h; row i is its events[i] */
    /* In a comparison, the inspector of the new side, for pages that show all its views; NULL: none. It lives as long as the
     * report. */
    const struct eti_inspector *measured; /* model/model.h */
    eti_swap swap; /* `make` NULL: no comparison, or none that can be swapped */
};

/* Returns the number of findings or nodes that were selected. */
static inline size_t eti__report_chosen_count(const eti_report *report) {
    return report->sections[report->selected].table->n_rows;
}

/* Returns the number, among all findings or nodes, of the i-th selected one. */
static inline size_t eti__report_chosen(const eti_report *report, size_t i) {
    return eti__table_row_number(report->sections[report->selected].table, i);
}

/* Makes an empty report. ETI_ERROR_MEMORY. */
eti_status eti__report_new(eti_report **out, const char *view, eti_time_scale time_scale,
                           eti_error *err) ETI_WARN_UNUSED;

/* Makes the report hold a reference until it is freed; ETI_MOST_KEPT at most. */
void eti__report_keep(eti_report *report, eti_kept kept);

/* Names an input; its name is copied, its bytes are not. `kind` is static. ETI_ERROR_MEMORY. */
eti_status eti__report_add_source(eti_report *report, const char *kind, const struct eti_file *file,
                                  eti_error *err) ETI_WARN_UNUSED;

/* Adds a label, which is copied. ETI_ERROR_MEMORY. */
eti_status eti__report_add_label(eti_report *report, const char *key, const char *value,
                                 eti_error *err) ETI_WARN_UNUSED;

/* Adds a section, which owns `table`, even if this fails. `name` and `title` are static. ETI_ERROR_MEMORY. */
eti_status eti__report_add(eti_report *report, const char *name, const char *title,
                           eti_table *table, eti_error *err) ETI_WARN_UNUSED;

/* Adds a line below the section that was added last. ETI_ERROR_MEMORY. */
eti_status eti__report_note(eti_report *report, eti_error *err, const char *format, ...)
    ETI_PRINTF(3, 4) ETI_WARN_UNUSED;
/* Adds the text of a buffer in the same way, and empties it, even if this fails. */
eti_status eti__report_take_note(eti_report *report, eti_buffer *text,
                                 eti_error *err) ETI_WARN_UNUSED;

/* Marks the last row of the section that was added last as a sum of others. ETI_ERROR_MEMORY. */
eti_status eti__report_mark_sum(eti_report *report, eti_error *err) ETI_WARN_UNUSED;

/* Adds a series to the section that was added last; name and values are copied. ETI_ERROR_MEMORY. */
eti_status eti__report_add_series(eti_report *report, eti_series series,
                                  eti_error *err) ETI_WARN_UNUSED;

/* ==== arrow stream ============================================================================ */
/* Exports tables as streams of the Arrow C stream interface.
 *
 * The Arrow type of a column follows from its description, not from its cells. The child of a list
 * is called "element"; text is utf8. */

/* Limits of a batch. */
typedef struct eti_arrow_limits {
    size_t rows;  /* maximum number of rows */
    size_t bytes; /* size of a column from which on no row is added: offsets have 31 bits */
} eti_arrow_limits;

/* Makes a stream of the tables of `parts`, with the columns of `table`, which the stream keeps alive. A batch may have rows
 * of several tables. Once a part has failed, the stream fails with the same message. */
eti_status eti__arrow_open_parts(struct ArrowArrayStream *out, const eti_table *table,
                                 const eti_row_parts *parts, eti_arrow_limits limits,
                                 eti_error *err) ETI_WARN_UNUSED;

extern const eti_arrow_limits eti__arrow_usual_limits;

/* ==== cell ==================================================================================== */
/* A cell of a table: its struct, its constructors, and its value as one of the column's type. */

struct eti_cell {
    eti_cell_kind kind;
    bool as_bool;
    int64_t as_int; /* of ETI_CELL_TEXTS: index of the item that a short form names */
    double as_double;
    eti_text as_text;  /* UTF-8; see eti_cell_as_text() */
    const void *items; /* of ETI_CELL_TEXT: see eti__named_cell() */
    size_t n_items;
};

static inline eti_cell eti__text_cell(eti_text text) {
    return (eti_cell){.kind = ETI_CELL_TEXT, .as_text = text};
}

/* Returns a cell with a text for programs, and a text by which people distinguish it from equal ones; if that is absent,
 * they see the same. */
static inline eti_cell eti__named_cell(eti_text text, eti_text label) {
    return (eti_cell){.kind = text.data ? ETI_CELL_TEXT : ETI_CELL_NONE,
                      .as_text = text,
                      .items = label.data,
                      .n_items = label.size};
}

/* Returns a cell without a value for an absent text. */
static inline eti_cell eti__text_or_none(eti_text text) {
    return text.data ? eti__text_cell(text) : (eti_cell){.kind = ETI_CELL_NONE};
}

static inline eti_cell eti__string_cell(const char *c_string) {
    return eti__text_or_none(eti__text_of(c_string));
}

static inline eti_cell eti__double_cell(double value) {
    return (eti_cell){.kind = ETI_CELL_DOUBLE, .as_double = value};
}

/* Returns a cell without a value for NaN. */
static inline eti_cell eti__number_or_none(double value) {
    if (isnan(value))
        return (eti_cell){.kind = ETI_CELL_NONE};
    return eti__double_cell(value);
}

/* Returns a cell without a value for NaN and infinities: a ratio to zero is unknown. */
static inline eti_cell eti__finite_or_none(double value) {
    return eti__number_or_none(isfinite(value) ? value : (double)NAN);
}

static inline eti_cell eti__bool_cell(bool value) {
    return (eti_cell){.kind = ETI_CELL_BOOL, .as_bool = value};
}

static inline eti_cell eti__int_cell(int64_t value) {
    return (eti_cell){.kind = ETI_CELL_INT, .as_int = value};
}

/* Returns a cell with a count. A number above INT64_MAX is shown as a double; as_int keeps its bits, for columns of
 * ETI_TYPE_UINT64. */
static inline eti_cell eti__count_cell(uint64_t value) {
    eti_cell_kind kind = value > INT64_MAX ? ETI_CELL_DOUBLE : ETI_CELL_INT;
    return (eti_cell){.kind = kind, .as_int = (int64_t)value, .as_double = (double)value};
}

/* Returns a cell with a whole number of bytes; without a value for NaN and numbers above INT64_MAX. */
static inline eti_cell eti__bytes_or_none(double value) {
    if (!(value < 0x1p63))
        return (eti_cell){.kind = ETI_CELL_NONE};
    return eti__int_cell((int64_t)value);
}

/* Returns a cell with a list; `kind` is ETI_CELL_DOUBLES, _UINTS, _INTS or _TEXTS. Items are borrowed. */
static inline eti_cell eti__list_cell(eti_cell_kind kind, const void *items, size_t n) {
    return (eti_cell){.kind = kind, .items = items, .n_items = n};
}

/* Fills a cell of a new row, which is all zeros; does not write zero fields. `*cell = value` would build the value on the
 * stack and then copy it, which takes several times as long. */
static inline void eti__cell_put(eti_cell *cell, eti_cell value) {
    cell->kind = value.kind;
    cell->as_double = value.as_double;
    if (value.as_bool)
        cell->as_bool = true;
    if (value.as_int)
        cell->as_int = value.as_int;
    if (value.as_text.data)
        cell->as_text = value.as_text;
    if (value.items)
        cell->items = value.items;
    if (value.n_items)
        cell->n_items = value.n_items;
}

/* ==== cell text =============================================================================== */
/* Turns a cell into the text that all formats share: True and False, integers in decimal, doubles
 * as Python's repr() prints them, texts and lists unchanged.
 *
 * Each format handles missing values, quotes and alignment itself. */

/* The last number that was turned into text: an event with one sample has the same number in six columns. Starts as all
 * zeros. */
typedef struct eti_number_text {
    uint64_t bits;   /* of the number, if `size` is not 0: 0.0 and -0.0 differ */
    bool is_general; /* the text is of "%g", not of repr() */
    size_t size;
    char text[ETI_DOUBLE_TEXT_MAX];
    char other[ETI_DOUBLE_TEXT_MAX]; /* text of a number that is not kept */
} eti_number_text;

/* Returns the text, which may be in `number` or borrowed from the cell. It is never absent: missing
 * values and NaN give "". */
eti_text eti__cell_text(const eti_cell *cell, eti_number_text *number);

/* Returns whether the text of the cell may have any characters; the text of other kinds has only letters, digits and
 * "+-.". */
bool eti__cell_is_text(const eti_cell *cell);

/* Returns the text of cell->as_double in one of the two forms; it is in `number`. */
eti_text eti__cell_double_text(const eti_cell *cell, bool is_general, eti_number_text *number);

/* Returns whether the cell is a missing number to pandas: ETI_CELL_NAN, or a double that is NaN. */
bool eti__cell_is_nan(const eti_cell *cell);

/* Appends the cell as JSON: missing values, NaN and infinities are null; lists are arrays, in the spaced style. */
void eti__cell_add_json(eti_buffer *out, const eti_cell *cell);
/* Adds it as a value. */
void eti__json_add_cell(eti_json_writer *json, const eti_cell *cell);

/* ==== column name ============================================================================= */
/* Turns a column's name, as a user types it, into the number of the column. */

/* Takes the next name off a list with commas between names, without the blanks around it. Returns false at the end; the list
 * "" has one name, "". */
bool eti__column_next_part(eti_text *rest, eti_text *part);

/* Returns the name for programs: "p50" for "p50 (ms)" in a report whose times are milliseconds, which has the unit itself;
 * any other name stays. */
eti_text eti__column_bare_name(const eti_report *report, const eti_column *column);

/* Appends the name as a heading for people, in words: "share of operators". Times have `unit`; NULL: the unit in the
 * name. */
void eti__column_add_heading(eti_buffer *out, const eti_column *column, const char *unit);

/* ==== columns ================================================================================= */
/* Describes columns, makes tables of them, and fills rows by them.
 *
 * A view lists its columns as eti_column_spec: one row describes a column completely, including
 * the function that makes its cells. The set functions read the row from a struct of the view. */

#define ETI_MOST_COLUMN_SPECS 48

typedef struct eti_column_spec {
    const char *name; /* NULL: the column is left out */
    eti_column_type type;
    eti_column_kind kind;
    bool is_extra;
    const char *help; /* describes its cells in half a line */
    /* Fills a cell, initially ETI_CELL_NONE, from `row`, a struct of the view. False: out of memory. */
    bool (*set)(void *row, eti_cell *cell);
} eti_column_spec;

/* Types and kinds of common columns. */
#define ETI_TEXTS ETI_TYPE_UTF8, ETI_COLUMN_TEXT
#define ETI_COUNTS ETI_TYPE_INT64, ETI_COLUMN_COUNT
#define ETI_TIMES ETI_TYPE_FLOAT64, ETI_COLUMN_TIME
#define ETI_SHARES ETI_TYPE_FLOAT64, ETI_COLUMN_SHARE
#define ETI_CHANGES ETI_TYPE_FLOAT64, ETI_COLUMN_CHANGE
#define ETI_MARKS ETI_TYPE_BOOL, ETI_COLUMN_MARK
#define ETI_UNITS ETI_TYPE_UTF8, ETI_COLUMN_UNIT
#define ETI_SERIES ETI_TYPE_LIST_FLOAT64, ETI_COLUMN_SERIES

/* Defines a set function, set_NAME(), that sets the cell to `value`, an expression of `row`, a `row_type *`, if
 * `condition` holds. */
#define ETI_CELL_SETTER_IF(row_type, name, condition, value)                                       \
    static bool set_##name(void *context, eti_cell *cell) {                                        \
        const row_type *row = context;                                                             \
        if (condition)                                                                             \
            eti__cell_put(cell, value);                                                            \
        return true;                                                                               \
    }
#define ETI_CELL_SETTER(row_type, name, value) ETI_CELL_SETTER_IF(row_type, name, true, value)

#define ETI_N_COLUMNS(specs) (sizeof(specs) / sizeof *(specs))

/* Returns the unit in the names of columns of times; NULL without `include_units`. */
static inline const char *eti__column_unit(eti_time_scale scale, bool include_units) {
    return include_units ? eti_time_scale_name(scale) : NULL;
}

/* Makes people see the columns of values that are no times, whose names are or end in "value", and that of their unit. */
void eti__columns_show_values(eti_column_spec *specs, size_t n);

/* Fills the wanted cells of `out` with the set functions of the columns, which receive `row`. False: out of memory. */
bool eti__columns_set(const eti_column_spec *specs, size_t n, void *row, eti_row *out);

/* Appends a row, filled in the same way, to a table of stored rows. ETI_ERROR_MEMORY. */
eti_status eti__columns_add_row(eti_table *table, const eti_column_spec *specs, size_t n, void *row,
                                eti_error *err) ETI_WARN_UNUSED;

/* Makes an empty table. ETI_COLUMN_TIME columns have `unit` in their names, unless it is NULL. n <=
 * ETI_MOST_COLUMN_SPECS. ETI_ERROR_MEMORY. */
eti_status eti__columns_make(eti_table **out, const eti_column_spec *specs, size_t n,
                             const char *unit, eti_error *err) ETI_WARN_UNUSED;
/* Makes the same table as a section of the report; the caller adds the rows. */
eti_status eti__columns_add_section(eti_table **out, eti_report *report, const char *name,
                                    const char *title, const eti_column_spec *specs, size_t n,
                                    const char *unit, eti_error *err) ETI_WARN_UNUSED;
/* Makes a table whose rows `source` makes; owns source.context. */
eti_status eti__columns_make_rows(eti_table **out, const eti_column_spec *specs, size_t n,
                                  size_t n_rows, eti_row_source source, const char *unit,
                                  eti_error *err) ETI_WARN_UNUSED;

/* Makes a table over an array of structs for the set functions; the array must outlive the table. */
eti_status eti__columns_make_array(eti_table **out, const eti_column_spec *specs, size_t n,
                                   void *rows, size_t row_size, size_t n_rows, const char *unit,
                                   eti_error *err) ETI_WARN_UNUSED;

/* ==== filter ================================================================================== */
/* Turns an expression such as
 *
 *     p50 > 1.5ms and (event_name =~ "conv" or not is_delegated_op)
 *
 * into a test of a row. The grammar is in filter_syntax.h.
 *
 * A comparison with a missing value is always false; `is none` tests for missing values. */

typedef struct eti_filter eti_filter;

/* Reads the expression, for rows of `table` whose times are in `scale`; the expression need not live longer.
 * ETI_ERROR_USAGE with a position; ETI_ERROR_MEMORY. */
eti_status eti__filter_new(eti_filter **out, const char *expression, const eti_table *table,
                           eti_time_scale scale, eti_error *err) ETI_WARN_UNUSED;

/* Returns, per column of the table, whether the expression uses it. */
const bool *eti__filter_wanted(const eti_filter *filter);

/* Finds a number other than 0 without a unit that the expression compares with a column of the table; false: there is none. */
bool eti__filter_bare_number(const eti_filter *filter, size_t column, double *out);

/* Finds whether the expression is true for a row with these cells. ETI_ERROR_USAGE: a cell is of a kind that the expression
 * does not expect; ETI_ERROR_MEMORY. */
eti_status eti__filter_test(eti_filter *filter, const eti_cell *cells, bool *out,
                            eti_error *err) ETI_WARN_UNUSED;

/* Finds whether missing values leave the expression undecided: whether it would be true for some values of the missing
 * numbers of type float64, and false for others. Fails with the same statuses. */
eti_status eti__filter_is_undecided(eti_filter *filter, const eti_cell *cells, bool *out,
                                    eti_error *err) ETI_WARN_UNUSED;

void eti__filter_free(eti_filter *filter);

/* ==== filter syntax =========================================================================== */
/* Turns the text of an expression into a tree. It does not depend on tables.
 *
 *     expression = conjunction { ("or" | "||") conjunction }
 *     conjunction = term { ("and" | "&&") term }
 *     term       = ("not" | "!") term | "(" expression ")" | comparison
 *     comparison = operand [ operator operand | "is" ["not"] none ]
 *     operator   = "==" | "=" | "!=" | "<" | "<=" | ">" | ">=" | "=~" | "!~" | "=~*" | "!~*"
 *     operand    = column | number | text | "true" | "false" | none
 *     none       = "none" | "missing"
 * column = a name, or any text in backquotes: `p50 (ms)`
 *     number     = 1, -1.5e3, with a unit of time 20us or of bytes 2KiB, in per cent 10%
 * text = "..." or '...'; a backslash escapes the quote, and is literal otherwise
 *
 * Keywords may be in upper or lower case. */

#define ETI_FILTER_MAX_SIZE 4096 /* bytes of an expression */

typedef enum eti_operand_kind {
    ETI_OPERAND_ABSENT,
    ETI_OPERAND_COLUMN,
    ETI_OPERAND_NUMBER,
    ETI_OPERAND_TEXT,
    ETI_OPERAND_BOOL,
    ETI_OPERAND_NONE,
} eti_operand_kind;

typedef struct eti_operand {
    eti_operand_kind kind;
    size_t at;     /* byte of the expression */
    eti_text text; /* name of a column, or a text; NUL-terminated, in the tree's arena */
    double number; /* without its unit; 10 % is 0.1, 2 KiB are 2048 */
    bool has_unit, is_percent, is_bytes; /* of time; the others */
    eti_time_scale unit;
    bool as_bool;
    size_t column; /* set by the user of the tree */
} eti_operand;

typedef enum eti_operator {
    ETI_OPERATOR_NONE, /* `left` alone, a column of true and false */
    ETI_OPERATOR_EQUAL,
    ETI_OPERATOR_NOT_EQUAL,
    ETI_OPERATOR_LESS,
    ETI_OPERATOR_LESS_EQUAL,
    ETI_OPERATOR_GREATER,
    ETI_OPERATOR_GREATER_EQUAL,
    ETI_OPERATOR_MATCH,
    ETI_OPERATOR_NO_MATCH,
} eti_operator;

typedef enum eti_condition_kind {
    ETI_CONDITION_AND,
    ETI_CONDITION_OR,
    ETI_CONDITION_NOT, /* of `first` */
    ETI_CONDITION_COMPARISON,
} eti_condition_kind;

typedef struct eti_condition {
    eti_condition_kind kind;
    struct eti_condition *first, *second;
    eti_operator comparison;
    bool ignores_case; /* of a match: "=~*" */
    size_t at;         /* of the operator */
    eti_operand left, right;
    void *pattern; /* set by the user of the tree */
} eti_condition;

/* Parses `expression`; the tree is in `arena`. ETI_ERROR_USAGE with a position; ETI_ERROR_MEMORY. */
eti_status eti__filter_parse(eti_condition **out, eti_arena *arena, const char *expression,
                             eti_error *err) ETI_WARN_UNUSED;

/* ==== gap columns ============================================================================= */
/* The columns with the distance of a row's results from those of a reference.
 *
 * A view lists ETI_GAP_COLUMNS among its columns, whose set functions ETI_GAP_SETTERS() defines,
 * and leaves them out if there is no reference. */

#define ETI_N_GAP_COLUMNS 4

/* Defines the set functions for rows of `row_type`; `gap` is an expression of `row`: an eti_gap, see account/account.h. */
#define ETI_GAP_SETTERS(row_type, gap)                                                             \
    ETI_CELL_SETTER_IF(row_type, snr, (gap).is_known, eti__number_or_none((gap).snr))              \
    ETI_CELL_SETTER_IF(row_type, snr_drop, (gap).is_known, eti__number_or_none((gap).snr_drop))    \
    ETI_CELL_SETTER_IF(row_type, max_abs, (gap).is_known, eti__number_or_none((gap).max_abs))      \
    ETI_CELL_SETTER_IF(row_type, nan_new, (gap).is_known, eti__count_cell((gap).nan_new))

/* Rows of a list of eti_column_spec. */
#define ETI_GAP_COLUMNS                                                                            \
    {"snr",                                                                                        \
     ETI_TYPE_FLOAT64,                                                                             \
     ETI_COLUMN_NUMBER,                                                                            \
     false,                                                                                        \
     "lowest signal-to-noise ratio against the reference, in dB",                                  \
     set_snr},                                                                                     \
        {"snr_drop",                                                                               \
         ETI_TYPE_FLOAT64,                                                                         \
         ETI_COLUMN_NUMBER,                                                                        \
         false,                                                                                    \
         "largest loss in dB by a single one of its operators",                                    \
         set_snr_drop},                                                                            \
        {"max_abs",                                                                                \
         ETI_TYPE_FLOAT64,                                                                         \
         ETI_COLUMN_NUMBER,                                                                        \
         false,                                                                                    \
         "largest difference from the reference",                                                  \
         set_max_abs},                                                                             \
    {                                                                                              \
        "nan_new", ETI_COUNTS, false, "largest number of NaN in one of its results", set_nan_new   \
    }

/* Copies the columns, without the gap columns unless `has_gaps`; `first` is the set function of the first gap column. */
static inline void eti__gap_columns_choose(eti_column_spec *out, const eti_column_spec *columns,
                                           size_t n, bool (*first)(void *row, eti_cell *cell),
                                           bool has_gaps) {
    size_t at = n;
    for (size_t i = 0; i < n; i++) {
        out[i] = columns[i];
        if (columns[i].set == first)
            at = i;
        if (!has_gaps && i >= at && i - at < ETI_N_GAP_COLUMNS)
            out[i].name = NULL;
    }
}

/* ==== list text =============================================================================== */
/* Turns a cell's list into the text that Python prints for it: [0.1, 2.0], ['a', 'b'], [[1, 3], [3]]. */

/* Returns whether the cell holds a list that has not been turned into text: ETI_CELL_DOUBLES, UINTS, INTS, TEXTS,
 * INT_LISTS. */
bool eti__cell_is_list(const eti_cell *cell);

/* Appends the text of such a cell. */
void eti__list_add(eti_buffer *out, const eti_cell *cell);

/* ==== provenance ============================================================================== */
/* Turns the provenance of a report's numbers into text: the files, distinguished by their SHA-256. */

/* Version of the fields in formats for programs; changes with the fields. */
#define ETI_OUTPUT_SCHEMA "etinspect/1"

/* Returns the hexadecimal digits, as sha256sum prints them, of the bytes that were read: those of the ETDump itself if it
 * was in a gzip file or a log. Absent unless wanted. */
eti_text eti__source_sha256(const eti_report_source *source, bool is_wanted,
                            char out[ETI_SHA256_DIGITS + 1]);

/* Returns the unit of times; absent for a table without a unit. */
eti_text eti__report_time_scale(const eti_report *report);

/* ==== rows ==================================================================================== */
/* Goes through the rows of a table, on as many threads as may read it, and joins their text in the
 * order of the rows. The bytes are the same for any number of threads. */

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

/* ==== selection =============================================================================== */
/* Selects the rows and columns of a table that a user asks for, in the requested order. */

/* The rows and columns of a table to show, and their order; NULL and 0: unchanged. */
typedef struct eti_selection {
    const char *table; /* name of the only table to keep; NULL: all, and the other options apply to
                        * the table report->selected */
    const char
        *columns; /* names separated by commas; units may be left out; "all": also all others */
    const char *filter; /* rows for which this expression is true; see the man page, SELECTION */
    const char
        *sort;  /* -COLUMN or COLUMN[:asc|:desc], separated by commas; missing values go last */
    size_t top; /* number of first rows to keep */
} eti_selection;

/* How columns are prepared for a writer. */
typedef struct eti_projection {
    bool leaves_out_extra;
    bool is_for_programs; /* leaves out columns that are shown only on request */
    /* shows labels of texts that do not suffice to distinguish rows, and moves columns that do to these */
    bool is_for_people;
    bool
        spells_lists; /* ETI_CELL_DOUBLES and other lists become ETI_CELL_LIST, as Python prints lists */
} eti_projection;

/* Returns whether the table has texts that do not suffice to distinguish rows, so that people see more. */
bool eti__table_distinguishes(const eti_table *table);

/* Makes a view of `table`, which must live longer: its rows are read when those of the view are. If
 * nothing has to change, the view is a plain copy. ETI_ERROR_MEMORY. */
eti_status eti__table_project(eti_table **out, const eti_table *table, eti_projection projection,
                              eti_error *err) ETI_WARN_UNUSED;

/* Does the same with a view that owns `table`, even if this fails. */
eti_status eti__table_project_owned(eti_table **out, eti_table *table, eti_projection projection,
                                    eti_error *err) ETI_WARN_UNUSED;

/* Makes the table of the chosen rows and columns, which owns `table`; on failure the caller keeps it. selection->table is
 * not read; `scale` is that of times in the filter. ETI_ERROR_USAGE; ETI_ERROR_MEMORY. */
eti_status eti__table_select(eti_table **out, eti_table *table, eti_time_scale scale,
                             const eti_selection *selection, eti_error *err) ETI_WARN_UNUSED;

/* eti_report_select() of etinspect.h. */
eti_status eti__report_select(eti_report *report, const eti_selection *selection,
                              eti_error *err) ETI_WARN_UNUSED;

/* Appends one line, without a line feed, that explains the numbers without a unit of the filter that chose the rows, if text
 * shows another unit than the one in which they are compared: "p50 is compared in ms; 100 µs is written 100us". Appends
 * nothing if no unit differs. `scale` is that of times in the filter; for `keeps_unit` see eti__time_forms_find().
 * ETI_ERROR_MEMORY. */
eti_status eti__section_explain_filter(eti_buffer *out, const eti_section *section,
                                       eti_time_scale scale, bool keeps_unit, bool has_utf8,
                                       eti_error *err) ETI_WARN_UNUSED;

/* Appends "the 5 smallest; the largest: --sort=-p50" if the selection kept the first of rows that ascend by a number and did
 * not name the order; `n_before` is the number of rows before the selection. */
void eti__table_explain_sort(eti_buffer *out, const eti_table *table,
                             const eti_selection *selection, size_t n_before);

/* ==== time form =============================================================================== */
/* Chooses the unit and the decimals of times shown to people.
 *
 * A column has the unit in which its median has one to three digits before the point. All columns
 * of a table have the unit of the first column of times, except columns whose times are so much
 * longer or shorter that they would be hard to read. Units and decimals follow from a few hundred
 * rows of the table before rows were left out or reordered, so they do not depend on the rows that
 * are shown. */

typedef struct eti_time_form {
    eti_time_scale scale; /* unit, if the column has one */
    bool has_unit;
    double factor; /* factor that converts times of the table to `scale` */
    int decimals;
} eti_time_form;

/* Fills `forms`, one per column of the table, for those columns of times that are wanted (NULL: all); the others become
 * zeros. With `keeps_unit`, times stay in their unit. False: out of memory. */
bool eti__time_forms_find(eti_time_form *forms, const eti_table *table, const bool *wanted,
                          bool keeps_unit) ETI_WARN_UNUSED;

/* Returns the most readable unit for one time, given in `scale`. Cycles stay cycles. */
eti_time_scale eti__time_scale_for(double time, eti_time_scale scale);

/* Appends a time, given in `scale`, in its most readable unit with four digits, such as "22.77 ms". */
void eti__add_time(eti_buffer *out, double time, eti_time_scale scale);

/* Converts a time. */
double eti__time_convert(double time, eti_time_scale from, eti_time_scale to);

/* Returns whether the table has a column of ETI_COLUMN_UNIT. */
bool eti__has_units(const eti_table *table);
/* Converts each time of a row whose unit is in the next column to its most readable unit, and sets that unit. */
void eti__time_fit_units(eti_cell *cells, const eti_table *table, bool has_utf8);

/* Returns what the marks of a column of ETI_COLUMN_MARK look like: "*", or "†" ("^" in ASCII) if the table has marks of
 * another meaning further left. */
const char *eti__mark_sign(const eti_table *table, size_t column, bool has_utf8);

/* Returns the name of a unit: "us" in ASCII, else with the Greek letter. */
const char *eti__time_unit(eti_time_scale scale, bool has_utf8);

/* ==== untrusted =============================================================================== */
/* Copies of a table for destinations where text may act instead of being shown. Names, stack
 * traces and metadata come from files that are not trusted.
 *
 * A copy is made row by row, as it is read; the original table must live longer. */

/* Makes a copy for a terminal: characters that it acts on, except line breaks, are spelled out as Python's repr() does
 * (\x1b, \u202e), so that a name can neither move the cursor, nor send commands, nor change the direction of the text after
 * it. ETI_ERROR_MEMORY. */
eti_status eti__table_make_visible(eti_table **out, const eti_table *table,
                                   eti_error *err) ETI_WARN_UNUSED;

/* Further characters that eti__add_visible() spells out. */
#define ETI_VISIBLE_ONE_LINE 1u /* line breaks */
#define ETI_VISIBLE_ASCII 2u    /* characters that are not ASCII; lines and marks become ASCII */

/* Appends one text in this way. Bytes that are not UTF-8 become U+FFFD. */
void eti__add_visible(eti_buffer *out, eti_text text, unsigned besides);

#endif
