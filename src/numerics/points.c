#include "numerics/points.h"

#include "base/sort.h"
#include "numerics/numerics.h"
#include "numerics/origins.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ==== points ================================================================================== */

/* Largest number of handles that are visited while Events are joined. */
#define MOST_WORK ((size_t)1 << 28)

/* Data that an Event logged, and the handles of all Events that it represents. */
typedef struct group {
    const eti_event *event;
    size_t first, n; /* range of tensors */
    const int64_t *handles;
    size_t n_handles;
    size_t joined; /* 1 + index of the group that it was joined into; 0 if none */
    eti_text *names;
    size_t n_names;
} group;

/* A handle of a method. */
typedef struct handle_key {
    int64_t handle;
    uint64_t method;
} handle_key;

typedef struct handle_item {
    handle_key key;
    size_t group; /* index of the group that has it now */
} handle_item;

static const eti_intern_kind handle_kind = {sizeof(handle_item), sizeof(handle_key), NULL, NULL};

/* A handle for which a delegate logged values. */
typedef struct inner_handle {
    eti_text backend;
    int64_t handle;
} inner_handle;

typedef struct finder {
    eti_points *out;
    const eti_origins *origins;
    size_t first, end;
    group *groups;
    size_t n_groups, capacity;
    eti_index by_handles;
    ETI_INTERN_OF(handle_item) owners;
    ETI_INTERN_OF(inner_handle) inner;
    ETI_INTERN_OF(handle_item) last; /* per handle, the group of the last Event that has it */
    size_t *overlapping;             /* indexes of groups */
    size_t overlapping_capacity;
    size_t work;
    eti_error *err;
} finder;

static const eti_recorded_tensor *tensor_at(const finder *in, size_t number) {
    return &in->origins->recorded->tensors[number];
}

/* ---- delegates that log their operators ------------------------------------------------------- */

static uint64_t hash_inner(const void *key, uint64_t seed) {
    const inner_handle *inner = key;
    return eti__hash_mix(eti__intern_hash_text(&inner->backend, seed), (uint64_t)inner->handle);
}

static bool inner_equal(const void *key, const void *other) {
    const inner_handle *a = key, *b = other;
    return a->handle == b->handle && eti__text_equal(a->backend, b->backend);
}

static const eti_intern_kind inner_kind = {sizeof(inner_handle), sizeof(inner_handle), hash_inner,
                                           inner_equal};

static bool note_inner(finder *in, const eti_event *event) {
    const eti_debug_handles *handles = &event->known->handles;
    bool done = true;
    if (!event->is_delegated_op)
        return true;
    for (size_t i = 0; done && i < handles->n; i++) {
        const inner_handle inner = {event->known->backend_name, handles->handles[i]};
        uint32_t number;
        done = eti__intern_add(&in->inner.table, &inner_kind, &inner, &number);
    }
    return done;
}

/* Returns whether a delegate logged values of operators inside the call. */
static bool is_redundant(const finder *in, const eti_event *event) {
    const eti_debug_handles *handles = &event->known->handles;
    for (size_t i = 0; in->inner.count > 0 && eti__is_delegate_call(event) && i < handles->n; i++) {
        const inner_handle inner = {event->known->backend_name, handles->handles[i]};
        uint32_t number;
        if (eti__intern_find(&in->inner.table, &inner_kind, &inner, &number))
            return true;
    }
    return false;
}

/* ---- Events with the same handles ------------------------------------------------------------- */

typedef struct wanted_handles {
    const finder *in;
    const eti_event *event;
} wanted_handles;

static bool has_these_handles(const void *context, uint32_t item) {
    const wanted_handles *wanted = context;
    const group *g = &wanted->in->groups[item];
    const eti_debug_handles *handles = &wanted->event->known->handles;
    return g->event->block->method == wanted->event->block->method && g->n_handles == handles->n &&
           memcmp(g->handles, handles->handles, handles->n * sizeof *handles->handles) == 0;
}

