#include "numerics/differences.h"

#include "numerics/metrics.h"
#include "numerics/origins.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* ==== match =================================================================================== */

/* ---- keys ------------------------------------------------------------------------------------- */

/* Name of a node on one side. */
typedef struct source_name {
    eti_text name;
    int64_t handle;
} source_name;

static const eti_intern_kind source_kind = ETI_INTERN_BY_TEXT(source_name);

typedef struct occurrence {
    eti_text name;
    size_t n;
} occurrence;

static const eti_intern_kind occurrence_kind = ETI_INTERN_BY_TEXT(occurrence);

/* A point waiting for its partner. */
typedef struct keyed {
    eti_text key;
    size_t base; /* index of the point of the base */
} keyed;

static const eti_intern_kind keyed_kind = ETI_INTERN_BY_TEXT(keyed);

typedef struct matcher {
    eti_matches *out;
    const eti_points *base, *newer;
    eti_match_by by;
    eti_text_table ambiguous; /* names of more than one node of a side */
    eti_buffer scratch;
} matcher;

static bool find_ambiguous(matcher *in, const eti_points *side) {
    ETI_INTERN_OF(source_name) seen = {{0}};
    bool done = true;
    for (size_t i = 0; done && i < side->n; i++) {
        const eti_point *point = &side->points[i];
        const source_name item = {point->source_node, point->handle};
        uint32_t number;
        if (!point->source_node.data)
            continue;
        done = eti__intern_add(&seen.table, &source_kind, &item, &number);
        if (done && seen.items[number].handle != point->handle)
            done = eti__text_table_add(&in->ambiguous, point->source_node, NULL, &number);
    }
    eti__intern_free(&seen.table);
    return done;
}

static void add_source(matcher *in, const eti_point *point) {
    uint32_t number;
    eti__buffer_add_text(&in->scratch, point->source_node);
    if (eti__text_table_find(&in->ambiguous, point->source_node, &number) && point->node) {
        eti__buffer_add_char(&in->scratch, ' ');
        eti__buffer_add_text(&in->scratch, point->node->op_type);
    }
}

/* Appends the text by which the point is found; nothing if it has no key. */
static void add_key(matcher *in, const eti_point *point) {
    if (eti__point_is_run_outputs(point)) {
        eti__buffer_add_string(&in->scratch, "outputs of the run");
    } else if (in->by == ETI_MATCH_BY_SOURCE && point->has_handle && point->source_node.size > 0) {
        add_source(in, point);
    } else if (in->by == ETI_MATCH_BY_HANDLE && point->has_handle) {
        eti__buffer_printf(&in->scratch, "%" PRId64, point->handle);
    } else if (in->by == ETI_MATCH_BY_INSTRUCTION && point->instruction != -1) {
        eti__buffer_printf(&in->scratch, "%" PRId32 " ", point->instruction);
        eti__buffer_add_text(&in->scratch, point->name);
    } else if (in->by == ETI_MATCH_BY_NAME) {
        eti__buffer_add_text(&in->scratch, point->name);
    }
}

/* Makes the keys of a side; repeated keys get the number of their occurrence, starting at 1. */
static eti_text *make_keys(matcher *in, const eti_points *side) {
    eti_text *keys = calloc(side->n + 1, sizeof *keys);
    ETI_INTERN_OF(occurrence) seen = {{0}};
    bool done = keys != NULL;
    for (size_t i = 0; done && i < side->n; i++) {
        uint32_t number;
        in->scratch.size = 0;
        add_key(in, &side->points[i]);
        if (in->scratch.size == 0 && !in->scratch.failed)
            continue;
        occurrence item = {{in->scratch.data, in->scratch.size}, 0};
        done = !in->scratch.failed &&
               eti__arena_copy_text(&in->out->texts, item.name, &item.name) &&
               eti__intern_add(&seen.table, &occurrence_kind, &item, &number);
        if (!done)
            break;
        size_t n_before = seen.items[number].n++;
        if (n_before > 0)
            eti__buffer_printf(&in->scratch, "\n%zu", n_before);
        const eti_text key = {in->scratch.data, in->scratch.size};
        done = !in->scratch.failed && eti__arena_copy_text(&in->out->texts, key, &keys[i]);
    }
    eti__intern_free(&seen.table);
    if (!done) {
        free(keys);
        return NULL;
    }
    return keys;
}

/* ---- outputs ---------------------------------------------------------------------------------- */

static bool add(matcher *in, const eti_matched_outputs *outputs) {
    eti_matches *out = in->out;
    if (!ETI_GROW(out->outputs, out->capacity, out->n + 1))
        return false;
    out->outputs[out->n++] = *outputs;
    return true;
}

static bool shapes_equal(const eti_tensor_values *a, const eti_tensor_values *b) {
    return eti__sizes_equal(a->sizes, a->n_dims, b->sizes, b->n_dims);
}

