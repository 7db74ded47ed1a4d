/*
 * fuzz_writers.c - the input is a table of any texts, repaired as texts are where they enter the model. It is printed in every
 * format, and the formats are read back: libcsv must find the cells in the CSV, the reader below those in
 * the TSV, and all lines of a grid must have the same width. The copy for a terminal contains no command to it, and the
 * copy for a spreadsheet no formula.
 *
 *     u8 shape    bit 0: with an index column; the rest modulo 7 is the number of columns
 *     u16 stop    number of bytes after which the output function fails
 *     a text per column (u8 size, bytes), and cells as long as there is input
 *     cell        u8 kind | nothing, u8, i64, f64 or a text
 */
#include "write/write.h"

#include "../table_cell.h"
#include "fuzz.h"

#include <csv.h>

#define MOST_COLUMNS 7
#define MOST_ROWS 64 /* a grid is as wide in each row as its widest cell */

/* ---- the table ------------------------------------------------------------------------------- */

static eti_text take_text(fuzz_input *input) {
    return fuzz_take(input, (size_t)fuzz_take_number(input, 1));
}

static eti_cell take_cell(fuzz_input *input, eti_table *owner) {
    eti_cell cell = {.kind = (eti_cell_kind)(fuzz_take_number(input, 1) % (ETI_CELL_NAN + 1))};
    uint64_t bits;
    switch (cell.kind) {
    case ETI_CELL_BOOL:
        cell.as_bool = fuzz_take_number(input, 1) & 1;
        break;
    case ETI_CELL_INT:
        cell.as_int = (int64_t)fuzz_take_number(input, 8);
        break;
    case ETI_CELL_DOUBLE:
        bits = fuzz_take_number(input, 8);
        memcpy(&cell.as_double, &bits, sizeof bits);
        break;
    case ETI_CELL_TEXT:
    case ETI_CELL_LIST:
        /* A copy, so that a sanitizer knows where the text ends. */
        FUZZ_EXPECT(eti__table_own_text(owner, take_text(input), &cell.as_text));
        break;
    case ETI_CELL_NONE:
    case ETI_CELL_NAN:
    case ETI_CELL_DOUBLES:
    case ETI_CELL_UINTS:
    case ETI_CELL_INTS:
    case ETI_CELL_TEXTS:
    case ETI_CELL_INT_LISTS:
        break;
    }
    return cell;
}

static eti_table *make_table(fuzz_input *input, unsigned shape) {
    eti_column columns[MOST_COLUMNS] = {{.kind = ETI_COLUMN_TEXT}};
    size_t n_columns = shape / 2 % MOST_COLUMNS;
    for (size_t i = 0; i < n_columns; i++)
        columns[i].name = take_text(input);
    eti_table *table;
    FUZZ_EXPECT(eti__table_new(&table, columns, n_columns, NULL) == ETI_OK);
    for (size_t i = 0; i < n_columns; i++)
        FUZZ_EXPECT(eti__table_own_text(table, columns[i].name, &table->columns[i].name));
    table->index_column = shape & 1;
    while (input->size > 0 && n_columns > 0 && table->n_rows < MOST_ROWS) {
        eti_cell *row = eti__table_add_row(table);
        FUZZ_EXPECT(row);
        for (size_t i = 0; i < n_columns; i++)
            row[i] = take_cell(input, table);
    }
    return table;
}

static bool has_text(const eti_cell *cell) {
    return cell->kind == ETI_CELL_TEXT || cell->kind == ETI_CELL_LIST;
}

/* Returns whether `holds` is true of all names and texts. */
static bool all_texts(const eti_table *table, bool (*holds)(eti_text text)) {
    for (size_t i = 0; i < table->n_columns; i++) {
        if (!holds(table->columns[i].name))
            return false;
    }
    for (size_t i = 0; i < table->n_rows * table->n_columns; i++) {
        if (has_text(&table->cells[i]) && !holds(table->cells[i].as_text))
            return false;
    }
    return true;
}

static bool is_utf8(eti_text text) {
    return fuzz_is_utf8(text, NULL);
}

static bool is_one_line(eti_text text) {
    return text.size == 0 ||
           !(memchr(text.data, '\n', text.size) || memchr(text.data, '\r', text.size));
}

static bool has_no_control(eti_text text) {
    return !fuzz_has_control(text, '\n');
}

/* ---- writing --------------------------------------------------------------------------------- */

