#include "places/agreement.h"

#include "base/names.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* A record, with the operator and the place of its Events. */
typedef struct view {
    const eti_event_record *record; /* the key */
    eti_text op;                    /* absent: no operator, or several */
    eti_place place;
} view;

/* Attributes that the methods added so far have in common. */
typedef struct state {
    /* the key: the state before, and the record of the method that was added to it */
    const eti_event_record *added;
    uint64_t before;
    /* the rest */
    const eti_event_record *first; /* of the first method */
    eti_text op;
    eti_text backend;
    uint32_t module, frame; /* paths in the places */
    bool is_last_frame;     /* only the last frame of `frame` is common to all */
    bool is_same;           /* operators, module and line are those of `first` */
    bool has_handles;       /* and so are the handles */
    uint8_t attribution;
    const eti_event_record *made;
} state;

/* A comparison of two lists of debug handles or of operators. */
typedef struct list_pair {
    const void *a, *b; /* the key, with `n` */
    size_t n;
    bool is_equal;
} list_pair;

#define NO_STATE UINT32_MAX

bool eti__agreement_init(eti_agreement *agreement, eti_inspector *inspector) {
    *agreement = (eti_agreement){.inspector = inspector};
    agreement->of_events = calloc(inspector->blocks.n_blocks + 1, sizeof *agreement->of_events);
    return eti__places_init(&agreement->places) && agreement->of_events;
}

void eti__agreement_free(eti_agreement *agreement) {
    eti__places_free(&agreement->places);
    eti__intern_free(&agreement->views);
    eti__intern_free(&agreement->states);
    eti__intern_free(&agreement->lists);
    for (size_t b = 0; agreement->of_events && b < agreement->inspector->blocks.n_blocks; b++)
        free(agreement->of_events[b]);
    free((void *)agreement->of_events);
}

/* ---- views ----------------------------------------------------------------------------------- */

/* Finds the operator and the place of a record. False: out of memory. */
static bool find_view(eti_agreement *agreement, const eti_event_record *record, view *out) {
    static const eti_intern_kind kind = {.item_size = sizeof(view),
                                         .key_size = sizeof(const eti_event_record *)};
    size_t n_known = agreement->views.count;
    uint32_t number;
    if (!eti__intern_add(&agreement->views, &kind, &(view){.record = record}, &number))
        return false;
    view *found = &((view *)agreement->views.items)[number];
    if (number == n_known) {
        const eti_event event = {.known = record};
        found->op = eti__event_op(&event);
        if (!eti__places_of_event(&agreement->places, &event, &found->place))
            return false;
    }
    *out = *found;
    return true;
}

/* ---- lists ----------------------------------------------------------------------------------- */

static bool texts_equal(const void *a, const void *b, size_t n) {
    const eti_text *x = a, *y = b;
    for (size_t i = 0; i < n; i++) {
        if (!eti__text_equal(x[i], y[i]))
            return false;
    }
    return true;
}

static bool handles_equal(const void *a, const void *b, size_t n) {
    return n == 0 || memcmp(a, b, n * sizeof(int64_t)) == 0;
}

/* Compares two lists of `n` items once, however many Events share them. False: out of memory. */
static bool compare_lists(eti_agreement *agreement, const void *a, const void *b, size_t n,
                          bool (*are_equal)(const void *a, const void *b, size_t n), bool *out) {
    static const eti_intern_kind kind = {.item_size = sizeof(list_pair),
                                         .key_size = offsetof(list_pair, is_equal)};
    size_t n_known = agreement->lists.count;
    uint32_t number;
    *out = true;
    if (a == b || n == 0)
        return true;
    if (!eti__intern_add(&agreement->lists, &kind, &(list_pair){a, b, n, false}, &number))
        return false;
    list_pair *pair = &((list_pair *)agreement->lists.items)[number];
    if (number == n_known)
        pair->is_equal = are_equal(a, b, n);
    *out = pair->is_equal;
    return true;
}

/* Compares the debug handles and the operators of two records. False: out of memory. */
static bool compare_records(eti_agreement *agreement, const eti_event_record *a,
                            const eti_event_record *b, bool *have_handles, bool *have_ops) {
    *have_handles = a->handles.n == b->handles.n;
    *have_ops = a->n_op_types == b->n_op_types;
    return (!*have_handles || compare_lists(agreement, a->handles.handles, b->handles.handles,
                                            a->handles.n, handles_equal, have_handles)) &&
           (!*have_ops || compare_lists(agreement, a->op_types, b->op_types, a->n_op_types,
                                        texts_equal, have_ops));
}

