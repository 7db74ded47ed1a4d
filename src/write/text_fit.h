/*
 * text_fit.h - fits the columns of a table, whose cells were measured, to a screen: decides which
 * are left out, the widths of the others, and which share has a bar.
 */
#ifndef ETI_WRITE_TEXT_FIT_H
#define ETI_WRITE_TEXT_FIT_H

#include "write/readable.h"

#define ETI_TEXT_GAP 2 /* columns of the screen between those of the table */
/* Columns of the screen that a text keeps at least: about a third of it, so that names can be distinguished. */
#define ETI_LEAST_FOLDED 20
#define ETI_NARROWEST 20 /* that a limit of size makes a table */

typedef struct eti_text_column {
    eti_text name;
    eti_readable numbers;
    bool has_text;
    bool has_value;
    bool is_shown;
    bool has_bar;
    bool is_spread; /* shares of no whole */
    bool has_color;
    bool has_heat;  /* texts have the colour of the share that gives it */
    bool varies;    /* its cells differ; only set beside a map */
    eti_text first; /* of them, if it is a text */
    int64_t first_number;
    size_t natural; /* columns of the screen that all of it takes */
    size_t folded;  /* that a text keeps at least */
    size_t width;   /* that it gets */
    uint64_t whole; /* of ranges: the largest end, which the right edge stands for */
    bool is_wanted; /* while columns are fitted: there is something to show */
    size_t least;   /* likewise: width that it must have; 0: any */
    struct {
        bool is_shown;
        size_t width;
    } without_bar; /* likewise: how it would be if no share had a bar */
} eti_text_column;

typedef struct eti_text_fit {
    eti_text_column *columns;
    size_t n_columns;
    size_t width;     /* that the table must fit in; 0: any */
    size_t bar_width; /* of the share that has one */
    bool has_map;     /* a column of ranges */
} eti_text_fit;

static inline bool eti__is_mark(const eti_text_column *column) {
    return column->numbers.kind == ETI_COLUMN_MARK;
}

static inline bool eti__is_unit(const eti_text_column *column) {
    return column->numbers.kind == ETI_COLUMN_UNIT;
}

/* Marks directly follow the number before them, under its name; units follow it after a blank. */
static inline size_t eti__gap_before(const eti_text_column *column) {
    return eti__is_mark(column) ? 0 : eti__is_unit(column) ? 1 : ETI_TEXT_GAP;
}

/* Returns how many columns a text keeps at least on a screen of this width. `is_name`: it stands before the first number. */
size_t eti__text_folded_width(size_t screen, bool is_name, bool has_units);

/* Chooses which columns are shown, and their widths. `has_bars`: the first share of a whole has a bar, if there is room.
 * Returns how many columns had to be left out. */
size_t eti__text_fit(eti_text_fit *fit, bool has_bars);

#endif
