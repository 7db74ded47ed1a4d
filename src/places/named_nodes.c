#include "places/named_nodes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Number of nodes and handles that all events together may list; beyond it, events have only the handles in the file. */
#define MOST_LISTED ((size_t)1 << 22)
/* Most handles of one event; real ones have a few. */
#define MOST_HANDLES 1024u
/* Longest name of a node that is looked up, and most parts that a pass appends to one. */
#define LONGEST_NAME 1024u
#define MOST_SUFFIXES 4u
#define MOST_DIGITS 9u

/* A name in the exporter's graph. */
typedef struct named_node {
    eti_text name;
    const eti_op_node *node; /* NULL: several nodes have the name */
    bool is_taken;           /* an event has exactly this name */
} named_node;

/* A name without its final number. */
typedef struct numbered_name {
    eti_text base;
    int64_t number; /* -1: it has none */
    size_t item;
} numbered_name;

/* The handles or the node that an event has. */
typedef struct finding {
    uint8_t attribution; /* ETI_ATTRIBUTION_CALL: nothing of its own */
    const int64_t *handles;
    size_t n_handles;
    const eti_op_node *node; /* the only node; NULL: those of the handles */
} finding;

typedef struct naming {
    eti_named_nodes *named;
    const eti_event_block *block;
    const eti_delegated_call *call;
    eti_backend backend;
    finding *found;   /* per event of the call */
    int64_t *handles; /* of all events that have been found, sorted */
    size_t n_handles;
    ETI_INTERN_OF(named_node) nodes;
    eti_arena scratch;
    eti_error *err;
} naming;

static const eti_delegate_event *logged_of(const naming *n, size_t i) {
    return n->call->events[i]->logged;
}

static bool is_node(const naming *n, size_t i) {
    return logged_of(n, i) && logged_of(n, i)->role == ETI_DELEGATE_NODE;
}

bool eti__has_named_nodes(eti_backend backend) {
    return backend == ETI_BACKEND_COREML || backend == ETI_BACKEND_QNN ||
           backend == ETI_BACKEND_VGF || backend == ETI_BACKEND_NEUTRON ||
           backend == ETI_BACKEND_ETHOSU || backend == ETI_BACKEND_NATIVE;
}

/* ==== delegate map ============================================================================ */

/* Finds the handles of events whose identifiers the delegate_map has. */
static eti_status find_recorded(naming *n) {
    const eti_delegate_call *map;
    if (!eti__recorded_map_find(n->named->recorded, n->named->inspector->record, n->block->method,
                                n->call->instruction, &map))
        return eti_fail_memory(n->err);
    for (size_t i = 0; map && i < n->call->n; i++) {
        eti_attribution attribution;
        const eti_delegate_entry *entry =
            is_node(n, i) ? eti__recorded_entry_find(n->named->recorded, map, n->call->events[i],
                                                     &attribution)
                          : NULL;
        if (entry)
            n->found[i] = (finding){.attribution = (uint8_t)attribution,
                                    .handles = entry->handles.handles,
                                    .n_handles = entry->handles.n};
    }
    return ETI_OK;
}

/* ==== payloads ================================================================================ */

static bool find_payload(const naming *n, eti_text *backend, eti_text *bytes) {
    const eti_inspector *inspector = n->named->inspector;
    return eti__find_payload(inspector, eti__method_of(inspector, n->block), n->block->plan,
                             n->call->event, backend, bytes);
}

/* Finds the handles of the other events in the payload. */
static eti_status find_symbols(naming *n) {
    const eti_coreml *payload = NULL;
    eti_text backend, bytes;
    if (find_payload(n, &backend, &bytes))
        ETI_TRY(eti__payloads_find_coreml(n->named->payloads, backend, bytes, &payload, n->err));
    for (size_t i = 0; payload && i < n->call->n; i++) {
        if (!is_node(n, i) || n->found[i].attribution != ETI_ATTRIBUTION_CALL)
            continue;
        const eti_coreml_symbol *symbol = eti__coreml_find(payload, n->call->names[i]);
        if (symbol && symbol->n_handles > 0)
            n->found[i] = (finding){.attribution = ETI_ATTRIBUTION_EXACT,
                                    .handles = symbol->handles,
                                    .n_handles = symbol->n_handles};
    }
    return ETI_OK;
}

/* ==== names of nodes ========================================================================== */

/* ---- the exporter's graph -------------------------------------------------------------------- */

