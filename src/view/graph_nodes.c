#include "view/graph_nodes.h"

#include "account/lowered_graph.h"
#include "account/places.h"
#include "account/rollup.h"
#include "base/array.h"
#include "base/text.h"
#include "table/columns.h"
#include "view/events.h"
#include "view/view.h"

#include <stdlib.h>
#include <string.h>

/* Groups of the rollup: these, then the nodes by their numbers, then lists of nodes. */
enum { GROUP_OTHER, FIRST_NODE };

typedef struct graph_view {
    const eti_inspector *inspector;
    eti_lowered_graph graph;
    eti_places places;
    eti_rollup rollup;
    eti_pointer_table by_list; /* of events that stand for several nodes: numbers of `lists` */
    const eti_event_record **lists;
    size_t n_lists, list_capacity;
    eti_ticks *shared;      /* per node */
    eti_place *node_places; /* per node */
} graph_view;

/* ---- times ----------------------------------------------------------------------------------- */

static bool number_list(graph_view *g, const eti_event_record *record, uint32_t *out) {
    if (eti_pointer_table_find(&g->by_list, record->op_nodes, out))
        return true;
    *out = (uint32_t)g->n_lists;
    if (g->n_lists >= ETI_NO_GROUP || !ETI_GROW(g->lists, g->list_capacity, g->n_lists + 1) ||
        !eti_pointer_table_add(&g->by_list, record->op_nodes, *out))
        return false;
    g->lists[g->n_lists++] = record;
    return true;
}

/* The nearest event around one that a delegate logged, which may have nodes where this has none. */
static const eti_event *known_event(const eti_account *account, size_t i) {
    const eti_event *own = &account->block->events[i];
    return own->record->n_op_nodes > 0 ? own
                                       : &account->block->events[eti_account_call_of(account, i)];
}

static bool group_event(graph_view *g, const eti_account *account, size_t i, uint32_t *out) {
    const eti_event *event = known_event(account, i);
    *out = GROUP_OTHER;
    if (!g->graph.matched || eti_role_is_framework(eti_account_role(account, i)) ||
        event->record->n_op_nodes == 0)
        return true;
    const eti_graph_node *node = eti_node_of_event(event, false);
    if (node) {
        *out = FIRST_NODE + (uint32_t)eti_lowered_graph_number(&g->graph, &node->node);
        return true;
    }
    uint32_t list;
    if (!number_list(g, event->record, &list))
        return false;
    *out = FIRST_NODE + (uint32_t)g->graph.graph.n_nodes + list;
    return true;
}

static bool group_events(void *context, const eti_account *account, uint32_t *groups) {
    graph_view *g = context;
    for (size_t i = 0; i < account->block->n_events; i++) {
        if (account->events[i].is_counted && !group_event(g, account, i, &groups[i]))
            return false;
    }
    return true;
}

static eti_ticks total_of(const graph_view *g, size_t group) {
    return group < g->rollup.n_groups ? g->rollup.groups[group].total : eti_wide_of(0);
}

/* Gives every node the time of all lists that it is in, and its place. */
static bool describe_nodes(graph_view *g) {
    const eti_graph *graph = &g->graph.graph;
    g->shared = calloc(graph->n_nodes + 1, sizeof *g->shared);
    g->node_places = malloc((graph->n_nodes + 1) * sizeof *g->node_places);
    if (!g->shared || !g->node_places)
        return false;
    for (size_t i = 0; i < g->n_lists; i++) {
        const eti_event_record *record = g->lists[i];
        for (size_t at = 0; at < record->n_op_nodes; at++)
            eti_wide_add(&g->shared[eti_lowered_graph_number(&g->graph, record->op_nodes[at])],
                         total_of(g, FIRST_NODE + graph->n_nodes + i));
    }
    for (size_t i = 0; i < graph->n_nodes; i++) {
        if (!eti_places_of_node(&g->places, &graph->nodes[i].node, &g->node_places[i]))
            return false;
    }
    return true;
}

/* ---- cells ----------------------------------------------------------------------------------- */

enum {
    COLUMN_NODE,
    COLUMN_OP,
    COLUMN_TOTAL,
    COLUMN_SHARE,
    COLUMN_MODULE,
    COLUMN_HANDLE,
    COLUMN_SOURCE,
    COLUMN_DTYPE,
    COLUMN_SHAPE,
    COLUMN_INPUTS,
    COLUMN_BACKEND,
    COLUMN_SHARED,
    COLUMN_TARGET,
    COLUMN_CODE,
    N_COLUMNS,
};

