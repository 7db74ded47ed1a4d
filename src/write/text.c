/*
 * Tables for people: columns without a grid that fit the screen. A row is one line. Long texts are cut in the middle, the
 * widest columns first; if that is not enough, the least important columns are left out, and a line says so. The table is
 * read twice: for widths, and to print.
 */
#include "write/paragraph.h"
#include "write/range_map.h"
#include "write/readable.h"
#include "write/screen.h"
#include "write/share_bar.h"
#include "write/sparkline.h"
#include "write/text_fit.h"
#include "write/writer.h"

#include <stdlib.h>
#include <string.h>

#define LEAST_MAP 12
#define BOLD "\033[1m"

typedef struct text_table {
    const eti_section *section;
    eti_output *output;
    eti_screen screen;
    eti_text_fit fit;
    bool *wanted;
    size_t heat; /* number of the column that gives heat; n_columns: none */
    eti_row_reader rows;
    eti_arena headings;
    eti_buffer text, folded;
    bool keeps_unit;
    eti_cell *
        fitted; /* cells of a row whose times have units other than the table's; NULL: there are no such rows */
    bool failed; /* out of memory */
} text_table;

/* ---- texts ----------------------------------------------------------------------------------- */

/* Returns the text as shown, except for folding, in t->text. */
static eti_text visible(text_table *t, eti_text text) {
    t->text.size = 0;
    eti__add_visible(&t->text, text,
                     ETI_VISIBLE_ONE_LINE | (t->screen.has_utf8 ? 0 : ETI_VISIBLE_ASCII));
    return eti__buffer_text(&t->text);
}

static const char *mark_of(const text_table *t, const eti_cell *cell) {
    if (cell->kind != ETI_CELL_BOOL || !cell->as_bool)
        return "";
    return t->screen.has_utf8 ? "†" : "*";
}

/* Draws a sparkline as wide as a text can be without being folded. */
static eti_text sparkline_of(text_table *t, const eti_text_column *column, const eti_cell *cell) {
    size_t width = t->fit.width > 0 ? column->folded : ETI_SPARKLINE_WIDTH;
    t->text.size = 0;
    eti__add_sparkline(&t->text, cell->items, cell->n_items, width, !t->screen.has_utf8);
    return eti__buffer_text(&t->text);
}

static eti_text map_of(text_table *t, const eti_text_column *column, const eti_cell *cell) {
    t->text.size = 0;
    eti__add_range_map(&t->text, cell, column->whole, column->width, !t->screen.has_utf8);
    return eti__buffer_text(&t->text);
}

/* Returns a list as "[1,2,6,8] +5": one of several texts, and the number of the others. */
static eti_text short_list(text_table *t, const eti_cell *cell) {
    const eti_text *texts = cell->items, *named = texts + cell->as_int;
    t->folded.size = 0;
    for (size_t i = 0; cell->n_items > 0 && i < named->size; i++) {
        bool follows_comma = i > 0 && named->data[i - 1] == ',';
        if (named->data[i] != ' ' || !follows_comma)
            eti__buffer_add_char(&t->folded, named->data[i]);
    }
    if (cell->n_items > 1)
        eti__buffer_printf(&t->folded, " +%zu", cell->n_items - 1);
    return visible(t, eti__buffer_text(&t->folded));
}

/* Returns the text of a cell in a column that is not only numbers. */
static eti_text cell_text(text_table *t, const eti_text_column *column, const eti_cell *cell,
                          char number[ETI_READABLE_MAX]) {
    if (eti__readable_is_number(&column->numbers, cell))
        return eti__readable_text(&column->numbers, cell, number);
    if (column->numbers.kind == ETI_COLUMN_MARK)
        return eti__text_of(mark_of(t, cell));
    if (eti__cell_is_series(column->numbers.kind, cell))
        return sparkline_of(t, column, cell);
    if (eti__cell_is_ranges(column->numbers.kind, cell))
        return map_of(t, column, cell);
    switch (cell->kind) {
    case ETI_CELL_BOOL:
        return eti__text_of(cell->as_bool ? "yes" : "no");
    case ETI_CELL_TEXT:
    case ETI_CELL_LIST:
        return visible(t, cell->as_text);
    case ETI_CELL_DOUBLES:
    case ETI_CELL_UINTS:
    case ETI_CELL_INTS:
    case ETI_CELL_TEXTS:
        if (cell->kind == ETI_CELL_TEXTS && !t->section->has_chosen_columns)
            return short_list(t, cell);
        t->folded.size = 0;
        eti__list_add(&t->folded, cell);
        return visible(t, eti__buffer_text(&t->folded));
    case ETI_CELL_NONE:
    case ETI_CELL_INT:
    case ETI_CELL_DOUBLE:
    case ETI_CELL_NAN:
        break;
    }
    return (eti_text){"", 0};
}