static eti_buffer write_table(const eti_table *table, const char *format) {
    eti_buffer out = {0};
    eti_error err = ETI_ERROR_INIT;
    FUZZ_EXPECT(eti_table_write(table, format, fuzz_keep, &out, &err) == ETI_OK);
    return out;
}

static bool keep_some(void *context, const void *data, size_t size) {
    size_t *room = context;
    fuzz_touch_bytes(data, size);
    if (size > *room)
        return false;
    *room -= size;
    return true;
}

/* An output function that fails makes the whole fail, wherever it does. */
static void expect_refusal(const eti_table *table, const char *format, size_t total, size_t room) {
    eti_error err = ETI_ERROR_INIT;
    size_t left = room;
    eti_status status = eti_table_write(table, format, keep_some, &left, &err);
    FUZZ_EXPECT(status == (room < total ? ETI_ERROR_WRITE : ETI_OK));
    if (status != ETI_OK)
        fuzz_expect_error(status, &err);
}

/* ---- reading back ---------------------------------------------------------------------------- */

static void expect_int(eti_text found, int64_t expected) {
    char number[32];
    char *end;
    FUZZ_EXPECT(found.size > 0 && found.size < sizeof number);
    memcpy(number, found.data, found.size);
    number[found.size] = '\0';
    FUZZ_EXPECT(strtoll(number, &end, 10) == expected && *end == '\0');
}

static void expect_double(eti_text found, double expected) {
    char number[64];
    char *end;
    if (expected != expected) {
        FUZZ_EXPECT(found.size == 0);
        return;
    }
    FUZZ_EXPECT(found.size > 0 && found.size < sizeof number);
    memcpy(number, found.data, found.size);
    number[found.size] = '\0';
    double value = strtod(number, &end);
    FUZZ_EXPECT(*end == '\0' && memcmp(&value, &expected, sizeof value) == 0);
}

static void expect_text(eti_text found, eti_text expected) {
    FUZZ_EXPECT(found.size == expected.size);
    FUZZ_EXPECT(found.size == 0 || memcmp(found.data, expected.data, found.size) == 0);
}

static void expect_cell(eti_text found, const eti_cell *cell) {
    switch (cell->kind) {
    case ETI_CELL_BOOL:
        expect_text(found, eti__text_of(cell->as_bool ? "True" : "False"));
        break;
    case ETI_CELL_INT:
        expect_int(found, cell->as_int);
        break;
    case ETI_CELL_DOUBLE:
        expect_double(found, cell->as_double);
        break;
    case ETI_CELL_TEXT:
    case ETI_CELL_LIST:
        expect_text(found, cell->as_text);
        break;
    case ETI_CELL_NONE:
    case ETI_CELL_NAN:
    case ETI_CELL_DOUBLES:
    case ETI_CELL_UINTS:
    case ETI_CELL_INTS:
    case ETI_CELL_TEXTS:
    case ETI_CELL_INT_LISTS:
        FUZZ_EXPECT(found.size == 0);
        break;
    }
}

/* Line 0 has the names. */
static void expect_field(const eti_table *table, size_t line, size_t column, eti_text found) {
    FUZZ_EXPECT(line <= table->n_rows && column < table->n_columns);
    if (line == 0) {
        expect_text(found, table->columns[column].name);
        return;
    }
    eti_cell cell = table_cell(table, line - 1, column);
    expect_cell(found, &cell);
}

/* ---- CSV ------------------------------------------------------------------------------------- */

typedef struct csv_place {
    const eti_table *table;
    size_t line, column;
} csv_place;

static void end_csv_field(void *field, size_t size, void *context) {
    csv_place *place = context;
    expect_field(place->table, place->line, place->column++, (eti_text){field, size});
}

static void end_csv_line(int terminator, void *context) {
    csv_place *place = context;
    FUZZ_EXPECT(terminator == '\r' && place->column == place->table->n_columns);
    place->line++;
    place->column = 0;
}

static void check_csv(const eti_table *table) {
    eti_buffer out = write_table(table, "csv");
    csv_place place = {table, 0, 0};
    struct csv_parser parser;
    FUZZ_EXPECT(csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI) == 0);
    FUZZ_EXPECT(csv_parse(&parser, out.data, out.size, end_csv_field, end_csv_line, &place) ==
                out.size);
    FUZZ_EXPECT(csv_fini(&parser, end_csv_field, end_csv_line, &place) == 0);
    csv_free(&parser);
    FUZZ_EXPECT(place.column == 0);
    FUZZ_EXPECT(place.line == (table->n_columns > 0 ? table->n_rows + 1 : 0));
    eti__buffer_free(&out);
}