static bool add_event(finder *in, size_t first) {
    const eti_recorded_tensor *tensor = tensor_at(in, first);
    const eti_event *event = tensor->event;
    const eti_debug_handles *handles = &event->known->handles;
    const wanted_handles wanted = {in, event};
    uint64_t hash = eti__hash_mix(eti__hash_seed(), handles->n);
    for (size_t i = 0; i < handles->n; i++)
        hash = eti__hash_mix(hash, (uint64_t)handles->handles[i]);
    const group found = {event, first, tensor->n_of_event, handles->handles, handles->n, 0,
                         NULL,  0};
    uint32_t number = eti__index_find(&in->by_handles, hash, has_these_handles, &wanted);
    if (number != ETI_INDEX_END) {
        if (event->instruction_id > in->groups[number].event->instruction_id)
            in->groups[number] = found;
        return true;
    }
    if (!ETI_GROW(in->groups, in->capacity, in->n_groups + 1) ||
        !eti__index_add(&in->by_handles, hash, (uint32_t)in->n_groups))
        return false;
    in->groups[in->n_groups++] = found;
    return true;
}

/* Returns whether debug handles show which node of which method an event recorded. */
static bool has_handles(const eti_event *event) {
    return event && event->known->handles.n > 0 && !event->block->has_candidates;
}

static bool list_events(finder *in) {
    bool done = true;
    for (size_t i = in->first; done && i < in->end; i += tensor_at(in, i)->n_of_event) {
        if (has_handles(tensor_at(in, i)->event))
            done = note_inner(in, tensor_at(in, i)->event);
    }
    for (size_t i = in->first; done && i < in->end; i += tensor_at(in, i)->n_of_event) {
        const eti_event *event = tensor_at(in, i)->event;
        if (has_handles(event) && !is_redundant(in, event))
            done = add_event(in, i);
    }
    return done;
}

/* ---- Events that overlap ---------------------------------------------------------------------- */

static int compare_numbers(const void *a, const void *b, void *unused) {
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    (void)unused;
    return (x > y) - (x < y);
}

/* Stores the indexes of the groups before `number` that share one of its handles, in ascending order, which is the
 * order of their creation. Returns false if memory runs out. */
static bool find_overlapping(finder *in, size_t number, size_t *n) {
    const group *g = &in->groups[number];
    *n = 0;
    for (size_t i = 0; i < g->n_handles; i++) {
        const handle_key key = {g->handles[i], g->event->block->method};
        uint32_t item;
        if (!eti__intern_find(&in->owners.table, &handle_kind, &key, &item))
            continue;
        size_t owner = in->owners.items[item].group;
        bool is_listed = *n > 0 && in->overlapping[*n - 1] == owner;
        if (!is_listed && !ETI_GROW(in->overlapping, in->overlapping_capacity, *n + 1))
            return false;
        if (!is_listed)
            in->overlapping[(*n)++] = owner;
    }
    eti__sort(in->overlapping, *n, sizeof *in->overlapping, compare_numbers, NULL);
    size_t n_distinct = 0;
    for (size_t i = 0; i < *n; i++) {
        if (n_distinct == 0 || in->overlapping[n_distinct - 1] != in->overlapping[i])
            in->overlapping[n_distinct++] = in->overlapping[i];
    }
    *n = n_distinct;
    return true;
}

static bool own(finder *in, size_t number) {
    const group *g = &in->groups[number];
    for (size_t i = 0; i < g->n_handles; i++) {
        const handle_item item = {{g->handles[i], g->event->block->method}, number};
        uint32_t at;
        if (!eti__intern_add(&in->owners.table, &handle_kind, &item, &at))
            return false;
        in->owners.items[at].group = number;
    }
    return true;
}

typedef struct handle_set {
    ETI_INTERN_OF(int64_t) seen;
} handle_set;

static const eti_intern_kind plain_kind = {sizeof(int64_t), sizeof(int64_t), NULL, NULL};

static bool add_to_set(handle_set *set, int64_t handle, bool *is_new) {
    uint32_t before = (uint32_t)set->seen.count, number;
    bool done = eti__intern_add(&set->seen.table, &plain_kind, &handle, &number);
    *is_new = done && number == before;
    return done;
}

