#include "report/data.h"

#include "report/graph_data.h"
#include "report/graph_events.h"
#include "report/page_slices.h"

#include <math.h>
#include <stdlib.h>

#define PAGE_SCHEMA "etinspect-report/1"

/* Columns that quote the user's source files, or name them. */
static const char *const source_columns[] = {"source", "code", "path", "lines", "function"};
/* Columns with a value for each run. */
static const char *const sample_columns[] = {"raw"};

static bool is_one_of(eti_text name, const char *const *names, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (eti__text_is(name, names[i]))
            return true;
    }
    return false;
}

/* Returns whether `name` is one of "a,b,c". */
static bool lists(const char *names, eti_text name) {
    eti_text rest = eti__text_of(names), part;
    while (eti__column_next_part(&rest, &part)) {
        if (eti__text_equal(part, name))
            return true;
    }
    return false;
}

static bool has_column(const eti_page *page, const eti_page_view *view, const eti_section *section,
                       const eti_column *column) {
    eti_text name = eti__column_bare_name(view->report, column);
    if (column->is_on_request && !section->has_chosen_columns)
        return false;
    if (view->columns && !lists(view->columns, name))
        return false;
    if ((page->omissions & ETI_PAGE_NO_SOURCE) &&
        is_one_of(name, source_columns, sizeof source_columns / sizeof *source_columns))
        return false;
    return !((page->omissions & ETI_PAGE_NO_SAMPLES) &&
             is_one_of(name, sample_columns, sizeof sample_columns / sizeof *sample_columns));
}

/* ---- tables ---------------------------------------------------------------------------------- */

/* A table whose rows are being written. */
typedef struct table_form {
    const eti_page *page;
    const eti_page_view *view;
    const eti_section *section;
    bool *wanted; /* per column */
    /* Receives the places of infinite numbers, for which JSON has null; NULL: columns are written, not rows. */
    eti_json_writer *infinite;
} table_form;

/* Appends ["VIEW", "TABLE", ROW, "COLUMN", 1], or -1 for negative infinity. */
static void add_infinite(const table_form *form, const eti_column *column, size_t row,
                         double value) {
    eti_json_writer *json = form->infinite;
    eti__json_add_line(json, 0);
    eti__json_open_array(json);
    eti__json_add_text(json, eti__text_of(form->view->name));
    eti__json_add_text(json, eti__text_of(form->section->name));
    eti__json_add_u64(json, row);
    eti__json_add_text(json, eti__column_bare_name(form->view->report, column));
    eti__json_add_i64(json, value > 0 ? 1 : -1);
    eti__json_close_level(json);
}

static void add_row(eti_json_writer *json, const table_form *form, const eti_cell *cells,
                    size_t row) {
    const eti_table *table = form->section->table;
    eti__json_add_line(json, 0);
    eti__json_open_object(json);
    for (size_t i = 0; i < table->n_columns; i++) {
        if (!form->wanted[i])
            continue;
        eti__json_add_key_text(json, eti__column_bare_name(form->view->report, &table->columns[i]));
        eti__json_add_cell(json, &cells[i]);
        if (cells[i].kind == ETI_CELL_DOUBLE && isinf(cells[i].as_double))
            add_infinite(form, &table->columns[i], row, cells[i].as_double);
    }
    eti__json_close_level(json);
}

static bool is_full(const eti_buffer *out, const eti_page *page) {
    return out->failed || out->size > page->options.max_size;
}

/* Appends the rows of a table. False: out of memory. */
static bool add_rows(eti_json_writer *json, const table_form *form) {
    const eti_table *table = form->section->table;
    eti_row_reader rows;
    if (!eti__row_reader_open(&rows, table))
        return false;
    rows.row.wanted = form->wanted;
    for (size_t i = 0; i < table->n_rows && !rows.failed && !is_full(json->out, form->page); i++)
        add_row(json, form, eti__row_reader_read(&rows, i), i);
    bool failed = rows.failed;
    eti__row_reader_close(&rows);
    return !failed;
}

/* [["p50", "time", "median"], ...] */
static void add_columns(eti_json_writer *json, const table_form *form) {
    const eti_table *table = form->section->table;
    for (size_t i = 0; i < table->n_columns; i++) {
        const eti_column *column = &table->columns[i];
        if (!form->wanted[i])
            continue;
        eti__json_open_array(json);
        eti__json_add_text(json, eti__column_bare_name(form->view->report, column));
        eti__json_add_text(json, eti__text_of(eti_column_kind_name(column->kind)));
        eti__json_add_text(json, eti__text_of(column->help));
        eti__json_close_level(json);
    }
}

static bool add_table(eti_json_writer *json, const table_form *form) {
    bool done = true;
    eti__json_add_line(json, 0);
    eti__json_add_key(json, form->section->name);
    eti__json_open_array(json);
    if (form->infinite)
        done = add_rows(json, form);
    else
        add_columns(json, form);
    eti__json_close_level(json);
    return done;
}

