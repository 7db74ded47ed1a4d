#include "rollup/rollup.h"

#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

typedef struct maker {
    eti_module_tree *tree;
    const eti_places *places;
    const eti_rollup *rollup;
    uint32_t first_group;
    uint32_t
        *shapes; /* per module: equal numbers for modules that are alike inside; NULL: unknown */
} maker;

/* Key that modules have in common if they are shown as one in the tree. */
typedef struct layer_key {
    uint32_t parent;  /* parent in the tree */
    bool is_numbered; /* `name` is followed by a number */
    uint32_t shape;   /* type, operators and modules inside */
    eti_text name;    /* name within the enclosing module */
    /* the members below are not part of the key: */
    uint32_t module; /* the first of these modules */
    eti_text inside; /* its name with the number */
} layer_key;

/* ---- layers ---------------------------------------------------------------------------------- */

eti_text eti__module_name_inside(eti_text name, eti_text path) {
    size_t size = path.size;
    if (size == 0 || name.size <= size + 1 || name.data[size] != '.' ||
        memcmp(name.data, path.data, size) != 0)
        return name;
    return eti__text_from(name, size + 1);
}

/* Returns "layers." for "layers.12"; the whole name if it does not end in a separate number. */
static eti_text without_number(eti_text name) {
    size_t size = name.size;
    while (size > 0 && eti__is_digit(name.data[size - 1]))
        size--;
    bool is_numbered = size < name.size && (size == 0 || name.data[size - 1] == '.');
    return is_numbered ? (eti_text){name.data, size} : name;
}

static uint64_t hash_layer(const void *key, uint64_t seed) {
    const layer_key *k = key;
    uint64_t hash = eti__hash_mix(seed, (uint64_t)k->parent << 1 | k->is_numbered);
    return eti__text_hash(k->name, eti__hash_mix(hash, k->shape));
}

static bool layers_equal(const void *key, const void *other) {
    const layer_key *a = key, *b = other;
    return a->parent == b->parent && a->is_numbered == b->is_numbered && a->shape == b->shape &&
           eti__text_equal(a->name, b->name);
}

/* Returns the name of a module in its parent. */
static eti_text inside_name(const eti_places *places, uint32_t module) {
    uint32_t above = places->modules.nodes[module].parent;
    eti_text name = eti__places_module_name(places, module);
    return above == ETI_PREFIX_ROOT
               ? name
               : eti__module_name_inside(name, eti__places_module(places, above)->path);
}

static layer_key key_of(const maker *m, uint32_t module) {
    const eti_module *named = eti__places_module(m->places, module);
    layer_key key = {.parent = m->tree->stand_ins[m->places->modules.nodes[module].parent],
                     .shape = m->shapes[module],
                     .module = module,
                     .inside = inside_name(m->places, module)};
    key.name = named->path.size > 0 ? without_number(key.inside) : key.inside;
    key.is_numbered = key.name.size < key.inside.size;
    return key;
}

/* ---- shapes ---------------------------------------------------------------------------------- */

/* Operators of events in a module, or a module inside it. */
typedef struct part {
    uint32_t module;
    uint32_t what;   /* a path of operators, or the number of the name of the module inside */
    uint32_t inside; /* the module inside; 0: operators */
} part;

static int compare_parts(const void *a, const void *b, void *unused) {
    const part *x = a, *y = b;
    (void)unused;
    if (x->module != y->module)
        return x->module < y->module ? -1 : 1;
    bool is_module = x->inside > 0;
    if (is_module != (y->inside > 0))
        return is_module ? 1 : -1;
    if (x->what != y->what)
        return x->what < y->what ? -1 : 1;
    return (x->inside > y->inside) - (x->inside < y->inside);
}

/* Lists the parts of all modules, sorted by module. Returns their number. `texts` numbers the names. */
static bool list_parts(const maker *m, eti_text_table *texts, part *parts, size_t *n) {
    const eti_places *places = m->places;
    *n = 0;
    for (size_t i = 0; i < places->lists.count; i++) {
        const eti_place *place = &places->lists.items[i].place;
        if (place->module > 0 && place->ops > 0)
            parts[(*n)++] = (part){.module = place->module, .what = place->ops};
    }
    for (uint32_t i = 1; i < m->tree->n_modules; i++) {
        part *added = &parts[(*n)++];
        *added = (part){.module = places->modules.nodes[i].parent, .inside = i};
        if (!eti__text_table_add(texts, inside_name(places, i), NULL, &added->what))
            return false;
    }
    eti__sort(parts, *n, sizeof *parts, compare_parts, NULL);
    return true;
}

static void add_number(eti_buffer *out, uint32_t number) {
    eti__buffer_add(out, &number, sizeof number);
}

