#include "write/fancy_grid.h"

#include "base/python.h"
#include "write/write.h"
#include "write/writer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ==== grid cell =============================================================================== */

/* Returns the number of digits at `at`, at most `limit`. */
static size_t digits_at(eti_text text, size_t at, size_t limit) {
    size_t n = 0;
    while (n < limit && at + n < text.size && eti__is_digit(text.data[at + n]))
        n++;
    return n;
}

/* Returns whether a text is like "+1,234", "-1,234.5", "12." or ".5". One LF at the end is allowed,
 * even alone. `text` is not empty. */
static bool is_thousands_form(eti_text text) {
    if (text.data[text.size - 1] == '\n')
        text.size--;
    size_t at = text.size > 0 && (text.data[0] == '+' || text.data[0] == '-') ? 1 : 0;
    size_t n = digits_at(text, at, 3);
    if (n == 0) {
        n = text.size > 0 && text.data[0] == '.' ? digits_at(text, 1, SIZE_MAX) : 0;
        return text.size == (n > 0 ? n + 1 : 0);
    }
    at += n;
    while (at < text.size && text.data[at] == ',' && digits_at(text, at + 1, 3) == 3)
        at += 4;
    if (at < text.size && text.data[at] == '.')
        at += 1 + digits_at(text, at + 1, SIZE_MAX);
    return at == text.size;
}

static bool has_byte(eti_text text, char byte) {
    return text.size > 0 && memchr(text.data, byte, text.size) != NULL;
}

/* Returns whether a text, which is infinity or NaN to Python, is in a form that counts. Python also
 * accepts white space, signs and "1e999". */
static bool is_plain_inf_or_nan(eti_text text) {
    size_t sign = text.size == 4 && text.data[0] == '-' ? 1 : 0;
    if (text.size - sign != 3)
        return false;
    char last = text.data[text.size - 1];
    return last == 'f' || last == 'F' || (sign == 0 && (last == 'n' || last == 'N'));
}

static bool is_float(eti_text text, eti_buffer *scratch) {
    double value;
    if (!eti__python_float(text, &value, scratch))
        return false;
    return isfinite(value) || is_plain_inf_or_nan(text);
}

static eti_grid_type text_type(eti_text text, eti_buffer *scratch) {
    if (text.size == 0)
        return ETI_GRID_MISSING;
    if (eti__text_is(text, "True") || eti__text_is(text, "False"))
        return ETI_GRID_BOOL;
    if (eti__python_is_int(text))
        return ETI_GRID_INT;
    if (is_thousands_form(text))
        return has_byte(text, '.') ? ETI_GRID_FLOAT : ETI_GRID_INT;
    return is_float(text, scratch) ? ETI_GRID_FLOAT : ETI_GRID_TEXT;
}

eti_grid_type eti__grid_cell_type(const eti_cell *cell, eti_buffer *scratch) {
    switch (cell->kind) {
    case ETI_CELL_NONE:
        return ETI_GRID_MISSING;
    case ETI_CELL_BOOL:
        return ETI_GRID_BOOL;
    case ETI_CELL_INT:
        return ETI_GRID_INT;
    case ETI_CELL_DOUBLE:
    case ETI_CELL_NAN:
        return ETI_GRID_FLOAT;
    case ETI_CELL_TEXT:
        return text_type(cell->as_text, scratch);
    default:
        return ETI_GRID_TEXT;
    }
}

/* Computes Python's float() of the text without its commas. */
static bool float_without_commas(eti_text text, double *out, eti_buffer *scratch) {
    if (!has_byte(text, ','))
        return eti__python_float(text, out, scratch);
    eti_buffer plain = {0};
    for (size_t i = 0; i < text.size; i++) {
        if (text.data[i] != ',')
            eti__buffer_add_char(&plain, text.data[i]);
    }
    scratch->failed = scratch->failed || plain.failed;
    bool ok = !plain.failed && eti__python_float(eti__buffer_text(&plain), out, scratch);
    eti__buffer_free(&plain);
    return ok;
}

/* Converts a cell of a float column to a float if possible: False is 0. */
static bool cell_as_float(const eti_cell *cell, double *out, eti_buffer *scratch) {
    switch (cell->kind) {
    case ETI_CELL_BOOL:
        *out = cell->as_bool;
        return true;
    case ETI_CELL_INT:
        *out = (double)cell->as_int;
        return true;
    case ETI_CELL_DOUBLE:
        *out = cell->as_double;
        return true;
    case ETI_CELL_TEXT:
        return cell->as_text.size > 0 && float_without_commas(cell->as_text, out, scratch);
    default:
        return false;
    }
}