static eti_text name_of(text_table *t, const eti_text_column *column) {
    return eti__is_mark(column) ? (eti_text){"", 0} : visible(t, column->name);
}

static bool is_for_text(eti_column_kind kind) {
    return kind == ETI_COLUMN_TEXT || kind == ETI_COLUMN_UNIT || eti__column_holds_lists(kind);
}

static bool is_right_aligned(const eti_text_column *column) {
    if (is_for_text(column->numbers.kind))
        return column->numbers.has_number && !column->has_text;
    return true;
}

static const eti_cell *read_row(text_table *t, size_t row) {
    const eti_cell *cells = eti__row_reader_read(&t->rows, row);
    if (!t->fitted)
        return cells;
    memcpy(t->fitted, cells, t->fit.n_columns * sizeof *cells);
    eti__time_fit_units(t->fitted, t->section->table, t->screen.has_utf8);
    return t->fitted;
}

/* ---- first pass: widths ---------------------------------------------------------------------- */

static void widen(eti_text_column *column, size_t width) {
    if (width > column->natural)
        column->natural = width;
}

static void look_at_cell(text_table *t, eti_text_column *column, const eti_cell *cell) {
    char ignored[ETI_READABLE_MAX];
    column->has_value = column->has_value || cell->kind != ETI_CELL_NONE;
    if (eti__cell_is_ranges(column->numbers.kind, cell)) { /* a map takes all the room */
        uint64_t end = eti__ranges_end(cell);
        column->whole = end > column->whole ? end : column->whole;
        column->has_text = true;
        widen(column, t->screen.width > 0 ? t->fit.width : ETI_RANGE_MAP_WIDTH);
    } else if (eti__readable_is_number(&column->numbers, cell)) {
        eti__readable_look(&column->numbers, cell);
    } else if (cell->kind != ETI_CELL_NONE) {
        column->has_text = true;
        widen(column, eti__text_width(cell_text(t, column, cell, ignored)));
    }
}

/* Returns whether a cell takes no room, as a mark that is not set. */
static bool is_empty(const text_table *t, const eti_text_column *column) {
    return eti__is_mark(column) ? column->natural == 0
                                : eti__section_hides_empty(t->section) && !column->has_value;
}

/* Notes whether the cells of a column are alike. */
static void compare_cell(text_table *t, eti_text_column *column, const eti_cell *cell,
                         bool is_first) {
    if (column->varies)
        return;
    if (cell->kind == ETI_CELL_TEXT && is_first)
        t->failed |= !eti__arena_copy_text(&t->headings, cell->as_text, &column->first);
    else if (cell->kind == ETI_CELL_TEXT)
        column->varies = !eti__text_equal(cell->as_text, column->first);
    else if (cell->kind == ETI_CELL_INT && is_first)
        column->first_number = cell->as_int;
    else
        column->varies = cell->kind != ETI_CELL_INT || cell->as_int != column->first_number;
}

static void measure(text_table *t) {
    const eti_table *table = t->section->table;
    for (size_t row = 0; row < table->n_rows; row++) {
        const eti_cell *cells = read_row(t, row);
        for (size_t i = 0; i < t->fit.n_columns; i++) {
            if (t->fit.columns[i].is_shown)
                look_at_cell(t, &t->fit.columns[i], &cells[i]);
            if (t->fit.columns[i].is_shown && t->fit.has_map)
                compare_cell(t, &t->fit.columns[i], &cells[i], row == 0);
        }
    }
    for (size_t i = 0; i < t->fit.n_columns; i++) {
        eti_text_column *column = &t->fit.columns[i];
        if (!t->section->explains_itself)
            widen(column, eti__text_width(name_of(t, column)));
        widen(column, eti__readable_settle(&column->numbers));
        column->is_shown = column->is_shown && !is_empty(t, column);
    }
}

/* Limits the width of a column, because blanks that pad cells may be many more bytes than the texts. */
static size_t limit_width(const eti_table *table, size_t width) {
    if (table->most_drawn == 0)
        return width;
    uint64_t most = table->most_drawn / (table->n_rows + 2);
    if (most < ETI_NARROWEST)
        most = ETI_NARROWEST;
    return width > 0 && width < most ? width : most < SIZE_MAX ? (size_t)most : 0;
}

/* ---- second pass: printing ------------------------------------------------------------------- */

