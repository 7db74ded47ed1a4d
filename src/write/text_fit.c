#include "write/text_fit.h"

#define MOST_FOLDED 40
/* Usual width of a screen, which has room for the longest of our own names: "framework: between instructions". */
#define USUAL_SCREEN 80
#define USUAL_FOLDED 32
#define UNIT_ROOM 3 /* of "µs" and the blank before it */
#define BAR_WIDTH 8 /* of a share, at least */
#define MOST_BAR_WIDTH 20
#define LEAST_FOR_BAR 60       /* columns of a screen from which a bar may replace other columns */
#define MOST_OF_WHOLE 1.000001 /* 1 and a rounding error */

/* Returns a width with which two texts fit beside each other on any screen from ETI_NARROWEST on, with a unit after them if
 * the table has units. */
size_t eti__text_folded_width(size_t screen, bool is_name, bool has_units) {
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
        total += width_of(column) + (is_first ? 0 : eti__gap_before(column));
        total += column->has_bar ? fit->bar_width + 1 : 0;
        is_first = false;
    }
    return total;
}

static size_t width_of(const eti_text_column *column) {
    return column->width;
}

/* Returns the column beside a map that is left out first: one with the same text in each row, or else the last text, or else
 * the last number but one; NULL: none. */
static eti_text_column *find_beside_map(eti_text_fit *fit) {
    eti_text_column *text = NULL, *number = NULL;
    size_t n_shown = 0;
    for (size_t i = 0; i < fit->n_columns; i++) {
        eti_text_column *column = &fit->columns[i];
        if (!column->is_shown || eti__is_mark(column) || column->numbers.kind == ETI_COLUMN_RANGES)
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
        if (!fit->columns[i].is_shown || eti__is_unit(&fit->columns[i]))
            continue;
        n_shown++;
        last = i;
    }
    if (n_shown < 2)
        return false;
    fit->columns[last].is_shown = false;
    if (last + 1 < fit->n_columns && eti__is_unit(&fit->columns[last + 1]))
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

/* Returns the widest column that can be narrower, or NULL; of several the last, because names come first. */
static eti_text_column *find_widest(eti_text_fit *fit) {
    eti_text_column *widest = NULL;
    for (size_t i = 0; i < fit->n_columns; i++) {
        eti_text_column *column = &fit->columns[i];
        if (column->is_shown && column->width > least_width(column) &&
            (!widest || column->width >= widest->width))
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
 * screen, anything. */
static bool costs_too_much(const eti_text_fit *fit, const eti_text_column *share) {
    bool is_narrow = fit->width < LEAST_FOR_BAR;
    if (total_width(fit, width_of) > fit->width)
        return true;
    const eti_text_column *end = fit->columns + fit->n_columns, *behind = share + 1;
    while (behind < end && !behind->without_bar.is_shown)
        behind++;
    for (const eti_text_column *column = fit->columns; column < end; column++) {
        bool must_stay = is_narrow || column <= share || (column == behind && column->has_text);
        if (column->without_bar.is_shown && !column->is_shown && must_stay)
            return true;
        bool is_narrower = column->is_shown && column->width < column->without_bar.width;
        if (is_narrower && (is_narrow || column < share))
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

size_t eti__text_fit(eti_text_fit *fit, bool has_bars) {
    for (size_t i = 0; i < fit->n_columns; i++)
        fit->columns[i].is_wanted = fit->columns[i].is_shown;
    size_t n_hidden = fit_columns(fit);
    bool has_room = has_bars && fit->width > 0 && !fit->has_map;
    eti_text_column *share = has_room ? find_share(fit) : NULL;
    return share ? fit_bar(fit, share, n_hidden) : n_hidden;
}