const eti_recorded_tensor *eti__match_one(const eti_recorded_tensor *one,
                                          const eti_recorded_tensor *several, size_t n) {
    const eti_recorded_tensor *of_shape = NULL, *of_type = NULL;
    size_t n_of_shape = 0, n_of_type = 0;
    for (size_t i = 0; i < n; i++) {
        if (!shapes_equal(&one->values, &several[i].values))
            continue;
        n_of_shape++;
        of_shape = &several[i];
        if (one->values.scalar_type != several[i].values.scalar_type)
            continue;
        n_of_type++;
        of_type = &several[i];
    }
    if (n_of_shape == 1)
        return of_shape;
    return n_of_type == 1 ? of_type : &several[n - 1];
}

static uint32_t output_of(const eti_point *point, const eti_recorded_tensor *tensor) {
    return point->output + (uint32_t)(tensor - point->tensors);
}

/* Returns which output of its node a tensor is. */
static uint32_t port_of(const eti_point *point, const eti_recorded_tensor *tensor) {
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a tensor has a point */
    const size_t i = (size_t)(tensor - point->tensors);
    return point->ports ? point->ports[i] : (uint32_t)i;
}

uint32_t eti__matched_port(const eti_matched_outputs *of) {
    if (!of->base || !of->newer)
        return of->newer ? port_of(of->newer, of->newer_tensor)
                         : port_of(of->base, of->base_tensor);
    const uint32_t base = port_of(of->base, of->base_tensor);
    const uint32_t newer = port_of(of->newer, of->newer_tensor);
    if (of->base->n != of->newer->n)
        return of->base->n > of->newer->n ? base : newer;
    return base > newer ? base : newer;
}

/* Adds the outputs of a point alone, or each with the output of `base` that has the same number. */
static bool add_each(matcher *in, const eti_point *one, const eti_point *base,
                     const eti_point *newer, eti_text key) {
    bool done = true;
    for (size_t i = 0; done && i < one->n; i++) {
        const eti_matched_outputs pair = {base,
                                          newer,
                                          base ? &base->tensors[i] : NULL,
                                          newer ? &newer->tensors[i] : NULL,
                                          output_of(one, &one->tensors[i]),
                                          key};
        done = add(in, &pair);
    }
    return done;
}

/* Returns the tensor of the point for output `port` of its node, or NULL if there is none. */
static const eti_recorded_tensor *tensor_at(const eti_point *point, uint32_t port) {
    if (!point->ports)
        return port < point->n ? &point->tensors[port] : NULL;
    for (size_t i = 0; i < point->n; i++) {
        if (point->ports[i] == port)
            return &point->tensors[i];
    }
    return NULL;
}

/* Adds the tensors of both sides for the n outputs of the same node. */
static bool add_by_port(matcher *in, const eti_point *base, const eti_point *newer, eti_text key,
                        size_t *n) {
    *n = 0;
    for (size_t i = 0; i < newer->n; i++) {
        const eti_recorded_tensor *of_newer = &newer->tensors[i];
        const eti_recorded_tensor *of_base =
            tensor_at(base, newer->ports ? newer->ports[i] : (uint32_t)i);
        const eti_matched_outputs pair = {
            base, newer, of_base, of_newer, output_of(newer, of_newer), key};
        if (of_base && !add(in, &pair))
            return false;
        *n += of_base != NULL;
    }
    return true;
}

static bool add_pair(matcher *in, const eti_point *base, const eti_point *newer, eti_text key) {
    size_t n = 0;
    in->out->n_paired++;
    if ((base->ports || newer->ports) && !add_by_port(in, base, newer, key, &n))
        return false;
    if (n > 0)
        return true;
    if (base->n == newer->n)
        return add_each(in, newer, base, newer, key);
    const eti_recorded_tensor *of_base = &base->tensors[base->n - 1];
    const eti_recorded_tensor *of_newer = &newer->tensors[newer->n - 1];
    if (newer->n == 1)
        of_base = eti__match_one(of_newer, base->tensors, base->n);
    else if (base->n == 1)
        of_newer = eti__match_one(of_base, newer->tensors, newer->n);
    const eti_matched_outputs pair = {base, newer, of_base, of_newer, output_of(newer, of_newer),
                                      key};
    return add(in, &pair);
}

/* ---- points ----------------------------------------------------------------------------------- */

/* Finds the partners of the new side's points: 1 + the index of the point of the base, or 0 if there is no partner. */
static bool find_partners(const matcher *in, const eti_text *base_keys, const eti_text *newer_keys,
                          size_t *partners, bool *is_paired) {
    ETI_INTERN_OF(keyed) table = {{0}};
    bool done = true;
    for (size_t i = 0; done && i < in->base->n; i++) {
        const keyed item = {base_keys[i], i};
        uint32_t number;
        if (item.key.data)
            done = eti__intern_add(&table.table, &keyed_kind, &item, &number);
    }
    for (size_t i = 0; done && i < in->newer->n; i++) {
        uint32_t number;
        if (!newer_keys[i].data ||
            !eti__intern_find(&table.table, &keyed_kind, &newer_keys[i], &number))
            continue;
        partners[i] = table.items[number].base + 1;
        is_paired[table.items[number].base] = true;
    }
    eti__intern_free(&table.table);
    return done;
}

