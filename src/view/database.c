#include "view/database.h"

#include "account/blocks.h"
#include "account/grouping.h"
#include "base/array.h"
#include "base/intern.h"
#include "table/columns.h"
#include "view/groups.h"

#include <stdlib.h>

/* Things that are told apart by where they lie in memory, numbered in order of appearance. */
typedef ETI_INTERN_OF(const void *) numbering;

/* All events with what they share; of each table's source for itself. */
typedef struct database_view {
    const eti_inspector *inspector;
    const eti_view_options *options;
    numbering records, nodes, module_stacks;
} database_view;

/* ---- numbering ------------------------------------------------------------------------------- */

/* The number of `thing`, which is added when it is new; false when memory is out. */
static bool number_thing(numbering *all, const void *thing, uint32_t *out) {
    static const eti_intern_kind kind = {.item_size = sizeof thing, .key_size = sizeof thing};
    return eti_intern_add(&all->table, &kind, &thing, out);
}

/* ---- cells ----------------------------------------------------------------------------------- */

/* Of cells that have no value yet, two fields are set: there may be ten million, and copying whole ones takes several
 * times as long. */
static void set_int(eti_cell *cell, uint64_t value) {
    cell->kind = ETI_CELL_INT;
    cell->as_int = (int64_t)value;
}

static void set_double(eti_cell *cell, double value) {
    cell->kind = ETI_CELL_DOUBLE;
    cell->as_double = value;
}

static void set_text(eti_cell *cell, eti_text text) {
    if (text.data) {
        cell->kind = ETI_CELL_TEXT;
        cell->as_text = text;
    }
}

#define NAME(literal)                                                                              \
    { literal, sizeof(literal) - 1 }
#define N_COLUMNS(columns) (sizeof(columns) / sizeof *(columns))

/* ---- blocks ---------------------------------------------------------------------------------- */

static const eti_column block_columns[] = {
    {.name = NAME("block_id"), .kind = ETI_COLUMN_NUMBER},
    {.name = NAME("name"), .kind = ETI_COLUMN_TEXT},
    {.name = NAME("bundled_input_index"), .kind = ETI_COLUMN_NUMBER},
    {.name = NAME("runs"), .kind = ETI_COLUMN_COUNT},
};

static bool fill_blocks(eti_table *table, database_view *view) {
    const eti_blocks *blocks = &view->inspector->blocks;
    for (size_t i = 0; i < blocks->n_blocks; i++) {
        const eti_event_block *block = &blocks->blocks[i];
        eti_cell *cells = eti_table_add_row(table);
        if (!cells)
            return false;
        set_int(&cells[0], i);
        set_text(&cells[1], block->name);
        if (block->bundled_input_index >= 0)
            set_int(&cells[2], (uint64_t)block->bundled_input_index);
        set_int(&cells[3], block->n_runs);
    }
    return true;
}

/* ---- events and samples ---------------------------------------------------------------------- */

/* Rows are made of these. */
typedef struct event_rows {
    const eti_inspector *inspector;
    const eti_event **events;
    uint32_t *record_ids;
    size_t *
        first_samples; /* per event: how many samples the ones before it have; and of all at the end */
    size_t n_events;
} event_rows;

static void free_events(void *context) {
    event_rows *rows = context;
    free(rows->events);
    free(rows->record_ids);
    free(rows->first_samples);
    free(rows);
}

/* NULL when memory is out. */
static event_rows *list_events(database_view *view) {
    const eti_blocks *blocks = &view->inspector->blocks;
    size_t n = 0;
    for (size_t b = 0; b < blocks->n_blocks; b++)
        n += blocks->blocks[b].n_events;
    event_rows *rows = calloc(1, sizeof *rows);
    if (!rows)
        return NULL;
    rows->inspector = view->inspector;
    rows->events = calloc(n + 1, sizeof *rows->events);
    rows->record_ids = calloc(n + 1, sizeof *rows->record_ids);
    rows->first_samples = calloc(n + 1, sizeof *rows->first_samples);
    bool ok = rows->events && rows->record_ids && rows->first_samples;
    for (size_t b = 0; ok && b < blocks->n_blocks; b++) {
        if (!eti_block_is_chosen(view->options, &blocks->blocks[b]))
            continue;
        for (size_t i = 0; ok && i < blocks->blocks[b].n_events; i++) {
            const eti_event *event = &blocks->blocks[b].events[i];
            size_t at = rows->n_events++;
            rows->events[at] = event;
            rows->first_samples[at + 1] = rows->first_samples[at] + eti_event_sample_count(event);
            ok = number_thing(&view->records, event->record, &rows->record_ids[at]);
        }
    }
    if (ok)
        return rows;
    free_events(rows);
    return NULL;
}