/* ---- states ---------------------------------------------------------------------------------- */

/* Returns the weaker of two attributions: the latter in their order, or none. */
static uint8_t weaker(uint8_t a, uint8_t b) {
    if (a == ETI_ATTRIBUTION_NONE || b == ETI_ATTRIBUTION_NONE)
        return ETI_ATTRIBUTION_NONE;
    return a > b ? a : b;
}

/* Keeps the path of frames if it is the same, or else its last frame if that is, or else the frames that both begin with. */
static void join_frames(const eti_prefix_tree *frames, uint32_t frame, state *of) {
    if (of->frame == frame)
        return;
    bool has_same_line = of->frame != ETI_PREFIX_ROOT && frame != ETI_PREFIX_ROOT &&
                         frames->nodes[of->frame].item == frames->nodes[frame].item;
    if (!has_same_line)
        of->frame =
            of->is_last_frame ? ETI_PREFIX_ROOT : eti__prefix_tree_common(frames, of->frame, frame);
    of->is_last_frame = has_same_line;
}

static bool join(eti_agreement *agreement, const view *added, state *of) {
    bool have_handles, have_ops;
    if (!compare_records(agreement, of->first, added->record, &have_handles, &have_ops))
        return false;
    bool have_op =
        eti__text_equal(of->op, added->op) && (of->op.data != NULL) == (added->op.data != NULL);
    bool have_nodes = (of->first->n_op_nodes > 0) == (added->record->n_op_nodes > 0);
    of->is_same = of->is_same && have_op && have_ops && have_nodes &&
                  of->module == added->place.module && of->frame == added->place.frame;
    of->has_handles = of->has_handles && have_handles;
    if (!have_op)
        of->op = (eti_text){NULL, 0};
    if (!eti__text_equal(of->backend, added->record->backend_name))
        of->backend = (eti_text){NULL, 0};
    of->module =
        eti__prefix_tree_common(&agreement->places.modules, of->module, added->place.module);
    join_frames(&agreement->places.frames, added->place.frame, of);
    of->attribution = weaker(of->attribution, added->record->attribution);
    return true;
}

static void begin(const view *added, state *of) {
    of->first = added->record;
    of->op = added->op;
    of->backend = added->record->backend_name;
    of->module = added->place.module;
    of->frame = added->place.frame;
    of->is_same = of->has_handles = true;
    of->attribution = added->record->attribution;
}

/* Finds the state of an Event after one more method. False: out of memory. */
static bool advance(eti_agreement *agreement, const eti_event_record *added, uint32_t *number) {
    static const eti_intern_kind kind = {.item_size = sizeof(state),
                                         .key_size = offsetof(state, first)};
    const state wanted = {.added = added, .before = *number};
    size_t n_known = agreement->states.count;
    uint32_t before = *number;
    view found;
    if (!find_view(agreement, added, &found) ||
        !eti__intern_add(&agreement->states, &kind, &wanted, number))
        return false;
    if (*number < n_known)
        return true;
    state made = wanted;
    if (before == NO_STATE) {
        begin(&found, &made);
    } else {
        made = ((state *)agreement->states.items)[before];
        made.added = added;
        made.before = before;
        if (!join(agreement, &found, &made))
            return false;
    }
    ((state *)agreement->states.items)[*number] = made;
    return true;
}

static bool add_block(eti_agreement *agreement, const eti_event_block *block) {
    uint32_t **of_events = &agreement->of_events[block->number];
    bool done = true;
    if (!*of_events) {
        *of_events = malloc((block->n_events + 1) * sizeof **of_events);
        if (!*of_events)
            return false;
        memset(*of_events, 0xff, (block->n_events + 1) * sizeof **of_events);
    }
    for (size_t i = 0; i < block->n_events && done; i++)
        done = advance(agreement, block->events[i].known, &(*of_events)[i]);
    return done;
}

bool eti__agreement_add(eti_agreement *agreement) {
    const eti_blocks *blocks = &agreement->inspector->blocks;
    bool done = true;
    for (size_t b = 0; b < blocks->n_blocks && done; b++)
        done = !blocks->blocks[b].is_tried || add_block(agreement, &blocks->blocks[b]);
    return done;
}

/* ---- records --------------------------------------------------------------------------------- */