/* Appends the type of a module, its distinct operators, and the names and shapes of the modules inside it, whose shapes are
 * known. `*end` is the end of its parts, and becomes their beginning. */
static bool describe_shape(const maker *m, eti_text_table *texts, const part *parts, size_t *end,
                           uint32_t module, eti_buffer *out) {
    uint32_t type;
    size_t first = *end;
    if (!eti__text_table_add(texts, eti__places_module(m->places, module)->type, NULL, &type))
        return false;
    while (first > 0 && parts[first - 1].module == module)
        first--;
    out->size = 0;
    add_number(out, type);
    for (size_t i = first; i < *end; i++) {
        const part *added = &parts[i];
        bool is_known = i > first && compare_parts(added, added - 1, NULL) == 0;
        if (is_known)
            continue;
        add_number(out, added->inside > 0);
        add_number(out, added->what);
        if (added->inside > 0)
            add_number(out, m->shapes[added->inside]);
    }
    *end = first;
    return !out->failed;
}

/* Numbers the shapes of all modules. Modules inside another have higher numbers. */
static bool number_shapes(maker *m) {
    eti_text_table texts = {0}, shapes = {0};
    eti_arena arena = {0};
    eti_buffer shape = {0};
    size_t end, n = m->tree->n_modules;
    part *parts = malloc((m->places->lists.count + n) * sizeof *parts);
    m->shapes = calloc(n, sizeof *m->shapes);
    bool done = parts && m->shapes && list_parts(m, &texts, parts, &end);
    for (size_t i = n; i-- > 1 && done;)
        done = describe_shape(m, &texts, parts, &end, (uint32_t)i, &shape) &&
               eti__text_table_add(&shapes, eti__buffer_text(&shape), &arena, &m->shapes[i]);
    eti__text_table_free(&texts);
    eti__text_table_free(&shapes);
    eti__buffer_free(&shape);
    eti__arena_free(&arena);
    free(parts);
    return done;
}

/* ---- stand-ins ------------------------------------------------------------------------------- */

