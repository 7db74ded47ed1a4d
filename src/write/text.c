#include "write/text.h"

#include "base/arena.h"
#include "base/names.h"
#include "table/table.h"
#include "write/readable.h"
#include "write/writer.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ==== text fit ================================================================================ */
/* Fits the columns of a table, whose cells were measured, to a screen: decides which are left out,
 * the widths of the others, and which share has a bar. */

#define ETI_TEXT_GAP 2 /* columns of the screen between those of the table */

/* Least number of columns of the screen that a text keeps: about a third of it, so that names can be distinguished. */
#define ETI_LEAST_FOLDED 20
#define ETI_NARROWEST 20 /* least width to which a limit of size reduces a table */

typedef struct eti_text_column {
    eti_text name;
    eti_readable numbers;
    bool has_text;
    bool has_value;
    bool is_shown;
    bool has_bar;
    bool is_path;
    bool is_spread; /* shares that are not parts of a whole */
    bool is_cut_first;
    bool has_color;
    bool has_heat;  /* texts have the colour of a share in the same row */
    bool varies;    /* its cells differ; only set beside a map */
    eti_text first; /* first of the cells, if it is a text */
    int64_t first_number;
    size_t natural; /* columns of the screen that it takes uncut */
    size_t folded;  /* that a text keeps at least */
    size_t width;   /* that it gets */
    uint64_t whole; /* of ranges: the largest end, which the right edge stands for */
    bool is_wanted; /* while columns are fitted: there is something to show */
    size_t least;   /* likewise: width that it must have; 0: any */
    struct {
        bool is_shown;
        size_t width;
    } without_bar; /* likewise: its values if no share had a bar */
} eti_text_column;

typedef struct eti_text_fit {
    eti_text_column *columns;
    size_t n_columns;
    size_t width;     /* that the table must fit in; 0: any */
    size_t bar_width; /* bar of the first share */
    bool has_map;     /* a column of ranges */
    bool cuts_first;  /* a column that is cut before the others */
} eti_text_fit;

static inline bool is_mark(const eti_text_column *column) {
    return column->numbers.kind == ETI_COLUMN_MARK;
}

static inline bool is_unit(const eti_text_column *column) {
    return column->numbers.kind == ETI_COLUMN_UNIT;
}

/* Marks directly follow the number before them, under its name; units follow it after a blank. */
static inline size_t gap_before(const eti_text_column *column) {
    return is_mark(column) ? 0 : is_unit(column) ? 1 : ETI_TEXT_GAP;
}

#define MOST_FOLDED 40
/* Usual width of a screen, which has room for the longest of our own names: "framework: between instructions". */
#define USUAL_SCREEN 80
#define USUAL_FOLDED 32
#define UNIT_ROOM 3 /* of "µs" and the blank before it */
#define BAR_WIDTH 8 /* of a share, at least */
#define MOST_BAR_WIDTH 20
#define LEAST_FOR_BAR 60       /* columns of a screen from which a bar may replace other columns */
#define MOST_OF_WHOLE 1.000001 /* 1 and a rounding error */

/* Returns the least number of columns that a text keeps on a screen of this width: two texts fit beside each other on any
 * screen from ETI_NARROWEST on, with a unit after them if the table has units. `is_name`: it is before the first number. */
static size_t text_folded_width(size_t screen, bool is_name, bool has_units) {
    size_t width = screen / 3;
    size_t least = is_name && screen >= USUAL_SCREEN ? USUAL_FOLDED : ETI_LEAST_FOLDED;
    width = width < least ? least : width > MOST_FOLDED ? MOST_FOLDED : width;
    size_t half = (screen - ETI_TEXT_GAP - (has_units ? UNIT_ROOM : 0)) / 2;
    return screen >= ETI_NARROWEST && width > half ? half : width;
}

static size_t least_width(const eti_text_column *column) {
    size_t numbers = column->numbers.width;
    if (column->least > 0)
        return column->least;
    if (!column->has_text && numbers >= column->folded)
        return numbers;
    size_t least = numbers > column->folded ? numbers : column->folded;
    return column->natural < least ? column->natural : least;
}

