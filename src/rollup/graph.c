#include "rollup/graph.h"

#include "rollup/grouping.h"
#include "rollup/modules.h"
#include "rollup/op_type.h"
#include "rollup/rollup.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Events that are not a single node: those with this operator and these nodes. */
typedef struct other_events {
    uint32_t list; /* node list as in eti_place; 0: no nodes */
    uint32_t op;   /* number of an operator, see op_type.h */
    /* number of another method than that of the graph, from 1 on, for all its events; 0: it is not of another method */
    uint32_t method;
} other_events;

/* Time of Events that a node shares with other nodes. */
typedef struct shared_time {
    eti_ticks ticks;
    bool is_known; /* there are such Events */
} shared_time;

/* A graph under construction. The first groups of the rollup are the nodes by number; those of `others` follow. */
typedef struct maker {
    eti_timed_graph *out;
    eti_lowered_graph *graph;
    eti_places places;
    eti_rollup rollup;
    eti_shared_texts ops;
    ETI_INTERN_OF(other_events) others;
    eti_place *other_places; /* per item of `others`; the array grows */
    size_t other_capacity;
    shared_time *shared; /* per node */
    uint32_t *numbers;   /* per node: its number in the new graph */
    uint32_t *order;     /* order of the nodes in the new graph */
    double *scratch;     /* for the statistics of a group */
    bool has_methods;    /* the runs of several methods are added up */
    const eti_inspector *inspector;
} maker;

static void free_maker(maker *m) {
    eti__places_free(&m->places);
    eti__rollup_free(&m->rollup);
    eti__shared_texts_free(&m->ops);
    eti__intern_free(&m->others.table);
    free(m->other_places);
    free(m->shared);
    free(m->numbers);
    free(m->order);
    free(m->scratch);
}

/* ---- times ----------------------------------------------------------------------------------- */

static bool number_other(maker *m, const eti_place *place, other_events other, uint32_t *out) {
    static const eti_intern_kind kind = {.item_size = sizeof(other_events),
                                         .key_size = sizeof(other_events)};
    if (!eti__intern_add(&m->others.table, &kind, &other, out) ||
        !ETI_GROW(m->other_places, m->other_capacity, m->others.count))
        return false;
    m->other_places[*out] = *place;
    *out += (uint32_t)m->graph->graph.n_nodes;
    return true;
}

/* Returns the number of the method of a block, from 1 on, if it is known and not that of the graph; otherwise 0. */
static uint32_t other_method_of(const maker *m, const eti_event_block *block) {
    const eti_method *method = eti__method_of(m->inspector, block);
    bool is_other = method && m->out->is_of_several_methods && m->out->name.size > 0 &&
                    !eti__text_equal(method->name, m->out->name);
    return is_other ? (uint32_t)(method - m->inspector->methods) + 1 : 0;
}

/* Puts all events of a block of another method into one group. */
static bool group_other_method(maker *m, const eti_account *account, uint32_t method,
                               uint32_t *groups) {
    const eti_place nowhere = {0};
    uint32_t group;
    if (!number_other(m, &nowhere, (other_events){.method = method}, &group))
        return false;
    for (size_t i = 0; i < account->block->n_events; i++) {
        if (account->events[i].is_counted)
            groups[i] = group;
    }
    return true;
}

/* Returns the node that is the operator of an event, or NULL if there is no such node or more than one. */
static const eti_graph_node *node_of(const eti_account *account, size_t event,
                                     eti_op_type_kind op) {
    eti_event_nodes nodes = eti__event_nodes(&account->block->events[event]);
    return op == ETI_OP_TYPE_NAMED ? eti__event_nodes_single(&nodes) : NULL;
}

/* Finds the group of an event that is not a single node. */
static bool group_other_event(maker *m, const eti_place *place, const eti_op_type *op,
                              uint32_t *out) {
    const eti_place nowhere = {0};
    if (op->kind == ETI_OP_TYPE_FRAMEWORK)
        place = &nowhere;
    other_events other = {.list = place->list};
    return eti__op_type_number(&m->ops, op, &other.op) && number_other(m, place, other, out);
}

