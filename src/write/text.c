/*
 * Tables for people: columns without a grid that fit the screen. A row is one line. Long texts are cut in
 * their middle, the widest columns first; when that is not enough the columns that matter least are left
 * out, and a line says so. The table is gone through twice: for widths, and to print.
 */
#include "base/text_width.h"
#include "table/column_name.h"
#include "table/list_text.h"
#include "table/untrusted.h"
#include "write/paragraph.h"
#include "write/range_map.h"
#include "write/readable.h"
#include "write/screen.h"
#include "write/sparkline.h"
#include "write/writer.h"

#include <stdlib.h>
#include <string.h>

#define GAP 2 /* columns of the screen between those of the table */
/* Columns of the screen that a text keeps at least: about a third of it, so that names can be told apart. */
#define LEAST_FOLDED 20
#define LEAST_MAP 12
#define MOST_FOLDED 40
/* A screen of the usual width has room for the longest names of our own: "framework: between instructions". */
#define USUAL_SCREEN 80
#define USUAL_FOLDED 32
#define UNIT_ROOM 3 /* of "µs" and the blank before it */
#define BAR_WIDTH 8 /* of a share */
#define LARGE_SHARE 0.1
#define NOTABLE_SHARE 0.03
#define NARROWEST 20 /* that a limit of size makes a table */

#define BOLD "\033[1m"
#define RED "\033[31m"
#define YELLOW "\033[33m"
#define PLAIN "\033[0m"

typedef struct text_column {
    eti_text name;
    eti_readable numbers;
    bool has_text;
    bool has_value;
    bool is_shown;
    bool has_bar;
    bool has_color;
    bool varies;    /* its cells are not all alike; only beside a map */
    eti_text first; /* of them, if it is a text */
    int64_t first_number;
    size_t natural; /* columns of the screen that all of it takes */
    size_t folded;  /* that a text keeps at least */
    size_t width;   /* that it gets */
    uint64_t whole; /* of ranges: the largest end, which the right edge stands for */
} text_column;

typedef struct text_table {
    const eti_section *section;
    eti_output *output;
    eti_screen screen;
    text_column *columns;
    bool *wanted;
    size_t n_columns;
    size_t width; /* that it must fit in; 0: any */
    eti_row_reader rows;
    eti_arena headings;
    eti_buffer text, folded;
    bool keeps_unit;
    bool has_map; /* a column of ranges */
    eti_cell *
        fitted; /* cells of a row whose times have other units than the table's; NULL: no row has */
    bool failed; /* memory was out */
} text_table;

/* ---- texts ----------------------------------------------------------------------------------- */

/* The text as it is shown except for folding, in t->text. */
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

/* As wide as a text may be that shall not be folded. */
static eti_text sparkline_of(text_table *t, const text_column *column, const eti_cell *cell) {
    size_t width = t->width > 0 ? column->folded : ETI_SPARKLINE_WIDTH;
    t->text.size = 0;
    eti__add_sparkline(&t->text, cell->items, cell->n_items, width, !t->screen.has_utf8);
    return eti__buffer_text(&t->text);
}

static eti_text map_of(text_table *t, const text_column *column, const eti_cell *cell) {
    t->text.size = 0;
    eti__add_range_map(&t->text, cell, column->whole, column->width, !t->screen.has_utf8);
    return eti__buffer_text(&t->text);
}

/* "[1,2,6,8] +5": the first of several texts, and how many more there are. */
static eti_text short_list(text_table *t, const eti_cell *cell) {
    const eti_text *texts = cell->items;
    t->folded.size = 0;
    for (size_t i = 0; cell->n_items > 0 && i < texts[0].size; i++) {
        bool follows_comma = i > 0 && texts[0].data[i - 1] == ',';
        if (texts[0].data[i] != ' ' || !follows_comma)
            eti__buffer_add_char(&t->folded, texts[0].data[i]);
    }
    if (cell->n_items > 1)
        eti__buffer_printf(&t->folded, " +%zu", cell->n_items - 1);
    return visible(t, eti__buffer_text(&t->folded));
}