/* Reads the values of the method's graph, which have the names. Without them, events belong to their calls. */
static eti_status read_names(naming *n) {
    eti_named_nodes *named = n->named;
    eti_error why = ETI_ERROR_INIT;
    eti_buffer text = {0};
    if (named->are_names_read && named->named_method == n->block->method)
        return ETI_OK;
    eti__native_nodes_free(&named->native);
    eti__lowered_graph_free(&named->names);
    named->are_names_read = true;
    named->named_method = n->block->method;
    eti_status status =
        eti__lowered_graph_read_method(&named->names, named->inspector, n->block->method, &why);
    if (status == ETI_OK)
        return ETI_OK;
    eti__lowered_graph_free(&named->names);
    if (status == ETI_ERROR_MEMORY)
        return eti_fail_memory(n->err);
    eti__buffer_printf(&text,
                       "cannot read the names of nodes (%s): events of %.*s belong to their calls",
                       why.message, ETI_TEXT_ARGS(n->call->event->known->backend_name));
    return eti__notes_add(named->inspector, ETI_NOTE_WARNING, &text, n->err);
}

/* Cuts "_unused_1" off, which the exporter appends to the name of a node for results that nothing uses. */
static eti_text node_name(eti_text value) {
    static const char mark[] = "_unused_";
    const size_t n_mark = sizeof mark - 1;
    size_t n = value.size;
    while (n > 0 && eti__is_digit(value.data[n - 1]))
        n--;
    bool is_unused =
        n < value.size && n > n_mark && memcmp(value.data + n - n_mark, mark, n_mark) == 0;
    return is_unused ? (eti_text){value.data, n - n_mark} : value;
}

static const eti_intern_kind node_kind = ETI_INTERN_BY_TEXT(named_node);

static bool add_name(naming *n, eti_text name, const eti_op_node *node) {
    uint32_t number;
    if (name.size == 0 || name.size > LONGEST_NAME)
        return true;
    if (!eti__intern_add(&n->nodes.table, &node_kind, &(named_node){.name = name, .node = node},
                         &number))
        return false;
    if (n->nodes.items[number].node != node)
        n->nodes.items[number].node = NULL;
    return true;
}

/* Lists the names of the call's nodes: those of the values that they return, and their own. */
static bool list_names(naming *n) {
    const eti_lowered_graph *graph = &n->named->names;
    const eti_event_record *known = n->call->event->known;
    for (size_t i = 0; i < known->n_op_nodes; i++) {
        const eti_op_node *node = known->op_nodes[i];
        uint32_t number = eti__lowered_graph_number(graph, node);
        eti_text own = {node->name.data, node->name.size > 0 ? node->name.size - 1 : 0};
        if (number == ETI_NO_NODE)
            continue;
        const eti_graph_ports *ports = &graph->values.ports[number];
        for (uint32_t k = 0; k < ports->n_outputs; k++) {
            if (!add_name(n, node_name(graph->values.values[ports->outputs[k]].name), node))
                return false;
        }
        if (!add_name(n, own, node))
            return false;
    }
    return true;
}

static named_node *find_name(naming *n, eti_text name) {
    uint32_t number;
    if (name.size == 0 || name.size > LONGEST_NAME ||
        !eti__intern_find(&n->nodes.table, &node_kind, &name, &number))
        return NULL;
    return &n->nodes.items[number];
}

/* ---- equal names ----------------------------------------------------------------------------- */

static bool is_open(const naming *n, size_t i) {
    return is_node(n, i) && logged_of(n, i)->node.size > 0 &&
           n->found[i].attribution == ETI_ATTRIBUTION_CALL;
}

static void take_node(naming *n, size_t i, const eti_op_node *node, eti_attribution attribution) {
    n->found[i] = (finding){.attribution = (uint8_t)attribution, .node = node};
}

static void find_exact(naming *n) {
    for (size_t i = 0; i < n->call->n; i++) {
        named_node *name = is_open(n, i) ? find_name(n, logged_of(n, i)->node) : NULL;
        if (name && name->node) {
            take_node(n, i, name->node, ETI_ATTRIBUTION_EXACT);
            name->is_taken = true;
        }
    }
}

/* ---- names with other numbers ---------------------------------------------------------------- */