static bool add_base(matcher *in, size_t number, eti_text key) {
    const eti_point *base = &in->base->points[number];
    return add_each(in, base, base, NULL, key);
}

/* Adds all rows: points of the base alone come before the next paired point of the base. */
static bool add_all(matcher *in, const eti_text *base_keys, const eti_text *newer_keys,
                    const size_t *partners, const bool *is_paired) {
    size_t n_passed = 0;
    bool done = true;
    for (size_t i = 0; done && i < in->newer->n; i++) {
        const eti_point *base = partners[i] ? &in->base->points[partners[i] - 1] : NULL;
        for (; done && base && n_passed < partners[i]; n_passed++) {
            if (!is_paired[n_passed])
                done = add_base(in, n_passed, base_keys[n_passed]);
        }
        const eti_point *newer = &in->newer->points[i];
        if (done)
            done = base ? add_pair(in, base, newer, newer_keys[i])
                        : add_each(in, newer, NULL, newer, newer_keys[i]);
    }
    for (; done && n_passed < in->base->n; n_passed++) {
        if (!is_paired[n_passed])
            done = add_base(in, n_passed, base_keys[n_passed]);
    }
    return done;
}

static bool match(matcher *in) {
    if (in->by == ETI_MATCH_BY_SOURCE &&
        !(find_ambiguous(in, in->base) && find_ambiguous(in, in->newer)))
        return false;
    eti_text *base_keys = make_keys(in, in->base);
    eti_text *newer_keys = base_keys ? make_keys(in, in->newer) : NULL;
    size_t *partners = calloc(in->newer->n + 1, sizeof *partners);
    bool *is_paired = calloc(in->base->n + 1, sizeof *is_paired);
    bool done = newer_keys && partners && is_paired &&
                find_partners(in, base_keys, newer_keys, partners, is_paired) &&
                add_all(in, base_keys, newer_keys, partners, is_paired);
    free(base_keys);
    free(newer_keys);
    free(partners);
    free(is_paired);
    return done;
}

eti_status eti__points_match(eti_matches *out, const eti_points *base, const eti_points *newer,
                             eti_match_by by, eti_error *err) {
    matcher in = {.out = out, .base = base, .newer = newer, .by = by};
    *out = (eti_matches){.n = 0};
    bool done = match(&in);
    eti__text_table_free(&in.ambiguous);
    eti__buffer_free(&in.scratch);
    return done ? ETI_OK : eti_fail_memory(err);
}

void eti__matches_free(eti_matches *matches) {
    free(matches->outputs);
    eti__arena_free(&matches->texts);
    *matches = (eti_matches){.n = 0};
}

/* ---- shapes ----------------------------------------------------------------------------------- */

/* Returns whether the shapes are equal, ignoring dimensions of size 1. */
static bool equal_without_ones(const eti_tensor_values *a, const eti_tensor_values *b) {
    uint32_t i = 0, k = 0;
    for (;;) {
        while (i < a->n_dims && a->sizes[i] == 1)
            i++;
        while (k < b->n_dims && b->sizes[k] == 1)
            k++;
        if (i == a->n_dims || k == b->n_dims)
            return i == a->n_dims && k == b->n_dims;
        if (a->sizes[i++] != b->sizes[k++])
            return false;
    }
}

static bool is_view_node(const eti_graph_node *node) {
    static const char *const views[] = {"aten.view_copy.", "aten._unsafe_view.",
                                        "aten.unsqueeze_copy.", "aten.squeeze_copy."};
    for (size_t i = 0; node && i < sizeof views / sizeof *views; i++) {
        if (eti__text_begins_with(node->op_type, views[i]))
            return true;
    }
    return false;
}

static bool is_view(const eti_point *point) {
    return point && (is_view_node(point->node) || is_view_node(point->last_node));
}

eti_shape_match eti__match_shapes(const eti_matched_outputs *outputs) {
    const eti_tensor_values *a = &outputs->base_tensor->values;
    const eti_tensor_values *b = &outputs->newer_tensor->values;
    if (equal_without_ones(a, b))
        return ETI_SHAPES_EQUAL;
    bool may_be_view = is_view(outputs->base) || is_view(outputs->newer);
    return may_be_view && a->n_elements == b->n_elements ? ETI_SHAPES_VIEW : ETI_SHAPES_DIFFERENT;
}

/* ==== differences ============================================================================= */

#define ETI_FLOAT_SNR ETI_MOST_DROP

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
