#include "rollup/grouping.h"

#include "base/sort.h"
#include "rollup/rollup.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ==== op type ================================================================================= */

static const char *const group_names[] = {
    [ETI_OP_TYPE_FRAMEWORK] = ETI_GROUP_FRAMEWORK, [ETI_OP_TYPE_NOT_LOGGED] = ETI_GROUP_NOT_LOGGED,
    [ETI_OP_TYPE_TRANSFERS] = ETI_GROUP_TRANSFERS, [ETI_OP_TYPE_OVERHEAD] = ETI_GROUP_OVERHEAD,
    [ETI_OP_TYPE_PROFILING] = ETI_GROUP_PROFILING, [ETI_OP_TYPE_SEVERAL] = ETI_GROUP_SEVERAL_OPS,
};

eti_text eti__op_type_group(eti_op_type_kind kind) {
    return eti__text_of(group_names[kind]);
}

eti_text eti__fold_op_name(eti_text name) {
    size_t size = name.size;
    while (size > 0 && name.data[size - 1] >= '0' && name.data[size - 1] <= '9')
        size--;
    if (size == name.size || size < 2 || (name.data[size - 1] != '#' && name.data[size - 1] != '_'))
        return name;
    for (size--; size > 1 && name.data[size - 1] == ' ';)
        size--;
    return (eti_text){name.data, size};
}

eti_op_type_kind eti__op_type_around(eti_role role) {
    switch (role) {
    case ETI_ROLE_TRANSFER:
        return ETI_OP_TYPE_TRANSFERS;
    case ETI_ROLE_OVERHEAD:
        return ETI_OP_TYPE_OVERHEAD;
    case ETI_ROLE_PROFILING:
        return ETI_OP_TYPE_PROFILING;
    default:
        return ETI_OP_TYPE_NOT_LOGGED;
    }
}

static eti_op_type_kind kind_of(const eti_account *account, size_t event,
                                const eti_event_nodes *nodes, eti_text op) {
    eti_role role = eti__account_role(account, event);
    if (eti__role_is_framework(role))
        return ETI_OP_TYPE_FRAMEWORK;
    if (eti__role_is_around(role))
        return eti__op_type_around(role);
    return nodes->n > 0 && !op.data ? ETI_OP_TYPE_SEVERAL : ETI_OP_TYPE_NAMED;
}

eti_op_type eti__op_type_of(const eti_account *account, size_t i) {
    const eti_event *event = &account->block->events[i];
    eti_event_nodes nodes = eti__event_nodes(event);
    eti_op_type op = {.name = eti__event_op(event)};
    op.kind = kind_of(account, i, &nodes, op.name);
    if (op.kind != ETI_OP_TYPE_NAMED)
        op.name = eti__op_type_group(op.kind);
    else if (nodes.n == 0)
        op.name = eti__fold_op_name(eti__event_label(event));
    if (op.name.size == 0)
        op.name = eti__text_of(ETI_GROUP_NO_NAME);
    return op;
}

eti_text eti__kernel_name(const eti_account *account, size_t event, const eti_op_type *op) {
    const eti_event *of = &account->block->events[event];
    if (op->kind == ETI_OP_TYPE_FRAMEWORK)
        return eti__text_of("");
    return of->logged && of->logged->kernel.data ? of->logged->kernel
                                                 : eti__fold_op_name(eti__event_label(of));
}

bool eti__op_type_number(eti_shared_texts *names, const eti_op_type *op, uint32_t *out) {
    *out = op->kind;
    if (op->kind != ETI_OP_TYPE_NAMED)
        return true;
    bool done = eti__shared_texts_add(names, op->name, out);
    *out += ETI_OP_TYPE_NAMED;
    return done;
}

eti_text eti__op_type_name(const eti_shared_texts *names, uint32_t number) {
    return number < ETI_OP_TYPE_NAMED ? eti__op_type_group((eti_op_type_kind)number)
                                      : names->texts.texts[number - ETI_OP_TYPE_NAMED];
}

/* ==== grouping ================================================================================ */

/* Kinds of keys that identify groups. Each of the first kinds is a single group. */
typedef enum key_kind {
    KEY_FRAMEWORK,
    KEY_NOT_DELEGATED,
    KEY_SEVERAL,
    KEY_UNKNOWN,
    KEY_TEXT,   /* index of a text */
    KEY_OP,     /* number of an operator, see "op type" */
    KEY_MODULE, /* index into places->module_names */
    KEY_LINE,   /* index into places->lines */
    KEY_BLOCK,  /* index of a block in the inspector */
} key_kind;