/* Makes the list of handles: those of the lower instruction that the higher one lacks, then those of the higher
 * without repetition. */
static bool join_handles(finder *in, const group *low, const group *high, group *out) {
    handle_set of_high = {0}, done_ones = {0};
    size_t n = 0;
    bool done = true, is_new;
    int64_t *handles =
        eti__arena_alloc(&in->out->arena, low->n_handles + high->n_handles, sizeof *handles);
    for (size_t i = 0; handles && done && i < high->n_handles; i++)
        done = add_to_set(&of_high, high->handles[i], &is_new);
    for (size_t i = 0; handles && done && i < low->n_handles; i++) {
        uint32_t number;
        if (!eti__intern_find(&of_high.seen.table, &plain_kind, &low->handles[i], &number))
            handles[n++] = low->handles[i];
    }
    for (size_t i = 0; handles && done && i < high->n_handles; i++) {
        done = add_to_set(&done_ones, high->handles[i], &is_new);
        if (is_new)
            handles[n++] = high->handles[i];
    }
    eti__intern_free(&of_high.seen.table);
    eti__intern_free(&done_ones.seen.table);
    out->handles = handles;
    out->n_handles = n;
    return done && handles;
}

/* Joins a group with those that it overlaps into one that comes after all others. */
static eti_status join(finder *in, size_t number) {
    size_t n;
    if (!find_overlapping(in, number, &n))
        return eti_fail_memory(in->err);
    if (n == 0)
        return own(in, number) ? ETI_OK : eti_fail_memory(in->err);
    if (!ETI_GROW(in->groups, in->capacity, in->n_groups + 1))
        return eti_fail_memory(in->err);
    group joined = in->groups[number];
    const int32_t instruction = joined.event->instruction_id;
    for (size_t i = 0; i < n; i++) {
        group *other = &in->groups[in->overlapping[i]];
        bool is_lower = other->event->instruction_id < instruction;
        group result = is_lower ? joined : *other;
        in->work += joined.n_handles + other->n_handles;
        if (in->work > MOST_WORK)
            return eti_fail(in->err, ETI_ERROR_LIMIT,
                            "the debug handles of instructions overlap too much to be joined");
        if (!join_handles(in, is_lower ? other : &joined, is_lower ? &joined : other, &result))
            return eti_fail_memory(in->err);
        other->joined = in->n_groups + 1;
        result.joined = 0;
        joined = result;
    }
    in->groups[number].joined = in->n_groups + 1;
    in->groups[in->n_groups] = joined;
    return own(in, in->n_groups++) ? ETI_OK : eti_fail_memory(in->err);
}

/* ---- points ----------------------------------------------------------------------------------- */

static bool add_point(eti_points *out, const eti_point *point) {
    if (!ETI_GROW(out->points, out->capacity, out->n + 1))
        return false;
    out->points[out->n++] = *point;
    return true;
}

static eti_point point_of(const finder *in, const group *g, size_t first, size_t n) {
    const eti_graph_node *node = in->origins->of[first].node;
    eti_point point = {
        .event = g->event,
        .tensors = tensor_at(in, first),
        .n = n,
        .handles = g->handles,
        .n_handles = g->n_handles,
        .node = node,
        .last_node = in->origins->of[first].last,
        .names = g->names,
        .n_names = g->n_names,
        .instruction = g->event->instruction_id,
        .name = g->event->name,
        .n_outputs = 1,
    };
    if (node)
        point.source_node = node->node.origin;
    return point;
}

/* Returns how many tensors, from `first` up to `end`, are outputs of the node of the first. */
static size_t count_of_node(const finder *in, size_t first, size_t end) {
    const eti_tensor_origin *of = in->origins->of;
    size_t n = 1;
    while (of[first].node && first + n < end && of[first + n].node == of[first].node &&
           of[first + n].port > of[first + n - 1].port)
        n++;
    return n;
}

