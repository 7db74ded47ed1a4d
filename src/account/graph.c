#include "account/graph.h"

#include "account/lowered_graph.h"
#include "account/places.h"
#include "account/rollup.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Groups of the rollup: these, then the nodes by their numbers, then lists of nodes. */
enum { GROUP_OTHER, FIRST_NODE };

/* Nodes that have times in common, and a record that lists them. */
typedef struct node_list {
    const eti_op_node *const *nodes;
    const eti_event_record *record;
} node_list;

/* A graph that is being made. */
typedef struct maker {
    eti_timed_graph *out;
    eti_lowered_graph *graph;
    eti_places places;
    eti_rollup rollup;
    ETI_INTERN_OF(node_list) lists; /* of events that stand for several nodes */
    eti_ticks *shared;              /* per node */
} maker;

static void free_maker(maker *m) {
    eti__places_free(&m->places);
    eti__rollup_free(&m->rollup);
    eti__intern_free(&m->lists.table);
    free(m->shared);
}

/* ---- times ----------------------------------------------------------------------------------- */

static bool number_list(maker *m, const eti_event_record *record, uint32_t *out) {
    static const eti_intern_kind kind = {.item_size = sizeof(node_list),
                                         .key_size = offsetof(node_list, record)};
    return eti__intern_add(&m->lists.table, &kind, &(node_list){record->op_nodes, record}, out);
}

/* The nearest event around one that a delegate logged, which may have nodes where this has none. */
static const eti_event *known_event(const eti_account *account, size_t i) {
    const eti_event *own = &account->block->events[i];
    return own->record->n_op_nodes > 0 ? own
                                       : &account->block->events[eti__account_call_of(account, i)];
}

static bool group_event(maker *m, const eti_account *account, size_t i, uint32_t *out) {
    const eti_event *event = known_event(account, i);
    *out = GROUP_OTHER;
    if (!m->graph->matched || eti__role_is_framework(eti__account_role(account, i)) ||
        event->record->n_op_nodes == 0)
        return true;
    const eti_graph_node *node = eti__node_of_event(event, false);
    if (node) {
        *out = FIRST_NODE + (uint32_t)eti__lowered_graph_number(m->graph, &node->node);
        return true;
    }
    uint32_t list;
    if (!number_list(m, event->record, &list))
        return false;
    *out = FIRST_NODE + (uint32_t)m->graph->graph.n_nodes + list;
    return true;
}

static bool group_events(void *context, const eti_account *account, uint32_t *groups) {
    maker *m = context;
    for (size_t i = 0; i < account->block->n_events; i++) {
        if (account->events[i].is_counted && !group_event(m, account, i, &groups[i]))
            return false;
    }
    return true;
}

static eti_ticks total_of(const maker *m, size_t group) {
    return group < m->rollup.n_groups ? m->rollup.groups[group].total : eti__wide_of(0);
}

