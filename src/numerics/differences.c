#include "numerics/differences.h"

#include <math.h>
#include <stdlib.h>

const char *eti__difference_status_name(uint8_t status) {
    static const char *const names[ETI_N_DIFFERENCE_STATUSES] = {
        [ETI_DIFFERENCE_VIEW] = "view",         [ETI_DIFFERENCE_NONFINITE] = "nonfinite",
        [ETI_DIFFERENCE_SHAPE] = "shape",       [ETI_DIFFERENCE_OUTSIDE] = "outside",
        [ETI_DIFFERENCE_TYPE] = "type",         [ETI_DIFFERENCE_ONLY_BASE] = "only base",
        [ETI_DIFFERENCE_ONLY_NEW] = "only new", [ETI_DIFFERENCE_CONTENTS] = "not recorded",
    };
    return names[status];
}

/* ---- metrics ---------------------------------------------------------------------------------- */

static uint8_t status_of_fault(uint8_t fault) {
    static const uint8_t statuses[] = {
        [ETI_RECORDED_OUTSIDE] = ETI_DIFFERENCE_OUTSIDE,
        [ETI_RECORDED_TYPE] = ETI_DIFFERENCE_TYPE,
        [ETI_RECORDED_SHAPE] = ETI_DIFFERENCE_SHAPE,
        [ETI_RECORDED_CONTENTS] = ETI_DIFFERENCE_CONTENTS,
    };
    return statuses[fault];
}

static eti_difference_status judge(const eti_matched_outputs *of) {
    if (!of->newer)
        return ETI_DIFFERENCE_ONLY_BASE;
    if (!of->base)
        return ETI_DIFFERENCE_ONLY_NEW;
    uint8_t fault = of->base_tensor->fault ? of->base_tensor->fault : of->newer_tensor->fault;
    if (fault != ETI_RECORDED_FINE)
        return (eti_difference_status)status_of_fault(fault);
    switch (eti__match_shapes(of)) {
    case ETI_SHAPES_EQUAL:
        return ETI_DIFFERENCE_COMPARED;
    case ETI_SHAPES_VIEW:
        return ETI_DIFFERENCE_VIEW;
    default:
        return ETI_DIFFERENCE_SHAPE;
    }
}

typedef struct comparing {
    eti_differences *out;
    const eti_tolerances *tolerances;
    size_t n_tasks, n_threads;
} comparing;

eti_status eti__elements_load(const eti_element_loader *loader, const eti_recorded_tensor *tensor,
                              eti_arena *arena, eti_tensor_values *out, eti_error *err) {
    *out = tensor->values;
    if (out->data || out->n_elements == 0 || !loader)
        return ETI_OK;
    return loader->load(loader->context, tensor, arena, out, err);
}

/* Compares a pair if it can be compared; a pair without data stays unchanged. */
static void compare_values(const comparing *in, eti_difference *row, const eti_tensor_values *base,
                           size_t n_threads) {
    eti_metrics *metrics = &row->metrics;
    if (eti__metrics_compare(base, &row->of->newer_tensor->values, in->tolerances, n_threads,
                             metrics) != ETI_OK)
        row->status = ETI_DIFFERENCE_TYPE;
    else if (metrics->nan_base != metrics->nan_new || metrics->inf_base != metrics->inf_new)
        row->status = ETI_DIFFERENCE_NONFINITE;
}

static bool must_be_loaded(const eti_difference *row) {
    const eti_tensor_values *base = row->of->base ? &row->of->base_tensor->values : NULL;
    return base && !base->data && base->n_elements > 0;
}

static bool is_large(const eti_difference *row) {
    return row->of->newer_tensor->values.n_elements >= ETI_MANY_ELEMENTS;
}

/* Compares small pairs. The tasks take pairs alternately, because tensors differ in size. */
static void compare_small(void *context, size_t task) {
    const comparing *in = context;
    for (size_t i = task; i < in->out->n; i += in->n_tasks) {
        eti_difference *row = &in->out->rows[i];
        if (eti__difference_is_compared(row) && !must_be_loaded(row) && !is_large(row))
            compare_values(in, row, &row->of->base_tensor->values, 1);
    }
}

/* Compares large pairs one after another, each with all threads. */
static void compare_large(const comparing *in) {
    for (size_t i = 0; i < in->out->n; i++) {
        eti_difference *row = &in->out->rows[i];
        if (eti__difference_is_compared(row) && !must_be_loaded(row) && is_large(row))
            compare_values(in, row, &row->of->base_tensor->values, in->n_threads);
    }
}

