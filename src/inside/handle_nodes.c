#include "inside/inside.h"

#include <stdlib.h>
#include <string.h>

/* ==== kernel uses ============================================================================= */
/* Finds the nodes of a graph that a program runs as kernels, although a delegate has nodes with
 * the same debug handle.
 *
 * It counts, for each debug handle and name of an operator, the nodes of the graph and the kernel
 * calls of the program. If there are as many calls as nodes, all these nodes are kernels. If there
 * are fewer, it is unknown which of the nodes they run. */

/* Uses of an operator with a debug handle. */
typedef struct operator_use {
    eti_text name; /* the key, with `handle`; such as "add" */
    int64_t handle;
    size_t n_nodes, n_kernels;
} operator_use;

typedef ETI_INTERN_OF(operator_use) use_table;

static uint64_t hash_use(const void *key, uint64_t seed) {
    const operator_use *use = key;
    return eti__hash_mix(eti__text_hash(use->name, seed), (uint64_t)use->handle);
}

static bool uses_equal(const void *key, const void *other) {
    const operator_use *a = key, *b = other;
    return a->handle == b->handle && eti__text_equal(a->name, b->name);
}

static const eti_intern_kind use_kind = {
    .item_size = sizeof(operator_use), .hash = hash_use, .is_equal = uses_equal};

/* ---- counts ---------------------------------------------------------------------------------- */

static bool find_node(const use_table *uses, const eti_graph *graph, size_t node,
                      uint32_t *number) {
    const eti_graph_node *of = &graph->nodes[node];
    const operator_use use = {.name = eti__operator_name(of->op_type), .handle = of->debug_handle};
    return use.name.size > 0 && eti__graph_has_handle(graph, node) &&
           eti__intern_find(&uses->table, &use_kind, &use, number);
}

/* Counts the kernel calls with a single handle; of several handles, any may be the operator's. */
static bool count_kernels(use_table *uses, const eti_etrecord *record, size_t method,
                          const eti_pte_plan *plan) {
    const eti_pte_chain *chain = &plan->chains[0];
    for (uint32_t i = 0; i < chain->n_instructions && i <= INT32_MAX; i++) {
        const eti_pte_instruction *instruction = &chain->instructions[i];
        eti_debug_handles handles;
        uint32_t number;
        if (instruction->kind != ETI_PTE_KERNEL_CALL ||
            !eti__etrecord_find_handles(record, method, (int32_t)i, &handles) || handles.n != 1)
            continue;
        const operator_use use = {
            .name = eti__operator_name(plan->operators[instruction->index].name),
            .handle = handles.handles[0],
        };
        if (use.name.size == 0)
            continue;
        if (!eti__intern_add(&uses->table, &use_kind, &use, &number))
            return false;
        uses->items[number].n_kernels++;
    }
    return true;
}

static bool mark_nodes(bool **out, const use_table *uses, const eti_graph *graph) {
    size_t n = graph->n_nodes - (graph->is_whole ? graph->n_lowered : 0);
    uint32_t number;
    *out = calloc(graph->n_nodes + 1, sizeof **out);
    if (!*out)
        return false;
    for (size_t i = 0; i < n; i++) {
        if (find_node(uses, graph, i, &number))
            uses->items[number].n_nodes++;
    }
    for (size_t i = 0; i < n; i++)
        (*out)[i] = find_node(uses, graph, i, &number) &&
                    uses->items[number].n_nodes == uses->items[number].n_kernels;
    return true;
}

/* Sets `*out` to an array with the answer for each node, which the caller frees; to NULL if the record has no kernel
 * calls of the plan. Returns false if memory runs out. */
static bool find_kernel_uses(bool **out, const eti_graph *graph, const eti_etrecord *record,
                             size_t method, const eti_pte_plan *plan) {
    use_table uses = {{0}};
    *out = NULL;
    if (!record || method == ETI_NO_METHOD || !plan || plan->n_chains != 1)
        return true;
    bool done = count_kernels(&uses, record, method, plan) &&
                (uses.count == 0 || mark_nodes(out, &uses, graph));
    eti__intern_free(&uses.table);
    return done;
}

/* ==== node order ============================================================================== */

/* Largest number of words of the rows of one search, and of words that all searches combine; they take at most a
 * second. */
#define MOST_WORDS ((size_t)1 << 22)
#define MOST_WORK ((size_t)1 << 27)

