#include "report/data.h"

#include "report/graph_data.h"
#include "report/graph_events.h"
#include "report/page_slices.h"
#include "write/bare_name.h"
#include "write/json_provenance.h"
#include "write/json_text.h"

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
    for (const char *at = names; *at; at += *at == ',') {
        size_t n = strcspn(at, ",");
        if (n == name.size && memcmp(at, name.data, n) == 0)
            return true;
        at += n;
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
    bool *wanted;         /* per column */
    eti_buffer *infinite; /* receives the places of infinite numbers, for which JSON has null */
} table_form;

/* Appends ["VIEW", "TABLE", ROW, "COLUMN", 1], or -1 for negative infinity. */
static void add_infinite(const table_form *form, const eti_column *column, size_t row,
                         double value) {
    eti_buffer *out = form->infinite;
    eti__buffer_add_string(out, out->size > 0 ? ",\n[" : "\n[");
    eti__json_add_string(out, eti__text_of(form->view->name));
    eti__buffer_add_string(out, ", ");
    eti__json_add_string(out, eti__text_of(form->section->name));
    eti__buffer_printf(out, ", %zu, ", row);
    eti__json_add_string(out, eti__column_bare_name(form->view->report, column));
    eti__buffer_add_string(out, value > 0 ? ", 1]" : ", -1]");
}

static void add_row(eti_buffer *out, const table_form *form, const eti_cell *cells, size_t row) {
    const eti_table *table = form->section->table;
    bool is_first = true;
    eti__buffer_add_char(out, '{');
    for (size_t i = 0; i < table->n_columns; i++) {
        if (!form->wanted[i])
            continue;
        eti__buffer_add_string(out, is_first ? "" : ", ");
        eti__json_add_key(out, form->view->report, &table->columns[i]);
        eti__json_add_cell(out, &cells[i]);
        if (cells[i].kind == ETI_CELL_DOUBLE && isinf(cells[i].as_double))
            add_infinite(form, &table->columns[i], row, cells[i].as_double);
        is_first = false;
    }
    eti__buffer_add_char(out, '}');
}

static bool is_full(const eti_buffer *out, const eti_page *page) {
    return out->failed || out->size > page->options.max_size;
}

/* Appends the rows of a table. False: out of memory. */
static bool add_rows(eti_buffer *out, const table_form *form) {
    const eti_table *table = form->section->table;
    eti_row_reader rows;
    if (!eti__row_reader_open(&rows, table))
        return false;
    rows.row.wanted = form->wanted;
    for (size_t i = 0; i < table->n_rows && !rows.failed && !is_full(out, form->page); i++) {
        const eti_cell *cells = eti__row_reader_read(&rows, i);
        eti__buffer_add_string(out, i > 0 ? ",\n" : "\n");
        add_row(out, form, cells, i);
    }
    bool failed = rows.failed;
    eti__row_reader_close(&rows);
    return !failed;
}

/* [["p50", "time", "median"], ...] */
static void add_columns(eti_buffer *out, const table_form *form) {
    const eti_table *table = form->section->table;
    bool is_first = true;
    for (size_t i = 0; i < table->n_columns; i++) {
        const eti_column *column = &table->columns[i];
        if (!form->wanted[i])
            continue;
        eti__buffer_add_string(out, is_first ? "[" : ", [");
        eti__json_add_string(out, eti__column_bare_name(form->view->report, column));
        eti__buffer_add_string(out, ", ");
        eti__json_add_string(out, eti__text_of(eti_column_kind_name(column->kind)));
        eti__buffer_add_string(out, ", ");
        eti__json_add_string(out, eti__text_of(column->help));
        eti__buffer_add_char(out, ']');
        is_first = false;
    }
}

static bool add_table(eti_buffer *out, const table_form *form) {
    eti__json_add_string(out, eti__text_of(form->section->name));
    eti__buffer_add_string(out, ": [");
    bool done = true;
    if (form->infinite)
        done = add_rows(out, form);
    else
        add_columns(out, form);
    eti__buffer_add_char(out, ']');
    return done;
}

static bool add_section(eti_buffer *out, const eti_page *page, const eti_page_view *view,
                        const eti_section *section, eti_buffer *infinite) {
    const eti_table *table = section->table;
    table_form form = {page, view, section, calloc(table->n_columns + 1, sizeof(bool)), infinite};
    for (size_t i = 0; form.wanted && i < table->n_columns; i++)
        form.wanted[i] = has_column(page, view, section, &table->columns[i]);
    bool done = form.wanted && add_table(out, &form);
    free(form.wanted);
    return done;
}

