#include "account/places.h"

#include "base/array.h"
#include "base/text.h"

#include <stdlib.h>

bool eti_places_init(eti_places *places) {
    *places = (eti_places){.seed = eti_hash_seed()};
    return eti_prefix_tree_init(&places->ops) && eti_prefix_tree_init(&places->modules) &&
           eti_prefix_tree_init(&places->frames);
}

void eti_places_free(eti_places *places) {
    eti_prefix_tree_free(&places->ops);
    eti_text_table_free(&places->op_names);
    free(places->op_marks);
    eti_prefix_tree_free(&places->modules);
    eti_text_table_free(&places->module_names);
    free(places->module_of);
    eti_prefix_tree_free(&places->frames);
    free(places->frame_of);
    eti_index_free(&places->frame_index);
    eti_text_table_free(&places->files);
    free(places->lists);
    eti_pointer_table_free(&places->by_list);
    eti_pointer_table_free(&places->by_stack);
    eti_pointer_table_free(&places->by_trace);
    eti_pointer_table_free(&places->by_op);
}

/* ---- modules --------------------------------------------------------------------------------- */

static bool add_module(eti_places *places, const eti_module *module, uint32_t *node) {
    uint32_t name;
    size_t n_names = places->module_names.count;
    eti_text text = module->path.size > 0 ? module->path : module->type;
    if (!eti_text_table_add(&places->module_names, text, NULL, &name) ||
        !ETI_GROW(places->module_of, places->module_capacity, places->module_names.count))
        return false;
    if (name == n_names)
        places->module_of[name] = module;
    return eti_prefix_tree_add(&places->modules, *node, name, node);
}

/* Repeated calls of a module have stacks of their own; the path is the same. */
static bool find_stack(eti_places *places, const eti_op_node *node, uint32_t *out) {
    *out = ETI_PREFIX_ROOT;
    if (eti_pointer_table_find(&places->by_stack, node->modules, out))
        return true;
    for (size_t i = 0; i < node->n_modules; i++) {
        if (!add_module(places, &node->modules[i], out))
            return false;
    }
    return eti_pointer_table_add(&places->by_stack, node->modules, *out);
}

/* ---- stack traces ---------------------------------------------------------------------------- */

static bool same_line(const eti_stack_frame *a, const eti_stack_frame *b) {
    return a->line == b->line && eti_text_equal(a->file, b->file);
}

/* The number of the frame, which is added when it is new. */
static bool number_frame(eti_places *places, const eti_stack_frame *frame, uint32_t *out) {
    uint64_t hash = eti_hash_mix(eti_text_hash(frame->file, places->seed), frame->line);
    eti_index_cursor cursor = eti_index_start(&places->frame_index, hash);
    while ((*out = eti_index_next(&places->frame_index, &cursor)) != ETI_INDEX_END) {
        if (same_line(&places->frame_of[*out].frame, frame))
            return true;
    }
    size_t n = places->n_frames;
    uint32_t file;
    if (n >= ETI_INDEX_END - 1 || !ETI_GROW(places->frame_of, places->frame_capacity, n + 1) ||
        !eti_text_table_add(&places->files, frame->file, NULL, &file) ||
        !eti_index_add(&places->frame_index, hash, (uint32_t)n))
        return false;
    places->frame_of[n] = (eti_place_frame){*frame, file};
    *out = (uint32_t)n;
    places->n_frames++;
    return true;
}

static bool has_own_frames(eti_text trace) {
    eti_stack_frame frame;
    while (eti_stack_frame_next(&trace, &frame)) {
        if (!eti_stack_frame_is_library(&frame))
            return true;
    }
    return false;
}

static bool find_trace(eti_places *places, const eti_op_node *node, uint32_t *out) {
    eti_text rest = node->stack_trace;
    eti_stack_frame frame;
    *out = ETI_PREFIX_ROOT;
    if (eti_pointer_table_find(&places->by_trace, rest.data, out))
        return true;
    bool own_only = has_own_frames(rest);
    while (eti_stack_frame_next(&rest, &frame)) {
        uint32_t number;
        if (own_only && eti_stack_frame_is_library(&frame))
            continue;
        if (!number_frame(places, &frame, &number) ||
            !eti_prefix_tree_add(&places->frames, *out, number, out))
            return false;
    }
    return eti_pointer_table_add(&places->by_trace, node->stack_trace.data, *out);
}

/* ---- lists of nodes -------------------------------------------------------------------------- */

static void join(const eti_prefix_tree *tree, uint32_t path, uint32_t *shared, bool *has_any) {
    *shared = *has_any ? eti_prefix_tree_common(tree, *shared, path) : path;
    *has_any = true;
}

static bool add_node(eti_places *places, const eti_op_node *node, eti_place *place) {
    uint32_t path;
    if (node->n_modules > 0) {
        if (!find_stack(places, node, &path))
            return false;
        join(&places->modules, path, &place->module, &place->has_modules);
    }
    if (node->stack_trace.size > 0) {
        if (!find_trace(places, node, &path))
            return false;
        if (path != ETI_PREFIX_ROOT)
            join(&places->frames, path, &place->frame, &place->has_frames);
    }
    return true;
}