static size_t total_width(const eti_text_fit *fit,
                          size_t (*width_of)(const eti_text_column *column)) {
    size_t total = 0;
    bool is_first = true; /* a column without name and texts also counts as one */
    for (size_t i = 0; i < fit->n_columns; i++) {
        const eti_text_column *column = &fit->columns[i];
        if (!column->is_shown)
            continue;
        total += width_of(column) + (is_first ? 0 : gap_before(column));
        total += column->has_bar ? fit->bar_width + 1 : 0;
        is_first = false;
    }
    return total;
}

static size_t width_of(const eti_text_column *column) {
    return column->width;
}

/* Returns the column beside a map that is left out first: one with the same text in each row, or else the last text, or else
 * the last number; never the first column. NULL: none. */
static eti_text_column *find_beside_map(eti_text_fit *fit) {
    eti_text_column *text = NULL, *number = NULL;
    bool is_first = true;
    for (size_t i = 0; i < fit->n_columns; i++) {
        eti_text_column *column = &fit->columns[i];
        if (!column->is_shown || is_mark(column) || column->numbers.kind == ETI_COLUMN_RANGES)
            continue;
        if (is_first) {
            is_first = false;
            continue;
        }
        if (!column->varies)
            return column;
        if (column->numbers.kind == ETI_COLUMN_TEXT)
            text = column;
        else
            number = column;
    }
    return text ? text : number;
}

/* Hides one column. Columns at the right are hidden first, except a map; the first column stays, and a unit stays with its
 * number. False: no column can be hidden. */
static bool hide_one(eti_text_fit *fit) {
    eti_text_column *beside_map = fit->has_map ? find_beside_map(fit) : NULL;
    if (beside_map) {
        beside_map->is_shown = false;
        return true;
    }
    size_t n_shown = 0, last = 0;
    for (size_t i = 0; i < fit->n_columns; i++) {
        if (!fit->columns[i].is_shown || is_unit(&fit->columns[i]))
            continue;
        n_shown++;
        last = i;
    }
    if (n_shown < 2)
        return false;
    fit->columns[last].is_shown = false;
    if (last + 1 < fit->n_columns && is_unit(&fit->columns[last + 1]))
        fit->columns[last + 1].is_shown = false;
    return true;
}

/* Returns the width at which texts are not cut; headings of numbers may be. */
static size_t whole_width(const eti_text_column *column) {
    return column->has_text ? column->natural : least_width(column);
}

/* Returns whether the last column is a time after a share: a further time of the same thing as the first columns. */
static bool ends_in_further_time(const eti_text_fit *fit) {
    const eti_text_column *last = NULL;
    bool has_share = false, follows_share = false;
    for (size_t i = 0; i < fit->n_columns; i++) {
        if (!fit->columns[i].is_shown)
            continue;
        last = &fit->columns[i];
        follows_share = has_share;
        has_share = has_share || last->numbers.kind == ETI_COLUMN_SHARE;
    }
    return follows_share && last->numbers.kind == ETI_COLUMN_TIME;
}

/* Returns the column that is cut first if it can be narrower; else the widest that can, of several the last, because names
 * come first. NULL: none. */
static eti_text_column *find_widest(eti_text_fit *fit) {
    eti_text_column *widest = NULL;
    for (size_t i = 0; i < fit->n_columns; i++) {
        eti_text_column *column = &fit->columns[i];
        if (!column->is_shown || column->width <= least_width(column))
            continue;
        if (column->is_cut_first)
            return column;
        if (!widest || column->width >= widest->width)
            widest = column;
    }
    return widest;
}

/* Chooses columns and widths. Returns the number of columns left out. */
static size_t fit_columns(eti_text_fit *fit) {
    size_t n_hidden = 0;
    if (fit->width > 0) {
        while (total_width(fit, least_width) > fit->width && hide_one(fit))
            n_hidden++;
        while (total_width(fit, whole_width) > fit->width && ends_in_further_time(fit) &&
               hide_one(fit))
            n_hidden++; /* hiding it avoids cutting a text */
    }
    for (size_t i = 0; i < fit->n_columns; i++) {
        eti_text_column *column = &fit->columns[i];
        column->width = column->natural;
        if (fit->width > 0 && column->width > fit->width)
            column->width = least_width(column) > fit->width ? least_width(column) : fit->width;
    }
    eti_text_column *widest;
    while (fit->width > 0 && total_width(fit, width_of) > fit->width && (widest = find_widest(fit)))
        widest->width--;
    /* A single column that is still too wide is a text, or a number that must not be cut. */
    for (size_t i = 0; i < fit->n_columns; i++) {
        eti_text_column *column = &fit->columns[i];
        if (fit->width > 0 && column->is_shown && column->width > fit->width &&
            column->width > column->numbers.width)
            column->width = fit->width > column->numbers.width ? fit->width : column->numbers.width;
    }
    return n_hidden;
}