eti_text eti__grid_cell_text(const eti_cell *cell, eti_grid_type column_type,
                             eti_number_text *number, eti_buffer *scratch) {
    if (eti__cell_is_nan(cell))
        return (eti_text){"nan", 3};
    if (column_type == ETI_GRID_FLOAT && cell->kind == ETI_CELL_DOUBLE)
        return eti__cell_double_text(cell, true, number);
    double value;
    if (column_type == ETI_GRID_FLOAT && cell_as_float(cell, &value, scratch))
        return (eti_text){number->other, eti__double_general(number->other, value)};
    return eti__cell_text(cell, number);
}

ptrdiff_t eti__grid_decimals(eti_text number) {
    size_t sign = number.size > 0 && number.data[0] == '-' ? 1 : 0;
    if (number.size == sign || !eti__is_digit(number.data[sign]))
        return -1;
    const char *point = memchr(number.data, '.', number.size);
    if (!point)
        point = memchr(number.data, 'e', number.size);
    return point ? number.data + number.size - point - 1 : -1;
}

/* ==== fancy grid ============================================================================== */

/*
 * The Inspector's table, byte for byte as tabulate 0.10.0 prints a pandas DataFrame in its format
 * "fancy_grid". The table is read twice: for the types and widths of columns, and to print; only
 * the columns are kept. Widths depend on types, which are taken from the first row; if other rows
 * have other types, widths are measured again.
 *
 * If any text holds a CR or an LF, the whole table is in multi-line mode: a cell has the lines of
 * Python's str.splitlines(), and a row is as high as its highest cell. Widths, however, are those
 * of the pieces between CRs and LFs.
 *
 * Some behaviour of tabulate is left out on purpose. Terminal escapes and hyperlinks count as
 * ordinary characters, and are not skipped when a type is chosen. A name of only U+0001 is not a
 * separator line. Digits of other scripts do not make numbers. Column names, which are our own, are
 * split into lines like cells.
 */

#define MIN_PADDING 2 /* of a column's name */

typedef struct grid_column {
    eti_text name;
    eti_grid_type type;
    size_t width;       /* characters, without the blanks next to the lines */
    ptrdiff_t decimals; /* the most decimals of any cell */
    ptrdiff_t bare;     /* the most characters of any cell, minus its decimals */

    /* The following belong to the row being printed. */
    eti_number_text number;
    eti_text rest;   /* of the cell's text */
    size_t trailing; /* blanks in place of missing decimals, after the last line */
} grid_column;

typedef struct line_style {
    const char *left, *fill, *cross, *right;
} line_style;

/* The lines around cells, and between the cells of a row. */
typedef struct line_set {
    line_style top, header, row, bottom;
    const char *left, *between, *right;
} line_set;

static const line_set inspectors_frame = {
    .top = {"╒", "═", "╤", "╕\n"},
    .header = {"╞", "═", "╪", "╡\n"},
    .row = {"├", "─", "┼", "┤\n"},
    .bottom = {"╘", "═", "╧", "╛\n"},
    .left = "│ ",
    .between = " │ ",
    .right = " │\n",
};

static const line_set ascii_frame = {
    .top = {"+", "-", "+", "+\n"},
    .header = {"+", "=", "+", "+\n"},
    .row = {"+", "-", "+", "+\n"},
    .bottom = {"+", "-", "+", "+\n"},
    .left = "| ",
    .between = " | ",
    .right = " |\n",
};

/* State of one thread; the results of all threads are joined after each pass. */
typedef struct grid {
    const eti_table *table;
    const line_set *frame;
    grid_column *columns;
    size_t n_columns;
    bool has_index;
    bool multi_line;
    bool is_stale;    /* the mode or the form of a column changed after rows were measured */
    uint64_t n_lines; /* of all rows */
    eti_buffer scratch;
    eti_text rule; /* between rows; empty until they are printed */
} grid;