static const eti_column event_columns[] = {
    {.name = NAME("event_id"), .kind = ETI_COLUMN_NUMBER},
    {.name = NAME("block_id"), .kind = ETI_COLUMN_NUMBER},
    {.name = NAME("record_id"), .kind = ETI_COLUMN_NUMBER},
    {.name = NAME("name"), .kind = ETI_COLUMN_TEXT},
    {.name = NAME("instruction_id"), .kind = ETI_COLUMN_NUMBER},
    {.name = NAME("is_delegated_op"), .kind = ETI_COLUMN_TEXT},
    {.name = NAME("delegate_debug_identifier"), .kind = ETI_COLUMN_TEXT},
    {.name = NAME("delegate_backend_name"), .kind = ETI_COLUMN_TEXT},
    {.name = NAME("count"), .kind = ETI_COLUMN_COUNT},
    {.name = NAME("p10"), .kind = ETI_COLUMN_TIME},
    {.name = NAME("p50"), .kind = ETI_COLUMN_TIME},
    {.name = NAME("p90"), .kind = ETI_COLUMN_TIME},
    {.name = NAME("avg"), .kind = ETI_COLUMN_TIME},
    {.name = NAME("min"), .kind = ETI_COLUMN_TIME},
    {.name = NAME("max"), .kind = ETI_COLUMN_TIME},
};

static bool set_identifier(eti_row *row, eti_cell *cell, const eti_event *event) {
    eti_delegate_id id = eti_event_delegate_debug_identifier(event);
    if (id.kind == ETI_DELEGATE_ID_NONE)
        return true;
    if (id.kind == ETI_DELEGATE_ID_STRING) {
        set_text(cell, id.string_id);
        return true;
    }
    eti_buffer_printf(&row->scratch, "%d", (int)id.int_id);
    cell->kind = ETI_CELL_TEXT;
    return eti_row_take_text(row, &cell->as_text);
}

static bool make_event(const void *context, size_t number, eti_row *row) {
    const event_rows *rows = context;
    const eti_event *event = rows->events[number];
    eti_cell *cells = row->cells;
    set_int(&cells[0], number);
    set_int(&cells[1], (size_t)(event->block - rows->inspector->blocks.blocks));
    set_int(&cells[2], rows->record_ids[number]);
    set_text(&cells[3], event->name);
    if (event->instruction_id >= 0)
        set_int(&cells[4], (uint64_t)event->instruction_id);
    cells[5].kind = ETI_CELL_BOOL;
    cells[5].as_bool = event->is_delegated_op;
    set_text(&cells[7], event->record->backend_name);
    set_int(&cells[8], eti_event_sample_count(event));
    eti_summary s;
    if (eti_event_summary(event, &s)) {
        const double values[] = {s.p10, s.p50, s.p90, s.avg, s.min, s.max};
        for (size_t i = 0; i < N_COLUMNS(values); i++)
            set_double(&cells[9 + i], values[i]);
    }
    return set_identifier(row, &cells[6], event);
}

static const eti_column sample_columns[] = {
    {.name = NAME("event_id"), .kind = ETI_COLUMN_NUMBER},
    {.name = NAME("run"), .kind = ETI_COLUMN_NUMBER},
    {.name = NAME("start_time"), .kind = ETI_COLUMN_NUMBER},
    {.name = NAME("elapsed"), .kind = ETI_COLUMN_TIME},
};

/* The event that a sample belongs to. */
static size_t find_event(const event_rows *rows, size_t sample) {
    size_t low = 0, n = rows->n_events;
    while (n > 1) {
        size_t half = n / 2;
        if (rows->first_samples[low + half] <= sample)
            low += half;
        n -= half;
    }
    return low;
}

/* Stamps beyond 2^63, which no clock reaches, are shown as the doubles that they nearly are. */
static void set_stamp(eti_cell *cell, uint64_t stamp) {
    if (stamp <= INT64_MAX)
        set_int(cell, stamp);
    else
        set_double(cell, (double)stamp);
}

static bool make_sample(const void *context, size_t number, eti_row *row) {
    const event_rows *rows = context;
    size_t at = find_event(rows, number);
    size_t run = number - rows->first_samples[at];
    set_int(&row->cells[0], at);
    set_int(&row->cells[1], run);
    set_stamp(&row->cells[2], eti_event_start_time(rows->events[at])[run]);
    set_double(&row->cells[3], eti_event_raw(rows->events[at])[run]);
    return true;
}

static eti_status add_events(eti_report *report, database_view *view, eti_error *err) {
    event_rows *rows = list_events(view);
    eti_table *table;
    if (!rows)
        return eti_fail_memory(err);
    eti_row_source source = {make_event, free_events, rows};
    ETI_TRY(eti_table_new_made(&table, event_columns, N_COLUMNS(event_columns), rows->n_events,
                               source, err));
    return eti_report_add(report, "events", NULL, table, err);
}