/* Returns whether a view is shown: with no_source, not one that only quotes the user's source files. */
static bool is_shown(const eti_page *page, const eti_page_view *view) {
    if ((page->omissions & ETI_PAGE_NO_SWAPPED) && strcmp(view->name, ETI_SWAPPED_VIEW) == 0)
        return false;
    return !((page->omissions & ETI_PAGE_NO_SOURCE) && strcmp(view->name, "source") == 0);
}

/* Appends {"VIEW": {"TABLE": [...]}}: the rows, or without `infinite` the columns. False: out of memory. */
static bool add_tables(eti_buffer *out, const eti_page *page, eti_buffer *infinite) {
    const char *separator = "\n";
    eti__buffer_add_char(out, '{');
    for (size_t i = 0; i < page->n_views; i++) {
        const eti_page_view *view = &page->views[i];
        if (!is_shown(page, view))
            continue;
        eti__buffer_add_string(out, separator);
        separator = ",\n";
        eti__json_add_string(out, eti__text_of(view->name));
        eti__buffer_add_string(out, ": {");
        for (size_t k = 0; k < view->report->n_sections; k++) {
            eti__buffer_add_string(out, k > 0 ? ",\n" : "\n");
            if (!add_section(out, page, view, &view->report->sections[k], infinite))
                return false;
        }
        eti__buffer_add_char(out, '}');
    }
    eti__buffer_add_char(out, '}');
    return true;
}