static bool group_events(void *context, const eti_account *account, uint32_t *groups) {
    maker *m = context;
    uint32_t method = other_method_of(m, account->block);
    if (method > 0)
        return group_other_method(m, account, method, groups);
    eti_place *places = eti__places_of_block(&m->places, account);
    bool done = places != NULL;
    for (size_t i = 0; i < account->block->n_events && done; i++) {
        if (!account->events[i].is_counted)
            continue;
        eti_op_type op = eti__op_type_of(account, i);
        const eti_graph_node *node = node_of(account, i, op.kind);
        groups[i] = node ? eti__lowered_graph_number(m->graph, &node->node) : ETI_NO_NODE;
        if (groups[i] == ETI_NO_NODE)
            done = group_other_event(m, &places[i], &op, &groups[i]);
    }
    free(places);
    return done && eti__lowered_graph_mark(m->graph, account->block);
}

static eti_ticks total_of(const maker *m, size_t group) {
    return group < m->rollup.n_groups ? m->rollup.groups[group].total : eti__wide_of(0);
}

/* Adds the time of a list of nodes to each of them. */
static void share_list(const maker *m, size_t list, eti_ticks time) {
    const eti_event_nodes *nodes = &m->places.lists.items[list].nodes;
    for (size_t i = 0; i < nodes->n; i++) {
        uint32_t number = eti__lowered_graph_number(m->graph, nodes->all[i]);
        if (number == ETI_NO_NODE)
            continue;
        shared_time *shared = &m->shared[number];
        eti__wide_add(&shared->ticks, time);
        shared->is_known = true;
    }
}

/* Adds to every node the times of all lists that contain it. Each list is walked once, regardless of its number of
 * operators. */
