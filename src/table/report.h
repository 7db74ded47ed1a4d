/*
 * report.h - what a view gives and a writer prints: one or more tables with their titles, and where their
 * numbers come from.
 */
#ifndef ETI_TABLE_REPORT_H
#define ETI_TABLE_REPORT_H

#include "base/files/file.h"
#include "base/label.h"
#include "table/table.h"

/* Numbers in the order of time, which people see as a line of characters, see write/sparkline.h. */
typedef struct eti_series {
    eti_text name;
    const double *values;
    size_t n;
} eti_series;

/* Rows that are not in memory together. They come in tables, which have the columns of the section's table, one after the other
 * and each time the report is written. */
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
    eti_series *series; /* drawn below the table on a terminal; owned as notes are */
    size_t n_series, series_capacity;
    bool has_chosen_columns; /* all columns are shown, extra ones too */
    bool is_detail;          /* Markdown folds it: people open it when they want to know */
    bool explains_itself;    /* its columns need no names before people: "runs 10" */
    bool is_told_above;      /* a screen has it in fewer words in a section before */
    bool is_in_notes;        /* people read its notes instead of its table */
    bool hides_empty;        /* people do not see columns without any value */
    size_t n_kept_back;      /* last rows, which formats for people leave out */
    size_t n_folded;         /* first rows, for which formats for people have a line ... */
    eti_text folded;         /* ... of this text: "14 inputs: ..."; in the report's arena */
} eti_section;

/* Whether text and Markdown have the column. */
static inline bool eti__section_shows(const eti_section *section, const eti_column *column) {
    return section->has_chosen_columns || !(column->is_extra || column->is_on_request);
}

/* Whether text and Markdown leave out columns without any value. */
static inline bool eti__section_hides_empty(const eti_section *section) {
    return section->hides_empty && !section->has_chosen_columns;
}

/* Whether people see a part of it; a section without rows for people and without notes is for
 * programs only. */
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

/* A view of a database, which answers a question from its tables. All members are static. */
typedef struct eti_report_query {
    const char *name;
    const char *sql; /* SELECT ... */
} eti_report_query;

#define ETI_MOST_KEPT 3

struct eti_report {
    eti_references references;
    eti_kept kept[ETI_MOST_KEPT]; /* what tables and sources borrow from */
    size_t n_kept;
    eti_arena arena;           /* of notes and sources */
    const char *view;          /* static */
    eti_time_scale time_scale; /* of ETI_COLUMN_TIME */
    bool has_time_scale;       /* false: a table on its own, of which nothing else is known */
    eti_report_source *sources;
    size_t n_sources;
    eti_label *labels; /* beside those that the user gives when it is written */
    size_t n_labels, label_capacity;
    const eti_report_query *queries; /* only for SQLite; static */
    size_t n_queries;
    eti_section *sections;
    size_t n_sections, section_capacity;
    size_t n_left_out;  /* behind them, by a selection */
    bool has_one_table; /* of several, because a selection says so */
    size_t
        selected; /* the one that selections are about: the first, unless the view says otherwise */
    bool is_failed; /* a check that was asked for failed */
    /* Subject of the report beside its tables, for formats that take more than tables; NULL: another view. It lives as
     * long as the report, and row i of the selected section is finding i, or node i, until rows are selected. */
    const struct eti_gate_result *gate;    /* gate/result.h */
    const struct eti_timed_graph *graph;   /* account/graph.h */
    const struct eti_stack_source *stacks; /* account/stacks/stacks.h, of the same runs */
    const struct eti_slice_source *slices; /* account/slices.h; row i is its events[i] */
    /* Of a comparison, where the new side was measured, for pages that show the whole of it; NULL: not known. It lives as
     * long as the report. */
    const struct eti_inspector *measured; /* model/inspector.h */
};

/* Number of findings or nodes that were selected. */
static inline size_t eti__report_chosen_count(const eti_report *report) {
    return report->sections[report->selected].table->n_rows;
}

/* Returns the number of the i-th of these among all. */
static inline size_t eti__report_chosen(const eti_report *report, size_t i) {
    return eti__table_row_number(report->sections[report->selected].table, i);
}

/* Makes an empty report. ETI_ERROR_MEMORY. */
eti_status eti__report_new(eti_report **out, const char *view, eti_time_scale time_scale,
                           eti_error *err) ETI_WARN_UNUSED;

/* Makes the report hold a reference until it is freed; ETI_MOST_KEPT at most. */
void eti__report_keep(eti_report *report, eti_kept kept);

/* Returns a reference to a table, and to the report that it stands in. */
eti_kept eti__table_keep(const eti_table *table);

/* Names an input; its name is copied, its bytes are not. `kind` is static. ETI_ERROR_MEMORY. */
eti_status eti__report_add_source(eti_report *report, const char *kind, const struct eti_file *file,
                                  eti_error *err) ETI_WARN_UNUSED;

/* Adds a label, which is copied. ETI_ERROR_MEMORY. */
eti_status eti__report_add_label(eti_report *report, const char *key, const char *value,
                                 eti_error *err) ETI_WARN_UNUSED;

/* Adds a section, which owns `table`, even when it fails. `name` and `title` are static. ETI_ERROR_MEMORY. */
eti_status eti__report_add(eti_report *report, const char *name, const char *title,
                           eti_table *table, eti_error *err) ETI_WARN_UNUSED;

/* Adds a line below the section that was added last. ETI_ERROR_MEMORY. */
eti_status eti__report_note(eti_report *report, eti_error *err, const char *format, ...)
    ETI_PRINTF(3, 4) ETI_WARN_UNUSED;
/* Adds the text of a buffer in the same way, and empties it, even if this fails. */
eti_status eti__report_take_note(eti_report *report, eti_buffer *text,
                                 eti_error *err) ETI_WARN_UNUSED;

/* Adds a series to the section that was added last; name and values are copied. ETI_ERROR_MEMORY. */
eti_status eti__report_add_series(eti_report *report, eti_series series,
                                  eti_error *err) ETI_WARN_UNUSED;

#endif