/* ---- TSV ------------------------------------------------------------------------------------- */

/* Takes the field at the start of `*rest` into `field`, and the TAB or LF after it. */
static char take_tsv_field(eti_text *rest, eti_buffer *field) {
    size_t at = 0;
    field->size = 0;
    bool quoted = rest->size > 0 && rest->data[0] == '"';
    for (at += quoted; at < rest->size; at++) {
        char c = rest->data[at];
        if (quoted && c == '"') {
            at++;
            if (at == rest->size || rest->data[at] != '"')
                break;
        } else if (!quoted && (c == '\t' || c == '\n')) {
            break;
        }
        eti__buffer_add_char(field, c);
    }
    FUZZ_EXPECT(at < rest->size);
    char end = rest->data[at];
    FUZZ_EXPECT(end == '\t' || end == '\n');
    *rest = (eti_text){rest->data + at + 1, rest->size - at - 1};
    return end;
}

static void expect_tsv_index(size_t line, eti_text found) {
    if (line == 0)
        FUZZ_EXPECT(found.size == 0);
    else
        expect_int(found, (int64_t)line - 1);
}

static void check_tsv(const eti_table *table) {
    eti_buffer out = write_table(table, "tsv");
    eti_buffer field = {0};
    eti_text rest = eti__buffer_text(&out);
    size_t n_fields = table->n_columns + table->index_column;
    for (size_t line = 0; line <= table->n_rows && table->n_columns > 0; line++) {
        for (size_t i = 0; i < n_fields; i++) {
            char end = take_tsv_field(&rest, &field);
            FUZZ_EXPECT(end == (i + 1 < n_fields ? '\t' : '\n'));
            if (table->index_column && i == 0)
                expect_tsv_index(line, eti__buffer_text(&field));
            else
                expect_field(table, line, i - table->index_column, eti__buffer_text(&field));
        }
    }
    FUZZ_EXPECT(rest.size == 0 || table->n_columns == 0);
    FUZZ_EXPECT(!field.failed);
    eti__buffer_free(&field);
    eti__buffer_free(&out);
}

/* ---- grid ------------------------------------------------------------------------------------ */

/* Checks that all lines have as many characters as the first; returns the number of lines. */
static size_t expect_equal_widths(eti_text text) {
    size_t n_lines = 0, width = 0;
    while (text.size > 0) {
        const char *end = memchr(text.data, '\n', text.size);
        FUZZ_EXPECT(end);
        eti_text line = {text.data, (size_t)(end - text.data)};
        size_t n;
        FUZZ_EXPECT(fuzz_is_utf8(line, &n));
        FUZZ_EXPECT(n_lines == 0 || n == width);
        width = n;
        n_lines++;
        text = (eti_text){end + 1, text.size - line.size - 1};
    }
    return n_lines;
}

static void check_grid(const eti_table *table) {
    eti_buffer out = write_table(table, "table");
    if (table->n_columns > 0 && all_texts(table, is_utf8)) {
        size_t n_lines = expect_equal_widths(eti__buffer_text(&out));
        if (all_texts(table, is_one_line))
            FUZZ_EXPECT(n_lines == (table->n_rows > 0 ? 2 * table->n_rows + 3 : 4));
    }
    eti__buffer_free(&out);
}

/* A drawing of more than `most` bytes is rejected before anything is written. */
static void check_limit(eti_table *table, size_t most) {
    eti_buffer out = {0};
    eti_error err = ETI_ERROR_INIT;
    table->most_drawn = most;
    eti_status status = eti_table_write(table, "table", fuzz_keep, &out, &err);
    table->most_drawn = 0;
    FUZZ_EXPECT(status == ETI_OK || (status == ETI_ERROR_LIMIT && most > 0 && out.size == 0));
    if (status != ETI_OK)
        fuzz_expect_error(status, &err);
    eti__buffer_free(&out);
}

/* ---- copies for terminals and spreadsheets (table/table.h) -------------------------------------- */

/* A text without control characters is unchanged, others become longer. */
static void expect_visible(const eti_cell *cell, const eti_cell *visible) {
    FUZZ_EXPECT(visible->kind == cell->kind);
    if (!has_text(cell))
        return;
    FUZZ_EXPECT(has_no_control(visible->as_text));
    FUZZ_EXPECT(!is_utf8(cell->as_text) || is_utf8(visible->as_text));
    if (has_no_control(cell->as_text) && is_utf8(cell->as_text))
        FUZZ_EXPECT(fuzz_same_text(cell->as_text, visible->as_text));
    else
        FUZZ_EXPECT(visible->as_text.size >= cell->as_text.size);
}