/* Records which outputs of its node a point has. Returns false if memory runs out. */
static bool add_ports(finder *in, eti_point *point, size_t first) {
    const eti_tensor_origin *of = &in->origins->of[first];
    uint32_t *ports;
    if (of[point->n - 1].port == point->n - 1) /* ports ascend */
        return true;
    point->ports = ports = eti__arena_alloc(&in->out->arena, point->n, sizeof *ports);
    for (size_t i = 0; ports && i < point->n; i++)
        ports[i] = of[i].port;
    return ports != NULL;
}

/* Returns whether the point is the last value of its node. */
static bool is_last_of_node(const finder *in, const group *g, const eti_point *point) {
    const handle_key key = {point->handle, g->event->block->method};
    uint32_t at;
    return point->node && point->has_handle &&
           eti__intern_find(&in->last.table, &handle_kind, &key, &at) &&
           &in->groups[in->last.items[at].group] == g;
}

/* Adds the outputs of a delegate call. If it was joined into a later Event, these are only the outputs of nodes that no
 * later Event has. */
static bool add_call(finder *in, const group *g) {
    const eti_tensor_origin *of = &in->origins->of[g->first];
    size_t n_inputs = 0, n;
    bool done = true;
    while (n_inputs < g->n && of[n_inputs].is_input)
        n_inputs++;
    for (size_t i = n_inputs; done && i < g->n; i += n) {
        n = count_of_node(in, g->first + i, g->first + g->n);
        eti_point point = point_of(in, g, g->first + i, n);
        size_t from_end = g->n - i;
        point.has_handle = (point.node || from_end <= g->n_handles) && !of[i].is_inner;
        if (point.has_handle)
            point.handle =
                point.node ? point.node->debug_handle : g->handles[g->n_handles - from_end];
        point.output = (uint32_t)(i - n_inputs);
        point.n_outputs = (uint32_t)(g->n - n_inputs);
        if (g->joined && !is_last_of_node(in, g, &point))
            continue;
        if (g->joined) {
            point.is_remainder = true;
            point.names = &g->event->name;
            point.n_names = 1;
        }
        done = add_ports(in, &point, g->first + i) && add_point(in->out, &point);
    }
    return done;
}

static bool add_group(finder *in, const group *g) {
    if (eti__is_delegate_call(g->event))
        return add_call(in, g);
    eti_point point = point_of(in, g, g->first, g->n);
    point.handle = g->handles[g->n_handles - 1];
    point.has_handle = true;
    return add_point(in->out, &point);
}

static int compare_points(const void *a, const void *b, void *unused) {
    const eti_point *x = a, *y = b;
    (void)unused;
    return (x->tensors > y->tensors) - (x->tensors < y->tensors);
}

/* Gives each remaining group the names of those of the first `n` groups, which are Events, that were joined into it. */
static bool gather_names(finder *in, size_t n) {
    eti_text *names = eti__arena_alloc(&in->out->arena, n + 1, sizeof *names);
    /* groups come after those that were joined into them */
    for (size_t i = in->n_groups; i-- > 0;) {
        group *g = &in->groups[i];
        g->n_names = 0;
        if (g->joined && in->groups[g->joined - 1].joined)
            g->joined = in->groups[g->joined - 1].joined;
    }
    for (size_t i = 0; i < n; i++)
        in->groups[in->groups[i].joined ? in->groups[i].joined - 1 : i].n_names++;
    for (size_t i = 0, at = 0; names && i < in->n_groups; i++) {
        in->groups[i].names = names + at;
        at += in->groups[i].n_names;
        in->groups[i].n_names = 0;
    }
    for (size_t i = 0; names && i < n; i++) {
        group *g = &in->groups[in->groups[i].joined ? in->groups[i].joined - 1 : i];
        g->names[g->n_names++] = in->groups[i].event->name;
    }
    return names != NULL;
}

/* Finds the last of the first `n` groups, which are Events, that has each handle. */
static bool find_last(finder *in, size_t n) {
    for (size_t i = 0; i < n; i++) {
        const group *g = &in->groups[i];
        for (size_t k = 0; k < g->n_handles; k++) {
            const handle_item item = {{g->handles[k], g->event->block->method}, i};
            uint32_t at;
            if (!eti__intern_add(&in->last.table, &handle_kind, &item, &at))
                return false;
            const eti_event *last = in->groups[in->last.items[at].group].event;
            if (last->instruction_id < g->event->instruction_id)
                in->last.items[at].group = i;
        }
    }
    return true;
}