/* ---- bars ------------------------------------------------------------------------------------ */

/* Returns the first share, if it is part of a whole; otherwise NULL. */
static eti_text_column *find_share(const eti_text_fit *fit) {
    for (size_t i = 0; i < fit->n_columns; i++) {
        const eti_readable *numbers = &fit->columns[i].numbers;
        if (!fit->columns[i].is_shown || numbers->kind != ETI_COLUMN_SHARE ||
            fit->columns[i].is_spread)
            continue;
        bool is_of_whole = numbers->largest > 0 && numbers->smallest >= 0;
        return is_of_whole && numbers->largest <= MOST_OF_WHOLE ? &fit->columns[i] : NULL;
    }
    return NULL;
}

/* Returns whether the bar costs too much: on a wide screen, more than numbers after it and room of texts there; on a narrow
 * screen and in a table that cuts a column first, anything. */
static bool costs_too_much(const eti_text_fit *fit, const eti_text_column *share) {
    bool takes_nothing = fit->width < LEAST_FOR_BAR || fit->cuts_first;
    if (total_width(fit, width_of) > fit->width)
        return true;
    const eti_text_column *end = fit->columns + fit->n_columns, *behind = share + 1;
    while (behind < end && !behind->without_bar.is_shown)
        behind++;
    for (const eti_text_column *column = fit->columns; column < end; column++) {
        bool must_stay = takes_nothing || column <= share || (column == behind && column->has_text);
        if (column->without_bar.is_shown && !column->is_shown && must_stay)
            return true;
        bool is_narrower = column->is_shown && column->width < column->without_bar.width;
        if (is_narrower && (takes_nothing || column < share))
            return true;
    }
    return false;
}

/* Widens the bar on a screen that is wider than usual. */
static void widen_bar(eti_text_fit *fit) {
    size_t total = total_width(fit, width_of), more = MOST_BAR_WIDTH - BAR_WIDTH;
    size_t room = fit->width > USUAL_SCREEN && fit->width > total ? fit->width - total : 0;
    fit->bar_width += room < more ? room : more;
}

/* Fits the columns again, with a bar. Returns the number of columns left out. */
static size_t fit_bar(eti_text_fit *fit, eti_text_column *share, size_t n_hidden) {
    for (size_t i = 0; i < fit->n_columns; i++) {
        eti_text_column *column = &fit->columns[i];
        column->without_bar.is_shown = column->is_shown;
        column->without_bar.width = column->width;
        column->is_shown = column->is_wanted;
        column->least = column < share ? column->width : 0;
    }
    share->has_bar = true;
    fit->bar_width = BAR_WIDTH;
    size_t n_hidden_for_bar = fit_columns(fit);
    if (!costs_too_much(fit, share)) {
        widen_bar(fit);
        return n_hidden_for_bar;
    }
    share->has_bar = false;
    for (size_t i = 0; i < fit->n_columns; i++) {
        fit->columns[i].is_shown = fit->columns[i].without_bar.is_shown;
        fit->columns[i].width = fit->columns[i].without_bar.width;
    }
    return n_hidden;
}

/* Chooses which columns are shown, and their widths. `has_bars`: the first share of a whole has a bar, if there is room.
 * Returns the number of columns left out. */
static size_t fit_text(eti_text_fit *fit, bool has_bars) {
    for (size_t i = 0; i < fit->n_columns; i++)
        fit->columns[i].is_wanted = fit->columns[i].is_shown;
    size_t n_hidden = fit_columns(fit);
    bool has_room = has_bars && fit->width > 0 && !fit->has_map;
    eti_text_column *share = has_room ? find_share(fit) : NULL;
    return share ? fit_bar(fit, share, n_hidden) : n_hidden;
}

/* ==== paragraph =============================================================================== */

static bool is_number_unit(eti_text name) {
    static const char *const units[] = {"ns", "us", "\302\265s", "ms",  "s",   "cycles",
                                        "x",  "Hz", "kHz",       "MHz", "GHz", "ticks"};
    double bytes;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (eti__text_is(name, units[i]))
            return true;
    }
    return eti__find_byte_unit(name, &bytes);
}