/* Returns the column's cell of a row; `index_cell` is room for a cell of the index column. */
static const eti_cell *cell_at(const grid *g, size_t row, const eti_cell *cells, size_t column,
                               eti_cell *index_cell) {
    if (!g->has_index || column > 0)
        return &cells[column - g->has_index];
    *index_cell =
        (eti_cell){.kind = ETI_CELL_INT, .as_int = (int64_t)eti__table_row_number(g->table, row)};
    return index_cell;
}

/* Returns whether a type is a number: each kind of number is printed in its own way, all other types alike. */
static bool is_number(eti_grid_type type) {
    return type == ETI_GRID_INT || type == ETI_GRID_FLOAT;
}

/* ---- lines and characters -------------------------------------------------------------------- */

/* Counts characters; bytes that are not UTF-8 count one each. */
static size_t count_characters(eti_text text) {
    size_t n = 0;
    for (size_t at = 0; at < text.size; n++) {
        size_t n_ascii = eti__text_count_ascii(text, at);
        uint32_t ignored;
        if (n_ascii > 0) {
            at += n_ascii;
            n += n_ascii - 1;
        } else if ((unsigned char)text.data[at] < 0x80) {
            at++;
        } else {
            at += eti__text_decode(text, at, &ignored);
        }
    }
    return n;
}

/* Takes the part of `*rest` before its first CR or LF; `*rest` becomes the text after it. False:
 * there is neither. */
static bool next_piece(eti_text *rest, eti_text *piece) {
    for (size_t i = 0; i < rest->size; i++) {
        if (rest->data[i] != '\n' && rest->data[i] != '\r')
            continue;
        *piece = (eti_text){rest->data, i};
        rest->data += i + 1;
        rest->size -= i + 1;
        return true;
    }
    return false;
}

static bool has_lines(eti_text text) {
    return text.size > 0 &&
           (memchr(text.data, '\n', text.size) || memchr(text.data, '\r', text.size));
}

/* Returns the size of the line break at `at`, as in str.splitlines(), or 0. */
static size_t line_break_size(eti_text text, size_t at) {
    const unsigned char *bytes = (const unsigned char *)text.data + at;
    size_t left = text.size - at;
    if (bytes[0] == '\r')
        return left > 1 && bytes[1] == '\n' ? 2 : 1;
    if ((bytes[0] >= '\n' && bytes[0] <= '\f') || (bytes[0] >= 0x1c && bytes[0] <= 0x1e))
        return 1;
    if (left >= 2 && bytes[0] == 0xc2 && bytes[1] == 0x85) /* U+0085 */
        return 2;
    if (left >= 3 && bytes[0] == 0xe2 && bytes[1] == 0x80 && /* U+2028, U+2029 */
        (bytes[2] == 0xa8 || bytes[2] == 0xa9))
        return 3;
    return 0;
}

/* Takes the next line of `*rest`; returns true if a line break ended it. */
static bool next_line(eti_text *rest, eti_text *line) {
    size_t end = 0;
    size_t size = 0;
    while (end < rest->size && (size = line_break_size(*rest, end)) == 0)
        end++;
    *line = (eti_text){rest->data, end};
    rest->data += end + size;
    rest->size -= end + size;
    return size > 0;
}

/* ---- first pass: types and widths ------------------------------------------------------------ */

static void look_at_cell(grid *g, grid_column *column, const eti_cell *cell) {
    if (column->type < ETI_GRID_TEXT) {
        eti_grid_type before = column->type, type = eti__grid_cell_type(cell, &g->scratch);
        if (type > before) {
            column->type = type;
            g->is_stale = g->is_stale || is_number(before) || is_number(type);
        }
    }
    if (!g->multi_line && eti__cell_is_text(cell) && has_lines(cell->as_text))
        g->multi_line = g->is_stale = true;
}

/* Examines the first row. False: out of memory. */
static bool look_at_first_row(grid *g) {
    eti_row_reader reader;
    eti_cell index_cell;
    if (g->table->n_rows == 0)
        return true;
    if (!eti__row_reader_open(&reader, g->table))
        return false;
    const eti_cell *cells = eti__row_reader_read(&reader, 0);
    for (size_t i = 0; !reader.failed && i < g->n_columns; i++)
        look_at_cell(g, &g->columns[i], cell_at(g, 0, cells, i, &index_cell));
    eti__row_reader_close(&reader);
    return !reader.failed;
}

