/*
 * report.h - the result of a view, which a writer prints: one or more tables with their titles, and the provenance of their
 * numbers.
 */
#ifndef ETI_TABLE_REPORT_H
#define ETI_TABLE_REPORT_H

#include "base/arena.h"
#include "base/files.h"
#include "base/text.h"
#include "table/table.h"

/* Numbers in the order of time, shown to people as a line of characters, see write/sparkline.h. */
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
    /* Subject of the report besides its tables, for formats that take more than tables; NULL: another view. It lives as long
     * as the report, and row i of the selected section is finding i, or node i, until rows are selected. */
    const struct eti_gate_result *gate;    /* gate/result.h */
    const struct eti_timed_graph *graph;   /* rollup/rollup.h */
    const struct eti_stack_source *stacks; /* timeline/stacks.h, of the same runs */
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

/* Returns a reference to a table and to the report that owns it. */
eti_kept eti__table_keep(const eti_table *table);

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

#endif