/* Splits "conv_12" into "conv" and 12. */
static numbered_name split(eti_text name, size_t item) {
    size_t n = name.size;
    while (n > 0 && eti__is_digit(name.data[n - 1]) && name.size - n < MOST_DIGITS)
        n--;
    if (n == name.size || n < 2 || name.data[n - 1] != '_')
        return (numbered_name){name, -1, item};
    int64_t number = 0;
    for (size_t i = n; i < name.size; i++)
        number = 10 * number + (name.data[i] - '0');
    return (numbered_name){{name.data, n - 1}, number, item};
}

static int compare_numbered(const void *a, const void *b) {
    const numbered_name *x = a, *y = b;
    int order = eti__text_compare(x->base, y->base);
    return order                    ? order
           : x->number != y->number ? (x->number > y->number) - (x->number < y->number)
                                    : (x->item > y->item) - (x->item < y->item);
}

static size_t end_of_base(const numbered_name *names, size_t first, size_t n) {
    size_t end = first;
    while (end < n && eti__text_equal(names[end].base, names[first].base))
        end++;
    return end;
}

/* Pairs events and nodes whose names differ only in their numbers, in the order of these, if there are as many of both. */
static void pair_numbered(naming *n, const numbered_name *events, size_t n_events,
                          const numbered_name *nodes, size_t n_nodes) {
    size_t at = 0;
    for (size_t i = 0; i < n_events;) {
        size_t end = end_of_base(events, i, n_events);
        while (at < n_nodes && eti__text_compare(nodes[at].base, events[i].base) < 0)
            at++;
        bool is_base = at < n_nodes && eti__text_equal(nodes[at].base, events[i].base);
        size_t node_end = is_base ? end_of_base(nodes, at, n_nodes) : at;
        for (size_t k = 0; node_end - at == end - i && k < end - i; k++)
            take_node(n, events[i + k].item, n->nodes.items[nodes[at + k].item].node,
                      ETI_ATTRIBUTION_ALIGNED);
        i = end;
        at = node_end;
    }
}

static bool find_aligned(naming *n) {
    numbered_name *events = eti__arena_alloc(&n->scratch, n->call->n, sizeof *events);
    numbered_name *nodes = eti__arena_alloc(&n->scratch, n->nodes.count, sizeof *nodes);
    size_t n_events = 0, n_nodes = 0;
    if (!events || !nodes)
        return false;
    for (size_t i = 0; i < n->call->n; i++) {
        if (is_open(n, i) && logged_of(n, i)->node.size <= LONGEST_NAME)
            events[n_events++] = split(logged_of(n, i)->node, i);
    }
    for (size_t i = 0; i < n->nodes.count; i++) {
        if (n->nodes.items[i].node && !n->nodes.items[i].is_taken)
            nodes[n_nodes++] = split(n->nodes.items[i].name, i);
    }
    if (n_events > 0)
        qsort(events, n_events, sizeof *events, compare_numbered);
    if (n_nodes > 0)
        qsort(nodes, n_nodes, sizeof *nodes, compare_numbered);
    pair_numbered(n, events, n_events, nodes, n_nodes);
    return true;
}

/* ---- inserted nodes -------------------------------------------------------------------------- */

/* Cuts the last part of a name off: a word or, if `may_be_number`, a number. */
static bool cut_part(eti_text *name, bool may_be_number) {
    size_t n = name->size;
    while (n > 0 && name->data[n - 1] != '_')
        n--;
    bool is_number = split(*name, 0).number >= 0;
    if (n < 2 || (is_number && !may_be_number))
        return false;
    name->size = n - 1;
    return true;
}

/* Finds the nodes of events with words appended to their names: a pass that inserts a node after "add" calls it
 * "add_permute". */
static void find_inputs(naming *n) {
    for (size_t i = 0; i < n->call->n; i++) {
        if (!is_open(n, i) || logged_of(n, i)->node.size > LONGEST_NAME)
            continue;
        eti_text name = logged_of(n, i)->node;
        bool is_numbered = split(name, 0).number >= 0;
        bool has_word = !is_numbered || cut_part(&name, true);
        const named_node *found = NULL;
        for (size_t k = 0; k < MOST_SUFFIXES && has_word && !found && cut_part(&name, false); k++)
            found = find_name(n, name);
        if (found && found->node)
            take_node(n, i, found->node, ETI_ATTRIBUTION_INFERRED);
    }
}