/* Reuses the text of the last number: the statistics of an event with one sample are all the same. */
static void reuse_number(const grid *g, grid_column *column, const eti_cell *cell) {
    const grid_column *before = column - 1;
    uint64_t bits;
    if (cell->kind != ETI_CELL_DOUBLE || column == g->columns)
        return;
    memcpy(&bits, &cell->as_double, sizeof bits);
    if (before->number.size > 0 && before->number.bits == bits)
        column->number = before->number;
}

/* Returns a cell's text in its final form except for padding. */
static eti_text cell_text(grid *g, grid_column *column, const eti_cell *cell) {
    reuse_number(g, column, cell);
    eti_text text = eti__grid_cell_text(cell, column->type, &column->number, &g->scratch);
    return is_number(column->type) ? text : eti__python_strip(text);
}

static ptrdiff_t cell_decimals(const grid_column *column, eti_text text) {
    return column->type == ETI_GRID_FLOAT ? eti__grid_decimals(text) : -1;
}

/* Returns the number of characters of the last piece of `text`, and widens the column for the pieces before it. */
static size_t measure(const grid *g, grid_column *column, eti_text text) {
    eti_text piece;
    while (g->multi_line && next_piece(&text, &piece)) {
        size_t width = count_characters(piece);
        if (width > column->width)
            column->width = width;
    }
    return count_characters(text);
}

static uint64_t count_lines(const grid *g, eti_text text) {
    eti_text ignored;
    uint64_t n = 1;
    while (g->multi_line && next_line(&text, &ignored))
        n++;
    return n;
}

/* Measures a cell. In a column of numbers, blanks stand for missing decimals, and only after the last cell their number is
 * known. Returns the number of lines of the cell. */
static uint64_t measure_cell(grid *g, grid_column *column, const eti_cell *cell) {
    eti_text text = cell_text(g, column, cell);
    ptrdiff_t decimals = cell_decimals(column, text);
    ptrdiff_t bare = (ptrdiff_t)measure(g, column, text) - decimals;
    if (decimals > column->decimals)
        column->decimals = decimals;
    if (bare > column->bare)
        column->bare = bare;
    return count_lines(g, text);
}

static void measure_row(void *state, size_t row, const eti_cell *cells, eti_buffer *out) {
    grid *g = state;
    eti_cell index_cell;
    uint64_t n_lines = 1;
    (void)out;
    for (size_t i = 0; i < g->n_columns; i++) {
        const eti_cell *cell = cell_at(g, row, cells, i, &index_cell);
        look_at_cell(g, &g->columns[i], cell);
        uint64_t n = g->is_stale ? 1 : measure_cell(g, &g->columns[i], cell);
        if (n > n_lines)
            n_lines = n;
    }
    g->n_lines += n_lines;
}

static void measure_name(const grid *g, grid_column *column) {
    size_t width = measure(g, column, column->name);
    if (width > column->width)
        column->width = width;
    column->width += MIN_PADDING;
}

/* Measures the names; called each time before rows are measured. */
static void measure_names(grid *g) {
    g->is_stale = false;
    g->n_lines = 0;
    for (size_t i = 0; i < g->n_columns; i++) {
        grid_column *column = &g->columns[i];
        column->width = 0;
        column->decimals = -1;
        column->bare = 0;
        measure_name(g, column);
    }
}

/* Sets the widths, after rows were measured. */
static void set_widths(grid *g) {
    for (size_t i = 0; i < g->n_columns; i++) {
        grid_column *column = &g->columns[i];
        ptrdiff_t width = column->bare + column->decimals;
        if (width > (ptrdiff_t)column->width)
            column->width = (size_t)width;
    }
}

/* Checks the size of the drawn table. A long cell widens its column in all rows, and a text of many lines makes its row high
 * in all columns, so the size can be the square of that of the contents. A character in a line of a row takes at least one
 * byte, in the line below the row three. */
static eti_status check_size(const grid *g, eti_error *err) {
    uint64_t most = g->table->most_drawn;
    const grid_column *widest = &g->columns[0];
    uint64_t width = 1;
    for (size_t i = 0; i < g->n_columns; i++) {
        width += g->columns[i].width + 3;
        if (g->columns[i].width > widest->width)
            widest = &g->columns[i];
    }
    uint64_t n_characters = g->n_lines + 3 * (uint64_t)g->table->n_rows;
    if (most == 0 || n_characters <= most / width)
        return ETI_OK;
    return eti_fail(err, ETI_ERROR_LIMIT,
                    "the table would take more than %llu bytes, because column %.*s is %zu "
                    "characters wide in %llu lines: use %sformat tsv or csv",
                    (unsigned long long)most, ETI_TEXT_ARGS(widest->name), widest->width,
                    (unsigned long long)g->n_lines, eti__option_prefix());
}