static void set_value(const eti_graph_value *value, eti_cell *cells) {
    cells[COLUMN_DTYPE] = eti_string_cell(value->dtype);
    cells[COLUMN_SHAPE] = eti_text_or_none(value->shape);
}

static bool set_inputs(const graph_view *g, size_t number, eti_row *row) {
    const eti_graph_values *values = &g->graph.values;
    const eti_graph_ports *ports = &values->ports[number];
    eti_text *names = eti_arena_alloc(&row->texts, ports->n_inputs, sizeof *names);
    if (!names)
        return false;
    for (uint32_t i = 0; i < ports->n_inputs; i++) {
        const eti_graph_value *value = &values->values[ports->inputs[i]];
        names[i] = value->producer == ETI_NO_NODE
                       ? value->name
                       : eti_node_name(&g->graph.graph.nodes[value->producer]);
    }
    row->cells[COLUMN_INPUTS] =
        (eti_cell){.kind = ETI_CELL_TEXTS, .items = names, .n_items = ports->n_inputs};
    return true;
}

static bool set_place(const graph_view *g, size_t number, eti_row *row) {
    const eti_place *place = &g->node_places[number];
    eti_cell *cells = row->cells;
    if (place->module != ETI_PREFIX_ROOT)
        cells[COLUMN_MODULE] = eti_text_or_none(eti_places_module_name(&g->places, place->module));
    if (place->frame == ETI_PREFIX_ROOT)
        return true;
    const eti_stack_frame *frame = &eti_places_frame(&g->places, place->frame)->frame;
    cells[COLUMN_CODE] = eti_text_or_none(frame->code);
    cells[COLUMN_SOURCE].kind = ETI_CELL_TEXT;
    eti_add_source_line(&row->scratch, frame->file, frame->line);
    return eti_row_take_text(row, &cells[COLUMN_SOURCE].as_text);
}

static void set_times(const graph_view *g, size_t number, eti_cell *cells) {
    eti_ticks total = total_of(g, FIRST_NODE + number);
    if (!g->graph.matched)
        return;
    cells[COLUMN_TOTAL] = eti_double_cell(eti_rollup_time(&g->rollup, total));
    cells[COLUMN_SHARE] = eti_double_cell(eti_rollup_share(&g->rollup, total));
    cells[COLUMN_SHARED] = eti_double_cell(eti_rollup_time(&g->rollup, g->shared[number]));
}

static bool make_row(const void *context, size_t row_number, eti_row *row) {
    const graph_view *g = context;
    const eti_graph_values *values = &g->graph.values;
    eti_cell *cells = row->cells;
    if (row_number < values->n_graph_inputs) {
        cells[COLUMN_NODE] = eti_text_or_none(values->values[row_number].name);
        cells[COLUMN_OP] = eti_string_cell("(input)");
        set_value(&values->values[row_number], cells);
        return true;
    }
    size_t number = row_number - values->n_graph_inputs;
    const eti_graph_node *node = &g->graph.graph.nodes[number];
    cells[COLUMN_NODE] = eti_text_or_none(eti_node_name(node));
    cells[COLUMN_OP] = eti_text_or_none(node->op_type);
    cells[COLUMN_TARGET] = eti_text_or_none(node->target);
    if (node->has_debug_handle)
        cells[COLUMN_HANDLE] = (eti_cell){.kind = ETI_CELL_INT, .as_int = node->debug_handle};
    if (values->ports[number].n_outputs > 0)
        set_value(&values->values[values->ports[number].outputs[0]], cells);
    cells[COLUMN_BACKEND] = eti_text_or_none(g->graph.nodes[number].backend);
    set_times(g, number, cells);
    return set_place(g, number, row) && set_inputs(g, number, row);
}

/* ---- the view -------------------------------------------------------------------------------- */

static void free_view(void *context) {
    graph_view *g = context;
    eti_lowered_graph_free(&g->graph);
    eti_places_free(&g->places);
    eti_rollup_free(&g->rollup);
    eti_pointer_table_free(&g->by_list);
    free(g->lists);
    free(g->shared);
    free(g->node_places);
    free(g);
}