/* What stands in a column that is not only numbers. */
static eti_text cell_text(text_table *t, const text_column *column, const eti_cell *cell,
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

static bool is_mark(const text_column *column) {
    return column->numbers.kind == ETI_COLUMN_MARK;
}

static bool is_unit(const text_column *column) {
    return column->numbers.kind == ETI_COLUMN_UNIT;
}

/* Marks directly follow the number before them, under its name; units follow it after a blank. */
static size_t gap_before(const text_column *column) {
    return is_mark(column) ? 0 : is_unit(column) ? 1 : GAP;
}

static eti_text name_of(text_table *t, const text_column *column) {
    return is_mark(column) ? (eti_text){"", 0} : visible(t, column->name);
}

static bool is_for_text(eti_column_kind kind) {
    return kind == ETI_COLUMN_TEXT || kind == ETI_COLUMN_UNIT || eti__column_holds_lists(kind);
}

static bool is_right_aligned(const text_column *column) {
    if (is_for_text(column->numbers.kind))
        return column->numbers.has_number && !column->has_text;
    return true;
}

static const eti_cell *read_row(text_table *t, size_t row) {
    const eti_cell *cells = eti__row_reader_read(&t->rows, row);
    if (!t->fitted)
        return cells;
    memcpy(t->fitted, cells, t->n_columns * sizeof *cells);
    eti__time_fit_units(t->fitted, t->section->table, t->screen.has_utf8);
    return t->fitted;
}

/* ---- first pass: widths ---------------------------------------------------------------------- */

static void widen(text_column *column, size_t width) {
    if (width > column->natural)
        column->natural = width;
}

static void look_at_cell(text_table *t, text_column *column, const eti_cell *cell) {
    char ignored[ETI_READABLE_MAX];
    column->has_value = column->has_value || cell->kind != ETI_CELL_NONE;
    if (eti__cell_is_ranges(column->numbers.kind, cell)) { /* all the room that there is */
        uint64_t end = eti__ranges_end(cell);
        column->whole = end > column->whole ? end : column->whole;
        column->has_text = true;
        widen(column, t->screen.width > 0 ? t->width : ETI_RANGE_MAP_WIDTH);
    } else if (eti__readable_is_number(&column->numbers, cell)) {
        eti__readable_look(&column->numbers, cell);
    } else if (cell->kind != ETI_CELL_NONE) {
        column->has_text = true;
        widen(column, eti__text_width(cell_text(t, column, cell, ignored)));
    }
}

/* Marks take no room where there is none. */
static bool is_empty(const text_table *t, const text_column *column) {
    return is_mark(column) ? column->natural == 0
                           : eti__section_hides_empty(t->section) && !column->has_value;
}

/* Notes whether the cells of a column are alike. */
static void compare_cell(text_table *t, text_column *column, const eti_cell *cell, bool is_first) {
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
        for (size_t i = 0; i < t->n_columns; i++) {
            if (t->columns[i].is_shown)
                look_at_cell(t, &t->columns[i], &cells[i]);
            if (t->columns[i].is_shown && t->has_map)
                compare_cell(t, &t->columns[i], &cells[i], row == 0);
        }
    }
    for (size_t i = 0; i < t->n_columns; i++) {
        text_column *column = &t->columns[i];
        if (!t->section->explains_itself)
            widen(column, eti__text_width(name_of(t, column)));
        widen(column, eti__readable_settle(&column->numbers));
        column->is_shown = column->is_shown && !is_empty(t, column);
    }
}

/* ---- fitting --------------------------------------------------------------------------------- */

/* Two texts have room beside each other on any screen that is not narrower than NARROWEST, with a unit behind them if
 * the table has any. */
static size_t folded_width(size_t screen, bool is_name, bool has_units) {
    size_t width = screen / 3;
    size_t least = is_name && screen >= USUAL_SCREEN ? USUAL_FOLDED : LEAST_FOLDED;
    width = width < least ? least : width > MOST_FOLDED ? MOST_FOLDED : width;
    size_t half = (screen - GAP - (has_units ? UNIT_ROOM : 0)) / 2;
    return screen >= NARROWEST && width > half ? half : width;
}

