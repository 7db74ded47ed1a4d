#include "places/places.h"

#include "inside/inside.h"

#include <stdlib.h>

/* ---- how nodes were lowered ------------------------------------------------------------------ */

/* A use of a debug handle by an instruction. */
typedef struct handle_use {
    int64_t handle;
    eti_text backend; /* absent for a kernel */
} handle_use;

static int compare_uses(const void *a, const void *b) {
    const handle_use *x = a, *y = b;
    return (x->handle > y->handle) - (x->handle < y->handle);
}

static size_t count_uses(const eti_lowered_graph *graph, size_t method) {
    size_t n = 0;
    for (size_t i = 0; i < eti__etrecord_method_instruction_count(graph->record, method); i++) {
        const eti_delegate_call *call;
        n += eti__etrecord_instruction_handles(graph->record, method, i, &call).n;
    }
    return n;
}

static void list_uses(const eti_lowered_graph *graph, size_t method, handle_use *uses) {
    size_t n = 0;
    for (size_t i = 0; i < eti__etrecord_method_instruction_count(graph->record, method); i++) {
        const eti_delegate_call *call;
        eti_debug_handles handles =
            eti__etrecord_instruction_handles(graph->record, method, i, &call);
        for (size_t at = 0; at < handles.n; at++)
            uses[n++] =
                (handle_use){handles.handles[at], call ? call->backend_name : (eti_text){NULL, 0}};
    }
}

/* Returns the first use of a handle that is not below the given one; nodes of a graph may share handles, and so may
 * instructions. */