/* The nodes from the first to the last of the list. */
typedef struct searcher {
    const eti_graph_node *first;
    size_t n_between; /* number of these nodes */
    const eti_op_node *const *listed;
    size_t n_listed, n_words;
    uint64_t *needs; /* per node: a row of bits that marks the listed nodes whose values it needs */
} searcher;

static const eti_graph_node *node_of(const eti_op_node *node) {
    return (const eti_graph_node *)(const void *)node;
}

/* Counts the work of a search, and returns whether it may be done. */
static bool is_affordable(const searcher *s, size_t *work) {
    if (s->n_between > MOST_WORDS / s->n_words)
        return false;
    *work += s->n_between * s->n_words;
    for (size_t i = 0; i < s->n_between && *work <= MOST_WORK; i++)
        *work += s->first[i].n_producers * s->n_words;
    return *work <= MOST_WORK;
}

/* Adds an input of a node, and everything that this input needs. Producers come before the node. */
static void add_producer(const searcher *s, uint64_t *row, const eti_graph_node *producer) {
    if (producer < s->first || producer >= s->first + s->n_between)
        return;
    const uint64_t *needed = s->needs + (size_t)(producer - s->first) * s->n_words;
    eti__need_row_join(row, needed, s->n_words);
}

/* Fills the rows. While this goes on, the row of a listed node also marks the node itself. */
static void find_needs(const searcher *s) {
    size_t next = 0;
    for (size_t i = 0; i < s->n_between; i++) {
        uint64_t *row = s->needs + i * s->n_words;
        for (uint32_t k = 0; k < s->first[i].n_producers; k++)
            add_producer(s, row, s->first[i].producers[k]);
        if (next < s->n_listed && node_of(s->listed[next]) == &s->first[i]) {
            eti__need_row_add(row, next++);
        }
    }
}

/* Returns whether a row marks all of the first `n` listed nodes. */
static bool has_all(const uint64_t *row, size_t n) {
    for (size_t i = 0; i < n / 64; i++) {
        if (row[i] != UINT64_MAX)
            return false;
    }
    uint64_t rest = ((uint64_t)1 << (n % 64)) - 1;
    return n % 64 == 0 || (row[n / 64] & rest) == rest;
}

/* Goes from the last node to the first; `common` marks the nodes that all later ones need. */
static void find_known(const searcher *s, uint64_t *common, bool *is_known) {
    memset(common, 0xff, s->n_words * sizeof *common);
    for (size_t i = s->n_listed; i-- > 0;) {
        const uint64_t *row = s->needs + (size_t)(node_of(s->listed[i]) - s->first) * s->n_words;
        is_known[i] = eti__need_row_has(common, i) && has_all(row, i);
        for (size_t k = 0; k < s->n_words; k++)
            common[k] &= row[k];
    }
}

static bool search_order(searcher *s, bool *is_known) {
    uint64_t *common = malloc((s->n_words + 1) * sizeof *common);
    s->needs = calloc(s->n_between * s->n_words + 1, sizeof *s->needs);
    bool done = common && s->needs;
    if (done) {
        find_needs(s);
        find_known(s, common, is_known);
    }
    free(common);
    free(s->needs);
    return done;
}

eti_node_order *eti__node_order_find(eti_arena *arena, const eti_op_node *const *nodes, size_t n,
                                     size_t *work) {
    eti_node_order *order = eti__arena_alloc(arena, 1, sizeof *order);
    bool *is_known = eti__arena_alloc_zero(arena, n + 1, sizeof *is_known);
    if (!order || !is_known)
        return NULL;
    order->is_known = is_known;
    if (n == 0)
        return order;
    const eti_graph_node *first = node_of(nodes[0]);
    searcher s = {
        .first = first,
        .n_between = (size_t)(node_of(nodes[n - 1]) - first) + 1,
        .listed = nodes,
        .n_listed = n,
        .n_words = eti__need_row_words(n),
    };
    return !is_affordable(&s, work) || search_order(&s, is_known) ? order : NULL;
}

/* ==== handle nodes ============================================================================ */

/* How well a node fits a kind, from worst to best. */
typedef enum fitness { QUANTIZES, WORKS, FITS, FITS_WELL, N_FITNESSES } fitness;

/* A range of nodes by number. */
typedef struct node_range {
    size_t first, end;
} node_range;

bool eti__handle_nodes_init(eti_handle_nodes *nodes, eti_arena *arena, const eti_graph *graph) {
    *nodes = (eti_handle_nodes){.arena = arena, .graph = graph};
    return eti__handle_index_init(&nodes->by_handle, graph);
}

