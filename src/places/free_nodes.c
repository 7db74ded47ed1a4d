#include "places/free_nodes.h"

#include "backends/backends.h"
#include "base/intern.h"
#include "base/text.h"
#include "inside/inside.h"
#include "places/places.h"

#include <stdlib.h>

/* The instructions of a method, each with the record of its events. */
typedef struct method_calls {
    const eti_pte_plan *plan; /* the key, with `method` */
    size_t method;
    const eti_event_record *const *records; /* per instruction; NULL: nothing is known */
} method_calls;

#define NO_NODE UINT32_MAX

/* An operator of the program: its calls without a handle, and its free nodes as a list in graph order. */
typedef struct operator_use {
    size_t n_calls, n_nodes;
    uint32_t first, last; /* nodes */
} operator_use;

typedef struct matching {
    const eti_etrecord *record;
    const eti_pte_plan *plan;
    const eti_pte_chain *chain;
    const eti_graph *graph;
    size_t method;
    eti_arena scratch;
    eti_text_table names;    /* such as "llama.update_cache", one per use */
    operator_use *uses;      /* in the order of the names */
    uint32_t *use_of;        /* per operator of the plan; NO_NODE if its name is too long */
    int64_t *handles;        /* those of all instructions, sorted */
    uint32_t *nexts;         /* per node of the graph: the next free node of its operator */
    eti_graph_node **copied; /* per node of the graph, once one is needed: see copied_node() */
    size_t n_handles, n_nodes;
} matching;

/* ---- names ----------------------------------------------------------------------------------- */

/* Numbers the operators of the plan by name: "llama::update_cache" is "llama.update_cache" in the graph. */
static bool number_operators(matching *m) {
    for (uint32_t i = 0; i < m->plan->n_operators; i++) {
        eti_text name = m->plan->operators[i].name;
        char key[ETI_LONGEST_OPERATOR];
        size_t n = 0;
        m->use_of[i] = NO_NODE;
        if (name.size == 0 || name.size > sizeof key)
            continue;
        for (size_t at = 0; at < name.size; at++) {
            bool is_colons = name.data[at] == ':' && at + 1 < name.size && name.data[at + 1] == ':';
            key[n++] = (char)(is_colons ? '.' : name.data[at]);
            at += is_colons;
        }
        if (!eti__text_table_add(&m->names, (eti_text){key, n}, &m->scratch, &m->use_of[i]))
            return false;
    }
    return true;
}

/* Returns "llama.update_cache" for "llama.update_cache.default". */
static eti_text without_overload(eti_text op_type) {
    eti_text name = op_type;
    while (name.size > 0 && name.data[name.size - 1] != '.')
        name.size--;
    return name.size > 0 ? (eti_text){name.data, name.size - 1} : op_type;
}

/* ---- calls ----------------------------------------------------------------------------------- */

static bool has_jumps(const eti_pte_chain *chain) {
    for (uint32_t i = 0; i < chain->n_instructions; i++) {
        if (chain->instructions[i].kind == ETI_PTE_JUMP_FALSE_CALL)
            return true;
    }
    return false;
}