static void add_repeated(eti_output *output, const char *text, size_t n) {
    for (; n > 0; n--)
        eti__output_add_string(output, text);
}

static void add_blanks(eti_output *output, size_t n) {
    static const char blanks[] = "                                ";
    for (; n > sizeof blanks - 1; n -= sizeof blanks - 1)
        eti__output_add(output, blanks, sizeof blanks - 1);
    eti__output_add(output, blanks, n);
}

static void add_color(text_table *t, const char *color) {
    if (t->screen.has_color && *color)
        eti__output_add_string(t->output, color);
}

/* A line being written. Blanks are written only before the next text, so that none are at the end of a line. */
typedef struct line {
    size_t blanks; /* that are due */
    bool is_begun;
} line;

static void add_padded(text_table *t, line *l, const eti_text_column *column, eti_text text,
                       const char *color) {
    t->folded.size = 0;
    eti__add_folded(&t->folded, text, column->width, t->screen.has_utf8 ? "…" : "...");
    eti_text folded = eti__buffer_text(&t->folded);
    size_t padding = column->width - eti__text_width(folded);
    size_t before = l->blanks + (l->is_begun ? eti__gap_before(column) : 0);
    if (is_right_aligned(column))
        before += padding;
    l->is_begun = true;
    l->blanks = is_right_aligned(column) ? 0 : padding;
    for (; folded.size > 0 && folded.data[folded.size - 1] == ' '; folded.size--)
        l->blanks++; /* pads shorter units */
    if (folded.size == 0) {
        l->blanks += before;
        return;
    }
    add_blanks(t->output, before);
    size_t branches = column->has_heat ? eti__branches_size(folded) : 0;
    eti__output_add(t->output, folded.data, branches);
    add_color(t, color);
    eti__output_add(t->output, folded.data + branches, folded.size - branches);
    add_color(t, *color ? ETI_COLOR_END : "");
}

static double share_of(const eti_cell *cell) {
    return cell->kind == ETI_CELL_DOUBLE ? cell->as_double : 0;
}

static const char *color_of(const text_table *t, size_t column, const eti_cell *cells) {
    if (t->fit.columns[column].has_color)
        return eti__share_color(share_of(&cells[column]));
    bool has_heat = t->fit.columns[column].has_heat && t->heat < t->fit.n_columns;
    return has_heat ? eti__share_color(share_of(&cells[t->heat])) : "";
}

static void add_bar(text_table *t, line *l, const eti_cell *cell) {
    double share = share_of(cell);
    size_t least = t->screen.has_utf8 ? 16 : 2; /* columns that it needs to be visible */
    l->blanks += t->fit.bar_width + 1;
    if (!(share * (double)(t->fit.bar_width * least) >= 1))
        return;
    add_blanks(t->output, 1);
    l->blanks = t->fit.bar_width -
                eti__add_share_bar(t->output, share, t->fit.bar_width, !t->screen.has_utf8);
}

static void add_cells(text_table *t, const eti_cell *cells) {
    line l = {0, false};
    char number[ETI_READABLE_MAX];
    for (size_t i = 0; i < t->fit.n_columns; i++) {
        const eti_text_column *column = &t->fit.columns[i];
        if (!column->is_shown)
            continue;
        add_padded(t, &l, column, cell_text(t, column, &cells[i], number), color_of(t, i, cells));
        if (column->has_bar)
            add_bar(t, &l, &cells[i]);
    }
    eti__output_add_string(t->output, "\n");
}

static void add_names(text_table *t) {
    line l = {0, false};
    for (size_t i = 0; i < t->fit.n_columns; i++) {
        if (!t->fit.columns[i].is_shown)
            continue;
        add_padded(t, &l, &t->fit.columns[i], name_of(t, &t->fit.columns[i]), BOLD);
        l.blanks += t->fit.columns[i].has_bar ? t->fit.bar_width + 1 : 0;
    }
    eti__output_add_string(t->output, "\n");
    bool is_first = true;
    for (size_t i = 0; i < t->fit.n_columns; i++) {
        if (!t->fit.columns[i].is_shown)
            continue;
        add_blanks(t->output, is_first ? 0 : eti__gap_before(&t->fit.columns[i]));
        add_repeated(t->output, t->screen.has_utf8 ? "─" : "-",
                     t->fit.columns[i].width +
                         (t->fit.columns[i].has_bar ? t->fit.bar_width + 1 : 0));
        is_first = false;
    }
    eti__output_add_string(t->output, "\n");
}

static bool is_out_of_memory(const text_table *t) {
    return t->failed || !t->fit.columns || !t->wanted || t->text.failed || t->folded.failed ||
           t->rows.failed;
}