/* Returns whether the blank at `at` is between a number and its unit, or before a %. */
static bool is_before_unit(eti_text text, size_t at) {
    size_t end = at + 1;
    while (end < text.size && text.data[end] != ' ')
        end++;
    while (end > at + 1 && strchr(".,;:)", text.data[end - 1]))
        end--;
    eti_text next = {text.data + at + 1, end - at - 1};
    return (next.size > 0 && next.data[0] == '%') ||
           (at > 0 && eti__is_digit(text.data[at - 1]) && is_number_unit(next));
}

static bool is_end_of_word(eti_text text, size_t at) {
    return at == text.size || (text.data[at] == ' ' && !is_before_unit(text, at));
}

/* Returns the width of a number such as "1. " at the beginning, below which the lines of an item continue. */
static size_t indentation_of(eti_text text) {
    size_t n = 0;
    while (n < text.size && eti__is_digit(text.data[n]))
        n++;
    bool is_item =
        n > 0 && n < 3 && n + 1 < text.size && text.data[n] == '.' && text.data[n + 1] == ' ';
    return is_item ? n + 2 : 0;
}

void eti__add_paragraph(eti_output *output, eti_text text, size_t width) {
    size_t at = 0;
    size_t used = 0;
    size_t indentation = indentation_of(text);
    while (at < text.size) {
        size_t end = at;
        while (!is_end_of_word(text, end))
            end++;
        eti_text word = {text.data + at, end - at};
        size_t word_width = eti__text_width(word);
        if (used > 0 && width > 0 && used + 1 + word_width > width) {
            eti__output_add_string(output, "\n");
            for (used = 0; used < indentation; used++)
                eti__output_add_string(output, " ");
        } else if (at > 0) {
            eti__output_add_string(output, " ");
            used++;
        }
        eti__output_add_text(output, word);
        used += word_width;
        at = end + 1;
    }
    eti__output_add_string(output, "\n");
}

/* ==== range map =============================================================================== */

#define ETI_RANGE_MAP_WIDTH 64 /* characters, if there is room */

/* Returns whether a cell of such a column is drawn. */
static inline bool cell_is_ranges(eti_column_kind kind, const eti_cell *cell) {
    return kind == ETI_COLUMN_RANGES && cell->kind == ETI_CELL_UINTS;
}

#define N_SHADES 5

uint64_t eti__ranges_end(const eti_cell *cell) {
    const uint64_t *items = cell->items;
    return cell->n_items > 1 ? items[cell->n_items - 1] : 0;
}

/* Returns the byte at which character `i` of `width` begins. */
static uint64_t edge_of(uint64_t whole, size_t width, size_t i) {
    return whole / width * i + whole % width * i / width;
}

/* Returns the number of bytes of [begin, end) that are in a range, and moves `*at` to the first range that does not end
 * before them. */
static uint64_t count_covered(const eti_cell *cell, size_t *at, uint64_t begin, uint64_t end) {
    const uint64_t *items = cell->items;
    uint64_t covered = 0;
    while (*at + 1 < cell->n_items && items[*at + 1] <= begin)
        *at += 2;
    for (size_t i = *at; i + 1 < cell->n_items && items[i] < end; i += 2) {
        uint64_t first = items[i] > begin ? items[i] : begin;
        uint64_t last = items[i + 1] < end ? items[i + 1] : end;
        covered += last > first ? last - first : 0;
    }
    return covered;
}

static size_t shade_of(uint64_t covered, uint64_t bytes) {
    if (covered == 0 || covered == bytes)
        return covered == 0 ? 0 : N_SHADES - 1;
    return 1 + (size_t)((double)covered / (double)bytes * (N_SHADES - 2));
}

void eti__add_range_map(eti_buffer *out, const eti_cell *cell, uint64_t whole, size_t width,
                        bool is_ascii) {
    static const char *const blocks[N_SHADES] = {" ", "░", "▒", "▓", "█"};
    static const char *const marks[N_SHADES] = {" ", ".", ":", "+", "#"};
    size_t at = 0, n_blanks = 0;
    for (size_t i = 0; i < width; i++) {
        uint64_t begin = edge_of(whole, width, i), end = edge_of(whole, width, i + 1);
        end = end > begin ? end : begin + 1; /* a byte may be several characters wide */
        size_t shade = shade_of(count_covered(cell, &at, begin, end), end - begin);
        if (shade == 0) {
            n_blanks++;
            continue;
        }
        eti__buffer_add_repeated(out, " ", n_blanks);
        n_blanks = 0;
        eti__buffer_add_string(out, is_ascii ? marks[shade] : blocks[shade]);
    }
}

