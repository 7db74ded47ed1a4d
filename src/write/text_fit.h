/*
 * text_fit.h - fits the columns of a table, whose cells were measured, to a screen: decides which
 * are left out, the widths of the others, and which share has a bar.
 */
#ifndef ETI_WRITE_TEXT_FIT_H
#define ETI_WRITE_TEXT_FIT_H

#include "etinspect.h"
#include "write/readable.h"

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
    bool is_spread; /* shares that are not parts of a whole */
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

/* Returns the least number of columns that a text keeps on a screen of this width. `is_name`: it is before the first
 * number. */
size_t eti__text_folded_width(size_t screen, bool is_name, bool has_units);

/* Chooses which columns are shown, and their widths. `has_bars`: the first share of a whole has a bar, if there is room.
 * Returns the number of columns left out. */
size_t eti__text_fit(eti_text_fit *fit, bool has_bars);

#endif