static bool add_section(eti_json_writer *json, const eti_page *page, const eti_page_view *view,
                        const eti_section *section, eti_json_writer *infinite) {
    const eti_table *table = section->table;
    table_form form = {page, view, section, calloc(table->n_columns + 1, sizeof(bool)), infinite};
    for (size_t i = 0; form.wanted && i < table->n_columns; i++)
        form.wanted[i] = has_column(page, view, section, &table->columns[i]);
    bool done = form.wanted && add_table(json, &form);
    free(form.wanted);
    return done;
}

/* Returns whether a view is shown: with no_source, not one that only quotes the user's source files. */
static bool is_shown(const eti_page *page, const eti_page_view *view) {
    if ((page->omissions & ETI_PAGE_NO_SWAPPED) && strcmp(view->name, ETI_SWAPPED_VIEW) == 0)
        return false;
    return !((page->omissions & ETI_PAGE_NO_SOURCE) && strcmp(view->name, "source") == 0);
}

/* Adds {"VIEW": {"TABLE": [...]}}: the rows, or without `infinite` the columns. False: out of memory. */
static bool add_tables(eti_json_writer *json, const eti_page *page, eti_json_writer *infinite) {
    eti__json_open_object(json);
    for (size_t i = 0; i < page->n_views; i++) {
        const eti_page_view *view = &page->views[i];
        if (!is_shown(page, view))
            continue;
        eti__json_add_line(json, 0);
        eti__json_add_key(json, view->name);
        eti__json_open_object(json);
        for (size_t k = 0; k < view->report->n_sections; k++) {
            if (!add_section(json, page, view, &view->report->sections[k], infinite))
                return false;
        }
        eti__json_close_level(json);
    }
    eti__json_close_level(json);
    return true;
}

/* Adds the rows of all tables, then "infinite", the places of their infinite numbers. False: out of memory. */
static bool add_rows_of_tables(eti_json_writer *json, const eti_page *page) {
    eti_buffer places = {0};
    eti_json_writer infinite = eti__json_writer(&places, ETI_JSON_SPACED);
    eti__json_add_key(json, "tables");
    bool done = add_tables(json, page, &infinite);
    eti__json_add_line(json, 0);
    eti__json_add_key(json, "infinite");
    eti__json_open_array(json);
    eti__json_add_raw(json, eti__buffer_text(&places));
    eti__json_close_level(json);
    done = done && !places.failed;
    eti__buffer_free(&places);
    return done;
}

static bool is_sum(const eti_section *section, size_t row) {
    size_t number = eti__table_row_number(section->table, row);
    for (size_t i = 0; i < section->n_sums; i++) {
        if (section->sums[i] == number)
            return true;
    }
    return false;
}

/* Adds "TABLE": [3, 7], the rows that are sums of others, for each table that has such rows. */
static void add_sums_of(eti_json_writer *json, const eti_report *report) {
    for (size_t k = 0; k < report->n_sections; k++) {
        const eti_section *section = &report->sections[k];
        if (section->n_sums == 0)
            continue;
        eti__json_add_key(json, section->name);
        eti__json_open_array(json);
        for (size_t i = 0; i < section->table->n_rows; i++) {
            if (is_sum(section, i))
                eti__json_add_u64(json, i);
        }
        eti__json_close_level(json);
    }
}

static bool has_sums(const eti_report *report) {
    size_t n = 0;
    for (size_t k = 0; k < report->n_sections; k++)
        n += report->sections[k].n_sums;
    return n > 0;
}

/* Adds "VIEW": {...} for each view with rows that are sums of others. */
static void add_sums(eti_json_writer *json, const eti_page *page) {
    for (size_t i = 0; i < page->n_views; i++) {
        if (!has_sums(page->views[i].report))
            continue;
        eti__json_add_key(json, page->views[i].name);
        eti__json_open_object(json);
        add_sums_of(json, page->views[i].report);
        eti__json_close_level(json);
    }
}

/* ---- what is said ---------------------------------------------------------------------------- */

/* Adds a text on a line of its own, with what it is about. */
static void add_said(eti_json_writer *json, const char *key, const char *about, eti_text text) {
    eti__json_add_line(json, 0);
    eti__json_open_object(json);
    eti__json_add_member(json, key, eti__text_of(about));
    eti__json_add_member(json, "text", text);
    eti__json_close_level(json);
}

static void add_remarks(eti_json_writer *json, const eti_page_view *view) {
    for (size_t i = 0; i < view->report->n_sections; i++) {
        const eti_section *section = &view->report->sections[i];
        for (size_t n = 0; n < section->n_notes; n++)
            add_said(json, "table", section->name, section->notes[n]);
    }
}

static void add_all_remarks(eti_json_writer *json, const eti_page *page) {
    for (size_t i = 0; i < page->n_views; i++) {
        if (!is_shown(page, &page->views[i]))
            continue;
        eti__json_add_line(json, 0);
        eti__json_add_key(json, page->views[i].name);
        eti__json_open_array(json);
        add_remarks(json, &page->views[i]);
        eti__json_close_level(json);
    }
}