static void print(text_table *t) {
    const eti_table *table = t->section->table;
    if (!t->section->explains_itself &&
        !(eti__section_hides_empty(t->section) && table->n_rows == 0))
        add_names(t);
    for (size_t row = 0; row < table->n_rows && !eti__output_failed(t->output); row++) {
        const eti_cell *cells = read_row(t, row);
        if (is_out_of_memory(t))
            return;
        add_cells(t, cells);
    }
    if (table->n_rows == 0)
        eti__output_add_string(t->output, "(no rows)\n");
}

/* ---- lines around the table ------------------------------------------------------------------- */

static void add_paragraph(text_table *t, eti_text text) {
    eti__add_paragraph(t->output, text, t->screen.width);
}

static void add_title(text_table *t, size_t number) {
    if (number > 0)
        eti__output_add_string(t->output, "\n");
    if (!t->section->title || t->section->explains_itself || t->section->is_in_notes)
        return;
    add_color(t, BOLD);
    eti__output_add_string(t->output, t->section->title);
    add_color(t, ETI_COLOR_END);
    eti__output_add_string(t->output, "\n");
}

/* Adds a line for each series, with the names padded to the same width; names are cut on a narrow screen. */
static void add_series(text_table *t) {
    size_t widest = 0, screen = t->screen.width;
    for (size_t i = 0; i < t->section->n_series; i++) {
        size_t width = eti__text_width(visible(t, t->section->series[i].name));
        widest = width > widest ? width : widest;
    }
    widest = widest < screen / 3 ? widest : screen / 3;
    for (size_t i = 0; i < t->section->n_series; i++) {
        const eti_series *series = &t->section->series[i];
        size_t room = screen > widest + ETI_TEXT_GAP ? screen - widest - ETI_TEXT_GAP : 1;
        t->folded.size = 0;
        eti__add_folded(&t->folded, visible(t, series->name), widest,
                        t->screen.has_utf8 ? "…" : "...");
        eti_text name = eti__buffer_text(&t->folded);
        eti__output_add_text(t->output, name);
        add_blanks(t->output, widest - eti__text_width(name) + ETI_TEXT_GAP);
        t->text.size = 0;
        eti__add_sparkline(&t->text, series->values, series->n, room, !t->screen.has_utf8);
        eti__output_add_text(t->output, eti__buffer_text(&t->text));
        eti__output_add_string(t->output, "\n");
    }
}

static void add_notes(text_table *t, size_t n_hidden) {
    eti_buffer hidden = {0};
    if (n_hidden > 0) {
        eti__buffer_printf(&hidden, "(%zu %s hidden: %swidth or %scolumns)", n_hidden,
                           n_hidden == 1 ? "column" : "columns", eti__option_prefix(),
                           eti__option_prefix());
        add_paragraph(t, eti__buffer_text(&hidden));
    }
    if (t->section->n_folded > 0) {
        hidden.size = 0;
        eti__buffer_add_char(&hidden, '(');
        eti__buffer_add_text(&hidden, visible(t, t->section->folded));
        eti__buffer_printf(&hidden, "; %sall lists them)", eti__option_prefix());
        add_paragraph(t, eti__buffer_text(&hidden));
    }
    if (t->section->n_kept_back > 0) {
        hidden.size = 0;
        eti__buffer_printf(&hidden, "(%zu more %s: %sall)", t->section->n_kept_back,
                           t->section->n_kept_back == 1 ? "row" : "rows", eti__option_prefix());
        add_paragraph(t, eti__buffer_text(&hidden));
    }
    t->text.failed |= hidden.failed;
    eti__buffer_free(&hidden);
    if (t->screen.is_terminal)
        add_series(t);
    for (size_t i = 0; i < t->section->n_notes; i++)
        add_paragraph(t, visible(t, t->section->notes[i]));
}

/* ---- putting it together --------------------------------------------------------------------- */

/* Finds the units of times, and writes the headings. False: out of memory. */
static bool spell_headings(text_table *t) {
    const eti_table *table = t->section->table;
    eti_time_form *forms = eti__arena_alloc(&t->headings, t->fit.n_columns + 1, sizeof *forms);
    if (!forms || !eti__time_forms_find(forms, table, t->wanted, t->keeps_unit))
        return false;
    for (size_t i = 0; i < t->fit.n_columns; i++) {
        eti_text_column *column = &t->fit.columns[i];
        column->numbers.form = forms[i];
        t->text.size = 0;
        eti__column_add_heading(
            &t->text, &table->columns[i],
            forms[i].has_unit ? eti__time_unit(forms[i].scale, t->screen.has_utf8) : NULL);
        if (t->text.failed ||
            !eti__arena_copy_text(&t->headings, eti__buffer_text(&t->text), &column->name))
            return false;
    }
    return true;
}

