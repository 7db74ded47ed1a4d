/*
 * parts.h - pieces that the sources of the room share.
 */
#ifndef ETI_SERIES_PARTS_H
#define ETI_SERIES_PARTS_H

#include "base/arena.h"
#include "series/series.h"

/* ==== side ==================================================================================== */
/* Turns one profile into numbers: the value of each total and event in each file and, for judged ones, the logarithms in which
 * changes are searched.
 *
 * The rules are those of compare/compare.h, with all files on one side: the family, the clock's step, and the
 * level that events are relative to. */

/* A total (ETI_ENTRY_EXECUTE) or an Event. */
typedef struct eti_side_row {
    const eti_entry *entry;
    const struct eti_side_block *block;
    const struct eti_side_family *family; /* NULL if it is not judged */
    const eti_namesakes *namesakes;       /* NULL for a total */
    /* per unit of the block: median of the values of its files, in ticks; NaN if all lack it */
    const double *values;
    /* per unit: median of log(value + step / 2), relative to the level for events; NULL if not judged */
    const double *logs;
    double factor; /* ticks / factor is a time in the target scale; 1 for cycles */
    double
        location; /* median over files, in the target scale or in cycles; NaN if a file lacks it */
    double share; /* share of the block's total; NaN if unknown */
    double step;  /* step of the clock, in ticks; 0: it has none, or it is unknown */
    size_t place; /* index in its family, if it is judged */
    uint8_t unjudged; /* an eti_unjudged */
} eti_side_row;

/* Rows that are judged together. */
typedef struct eti_side_family {
    eti_file_values file_values; /* n rows, n_new files */
    const double *logs;          /* as measured, one row after another */
    const double *levels;        /* per file, in logarithms; NULL if events have no level */
    eti_change *changes;         /* per row: its mean over the files; NULL except for noise */
    eti_side_row **rows;
} eti_side_family;

typedef struct eti_side_block {
    const eti_profile_block *block;
    const eti_namesakes *namesakes; /* per entry */
    eti_side_row *totals, *events;
    size_t n_totals, n_events; /* n_totals is 0 or 1 */
    size_t n_units;
    size_t *ends; /* per unit: index of the file after its last one */
    /* families of totals, of events, and of events that count cycles, which have a level of their own */
    eti_side_family total, family, cycles;
} eti_side_block;

/* Totals of all blocks in block order, or events: judged ones first, the longest first. */
typedef struct eti_side_rows {
    eti_side_row **rows;
    size_t n, n_judged; /* n_judged of them are a family of tests */
} eti_side_rows;

/* Borrows from the profile. */
typedef struct eti_side {
    const struct eti_profile *profile;
    eti_diff_options options;
    eti_metric metric; /* metric in use */
    eti_clocks clocks;
    eti_arena arena;
    eti_side_block *blocks; /* as many as the profile has */
    eti_side_rows totals, events;
    size_t n_files, n_units; /* largest numbers of any block */
    const char *units;       /* "pushes", or "files" if every push is one file */
    eti_coverage coverage;
} eti_side;

/* Makes a side. Its units are the pushes of files by a label, see eti__profile_number_pushes(). In blocks with fewer units
 * than `fewest`, no row is judged. Fails with ETI_ERROR_USAGE if options are out of range, or files belong to different
 * programs without options.allow_unlike; or with ETI_ERROR_MEMORY. Free `out` in any case. */
eti_status eti__side_make(eti_side *out, const struct eti_profile *profile,
                          const eti_diff_options *options, const char *by, size_t fewest,
                          eti_error *err) ETI_WARN_UNUSED;
void eti__side_free(eti_side *side);

/* Makes people see the columns of values and units if events count cycles. */
void eti__side_show_values(const eti_side *side, eti_column_spec *specs, size_t n);

/* Defines a column for times, and one for values of rows that count cycles; `side_row` is an expression of `row`. */
#define ETI_TIME_AND_VALUE(row_type, name, side_row, value)                                        \
    ETI_CELL_SETTER_IF(row_type, name, eti__entry_is_time((side_row)->entry),                      \
                       eti__number_or_none(value))                                                 \
    ETI_CELL_SETTER_IF(row_type, name##_value, !eti__entry_is_time((side_row)->entry),             \
                       eti__number_or_none(value))
#define ETI_VALUES ETI_TYPE_FLOAT64, ETI_COLUMN_NUMBER

typedef const eti_side_row *eti_side_ref;

/* Defines the cells of tables whose rows begin with a reference to a row of a side. */
#define ETI_SIDE_SETTERS                                                                           \
    ETI_CELL_SETTER(eti_side_ref, block, eti__text_or_none((*row)->block->block->label))           \
    ETI_CELL_SETTER(                                                                               \
        eti_side_ref, name,                                                                        \
        eti__named_cell((*row)->entry->name, eti__label_beside_module((*row)->namesakes)))         \
    ETI_CELL_SETTER(eti_side_ref, unit, eti__text_or_none((*row)->entry->unit))                    \
    ETI_CELL_SETTER(eti_side_ref, share, eti__number_or_none((*row)->share))                       \
    ETI_CELL_SETTER(eti_side_ref, files, eti__count_cell((*row)->block->block->n_files))           \
    ETI_CELL_SETTER(eti_side_ref, kind, eti__string_cell(eti__entry_kind_name((*row)->entry)))     \
    ETI_CELL_SETTER(eti_side_ref, op, eti__text_or_none((*row)->entry->op))                        \
    ETI_CELL_SETTER(eti_side_ref, module, eti__text_or_none((*row)->entry->module))

/* Returns whether the judged rows must name their block. */
bool eti__side_rows_name_blocks(const eti_side_rows *rows);

/* ==== trend =================================================================================== */

/* Times are medians over the pushes between two changes, in the target scale; those of events are adjusted as if all
 * files had the same level. */
typedef struct eti_trend_change {
    size_t at; /* index of the first push of the block after the change */
    double before, after;
    double p;       /* not adjusted; to be compared with the alpha of the series */
    eti_text known; /* reason of a known change; absent if it is new */
} eti_trend_change;

typedef struct eti_trend_series {
    const eti_side_row *of;
    /* per push: value / median of all values, for events as if all files had the same level; NULL if not judged */
    double *relative;
    eti_trend_change *changes;
    size_t n_changes, n_new; /* n_new of them are not known */
    double first, last;      /* before the first change, and after the last; NaN if not judged */
} eti_trend_series;

/* Borrows from the profile. */
typedef struct eti_trend {
    eti_side side;
    eti_trend_options options;
    eti_arena arena;
    /* one per row of side.totals and side.events; events with new changes come first, the others in the same order */
    eti_trend_series *totals, *events;
    size_t n_changed;                /* number of events with a new change */
    bool names_blocks;               /* judged totals or events must name their block */
    double total_alpha, event_alpha; /* alpha of each series */
} eti_trend;

/* Finds the changes. The same seed gives the same changes with any number of threads. Fails with ETI_ERROR_TOO_FEW if
 * no block has ETI_E_DIVISIVE_FEWEST pushes, with ETI_ERROR_LIMIT if one has more than ETI_E_DIVISIVE_MOST, with
 * ETI_ERROR_USAGE if options are out of range, with ETI_ERROR_MALFORMED if a file of known changes is, or with
 * ETI_ERROR_MEMORY. Free `out` in any case. */
eti_status eti__trend_make(eti_trend *out, const struct eti_profile *profile,
                           const eti_trend_options *options, eti_error *err) ETI_WARN_UNUSED;
void eti__trend_free(eti_trend *trend);

#endif