/* Operators share the texts of their targets, which may be long. */
static bool number_op(eti_places *places, eti_text op_type, uint32_t *out) {
    if (op_type.size > 0 && eti_pointer_table_find(&places->by_op, op_type.data, out))
        return true;
    size_t n = places->op_names.count;
    if (!eti_text_table_add(&places->op_names, op_type, NULL, out) ||
        !ETI_GROW(places->op_marks, places->op_mark_capacity, places->op_names.count))
        return false;
    if (places->op_names.count > n)
        places->op_marks[*out] = 0;
    return op_type.size == 0 || eti_pointer_table_add(&places->by_op, op_type.data, *out);
}

/* Operators that a list has are marked with its number, from 1 on. */
static bool add_ops(eti_places *places, const eti_event_record *record, eti_place *place) {
    uint32_t list = (uint32_t)places->n_lists + 1;
    for (size_t i = 0; i < record->n_op_types; i++) {
        uint32_t name;
        if (!number_op(places, record->op_types[i], &name))
            return false;
        if (places->op_marks[name] == list)
            continue;
        places->op_marks[name] = list;
        if (!eti_prefix_tree_add(&places->ops, place->ops, name, &place->ops))
            return false;
    }
    return true;
}

static bool make_place(eti_places *places, const eti_event_record *record, eti_place *out) {
    bool done = add_ops(places, record, out);
    for (size_t i = 0; i < record->n_op_nodes && done; i++)
        done = add_node(places, record->op_nodes[i], out);
    return done;
}

bool eti_places_of_event(eti_places *places, const eti_event *event, eti_place *out) {
    const eti_event_record *record = event->record;
    uint32_t number;
    *out = (eti_place){0};
    if (record->n_op_nodes == 0)
        return true;
    if (eti_pointer_table_find(&places->by_list, record->op_nodes, &number)) {
        *out = places->lists[number];
        return true;
    }
    if (places->n_lists >= ETI_INDEX_END - 1 ||
        !ETI_GROW(places->lists, places->list_capacity, places->n_lists + 1) ||
        !make_place(places, record, out) ||
        !eti_pointer_table_add(&places->by_list, record->op_nodes, (uint32_t)places->n_lists))
        return false;
    places->lists[places->n_lists++] = *out;
    return true;
}

static bool is_known(const eti_place *place) {
    return place->has_modules || place->has_frames || place->is_settled;
}

/* Gives the place of the nearest event around `i` that has one to all between, so that none is passed twice. */
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

bool eti_places_of_block(eti_places *places, const eti_account *account, eti_place *out) {
    const eti_event_block *block = account->block;
    for (size_t i = 0; i < block->n_events; i++) {
        if (!eti_places_of_event(places, &block->events[i], &out[i]))
            return false;
    }
    for (size_t i = 0; i < block->n_events; i++)
        inherit(account, out, (uint32_t)i);
    return true;
}

bool eti_places_of_node(eti_places *places, const eti_op_node *node, eti_place *out) {
    *out = (eti_place){0};
    return add_node(places, node, out);
}

/* ---- names ----------------------------------------------------------------------------------- */

const eti_module *eti_places_module(const eti_places *places, uint32_t module) {
    return places->module_of[places->modules.nodes[module].item];
}

eti_text eti_places_module_name(const eti_places *places, uint32_t module) {
    return places->module_names.texts[places->modules.nodes[module].item];
}

/* The model itself is the outermost module of a stack, without a path. */
uint32_t eti_places_cut_module(const eti_places *places, uint32_t module, uint32_t depth) {
    uint32_t outermost = eti_prefix_tree_cut(&places->modules, module, 1);
    bool is_model =
        outermost != ETI_PREFIX_ROOT && eti_places_module(places, outermost)->path.size == 0;
    uint32_t levels = is_model && depth < UINT32_MAX ? depth + 1 : depth;
    return eti_prefix_tree_cut(&places->modules, module, levels);
}

const eti_place_frame *eti_places_frame(const eti_places *places, uint32_t frame) {
    return &places->frame_of[places->frames.nodes[frame].item];
}

void eti_places_add_ops(const eti_places *places, uint32_t ops, eti_buffer *out) {
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
        eti_buffer_add_string(out, i ? " + " : "");
        eti_buffer_add_text(out, places->op_names.texts[items[i]]);
    }
    free(items);
}

uint64_t eti_places_ops_size(const eti_places *places, uint32_t ops) {
    const eti_prefix_node *nodes = places->ops.nodes;
    uint64_t size = 0;
    for (; ops != ETI_PREFIX_ROOT; ops = nodes[ops].parent)
        size += places->op_names.texts[nodes[ops].item].size + 3;
    return size;
}
