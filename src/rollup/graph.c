#include "rollup/graph.h"

#include "rollup/rollup.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ==== modules ================================================================================= */
/* Turns the modules of a graph's nodes, and the delegate calls that stand for nodes, into the
 * boxes of a drawing.
 *
 * A call lies in the innermost module that its nodes share; modules of these nodes further in lie
 * inside the call. If several calls took nodes of one module, the module is drawn once for each
 * call. */

/* A module inside a call. */
typedef struct inner_module {
    uint32_t call; /* number of a node */
    /* index into places->modules; the innermost module that the call's nodes share stands for the call itself */
    uint32_t module;
} inner_module;

static const eti_intern_kind inner_kind = {.item_size = sizeof(inner_module),
                                           .key_size = sizeof(inner_module)};

typedef struct module_maker {
    eti_timed_graph *graph;
    const eti_places *places;
    uint32_t *shared; /* per node that is a call: the innermost module that its nodes share */
    ETI_INTERN_OF(inner_module) inner;
    size_t most_inner;
} module_maker;

static void find_shared(module_maker *m) {
    const eti_timed_graph *graph = m->graph;
    for (size_t i = 0; i < graph->n_nodes; i++) {
        uint32_t call = graph->nodes[i].call, module = graph->nodes[i].module_number;
        if (call == ETI_NO_NODE || module == ETI_PREFIX_ROOT)
            continue;
        m->shared[call] =
            m->shared[call] == ETI_NO_NODE
                ? module
                : eti__prefix_tree_common(&m->places->modules, m->shared[call], module);
    }
}

/* Numbers a module inside a call after the modules around it, so that parents have lower numbers. If modules are
 * nested too deeply, the nodes of those over the limit are drawn in the call. */
static bool number_inner(module_maker *m, uint32_t call, uint32_t module, uint32_t *out) {
    const eti_prefix_tree *tree = &m->places->modules;
    uint32_t shared = m->shared[call];
    uint32_t depth = tree->nodes[shared].depth, least = depth, most = tree->nodes[module].depth;
    if (m->inner.count + (most - depth) > m->most_inner)
        most = depth;
    /* the modules around it that are already numbered are the first of its path */
    while (least <= most) {
        const inner_module key = {call, eti__prefix_tree_cut(tree, module, least++)};
        if (!eti__intern_add(&m->inner.table, &inner_kind, &key, out))
            return false;
    }
    return true;
}

static bool number_modules(module_maker *m, uint32_t n_plain) {
    for (size_t i = 0; i < m->graph->n_nodes; i++) {
        eti_timed_node *node = &m->graph->nodes[i];
        uint32_t number = 0;
        if (node->call == ETI_NO_NODE)
            continue;
        if (m->shared[node->call] == ETI_NO_NODE)
            m->shared[node->call] = ETI_PREFIX_ROOT;
        uint32_t module = node->module_number;
        if (module == ETI_PREFIX_ROOT)
            module = m->shared[node->call];
        if (!number_inner(m, node->call, module, &number))
            return false;
        node->module_number = n_plain + number;
    }
    return true;
}

/* Returns the part of a path after "PARENT.", or else the whole path. */
static eti_text part_below(eti_text parent, eti_text path) {
    if (parent.size > 0 && path.size > parent.size + 1 && path.data[parent.size] == '.' &&
        memcmp(path.data, parent.data, parent.size) == 0)
        return eti__text_from(path, parent.size + 1);
    return path;
}

static eti_timed_module describe_module(const eti_places *places, uint32_t number) {
    uint32_t parent = places->modules.nodes[number].parent;
    eti_text path = eti__places_module(places, number)->path, above = {NULL, 0};
    if (parent != ETI_PREFIX_ROOT)
        above = eti__places_module(places, parent)->path;
    return (eti_timed_module){parent, eti__places_module_name(places, number),
                              part_below(above, path), false};
}

static eti_timed_module describe_inner(const module_maker *m, size_t number, uint32_t n_plain) {
    const inner_module *inner = &m->inner.items[number];
    if (inner->module == m->shared[inner->call]) {
        eti_text name = m->graph->nodes[inner->call].name;
        return (eti_timed_module){inner->module, name, name, true};
    }
    eti_timed_module module = describe_module(m->places, inner->module);
    const inner_module around = {inner->call, m->places->modules.nodes[inner->module].parent};
    uint32_t parent = 0;
    if (eti__intern_find(&m->inner.table, &inner_kind, &around, &parent))
        module.parent = n_plain + parent;
    return module;
}