/* Makes the modules of a path. */
static bool make_modules(const eti_agreement *agreement, uint32_t path, eti_op_node *out) {
    const eti_prefix_tree *tree = &agreement->places.modules;
    size_t n = tree->nodes[path].depth;
    eti_module *modules = eti__arena_alloc(&agreement->inspector->arena, n, sizeof *modules);
    if (!modules)
        return false;
    out->modules = modules;
    out->n_modules = n;
    out->has_modules = n > 0;
    for (; path != ETI_PREFIX_ROOT; path = tree->nodes[path].parent)
        modules[--n] = *eti__places_module(&agreement->places, path);
    return true;
}

static void add_frame(const eti_agreement *agreement, uint32_t path, eti_buffer *out) {
    const eti_stack_frame *frame = &eti__places_frame(&agreement->places, path)->frame;
    eti__buffer_add_string(out, "File \"");
    eti__buffer_add_text(out, frame->file);
    eti__buffer_printf(out, "\", line %u, in ", (unsigned)frame->line);
    eti__buffer_add_text(out, frame->function);
    if (frame->code.size > 0) {
        eti__buffer_add_string(out, "\n    ");
        eti__buffer_add_text(out, frame->code);
    }
    eti__buffer_add_char(out, '\n');
}

/* Makes the stack trace of a path of frames. */
static bool make_trace(const eti_agreement *agreement, const state *of, eti_text *out) {
    const eti_prefix_tree *tree = &agreement->places.frames;
    uint32_t n = tree->nodes[of->frame].depth;
    eti_buffer text = {0};
    for (uint32_t depth = of->is_last_frame ? n : 1; n > 0 && depth <= n; depth++)
        add_frame(agreement, eti__prefix_tree_cut(tree, of->frame, depth), &text);
    bool done = !text.failed &&
                eti__arena_copy_text(&agreement->inspector->arena, eti__buffer_text(&text), out);
    eti__buffer_free(&text);
    return done;
}

/* Makes a node with the attributes that the methods have in common. */
static bool make_node(const eti_agreement *agreement, const state *of, eti_event_record *record) {
    eti_arena *arena = &agreement->inspector->arena;
    eti_graph_node *node = eti__arena_alloc_zero(arena, 1, sizeof *node);
    const eti_op_node **nodes = eti__arena_alloc(arena, 1, sizeof *nodes);
    if (!node || !nodes || !make_modules(agreement, of->module, &node->node) ||
        (of->frame != ETI_PREFIX_ROOT && !make_trace(agreement, of, &node->node.stack_trace)))
        return false;
    node->node.name = eti__text_of("_");
    node->op_type = of->op;
    nodes[0] = &node->node;
    record->op_nodes = nodes;
    record->n_op_nodes = 1;
    record->op_types = &node->op_type;
    record->n_op_types = of->op.data != NULL;
    return true;
}

/* Returns whether the methods have neither operator, module nor line in common. */
static bool is_empty(const state *of) {
    return !of->op.data && of->module == ETI_PREFIX_ROOT && of->frame == ETI_PREFIX_ROOT;
}

static bool make_record(const eti_agreement *agreement, state *of) {
    eti_event_record *made = eti__arena_alloc(&agreement->inspector->arena, 1, sizeof *made);
    if (!made)
        return false;
    *made = of->is_same ? *of->first : eti__no_record;
    made->attribution = of->attribution;
    made->backend_name = of->backend;
    made->handles = of->has_handles ? of->first->handles : eti__no_record.handles;
    made->num_outputs = of->first->num_outputs;
    of->made = made;
    return of->is_same || is_empty(of) || make_node(agreement, of, made);
}

static bool set_block(const eti_agreement *agreement, const uint32_t *of_events,
                      eti_event_block *block) {
    state *states = agreement->states.items;
    for (size_t i = 0; i < block->n_events; i++) {
        state *of = &states[of_events[i]];
        if (!of->made && !make_record(agreement, of))
            return false;
        block->events[i].known = of->made;
    }
    return true;
}

bool eti__agreement_set(eti_agreement *agreement) {
    const eti_blocks *blocks = &agreement->inspector->blocks;
    bool done = true;
    for (size_t b = 0; b < blocks->n_blocks && done; b++)
        done = !agreement->of_events[b] ||
               set_block(agreement, agreement->of_events[b], &blocks->blocks[b]);
    return done;
}