/* Appends the rows of all tables, then "infinite", the places of their infinite numbers. False: out of memory. */
static bool add_rows_of_tables(eti_buffer *out, const eti_page *page) {
    eti_buffer infinite = {0};
    bool done = add_tables(out, page, &infinite);
    eti__buffer_add_string(out, ",\n\"infinite\": [");
    eti__buffer_add_text(out, eti__buffer_text(&infinite));
    eti__buffer_add_char(out, ']');
    done = done && !infinite.failed;
    eti__buffer_free(&infinite);
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

static void add_sum_rows(eti_buffer *out, const eti_section *section) {
    const char *separator = "";
    for (size_t i = 0; i < section->table->n_rows; i++) {
        if (!is_sum(section, i))
            continue;
        eti__buffer_printf(out, "%s%zu", separator, i);
        separator = ", ";
    }
}

/* Appends "TABLE": [3, 7], the rows that are sums of others, for each table that has such rows. */
static void add_sums_of(eti_buffer *out, const eti_report *report) {
    const char *separator = "";
    for (size_t k = 0; k < report->n_sections; k++) {
        const eti_section *section = &report->sections[k];
        if (section->n_sums == 0)
            continue;
        eti__buffer_add_string(out, separator);
        eti__json_add_string(out, eti__text_of(section->name));
        eti__buffer_add_string(out, ": [");
        add_sum_rows(out, section);
        eti__buffer_add_char(out, ']');
        separator = ", ";
    }
}

static bool has_sums(const eti_report *report) {
    size_t n = 0;
    for (size_t k = 0; k < report->n_sections; k++)
        n += report->sections[k].n_sums;
    return n > 0;
}

/* Appends "VIEW": {...} for each view with rows that are sums of others. */
static void add_sums(eti_buffer *out, const eti_page *page) {
    const char *separator = "";
    for (size_t i = 0; i < page->n_views; i++) {
        if (!has_sums(page->views[i].report))
            continue;
        eti__buffer_add_string(out, separator);
        eti__json_add_string(out, eti__text_of(page->views[i].name));
        eti__buffer_add_string(out, ": {");
        add_sums_of(out, page->views[i].report);
        eti__buffer_add_char(out, '}');
        separator = ", ";
    }
}

/* ---- what is said ---------------------------------------------------------------------------- */

static void add_remarks(eti_buffer *out, const eti_page_view *view) {
    const char *separator = "\n";
    for (size_t i = 0; i < view->report->n_sections; i++) {
        const eti_section *section = &view->report->sections[i];
        for (size_t n = 0; n < section->n_notes; n++) {
            eti__buffer_add_string(out, separator);
            eti__buffer_add_char(out, '{');
            eti__json_add_member(out, "table", eti__text_of(section->name));
            eti__buffer_add_string(out, ", ");
            eti__json_add_member(out, "text", section->notes[n]);
            eti__buffer_add_char(out, '}');
            separator = ",\n";
        }
    }
}

static void add_all_remarks(eti_buffer *out, const eti_page *page) {
    const char *separator = "\n";
    for (size_t i = 0; i < page->n_views; i++) {
        if (!is_shown(page, &page->views[i]))
            continue;
        eti__buffer_add_string(out, separator);
        separator = ",\n";
        eti__json_add_string(out, eti__text_of(page->views[i].name));
        eti__buffer_add_string(out, ": [");
        add_remarks(out, &page->views[i]);
        eti__buffer_add_char(out, ']');
    }
}

static void add_notes(eti_buffer *out, const eti_inspector *inspector) {
    static const char *const kinds[] = {
        [ETI_NOTE_INFO] = "info", [ETI_NOTE_WARNING] = "warning", [ETI_NOTE_HINT] = "hint"};
    for (size_t i = 0; inspector && i < inspector->n_notes; i++) {
        const eti_note *note = &inspector->notes[i];
        eti__buffer_add_string(out, i > 0 ? ",\n{" : "\n{");
        eti__json_add_member(out, "kind", eti__text_of(kinds[note->kind]));
        eti__buffer_add_string(out, ", ");
        eti__json_add_member(out, "text", note->text);
        eti__buffer_add_char(out, '}');
    }
}

static void add_absences(eti_buffer *out, const eti_page *page) {
    for (size_t i = 0; i < page->n_absences; i++) {
        eti__buffer_add_string(out, i > 0 ? ", " : "");
        eti__json_add_member(out, page->absences[i].name, page->absences[i].reason);
    }
}

static void add_omissions(eti_buffer *out, const eti_page *page) {
    static const struct {
        unsigned omission;
        const char *name;
    } all[] = {{ETI_PAGE_NO_SLICES, "slices"},
               {ETI_PAGE_NO_SAMPLES, "samples"},
               {ETI_PAGE_NO_LARGE_GRAPHS, "large graphs"},
               {ETI_PAGE_NO_SWAPPED, "swapped comparison"},
               {ETI_PAGE_NO_SOURCE, "source"}};
    const char *separator = "";
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (!(page->omissions & all[i].omission))
            continue;
        eti__buffer_add_string(out, separator);
        eti__json_add_string(out, eti__text_of(all[i].name));
        separator = ", ";
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

static eti_status add_layouts(eti_buffer *out, const eti_page *page, eti_error *err) {
    const eti_timed_graph *graph = graph_of(page);
    bool leaves_out_large = page->omissions & ETI_PAGE_NO_LARGE_GRAPHS;
    return graph ? eti__graph_data_add(out, graph, leaves_out_large, err) : ETI_OK;
}

static eti_status add_event_nodes(eti_buffer *out, const eti_page *page, eti_error *err) {
    const eti_timed_graph *graph = graph_of(page);
    return graph && page->inspector ? eti__graph_events_add(out, graph, page->inspector, err)
                                    : ETI_OK;
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* A member that is not a table: the function appends its value, or nothing if there is none. */
typedef struct data_part {
    const char *name;
    eti_status (*add)(eti_buffer *out, const eti_page *page, eti_error *err);
} data_part;

static const data_part parts[] = {
    {"layouts", add_layouts},
    {"event_nodes", add_event_nodes},
    {"slices", eti__page_add_slices},
    {NULL, NULL},
};

static eti_status add_parts(eti_buffer *out, const eti_page *page, eti_error *err) {
    for (const data_part *part = parts; part->name && !is_full(out, page); part++) {
        size_t before = out->size;
        eti__buffer_add_string(out, ",\n");
        eti__json_add_string(out, eti__text_of(part->name));
        eti__buffer_add_string(out, ": ");
        size_t empty = out->size;
        ETI_TRY(part->add(out, page, err));
        if (out->size == empty)
            out->size = before;
    }
    return ETI_OK;
}

eti_status eti__page_add_data(eti_buffer *out, const eti_page *page, eti_error *err) {
    eti__buffer_add_string(out, "{");
    eti__json_add_member(out, "schema", eti__text_of(PAGE_SCHEMA));
    eti__buffer_add_string(out, ",\n\"provenance\": {");
    eti__json_add_provenance(out, page->views[0].report, page->write, ",\n");
    eti__buffer_add_string(out, "},\n\"notes\": [");
    add_notes(out, page->inspector);
    eti__buffer_add_string(out, "],\n\"tables\": ");
    if (!add_rows_of_tables(out, page))
        return eti_fail_memory(err);
    eti__buffer_add_string(out, ",\n\"columns\": ");
    if (!add_tables(out, page, NULL))
        return eti_fail_memory(err);
    eti__buffer_add_string(out, ",\n\"sums\": {");
    add_sums(out, page);
    eti__buffer_add_string(out, "},\n\"remarks\": {");
    add_all_remarks(out, page);
    eti__buffer_add_string(out, "},\n\"absent\": {");
    add_absences(out, page);
    eti__buffer_add_string(out, "},\n\"left_out\": [");
    add_omissions(out, page);
    eti__buffer_add_char(out, ']');
    ETI_TRY(add_parts(out, page, err));
    eti__buffer_add_string(out, "}\n");
    return out->failed ? eti_fail_memory(err) : ETI_OK;
}