/* Some formats draw graphs or traces, others are for gates. */
static bool is_of_one_view(const char *format) {
    return strcmp(format, "dot") == 0 || strncmp(format, "model-explorer", 14) == 0 ||
           strcmp(format, "junit") == 0 || strcmp(format, "github") == 0 ||
           strcmp(format, "benchmark") == 0 || strcmp(format, "codequality") == 0 ||
           strcmp(format, "chrome") == 0 || strcmp(format, "perfetto") == 0 ||
           strcmp(format, "speedscope") == 0 || strcmp(format, "folded") == 0 ||
           strcmp(format, "pprof") == 0;
}

static void check_visible(const eti_table *table) {
    eti_table *visible;
    const char *format;
    FUZZ_EXPECT(eti__table_make_visible(&visible, table, NULL) == ETI_OK);
    FUZZ_EXPECT(visible->n_rows == table->n_rows && visible->n_columns == table->n_columns);
    FUZZ_EXPECT(visible->index_column == table->index_column);
    for (size_t i = 0; i < table->n_rows * table->n_columns; i++) {
        eti_cell cell = table_cell(visible, i / table->n_columns, i % table->n_columns);
        expect_visible(&table->cells[i], &cell);
    }
    for (size_t i = 0; (format = eti_format_name(i)); i++) {
        if (is_of_one_view(format))
            continue;
        eti_buffer out = write_table(visible, format);
        fuzz_touch(eti__buffer_text(&out));
        eti__buffer_free(&out);
    }
    eti_table_free(visible);
}

/* Returns the character at `at`, or U+FFFD; steps over it. */
static uint32_t next_character(eti_text text, size_t *at) {
    uint32_t character = 0xfffd;
    size_t size = fuzz_character(text, *at, &character);
    *at += size ? size : 1;
    return character;
}

/* Returns whether the text at `at`, after blanks, is a formula to any spreadsheet. */
static bool is_formula(eti_text text, size_t at) {
    uint32_t c = ' ';
    while (at < text.size && (c == ' ' || c == 0xa0 || c == 0xfeff))
        c = next_character(text, &at);
    return c == '=' || c == '+' || c == '-' || c == '@' || c == 0xff1d || c == 0xff0b ||
           c == 0xff0d || c == 0xff20;
}

/* Does the same for text after a place where some spreadsheet splits cells. */
static bool has_formula(eti_text text) {
    bool found = is_formula(text, 0);
    for (size_t at = 0; at < text.size && !found; at++)
        found = memchr("\n\r\t;", text.data[at], 4) && is_formula(text, at + 1);
    return found;
}

/* Returns whether any part of the text, which may have any width, begins a formula. */
static bool has_sign(eti_text text) {
    for (size_t at = 0; at < text.size; at++) {
        if ((unsigned char)text.data[at] >= 0x80 || memchr("=+-@|%", text.data[at], 6))
            return true;
    }
    return false;
}

/* Returns the text without the marks that were inserted. */
static void expect_only_marks(eti_text text, eti_text defused) {
    size_t at = 0;
    for (size_t i = 0; i < defused.size; i++) {
        if (at < text.size && defused.data[i] == text.data[at])
            at++;
        else
            FUZZ_EXPECT(defused.data[i] == '\'');
    }
    FUZZ_EXPECT(at == text.size);
}

static void check_defused(const eti_table *table) {
    eti_table *defused;
    FUZZ_EXPECT(eti_table_defuse_formulas(&defused, table, NULL) == ETI_OK);
    FUZZ_EXPECT(defused->n_rows == table->n_rows && defused->n_columns == table->n_columns);
    for (size_t i = 0; i < table->n_rows * table->n_columns; i++) {
        const eti_cell *cell = &table->cells[i];
        eti_cell changed = table_cell(defused, i / table->n_columns, i % table->n_columns);
        eti_text text = changed.as_text;
        FUZZ_EXPECT(changed.kind == cell->kind);
        if (!has_text(cell))
            continue;
        FUZZ_EXPECT(!has_formula(text));
        expect_only_marks(cell->as_text, text);
        FUZZ_EXPECT(has_sign(cell->as_text) || text.size == cell->as_text.size);
    }
    check_csv(defused);
    check_tsv(defused);
    eti_table_free(defused);
}