/* Chooses the columns. Names, which are before the first number, keep more of the screen than texts after it. The first
 * share is coloured. */
static void choose_columns(text_table *t) {
    const eti_table *table = t->section->table;
    bool has_units = eti__has_units(table), is_name = true, has_share = false;
    t->heat = t->fit.n_columns;
    for (size_t i = 0; i < t->fit.n_columns; i++) {
        t->fit.columns[i].numbers.kind = table->columns[i].kind;
        is_name = is_name && is_for_text(table->columns[i].kind);
        t->fit.columns[i].folded = eti__text_folded_width(t->fit.width, is_name, has_units);
        if (!is_name && table->columns[i].kind != ETI_COLUMN_SERIES &&
            t->fit.columns[i].folded > ETI_LEAST_FOLDED)
            t->fit.columns[i].folded = ETI_LEAST_FOLDED;
        t->fit.columns[i].is_shown = eti__section_shows(t->section, &table->columns[i]);
        if (table->columns[i].kind == ETI_COLUMN_RANGES) {
            t->fit.columns[i].folded = t->fit.width / 4 > LEAST_MAP ? t->fit.width / 4 : LEAST_MAP;
            t->fit.has_map = t->fit.has_map || t->fit.columns[i].is_shown;
        }
        if (table->columns[i].kind == ETI_COLUMN_SHARE && t->fit.columns[i].is_shown && !has_share)
            has_share = t->fit.columns[i].has_color = true;
        t->fit.columns[i].is_spread = table->columns[i].is_spread;
        t->fit.columns[i].has_heat = t->screen.has_color && table->columns[i].takes_heat;
        t->heat = table->columns[i].gives_heat ? i : t->heat;
        t->wanted[i] =
            t->fit.columns[i].is_shown || (t->screen.has_color && table->columns[i].gives_heat);
    }
    t->rows.row.wanted = t->wanted;
    t->failed = !spell_headings(t);
}

static bool start(text_table *t, const eti_section *section, const eti_write_options *options,
                  eti_output *output) {
    *t = (text_table){.section = section, .output = output};
    t->screen = eti__screen_of(output, options);
    if (t->screen.has_color)
        eti__output_allow_color(output);
    t->fit.n_columns = section->table->n_columns;
    t->keeps_unit = options->keeps_unit;
    t->fit.width = limit_width(section->table, t->screen.width);
    t->fit.columns = calloc(t->fit.n_columns + 1, sizeof *t->fit.columns);
    t->wanted = calloc(t->fit.n_columns + 1, sizeof *t->wanted);
    t->rows.failed = !eti__row_reader_open(&t->rows, section->table);
    if (eti__has_units(section->table) && !t->keeps_unit) {
        t->fitted = eti__arena_alloc(&t->headings, t->fit.n_columns, sizeof *t->fitted);
        t->failed = !t->fitted;
    }
    return !is_out_of_memory(t);
}

static eti_status write_section(const eti_section *section, size_t number,
                                const eti_write_options *options, eti_output *output,
                                eti_error *err) {
    text_table t;
    if (start(&t, section, options, output)) {
        choose_columns(&t);
        if (!t.failed)
            measure(&t);
        size_t n_hidden = section->is_in_notes ? 0 : eti__text_fit(&t.fit, t.screen.is_terminal);
        if (!is_out_of_memory(&t)) {
            add_title(&t, number);
            if (!section->is_in_notes)
                print(&t);
            add_notes(&t, n_hidden);
        }
    }
    bool failed = is_out_of_memory(&t);
    eti__row_reader_close(&t.rows);
    eti__buffer_free(&t.text);
    eti__buffer_free(&t.folded);
    eti__arena_free(&t.headings);
    free(t.fit.columns);
    free(t.wanted);
    return failed ? eti_fail_memory(err) : ETI_OK;
}

static eti_status write_text(const eti_report *report, const eti_write_options *options,
                             eti_output *output, eti_error *err) {
    for (size_t i = 0; i < report->n_sections; i++) {
        if (!report->sections[i].is_told_above && eti__section_is_read(&report->sections[i]))
            ETI_TRY(write_section(&report->sections[i], i, options, output, err));
    }
    return ETI_OK;
}

const eti_writer eti__writer_text = {
    .name = "text",
    .summary = "text table that fits the terminal, for people",
    .takes = ETI_TAKES_TABLES,
    .is_for_people = true,
    .write_report = write_text,
};