static eti_status add_samples(eti_report *report, database_view *view, bool samples,
                              eti_error *err) {
    event_rows *rows = list_events(view);
    eti_table *table;
    if (!rows)
        return eti_fail_memory(err);
    eti_row_source source = {make_sample, free_events, rows};
    size_t n_rows = samples ? rows->first_samples[rows->n_events] : 0;
    ETI_TRY(
        eti_table_new_made(&table, sample_columns, N_COLUMNS(sample_columns), n_rows, source, err));
    return eti_report_add(report, "samples", NULL, table, err);
}

/* ---- what the ETRecord knows ------------------------------------------------------------------ */

static const eti_column op_columns[] = {
    {.name = NAME("record_id"), .kind = ETI_COLUMN_NUMBER},
    {.name = NAME("position"), .kind = ETI_COLUMN_NUMBER},
    {.name = NAME("op_type"), .kind = ETI_COLUMN_TEXT},
};

static bool fill_ops(eti_table *table, database_view *view) {
    for (size_t r = 0; r < view->records.count; r++) {
        const eti_event_record *record = view->records.items[r];
        for (size_t i = 0; i < record->n_op_types; i++) {
            eti_cell *cells = eti_table_add_row(table);
            if (!cells)
                return false;
            set_int(&cells[0], r);
            set_int(&cells[1], i);
            set_text(&cells[2], record->op_types[i]);
        }
    }
    return true;
}

static const eti_column record_node_columns[] = {
    {.name = NAME("record_id"), .kind = ETI_COLUMN_NUMBER},
    {.name = NAME("node_id"), .kind = ETI_COLUMN_NUMBER},
};

static bool fill_record_nodes(eti_table *table, database_view *view) {
    for (size_t r = 0; r < view->records.count; r++) {
        const eti_event_record *record = view->records.items[r];
        for (size_t i = 0; i < record->n_op_nodes; i++) {
            uint32_t node;
            eti_cell *cells = eti_table_add_row(table);
            if (!cells || !number_thing(&view->nodes, record->op_nodes[i], &node))
                return false;
            set_int(&cells[0], r);
            set_int(&cells[1], node);
        }
    }
    return true;
}

static const eti_column node_columns[] = {
    {.name = NAME("node_id"), .kind = ETI_COLUMN_NUMBER},
    {.name = NAME("name"), .kind = ETI_COLUMN_TEXT},
    {.name = NAME("module_stack_id"), .kind = ETI_COLUMN_NUMBER},
    {.name = NAME("stack_trace"), .kind = ETI_COLUMN_TEXT},
};

static bool fill_nodes(eti_table *table, database_view *view) {
    for (size_t i = 0; i < view->nodes.count; i++) {
        const eti_op_node *node = view->nodes.items[i];
        uint32_t stack;
        eti_cell *cells = eti_table_add_row(table);
        if (!cells)
            return false;
        set_int(&cells[0], i);
        set_text(&cells[1], node->name);
        if (node->n_modules > 0) {
            if (!number_thing(&view->module_stacks, node->modules, &stack))
                return false;
            set_int(&cells[2], stack);
        }
        set_text(&cells[3], node->stack_trace);
    }
    return true;
}

static const eti_column module_columns[] = {
    {.name = NAME("module_stack_id"), .kind = ETI_COLUMN_NUMBER},
    {.name = NAME("level"), .kind = ETI_COLUMN_NUMBER},
    {.name = NAME("key"), .kind = ETI_COLUMN_TEXT},
    {.name = NAME("path"), .kind = ETI_COLUMN_TEXT},
    {.name = NAME("type"), .kind = ETI_COLUMN_TEXT},
};

static bool fill_modules(eti_table *table, database_view *view) {
    size_t n_listed = 0;
    for (size_t i = 0; i < view->nodes.count; i++) {
        const eti_op_node *node = view->nodes.items[i];
        /* Nodes come in the order in which their stacks were numbered. */
        if (node->n_modules == 0 || n_listed == view->module_stacks.count ||
            view->module_stacks.items[n_listed] != node->modules)
            continue;
        for (size_t level = 0; level < node->n_modules; level++) {
            eti_cell *cells = eti_table_add_row(table);
            if (!cells)
                return false;
            set_int(&cells[0], n_listed);
            set_int(&cells[1], level);
            set_text(&cells[2], node->modules[level].key);
            set_text(&cells[3], node->modules[level].path);
            set_text(&cells[4], node->modules[level].type);
        }
        n_listed++;
    }
    return true;
}

/* ---- queries --------------------------------------------------------------------------------- */

/* Rows that the Inspector lists: an OPERATOR_CALL has the same time as the event inside it. */
#define LISTED "instr(e.name, 'OPERATOR_CALL') = 0"