/* Finds the nodes whose names the events have. The passes of QNN number and insert nodes. */
static eti_status find_named(naming *n) {
    if (n->call->event->known->n_op_nodes == 0)
        return ETI_OK;
    ETI_TRY(read_names(n));
    if (!list_names(n))
        return eti_fail_memory(n->err);
    find_exact(n);
    if (n->backend != ETI_BACKEND_QNN)
        return ETI_OK;
    if (!find_aligned(n))
        return eti_fail_memory(n->err);
    find_inputs(n);
    return ETI_OK;
}

/* ---- the graph of the native backend --------------------------------------------------------- */

/* Finds what the nodes of a payload are in the method's graph; `*out` is NULL if there is no graph. */
static eti_status find_native_nodes(naming *n, const eti_native *payload,
                                    const eti_native_found **out) {
    eti_named_nodes *named = n->named;
    *out = NULL;
    ETI_TRY(read_names(n));
    if (!named->names.matched)
        return ETI_OK;
    bool done = named->native.graph ||
                eti__native_nodes_init(&named->native, &named->names.graph, &named->names.values);
    *out = done ? eti__native_nodes_find(&named->native, payload) : NULL;
    return *out ? ETI_OK : eti_fail_memory(n->err);
}

/* Finds the nodes of events that have names of the payload. Without a payload, the names are those of the method's graph. */
static eti_status find_native(naming *n) {
    const eti_native *payload = NULL;
    const eti_native_found *found;
    eti_text backend, bytes;
    if (find_payload(n, &backend, &bytes))
        ETI_TRY(eti__payloads_find_native(n->named->payloads, backend, bytes, &payload, n->err));
    if (!payload)
        return find_named(n);
    ETI_TRY(find_native_nodes(n, payload, &found));
    for (size_t i = 0; found && i < n->call->n; i++) {
        uint32_t number =
            is_open(n, i) ? eti__native_find(payload, logged_of(n, i)->node) : ETI_NATIVE_NONE;
        if (number != ETI_NATIVE_NONE && found[number].node < n->named->names.n_matched)
            take_node(n, i, &n->named->names.matched[found[number].node].node,
                      (eti_attribution)found[number].attribution);
    }
    return ETI_OK;
}

/* ==== nodes of handles ======================================================================== */

static const eti_graph_node *graph_node(const eti_op_node *node) {
    return (const eti_graph_node *)(const void *)node;
}

/* Nodes and handles of an event, in arrays of the arena. */
typedef struct node_list {
    const eti_op_node **nodes;
    size_t n;
    int64_t *handles;
    size_t n_handles;
} node_list;

static size_t count_nodes(const eti_handle_index *index, const finding *found) {
    size_t n = 0;
    for (size_t i = 0; i < found->n_handles && n <= MOST_LISTED; i++) {
        size_t at = eti__handle_index_first(index, found->handles[i]);
        for (; at < index->n && index->nodes[at].handle == found->handles[i]; at++)
            n++;
    }
    return n;
}

static void add_nodes_of(node_list *list, const eti_known_nodes *known, int64_t handle) {
    const eti_handle_index *index = &known->graph.by_handle;
    size_t at = eti__handle_index_first(index, handle);
    for (; at < index->n && index->nodes[at].handle == handle; at++)
        list->nodes[list->n++] = &known->graph.graph->nodes[index->nodes[at].node].node;
}

/* Returns whether a handle is the first of its kind in the list of an event. */
static bool is_new(const finding *found, size_t i) {
    for (size_t k = 0; k < i; k++) {
        if (found->handles[k] == found->handles[i])
            return false;
    }
    return true;
}

/* Counts the nodes and handles of a finding; returns false if they exceed a limit. */
static bool has_room(eti_named_nodes *named, const finding *found, size_t *n) {
    *n = 1;
    if (found->n_handles > MOST_HANDLES)
        return false;
    if (!found->node)
        *n = count_nodes(&named->known->graph.by_handle, found);
    if (*n > MOST_LISTED - named->n_listed || found->n_handles > MOST_LISTED - named->n_listed - *n)
        return false;
    named->n_listed += *n + found->n_handles;
    return true;
}

