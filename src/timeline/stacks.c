#include "timeline/stacks.h"

#include "backends/backends.h"
#include "base/sort.h"
#include "timeline/slice_clock.h"

#include <inttypes.h>
#include <stdlib.h>

#define ETI_STACK_ROOT 0 /* the node around the methods, which has no function */

/* A longer name of the enclosing module is not put in front of "0" to make "mlp.0". */
#define MOST_PREFIX 200

/* A stack before modules are folded. Texts are numbered from 1; 0 means no text. */
typedef struct stack_key {
    uint32_t method;
    uint32_t module; /* index into places->modules */
    uint32_t op;     /* see eti__op_type_number() */
    uint32_t role;   /* role of the framework's time; otherwise 0 */
    uint32_t backend;
    uint32_t frame; /* index into places->frames */
} stack_key;

typedef struct maker {
    eti_stacks *stacks;
    const eti_stack_source *source;
    ETI_INTERN_OF(stack_key) keys; /* per group of the rollup */
    eti_shared_texts ops;
    eti_text_table texts; /* names of methods and backends */
} maker;

/* ---- groups ---------------------------------------------------------------------------------- */

static bool number_text(maker *m, eti_text text, uint32_t *out) {
    *out = 0;
    if (text.size == 0)
        return true;
    bool done = eti__text_table_add(&m->texts, text, NULL, out);
    ++*out;
    return done;
}

static eti_text text_of(const maker *m, uint32_t number) {
    return number > 0 ? m->texts.texts[number - 1] : (eti_text){NULL, 0};
}

static bool find_key(maker *m, const eti_account *account, size_t event, const eti_place *place,
                     stack_key *key) {
    eti_role role = eti__account_role(account, event);
    eti_op_type op = eti__op_type_of(account, event);
    if (!eti__op_type_number(&m->ops, &op, &key->op))
        return false;
    if (eti__role_is_framework(role)) {
        key->role = role;
        return true;
    }
    key->module = eti__places_cut_module(&m->stacks->places, place->module, ETI_MOST_STACK_MODULES);
    key->frame = place->frame;
    return !eti__role_is_delegate(role) ||
           number_text(m, eti__account_backend(account, event), &key->backend);
}

static bool is_left_out(const eti_stack_source *source, const eti_event_block *block,
                        size_t event) {
    return source->is_left_out && source->is_left_out[source->first_event[block->number] + event];
}