static bool make_modules(module_maker *m) {
    const eti_prefix_tree *tree = &m->places->modules;
    uint32_t n_plain = (uint32_t)tree->n_nodes;
    for (size_t i = 0; i < m->graph->n_nodes; i++)
        m->shared[i] = ETI_NO_NODE;
    find_shared(m);
    if (!number_modules(m, n_plain))
        return false;
    size_t n = n_plain + m->inner.count;
    eti_timed_module *modules = eti__arena_alloc_zero(&m->graph->arena, n, sizeof *modules);
    for (uint32_t i = 1; modules && i < n; i++)
        modules[i] =
            i < n_plain ? describe_module(m->places, i) : describe_inner(m, i - n_plain, n_plain);
    m->graph->modules = modules;
    m->graph->n_modules = n;
    return modules != NULL;
}

/* Sets the modules of a graph and renumbers the modules of its nodes, which are numbered as in `places` before.
 * Returns false if memory runs out. */
static bool set_graph_modules(eti_timed_graph *graph, const eti_places *places) {
    module_maker m = {.graph = graph,
                      .places = places,
                      .shared = malloc((graph->n_nodes + 1) * sizeof *m.shared),
                      .most_inner = 1000 + 8 * (graph->n_nodes + places->modules.n_nodes)};
    bool done = m.shared && make_modules(&m);
    free(m.shared);
    eti__intern_free(&m.inner.table);
    return done;
}

/* ==== graph =================================================================================== */

/* Events that are not a single node: those with this operator and these nodes. */
typedef struct other_events {
    uint32_t list; /* node list as in eti_place; 0: no nodes */
    uint32_t op;   /* number of an operator, see "op type" */
    /* number of another method than that of the graph, from 1 on, for all its events; 0: it is not of another method */
    uint32_t method;
} other_events;