void eti__handle_nodes_free(eti_handle_nodes *nodes) {
    eti__handle_index_free(&nodes->by_handle);
    eti__intern_free(&nodes->found.table);
    free(nodes->are_kernels);
    *nodes = (eti_handle_nodes){0};
}

bool eti__handle_nodes_leave_kernels(eti_handle_nodes *nodes, const eti_etrecord *record,
                                     size_t method, const eti_pte_plan *plan) {
    return find_kernel_uses(&nodes->are_kernels, nodes->graph, record, method, plan);
}

/* ---- the nodes of a class -------------------------------------------------------------------- */

static fitness fitness_of(const eti_graph_node *node, const eti_found_class *found) {
    if (eti__xnnpack_kind_is_of((uint8_t)found->kind, node->op_type))
        return eti__xnnpack_op_gives(node->op_type, (uint8_t)found->output_bits) ? FITS_WELL : FITS;
    return eti__is_quantizing(node->op_type) ? QUANTIZES : WORKS;
}

/* Returns the node at a position of the index, or NULL if it ran as a kernel. */
static const eti_graph_node *node_at(const eti_handle_nodes *nodes, size_t at) {
    size_t number = nodes->by_handle.nodes[at].node;
    bool is_kernel = nodes->are_kernels && nodes->are_kernels[number];
    return is_kernel ? NULL : &nodes->graph->nodes[number];
}