/* Texts of one row, but for those that are the node's own. */
static uint64_t row_text(const graph_view *g, size_t number) {
    const eti_graph_values *values = &g->graph.values;
    const eti_graph_ports *ports = &values->ports[number];
    const eti_graph_node *node = &g->graph.graph.nodes[number];
    const eti_place *place = &g->node_places[number];
    uint64_t size = node->op_type.size + node->target.size + g->graph.nodes[number].backend.size;
    if (place->module != ETI_PREFIX_ROOT)
        size += eti_places_module_name(&g->places, place->module).size;
    if (place->frame != ETI_PREFIX_ROOT)
        size += eti_places_frame(&g->places, place->frame)->frame.file.size +
                eti_places_frame(&g->places, place->frame)->frame.code.size;
    for (uint32_t i = 0; i < ports->n_inputs; i++) {
        const eti_graph_value *value = &values->values[ports->inputs[i]];
        size += value->producer == ETI_NO_NODE
                    ? value->name.size
                    : g->graph.graph.nodes[value->producer].node.name.size;
    }
    return ports->n_outputs > 0 ? size + values->values[ports->outputs[0]].shape.size : size;
}

static eti_status check_text(const graph_view *g, eti_error *err) {
    uint64_t n_bytes = 0;
    for (size_t i = 0; i < g->graph.graph.n_nodes; i++)
        n_bytes += row_text(g, i);
    for (size_t i = 0; i < g->graph.values.n_graph_inputs; i++)
        n_bytes += g->graph.values.values[i].name.size + g->graph.values.values[i].shape.size;
    return eti_view_check_text(g->inspector, n_bytes, err);
}

static eti_status draw_graph(graph_view *g, const eti_view_options *options, eti_error *err) {
    if (!eti_places_init(&g->places))
        return eti_fail_memory(err);
    ETI_TRY(eti_lowered_graph_read(&g->graph, g->inspector, options->graph, err));
    ETI_TRY(eti_rollup_make(&g->rollup, g->inspector, options, NULL, group_events, g, err));
    if (!describe_nodes(g))
        return eti_fail_memory(err);
    return check_text(g, err);
}

static eti_status add_notes(const graph_view *g, eti_report *report, eti_error *err) {
    if (!g->graph.record)
        return eti_report_note(report, err, "the graph is known only with its ETRecord");
    if (!g->graph.matched)
        return eti_report_note(report, err, "only nodes of the edge program have times");
    if (g->n_lists == 0)
        return ETI_OK;
    return eti_report_note(report, err,
                           "nodes of %zu groups have a time in common only, which is in \"shared\"",
                           g->n_lists);
}

eti_status eti_view_graph(eti_report *report, const eti_inspector *inspector,
                          const eti_view_options *options, eti_error *err) {
    static const eti_column_spec columns[N_COLUMNS] = {
        {"node", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, false, "its name"},
        {"op", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, false, "its operator"},
        {"total", ETI_TYPE_FLOAT64, ETI_COLUMN_TIME, false, "time of events of this node alone"},
        {"share", ETI_TYPE_FLOAT64, ETI_COLUMN_SHARE, false, "of the whole"},
        {"module", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, false, "the innermost"},
        {"debug_handle", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, false, "what events refer to"},
        {"source", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, false, "the line of the user's code"},
        {"dtype", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, false, "of its first result"},
        {"shape", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, false, "of its first result"},
        {"inputs", ETI_TYPE_LIST_UTF8, ETI_COLUMN_LIST, false, "nodes that it takes from"},
        {"backend", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, false, "that took it"},
        {"shared", ETI_TYPE_FLOAT64, ETI_COLUMN_TIME, false,
         "time of events of this and other nodes"},
        {"target", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, true, "as the file has it"},
        {"code", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, true, "the line of the user's code"},
    };
    graph_view *g = calloc(1, sizeof *g);
    if (!g)
        return eti_fail_memory(err);
    g->inspector = inspector;
    eti_status status = draw_graph(g, options, err);
    if (status != ETI_OK) {
        free_view(g);
        return status;
    }
    eti_table *table;
    eti_row_source source = {make_row, free_view, g};
    size_t n_rows = g->graph.values.n_graph_inputs + g->graph.graph.n_nodes;
    ETI_TRY(eti_columns_make_rows(&table, columns, N_COLUMNS, n_rows, source,
                                  eti_view_unit(inspector, options), err));
    table->most_drawn = eti_view_most_drawn(inspector);
    ETI_TRY(eti_report_add(report, "nodes", NULL, table, err));
    return add_notes(g, report, err);
}