/* Adds what remains of the first `n` groups, which are Events, that were joined into later Events. */
static bool add_remainders(finder *in, size_t n) {
    bool done = true;
    for (size_t i = 0; done && i < n; i++) {
        const group *g = &in->groups[i];
        bool is_replaced = g->joined && in->groups[g->joined - 1].event != g->event;
        if (is_replaced && eti__is_delegate_call(g->event))
            done = add_call(in, g);
    }
    return done;
}

static eti_status find_points(finder *in) {
    if (!list_events(in))
        return eti_fail_memory(in->err);
    size_t n = in->n_groups; /* joined groups follow */
    if (!find_last(in, n))
        return eti_fail_memory(in->err);
    for (size_t i = 0; i < n; i++)
        ETI_TRY(join(in, i));
    if (!gather_names(in, n) || !add_remainders(in, n))
        return eti_fail_memory(in->err);
    for (size_t i = 0; i < in->n_groups; i++) {
        if (!in->groups[i].joined && !add_group(in, &in->groups[i]))
            return eti_fail_memory(in->err);
    }
    eti__sort(in->out->points, in->out->n, sizeof *in->out->points, compare_points, NULL);
    return ETI_OK;
}

eti_status eti__points_find(eti_points *out, const eti_origins *origins, size_t first, size_t end,
                            eti_error *err) {
    finder in = {.out = out, .origins = origins, .first = first, .end = end, .err = err};
    *out = (eti_points){.n = 0};
    eti_status status = find_points(&in);
    free(in.groups);
    free(in.overlapping);
    eti__index_free(&in.by_handles);
    eti__intern_free(&in.owners.table);
    eti__intern_free(&in.last.table);
    eti__intern_free(&in.inner.table);
    return status;
}

eti_status eti__points_of_events(eti_points *out, const eti_origins *origins, size_t first,
                                 size_t end, eti_error *err) {
    const eti_recorded *recorded = origins->recorded;
    *out = (eti_points){.n = 0};
    for (size_t i = first; i < end; i += recorded->tensors[i].n_of_event) {
        const eti_recorded_tensor *tensor = &recorded->tensors[i];
        size_t n = tensor->n_of_event;
        const eti_graph_node *node = origins->of[i + n - 1].node;
        eti_point point = {.event = tensor->event, .tensors = tensor, .n = n, .n_outputs = 1};
        point.instruction = tensor->event ? tensor->event->instruction_id : -1;
        if (tensor->event) {
            point.name = tensor->event->name;
            point.handles = tensor->event->known->handles.handles;
            point.n_handles = tensor->event->known->handles.n;
            point.node = node;
        }
        if (node)
            point.source_node = node->node.origin;
        if (!add_point(out, &point))
            return eti_fail_memory(err);
    }
    return ETI_OK;
}

/* ---- points of files -------------------------------------------------------------------------- */

static int compare_handles(const void *a, const void *b, void *unused) {
    const eti_graph_node *const *x = a, *const *y = b;
    (void)unused;
    int64_t one = (*x)->debug_handle, other = (*y)->debug_handle;
    return one != other ? (one > other) - (one < other) : (*x > *y) - (*x < *y);
}

/* Returns the last of the sorted nodes with this handle, or NULL if there is none. */
static const eti_graph_node *last_with(const eti_graph_node *const *nodes, size_t n,
                                       int64_t handle) {
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (nodes[middle]->debug_handle <= handle)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && nodes[low - 1]->debug_handle == handle ? nodes[low - 1] : NULL;
}