/* Loads and compares one pair at a time, so that only one is in memory. */
static eti_status load_and_compare(const comparing *in, const eti_element_loader *loader,
                                   eti_error *err) {
    eti_status status = ETI_OK;
    for (size_t i = 0; status == ETI_OK && i < in->out->n; i++) {
        eti_difference *row = &in->out->rows[i];
        eti_arena arena = {NULL};
        eti_tensor_values base;
        if (!eti__difference_is_compared(row) || !must_be_loaded(row))
            continue;
        status = eti__elements_load(loader, row->of->base_tensor, &arena, &base, err);
        if (status == ETI_OK)
            compare_values(in, row, &base, in->n_threads);
        eti__arena_free(&arena);
    }
    return status;
}

static eti_status compare_all(eti_differences *out, const eti_tolerances *tolerances,
                              const eti_element_loader *loader, size_t n_threads, eti_error *err) {
    comparing in = {.out = out, .tolerances = tolerances, .n_tasks = 1, .n_threads = n_threads};
    uint64_t n_bytes = 0;
    for (size_t i = 0; i < out->n; i++) {
        if (eti__difference_is_compared(&out->rows[i]))
            n_bytes += eti__tensor_values_size(&out->rows[i].of->newer_tensor->values);
    }
    if (n_bytes >= ETI_PARALLEL_BYTES)
        in.n_tasks = eti__thread_count(n_threads);
    eti__parallel(in.n_tasks, compare_small, &in);
    compare_large(&in);
    ETI_TRY(load_and_compare(&in, loader, err));
    for (size_t i = 0; i < out->n; i++)
        out->n_compared += eti__difference_is_compared(&out->rows[i]);
    return ETI_OK;
}

/* ---- origins of errors ------------------------------------------------------------------------ */

/* Returns the ratio that remains after errors upstream: equal tensors have lost nothing, tensors that became NaN have
 * lost everything. */
static double ratio_of(const eti_difference *row) {
    return row->status == ETI_DIFFERENCE_NONFINITE ? -INFINITY : row->metrics.snr;
}

static double drop_of(double in, double out) {
    double above = fmin(in, ETI_FLOAT_SNR), below = fmin(out, ETI_FLOAT_SNR);
    return above == below ? 0 : above - below;
}

typedef struct handled_node {
    int64_t handle;
    size_t node; /* the node that has the row */
} handled_node;

static const eti_intern_kind handle_kind = {sizeof(handled_node), sizeof(int64_t), NULL, NULL};

/* State of a search upstream. Nodes with the debug handle of a row are treated as one node, named after the last of
 * them: other nodes may use the result of any of them. */
typedef struct spreading {
    eti_differences *out;
    const eti_origin_graph *g;
    ETI_INTERN_OF(handled_node) by_handle;
    uint32_t *one;         /* per node: the node that has the row with its handle, or itself */
    uint32_t *next;        /* per node: 1 + the next node of the same group; 0 for the last */
    uint32_t *at;          /* per node: 1 + the node of the group whose inputs are being examined */
    uint32_t *n_looked_at; /* per node: number of examined inputs */
    uint32_t *n_rows;      /* per node: number of its outputs that were compared */
    double *given;         /* per node: lowest ratio of these outputs */
    uint32_t *row_of;      /* per value: 1 + its row; 0 if it has none or it is unknown */
    double *taken;         /* per node: lowest ratio of its inputs */
    uint8_t *states;       /* per node: 0 not visited, 1 on the stack, 2 known */
    uint32_t *stack;
} spreading;

static size_t node_count(const spreading *in) {
    return in->g->graph.graph.n_nodes;
}

static const eti_graph_ports *ports_of(const spreading *in, uint32_t node) {
    return &in->g->graph.values.ports[node];
}

/* Examines the inputs of a node. Returns the next producer that must be known first, or ETI_NO_NODE. */
static uint32_t look_at_inputs(spreading *in, uint32_t node) {
    const eti_graph_ports *ports = ports_of(in, node);
    uint32_t one = in->one[node];
    for (uint32_t *p = &in->n_looked_at[node]; *p < ports->n_inputs; (*p)++) {
        uint32_t value = ports->inputs[*p];
        uint32_t producer = in->g->graph.values.values[value].producer;
        double ratio = INFINITY;
        if (producer == ETI_NO_NODE || producer >= node_count(in) || in->one[producer] == one)
            continue;
        producer = in->one[producer];
        if (in->row_of[value] > 0)
            ratio = ratio_of(&in->out->rows[in->row_of[value] - 1]);
        else if (in->n_rows[producer] > 0)
            ratio = in->given[producer];
        else if (in->states[producer] == 0)
            return producer;
        else if (in->states[producer] == 2)
            ratio = in->taken[producer];
        in->taken[one] = fmin(in->taken[one], ratio);
    }
    return ETI_NO_NODE;
}