/* Lists the nodes of a finding, with room for one more node and handle. */
static bool list_nodes(eti_known_nodes *known, const finding *found, size_t n, node_list *out) {
    *out = (node_list){
        .nodes = eti__arena_alloc(known->arena, n + 1, sizeof *out->nodes),
        .handles = eti__arena_alloc(known->arena, found->n_handles + 2, sizeof *out->handles)};
    if (!out->nodes || !out->handles)
        return false;
    for (size_t i = 0; i < found->n_handles; i++) {
        if (!is_new(found, i))
            continue;
        out->handles[out->n_handles++] = found->handles[i];
        add_nodes_of(out, known, found->handles[i]);
    }
    if (found->node)
        out->nodes[out->n++] = found->node;
    if (found->node && graph_node(found->node)->has_debug_handle)
        out->handles[out->n_handles++] = graph_node(found->node)->debug_handle;
    return true;
}

/* ---- folded batch norms ---------------------------------------------------------------------- */

/* Counts the users of each node of the graph. */
static bool count_users(eti_named_nodes *named) {
    const eti_graph *graph = named->known->graph.graph;
    if (named->counted == graph)
        return true;
    free(named->n_users);
    named->counted = graph;
    named->n_users = calloc(graph->n_nodes + 1, sizeof *named->n_users);
    for (size_t i = 0; named->n_users && i < graph->n_nodes; i++) {
        const eti_graph_node *node = &graph->nodes[i];
        for (uint32_t k = 0; k < node->n_producers; k++)
            named->n_users[node->producers[k] - graph->nodes]++;
    }
    return named->n_users != NULL;
}

static bool is_found(const naming *n, int64_t handle) {
    return n->n_handles > 0 &&
           bsearch(&handle, n->handles, n->n_handles, sizeof handle, eti__compare_handles);
}

/* Adds the convolution to a batch norm that the exporter folded into it. Such an operation has only the handle of the
 * norm. */
static bool add_folded(naming *n, eti_text name, node_list *list) {
    const eti_graph *graph = n->named->known->graph.graph;
    if (list->n != 1 || !eti__text_ends_with(name, ":conv") ||
        !eti__text_contains(eti__operator_name(graph_node(list->nodes[0])->op_type),
                            eti__text_of("batch_norm")))
        return true;
    const eti_graph_node *norm = graph_node(list->nodes[0]);
    const eti_graph_node *input = norm->n_producers > 0 ? norm->producers[0] : NULL;
    if (!input || !eti__is_main_operator(input->op_type))
        return true;
    if (!count_users(n->named))
        return false;
    if (n->named->n_users[input - graph->nodes] != 1 ||
        (input->has_debug_handle && is_found(n, input->debug_handle)))
        return true;
    list->nodes[list->n++] = &input->node;
    if (input->has_debug_handle)
        list->handles[list->n_handles++] = input->debug_handle;
    return true;
}

/* ==== events ================================================================================== */

/* Starts without findings. */
static bool make_findings(naming *n) {
    n->found = eti__arena_alloc_zero(&n->scratch, n->call->n, sizeof *n->found);
    for (size_t i = 0; n->found && i < n->call->n; i++)
        n->found[i].attribution = ETI_ATTRIBUTION_CALL;
    return n->found != NULL;
}

/* Gives an event that runs no node the record of its call. */
static bool set_of_call(eti_known_nodes *known, const eti_event_record *call, eti_event *event) {
    return event->logged && event->logged->role == ETI_DELEGATE_DEVICE
               ? eti__known_nodes_set_device(known, call, event)
               : eti__known_nodes_set_call(known, call, event);
}

/* Lists the handles that the events have. */
static bool list_handles(naming *n) {
    size_t count = 0;
    for (size_t i = 0; i < n->call->n; i++)
        count += n->found[i].n_handles <= MOST_HANDLES ? n->found[i].n_handles : 0;
    n->handles = eti__arena_alloc(&n->scratch, count, sizeof *n->handles);
    if (!n->handles)
        return false;
    for (size_t i = 0; i < n->call->n; i++) {
        const finding *found = &n->found[i];
        for (size_t k = 0; found->n_handles <= MOST_HANDLES && k < found->n_handles; k++)
            n->handles[n->n_handles++] = found->handles[k];
    }
    if (count > 0)
        qsort(n->handles, count, sizeof *n->handles, eti__compare_handles);
    return true;
}