/* ---- second pass: printing ------------------------------------------------------------------- */

static void add_blanks(eti_buffer *out, size_t n) {
    static const char blanks[] = "                                                                ";
    const size_t chunk = sizeof blanks - 1;
    for (; n > chunk; n -= chunk)
        eti__buffer_add(out, blanks, chunk);
    eti__buffer_add(out, blanks, n);
}

/* Adds one line of a cell; `trailing` blanks belong to the text. */
static void add_padded(eti_buffer *out, const grid_column *column, eti_text text, size_t trailing) {
    size_t padding = column->width - count_characters(text) - trailing;
    if (is_number(column->type))
        add_blanks(out, padding);
    eti__buffer_add_text(out, text);
    add_blanks(out, is_number(column->type) ? trailing : padding);
}

/* Adds the next line of a column's cell; blanks if the cell has no more lines. */
static void add_cell_line(const grid *g, grid_column *column, eti_buffer *out) {
    eti_text line = column->rest;
    size_t trailing = column->trailing;
    if (g->multi_line && next_line(&column->rest, &line))
        trailing = 0;
    else
        column->trailing = 0;
    add_padded(out, column, line, trailing);
}

static void add_line(grid *g, eti_buffer *out) {
    eti__buffer_add_string(out, g->frame->left);
    for (size_t i = 0; i < g->n_columns; i++) {
        if (i > 0)
            eti__buffer_add_string(out, g->frame->between);
        add_cell_line(g, &g->columns[i], out);
    }
    eti__buffer_add_string(out, g->frame->right);
}

static bool has_more_lines(const grid *g) {
    for (size_t i = 0; g->multi_line && i < g->n_columns; i++) {
        if (g->columns[i].rest.size > 0 || g->columns[i].trailing > 0)
            return true;
    }
    return false;
}

static void add_names(grid *g, eti_buffer *out) {
    for (size_t i = 0; i < g->n_columns; i++) {
        g->columns[i].rest = g->columns[i].name;
        g->columns[i].trailing = 0;
    }
    do
        add_line(g, out);
    while (has_more_lines(g));
}

/* Adds a row. In multi-line mode, a row of only empty cells has no line at all. */
static void add_row(void *state, size_t row, const eti_cell *cells, eti_buffer *out) {
    grid *g = state;
    eti_cell index_cell;
    if (row > 0)
        eti__buffer_add_text(out, g->rule);
    for (size_t i = 0; i < g->n_columns; i++) {
        grid_column *column = &g->columns[i];
        column->rest = cell_text(g, column, cell_at(g, row, cells, i, &index_cell));
        column->trailing = (size_t)(column->decimals - cell_decimals(column, column->rest));
    }
    if (g->scratch.failed)
        return; /* the texts then differ from those that were measured */
    if (!g->multi_line)
        add_line(g, out);
    while (has_more_lines(g))
        add_line(g, out);
}

static void add_rule(const grid *g, const line_style *style, eti_buffer *out) {
    eti__buffer_add_string(out, style->left);
    for (size_t i = 0; i < g->n_columns; i++) {
        if (i > 0)
            eti__buffer_add_string(out, style->cross);
        eti__buffer_add_repeated(out, style->fill, g->columns[i].width + 2);
    }
    eti__buffer_add_string(out, style->right);
}

/* ---- several threads ------------------------------------------------------------------------- */

static void add_findings(grid_column *column, const grid_column *other) {
    if (other->type > column->type)
        column->type = other->type;
    if (other->width > column->width)
        column->width = other->width;
    if (other->decimals > column->decimals)
        column->decimals = other->decimals;
    if (other->bare > column->bare)
        column->bare = other->bare;
}

/* Merges the results of all threads into those of the first. False: a thread ran out of memory. */
static bool join_grids(grid *grids, size_t n) {
    bool failed = grids[0].scratch.failed;
    for (size_t k = 1; k < n; k++) {
        failed = failed || grids[k].scratch.failed;
        grids[0].is_stale = grids[0].is_stale || grids[k].is_stale;
        grids[0].multi_line = grids[0].multi_line || grids[k].multi_line;
        grids[0].n_lines += grids[k].n_lines;
        for (size_t i = 0; i < grids[0].n_columns; i++)
            add_findings(&grids[0].columns[i], &grids[k].columns[i]);
    }
    return !failed;
}