/* ==== screen ================================================================================== */

#define DEFAULT_WIDTH 80 /* of a terminal that does not report its width */
#define MAX_WIDTH 10000

/* Returns the value of an environment variable; "" if it is not set. */
static const char *environment(const char *name) {
    const char *value = getenv(name);
    return value ? value : "";
}

static size_t environment_columns(void) {
    char *end;
    const char *value = environment("COLUMNS");
    unsigned long columns = strtoul(value, &end, 10);
    bool is_number = eti__is_digit(*value) && *end == '\0';
    return is_number && columns <= MAX_WIDTH ? columns : 0;
}

static size_t find_width(const eti_output *output, const eti_write_options *options,
                         bool is_terminal) {
    if (options->width > 0 || !is_terminal)
        return options->width;
    size_t width = environment_columns();
    if (width == 0)
        width = eti__output_terminal_columns(output);
    return width > 0 ? width : DEFAULT_WIDTH;
}

/* Decides whether to use colours, as specified by no-color.org and bixense.com/clicolors. */
static bool find_color(const eti_write_options *options, bool is_terminal) {
    if (options->color != ETI_COLOR_AUTO)
        return options->color == ETI_COLOR_ALWAYS;
    if (*environment("NO_COLOR"))
        return false;
    const char *force = environment("CLICOLOR_FORCE");
    if (*force && strcmp(force, "0") != 0)
        return true;
    const char *terminal = environment("TERM");
    return is_terminal && *terminal && strcmp(terminal, "dumb") != 0;
}

bool eti__locale_has_utf8(void) {
    static const char *const variables[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *value = environment(variables[i]);
        if (*value)
            return strcasestr(value, "utf-8") || strcasestr(value, "utf8");
    }
    return false;
}

eti_screen eti__screen_of(const eti_output *output, const eti_write_options *options) {
    bool is_terminal = options->for_terminal || eti__output_is_terminal(output);
    return (eti_screen){
        .width = find_width(output, options, is_terminal),
        .is_terminal = is_terminal,
        .has_color = find_color(options, is_terminal),
        .has_utf8 = !options->ascii && eti__locale_has_utf8(),
    };
}

/* ==== share bar =============================================================================== */

#define ETI_COLOR_END "\033[0m"

#define HOT_SHARE 0.25
#define LARGE_SHARE 0.1
#define NOTABLE_SHARE 0.03

const char *eti__share_color(double share) {
    return share >= HOT_SHARE       ? "\033[1;31m"
           : share >= LARGE_SHARE   ? "\033[31m"
           : share >= NOTABLE_SHARE ? "\033[33m"
                                    : "";
}