/* ---- formats for people, and lines ------------------------------------------------------------ */

/* With an index column each column has another kind. */
static void set_kinds(eti_table *table) {
    for (size_t i = 0; i < table->n_columns && table->index_column; i++)
        table->columns[i].kind = (eti_column_kind)(i % (ETI_COLUMN_RANGES + 1));
}

/* No line is wider than a screen in which a number fits, and none holds more than text. */
static void check_text(eti_table *table, size_t width) {
    eti_section section = {.name = "rows", .table = table, .has_chosen_columns = true};
    const eti_report report = {.view = "table", .sections = &section, .n_sections = 1};
    const eti_write_options options = {
        .color = ETI_COLOR_NEVER, .width = width, .ascii = width % 2, .for_terminal = true};
    eti_buffer out = {0};
    FUZZ_EXPECT(eti__report_write(&report, "text", &options, fuzz_keep, &out, NULL) == ETI_OK);
    eti_text rest = eti__buffer_text(&out);
    FUZZ_EXPECT(!fuzz_has_control(rest, '\n') && fuzz_is_utf8(rest, NULL));
    while (rest.size > 0) {
        const char *end = memchr(rest.data, '\n', rest.size);
        FUZZ_EXPECT(end);
        eti_text line = {rest.data, (size_t)(end - rest.data)};
        FUZZ_EXPECT(eti__text_width(line) <= width);
        rest = (eti_text){end + 1, rest.size - line.size - 1};
    }
    eti__buffer_free(&out);
}

/* Returns the size of the element that begins here: a single sign, a character reference or none; 0: another element. */
static size_t size_of_element(eti_text text) {
    static const char begin[] = "<span>", end[] = "</span>";
    if (text.size < strlen(begin) || memcmp(text.data, begin, strlen(begin)) != 0)
        return 0;
    const char *closed = memmem(text.data, text.size, end, strlen(end));
    size_t size = closed ? (size_t)(closed - text.data) - strlen(begin) : SIZE_MAX;
    return size <= strlen("&#x10ffff;") ? strlen(begin) + size + strlen(end) : 0;
}

/* Each line has a bar before each cell and one at its end, and no HTML except that which separates names. */
static void check_markdown(const eti_table *table) {
    eti_buffer out = write_table(table, "markdown");
    size_t n_bars = 0, n_lines = 0;
    FUZZ_EXPECT(!fuzz_has_control(eti__buffer_text(&out), '\n'));
    for (size_t i = 0; i < out.size; i++) {
        if (out.data[i] == '<') {
            size_t size = size_of_element((eti_text){out.data + i, out.size - i});
            FUZZ_EXPECT(size > 0);
            i += size - 1;
            continue;
        }
        FUZZ_EXPECT(!strchr(">`@", out.data[i]) || out.data[i] == '\0');
        n_bars += out.data[i] == '|';
        if (out.data[i] != '\n')
            continue;
        FUZZ_EXPECT(n_bars == table->n_columns + 1);
        n_bars = 0;
        n_lines++;
    }
    FUZZ_EXPECT(n_lines == table->n_rows + 2);
    eti__buffer_free(&out);
}

/* A row is one line of UTF-8 without control characters. */
static void check_ndjson(const eti_table *table) {
    eti_buffer out = write_table(table, "ndjson");
    size_t n_lines = 0;
    FUZZ_EXPECT(!fuzz_has_control(eti__buffer_text(&out), '\n') &&
                fuzz_is_utf8(eti__buffer_text(&out), NULL));
    for (size_t i = 0; i < out.size; i++)
        n_lines += out.data[i] == '\n';
    FUZZ_EXPECT(n_lines == table->n_rows);
    eti__buffer_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input input = {data, size};
    unsigned shape = (unsigned)fuzz_take_number(&input, 1);
    size_t stop = (size_t)fuzz_take_number(&input, 2);
    eti_table *table = make_table(&input, shape);
    const char *format;
    for (size_t i = 0; (format = eti_format_name(i)); i++) {
        if (is_of_one_view(format))
            continue;
        eti_buffer out = write_table(table, format);
        expect_refusal(table, format, out.size, stop);
        eti__buffer_free(&out);
    }
    check_csv(table);
    check_tsv(table);
    check_grid(table);
    check_limit(table, stop);
    check_visible(table);
    check_defused(table);
    set_kinds(table);
    check_text(table, 30 + stop % 200);
    check_markdown(table);
    check_ndjson(table);
    eti_table_free(table);
    return 0;
}