/* Gives every node the time of all lists that it is in. */
static bool share_times(maker *m) {
    size_t n_nodes = m->graph->graph.n_nodes;
    m->shared = calloc(n_nodes + 1, sizeof *m->shared);
    for (size_t i = 0; m->shared && i < m->lists.count; i++) {
        const eti_event_record *record = m->lists.items[i].record;
        for (size_t at = 0; at < record->n_op_nodes; at++)
            eti__wide_add(&m->shared[eti__lowered_graph_number(m->graph, record->op_nodes[at])],
                          total_of(m, FIRST_NODE + n_nodes + i));
    }
    return m->shared != NULL;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static void set_value(const eti_graph_value *value, eti_timed_node *out) {
    out->dtype = value->dtype;
    out->shape = value->shape;
}

static bool set_inputs(maker *m, size_t number, eti_timed_node *out) {
    const eti_graph_values *values = &m->graph->values;
    const eti_graph_ports *ports = &values->ports[number];
    eti_text *names = eti__arena_alloc(&m->out->arena, ports->n_inputs, sizeof *names);
    if (!names)
        return false;
    for (uint32_t i = 0; i < ports->n_inputs; i++) {
        const eti_graph_value *value = &values->values[ports->inputs[i]];
        names[i] = value->producer == ETI_NO_NODE
                       ? value->name
                       : eti__node_name(&m->graph->graph.nodes[value->producer]);
    }
    out->inputs = names;
    out->n_inputs = ports->n_inputs;
    return true;
}

static bool set_place(maker *m, const eti_op_node *node, eti_timed_node *out) {
    eti_place place;
    if (!eti__places_of_node(&m->places, node, &place))
        return false;
    if (place.module != ETI_PREFIX_ROOT)
        out->module = eti__places_module_name(&m->places, place.module);
    if (place.frame != ETI_PREFIX_ROOT) {
        const eti_stack_frame *frame = &eti__places_frame(&m->places, place.frame)->frame;
        out->file = frame->file;
        out->line = frame->line;
        out->code = frame->code;
    }
    return true;
}

static void set_times(const maker *m, size_t number, eti_timed_node *out) {
    eti_ticks total = total_of(m, FIRST_NODE + number);
    out->total = eti__rollup_time(&m->rollup, total);
    out->share = eti__rollup_share(&m->rollup, total);
    out->shared = eti__rollup_time(&m->rollup, m->shared[number]);
}

static eti_timed_node *add_node(maker *m, eti_text name, eti_text op) {
    eti_timed_node *out = &m->out->nodes[m->out->n_nodes++];
    *out = (eti_timed_node){
        .name = name, .op = op, .total = (double)NAN, .share = (double)NAN, .shared = (double)NAN};
    return out;
}

static bool describe_node(maker *m, size_t number) {
    const eti_graph_node *node = &m->graph->graph.nodes[number];
    const eti_graph_values *values = &m->graph->values;
    eti_timed_node *out = add_node(m, eti__node_name(node), node->op_type);
    out->target = node->target;
    out->has_debug_handle = node->has_debug_handle;
    out->debug_handle = node->debug_handle;
    out->backend = m->graph->nodes[number].backend;
    if (values->ports[number].n_outputs > 0)
        set_value(&values->values[values->ports[number].outputs[0]], out);
    if (m->graph->matched)
        set_times(m, number, out);
    return set_place(m, &node->node, out) && set_inputs(m, number, out);
}

static bool describe_nodes(maker *m) {
    const eti_graph_values *values = &m->graph->values;
    size_t n = m->graph->graph.n_nodes;
    m->out->nodes =
        eti__arena_alloc(&m->out->arena, values->n_graph_inputs + n + 1, sizeof *m->out->nodes);
    if (!m->out->nodes || !share_times(m))
        return false;
    for (size_t i = 0; i < values->n_graph_inputs; i++) {
        eti_timed_node *out = add_node(m, values->values[i].name, eti__text_of("(input)"));
        out->is_input = true;
        set_value(&values->values[i], out);
    }
    for (size_t i = 0; i < n; i++) {
        if (!describe_node(m, i))
            return false;
    }
    return true;
}

static eti_status make(maker *m, const eti_inspector *inspector, const eti_view_options *options,
                       eti_error *err) {
    ETI_TRY(eti__lowered_graph_read(m->graph, inspector, options->graph, err));
    ETI_TRY(eti__rollup_make(&m->rollup, inspector, options, NULL, group_events, m, err));
    return describe_nodes(m) ? ETI_OK : eti_fail_memory(err);
}

eti_status eti__timed_graph_make(eti_timed_graph *out, const eti_inspector *inspector,
                                 const eti_view_options *options, eti_error *err) {
    maker m = {.out = out, .graph = calloc(1, sizeof *m.graph)};
    *out = (eti_timed_graph){.lowered = m.graph};
    if (!m.graph)
        return eti_fail_memory(err);
    eti_status status =
        eti__places_init(&m.places) ? make(&m, inspector, options, err) : eti_fail_memory(err);
    out->has_record = m.graph->record != NULL;
    out->has_times = m.graph->matched != NULL;
    out->n_lists = m.lists.count;
    free_maker(&m);
    return status;
}

void eti__timed_graph_free(eti_timed_graph *graph) {
    if (graph->lowered)
        eti__lowered_graph_free(graph->lowered);
    free(graph->lowered);
    eti__arena_free(&graph->arena);
    *graph = (eti_timed_graph){0};
}