static size_t least_width(const text_column *column) {
    size_t numbers = column->numbers.width;
    if (!column->has_text && numbers >= column->folded)
        return numbers;
    size_t least = numbers > column->folded ? numbers : column->folded;
    return column->natural < least ? column->natural : least;
}

static size_t total_width(const text_table *t, size_t (*width_of)(const text_column *column)) {
    size_t total = 0;
    bool is_first = true; /* a column without name and texts is one, too */
    for (size_t i = 0; i < t->n_columns; i++) {
        const text_column *column = &t->columns[i];
        if (!column->is_shown)
            continue;
        total += width_of(column) + (is_first ? 0 : gap_before(column));
        is_first = false;
    }
    return total;
}

static size_t width_of(const text_column *column) {
    return column->width;
}

/* Returns the column beside a map that goes first: one that says the same in each row, or else the last text, or else the last
 * number but one; NULL: none. */
static text_column *find_beside_map(text_table *t) {
    text_column *text = NULL, *number = NULL;
    size_t n_shown = 0;
    for (size_t i = 0; i < t->n_columns; i++) {
        text_column *column = &t->columns[i];
        if (!column->is_shown || is_mark(column) || column->numbers.kind == ETI_COLUMN_RANGES)
            continue;
        n_shown++;
        if (!column->varies)
            return column;
        if (column->numbers.kind == ETI_COLUMN_TEXT)
            text = column;
        else
            number = column;
    }
    return text ? text : n_shown > 1 ? number : NULL;
}

/* What stands at the right goes first, but not a map; the first column stays, and a unit as long as its number. False: nothing
 * can go. */
static bool hide_one(text_table *t) {
    text_column *beside_map = t->has_map ? find_beside_map(t) : NULL;
    if (beside_map) {
        beside_map->is_shown = false;
        return true;
    }
    size_t n_shown = 0, last = 0;
    for (size_t i = 0; i < t->n_columns; i++) {
        if (!t->columns[i].is_shown || is_unit(&t->columns[i]))
            continue;
        n_shown++;
        last = i;
    }
    if (n_shown < 2)
        return false;
    t->columns[last].is_shown = false;
    if (last + 1 < t->n_columns && is_unit(&t->columns[last + 1]))
        t->columns[last + 1].is_shown = false;
    return true;
}

/* The width at which texts are whole; headings of numbers may be cut. */
static size_t whole_width(const text_column *column) {
    return column->has_text ? column->natural : least_width(column);
}

/* Whether the last column is a time that follows a share: other times of what the first ones have said. */
static bool ends_in_further_time(const text_table *t) {
    const text_column *last = NULL;
    bool has_share = false, follows_share = false;
    for (size_t i = 0; i < t->n_columns; i++) {
        if (!t->columns[i].is_shown)
            continue;
        last = &t->columns[i];
        follows_share = has_share;
        has_share = has_share || last->numbers.kind == ETI_COLUMN_SHARE;
    }
    return follows_share && last->numbers.kind == ETI_COLUMN_TIME;
}

/* The widest column that can be narrower, or NULL. Of several the last: names stand first. */
static text_column *find_widest(text_table *t) {
    text_column *widest = NULL;
    for (size_t i = 0; i < t->n_columns; i++) {
        text_column *column = &t->columns[i];
        if (column->is_shown && column->width > least_width(column) &&
            (!widest || column->width >= widest->width))
            widest = column;
    }
    return widest;
}

/* Returns how many columns had to be left out. */
static size_t fit(text_table *t) {
    size_t n_hidden = 0;
    if (t->width > 0) {
        while (total_width(t, least_width) > t->width && hide_one(t))
            n_hidden++;
        while (total_width(t, whole_width) > t->width && ends_in_further_time(t) && hide_one(t))
            n_hidden++; /* rather than that a text is cut */
    }
    for (size_t i = 0; i < t->n_columns; i++) {
        text_column *column = &t->columns[i];
        column->width = column->natural;
        if (t->width > 0 && column->width > t->width)
            column->width = least_width(column) > t->width ? least_width(column) : t->width;
    }
    text_column *widest;
    while (t->width > 0 && total_width(t, width_of) > t->width && (widest = find_widest(t)))
        widest->width--;
    /* One column that is still too wide is a text, or a number that must be seen whole. */
    for (size_t i = 0; i < t->n_columns; i++) {
        text_column *column = &t->columns[i];
        if (t->width > 0 && column->is_shown && column->width > t->width &&
            column->width > column->numbers.width)
            column->width = t->width > column->numbers.width ? t->width : column->numbers.width;
    }
    return n_hidden;
}