/* Copies the results of the first thread to all others. */
static void share_grid(grid *grids, size_t n) {
    for (size_t k = 1; k < n; k++) {
        grids[k].multi_line = grids[0].multi_line;
        grids[k].is_stale = grids[0].is_stale;
        grids[k].n_lines = 0;
        grids[k].rule = grids[0].rule;
        memcpy(grids[k].columns, grids[0].columns, grids[0].n_columns * sizeof *grids[0].columns);
    }
}

/* Goes through all rows. False: out of memory. */
static bool pass(grid *grids, size_t n, const eti_table *table, eti_row_function take,
                 eti_output *output) {
    share_grid(grids, n);
    return eti__rows_each(table, take, grids, sizeof *grids, output) && join_grids(grids, n);
}

/* ---- putting it together --------------------------------------------------------------------- */

static bool print(grid *grids, size_t n, const eti_table *table, eti_output *output) {
    const line_set *frame = grids[0].frame;
    eti_buffer text = {0}, rule = {0};
    add_rule(&grids[0], &frame->top, &text);
    add_names(&grids[0], &text);
    add_rule(&grids[0], &frame->header, &text);
    add_rule(&grids[0], &frame->row, &rule);
    eti__output_add_text(output, eti__buffer_text(&text));
    grids[0].rule = eti__buffer_text(&rule);
    bool printed = !text.failed && !rule.failed && pass(grids, n, table, add_row, output);
    text.size = 0;
    add_rule(&grids[0], &frame->bottom, &text);
    eti__output_add_text(output, eti__buffer_text(&text));
    eti__buffer_free(&text);
    eti__buffer_free(&rule);
    return printed;
}

static bool start_grid(grid *g, const eti_table *table, const line_set *frame) {
    g->frame = frame;
    g->table = table;
    g->has_index = table->index_column && table->n_rows > 0;
    g->n_columns = table->n_columns + g->has_index;
    g->columns = calloc(g->n_columns, sizeof *g->columns);
    for (size_t i = 0; g->columns && i < g->n_columns; i++) {
        g->columns[i].type = table->n_rows > 0 ? ETI_GRID_BOOL : ETI_GRID_TEXT;
        g->columns[i].name = (eti_text){"", 0};
        if (i >= g->has_index)
            g->columns[i].name = table->columns[i - g->has_index].name;
        g->multi_line = g->multi_line || has_lines(g->columns[i].name);
    }
    return g->columns != NULL;
}

static eti_status draw(grid *grids, size_t n, const eti_table *table, const line_set *frame,
                       eti_output *output, eti_error *err) {
    for (size_t k = 0; k < n; k++) {
        if (!start_grid(&grids[k], table, frame))
            return eti_fail_memory(err);
    }
    if (!look_at_first_row(&grids[0]))
        return eti_fail_memory(err);
    do {
        measure_names(&grids[0]);
        if (!pass(grids, n, table, measure_row, output))
            return eti_fail_memory(err);
    } while (grids[0].is_stale);
    set_widths(&grids[0]);
    ETI_TRY(check_size(&grids[0], err));
    return print(grids, n, table, output) ? ETI_OK : eti_fail_memory(err);
}

static eti_status write_grid(const eti_table *table, const eti_write_options *options,
                             eti_output *output, eti_error *err) {
    const line_set *frame = options->ascii ? &ascii_frame : &inspectors_frame;
    if (table->n_columns == 0) {
        eti__output_add_string(output, "\n");
        return ETI_OK;
    }
    size_t n = eti__rows_thread_count(table);
    grid *grids = calloc(n, sizeof *grids);
    eti_status status = grids ? draw(grids, n, table, frame, output, err) : eti_fail_memory(err);
    for (size_t k = 0; grids && k < n; k++) {
        free(grids[k].columns);
        eti__buffer_free(&grids[k].scratch);
    }
    free(grids);
    return status;
}

const eti_writer eti__writer_fancy_grid = {
    .name = "table",
    .summary = "the Inspector's table, drawn with lines",
    .takes = ETI_TAKES_TABLES,
    .is_for_people = true,
    .write_table = write_grid,
};