static bool share_times(maker *m) {
    size_t n_lists = m->places.lists.count;
    eti_ticks *of_list = calloc(n_lists + 1, sizeof *of_list);
    bool *is_shared = calloc(n_lists + 1, sizeof *is_shared);
    m->shared = calloc(m->graph->graph.n_nodes + 1, sizeof *m->shared);
    bool done = of_list && is_shared && m->shared;
    for (size_t i = 0; i < m->others.count && done; i++) {
        uint32_t list = m->others.items[i].list;
        eti__wide_add(&of_list[list], total_of(m, m->graph->graph.n_nodes + i));
        is_shared[list] = list > 0;
    }
    for (size_t list = 1; list <= n_lists && done; list++) {
        if (!is_shared[list])
            continue;
        share_list(m, list - 1, of_list[list]);
        m->out->n_lists++;
    }
    free(of_list);
    free(is_shared);
    return done;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static void set_value(const eti_graph_value *value, eti_timed_node *out) {
    out->dtype = value->dtype;
    out->shape = value->shape;
}

/* Returns the node or input that produces a value. The inputs of the graph come before its nodes. */
static uint32_t giver_of(const maker *m, uint32_t value) {
    const eti_graph_values *values = &m->graph->values;
    uint32_t producer = values->values[value].producer;
    if (producer != ETI_NO_NODE)
        return m->numbers[producer];
    return value < values->n_graph_inputs ? value : ETI_NO_NODE;
}

static bool set_inputs(maker *m, size_t number, eti_timed_node *out) {
    const eti_graph_values *values = &m->graph->values;
    const eti_graph_ports *ports = &values->ports[number];
    eti_text *names = eti__arena_alloc(&m->out->arena, ports->n_inputs, sizeof *names);
    uint32_t *nodes = eti__arena_alloc(&m->out->arena, ports->n_inputs, sizeof *nodes);
    if (!names || !nodes)
        return false;
    for (uint32_t i = 0; i < ports->n_inputs; i++) {
        const eti_graph_value *value = &values->values[ports->inputs[i]];
        nodes[i] = giver_of(m, ports->inputs[i]);
        names[i] =
            value->producer == ETI_NO_NODE ? value->name : m->graph->nodes[value->producer].name;
    }
    out->inputs = names;
    out->input_nodes = nodes;
    out->n_inputs = ports->n_inputs;
    return true;
}

static void set_place(const maker *m, const eti_place *place, eti_timed_node *out) {
    if (place->module != ETI_PREFIX_ROOT)
        out->module = eti__places_module_name(&m->places, place->module);
    out->module_number = place->module;
    out->has_several_lines = place->has_frames && place->frame == ETI_PREFIX_ROOT;
    if (place->frame != ETI_PREFIX_ROOT) {
        const eti_stack_frame *frame = &eti__places_frame(&m->places, place->frame)->frame;
        out->file = frame->file;
        out->line = frame->line;
        out->code = frame->code;
    }
}

static void set_total(const maker *m, size_t group, eti_timed_node *out) {
    eti_ticks total = total_of(m, group);
    eti_summary times;
    if (group >= m->rollup.n_groups || m->rollup.groups[group].n_events == 0)
        return;
    out->total = eti__rollup_time(&m->rollup, total);
    if (eti__rollup_summarize(&m->rollup, group, m->scratch, &times))
        out->p50 = times.p50;
    out->share = eti__rollup_share(&m->rollup, total);
}

static eti_timed_node *add_node(maker *m, eti_text name, eti_text op) {
    eti_timed_node *out = &m->out->nodes[m->out->n_nodes + m->out->n_rest];
    *out = (eti_timed_node){.name = name,
                            .op = op,
                            .call = ETI_NO_NODE,
                            .lowered = ETI_NO_NODE,
                            .total = (double)NAN,
                            .p50 = (double)NAN,
                            .share = (double)NAN,
                            .shared = (double)NAN};
    return out;
}

static bool describe_node(maker *m, size_t number) {
    const eti_graph_node *node = &m->graph->graph.nodes[number];
    const eti_graph_values *values = &m->graph->values;
    const eti_lowered_node *lowered = &m->graph->nodes[number];
    eti_timed_node *out = add_node(m, lowered->name, node->op_type);
    eti_place place;
    m->out->n_nodes++;
    out->lowered = (uint32_t)number;
    out->target = node->target;
    out->has_debug_handle = node->has_debug_handle;
    out->debug_handle = node->debug_handle;
    out->backend = lowered->backend;
    out->is_call = lowered->is_call;
    if (lowered->call != ETI_NO_NODE)
        out->call = m->numbers[lowered->call];
    if (values->ports[number].n_outputs > 0)
        set_value(&values->values[values->ports[number].outputs[0]], out);
    if (m->graph->matched) {
        set_total(m, number, out);
        if (m->shared[number].is_known)
            out->shared = eti__rollup_time(&m->rollup, m->shared[number].ticks);
    }
    if (!eti__places_of_node(&m->places, &node->node, &place))
        return false;
    set_place(m, &place, out);
    return set_inputs(m, number, out);
}

/* Names events of several nodes: "relu (3 nodes)" if they have an operator, "(3 nodes)" if their operators differ, or
 * the name of the group if they have no node; those of another method: "(method encode)". */
static bool name_rest(maker *m, const other_events *other, eti_text op, eti_text *out) {
    eti_buffer text = {0};
    if (other->method > 0) {
        eti_text name = m->inspector->methods[other->method - 1].name;
        eti__buffer_printf(&text, "(method %.*s)", ETI_TEXT_ARGS(name));
    } else if (other->list > 0) {
        size_t n = m->places.lists.items[other->list - 1].nodes.n;
        if (!eti__text_is(op, ETI_GROUP_SEVERAL_OPS))
            eti__buffer_printf(&text, "%.*s ", ETI_TEXT_ARGS(op));
        eti__buffer_printf(&text, n == 1 ? "(%zu node)" : "(%zu nodes)", n);
    } else {
        eti__buffer_add_string(&text, other->op == ETI_OP_TYPE_FRAMEWORK ? ETI_GROUP_FRAMEWORK
                                                                         : ETI_GROUP_UNKNOWN);
    }
    bool done = !text.failed && eti__arena_copy_text(&m->out->arena, eti__buffer_text(&text), out);
    eti__buffer_free(&text);
    return done;
}

/* Describes events that are not a single node, so that all times add up to the whole. */
static bool describe_rest(maker *m, size_t number) {
    const other_events *other = &m->others.items[number];
    eti_text name, op = {NULL, 0};
    if ((other->method == 0 &&
         !eti__arena_copy_text(&m->out->arena, eti__op_type_name(&m->ops, other->op), &op)) ||
        !name_rest(m, other, op, &name))
        return false;
    eti_timed_node *out = add_node(m, name, op);
    m->out->n_rest++;
    out->is_rest = true;
    out->is_other_method = other->method > 0;
    if (out->is_other_method)
        out->op = name;
    set_total(m, m->graph->graph.n_nodes + number, out);
    if (m->has_methods && other->list == 0 && other->method == 0) /* they may be of any method */
        out->p50 = (double)NAN;
    set_place(m, &m->other_places[number], out);
    return true;
}

static void add_to_order(maker *m, size_t *n, size_t number) {
    m->order[*n] = (uint32_t)number;
    m->numbers[number] = (uint32_t)(m->graph->values.n_graph_inputs + (*n)++);
}

/* Orders the nodes: nodes of lowered modules come after their calls, and the calls are in the order of the modules. */
static bool order_nodes(maker *m) {
    const eti_graph *graph = &m->graph->graph;
    size_t n = 0, next = 0, n_plain = graph->n_nodes - graph->n_lowered;
    m->numbers = malloc((graph->n_nodes + 1) * sizeof *m->numbers);
    m->order = calloc(graph->n_nodes + 1, sizeof *m->order);
    if (!m->numbers || !m->order)
        return false;
    for (size_t i = 0; i <= n_plain; i++) {
        if (i < n_plain)
            add_to_order(m, &n, i);
        /* nodes with an unknown call come last */
        for (; next < graph->n_modules && (i == n_plain || graph->modules[next].call <= i);
             next++) {
            for (size_t k = 0; k < graph->modules[next].n_nodes; k++)
                add_to_order(m, &n, graph->modules[next].first + k);
        }
    }
    return true;
}

static bool describe_nodes(maker *m) {
    const eti_graph_values *values = &m->graph->values;
    size_t n = m->graph->graph.n_nodes;
    m->out->nodes = eti__arena_alloc(
        &m->out->arena, values->n_graph_inputs + n + m->others.count + 1, sizeof *m->out->nodes);
    m->scratch = malloc((2 * m->rollup.most_runs + 1) * sizeof *m->scratch);
    bool done = m->out->nodes && m->scratch && share_times(m) && order_nodes(m);
    for (size_t i = 0; i < values->n_graph_inputs && done; i++) {
        eti_timed_node *out = add_node(m, values->values[i].name, eti__text_of("(input)"));
        m->out->n_nodes++;
        out->is_input = true;
        out->is_weight = values->values[i].is_weight;
        set_value(&values->values[i], out);
    }
    for (size_t i = 0; i < n && done; i++)
        done = describe_node(m, m->order[i]);
    for (size_t i = 0; i < m->others.count && done; i++)
        done = describe_rest(m, i);
    return done;
}

static eti_status make(maker *m, const eti_inspector *inspector, const eti_view_options *options,
                       eti_error *err) {
    eti_summed_methods methods;
    ETI_TRY(eti__lowered_graph_read(m->graph, inspector, options, options->graph, err));
    if (options->graph)
        m->out->name = eti__text_of(options->graph);
    else if (m->graph->record && m->graph->method != ETI_NO_METHOD)
        m->out->name = eti__etrecord_method_name(inspector->record, m->graph->method);
    m->out->is_of_several_methods = !options->graph && eti__has_several_methods(inspector);
    eti_status status = eti__summed_methods_find(&methods, inspector, options, err);
    m->has_methods = methods.n > 1;
    eti__summed_methods_free(&methods);
    ETI_TRY(status);
    if (m->graph->matched)
        ETI_TRY(eti__rollup_make(&m->rollup, inspector, options, NULL, group_events, m, err));
    return describe_nodes(m) && eti__graph_set_modules(m->out, &m->places) ? ETI_OK
                                                                           : eti_fail_memory(err);
}

eti_status eti__timed_graph_make(eti_timed_graph *out, const eti_inspector *inspector,
                                 const eti_view_options *options, eti_error *err) {
    maker m = {.out = out, .graph = calloc(1, sizeof *m.graph), .inspector = inspector};
    *out = (eti_timed_graph){.lowered = m.graph};
    if (!m.graph)
        return eti_fail_memory(err);
    eti_status status =
        eti__places_init(&m.places) ? make(&m, inspector, options, err) : eti_fail_memory(err);
    out->has_record = m.graph->record != NULL;
    out->shows_weights = options->lists_all;
    out->has_times = m.graph->matched != NULL;
    out->runs = m.rollup.runs;
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