static const char *const fixed_names[] = {
    [KEY_FRAMEWORK] = ETI_GROUP_FRAMEWORK,
    [KEY_NOT_DELEGATED] = ETI_GROUP_NOT_DELEGATED,
    [KEY_SEVERAL] = ETI_GROUP_SEVERAL_LINES,
    [KEY_UNKNOWN] = ETI_GROUP_UNKNOWN,
};

typedef struct eti_group_key {
    uint32_t kind; /* a key_kind */
    uint32_t number;
} eti_group_key;

struct eti_block_key {
    eti_group_key key;
    uint32_t block; /* index of the block in the inspector, if each block has groups of its own */
};

static const eti_intern_kind interned_keys = {.item_size = sizeof(eti_block_key),
                                              .key_size = sizeof(eti_block_key)};

/* Finds the key of an event. Returns false if memory runs out. */
typedef bool (*key_function)(eti_groups *g, const eti_account *account, size_t event,
                             const eti_place *place, eti_group_key *out);

/* ---- keys ------------------------------------------------------------------------------------ */

static bool text_key(eti_groups *g, eti_text text, eti_group_key *out) {
    out->kind = KEY_TEXT;
    return eti__text_table_add(&g->texts, text, NULL, &out->number);
}

static bool find_op(eti_groups *g, const eti_account *account, size_t event, const eti_place *place,
                    eti_group_key *out) {
    (void)place;
    eti_op_type op = eti__op_type_of(account, event);
    out->kind = KEY_OP;
    return eti__op_type_number(&g->ops, &op, &out->number);
}

/* Finds the kernel of an event. Time of a delegate call in which no kernel runs has the same name as in groups of operators. */
static bool find_kernel(eti_groups *g, const eti_account *account, size_t event,
                        const eti_place *place, eti_group_key *out) {
    (void)place;
    const eti_delegate_event *logged = account->block->events[event].logged;
    eti_op_type op = eti__op_type_of(account, event);
    bool is_around = eti__role_is_around(eti__account_role(account, event));
    eti_text kernel = is_around && !(logged && logged->kernel.data)
                          ? op.name
                          : eti__kernel_name(account, event, &op);
    return text_key(g, kernel.size > 0 ? kernel : eti__text_of(ETI_GROUP_NO_NAME), out);
}

static bool find_compute_unit(eti_groups *g, const eti_account *account, size_t event,
                              const eti_place *place, eti_group_key *out) {
    (void)place;
    eti_text unit = eti__event_compute_unit(account, event);
    *out = (eti_group_key){KEY_UNKNOWN, 0};
    return unit.size == 0 || text_key(g, unit, out);
}

static bool find_backend(eti_groups *g, const eti_account *account, size_t event,
                         const eti_place *place, eti_group_key *out) {
    (void)place;
    eti_text backend = eti__account_backend(account, event);
    bool is_delegate = eti__role_is_delegate(eti__account_role(account, event));
    *out = (eti_group_key){is_delegate ? KEY_UNKNOWN : KEY_NOT_DELEGATED, 0};
    return !is_delegate || backend.size == 0 || text_key(g, backend, out);
}

static bool find_module(eti_groups *g, const eti_account *account, size_t event,
                        const eti_place *place, eti_group_key *out) {
    (void)account;
    (void)event;
    const eti_prefix_tree *modules = &g->places.modules;
    uint32_t module = eti__places_cut_module(&g->places, place->module, g->depth);
    *out = (eti_group_key){KEY_UNKNOWN, 0};
    if (module != ETI_PREFIX_ROOT)
        *out = (eti_group_key){KEY_MODULE, modules->nodes[module].item};
    return true;
}

static bool find_source(eti_groups *g, const eti_account *account, size_t event,
                        const eti_place *place, eti_group_key *out) {
    (void)account;
    (void)event;
    *out = (eti_group_key){place->has_frames ? KEY_SEVERAL : KEY_UNKNOWN, 0};
    if (place->frame != ETI_PREFIX_ROOT)
        *out = (eti_group_key){KEY_LINE, g->places.frames.nodes[place->frame].item};
    return true;
}

static uint32_t block_number(const eti_groups *g, const eti_account *account) {
    return (uint32_t)(account->block - g->inspector->blocks.blocks);
}

static bool find_block(eti_groups *g, const eti_account *account, size_t event,
                       const eti_place *place, eti_group_key *out) {
    (void)event;
    (void)place;
    *out = (eti_group_key){KEY_BLOCK, block_number(g, account)};
    return true;
}

static bool find_method(eti_groups *g, const eti_account *account, size_t event,
                        const eti_place *place, eti_group_key *out) {
    (void)event;
    (void)place;
    eti_text method = account->block->method_name;
    *out = (eti_group_key){KEY_UNKNOWN, 0};
    if (!method.data && g->is_of_method)
        *out = (eti_group_key){KEY_BLOCK, block_number(g, account)};
    return !method.data || text_key(g, method, out);
}