static size_t find_use(const handle_use *uses, size_t n, int64_t handle) {
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (uses[middle].handle < handle)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Merges a use into a node. In a graph with lowered modules, other nodes are not delegated, even if delegates share
 * their handles. */
static void merge_use(const eti_lowered_graph *graph, eti_lowered_node *node,
                      const handle_use *use) {
    if (use->backend.data && graph->graph.is_whole)
        return;
    if (use->backend.data) {
        node->is_delegated = true;
        node->backend = use->backend;
    } else {
        node->is_kernel = true;
    }
}

/* Keeps only the first kernel and the first delegate of each handle, so that no node has to look at more than two
 * uses of its handle. */
static size_t drop_repeated(handle_use *uses, size_t n) {
    size_t n_kept = 0;
    for (size_t i = 0; i < n; i++) {
        size_t first = n_kept;
        while (first > 0 && uses[first - 1].handle == uses[i].handle)
            first--;
        bool is_there = false;
        for (size_t at = first; at < n_kept; at++)
            is_there |= (uses[at].backend.data != NULL) == (uses[i].backend.data != NULL);
        if (!is_there)
            uses[n_kept++] = uses[i];
    }
    return n_kept;
}

static bool classify_nodes(eti_lowered_graph *graph, size_t method) {
    size_t n = count_uses(graph, method);
    handle_use *uses = malloc((n + 1) * sizeof *uses);
    if (!uses)
        return false;
    list_uses(graph, method, uses);
    qsort(uses, n, sizeof *uses, compare_uses);
    n = drop_repeated(uses, n);
    for (size_t i = 0; i < graph->graph.n_nodes - graph->graph.n_lowered; i++) {
        const eti_graph_node *node = &graph->graph.nodes[i];
        size_t at = node->has_debug_handle ? find_use(uses, n, node->debug_handle) : n;
        for (; at < n && uses[at].handle == node->debug_handle; at++)
            merge_use(graph, &graph->nodes[i], &uses[at]);
    }
    free(uses);
    return true;
}

/* ---- lowered modules ------------------------------------------------------------------------- */

/* Gives all nodes of a module to the call of the module. */
static void join_call(eti_lowered_graph *graph, const eti_lowered_module *module) {
    bool has_call = module->call != ETI_NO_NODE && module->n_nodes > 0;
    if (has_call) {
        graph->nodes[module->call].is_call = true;
        graph->nodes[module->call].backend = module->backend;
    }
    for (size_t i = 0; i < module->n_nodes; i++) {
        eti_lowered_node *node = &graph->nodes[module->first + i];
        node->is_delegated = true;
        node->backend = module->backend;
        node->call = module->call;
    }
}

static eti_text plain_name(const eti_lowered_graph *graph, size_t number) {
    eti_text name = graph->graph.nodes[number].node.name;
    return (eti_text){name.data, name.size > 0 ? name.size - 1 : 0};
}

/* Names the nodes. Lowered modules name their nodes independently, so the same name may occur elsewhere. */
static bool name_nodes(eti_lowered_graph *graph) {
    eti_text_table names = {.count = 0};
    eti_buffer text = {0};
    bool done = true;
    for (size_t i = 0; i < graph->graph.n_nodes && done; i++) {
        eti_lowered_node *node = &graph->nodes[i];
        size_t n_known = names.count;
        uint32_t ignored;
        node->name = plain_name(graph, i);
        if (graph->graph.n_lowered == 0)
            continue;
        done = eti__text_table_add(&names, node->name, NULL, &ignored);
        if (!done || names.count > n_known || node->call == ETI_NO_NODE)
            continue;
        text.size = 0;
        eti__buffer_add_text(&text, plain_name(graph, node->call));
        eti__buffer_add_char(&text, '/');
        eti__buffer_add_text(&text, node->name);
        done = !text.failed &&
               eti__arena_copy_text(&graph->arena, eti__buffer_text(&text), &node->name);
    }
    eti__buffer_free(&text);
    eti__text_table_free(&names);
    return done;
}

static bool make_nodes(eti_lowered_graph *graph) {
    graph->nodes = calloc(graph->graph.n_nodes + 1, sizeof *graph->nodes);
    if (!graph->nodes)
        return false;
    for (size_t i = 0; i < graph->graph.n_nodes; i++)
        graph->nodes[i].call = ETI_NO_NODE;
    for (size_t i = 0; i < graph->graph.n_modules; i++)
        join_call(graph, &graph->graph.modules[i]);
    return name_nodes(graph);
}

/* Matches the nodes with those of the inspector, which may lack the nodes of lowered modules. */
static void match_nodes(eti_lowered_graph *out, const eti_graph *known) {
    size_t n_plain = out->graph.n_nodes - out->graph.n_lowered;
    size_t n_known = known->n_nodes - (known->is_whole ? known->n_lowered : 0);
    if (n_known != n_plain || (known->n_lowered > 0 && known->n_lowered != out->graph.n_lowered))
        return;
    out->matched = known->nodes;
    out->n_matched = n_known + known->n_lowered;
}

/* ---- the native backend ---------------------------------------------------------------------- */

/* Marks the nodes of a payload that have no handles. */
static bool mark_payload(eti_lowered_graph *graph, eti_native_nodes *nodes,
                         const eti_native *payload, eti_text backend) {
    const eti_native_found *found = eti__native_nodes_find(nodes, payload);
    for (uint32_t i = 0; found && i < payload->n_nodes; i++) {
        eti_lowered_node *node = found[i].node != ETI_NO_NODE ? &graph->nodes[found[i].node] : NULL;
        if (!node || node->is_kernel || node->is_delegated)
            continue;
        node->is_delegated = true;
        node->backend = backend;
    }
    return found != NULL;
}

static eti_status mark_delegates(eti_lowered_graph *graph, const eti_pte_plan *plan,
                                 eti_error *err) {
    eti_payloads payloads = {.arena = &graph->arena};
    eti_native_nodes nodes = {.graph = NULL};
    eti_status status = ETI_OK;
    for (uint32_t i = 0; i < plan->n_delegates && status == ETI_OK; i++) {
        const eti_pte_delegate *delegate = &plan->delegates[i];
        const eti_native *payload;
        if (eti__backend_of_id(delegate->id) != ETI_BACKEND_NATIVE)
            continue;
        status =
            eti__payloads_find_native(&payloads, delegate->id, delegate->payload, &payload, err);
        if (status == ETI_OK && payload &&
            ((!nodes.graph && !eti__native_nodes_init(&nodes, &graph->graph, &graph->values)) ||
             !mark_payload(graph, &nodes, payload, delegate->id)))
            status = eti_fail_memory(err);
    }
    eti__native_nodes_free(&nodes);
    eti__payloads_free(&payloads);
    return status;
}

/* Marks the nodes that the native delegates of a method run, although they have no handles: the exporter made them anew, to
 * overwrite their inputs. */
static eti_status mark_native(eti_lowered_graph *graph, const eti_inspector *inspector,
                              size_t method, eti_error *err) {
    const eti_pte *pte = inspector->n_programs > 0 ? &inspector->programs[0] : NULL;
    for (uint32_t i = 0; pte && method != ETI_NO_METHOD && i < pte->n_plans; i++) {
        if (eti__record_method_of_plan(inspector, pte, &pte->plans[i]) == method)
            ETI_TRY(mark_delegates(graph, &pte->plans[i], err));
    }
    return ETI_OK;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Returns the method of the chosen blocks, or the Inspector's method if they ran several methods or none is known. */
static size_t choose_method(const eti_inspector *inspector, const eti_view_options *options) {
    size_t method = ETI_NO_METHOD;
    if (options->like) /* one of several methods, or a block with an unknown method */
        return options->like->method;
    for (size_t i = 0; i < inspector->blocks.n_blocks; i++) {
        const eti_event_block *block = &inspector->blocks.blocks[i];
        if (!eti__block_is_chosen(options, block) || block->method == ETI_NO_METHOD)
            continue;
        if (method != ETI_NO_METHOD && method != block->method)
            return inspector->method;
        method = block->method;
    }
    return method != ETI_NO_METHOD ? method : inspector->method;
}

/* Reads the graph called `name`; NULL: the edge program of the method. */
static eti_status read_graph(eti_lowered_graph *out, const eti_inspector *inspector, size_t method,
                             const char *name, eti_error *err) {
    out->record = inspector->record;
    ETI_TRY(eti__record_graph(inspector->opened_record, ETI_READ_VALUES, method, name, &out->graph,
                              &out->values, err));
    out->graph = eti__graph_whole(&out->graph);
    const eti_graph *known = eti__methods_graph(inspector, method);
    if (!name && known)
        match_nodes(out, known);
    bool done = make_nodes(out) && (method == ETI_NO_METHOD || classify_nodes(out, method));
    return done ? mark_native(out, inspector, method, err) : eti_fail_memory(err);
}

bool eti__shows_recorded_graph(const eti_inspector *inspector) {
    return inspector->record && !inspector->leaves_out_record &&
           inspector->method != ETI_NO_METHOD &&
           eti__etrecord_method_has_graph(inspector->record, inspector->method);
}

eti_status eti__lowered_graph_read_method(eti_lowered_graph *out, const eti_inspector *inspector,
                                          size_t method, eti_error *err) {
    *out = (eti_lowered_graph){.method = method};
    bool has_graph = eti__uses_record(inspector) && method != ETI_NO_METHOD &&
                     eti__etrecord_method_has_graph(inspector->record, method);
    return has_graph ? read_graph(out, inspector, method, NULL, err) : ETI_OK;
}

eti_status eti__lowered_graph_read(eti_lowered_graph *out, const eti_inspector *inspector,
                                   const eti_view_options *options, const char *name,
                                   eti_error *err) {
    size_t method = choose_method(inspector, options);
    if (!name)
        return eti__lowered_graph_read_method(out, inspector, method, err);
    *out = (eti_lowered_graph){.method = method};
    return inspector->record
               ? read_graph(out, inspector, method, name, err)
               : eti_fail(err, ETI_ERROR_USAGE,
                          "%sgraph: graph %s needs an ETRecord: give the ETRecord as well",
                          eti__option_prefix(), name);
}

void eti__lowered_graph_free(eti_lowered_graph *graph) {
    eti__arena_free(&graph->arena);
    eti__pointer_table_free(&graph->seen);
    free(graph->nodes);
    *graph = (eti_lowered_graph){0};
}

/* Compares addresses as integers, because the node may belong to another graph, for which a difference of pointers is
 * undefined. */
uint32_t eti__lowered_graph_number(const eti_lowered_graph *graph, const eti_op_node *node) {
    uintptr_t start = (uintptr_t)graph->matched, at = (uintptr_t)node;
    if (!graph->matched || at < start)
        return ETI_NO_NODE;
    size_t number = (size_t)(at - start) / sizeof *graph->matched;
    return number < graph->n_matched ? (uint32_t)number : ETI_NO_NODE;
}

/* Marks a node as executed. A kernel with a node of its own is stronger evidence than the debug handle of that node,
 * which a delegate may share. */
static void mark_node(eti_lowered_node *node, bool is_own_kernel) {
    node->is_executed = true;
    if (!is_own_kernel || node->call != ETI_NO_NODE)
        return;
    node->is_kernel = true;
    node->is_delegated = false;
    node->backend = (eti_text){NULL, 0};
}

bool eti__lowered_graph_mark(eti_lowered_graph *graph, const eti_event_block *block) {
    for (size_t i = 0; i < block->n_events && graph->matched; i++) {
        const eti_event_record *record = block->events[i].known;
        uint32_t ignored;
        if (!block->events[i].is_timed || record->n_op_nodes == 0 ||
            eti__pointer_table_find(&graph->seen, record->op_nodes, &ignored))
            continue;
        if (!eti__pointer_table_add(&graph->seen, record->op_nodes, 0))
            return false;
        bool is_own_kernel =
            record->own_op.data && record->n_op_nodes == 1 && !block->events[i].logged;
        for (size_t at = 0; at < record->n_op_nodes; at++) {
            uint32_t number = eti__lowered_graph_number(graph, record->op_nodes[at]);
            if (number != ETI_NO_NODE)
                mark_node(&graph->nodes[number], is_own_kernel);
        }
    }
    return true;
}