/* Time of Events that a node shares with other nodes. */
typedef struct shared_time {
    eti_time_sum time;
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

static eti_time_sum time_of(const maker *m, size_t group) {
    return group < m->rollup.n_groups ? m->rollup.groups[group].time : (eti_time_sum){.methods = 0};
}

/* Adds the time of a list of nodes to each of them. */
static void share_list(const maker *m, size_t list, const eti_time_sum *time) {
    const eti_event_nodes *nodes = &m->places.lists.items[list].nodes;
    for (size_t i = 0; i < nodes->n; i++) {
        uint32_t number = eti__lowered_graph_number(m->graph, nodes->all[i]);
        if (number == ETI_NO_NODE)
            continue;
        shared_time *shared = &m->shared[number];
        eti__time_sum_add(&shared->time, time);
        shared->is_known = true;
    }
}

/* Adds to every node the times of all lists that contain it. Each list is walked once, regardless of its number of
 * operators. */
static bool share_times(maker *m) {
    size_t n_lists = m->places.lists.count;
    eti_time_sum *of_list = calloc(n_lists + 1, sizeof *of_list);
    bool *is_shared = calloc(n_lists + 1, sizeof *is_shared);
    m->shared = calloc(m->graph->graph.n_nodes + 1, sizeof *m->shared);
    bool done = of_list && is_shared && m->shared;
    for (size_t i = 0; i < m->others.count && done; i++) {
        uint32_t list = m->others.items[i].list;
        const eti_time_sum time = time_of(m, m->graph->graph.n_nodes + i);
        eti__time_sum_add(&of_list[list], &time);
        is_shared[list] = list > 0;
    }
    for (size_t list = 1; list <= n_lists && done; list++) {
        if (!is_shared[list])
            continue;
        share_list(m, list - 1, &of_list[list]);
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

static void set_times(const maker *m, size_t group, eti_timed_node *out) {
    eti_time_sum time = time_of(m, group);
    eti_summary times;
    if (group >= m->rollup.n_groups || m->rollup.groups[group].n_events == 0)
        return;
    out->total = eti__rollup_time(&m->rollup, time.total);
    out->typical = eti__rollup_typical(&m->rollup, &time);
    if (eti__rollup_summarize(&m->rollup, group, m->scratch, &times))
        out->p50 = times.p50;
    out->share = eti__rollup_share(&m->rollup, &time);
    out->share_mean = eti__time_sum_share_mean(&time, &m->rollup.whole);
    out->is_unsteady = eti__time_sum_is_unsteady(&time, &m->rollup.whole);
}

static eti_timed_node *add_node(maker *m, eti_text name, eti_text op) {
    eti_timed_node *out = &m->out->nodes[m->out->n_nodes + m->out->n_rest];
    *out = (eti_timed_node){.name = name,
                            .op = op,
                            .call = ETI_NO_NODE,
                            .lowered = ETI_NO_NODE,
                            .total = (double)NAN,
                            .typical = (double)NAN,
                            .p50 = (double)NAN,
                            .share = (double)NAN,
                            .share_mean = (double)NAN,
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
        set_times(m, number, out);
        if (m->shared[number].is_known)
            out->shared = eti__rollup_typical(&m->rollup, &m->shared[number].time);
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
        eti__buffer_add_string(&text, "(method ");
        eti__buffer_add_text(&text, m->inspector->methods[other->method - 1].name);
        eti__buffer_add_char(&text, ')');
    } else if (other->list > 0) {
        size_t n = m->places.lists.items[other->list - 1].nodes.n;
        if (!eti__text_is(op, ETI_GROUP_SEVERAL_OPS)) {
            eti__buffer_add_text(&text, op);
            eti__buffer_add_char(&text, ' ');
        }
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
    set_times(m, m->graph->graph.n_nodes + number, out);
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
        ETI_TRY(eti__rollup_make(&m->rollup, inspector, options, group_events, m, err));
    return describe_nodes(m) && set_graph_modules(m->out, &m->places) ? ETI_OK
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

/* ==== program graph =========================================================================== */

/* Limit on the number of edges: an argument takes four bytes of the program, but a list may be an argument many
 * times. */
#define MOST_EDGES(n_bytes) (10000 + (uint64_t)(n_bytes) / 2)

/* State of a value during a visit of all instructions. */
typedef struct value_source {
    /* node that wrote it last, or that stands for it; ETI_NO_NODE if there is none */
    uint32_t node;
    uint32_t alias_of; /* value with the same bytes; ETI_NO_NODE if there is none */
    bool is_input;     /* it is an input of the method */
} value_source;

typedef struct program_maker {
    eti_timed_graph *out;
    const eti_pte_plan *plan;
    eti_liveness liveness;
    eti_arena scratch;
    value_source *values;
    uint64_t n_edges, most_edges;
    eti_buffer text;
} program_maker;

/* ---- the method ------------------------------------------------------------------------------ */

eti_status eti__program_method(const eti_pte_plan **out, const eti_inspector *inspector,
                               const char *name, eti_error *err) {
    const eti_pte *pte = &inspector->programs[0];
    *out = eti__pte_find_plan(pte, eti__text_of(name ? name : "forward"));
    if (*out)
        return ETI_OK;
    if (pte->n_plans == 0)
        return eti_fail(err, ETI_ERROR_DATA, "%s: has no method", pte->file->name);
    *out = &pte->plans[0];
    return name ? eti_fail(err, ETI_ERROR_USAGE, "%s: has no method %s; its first is %.*s",
                           pte->file->name, name, ETI_TEXT_ARGS(pte->plans[0].name))
                : ETI_OK;
}

/* ---- sources of values ----------------------------------------------------------------------- */

static void start_values(program_maker *m) {
    for (uint32_t v = 0; v < m->plan->n_values; v++)
        m->values[v] = (value_source){ETI_NO_NODE, ETI_NO_NODE, false};
    for (uint32_t i = 0; i < m->plan->inputs.n; i++)
        m->values[m->plan->inputs.items[i]].is_input = true;
    for (uint32_t i = 0; i < m->liveness.n_tensors; i++) {
        const eti_planned *planned = &m->liveness.tensors[i];
        if (planned->alias_of != ETI_NO_PLANNED)
            m->values[planned->value].alias_of = m->liveness.tensors[planned->alias_of].value;
    }
}

/* Returns the source of a value: the value itself or, if it is not yet written, the value with whose bytes it shares
 * memory. */
static value_source *source_of(const program_maker *m, int32_t value) {
    value_source *of = &m->values[value];
    bool is_alias = of->node == ETI_NO_NODE && of->alias_of != ETI_NO_NODE;
    return is_alias ? &m->values[of->alias_of] : of;
}

/* Returns whether a value that no instruction writes is a node; numbers and strings in the program are not. */
static bool is_node(const program_maker *m, const value_source *of) {
    uint32_t value = (uint32_t)(of - m->values);
    return of->is_input || eti__pte_tensor_at(m->plan, (int32_t)value);
}

typedef bool visit_value(program_maker *m, int32_t value, void *context);

/* Visits values; a list is replaced by its items. Returns false if there are too many or memory runs out. */
static bool visit_values(program_maker *m, eti_pte_indices values, visit_value *visit,
                         void *context) {
    for (uint32_t i = 0; i < values.n; i++) {
        if (values.items[i] < 0)
            continue;
        eti_pte_indices items = eti__value_items(m->plan, &values.items[i]);
        m->n_edges += items.n;
        if (m->n_edges > m->most_edges)
            return false;
        for (uint32_t k = 0; k < items.n; k++) {
            if (items.items[k] >= 0 && !visit(m, items.items[k], context))
                return false;
        }
    }
    return true;
}

/* ---- inputs ---------------------------------------------------------------------------------- */

#define IS_NEEDED (ETI_NO_NODE - 1) /* marks an input whose node has no number yet */
#define IS_WRITTEN (ETI_NO_NODE - 2)

static bool need(program_maker *m, int32_t value, void *context) {
    value_source *of = source_of(m, value);
    (void)context;
    if (of->node == ETI_NO_NODE && is_node(m, of))
        of->node = IS_NEEDED;
    return true;
}

/* Marks a value as written; a value that is read before it is written stays an input. */
static bool note_write(program_maker *m, int32_t value, void *context) {
    (void)context;
    if (m->values[value].node == ETI_NO_NODE)
        m->values[value].node = IS_WRITTEN;
    return true;
}

/* Finds the values that instructions read before any instruction writes them. */
static bool find_inputs(program_maker *m) {
    for (uint32_t k = 0; k < m->liveness.calls.n; k++) {
        eti_call_flow flow = eti__call_flow(&m->liveness, k);
        if (!visit_values(m, flow.reads, need, NULL) ||
            !visit_values(m, flow.writes, note_write, NULL))
            return false;
    }
    m->n_edges = 0;
    return true;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static bool take_text(program_maker *m, eti_text *out) {
    bool done =
        !m->text.failed && eti__arena_copy_text(&m->out->arena, eti__buffer_text(&m->text), out);
    m->text.size = 0;
    return done;
}

static eti_timed_node *add_program_node(program_maker *m) {
    eti_timed_node *node = &m->out->nodes[m->out->n_nodes++];
    *node = (eti_timed_node){.call = ETI_NO_NODE,
                             .total = (double)NAN,
                             .typical = (double)NAN,
                             .p50 = (double)NAN,
                             .share = (double)NAN,
                             .share_mean = (double)NAN,
                             .shared = (double)NAN};
    return node;
}

static bool set_tensor(program_maker *m, eti_timed_node *node, const eti_pte_tensor *tensor) {
    if (!tensor)
        return true;
    node->dtype = eti__needed_dtype_name(tensor->scalar_type);
    eti__tensor_add_shape(&m->text, tensor);
    return take_text(m, &node->shape);
}

static bool add_input(program_maker *m, uint32_t value) {
    const eti_pte_tensor *tensor = eti__pte_tensor_at(m->plan, (int32_t)value);
    value_source *of = &m->values[value];
    of->node = (uint32_t)m->out->n_nodes;
    eti_timed_node *node = add_program_node(m);
    node->is_input = true;
    node->is_weight = !of->is_input;
    node->op = eti__text_of("(input)");
    if (tensor && tensor->name.size > 0)
        eti__buffer_add_text(&m->text, tensor->name);
    else
        eti__buffer_printf(&m->text, of->is_input ? "input_%u" : "value_%u", value);
    return take_text(m, &node->name) && set_tensor(m, node, tensor);
}

static bool add_inputs(program_maker *m) {
    for (uint32_t v = 0; v < m->plan->n_values; v++) {
        bool is_needed = m->values[v].node == IS_NEEDED;
        m->values[v].node = ETI_NO_NODE;
        if (is_needed && !add_input(m, v))
            return false;
    }
    return true;
}

/* Inputs of the current node; the arrays are reused. */
typedef struct edge_list {
    eti_text *names;
    uint32_t *nodes;
    size_t n, n_names, n_nodes; /* capacities */
} edge_list;

static bool add_edge(program_maker *m, int32_t value, void *context) {
    edge_list *edges = context;
    uint32_t node = source_of(m, value)->node;
    if (node == ETI_NO_NODE)
        return true;
    if (!ETI_GROW(edges->names, edges->n_names, edges->n + 1) ||
        !ETI_GROW(edges->nodes, edges->n_nodes, edges->n + 1))
        return false;
    edges->names[edges->n] = m->out->nodes[node].name;
    edges->nodes[edges->n++] = node;
    return true;
}

static bool set_edges(program_maker *m, eti_timed_node *node, const edge_list *edges) {
    eti_text *names = eti__arena_alloc(&m->out->arena, edges->n, sizeof *names);
    uint32_t *nodes = eti__arena_alloc(&m->out->arena, edges->n, sizeof *nodes);
    if (!names || !nodes)
        return false;
    if (edges->n > 0) {
        memcpy(names, edges->names, edges->n * sizeof *names);
        memcpy(nodes, edges->nodes, edges->n * sizeof *nodes);
    }
    node->inputs = names;
    node->input_nodes = nodes;
    node->n_inputs = edges->n;
    return true;
}

/* The node that writes values, and the first tensor among them. */
typedef struct written_values {
    uint32_t node;
    const eti_pte_tensor *first;
} written_values;

static bool set_writer(program_maker *m, int32_t value, void *context) {
    written_values *written = context;
    m->values[value].node = written->node;
    if (!written->first)
        written->first = eti__pte_tensor_at(m->plan, value);
    return true;
}

static bool add_instruction(program_maker *m, uint32_t number, edge_list *edges) {
    const eti_pte_instruction *instruction = m->liveness.calls.items[number];
    eti_call_flow flow = eti__call_flow(&m->liveness, number);
    written_values written = {.node = (uint32_t)m->out->n_nodes};
    edges->n = 0;
    if (!visit_values(m, flow.reads, add_edge, edges) ||
        !visit_values(m, flow.writes, set_writer, &written))
        return false;
    eti_timed_node *node = add_program_node(m);
    if (instruction->kind == ETI_PTE_DELEGATE_CALL)
        node->backend = m->plan->delegates[instruction->index].id;
    eti__buffer_add_u64(&m->text, number);
    if (!take_text(m, &node->name))
        return false;
    eti__instruction_add_name(&m->text, m->plan, instruction);
    return take_text(m, &node->op) && set_tensor(m, node, written.first) &&
           set_edges(m, node, edges);
}

static bool make_nodes(program_maker *m, size_t *n_inputs) {
    edge_list edges = {.n = 0};
    size_t n = (size_t)m->plan->n_values + m->liveness.calls.n;
    m->out->nodes = eti__arena_alloc(&m->out->arena, n, sizeof *m->out->nodes);
    bool done = m->out->nodes && add_inputs(m);
    *n_inputs = m->out->n_nodes;
    for (uint32_t k = 0; k < m->liveness.calls.n && done; k++)
        done = add_instruction(m, k, &edges);
    free(edges.names);
    free(edges.nodes);
    return done;
}

/* ---- all ------------------------------------------------------------------------------------- */

static eti_status make_program_graph(program_maker *m, size_t *n_inputs, eti_error *err) {
    ETI_TRY(eti__liveness_make(&m->liveness, &m->scratch, m->plan, NULL, err));
    m->values = eti__arena_alloc(&m->scratch, m->plan->n_values, sizeof *m->values);
    eti_timed_module *none = eti__arena_alloc_zero(&m->out->arena, 1, sizeof *none);
    if (!m->values || !none)
        return eti_fail_memory(err);
    m->out->modules = none;
    m->out->n_modules = 1;
    m->out->name = m->plan->name;
    start_values(m);
    bool done = find_inputs(m) && make_nodes(m, n_inputs);
    if (m->n_edges > m->most_edges)
        return eti_fail(err, ETI_ERROR_LIMIT,
                        "method %.*s: instructions use lists so often that the graph would have "
                        "more than %llu edges",
                        ETI_TEXT_ARGS(m->plan->name), (unsigned long long)m->most_edges);
    return done ? ETI_OK : eti_fail_memory(err);
}

eti_status eti__program_graph_make(eti_timed_graph *out, size_t *n_inputs,
                                   const eti_inspector *inspector, eti_error *err) {
    program_maker m = {.out = out, .most_edges = MOST_EDGES(inspector->programs[0].size)};
    *out = (eti_timed_graph){.nodes = NULL};
    *n_inputs = 0;
    ETI_TRY(eti__program_method(&m.plan, inspector, inspector->options.method, err));
    eti_status status = make_program_graph(&m, n_inputs, err);
    eti__arena_free(&m.scratch);
    eti__buffer_free(&m.text);
    return status;
}