static bool group_events(void *context, const eti_account *account, uint32_t *groups) {
    static const eti_intern_kind kind = {.item_size = sizeof(stack_key),
                                         .key_size = sizeof(stack_key)};
    maker *m = context;
    const eti_event_block *block = account->block;
    eti_place *places = eti__places_of_block(&m->stacks->places, account);
    uint32_t method;
    bool done =
        places &&
        number_text(m, block->method_name.data ? block->method_name : block->label, &method);
    for (size_t i = 0; done && i < block->n_events; i++) {
        stack_key key = {.method = method};
        if (account->events[i].is_counted && !is_left_out(m->source, block, i))
            done = find_key(m, account, i, &places[i], &key) &&
                   eti__intern_add(&m->keys.table, &kind, &key, &groups[i]);
    }
    free(places);
    return done;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

/* Identifies nodes by parent and function. */
static const eti_intern_kind node_kind = {.item_size = sizeof(eti_stack_node),
                                          .key_size = 2 * sizeof(uint32_t)};

static bool find_function(eti_stacks *stacks, eti_text name, uint32_t *out) {
    static const eti_intern_kind kind = ETI_INTERN_BY_TEXT(eti_stack_function);
    eti_stack_function function = {.name = name};
    if (eti__intern_find(&stacks->functions.table, &kind, &function, out))
        return true;
    return eti__arena_copy_text(&stacks->arena, name, &function.name) &&
           eti__intern_add(&stacks->functions.table, &kind, &function, out);
}

/* Sets `*node` to its child with this name; adds the child if it is new. */
static bool enter(eti_stacks *stacks, eti_text name, uint32_t *node) {
    eti_stack_node inside = {.parent = *node, .depth = stacks->nodes.items[*node].depth + 1};
    return find_function(stacks, name, &inside.function) &&
           eti__intern_add(&stacks->nodes.table, &node_kind, &inside, node);
}

static bool enter_text(eti_stacks *stacks, eti_buffer *name, uint32_t *node) {
    bool done = !name->failed && enter(stacks, eti__buffer_text(name), node);
    eti__buffer_free(name);
    return done;
}

/* Returns whether the name begins with the number of a layer, or stands for several layers. */
static bool is_numbered(eti_text name) {
    size_t size = 0;
    while (size < name.size && eti__is_digit(name.data[size]))
        size++;
    if (size == 0 && name.size > 0 && name.data[0] == '*')
        size = 1;
    return size > 0 && (size == name.size || name.data[size] == '.');
}

static bool enter_module(eti_stacks *stacks, uint32_t number, bool is_inside, uint32_t *node) {
    const eti_tree_module *modules = stacks->modules.modules, *module = &modules[number];
    eti_text name = eti__module_name_inside(module->name, modules[module->parent].path);
    eti_text around = eti__stack_name(stacks, *node);
    if (!is_inside || !is_numbered(name) || around.size > MOST_PREFIX)
        return enter(stacks, name, node);
    eti_buffer text = {0};
    eti__buffer_add_text(&text, around);
    eti__buffer_add_char(&text, '.');
    eti__buffer_add_text(&text, name);
    return enter_text(stacks, &text, node);
}

/* Enters all modules of a path except the model, which the method represents. */
static bool enter_modules(eti_stacks *stacks, uint32_t module, uint32_t *node) {
    const eti_module_tree *tree = &stacks->modules;
    uint32_t path[ETI_MOST_STACK_MODULES + 1];
    size_t n = 0, first;
    for (module = tree->stand_ins[module];
         module != ETI_PREFIX_ROOT && n < ETI_MOST_STACK_MODULES + 1;
         module = tree->modules[module].parent)
        path[n++] = module;
    first = n;
    for (size_t i = n; i-- > 0;) {
        bool is_model = i + 1 == n && eti__places_module(&stacks->places, path[i])->path.size == 0;
        first -= is_model;
        if (!is_model && !enter_module(stacks, path[i], i + 1 < first, node))
            return false;
    }
    return true;
}

static const char *framework_name(uint32_t role) {
    static const char *const names[ETI_N_ROLES] = {
        [ETI_ROLE_OPERATOR_CALL] = ETI_GROUP_FRAMEWORK " around operators",
        [ETI_ROLE_INSTRUCTION] = ETI_GROUP_FRAMEWORK " other instructions",
        [ETI_ROLE_EXECUTE] = ETI_GROUP_FRAMEWORK " between instructions",
        [ETI_ROLE_LOAD] = ETI_GROUP_FRAMEWORK " loading",
    };
    return names[role] ? names[role] : ETI_GROUP_FRAMEWORK;
}

static bool enter_not_logged(eti_stacks *stacks, eti_text backend, uint32_t *node) {
    eti_buffer name = {0};
    eti__buffer_add_string(&name, ETI_GROUP_DELEGATE_OVERHEAD);
    eti__buffer_add_string(&name, backend.size > 0 ? " " : "");
    eti__buffer_add_text(&name, eti__backend_label(backend));
    return enter_text(stacks, &name, node);
}

static eti_text method_of(const maker *m, const stack_key *key) {
    return key->method > 0 ? text_of(m, key->method) : eti__text_of(ETI_GROUP_NO_NAME);
}

static bool enter_stack(maker *m, const stack_key *key, uint32_t *node) {
    eti_stacks *stacks = m->stacks;
    *node = ETI_STACK_ROOT;
    if (!enter(stacks, method_of(m, key), node))
        return false;
    if (key->op == ETI_OP_TYPE_FRAMEWORK)
        return enter(stacks, eti__text_of(framework_name(key->role)), node);
    if (key->module != ETI_PREFIX_ROOT && !enter_modules(stacks, key->module, node))
        return false;
    if (key->op == ETI_OP_TYPE_NOT_LOGGED)
        return enter_not_logged(stacks, text_of(m, key->backend), node);
    return enter(stacks, eti__op_type_name(&m->ops, key->op), node);
}

/* ---- stacks ---------------------------------------------------------------------------------- */

/* Records the line of a stack that ends in the function. */
static void note_line(eti_stack_function *function, const eti_stack *stack) {
    bool is_same = eti__text_equal(function->file, stack->file) && function->line == stack->line;
    if (!function->has_lines) {
        function->file = stack->file;
        function->line = stack->line;
    } else if (!is_same) {
        function->file = (eti_text){NULL, 0};
        function->line = 0;
    }
    function->has_lines = true;
}

/* A stack during sorting. */
typedef struct sorted_stack {
    eti_stack stack;
    eti_time_sum time;
    uint32_t rank;    /* depth-first rank of its node */
    uint32_t file;    /* number from 1; 0: none */
    uint32_t backend; /* number from 1; 0: none */
    uint32_t number;  /* number of its group */
} sorted_stack;

static bool make_stack(maker *m, size_t group, sorted_stack *out) {
    eti_stacks *stacks = m->stacks;
    const stack_key *key = &m->keys.items[group];
    eti_stack *stack = &out->stack;
    *out = (sorted_stack){
        .stack = {.n_events = stacks->rollup.groups[group].n_calls,
                  .backend = text_of(m, key->backend),
                  .method = method_of(m, key)},
        .time = stacks->rollup.groups[group].time,
        .backend = key->backend,
        .number = (uint32_t)group,
    };
    if (!enter_stack(m, key, &stack->node))
        return false;
    if (key->frame != ETI_PREFIX_ROOT) {
        const eti_place_frame *frame = eti__places_frame(&stacks->places, key->frame);
        stack->file = stacks->places.files.texts[frame->file];
        stack->line = frame->line;
        out->file = frame->file + 1;
    }
    note_line(&stacks->functions.items[stacks->nodes.items[stack->node].function], stack);
    return true;
}

static int compare_stacks(const void *a, const void *b, void *context) {
    (void)context;
    const sorted_stack *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    if (x->stack.line != y->stack.line)
        return x->stack.line < y->stack.line ? -1 : 1;
    if (x->backend != y->backend)
        return x->backend < y->backend ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

/* Numbers nodes depth first, the children of a node in the order of appearance. The caller frees the array. */
static uint32_t *rank_nodes(const eti_stacks *stacks) {
    size_t n = stacks->nodes.count;
    uint32_t *sizes = calloc(n, sizeof *sizes), *ranks = calloc(n, sizeof *ranks);
    uint32_t *next = calloc(n, sizeof *next);
    if (sizes && ranks && next) {
        for (size_t i = n; i-- > 1;)
            sizes[stacks->nodes.items[i].parent] += sizes[i] + 1;
        next[ETI_STACK_ROOT] = 1;
        for (size_t i = 1; i < n; i++) {
            uint32_t parent = stacks->nodes.items[i].parent;
            ranks[i] = next[parent];
            next[parent] += sizes[i] + 1;
            next[i] = ranks[i] + 1;
        }
    } else {
        free(ranks);
        ranks = NULL;
    }
    free(sizes);
    free(next);
    return ranks;
}

/* Adds the stacks, merging equal ones. */
static void add_stacks(eti_stacks *stacks, const sorted_stack *sorted, size_t n,
                       eti_tick_length tick) {
    for (size_t i = 0; i < n; i++) {
        const sorted_stack *before = i > 0 ? &sorted[i - 1] : NULL, *stack = &sorted[i];
        double ticks = eti__typical_ticks(&stacks->rollup.method_runs, &stack->time);
        bool is_same = before && before->rank == stack->rank && before->file == stack->file &&
                       before->stack.line == stack->stack.line && before->backend == stack->backend;
        if (!is_same) {
            stacks->items[stacks->n] = stack->stack;
            stacks->items[stacks->n++].n_events = 0;
        }
        eti_stack *last = &stacks->items[stacks->n - 1];
        last->n_events += stack->stack.n_events;
        last->ns += ticks * (double)tick.times / (double)tick.per;
    }
}

static bool sort_stacks(maker *m, eti_tick_length tick) {
    eti_stacks *stacks = m->stacks;
    size_t n_groups = stacks->rollup.n_groups, n = 0;
    sorted_stack *sorted = calloc(n_groups + 1, sizeof *sorted);
    stacks->items = calloc(n_groups + 1, sizeof *stacks->items);
    bool done = sorted && stacks->items;
    for (size_t i = 0; done && i < n_groups; i++) {
        if (stacks->rollup.groups[i].n_events == 0)
            continue;
        done = make_stack(m, i, &sorted[n++]);
    }
    uint32_t *ranks = done ? rank_nodes(stacks) : NULL;
    for (size_t i = 0; ranks && i < n; i++)
        sorted[i].rank = ranks[sorted[i].stack.node];
    if (ranks) {
        eti__sort(sorted, n, sizeof *sorted, compare_stacks, NULL);
        add_stacks(stacks, sorted, n, tick);
    }
    done = ranks != NULL;
    free(ranks);
    free(sorted);
    return done;
}

static eti_status make_stacks(maker *m, const eti_inspector *inspector,
                              const eti_view_options *options, eti_error *err) {
    static const eti_rollup none = {0};
    eti_stacks *stacks = m->stacks;
    const eti_stack_node root = {.parent = UINT32_MAX, .function = UINT32_MAX};
    uint32_t number;
    if (!eti__places_init(&stacks->places) ||
        !eti__intern_add(&stacks->nodes.table, &node_kind, &root, &number))
        return eti_fail_memory(err);
    ETI_TRY(eti__rollup_make(&stacks->rollup, inspector, options, group_events, m, err));
    eti_time_scale scale = inspector->options.source_time_scale;
    double hz = inspector->options.clock_hz;
    stacks->is_in_cycles = eti__ticks_are_cycles(scale, hz);
    if (!eti__module_tree_make(&stacks->modules, &stacks->places, &none, 0,
                               options->folds_layers) ||
        !sort_stacks(m, eti__tick_length(scale, hz)))
        return eti_fail_memory(err);
    return ETI_OK;
}

eti_status eti__stacks_make(eti_stacks *out, const eti_stack_source *source, eti_error *err) {
    maker m = {.stacks = out, .source = source};
    *out = (eti_stacks){.n = 0};
    eti_status status = make_stacks(&m, source->inspector, &source->options, err);
    eti__intern_free(&m.keys.table);
    eti__shared_texts_free(&m.ops);
    eti__text_table_free(&m.texts);
    if (status == ETI_OK && source->most_text > 0 && eti__stacks_text_size(out) > source->most_text)
        return eti_fail(
            err, ETI_ERROR_LIMIT,
            "module names are repeated in so many stacks that they would take more than %" PRIu64
            " bytes",
            source->most_text);
    return status;
}

void eti__stacks_free(eti_stacks *stacks) {
    eti__intern_free(&stacks->functions.table);
    eti__intern_free(&stacks->nodes.table);
    free(stacks->items);
    eti__rollup_free(&stacks->rollup);
    eti__places_free(&stacks->places);
    eti__module_tree_free(&stacks->modules);
    eti__arena_free(&stacks->arena);
    *stacks = (eti_stacks){.n = 0};
}

/* ---- queries --------------------------------------------------------------------------------- */

size_t eti__stack_path(const eti_stacks *stacks, uint32_t node,
                       uint32_t path[ETI_MOST_STACK_DEPTH]) {
    size_t n = stacks->nodes.items[node].depth;
    for (size_t i = n; i-- > 0; node = stacks->nodes.items[node].parent)
        path[i] = node;
    return n;
}

uint64_t eti__stacks_text_size(const eti_stacks *stacks) {
    uint64_t size = 0;
    uint32_t path[ETI_MOST_STACK_DEPTH];
    for (size_t i = 0; i < stacks->n; i++) {
        size_t n = eti__stack_path(stacks, stacks->items[i].node, path);
        for (size_t k = 0; k < n; k++)
            size += eti__stack_name(stacks, path[k]).size + 1;
    }
    return size;
}