size_t eti__add_share_bar(eti_output *output, double share, size_t width, bool is_ascii) {
    static const char *const parts[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    double length = !(share > 0) ? 0 : share < 1 ? share * (double)width : (double)width;
    size_t eighths = is_ascii ? 8 * (size_t)(length + 0.5) : (size_t)(length * 8 + 0.5);
    size_t n_full = eighths / 8, part = eighths % 8;
    for (size_t i = 0; i < n_full; i++)
        eti__output_add_string(output, is_ascii ? "#" : "█");
    eti__output_add_string(output, parts[part]);
    return n_full + (part > 0);
}

size_t eti__branches_size(eti_text text) {
    static const char *const parts[] = {"│  ", "├─ ", "└─ ", "|  ", "|- ", "`- ", "   "};
    size_t size = 0, i = 0;
    while (i < sizeof parts / sizeof *parts) {
        size_t n = strlen(parts[i]);
        bool is_part = text.size - size >= n && memcmp(text.data + size, parts[i], n) == 0;
        size += is_part ? n : 0;
        i = is_part ? 0 : i + 1;
    }
    return size;
}

/* ==== text ==================================================================================== */

/*
 * Tables for people: columns without a grid that fit the screen. A row is one line. Long names are cut in the middle and
 * paths on the left, the widest columns first; if that is not enough, the least important columns are left out, and a line
 * says so. The table is read twice: for widths, and to print.
 */

#define LEAST_MAP 12
/* Columns of the screen that a text keeps if it is cut first, or stands after such a text. */
#define LEAST_CUT 12
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

static const char *mark_of(const text_table *t, const eti_text_column *column,
                           const eti_cell *cell) {
    size_t number = (size_t)(column - t->fit.columns);
    return cell->kind == ETI_CELL_BOOL && cell->as_bool
               ? eti__mark_sign(t->section->table, number, t->screen.has_utf8)
               : "";
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

/* Returns the words for a text, which may be in t->folded, or the text itself. */
static eti_text in_words(text_table *t, const eti_text_column *column, eti_text text) {
    const eti_table *table = t->section->table;
    t->folded.size = 0;
    return eti__add_words(&t->folded, table->columns[column - t->fit.columns].name, text)
               ? eti__buffer_text(&t->folded)
               : text;
}

/* Returns the text of a cell in a column that is not only numbers. */
static eti_text cell_text(text_table *t, const eti_text_column *column, const eti_cell *cell,
                          char number[ETI_READABLE_MAX]) {
    if (eti__readable_is_number(&column->numbers, cell))
        return eti__readable_text(&column->numbers, cell, number);
    if (column->numbers.kind == ETI_COLUMN_MARK)
        return eti__text_of(mark_of(t, column, cell));
    if (eti__cell_is_series(column->numbers.kind, cell))
        return sparkline_of(t, column, cell);
    if (cell_is_ranges(column->numbers.kind, cell))
        return map_of(t, column, cell);
    switch (cell->kind) {
    case ETI_CELL_BOOL:
        return eti__text_of(cell->as_bool ? "yes" : "no");
    case ETI_CELL_TEXT:
        return visible(t, in_words(t, column, cell->as_text));
    case ETI_CELL_LIST:
        return visible(t, cell->as_text);
    case ETI_CELL_DOUBLES:
    case ETI_CELL_UINTS:
    case ETI_CELL_INTS:
    case ETI_CELL_TEXTS:
    case ETI_CELL_INT_LISTS:
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
    return is_mark(column) ? (eti_text){"", 0} : visible(t, column->name);
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
    if (cell_is_ranges(column->numbers.kind, cell)) { /* a map takes all the room */
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
    return is_mark(column) ? column->natural == 0
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
    (column->is_path ? eti__add_folded_path : eti__add_folded)(&t->folded, text, column->width,
                                                               t->screen.has_utf8 ? "…" : "...");
    eti_text folded = eti__buffer_text(&t->folded);
    size_t padding = column->width - eti__text_width(folded);
    size_t before = l->blanks + (l->is_begun ? gap_before(column) : 0);
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
        add_blanks(t->output, is_first ? 0 : gap_before(&t->fit.columns[i]));
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
        t->fit.columns[i].folded = text_folded_width(t->fit.width, is_name, has_units);
        if (!is_name && table->columns[i].kind != ETI_COLUMN_SERIES &&
            t->fit.columns[i].folded > ETI_LEAST_FOLDED)
            t->fit.columns[i].folded = ETI_LEAST_FOLDED;
        t->fit.columns[i].is_shown = eti__section_shows(t->section, &table->columns[i]);
        t->fit.columns[i].is_cut_first = table->columns[i].is_cut_first;
        t->fit.cuts_first |= table->columns[i].is_cut_first && t->fit.columns[i].is_shown;
        if (t->fit.cuts_first && t->fit.columns[i].folded > LEAST_CUT)
            t->fit.columns[i].folded = LEAST_CUT;
        if (table->columns[i].kind == ETI_COLUMN_RANGES) {
            t->fit.columns[i].folded = t->fit.width / 4 > LEAST_MAP ? t->fit.width / 4 : LEAST_MAP;
            t->fit.has_map = t->fit.has_map || t->fit.columns[i].is_shown;
        }
        if (table->columns[i].kind == ETI_COLUMN_SHARE && t->fit.columns[i].is_shown && !has_share)
            has_share = t->fit.columns[i].has_color = true;
        t->fit.columns[i].is_path = table->columns[i].is_path;
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
        size_t n_hidden = section->is_in_notes ? 0 : fit_text(&t.fit, t.screen.is_terminal);
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
    .fits_units = true,
    .write_report = write_text,
};