static bool set_event(naming *n, size_t i) {
    const finding *found = &n->found[i];
    const eti_event_record *of_call = n->call->event->known;
    eti_known_nodes *known = n->named->known;
    eti_event *event = n->call->events[i];
    size_t n_nodes;
    node_list list;
    if (found->attribution == ETI_ATTRIBUTION_CALL)
        return set_of_call(known, of_call, event);
    if (!has_room(n->named, found, &n_nodes))
        return eti__known_nodes_set_list(known, (eti_attribution)found->attribution, NULL, 0,
                                         found->handles, found->n_handles, event);
    if (!list_nodes(known, found, n_nodes, &list) ||
        (n->backend == ETI_BACKEND_COREML && !add_folded(n, n->call->names[i], &list)))
        return false;
    return eti__known_nodes_set_list(known, (eti_attribution)found->attribution, list.nodes, list.n,
                                     list.handles, list.n_handles, event);
}

static eti_status find_nodes(naming *n) {
    if (!make_findings(n))
        return eti_fail_memory(n->err);
    ETI_TRY(find_recorded(n));
    if (n->backend == ETI_BACKEND_COREML)
        ETI_TRY(find_symbols(n));
    if (n->backend == ETI_BACKEND_QNN)
        ETI_TRY(find_named(n));
    if (n->backend == ETI_BACKEND_NATIVE)
        ETI_TRY(find_native(n));
    if (!list_handles(n))
        return eti_fail_memory(n->err);
    for (size_t i = 0; i < n->call->n; i++) {
        if (!set_event(n, i))
            return eti_fail_memory(n->err);
    }
    return ETI_OK;
}

eti_status eti__named_nodes_set(eti_named_nodes *named, const eti_event_block *block,
                                const eti_delegated_call *call, eti_error *err) {
    naming n = {.named = named,
                .block = block,
                .call = call,
                .backend = eti__backend_of_id(call->event->known->backend_name),
                .err = err};
    eti_status status = find_nodes(&n);
    eti__intern_free(&n.nodes.table);
    eti__arena_free(&n.scratch);
    return status;
}

static bool is_plain(const eti_event *event) {
    return event->logged && !event->is_timed_as_delegated &&
           eti__has_named_nodes((eti_backend)event->logged->backend);
}

bool eti__named_nodes_set_plain(eti_named_nodes *named, eti_event_block *block) {
    eti_outer_calls calls;
    size_t first = 0;
    while (first < block->n_events && !is_plain(&block->events[first]))
        first++;
    if (first == block->n_events)
        return true;
    bool done = eti__outer_calls_find(&calls, block);
    for (size_t i = first; i < block->n_events && done; i++) {
        eti_event *event = &block->events[i];
        uint32_t call = is_plain(event) ? eti__outer_call_of(&calls, event) : UINT32_MAX;
        if (call != UINT32_MAX)
            done = set_of_call(named->known, calls.calls.items[call].event->known, event);
    }
    eti__outer_calls_free(&calls);
    return done;
}

/* Adds the nodes of a payload that have no handles to its call. */
static bool add_without_handles(naming *n, const eti_native *payload, const eti_native_found *found,
                                eti_event *call) {
    const eti_op_node **nodes = eti__arena_alloc(&n->scratch, payload->n_nodes, sizeof *nodes);
    size_t count = 0;
    for (uint32_t i = 0; nodes && i < payload->n_nodes; i++) {
        if (found[i].attribution == ETI_ATTRIBUTION_INFERRED &&
            found[i].node < n->named->names.n_matched)
            nodes[count++] = &n->named->names.matched[found[i].node].node;
    }
    return nodes && (count == 0 || eti__known_nodes_add(n->named->known, nodes, count, call));
}

eti_status eti__named_nodes_set_native_call(eti_named_nodes *named, const eti_event_block *block,
                                            eti_event *call, eti_error *err) {
    const eti_delegated_call only = {.event = call};
    naming n = {
        .named = named, .block = block, .call = &only, .backend = ETI_BACKEND_NATIVE, .err = err};
    const eti_native *payload = NULL;
    const eti_native_found *found;
    eti_text backend, bytes;
    if (!find_payload(&n, &backend, &bytes))
        return ETI_OK;
    ETI_TRY(eti__payloads_find_native(named->payloads, backend, bytes, &payload, err));
    if (!payload)
        return ETI_OK;
    ETI_TRY(find_native_nodes(&n, payload, &found));
    bool done = !found || add_without_handles(&n, payload, found, call);
    eti__arena_free(&n.scratch);
    return done ? ETI_OK : eti_fail_memory(err);
}

void eti__named_nodes_free(eti_named_nodes *named) {
    eti__native_nodes_free(&named->native);
    eti__lowered_graph_free(&named->names);
    free(named->n_users);
}