/* Finds the module that stands for each module. Parents have lower numbers than the modules inside them. */
static bool fold_layers(maker *m) {
    static const eti_intern_kind kind = {
        .item_size = sizeof(layer_key), .hash = hash_layer, .is_equal = layers_equal};
    ETI_INTERN_OF(layer_key) keys = {0};
    bool done = true;
    for (uint32_t i = 1; i < m->tree->n_modules && done; i++) {
        const layer_key key = key_of(m, i);
        uint32_t number;
        done = eti__intern_add(&keys.table, &kind, &key, &number);
        if (!done)
            break;
        const layer_key *first = &keys.items[number];
        m->tree->stand_ins[i] = first->module;
        m->tree->modules[first->module].is_layers |= !eti__text_equal(key.inside, first->inside);
    }
    eti__intern_free(&keys.table);
    return done;
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Builds the path of a module if its name or the path of its parent contains a "*". */
static bool join_name(maker *m, eti_tree_module *module, eti_text inside) {
    eti_text above = m->tree->modules[module->parent].path;
    eti_buffer text = {0};
    if (inside.size < module->name.size) {
        eti__buffer_add_text(&text, above);
        eti__buffer_add_char(&text, '.');
    }
    eti__buffer_add_text(&text, module->is_layers ? without_number(inside) : inside);
    if (module->is_layers)
        eti__buffer_add_char(&text, '*');
    bool done = !text.failed &&
                eti__arena_copy_text(&m->tree->arena, eti__buffer_text(&text), &module->name);
    eti__buffer_free(&text);
    module->path = module->name;
    return done;
}

static bool name_module(maker *m, uint32_t i) {
    eti_tree_module *module = &m->tree->modules[i];
    const eti_module *named = eti__places_module(m->places, i);
    uint32_t above = m->places->modules.nodes[i].parent;
    eti_text inside = inside_name(m->places, i);
    module->name = eti__places_module_name(m->places, i);
    module->path = named->path;
    module->type = named->type;
    bool is_inside_renamed = inside.size < module->name.size &&
                             !eti__text_equal(eti__places_module(m->places, above)->path,
                                              m->tree->modules[module->parent].path);
    return (!module->is_layers && !is_inside_renamed) || join_name(m, module, inside);
}

/* ---- times ----------------------------------------------------------------------------------- */

static void add_group(eti_group *sum, const eti_group *added) {
    eti__time_sum_add(&sum->time, &added->time);
    sum->n_events += added->n_events;
    sum->n_calls += added->n_calls;
}

static void add_own_time(const maker *m, uint32_t i) {
    eti_tree_module *module = &m->tree->modules[m->tree->stand_ins[i]];
    size_t group = m->first_group + i - 1;
    if (group >= m->rollup->n_groups)
        return;
    eti__time_sum_add(&module->self, &m->rollup->groups[group].time);
    add_group(&module->all, &m->rollup->groups[group]);
}

static bool describe_modules(maker *m) {
    eti_tree_module *modules = m->tree->modules;
    bool done = true;
    for (uint32_t i = 1; i < m->tree->n_modules && done; i++) {
        modules[m->tree->stand_ins[i]].n_same++;
        add_own_time(m, i);
        if (m->tree->stand_ins[i] != i)
            continue;
        modules[i].parent = m->tree->stand_ins[m->places->modules.nodes[i].parent];
        done = name_module(m, i);
    }
    for (size_t i = m->tree->n_modules; i-- > 1;) {
        if (modules[i].n_same > 0)
            add_group(&modules[modules[i].parent].all, &modules[i].all);
    }
    return done;
}

/* ---- order ----------------------------------------------------------------------------------- */

static int compare_children(const void *a, const void *b, void *context) {
    const eti_tree_module *modules = context;
    uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
    const eti_tree_module *x = &modules[i], *y = &modules[k];
    if (x->parent != y->parent)
        return x->parent < y->parent ? -1 : 1;
    int order = eti__time_sum_compare(&y->all.time, &x->all.time);
    if (order)
        return order;
    bool has_x = x->all.n_events > 0, has_y = y->all.n_events > 0;
    if (has_x != has_y)
        return has_x ? -1 : 1;
    return (i > k) - (i < k);
}

/* Returns the number of modules in the tree. */
static size_t list_children(const maker *m) {
    eti_tree_module *modules = m->tree->modules;
    size_t n = 0;
    for (uint32_t i = 1; i < m->tree->n_modules; i++) {
        if (modules[i].n_same > 0)
            m->tree->children[n++] = i;
    }
    eti__sort(m->tree->children, n, sizeof *m->tree->children, compare_children, modules);
    for (size_t at = n; at-- > 0;) {
        const eti_tree_module *child = &modules[m->tree->children[at]];
        modules[child->parent].first_child = at;
        modules[child->parent].n_children += child->all.n_events > 0;
    }
    return n;
}

/* Lists the groups of each module followed by those of the modules inside it, in the order of the children. */
static void list_groups(const maker *m, size_t n_children) {
    eti_tree_module *modules = m->tree->modules;
    size_t n = m->tree->n_modules;
    for (size_t i = n; i-- > 1;) {
        modules[i].n_groups += modules[i].n_same;
        if (modules[i].n_same > 0)
            modules[modules[i].parent].n_groups += modules[i].n_groups;
    }
    for (size_t i = 0; i < n; i++) {
        size_t next = modules[i].first_group + modules[i].n_same, at = modules[i].first_child;
        bool is_in_tree = i == ETI_PREFIX_ROOT || modules[i].n_same > 0;
        for (; is_in_tree && at < n_children && modules[m->tree->children[at]].parent == i; at++) {
            modules[m->tree->children[at]].first_group = next;
            next += modules[m->tree->children[at]].n_groups;
        }
    }
    for (size_t i = 1; i < n; i++)
        m->tree->groups[modules[m->tree->stand_ins[i]].first_group++] =
            m->first_group + (uint32_t)i - 1;
    for (size_t i = 1; i < n; i++)
        modules[i].first_group -= modules[i].n_same;
}

static bool make_arrays(maker *m) {
    size_t n = m->tree->n_modules;
    m->tree->stand_ins = calloc(n, sizeof *m->tree->stand_ins);
    m->tree->modules = calloc(n, sizeof *m->tree->modules);
    m->tree->children = malloc(n * sizeof *m->tree->children);
    m->tree->groups = malloc(n * sizeof *m->tree->groups);
    return m->tree->stand_ins && m->tree->modules && m->tree->children && m->tree->groups;
}

bool eti__module_tree_make(eti_module_tree *out, const eti_places *places, const eti_rollup *rollup,
                           uint32_t first_group, bool folds_layers) {
    *out = (eti_module_tree){.n_modules = places->modules.n_nodes};
    maker m = {.tree = out, .places = places, .rollup = rollup, .first_group = first_group};
    bool done = make_arrays(&m);
    for (uint32_t i = 0; i < out->n_modules && done; i++)
        out->stand_ins[i] = i;
    done =
        done && (!folds_layers || (number_shapes(&m) && fold_layers(&m))) && describe_modules(&m);
    if (done)
        list_groups(&m, list_children(&m));
    free(m.shapes);
    return done;
}

void eti__module_tree_free(eti_module_tree *tree) {
    free(tree->modules);
    free(tree->children);
    free(tree->groups);
    free(tree->stand_ins);
    eti__arena_free(&tree->arena);
    *tree = (eti_module_tree){0};
}
