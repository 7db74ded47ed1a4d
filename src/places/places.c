#include "places/parts.h"

#include <stdlib.h>

/* ==== event nodes ============================================================================= */

/* Limit: Events other than kernels stand for a few nodes at most, so longer lists belong to delegates. */
#define MOST_NODES_OF_OP 64

static const eti_graph_node *node_at(const eti_event_nodes *nodes, size_t i) {
    return (const eti_graph_node *)(const void *)nodes->all[i];
}

eti_event_nodes eti__event_nodes(const eti_event *event) {
    const eti_event_record *record = event->known;
    size_t n = record->n_op_nodes, n_own = record->n_own_nodes;
    return (eti_event_nodes){record->op_nodes, n_own > 0 && n_own < n ? n_own : n};
}

const eti_graph_node *eti__event_nodes_single(const eti_event_nodes *nodes) {
    return nodes->n == 1 ? node_at(nodes, 0) : NULL;
}

eti_text eti__event_op(const eti_event *event) {
    const eti_text none = {NULL, 0};
    eti_event_nodes nodes = eti__event_nodes(event);
    if (event->known->own_op.data)
        return eti__whole_operator(event->known->own_op);
    if (nodes.n == 0 || nodes.n > MOST_NODES_OF_OP)
        return none;
    eti_text op = node_at(&nodes, 0)->op_type;
    for (size_t i = 1; i < nodes.n; i++) {
        if (op.size > ETI_LONGEST_OPERATOR || !eti__text_equal(op, node_at(&nodes, i)->op_type))
            return none;
    }
    return eti__whole_operator(op);
}

/* ==== places ================================================================================== */

bool eti__places_init(eti_places *places) {
    *places = (eti_places){0};
    return eti__prefix_tree_init(&places->ops) && eti__prefix_tree_init(&places->modules) &&
           eti__prefix_tree_init(&places->frames);
}

void eti__places_free(eti_places *places) {
    eti__prefix_tree_free(&places->ops);
    eti__intern_free(&places->op_names.table);
    eti__intern_free(&places->op_lists.table);
    eti__prefix_tree_free(&places->modules);
    eti__intern_free(&places->module_names.table);
    eti__prefix_tree_free(&places->frames);
    eti__intern_free(&places->lines.table);
    eti__text_table_free(&places->files);
    eti__intern_free(&places->lists.table);
    eti__pointer_table_free(&places->by_stack);
    eti__pointer_table_free(&places->by_trace);
    eti__pointer_table_free(&places->by_op);
}

/* ---- modules --------------------------------------------------------------------------------- */

static bool add_module(eti_places *places, const eti_module *module, uint32_t *node) {
    static const eti_intern_kind kind = ETI_INTERN_BY_TEXT(eti_place_module);
    const eti_place_module named = {module->path.size > 0 ? module->path : module->type, module};
    uint32_t name;
    return eti__intern_add(&places->module_names.table, &kind, &named, &name) &&
           eti__prefix_tree_add(&places->modules, *node, name, node);
}

/* Finds the path of a stack. Repeated calls of a module have stacks of their own but the same path. A wrapper is not
 * a level. */
static bool find_stack(eti_places *places, const eti_op_node *node, uint32_t *out) {
    *out = ETI_PREFIX_ROOT;
    if (eti__pointer_table_find(&places->by_stack, node->modules, out))
        return true;
    bool is_wrapped = node->n_modules > 0 && eti__module_is_wrapper(&node->modules[0]);
    for (size_t i = is_wrapped; i < node->n_modules; i++) {
        if (!add_module(places, &node->modules[i], out))
            return false;
    }
    return eti__pointer_table_add(&places->by_stack, node->modules, *out);
}

/* ---- stack traces ---------------------------------------------------------------------------- */

static bool number_line(eti_places *places, const eti_stack_frame *frame, uint32_t *out) {
    static const eti_intern_kind kind = {.item_size = sizeof(eti_place_frame),
                                         .key_size = offsetof(eti_place_frame, frame)};
    uint32_t file;
    return eti__text_table_add(&places->files, frame->file, NULL, &file) &&
           eti__intern_add(&places->lines.table, &kind,
                           &(eti_place_frame){file, frame->line, *frame}, out);
}

static bool has_own_frames(eti_text trace) {
    eti_stack_frame frame;
    while (eti__stack_frame_next(&trace, &frame)) {
        if (!eti__stack_frame_is_library(&frame))
            return true;
    }
    return false;
}