bool eti__points_find_nodes(eti_points *points, const eti_origins *origins) {
    const eti_recorded *recorded = origins->recorded;
    const eti_origin_graph *g =
        recorded->n > 0 ? eti__origins_graph(origins, recorded->tensors[0].block) : NULL;
    if (!g)
        return true;
    const eti_graph *graph = &g->graph.graph;
    const eti_graph_node **nodes = malloc((graph->n_nodes + 1) * sizeof *nodes);
    size_t n = 0;
    if (!nodes)
        return false;
    for (size_t i = 0; i < graph->n_nodes; i++) {
        if (graph->nodes[i].has_debug_handle)
            nodes[n++] = &graph->nodes[i];
    }
    eti__sort(nodes, n, sizeof *nodes, compare_handles, NULL);
    for (size_t i = 0; i < points->n; i++) {
        eti_point *point = &points->points[i];
        if (!point->node && point->has_handle)
            point->node = last_with(nodes, n, point->handle);
        if (point->node)
            point->source_node = point->node->node.origin;
    }
    free(nodes);
    return true;
}

void eti__points_free(eti_points *points) {
    eti__arena_free(&points->arena);
    free(points->points);
    *points = (eti_points){.n = 0};
}

/* ==== saved =================================================================================== */

/* Names in use, and for each the number of tensors that asked for it. */
typedef struct name_giver {
    eti_arena *arena;
    eti_text_table given;
    uint32_t *n_wanted; /* per name */
    size_t capacity;
    eti_buffer text;
} name_giver;

/* ---- names ------------------------------------------------------------------------------------ */

static void add_run(eti_buffer *out, const eti_recorded_tensor *tensor) {
    eti__buffer_add_text(out, tensor->block->label);
    eti__buffer_printf(out, ".%zu/", tensor->run);
}

static void add_event_name(eti_buffer *out, const eti_recorded_tensor *tensor) {
    const eti_event *event = tensor->event;
    add_run(out, tensor);
    if (event && event->instruction_id != -1)
        eti__buffer_printf(out, "%d:", (int)event->instruction_id);
    else if (event)
        eti__buffer_add_string(out, "-:");
    if (event)
        eti__buffer_add_text(out, event->name);
    else
        eti__buffer_add_string(out, "output");
    eti__buffer_printf(out, "#%u", (unsigned)tensor->index);
}

static void add_handle_name(eti_buffer *out, const eti_point *point,
                            const eti_recorded_tensor *tensor, bool has_several_runs) {
    if (has_several_runs) {
        add_run(out, tensor);
        eti__buffer_add_string(out, ETI_SAVED_HANDLE_MARK ":");
    }
    eti_text source = point->source_node.data ? point->source_node : point->node->node.name;
    eti__buffer_printf(out, "%" PRId64 ":", point->handle);
    eti__buffer_add_text(out, source);
    ptrdiff_t number = tensor - point->tensors;
    eti__buffer_printf(out, "#%td", point->ports ? (ptrdiff_t)point->ports[number] : number);
}

/* ---- points ----------------------------------------------------------------------------------- */

/* The points of all runs, and the point of each tensor. */
typedef struct all_points {
    eti_points *of_runs;
    size_t n_runs;
    const eti_point **of; /* per tensor; NULL if it has no point */
} all_points;

static void free_points(all_points *points) {
    for (size_t i = 0; i < points->n_runs; i++)
        eti__points_free(&points->of_runs[i]);
    free(points->of_runs);
    free((void *)points->of);
}

static void note_points(all_points *out, const eti_recorded *recorded, const eti_points *points) {
    for (size_t i = 0; i < points->n; i++) {
        const eti_point *point = &points->points[i];
        for (size_t k = 0; k < point->n && point->has_handle && point->node; k++)
            out->of[&point->tensors[k] - recorded->tensors] = point;
    }
}

static eti_status find_saved_points(all_points *out, const eti_origins *origins, eti_error *err) {
    const eti_recorded *recorded = origins->recorded;
    const eti_recorded_tensor *tensors = recorded->tensors;
    out->of = calloc(recorded->n + 1, sizeof *out->of);
    out->of_runs = calloc(recorded->n + 1, sizeof *out->of_runs);
    if (!out->of || !out->of_runs)
        return eti_fail_memory(err);
    for (size_t first = 0, end; first < recorded->n; first = end) {
        for (end = first + 1; end < recorded->n; end++) {
            if (!eti__recorded_together(&tensors[first], &tensors[end]))
                break;
        }
        eti_points *points = &out->of_runs[out->n_runs++];
        ETI_TRY(eti__points_find(points, origins, first, end, err));
        note_points(out, recorded, points);
    }
    return ETI_OK;
}