static void add_notes(eti_json_writer *json, const eti_inspector *inspector) {
    static const char *const kinds[] = {
        [ETI_NOTE_INFO] = "info", [ETI_NOTE_WARNING] = "warning", [ETI_NOTE_HINT] = "hint"};
    for (size_t i = 0; inspector && i < inspector->n_notes; i++) {
        const eti_note *note = &inspector->notes[i];
        add_said(json, "kind", kinds[note->kind], note->text);
    }
}

static void add_absences(eti_json_writer *json, const eti_page *page) {
    for (size_t i = 0; i < page->n_absences; i++)
        eti__json_add_member(json, page->absences[i].name, page->absences[i].reason);
}

static void add_omissions(eti_json_writer *json, const eti_page *page) {
    static const struct {
        unsigned omission;
        const char *name;
    } all[] = {{ETI_PAGE_NO_SLICES, "slices"},
               {ETI_PAGE_NO_SAMPLES, "samples"},
               {ETI_PAGE_NO_LARGE_GRAPHS, "large graphs"},
               {ETI_PAGE_NO_SWAPPED, "swapped comparison"},
               {ETI_PAGE_NO_SOURCE, "source"}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (page->omissions & all[i].omission)
            eti__json_add_text(json, eti__text_of(all[i].name));
    }
}

/* ---- drawings -------------------------------------------------------------------------------- */

/* Returns the graph whose nodes are exactly the rows of the table "nodes", in their order; NULL: there is none. */
static const eti_timed_graph *graph_of(const eti_page *page) {
    for (size_t i = 0; i < page->n_views; i++) {
        const eti_report *report = page->views[i].report;
        if (report->graph && report->n_sections > 0 && !report->sections[0].table->whole)
            return report->graph;
    }
    return NULL;
}

static eti_status add_layouts(eti_json_writer *json, const eti_page *page, eti_error *err) {
    const eti_timed_graph *graph = graph_of(page);
    bool leaves_out_large = page->omissions & ETI_PAGE_NO_LARGE_GRAPHS;
    return graph ? eti__graph_data_add(json, graph, leaves_out_large, err) : ETI_OK;
}

static eti_status add_event_nodes(eti_json_writer *json, const eti_page *page, eti_error *err) {
    const eti_timed_graph *graph = graph_of(page);
    return graph && page->inspector ? eti__graph_events_add(json, graph, page->inspector, err)
                                    : ETI_OK;
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* A member that is not a table: the function adds its value, or nothing if there is none. */
typedef struct data_part {
    const char *name;
    eti_status (*add)(eti_json_writer *json, const eti_page *page, eti_error *err);
} data_part;

static const data_part parts[] = {
    {"layouts", add_layouts},
    {"event_nodes", add_event_nodes},
    {"slices", eti__page_add_slices},
    {NULL, NULL},
};

static eti_status add_parts(eti_json_writer *json, const eti_page *page, eti_error *err) {
    eti_buffer *out = json->out;
    for (const data_part *part = parts; part->name && !is_full(out, page); part++) {
        const eti_json_writer before = *json;
        size_t size_before = out->size;
        eti__json_add_line(json, 0);
        eti__json_add_key(json, part->name);
        size_t empty = out->size;
        ETI_TRY(part->add(json, page, err));
        if (out->size == empty) {
            *json = before;
            out->size = size_before;
        }
    }
    return ETI_OK;
}

/* Opens the value of a member on a line of its own. */
static void open_member(eti_json_writer *json, const char *key, bool is_array) {
    eti__json_add_line(json, 0);
    eti__json_add_key(json, key);
    if (is_array)
        eti__json_open_array(json);
    else
        eti__json_open_object(json);
}

eti_status eti__page_add_data(eti_buffer *out, const eti_page *page, eti_error *err) {
    eti_json_writer writer = eti__json_writer(out, ETI_JSON_SPACED), *json = &writer;
    eti__json_open_object(json);
    eti__json_add_member(json, "schema", eti__text_of(PAGE_SCHEMA));
    open_member(json, "provenance", false);
    eti__json_add_provenance(json, page->views[0].report, page->write, true);
    eti__json_close_level(json);
    open_member(json, "notes", true);
    add_notes(json, page->inspector);
    eti__json_close_level(json);
    eti__json_add_line(json, 0);
    if (!add_rows_of_tables(json, page))
        return eti_fail_memory(err);
    eti__json_add_line(json, 0);
    eti__json_add_key(json, "columns");
    if (!add_tables(json, page, NULL))
        return eti_fail_memory(err);
    open_member(json, "sums", false);
    add_sums(json, page);
    eti__json_close_level(json);
    open_member(json, "remarks", false);
    add_all_remarks(json, page);
    eti__json_close_level(json);
    open_member(json, "absent", false);
    add_absences(json, page);
    eti__json_close_level(json);
    open_member(json, "left_out", true);
    add_omissions(json, page);
    eti__json_close_level(json);
    ETI_TRY(add_parts(json, page, err));
    eti__json_close_level(json);
    eti__buffer_add_char(out, '\n');
    return out->failed ? eti_fail_memory(err) : ETI_OK;
}