/* Examines the inputs of all nodes of a group. Returns ETI_NO_NODE if the lowest ratio is known. */
static uint32_t settle(spreading *in, uint32_t node) {
    for (; in->at[node] > 0; in->at[node] = in->next[in->at[node] - 1]) {
        uint32_t next = look_at_inputs(in, in->at[node] - 1);
        if (next != ETI_NO_NODE)
            return next;
    }
    return ETI_NO_NODE;
}

static void settle_all_above(spreading *in, uint32_t node) {
    size_t n = 0;
    if (in->states[node] != 0)
        return;
    in->stack[n++] = node;
    in->states[node] = 1;
    while (n > 0) {
        uint32_t next = settle(in, in->stack[n - 1]);
        if (next == ETI_NO_NODE) {
            in->states[in->stack[--n]] = 2;
            continue;
        }
        in->states[next] = 1;
        in->stack[n++] = next;
    }
}

/* Returns the node of a row in the graph, or ETI_NO_NODE. */
static uint32_t node_of(const spreading *in, const eti_difference *row, bool of_base) {
    const eti_point *point = of_base ? row->of->base : row->of->newer;
    const eti_graph *graph = &in->g->graph.graph;
    if (!point || !point->node || !eti__difference_is_compared(row))
        return ETI_NO_NODE;
    bool is_inside = point->node >= graph->nodes && point->node < graph->nodes + graph->n_nodes;
    return is_inside ? (uint32_t)(point->node - graph->nodes) : ETI_NO_NODE;
}

/* Records the values of the rows, for nodes with all outputs compared. */
static void note_values(spreading *in, bool of_base) {
    for (size_t i = 0; i < in->out->n; i++) {
        const eti_difference *row = &in->out->rows[i];
        uint32_t node = node_of(in, row, of_base);
        if (node == ETI_NO_NODE)
            continue;
        const eti_graph_ports *ports = ports_of(in, node);
        uint32_t output = row->of->output - (of_base ? row->of->base : row->of->newer)->output;
        if (in->n_rows[node] == ports->n_outputs && output < ports->n_outputs)
            in->row_of[ports->outputs[output]] = (uint32_t)i + 1;
    }
}

/* Groups the nodes that are treated as one. Returns false if memory runs out. */
static bool join_nodes(spreading *in, bool of_base) {
    bool done = true;
    uint32_t number;
    for (size_t i = 0; done && i < in->out->n; i++) {
        uint32_t node = node_of(in, &in->out->rows[i], of_base);
        if (node == ETI_NO_NODE || !in->g->graph.graph.nodes[node].has_debug_handle)
            continue;
        const handled_node item = {in->g->graph.graph.nodes[node].debug_handle, node};
        done = eti__intern_add(&in->by_handle.table, &handle_kind, &item, &number);
    }
    for (uint32_t i = 0; done && i < node_count(in); i++) {
        const eti_graph_node *node = &in->g->graph.graph.nodes[i];
        in->one[i] = i;
        in->at[i] = i + 1;
        if (node->has_debug_handle &&
            eti__intern_find(&in->by_handle.table, &handle_kind, &node->debug_handle, &number))
            in->one[i] = (uint32_t)in->by_handle.items[number].node;
    }
    for (uint32_t i = 0; done && i < node_count(in); i++) {
        uint32_t one = in->one[i];
        if (one == i)
            continue;
        in->next[i] = in->next[one];
        in->next[one] = i + 1;
    }
    return done;
}

static void spread(spreading *in, bool of_base) {
    for (uint32_t i = 0; i < node_count(in); i++)
        in->given[i] = in->taken[i] = INFINITY;
    for (size_t i = 0; i < in->out->n; i++) {
        uint32_t node = node_of(in, &in->out->rows[i], of_base);
        if (node == ETI_NO_NODE)
            continue;
        node = in->one[node];
        in->n_rows[node]++;
        in->given[node] = fmin(in->given[node], ratio_of(&in->out->rows[i]));
    }
    note_values(in, of_base);
    for (size_t i = 0; i < in->out->n; i++) {
        eti_difference *row = &in->out->rows[i];
        uint32_t node = node_of(in, row, of_base);
        if (node == ETI_NO_NODE)
            continue;
        node = in->one[node];
        settle_all_above(in, node);
        row->has_snr_in = true;
        row->snr_in = in->taken[node];
        row->snr_drop = drop_of(row->snr_in, ratio_of(row));
    }
}