static bool find_trace(eti_places *places, const eti_op_node *node, uint32_t *out) {
    eti_text rest = node->stack_trace;
    eti_stack_frame frame;
    *out = ETI_PREFIX_ROOT;
    if (eti__pointer_table_find(&places->by_trace, rest.data, out))
        return true;
    bool (*is_ignored)(const eti_stack_frame *frame) =
        has_own_frames(rest) ? eti__stack_frame_is_library : eti__stack_frame_is_exporter;
    while (eti__stack_frame_next(&rest, &frame)) {
        uint32_t number;
        if (is_ignored(&frame))
            continue;
        if (!number_line(places, &frame, &number) ||
            !eti__prefix_tree_add(&places->frames, *out, number, out))
            return false;
    }
    return eti__pointer_table_add(&places->by_trace, node->stack_trace.data, *out);
}

/* ---- lists of nodes -------------------------------------------------------------------------- */

static void join(const eti_prefix_tree *tree, uint32_t path, uint32_t *shared, bool *has_any) {
    *shared = *has_any ? eti__prefix_tree_common(tree, *shared, path) : path;
    *has_any = true;
}

static bool add_modules(eti_places *places, const eti_op_node *node, eti_place *place) {
    uint32_t path;
    if (!node || !eti__node_has_own_modules(node))
        return true;
    if (!find_stack(places, node, &path))
        return false;
    join(&places->modules, path, &place->module, &place->has_modules);
    return true;
}

static bool add_frames(eti_places *places, const eti_op_node *node, eti_place *place) {
    uint32_t path;
    if (!node || node->stack_trace.size == 0)
        return true;
    if (!find_trace(places, node, &path))
        return false;
    if (path != ETI_PREFIX_ROOT)
        join(&places->frames, path, &place->frame, &place->has_frames);
    return true;
}

/* Adds data of a node to a place. */
typedef bool (*add_function)(eti_places *places, const eti_op_node *node, eti_place *place);

static bool add_each(eti_places *places, const eti_event_nodes *nodes, bool of_served,
                     add_function add, eti_place *place) {
    bool done = true;
    for (size_t i = 0; i < nodes->n && done; i++)
        done = add(places, of_served ? nodes->all[i]->served : nodes->all[i], place);
    return done;
}

/* Adds modules and frames. Inserted nodes of quantizers count only if there are no others: they use the modules of
 * the operators that they serve, and frames of their own or, without any, those of these operators. */
static bool add_place(eti_places *places, const eti_event_nodes *nodes, eti_place *place) {
    bool done = true;
    for (size_t i = 0; i < nodes->n && done; i++) {
        const eti_op_node *node = nodes->all[i];
        if (!eti__node_is_inserted(node))
            done = add_modules(places, node, place) && add_frames(places, node, place);
    }
    return done && (place->has_modules || add_each(places, nodes, true, add_modules, place)) &&
           (place->has_frames || add_each(places, nodes, false, add_frames, place)) &&
           (place->has_frames || add_each(places, nodes, true, add_frames, place));
}

/* Numbers an operator. Operators share the texts of their targets, which may be long. */
static bool number_op(eti_places *places, eti_text op_type, uint32_t *out) {
    static const eti_intern_kind kind = ETI_INTERN_BY_TEXT(eti_place_op);
    return eti__intern_add_shared(&places->op_names.table, &kind, &places->by_op,
                                  &(eti_place_op){.name = op_type}, out);
}

/* Adds the distinct operators of the latest list, which are marked with its number. */
static bool add_ops(eti_places *places, eti_place_ops *list) {
    uint32_t mark = (uint32_t)places->op_lists.count;
    for (size_t i = 0; i < list->n; i++) {
        uint32_t name;
        if (!number_op(places, list->names[i], &name))
            return false;
        if (places->op_names.items[name].mark == mark)
            continue;
        places->op_names.items[name].mark = mark;
        if (!eti__prefix_tree_add(&places->ops, list->ops, name, &list->ops))
            return false;
    }
    return true;
}

/* Finds the path of the distinct operators of a list. */
static bool find_ops(eti_places *places, const eti_event_record *record, uint32_t *out) {
    static const eti_intern_kind kind = {.item_size = sizeof(eti_place_ops),
                                         .key_size = offsetof(eti_place_ops, ops)};
    const eti_place_ops list = {record->op_types, record->n_op_types, ETI_PREFIX_ROOT};
    size_t n_known = places->op_lists.count;
    uint32_t number;
    if (!eti__intern_add(&places->op_lists.table, &kind, &list, &number) ||
        (number == n_known && !add_ops(places, &places->op_lists.items[number])))
        return false;
    *out = places->op_lists.items[number].ops;
    return true;
}