/* ---- groupings ------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    const char *of_record;
    bool needs_places;
    key_function find_key;
} groupings[ETI_N_GROUPINGS] = {
    [ETI_BY_OP] = {"op", NULL, false, find_op},
    [ETI_BY_KERNEL] = {"kernel", NULL, false, find_kernel},
    [ETI_BY_BACKEND] = {"backend", NULL, false, find_backend},
    [ETI_BY_COMPUTE_UNIT] = {"compute_unit", NULL, false, find_compute_unit},
    [ETI_BY_MODULE] = {"module", "modules", true, find_module},
    [ETI_BY_SOURCE] = {"source", "source lines", true, find_source},
    [ETI_BY_METHOD] = {"method", NULL, false, find_method},
    [ETI_BY_BLOCK] = {"block", NULL, false, find_block},
};

const char *eti__grouping_name(eti_grouping grouping) {
    return groupings[grouping].name;
}

const char *eti__grouping_of_record(eti_grouping grouping) {
    return groupings[grouping].of_record;
}

static bool parse_depth(const char *text, uint32_t *depth) {
    char *end;
    errno = 0;
    unsigned long number = strtoul(text, &end, 10);
    *depth = (uint32_t)number;
    return text[0] >= '1' && text[0] <= '9' && *end == '\0' && errno == 0 && number < UINT32_MAX;
}

bool eti__grouping_parse(const char *text, eti_grouping *out, uint32_t *depth) {
    size_t size = strcspn(text, ":");
    *depth = UINT32_MAX;
    for (int i = 0; i < ETI_N_GROUPINGS; i++) {
        if (strlen(groupings[i].name) != size || memcmp(groupings[i].name, text, size) != 0)
            continue;
        *out = (eti_grouping)i;
        return text[size] == '\0' || (i == ETI_BY_MODULE && parse_depth(text + size + 1, depth));
    }
    return false;
}

const char *eti__grouping_near(const char *mistyped) {
    const char *names[ETI_N_GROUPINGS];
    for (int i = 0; i < ETI_N_GROUPINGS; i++)
        names[i] = groupings[i].name;
    return eti__nearest_of(names, ETI_N_GROUPINGS, (eti_text){mistyped, strcspn(mistyped, ":")});
}

/* ---- groups ---------------------------------------------------------------------------------- */

/* Returns whether the framework's time belongs to a group; the time of several methods belongs to none. */
static bool takes_framework(const eti_groups *g) {
    return g->grouping == ETI_BY_BLOCK || (g->grouping == ETI_BY_METHOD && g->is_of_method);
}

static bool group_event(eti_groups *g, const eti_account *account, size_t event,
                        const eti_place *place, uint32_t *out) {
    eti_group_key key = {KEY_FRAMEWORK, 0};
    bool has_key = takes_framework(g) || !eti__role_is_framework(eti__account_role(account, event));
    if (has_key && !groupings[g->grouping].find_key(g, account, event, place, &key))
        return false;
    const eti_block_key of_block = {key, g->per_block ? block_number(g, account) : 0};
    return eti__intern_add(&g->keys.table, &interned_keys, &of_block, out);
}

static bool group_events(void *context, const eti_account *account, uint32_t *groups) {
    eti_groups *g = context;
    const eti_place nowhere = {0};
    size_t n = account->block->n_events;
    bool needs_places = groupings[g->grouping].needs_places;
    eti_place *places = needs_places ? eti__places_of_block(&g->places, account) : NULL;
    bool done = places || !needs_places;
    for (size_t i = 0; i < n && done; i++) {
        if (account->events[i].is_counted)
            done = group_event(g, account, i, places ? &places[i] : &nowhere, &groups[i]);
    }
    free(places);
    return done;
}

/* ---- names ----------------------------------------------------------------------------------- */

void eti__groups_add_name(const eti_groups *g, uint32_t group, eti_buffer *out) {
    const eti_places *places = &g->places;
    eti_group_key key = g->keys.items[group].key;
    switch ((key_kind)key.kind) {
    case KEY_FRAMEWORK:
    case KEY_NOT_DELEGATED:
    case KEY_SEVERAL:
    case KEY_UNKNOWN:
        eti__buffer_add_string(out, fixed_names[key.kind]);
        break;
    case KEY_TEXT:
        eti__buffer_add_text(out, g->texts.texts[key.number]);
        break;
    case KEY_OP:
        eti__buffer_add_text(out, eti__op_type_name(&g->ops, key.number));
        break;
    case KEY_MODULE:
        eti__buffer_add_text(out, places->module_names.items[key.number].name);
        break;
    case KEY_LINE: {
        const eti_stack_frame *frame = &places->lines.items[key.number].frame;
        eti__add_source_line(out, frame->file, frame->line);
        break;
    }
    case KEY_BLOCK:
        eti__buffer_add_text(out, g->inspector->blocks.blocks[key.number].label);
        break;
    }
}