static bool spread_in_graph(eti_differences *out, const eti_origin_graph *g, bool of_base) {
    size_t n = g->graph.graph.n_nodes + 1;
    spreading in = {
        .out = out,
        .g = g,
        .one = calloc(n, sizeof *in.one),
        .next = calloc(n, sizeof *in.next),
        .at = calloc(n, sizeof *in.at),
        .n_looked_at = calloc(n, sizeof *in.n_looked_at),
        .n_rows = calloc(n, sizeof *in.n_rows),
        .given = calloc(n, sizeof *in.given),
        .row_of = calloc(g->graph.values.n_values + 1, sizeof *in.row_of),
        .taken = calloc(n, sizeof *in.taken),
        .states = calloc(n, sizeof *in.states),
        .stack = calloc(n, sizeof *in.stack),
    };
    bool done = in.one && in.next && in.at && in.n_looked_at && in.n_rows && in.given &&
                in.row_of && in.taken && in.states && in.stack && join_nodes(&in, of_base);
    if (done)
        spread(&in, of_base);
    eti__intern_free(&in.by_handle.table);
    free(in.one);
    free(in.next);
    free(in.at);
    free(in.n_looked_at);
    free(in.n_rows);
    free(in.given);
    free(in.row_of);
    free(in.taken);
    free(in.states);
    free(in.stack);
    return done;
}

/* ---- all -------------------------------------------------------------------------------------- */

eti_status eti__differences_find(eti_differences *out, const eti_matches *matches,
                                 const eti_tolerances *tolerances, const eti_element_loader *loader,
                                 const eti_origins *origins, bool of_base, size_t n_threads,
                                 eti_error *err) {
    *out = (eti_differences){.n = 0};
    out->rows = calloc(matches->n + 1, sizeof *out->rows);
    if (!out->rows)
        return eti_fail_memory(err);
    for (size_t i = 0; i < matches->n; i++) {
        eti_difference *row = &out->rows[i];
        row->of = &matches->outputs[i];
        row->status = (uint8_t)judge(row->of);
    }
    out->n = matches->n;
    ETI_TRY(compare_all(out, tolerances, loader, n_threads, err));
    bool done = true;
    for (size_t i = 0; done && origins && i < origins->n_graphs; i++)
        done = spread_in_graph(out, &origins->graphs[i], of_base);
    return done ? ETI_OK : eti_fail_memory(err);
}

void eti__differences_free(eti_differences *differences) {
    free(differences->rows);
    *differences = (eti_differences){.n = 0};
}

/* ---- points missing on one side --------------------------------------------------------------- */

typedef struct inner_node {
    eti_text source_node, backend;
} inner_node;

static const eti_intern_kind inner_kind = ETI_INTERN_BY_TEXT(inner_node);

/* Returns whether a node made an output that the delegate call logged. */
static bool is_output(const eti_origins *side, size_t first, const eti_op_node *node) {
    for (size_t i = first; i < first + side->recorded->tensors[first].n_of_event; i++) {
        if (side->of[i].node && eti__text_equal(side->of[i].node->node.origin, node->origin))
            return true;
    }
    return false;
}

bool eti__differences_explain(eti_differences *differences, const eti_origins *side, size_t first,
                              size_t end, bool is_of_newer) {
    uint8_t missing = is_of_newer ? ETI_DIFFERENCE_ONLY_BASE : ETI_DIFFERENCE_ONLY_NEW;
    const eti_recorded *recorded = side->recorded;
    ETI_INTERN_OF(inner_node) inside = {{0}};
    bool done = true;
    uint32_t number;
    for (size_t i = first; done && i < end; i += recorded->tensors[i].n_of_event) {
        const eti_event *event = recorded->tensors[i].event;
        if (!event || !eti__is_delegate_call(event))
            continue;
        const eti_origin_graph *g = eti__origins_graph(side, event->block);
        eti_event_nodes nodes = eti__event_nodes(event);
        for (size_t k = 0; done && g && k < nodes.n; k++) {
            uint32_t node = eti__lowered_graph_number(&g->graph, nodes.all[k]);
            if (node >= g->graph.graph.n_nodes)
                continue;
            const inner_node item = {g->graph.graph.nodes[node].node.origin,
                                     event->known->backend_name};
            if (item.source_node.size > 0 && !is_output(side, i, &g->graph.graph.nodes[node].node))
                done = eti__intern_add(&inside.table, &inner_kind, &item, &number);
        }
    }
    for (size_t i = 0; done && i < differences->n; i++) {
        eti_difference *row = &differences->rows[i];
        const eti_point *point = is_of_newer ? row->of->base : row->of->newer;
        if (row->status == missing && point->source_node.size > 0 &&
            eti__intern_find(&inside.table, &inner_kind, &point->source_node, &number))
            row->inside = inside.items[number].backend;
    }
    eti__intern_free(&inside.table);
    return done;
}