/* ---- names that differ ------------------------------------------------------------------------ */

/* Numbers the name in `giver->text`. Returns false if memory runs out. */
static bool give(name_giver *giver, uint32_t *number, bool *is_new) {
    size_t n_before = giver->given.count;
    if (giver->text.failed ||
        !eti__text_table_add(&giver->given, eti__buffer_text(&giver->text), giver->arena, number) ||
        !ETI_GROW(giver->n_wanted, giver->capacity, giver->given.count))
        return false;
    *is_new = *number == n_before;
    if (*is_new)
        giver->n_wanted[*number] = 1;
    return true;
}

/* Returns the name in `giver->text`, with a suffix if it is already in use; absent if memory runs out. */
static eti_text give_name(name_giver *giver) {
    uint32_t wanted, number;
    bool is_new;
    size_t size = giver->text.size;
    if (!give(giver, &wanted, &is_new))
        return (eti_text){NULL, 0};
    number = wanted;
    while (!is_new) {
        giver->text.size = size;
        eti__buffer_printf(&giver->text, "~%u", (unsigned)++giver->n_wanted[wanted]);
        if (!give(giver, &number, &is_new))
            return (eti_text){NULL, 0};
    }
    return giver->given.texts[number];
}

/* ---- all -------------------------------------------------------------------------------------- */

static bool are_of_several_runs(const eti_recorded *recorded, const size_t *numbers, size_t n) {
    for (size_t i = 1; i < n; i++) {
        if (!eti__recorded_together(&recorded->tensors[numbers[0]], &recorded->tensors[numbers[i]]))
            return true;
    }
    return false;
}

/* Lists the tensors. If `points` is NULL, names them by event. Returns false if memory runs out. */
static bool list(eti_saved_tensors *out, name_giver *giver, const eti_recorded *recorded,
                 const all_points *points, const size_t *numbers, size_t n) {
    bool has_several_runs = are_of_several_runs(recorded, numbers, n);
    for (size_t i = 0; i < n; i++) {
        const eti_recorded_tensor *tensor = &recorded->tensors[numbers[i]];
        giver->text.size = 0;
        if (tensor->fault != ETI_RECORDED_FINE) {
            out->n_without_elements++;
            continue;
        }
        if (points && !points->of[numbers[i]]) {
            out->n_without_node++;
            continue;
        }
        if (points)
            add_handle_name(&giver->text, points->of[numbers[i]], tensor, has_several_runs);
        else
            add_event_name(&giver->text, tensor);
        out->tensors[out->n] = tensor->values;
        out->tensors[out->n].name = give_name(giver);
        if (!out->tensors[out->n++].name.data)
            return false;
    }
    return true;
}

eti_status eti__saved_tensors_list(eti_saved_tensors *out, const eti_origins *origins,
                                   const size_t *numbers, size_t n, unsigned key, eti_error *err) {
    *out = (eti_saved_tensors){.n = 0};
    out->tensors = malloc((n + 1) * sizeof *out->tensors);
    name_giver giver = {.arena = &out->arena};
    all_points points = {.n_runs = 0};
    bool is_by_handle = key == ETI_SAVED_BY_HANDLE;
    eti_status status = is_by_handle ? find_saved_points(&points, origins, err) : ETI_OK;
    if (status == ETI_OK && (!out->tensors || !list(out, &giver, origins->recorded,
                                                    is_by_handle ? &points : NULL, numbers, n)))
        status = eti_fail_memory(err);
    free_points(&points);
    eti__text_table_free(&giver.given);
    free(giver.n_wanted);
    eti__buffer_free(&giver.text);
    return status;
}

void eti__saved_tensors_free(eti_saved_tensors *saved) {
    eti__arena_free(&saved->arena);
    free(saved->tensors);
    *saved = (eti_saved_tensors){.n = 0};
}