static uint64_t name_size(const eti_groups *g, eti_group_key key) {
    switch ((key_kind)key.kind) {
    case KEY_TEXT:
        return g->texts.texts[key.number].size;
    case KEY_OP:
        return eti__op_type_name(&g->ops, key.number).size;
    case KEY_MODULE:
        return g->places.module_names.items[key.number].name.size;
    case KEY_LINE:
        return g->places.lines.items[key.number].frame.file.size;
    case KEY_BLOCK:
        return g->inspector->blocks.blocks[key.number].label.size;
    default:
        return 0;
    }
}

/* ---- making ---------------------------------------------------------------------------------- */

size_t eti__groups_block(const eti_groups *g, uint32_t group) {
    return g->keys.items[group].block;
}

/* Compares groups by block, then by time, largest first, then by number. */
static int compare_in_blocks(const void *a, const void *b, void *context) {
    const eti_groups *g = context;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    size_t block_x = eti__groups_block(g, x), block_y = eti__groups_block(g, y);
    if (block_x != block_y)
        return block_x < block_y ? -1 : 1;
    int order = eti__time_sum_compare(&g->rollup.groups[y].time, &g->rollup.groups[x].time);
    return order ? order : (x > y) - (x < y);
}

/* Returns the end of the range of groups, in the order, that share a block with the group at `first`. */
static size_t end_of_block(const eti_groups *g, size_t first) {
    size_t end = first;
    while (end < g->n &&
           eti__groups_block(g, g->order[end]) == eti__groups_block(g, g->order[first]))
        end++;
    return end;
}

/* Sets the cumulative shares of the groups from `first` to `end` in the order; their times add up to `whole`. */
static void set_shares(eti_groups *g, size_t first, size_t end, eti_time_sum whole) {
    eti_time_sum sum = {.methods = 0};
    for (size_t i = first; i < end; i++) {
        eti__time_sum_add(&sum, &g->rollup.groups[g->order[i]].time);
        g->wholes[i] = whole;
        g->cumulative[i] = eti__time_sum_share(&sum, &whole);
    }
}

static void set_all_shares(eti_groups *g) {
    if (!g->per_block)
        set_shares(g, 0, g->n, g->rollup.whole);
    for (size_t first = 0, end; g->per_block && first < g->n; first = end) {
        eti_time_sum whole = {.methods = 0};
        end = end_of_block(g, first);
        for (size_t i = first; i < end; i++)
            eti__time_sum_add(&whole, &g->rollup.groups[g->order[i]].time);
        set_shares(g, first, end, whole);
    }
}

static bool sort_groups(eti_groups *g) {
    const eti_rollup *rollup = &g->rollup;
    g->order = malloc((rollup->n_groups + 1) * sizeof *g->order);
    g->wholes = malloc((rollup->n_groups + 1) * sizeof *g->wholes);
    g->cumulative = malloc((rollup->n_groups + 1) * sizeof *g->cumulative);
    if (!g->order || !g->wholes || !g->cumulative)
        return false;
    g->n = eti__rollup_sort(rollup, g->order);
    if (g->per_block)
        eti__sort(g->order, g->n, sizeof *g->order, compare_in_blocks, g);
    set_all_shares(g);
    for (size_t i = 0; i < g->n; i++)
        g->n_bytes += name_size(g, g->keys.items[g->order[i]].key);
    return true;
}

eti_status eti__groups_make(eti_groups *out, const eti_inspector *inspector,
                            const eti_view_options *options, eti_grouping grouping, uint32_t depth,
                            eti_error *err) {
    *out = (eti_groups){.grouping = grouping,
                        .depth = depth,
                        .inspector = inspector,
                        .is_of_method = options->like != NULL,
                        .per_block = options->per_block};
    if (!eti__places_init(&out->places))
        return eti_fail_memory(err);
    ETI_TRY(eti__rollup_make(&out->rollup, inspector, options, group_events, out, err));
    return sort_groups(out) ? ETI_OK : eti_fail_memory(err);
}

void eti__groups_free(eti_groups *g) {
    eti__places_free(&g->places);
    eti__text_table_free(&g->texts);
    eti__shared_texts_free(&g->ops);
    eti__intern_free(&g->keys.table);
    eti__rollup_free(&g->rollup);
    free(g->order);
    free(g->wholes);
    free(g->cumulative);
}