/* Returns the use of the operator that an instruction calls; NULL if it calls none or has handles. */
static operator_use *use_of_call(const matching *m, uint32_t i) {
    const eti_pte_instruction *instruction = &m->chain->instructions[i];
    eti_debug_handles ignored;
    if (instruction->kind != ETI_PTE_KERNEL_CALL || m->use_of[instruction->index] == NO_NODE ||
        eti__etrecord_find_handles(m->record, m->method, (int32_t)i, &ignored))
        return NULL;
    return &m->uses[m->use_of[instruction->index]];
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static bool list_handles(matching *m) {
    const eti_etrecord *record = m->record;
    const eti_delegate_call *call;
    size_t n = 0, n_instructions = eti__etrecord_method_instruction_count(record, m->method);
    for (size_t i = 0; i < n_instructions; i++)
        n += eti__etrecord_instruction_handles(record, m->method, i, &call).n;
    m->handles = malloc((n + 1) * sizeof *m->handles);
    for (size_t i = 0; m->handles && i < n_instructions; i++) {
        eti_debug_handles handles = eti__etrecord_instruction_handles(record, m->method, i, &call);
        for (size_t k = 0; k < handles.n; k++)
            m->handles[m->n_handles++] = handles.handles[k];
    }
    if (m->handles)
        qsort(m->handles, m->n_handles, sizeof *m->handles, eti__compare_handles);
    return m->handles != NULL;
}

static bool is_free(const matching *m, const eti_graph_node *node) {
    return !node->has_debug_handle || !bsearch(&node->debug_handle, m->handles, m->n_handles,
                                               sizeof *m->handles, eti__compare_handles);
}

/* Adds the free nodes to the uses of their operators. */
static bool list_nodes(matching *m) {
    size_t n_names = m->names.count;
    for (size_t i = 0; i < m->n_nodes; i++) {
        const eti_graph_node *node = &m->graph->nodes[i];
        uint32_t number;
        if (node->op_type.size > ETI_LONGEST_OPERATOR || !is_free(m, node))
            continue;
        if (!eti__text_table_add(&m->names, without_overload(node->op_type), NULL, &number))
            return false;
        if (number >= n_names)
            continue;
        operator_use *use = &m->uses[number];
        m->nexts[i] = NO_NODE;
        if (use->n_nodes++ == 0)
            use->first = (uint32_t)i;
        else
            m->nexts[use->last] = (uint32_t)i;
        use->last = (uint32_t)i;
    }
    return true;
}

/* ---- records --------------------------------------------------------------------------------- */

static const eti_event_record *make_record(eti_arena *arena, const eti_graph_node *node) {
    eti_event_record *record = eti__arena_alloc(arena, 1, sizeof *record);
    int64_t *handles = eti__arena_alloc(arena, 1, sizeof *handles);
    const eti_op_node **nodes = eti__arena_alloc(arena, 1, sizeof *nodes);
    if (!record || !handles || !nodes)
        return NULL;
    *record = eti__no_record;
    handles[0] = node->debug_handle;
    nodes[0] = &node->node;
    if (node->has_debug_handle)
        record->handles = (eti_debug_handles){ETI_HANDLES_LIST, handles, 1};
    record->op_nodes = nodes;
    record->op_types = &node->op_type;
    record->n_op_nodes = record->n_op_types = 1;
    record->own_op = node->op_type;
    record->attribution = ETI_ATTRIBUTION_ALIGNED;
    return record;
}

/* Makes the records of all calls for whose operators calls and free nodes are equal in number. */
static bool make_records(matching *m, eti_arena *arena, const eti_event_record **records) {
    for (uint32_t i = 0; i < m->chain->n_instructions; i++) {
        operator_use *use = use_of_call(m, i);
        if (use)
            use->n_calls++;
    }
    for (uint32_t i = 0; i < m->chain->n_instructions; i++) {
        operator_use *use = use_of_call(m, i);
        if (!use || use->n_calls != use->n_nodes)
            continue;
        records[i] = make_record(arena, &m->graph->nodes[use->first]);
        if (!records[i])
            return false;
        use->first = m->nexts[use->first];
    }
    return true;
}

/* ---- copies into buffers --------------------------------------------------------------------- */

/* A copy whose tensor is made by more nodes has no place. */
#define MOST_MAKERS 16

static bool is_copy(const matching *m, uint32_t i) {
    const eti_pte_instruction *call = &m->chain->instructions[i];
    eti_debug_handles ignored;
    return call->kind == ETI_PTE_KERNEL_CALL && call->args.n >= 2 &&
           eti__text_is(m->plan->operators[call->index].name, "aten::copy_") &&
           !eti__etrecord_find_handles(m->record, m->method, (int32_t)i, &ignored);
}

/* Finds for each value the first instruction that has it as an argument, which makes it unless it is a constant. Inputs of
 * the method have none. */
static void find_first_uses(const matching *m, uint32_t *firsts) {
    for (uint32_t i = 0; i < m->plan->n_values; i++)
        firsts[i] = NO_NODE;
    for (uint32_t i = m->chain->n_instructions; i-- > 0;) {
        const eti_pte_instruction *call = &m->chain->instructions[i];
        bool is_call = call->kind == ETI_PTE_KERNEL_CALL || call->kind == ETI_PTE_DELEGATE_CALL;
        for (uint32_t k = 0; is_call && k < call->args.n; k++)
            firsts[call->args.items[k]] = i;
    }
    for (uint32_t i = 0; i < m->plan->inputs.n; i++)
        firsts[m->plan->inputs.items[i]] = NO_NODE;
}

/* Returns whether an instruction makes a value: a kernel's output is its last argument. */
static bool makes(const matching *m, uint32_t instruction, int32_t value) {
    const eti_pte_instruction *call = &m->chain->instructions[instruction];
    return call->kind == ETI_PTE_DELEGATE_CALL || call->args.items[call->args.n - 1] == value;
}

/* Returns a node with the operator of a copy, which is made once, however many copies there are. NULL: out of memory. */
static const eti_graph_node *copied_node(const matching *m, uint32_t number, eti_arena *arena) {
    eti_graph_node *node = m->copied[number];
    if (node)
        return node;
    node = eti__arena_alloc(arena, 1, sizeof *node);
    if (!node)
        return NULL;
    *node = m->graph->nodes[number];
    node->op_type = eti__text_of("aten.copy_.default");
    node->inspector_op = (eti_text){NULL, 0};
    node->has_debug_handle = false;
    m->copied[number] = node;
    return node;
}

/* Makes the record of a copy of what an instruction makes. Its nodes are those of the instruction, but with the operator of the
 * copy, and are not in the graph. Sets nothing if the instruction has no nodes. False: out of memory. */
static bool make_copy(const matching *m, const eti_handle_index *by_handle, uint32_t maker,
                      eti_arena *arena, const eti_event_record **out) {
    eti_debug_handles handles;
    const eti_graph_node *makers[MOST_MAKERS];
    size_t n = 0;
    if (!eti__etrecord_find_handles(m->record, m->method, (int32_t)maker, &handles))
        return true;
    for (size_t i = 0; i < handles.n; i++) {
        size_t at = eti__handle_index_first(by_handle, handles.handles[i]);
        for (; at < by_handle->n && by_handle->nodes[at].handle == handles.handles[i]; at++) {
            if (n == MOST_MAKERS)
                return true;
            makers[n] = copied_node(m, by_handle->nodes[at].node, arena);
            if (!makers[n++])
                return false;
        }
    }
    eti_event_record *record = eti__arena_alloc(arena, 1, sizeof *record);
    const eti_op_node **nodes = eti__arena_alloc(arena, n, sizeof *nodes);
    if (!record || !nodes)
        return false;
    for (size_t i = 0; i < n; i++)
        nodes[i] = &makers[i]->node;
    *record = eti__no_record;
    record->op_nodes = nodes;
    record->n_op_nodes = n;
    record->op_types = n > 0 ? &makers[0]->op_type : NULL;
    record->n_op_types = n > 0;
    record->attribution = ETI_ATTRIBUTION_INFERRED;
    *out = n > 0 ? record : NULL;
    return true;
}

static bool make_copies(matching *m, eti_arena *arena, const eti_event_record **records) {
    eti_handle_index by_handle = {0};
    uint32_t *firsts = NULL;
    bool done = true;
    for (uint32_t i = 0; i < m->chain->n_instructions && done; i++) {
        if (records[i] || !is_copy(m, i))
            continue;
        if (!firsts) {
            firsts = malloc(((size_t)m->plan->n_values + 1) * sizeof *firsts);
            m->copied = calloc(m->graph->n_nodes + 1, sizeof *m->copied);
            done = firsts && m->copied && eti__handle_index_init(&by_handle, m->graph);
            if (!done)
                break;
            find_first_uses(m, firsts);
        }
        int32_t value = m->chain->instructions[i].args.items[1];
        uint32_t maker = firsts[value];
        if (maker < i && makes(m, maker, value))
            done = make_copy(m, &by_handle, maker, arena, &records[i]);
    }
    eti__handle_index_free(&by_handle);
    free(firsts);
    free(m->copied);
    return done;
}

static bool match(matching *m, eti_arena *arena, const eti_event_record **records) {
    m->uses = calloc((size_t)m->plan->n_operators + 1, sizeof *m->uses);
    m->use_of = malloc(((size_t)m->plan->n_operators + 1) * sizeof *m->use_of);
    m->nexts = malloc((m->n_nodes + 1) * sizeof *m->nexts);
    return m->uses && m->use_of && m->nexts && number_operators(m) && list_handles(m) &&
           list_nodes(m) && make_records(m, arena, records) && make_copies(m, arena, records);
}

/* ---- methods --------------------------------------------------------------------------------- */

bool eti__free_nodes_match(eti_arena *arena, const eti_etrecord *record, size_t method,
                           const eti_pte_plan *plan, const eti_graph *graph,
                           const eti_event_record *const **out) {
    const eti_pte_chain *chain = &plan->chains[0];
    matching m = {.record = record, .plan = plan, .chain = chain, .graph = graph, .method = method};
    *out = NULL;
    if (!record || !graph || plan->n_chains != 1 || has_jumps(chain))
        return true;
    m.n_nodes = graph->n_nodes - (graph->is_whole ? graph->n_lowered : 0);
    const eti_event_record **records =
        eti__arena_alloc_zero(arena, chain->n_instructions, sizeof *records);
    bool done = records && match(&m, arena, records);
    *out = records;
    eti__text_table_free(&m.names);
    eti__arena_free(&m.scratch);
    free(m.uses);
    free(m.use_of);
    free(m.handles);
    free(m.nexts);
    return done;
}

static const method_calls *find_method(eti_free_nodes *of, const eti_event_block *block) {
    static const eti_intern_kind kind = {.item_size = sizeof(method_calls),
                                         .key_size = offsetof(method_calls, records)};
    const method_calls wanted = {.plan = block->plan, .method = block->method};
    eti_inspector *inspector = of->inspector;
    size_t n_known = of->methods.count;
    uint32_t number;
    if (!eti__intern_add(&of->methods, &kind, &wanted, &number))
        return NULL;
    method_calls *found = &((method_calls *)of->methods.items)[number];
    bool done =
        number < n_known ||
        eti__free_nodes_match(&inspector->arena, inspector->record, block->method, block->plan,
                              eti__methods_graph(inspector, block->method), &found->records);
    return done ? found : NULL;
}

/* ---- events ---------------------------------------------------------------------------------- */

eti_status eti__free_nodes_set(eti_free_nodes *of, eti_event_block *block, eti_error *err) {
    const method_calls *calls = NULL;
    if (!of->inspector->record || block->method == ETI_NO_METHOD || !block->plan ||
        block->plan->n_chains != 1)
        return ETI_OK;
    for (size_t i = 0; i < block->n_events; i++) {
        eti_event *event = &block->events[i];
        if (event->known->n_op_nodes > 0 || event->is_delegated_op)
            continue;
        const eti_pte_instruction *instruction = eti__event_instruction(event, block->plan);
        if (!instruction || instruction->kind != ETI_PTE_KERNEL_CALL)
            continue;
        if (!calls && !(calls = find_method(of, block)))
            return eti_fail_memory(err);
        size_t number = (size_t)(instruction - block->plan->chains[0].instructions);
        if (calls->records && calls->records[number])
            event->known = calls->records[number];
    }
    return ETI_OK;
}

void eti__free_nodes_free(eti_free_nodes *of) {
    eti__intern_free(&of->methods);
}