static const eti_report_query queries[] = {
    {"event_list",
     "SELECT e.dump_id, e.event_id, b.name AS event_block_name, e.name AS event_name, e.p10, "
     "e.p50, e.p90, "
     "e.avg, e.min, e.max, e.count, e.is_delegated_op, e.delegate_backend_name, e.instruction_id "
     "FROM events e JOIN blocks b USING (dump_id, block_id) WHERE " LISTED},
    {"run_times", "SELECT * FROM event_list WHERE event_name = 'Method::execute'"},
    {"load_times",
     "SELECT * FROM event_list WHERE event_name IN ('Method::init', 'Program::load_method')"},
    {"sample_list", "SELECT s.dump_id, s.event_id, b.name AS event_block_name, e.name AS "
                    "event_name, s.run, s.start_time, "
                    "s.elapsed FROM samples s JOIN events e USING (dump_id, event_id) JOIN blocks "
                    "b USING (dump_id, "
                    "block_id)"},
    {"dump_list", "SELECT d.dump_id, d.\"view\", d.version, d.time_scale, (SELECT group_concat(key "
                  "|| '=' || value, ' ') FROM "
                  "labels l WHERE l.dump_id = d.dump_id) AS labels, (SELECT group_concat(path, ' "
                  "') FROM sources s WHERE "
                  "s.dump_id = d.dump_id) AS sources FROM dumps d"},
};

/* ---- groups ---------------------------------------------------------------------------------- */

/* What --group prints, so that a database has the same numbers. */
static eti_status add_groups(eti_report *report, const eti_inspector *inspector,
                             const eti_view_options *options, eti_account *accounts,
                             eti_error *err) {
    static const char *const tables[ETI_N_GROUPINGS] = {
        [ETI_BY_OP] = "op_list",         [ETI_BY_BACKEND] = "backend_list",
        [ETI_BY_MODULE] = "module_list", [ETI_BY_SOURCE] = "source_list",
        [ETI_BY_METHOD] = "method_list", [ETI_BY_BLOCK] = "block_list",
    };
    for (int i = 0; i < ETI_N_GROUPINGS; i++) {
        eti_view_options of_group = *options;
        of_group.group = eti_grouping_name((eti_grouping)i);
        ETI_TRY(eti_view_add_groups(report, tables[i], inspector, &of_group, accounts, err));
    }
    return ETI_OK;
}

/* The accounts that all groups are made of are made once. */
static eti_status add_all_groups(eti_report *report, const eti_inspector *inspector,
                                 const eti_view_options *options, eti_error *err) {
    size_t n_blocks = inspector->blocks.n_blocks;
    eti_account *accounts = calloc(n_blocks + 1, sizeof *accounts);
    eti_status status =
        accounts ? add_groups(report, inspector, options, accounts, err) : eti_fail_memory(err);
    for (size_t i = 0; accounts && i < n_blocks; i++)
        eti_account_free(&accounts[i]);
    free(accounts);
    return status;
}

/* ---- putting it together --------------------------------------------------------------------- */

static eti_status add_filled(eti_report *report, const char *name, const eti_column *columns,
                             size_t n_columns, bool (*fill)(eti_table *table, database_view *view),
                             database_view *view, eti_error *err) {
    eti_table *table;
    ETI_TRY(eti_table_new(&table, columns, n_columns, err));
    if (!fill(table, view)) {
        eti_table_free(table);
        return eti_fail_memory(err);
    }
    return eti_report_add(report, name, NULL, table, err);
}

#define ADD_FILLED(name, columns, fill)                                                            \
    ETI_TRY(add_filled(report, name, columns, N_COLUMNS(columns), fill, view, err))

static eti_status add_tables(eti_report *report, database_view *view,
                             const eti_view_options *options, eti_error *err) {
    ETI_TRY(add_events(report, view, err));
    ADD_FILLED("blocks", block_columns, fill_blocks);
    ETI_TRY(add_samples(report, view, options->samples, err));
    ADD_FILLED("ops", op_columns, fill_ops);
    ADD_FILLED("record_nodes", record_node_columns, fill_record_nodes);
    ADD_FILLED("nodes", node_columns, fill_nodes);
    ADD_FILLED("modules", module_columns, fill_modules);
    return add_all_groups(report, view->inspector, options, err);
}

eti_status eti_view_database(eti_report *report, const eti_inspector *inspector,
                             const eti_view_options *options, eti_error *err) {
    database_view view = {.inspector = inspector, .options = options};
    eti_status status = add_tables(report, &view, options, err);
    eti_intern_free(&view.records.table);
    eti_intern_free(&view.nodes.table);
    eti_intern_free(&view.module_stacks.table);
    report->queries = queries;
    report->n_queries = N_COLUMNS(queries);
    return status;
}