/* Returns the first position of a handle whose node is not before `first`; the nodes of a handle are in graph order. */
static size_t find_first(const eti_handle_index *index, int64_t handle, size_t first) {
    size_t low = eti__handle_index_first(index, handle);
    size_t high = handle == INT64_MAX ? index->n : eti__handle_index_first(index, handle + 1);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (index->nodes[middle].node < first)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Lists the nodes in the range that fit best. */
static bool list_nodes(const eti_handle_nodes *nodes, const eti_found_class *found,
                       const node_range *range) {
    const eti_handle_index *index = &nodes->by_handle;
    size_t first = find_first(index, found->handle, range->first), end = first;
    size_t counts[N_FITNESSES] = {0};
    for (; end < index->n && index->nodes[end].handle == found->handle &&
           index->nodes[end].node < range->end;
         end++) {
        const eti_graph_node *node = node_at(nodes, end);
        if (node)
            counts[fitness_of(node, found)]++;
    }
    fitness best = FITS_WELL;
    while (best > QUANTIZES && counts[best] == 0)
        best--;
    const eti_op_node **listed =
        eti__arena_alloc(nodes->arena, counts[best] + 1, sizeof(const eti_op_node *));
    if (!listed)
        return false;
    found->of->nodes = listed;
    found->of->n = 0;
    found->of->fits = best >= FITS;
    for (size_t at = first; at < end; at++) {
        const eti_graph_node *node = node_at(nodes, at);
        if (node && fitness_of(node, found) == best)
            listed[found->of->n++] = &node->node;
    }
    return true;
}

/* Searches the module of the call, if there is one. Otherwise searches the nodes of all lowered modules first: the nodes
 * of the graph around them ran as kernels, and may share the handle. */
static bool search(const eti_handle_nodes *nodes, const eti_found_class *found) {
    const eti_graph *graph = nodes->graph;
    const eti_lowered_module *module = found->module;
    size_t n_around = graph->is_whole ? graph->n_nodes - graph->n_lowered : 0;
    if (module)
        return list_nodes(nodes, found,
                          &(node_range){module->first, module->first + module->n_nodes});
    return list_nodes(nodes, found, &(node_range){n_around, graph->n_nodes}) &&
           (found->of->n > 0 || n_around == 0 ||
            list_nodes(nodes, found, &(node_range){0, n_around}));
}

/* ---- the operators of a class ---------------------------------------------------------------- */

static eti_text op_of(const eti_node_class *of, size_t i) {
    return ((const eti_graph_node *)(const void *)of->nodes[i])->op_type;
}

static bool list_ops(eti_arena *arena, eti_node_class *of) {
    const eti_text none = {NULL, 0};
    eti_shared_texts seen = {.texts.count = 0};
    uint32_t number;
    bool done = true;
    for (size_t i = 0; i < of->n && done; i++)
        done = eti__shared_texts_add(&seen, op_of(of, i), &number);
    const eti_text *listed = done ? eti__shared_texts_copy(&seen, arena) : NULL;
    of->op_types = listed;
    of->n_op_types = listed ? seen.texts.count : 0;
    of->op = of->n_op_types == 1 ? listed[0] : none;
    eti__shared_texts_free(&seen);
    return listed != NULL;
}

/* ---- classes --------------------------------------------------------------------------------- */

/* Makes a class. Returns NULL if memory runs out. */
static eti_node_class *make_class(const eti_handle_nodes *nodes, const eti_found_class *wanted) {
    static const eti_op_node *const none[1];
    eti_found_class found = *wanted;
    found.of = eti__arena_alloc(nodes->arena, 1, sizeof *found.of);
    if (!found.of)
        return NULL;
    *found.of = (eti_node_class){.nodes = none, .block = SIZE_MAX};
    return search(nodes, &found) && list_ops(nodes->arena, found.of) ? found.of : NULL;
}

/* NOLINTNEXTLINE(misc-no-recursion): once, without the module */
eti_node_class *eti__handle_nodes_find(eti_handle_nodes *nodes, const eti_lowered_module *module,
                                       const eti_xnnpack_node *node) {
    static const eti_intern_kind found_kind = {.item_size = sizeof(eti_found_class),
                                               .key_size = offsetof(eti_found_class, of)};
    const eti_found_class wanted = {
        .handle = node->debug_handle,
        .module = module,
        .kind = node->kind,
        .output_bits = node->kind == ETI_XNNPACK_CONVERT ? node->output_bits : 0,
    };
    size_t n_known = nodes->found.count;
    uint32_t number;
    if (!eti__intern_add(&nodes->found.table, &found_kind, &wanted, &number))
        return NULL;
    if (number < n_known)
        return nodes->found.items[number].of;
    eti_node_class *of = make_class(nodes, &wanted);
    if (of && of->n == 0 && module)
        of = eti__handle_nodes_find(nodes, NULL, node);
    nodes->found.items[number].of = of; /* the search may have moved the items */
    return of;
}

/* Returns the only node of the class that can be number `place` of those that ran, in order of execution; NULL if there
 * are several. Sets `*failed` if memory runs out. */
static const eti_op_node *handle_nodes_at(eti_handle_nodes *nodes, eti_node_class *of, size_t place,
                                          bool *failed) {
    if (of->n == 1)
        return of->nodes[0];
    if (of->n != of->n_run || place >= of->n || !of->fits)
        return NULL;
    if (!of->order) {
        of->order = eti__node_order_find(nodes->arena, of->nodes, of->n, &nodes->order_work);
        if (!of->order) {
            *failed = true;
            return NULL;
        }
    }
    return of->order->is_known[place] ? of->nodes[place] : NULL;
}

/* ---- payloads of other exports ---------------------------------------------------------------- */

/* A payload belongs to the record's export if at most one in this number of its nodes has another operator there; the
 * right payload has none. */
#define ONE_UNLIKE_IN 8u

/* Returns whether a node must become the operator that its handle leads to; nodes that lowering inserts or splits off
 * need not. */
static bool is_operator(const eti_xnnpack_node *node) {
    return node->has_handle && !node->is_inserted && !eti__xnnpack_kind_is_fusible(node->kind) &&
           eti__xnnpack_kind_name(node->kind).data;
}

bool eti__handle_nodes_fit(eti_handle_nodes *nodes, const eti_lowered_module *module,
                           const eti_xnnpack *payload, bool *out) {
    size_t n = 0, n_unlike = 0;
    for (uint32_t i = 0; i < payload->n_nodes; i++) {
        const eti_xnnpack_node *node = &payload->nodes[i];
        if (!is_operator(node))
            continue;
        const eti_node_class *found = eti__handle_nodes_find(nodes, module, node);
        if (!found)
            return false;
        n += found->n > 0;
        n_unlike += found->n > 0 && !found->fits;
    }
    *out = n_unlike <= n / ONE_UNLIKE_IN;
    return true;
}

int eti__compare_handles(const void *a, const void *b) {
    const int64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

bool eti__payload_is_listed(const eti_xnnpack *payload, const eti_debug_handles *listed,
                            bool *out) {
    int64_t *sorted = malloc(listed->n * sizeof *sorted);
    if (!sorted)
        return false;
    *out = true;
    memcpy(sorted, listed->handles, listed->n * sizeof *sorted);
    qsort(sorted, listed->n, sizeof *sorted, eti__compare_handles);
    for (uint32_t i = 0; i < payload->n_nodes && *out; i++) {
        int64_t handle = payload->nodes[i].debug_handle;
        *out = !payload->nodes[i].has_handle ||
               bsearch(&handle, sorted, listed->n, sizeof *sorted, eti__compare_handles);
    }
    free(sorted);
    return true;
}

/* ==== shared handles ========================================================================== */

/* A debug handle in the list of an instruction. */
typedef struct listed_handle {
    int64_t handle;
    size_t instruction;
} listed_handle;

static int compare_listed(const void *a, const void *b) {
    const listed_handle *x = a, *y = b;
    if (x->handle != y->handle)
        return x->handle < y->handle ? -1 : 1;
    return (x->instruction > y->instruction) - (x->instruction < y->instruction);
}

static eti_debug_handles handles_of(const eti_etrecord *record, size_t method, size_t instruction) {
    const eti_delegate_call *call;
    return eti__etrecord_instruction_handles(record, method, instruction, &call);
}

bool eti__shared_handles_list(eti_shared_handles *shared, const eti_etrecord *record,
                              size_t method) {
    size_t n = 0, n_instructions;
    if (shared->handles)
        return true;
    n_instructions = eti__etrecord_method_instruction_count(record, method);
    for (size_t i = 0; i < n_instructions; i++)
        n += handles_of(record, method, i).n;
    listed_handle *listed = malloc((n + 1) * sizeof *listed);
    shared->handles = malloc((n + 1) * sizeof *shared->handles);
    if (!listed || !shared->handles) {
        free(listed);
        return false;
    }
    n = 0;
    for (size_t i = 0; i < n_instructions; i++) {
        const eti_debug_handles handles = handles_of(record, method, i);
        for (size_t k = 0; k < handles.n; k++)
            listed[n++] = (listed_handle){handles.handles[k], i};
    }
    qsort(listed, n, sizeof *listed, compare_listed);
    for (size_t i = 1; i < n; i++) {
        bool is_shared = listed[i].handle == listed[i - 1].handle &&
                         listed[i].instruction != listed[i - 1].instruction;
        if (is_shared)
            shared->handles[shared->n++] = listed[i].handle;
    }
    free(listed);
    return true;
}

bool eti__shared_handles_have(const eti_shared_handles *shared, int64_t handle) {
    return shared->n > 0 &&
           bsearch(&handle, shared->handles, shared->n, sizeof handle, eti__compare_handles);
}

void eti__shared_handles_free(eti_shared_handles *shared) {
    free(shared->handles);
    *shared = (eti_shared_handles){0};
}

/* ==== node choices ============================================================================ */

static bool has_own_handle(const eti_xnnpack_node *node) {
    return node->has_handle && !node->is_inserted;
}

bool eti__node_choices_count(eti_handle_nodes *nodes, const eti_lowered_module *module,
                             const eti_xnnpack *payload, size_t block) {
    for (uint32_t i = 0; i < payload->n_nodes; i++) {
        const eti_xnnpack_node *node = &payload->nodes[i];
        if (!has_own_handle(node))
            continue;
        eti_node_class *of = eti__handle_nodes_find(nodes, module, node);
        if (!of)
            return false;
        if (of->block != block) {
            of->block = block;
            of->n_run = of->n_passed = 0;
        }
        of->n_run++;
    }
    return true;
}

static bool choose(eti_node_choice *out, eti_handle_nodes *nodes, const eti_lowered_module *module,
                   const eti_xnnpack_node *node, bool is_in_order) {
    eti_node_class *of = eti__handle_nodes_find(nodes, module, node);
    bool failed = false;
    if (!of)
        return false;
    size_t place = is_in_order ? of->n_passed++ : SIZE_MAX;
    *out = (eti_node_choice){of, handle_nodes_at(nodes, of, place, &failed)};
    return !failed;
}

bool eti__node_choices_make(eti_node_choices *choices, eti_handle_nodes *nodes,
                            const eti_lowered_module *module, const eti_xnnpack *payload,
                            bool is_in_order) {
    bool done = ETI_GROW(choices->items, choices->capacity, (size_t)payload->n_nodes + 1);
    for (uint32_t i = 0; i < payload->n_nodes && done; i++) {
        choices->items[i] = (eti_node_choice){NULL, NULL};
        if (has_own_handle(&payload->nodes[i]))
            done = choose(&choices->items[i], nodes, module, &payload->nodes[i], is_in_order);
    }
    return done;
}

void eti__node_choices_free(eti_node_choices *choices) {
    free(choices->items);
    *choices = (eti_node_choices){0};
}