/* The first share gets a bar where there is room. */
static void add_bar(text_table *t) {
    size_t room = total_width(t, width_of) + 1 + BAR_WIDTH;
    for (size_t i = 0; t->screen.is_terminal && t->width >= room && i < t->n_columns; i++) {
        text_column *column = &t->columns[i];
        if (column->is_shown && column->numbers.kind == ETI_COLUMN_SHARE) {
            column->has_bar = true;
            return;
        }
    }
}

/* Blanks that fill cells may be many more bytes than the texts are. */
static size_t limit_width(const eti_table *table, size_t width) {
    if (table->most_drawn == 0)
        return width;
    uint64_t most = table->most_drawn / (table->n_rows + 2);
    if (most < NARROWEST)
        most = NARROWEST;
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

/* Blanks at the end of a line are not written: those of the cell before come first. */
typedef struct line {
    size_t blanks; /* that are due */
    bool is_begun;
} line;

static void add_padded(text_table *t, line *l, const text_column *column, eti_text text,
                       const char *color) {
    t->folded.size = 0;
    eti__add_folded(&t->folded, text, column->width, t->screen.has_utf8 ? "…" : "...");
    eti_text folded = eti__buffer_text(&t->folded);
    size_t padding = column->width - eti__text_width(folded);
    size_t before = l->blanks + (l->is_begun ? gap_before(column) : 0);
    if (is_right_aligned(column))
        before += padding;
    l->is_begun = true;
    l->blanks = is_right_aligned(column) ? 0 : padding;
    for (; folded.size > 0 && folded.data[folded.size - 1] == ' '; folded.size--)
        l->blanks++; /* of units that are shorter than others */
    if (folded.size == 0) {
        l->blanks += before;
        return;
    }
    add_blanks(t->output, before);
    add_color(t, color);
    eti__output_add_text(t->output, folded);
    add_color(t, *color ? PLAIN : "");
}

static double share_of(const eti_cell *cell) {
    double value = cell->kind == ETI_CELL_DOUBLE ? cell->as_double : 0;
    return value >= 0 && value <= 1 ? value : value > 1 ? 1 : 0; /* NaN is 0 */
}

static const char *color_of(const text_column *column, const eti_cell *cell) {
    if (!column->has_color)
        return "";
    double share = share_of(cell);
    return share >= LARGE_SHARE ? RED : share >= NOTABLE_SHARE ? YELLOW : "";
}

/* In eighths of a column where there are such characters. */
static void add_share_bar(text_table *t, line *l, double share) {
    static const char *const parts[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    size_t eighths = (size_t)(share * BAR_WIDTH * 8 + 0.5);
    bool has_parts = t->screen.has_utf8;
    size_t n_full = has_parts ? eighths / 8 : (eighths + 4) / 8;
    size_t part = has_parts ? eighths % 8 : 0;
    l->blanks += BAR_WIDTH + 1;
    if (n_full + (part > 0) == 0)
        return;
    add_blanks(t->output, 1);
    add_repeated(t->output, has_parts ? "█" : "#", n_full);
    eti__output_add_string(t->output, parts[part]);
    l->blanks = BAR_WIDTH - n_full - (part > 0);
}

static void add_cells(text_table *t, const eti_cell *cells) {
    line l = {0, false};
    char number[ETI_READABLE_MAX];
    for (size_t i = 0; i < t->n_columns; i++) {
        const text_column *column = &t->columns[i];
        if (!column->is_shown)
            continue;
        add_padded(t, &l, column, cell_text(t, column, &cells[i], number),
                   color_of(column, &cells[i]));
        if (column->has_bar)
            add_share_bar(t, &l, share_of(&cells[i]));
    }
    eti__output_add_string(t->output, "\n");
}

static void add_names(text_table *t) {
    line l = {0, false};
    for (size_t i = 0; i < t->n_columns; i++) {
        if (!t->columns[i].is_shown)
            continue;
        add_padded(t, &l, &t->columns[i], name_of(t, &t->columns[i]), BOLD);
        l.blanks += t->columns[i].has_bar ? BAR_WIDTH + 1 : 0;
    }
    eti__output_add_string(t->output, "\n");
    bool is_first = true;
    for (size_t i = 0; i < t->n_columns; i++) {
        if (!t->columns[i].is_shown)
            continue;
        add_blanks(t->output, is_first ? 0 : gap_before(&t->columns[i]));
        add_repeated(t->output, t->screen.has_utf8 ? "─" : "-",
                     t->columns[i].width + (t->columns[i].has_bar ? BAR_WIDTH + 1 : 0));
        is_first = false;
    }
    eti__output_add_string(t->output, "\n");
}

static bool is_out_of_memory(const text_table *t) {
    return t->failed || !t->columns || !t->wanted || t->text.failed || t->folded.failed ||
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
    add_color(t, PLAIN);
    eti__output_add_string(t->output, "\n");
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
    for (size_t i = 0; i < t->section->n_notes; i++)
        add_paragraph(t, visible(t, t->section->notes[i]));
}

/* ---- putting it together --------------------------------------------------------------------- */

/* Finds the units of times, and spells the headings. False when memory is out. */
static bool spell_headings(text_table *t) {
    const eti_table *table = t->section->table;
    eti_time_form *forms = eti__arena_alloc(&t->headings, t->n_columns + 1, sizeof *forms);
    if (!forms || !eti__time_forms_find(forms, table, t->wanted, t->keeps_unit))
        return false;
    for (size_t i = 0; i < t->n_columns; i++) {
        text_column *column = &t->columns[i];
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

/* Names, which stand before the first number, keep more of the screen than texts behind it. The first share is in
 * colour. */
static void choose_columns(text_table *t) {
    const eti_table *table = t->section->table;
    bool has_units = eti__has_units(table), is_name = true, has_share = false;
    for (size_t i = 0; i < t->n_columns; i++) {
        t->columns[i].numbers.kind = table->columns[i].kind;
        is_name = is_name && is_for_text(table->columns[i].kind);
        t->columns[i].folded = folded_width(t->width, is_name, has_units);
        if (!is_name && table->columns[i].kind != ETI_COLUMN_SERIES &&
            t->columns[i].folded > LEAST_FOLDED)
            t->columns[i].folded = LEAST_FOLDED;
        t->columns[i].is_shown = eti__section_shows(t->section, &table->columns[i]);
        if (table->columns[i].kind == ETI_COLUMN_RANGES) {
            t->columns[i].folded = t->width / 4 > LEAST_MAP ? t->width / 4 : LEAST_MAP;
            t->has_map = t->has_map || t->columns[i].is_shown;
        }
        if (table->columns[i].kind == ETI_COLUMN_SHARE && t->columns[i].is_shown && !has_share)
            has_share = t->columns[i].has_color = true;
        t->wanted[i] = t->columns[i].is_shown;
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
    t->n_columns = section->table->n_columns;
    t->keeps_unit = options->keeps_unit;
    t->width = limit_width(section->table, t->screen.width);
    t->columns = calloc(t->n_columns + 1, sizeof *t->columns);
    t->wanted = calloc(t->n_columns + 1, sizeof *t->wanted);
    t->rows.failed = !eti__row_reader_open(&t->rows, section->table);
    if (eti__has_units(section->table) && !t->keeps_unit) {
        t->fitted = eti__arena_alloc(&t->headings, t->n_columns, sizeof *t->fitted);
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
        size_t n_hidden = section->is_in_notes ? 0 : fit(&t);
        add_bar(&t);
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
    free(t.columns);
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
    .summary = "columns that fit the screen, for people",
    .takes = ETI_TAKES_TABLES,
    .is_for_people = true,
    .write_report = write_text,
};