static bool make_place(eti_places *places, const eti_event_record *record,
                       const eti_event_nodes *nodes, eti_place *out) {
    return find_ops(places, record, &out->ops) && add_place(places, nodes, out);
}

bool eti__places_of_event(eti_places *places, const eti_event *event, eti_place *out) {
    static const eti_intern_kind kind = {.item_size = sizeof(eti_place_list),
                                         .key_size = offsetof(eti_place_list, place)};
    eti_event_nodes nodes = eti__event_nodes(event);
    size_t n_known = places->lists.count;
    eti_place place = {0};
    uint32_t number;
    *out = place;
    if (nodes.n == 0)
        return true;
    if (!eti__intern_add(&places->lists.table, &kind, &(eti_place_list){nodes, place}, &number) ||
        (number == n_known && !make_place(places, event->known, &nodes, &place)))
        return false;
    if (number == n_known) {
        place.list = number + 1;
        places->lists.items[number].place = place;
    }
    *out = places->lists.items[number].place;
    return true;
}

static bool is_known(const eti_place *place) {
    return place->list > 0 || place->is_settled;
}

/* Copies the place of the nearest event around `i` that has nodes to all events in between, so that no event is
 * visited twice. */
static void inherit(const eti_account *account, eti_place *places, uint32_t i) {
    uint32_t known = i;
    while (known != ETI_NO_EVENT && !is_known(&places[known]))
        known = account->events[known].parent;
    eti_place found = {0};
    if (known != ETI_NO_EVENT)
        found = places[known];
    found.is_settled = true;
    while (i != known) {
        found.ops = places[i].ops;
        places[i] = found;
        i = account->events[i].parent;
    }
}

eti_place *eti__places_of_block(eti_places *places, const eti_account *account) {
    const eti_event_block *block = account->block;
    eti_place *out = malloc((block->n_events + 1) * sizeof *out);
    for (size_t i = 0; out && i < block->n_events; i++) {
        if (!eti__places_of_event(places, &block->events[i], &out[i])) {
            free(out);
            return NULL;
        }
    }
    for (size_t i = 0; out && i < block->n_events; i++)
        inherit(account, out, (uint32_t)i);
    return out;
}

bool eti__places_of_nodes(eti_places *places, const eti_event_nodes *nodes, eti_place *out) {
    *out = (eti_place){0};
    return add_place(places, nodes, out);
}

bool eti__places_of_node(eti_places *places, const eti_op_node *node, eti_place *out) {
    return eti__places_of_nodes(places, &(eti_event_nodes){.all = &node, .n = 1}, out);
}

/* ---- names ----------------------------------------------------------------------------------- */

const eti_module *eti__places_module(const eti_places *places, uint32_t module) {
    return places->module_names.items[places->modules.nodes[module].item].first;
}

eti_text eti__places_module_name(const eti_places *places, uint32_t module) {
    return places->module_names.items[places->modules.nodes[module].item].name;
}

/* Cuts a path of modules. The model itself is the outermost module of a stack and has no path. */
uint32_t eti__places_cut_module(const eti_places *places, uint32_t module, uint32_t depth) {
    uint32_t outermost = eti__prefix_tree_cut(&places->modules, module, 1);
    bool is_model =
        outermost != ETI_PREFIX_ROOT && eti__places_module(places, outermost)->path.size == 0;
    uint32_t levels = is_model && depth < UINT32_MAX ? depth + 1 : depth;
    return eti__prefix_tree_cut(&places->modules, module, levels);
}

const eti_place_frame *eti__places_frame(const eti_places *places, uint32_t frame) {
    return &places->lines.items[places->frames.nodes[frame].item];
}

void eti__places_add_ops(const eti_places *places, uint32_t ops, eti_buffer *out) {
    const eti_prefix_node *nodes = places->ops.nodes;
    uint32_t n = nodes[ops].depth;
    uint32_t *items = malloc((n + 1) * sizeof *items);
    if (!items) {
        out->failed = true;
        return;
    }
    for (uint32_t at = n; at > 0; ops = nodes[ops].parent)
        items[--at] = nodes[ops].item;
    for (uint32_t i = 0; i < n; i++) {
        eti__buffer_add_string(out, i ? " + " : "");
        eti__buffer_add_text(out, places->op_names.items[items[i]].name);
    }
    free(items);
}

uint64_t eti__places_ops_size(const eti_places *places, uint32_t ops) {
    const eti_prefix_node *nodes = places->ops.nodes;
    uint64_t size = 0;
    for (; ops != ETI_PREFIX_ROOT; ops = nodes[ops].parent)
        size += places->op_names.items[nodes[ops].item].name.size + 3;
    return size;
}
