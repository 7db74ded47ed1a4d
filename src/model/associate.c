#include "model/parts.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* ==== delegate keys =========================================================================== */

/*
 * The keys form one automaton (Aho and Corasick, 1975): a node for every prefix of a key. At each byte of the identifier,
 * the walk stands at the longest such prefix that ends there:
 *
 *     keys "tan", "an", "nt"      (root) -t- t -a- ta -n- tan       tan: shorter is an
 *                                        -a- a -n- an               an:  shorter is n
 *                                        -n- n -t- nt               nt:  shorter is t
 *
 * Nodes are made in order of depth, extending all keys by one byte at a time, so that the shorter node exists when it is
 * needed.
 */

#define ROOT 0
#define NO_NODE 0 /* the root is no node's child */

struct eti_key_node {
    uint32_t parent;
    uint32_t first_child; /* the index finds the others */
    uint32_t shorter;     /* the longest other node whose text is a suffix of this one's */
    uint32_t entry;       /* index of the entry with this key, + 1; 0: none */
    uint32_t
        last_entry; /* index of the last entry in file order whose key is a suffix of this text, + 1; 0: none */
    unsigned char byte; /* last byte of the text */
};

/* ---- nodes ----------------------------------------------------------------------------------- */

static uint64_t hash_child(const eti_delegate_keys *keys, uint32_t parent, unsigned char byte) {
    return eti__hash_mix(keys->seed, (uint64_t)parent << 8 | byte);
}

typedef struct wanted_child {
    const eti_key_node *nodes;
    uint32_t parent;
    unsigned char byte;
} wanted_child;

static bool is_wanted_child(const void *wanted, uint32_t node) {
    const wanted_child *w = wanted;
    return w->nodes[node].parent == w->parent && w->nodes[node].byte == w->byte;
}

static uint32_t find_child(const eti_delegate_keys *keys, uint32_t parent, unsigned char byte) {
    uint32_t first = keys->nodes[parent].first_child;
    if (first == NO_NODE || keys->nodes[first].byte == byte)
        return first;
    wanted_child wanted = {keys->nodes, parent, byte};
    uint32_t child =
        eti__index_find(&keys->index, hash_child(keys, parent, byte), is_wanted_child, &wanted);
    return child != ETI_INDEX_END ? child : NO_NODE;
}

/* Returns the longest node whose text is a suffix of the text of `node` followed by `byte`. */
static uint32_t step(const eti_delegate_keys *keys, uint32_t node, unsigned char byte) {
    uint32_t next;
    while ((next = find_child(keys, node, byte)) == NO_NODE && node != ROOT)
        node = keys->nodes[node].shorter;
    return next;
}

/* Adds a child; returns NO_NODE if memory runs out. */
static uint32_t add_child(eti_delegate_keys *keys, uint32_t parent, unsigned char byte) {
    if (keys->n_nodes >= ETI_INDEX_END - 1 ||
        !ETI_GROW(keys->nodes, keys->capacity, keys->n_nodes + 1))
        return NO_NODE;
    uint32_t number = (uint32_t)keys->n_nodes;
    uint32_t shorter = parent == ROOT ? ROOT : step(keys, keys->nodes[parent].shorter, byte);
    if (keys->nodes[parent].first_child == NO_NODE)
        keys->nodes[parent].first_child = number;
    else if (!eti__index_add(&keys->index, hash_child(keys, parent, byte), number))
        return NO_NODE;
    keys->nodes[number] = (eti_key_node){
        .parent = parent,
        .shorter = shorter,
        .last_entry = keys->nodes[shorter].last_entry,
        .byte = byte,
    };
    keys->n_nodes++;
    return number;
}

/* ---- keys ------------------------------------------------------------------------------------ */

/* A key and the node that it has reached. */
typedef struct growing_key {
    uint32_t entry;
    uint32_t node;
} growing_key;

static void end_key(eti_delegate_keys *keys, const growing_key *key) {
    eti_key_node *node = &keys->nodes[key->node];
    node->entry = key->entry + 1;
    if (node->entry > node->last_entry)
        node->last_entry = node->entry;
}

/* Extends `n` keys from `depth` bytes by one byte; keys that end there are removed from the list. */
static bool grow_keys(eti_delegate_keys *keys, growing_key *list, size_t *n, size_t depth) {
    size_t n_left = 0;
    for (size_t i = 0; i < *n; i++) {
        growing_key key = list[i];
        eti_text text = keys->call->entries[key.entry].identifier;
        unsigned char byte = (unsigned char)text.data[depth];
        uint32_t child = find_child(keys, key.node, byte);
        if (child == NO_NODE)
            child = add_child(keys, key.node, byte);
        if (child == NO_NODE)
            return false;
        key.node = child;
        if (depth + 1 == text.size)
            end_key(keys, &key);
        else
            list[n_left++] = key;
    }
    *n = n_left;
    return true;
}

/* Lists all keys, except an empty one, which belongs to the root. */
static size_t start_keys(eti_delegate_keys *keys, growing_key *list) {
    size_t n = 0;
    for (uint32_t i = 0; i < keys->call->n_entries; i++) {
        list[n] = (growing_key){i, ROOT};
        if (keys->call->entries[i].identifier.size == 0)
            end_key(keys, &list[n]);
        else
            n++;
    }
    return n;
}

static bool add_keys(eti_delegate_keys *keys) {
    growing_key *list = malloc((keys->call->n_entries + 1) * sizeof *list);
    if (!list || !ETI_GROW(keys->nodes, keys->capacity, 1)) {
        free(list);
        return false;
    }
    keys->nodes[keys->n_nodes++] = (eti_key_node){0};
    size_t n = start_keys(keys, list);
    bool ok = true;
    for (size_t depth = 0; ok && n > 0; depth++)
        ok = grow_keys(keys, list, &n, depth);
    free(list);
    return ok;
}

bool eti__delegate_keys_init(eti_delegate_keys *keys, const eti_delegate_call *call) {
    *keys = (eti_delegate_keys){.call = call, .seed = eti__hash_seed()};
    if (add_keys(keys))
        return true;
    eti__delegate_keys_free(keys);
    return false;
}

void eti__delegate_keys_free(eti_delegate_keys *keys) {
    free(keys->nodes);
    eti__index_free(&keys->index);
    *keys = (eti_delegate_keys){0};
}

/* ---- finding --------------------------------------------------------------------------------- */

/* Returns the index of the entry with this key, + 1; 0: none. */
static uint32_t find_own_entry(const eti_delegate_keys *keys, eti_text identifier) {
    uint32_t node = ROOT;
    for (size_t i = 0; i < identifier.size; i++) {
        node = find_child(keys, node, (unsigned char)identifier.data[i]);
        if (node == NO_NODE)
            return 0;
    }
    return keys->nodes[node].entry;
}

static uint32_t find_last_entry(const eti_delegate_keys *keys, eti_text identifier) {
    uint32_t node = ROOT;
    uint32_t last = keys->nodes[ROOT].last_entry;
    for (size_t i = 0; i < identifier.size; i++) {
        node = step(keys, node, (unsigned char)identifier.data[i]);
        if (keys->nodes[node].last_entry > last)
            last = keys->nodes[node].last_entry;
    }
    return last;
}

eti_debug_handles eti__delegate_keys_find(const eti_delegate_keys *keys, eti_text identifier,
                                          bool is_string) {
    const eti_delegate_entry *entries = keys->call->entries;
    uint32_t own = is_string ? find_own_entry(keys, identifier) : 0;
    if (own != 0 && entries[own - 1].handles.kind != ETI_HANDLES_NONE)
        return entries[own - 1].handles;
    uint32_t last = find_last_entry(keys, identifier);
    return last != 0 ? entries[last - 1].handles : (eti_debug_handles){ETI_HANDLES_NONE, NULL, 0};
}

/* ==== handle index ============================================================================ */

static int compare_nodes(const void *a, const void *b) {
    const eti_handle_node *x = a, *y = b;
    if (x->handle != y->handle)
        return x->handle < y->handle ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

bool eti__handle_index_init(eti_handle_index *index, const eti_graph *graph) {
    *index = (eti_handle_index){.nodes = malloc((graph->n_nodes + 1) * sizeof *index->nodes)};
    if (!index->nodes)
        return false;
    for (size_t i = 0; i < graph->n_nodes; i++) {
        if (eti__graph_has_handle(graph, i))
            index->nodes[index->n++] = (eti_handle_node){graph->nodes[i].debug_handle, (uint32_t)i};
    }
    qsort(index->nodes, index->n, sizeof *index->nodes, compare_nodes);
    return true;
}

void eti__handle_index_free(eti_handle_index *index) {
    free(index->nodes);
    *index = (eti_handle_index){0};
}

size_t eti__handle_index_first(const eti_handle_index *index, int64_t handle) {
    size_t low = 0, high = index->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (index->nodes[middle].handle < handle)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* ==== associate =============================================================================== */

/* Each event has a list of its operators, so that a record of a few lines could request billions of them. FEW_OPERATORS
 * are allowed, plus one for each byte of the record, but at most MOST_OPERATORS. */
#define FEW_OPERATORS ((size_t)1 << 16)
#define MOST_OPERATORS ((size_t)1 << 22)

/* The operators of a list of handles. Events of the same instruction share it, and lists with the same handles share its
 * arrays. Handles come from the record's own arrays: the same address means the same list. */
typedef struct eti_operators {
    const int64_t *handles;
    size_t n_handles;
    const eti_text *op_types;
    size_t n_op_types;
    const eti_op_node *const *op_nodes;
    size_t n_op_nodes;
} eti_operators;

/* A list that has its own arrays. */
typedef struct eti_own_list {
    eti_text handles; /* their bytes, as the key */
    uint32_t list;
} eti_own_list;

typedef struct eti_associator {
    eti_arena *arena;
    const eti_etrecord *record;
    size_t method;
    const eti_graph *graph;
    bool as_inspector;
    eti_handle_index by_handle;
    uint32_t *seen; /* per node: number of the last operator list that contains it */
    ETI_INTERN_OF(eti_operators) lists;
    ETI_INTERN_OF(eti_own_list) own_lists;
    size_t n_operators; /* in all lists */
    size_t most_operators;
    ETI_INTERN_OF(eti_delegate_keys) keys;           /* of the delegate calls seen so far */
    ETI_INTERN_OF(const eti_event_record *) records; /* distinct ones */
    eti_association *counts;
    eti_error *err;
} eti_associator;

bool eti__is_framework_event(eti_text name) {
    static const char *const names[] = {"Method::init", "Program::load_method", "Method::execute"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (eti__text_is(name, names[i]))
            return true;
    }
    return false;
}

bool eti__event_has_instruction(const eti_event *event) {
    return event->instruction_id != -1 && !eti__is_framework_event(event->name);
}

bool eti__event_names_instruction(const eti_event *event) {
    return eti__event_has_instruction(event) && (event->has_chain || event->instruction_id != 0);
}

/* ---- handles and backends -------------------------------------------------------------------- */

/* Returns the keys of `call`, made at the first request; NULL if memory runs out. */
static const eti_delegate_keys *find_keys(eti_associator *associator,
                                          const eti_delegate_call *call) {
    static const eti_intern_kind keys_kind = {.item_size = sizeof(eti_delegate_keys),
                                              .key_size = sizeof(call)};
    size_t n_known = associator->keys.count;
    uint32_t number;
    if (!eti__intern_add(&associator->keys.table, &keys_kind, &(eti_delegate_keys){.call = call},
                         &number))
        return NULL;
    eti_delegate_keys *keys = &associator->keys.items[number];
    return number < n_known || eti__delegate_keys_init(keys, call) ? keys : NULL;
}

static eti_status resolve_delegated(eti_associator *associator, const eti_event *event,
                                    const eti_delegate_call *call, eti_event_record *out) {
    if (!call) {
        associator->counts->example_without_delegate_map = event->instruction_id;
        associator->counts->n_without_delegate_map++;
        return ETI_OK;
    }
    const eti_delegate_keys *keys = find_keys(associator, call);
    if (!keys)
        return eti_fail_memory(associator->err);
    out->backend_name = call->backend_name;
    out->handles = eti__delegate_keys_find(keys, event->name,
                                           event->delegate_id_kind == ETI_DELEGATE_ID_STRING);
    return ETI_OK;
}

/* Finds the handles of an event. `*is_known`: the record contains the event's instruction. */
static eti_status resolve_handles(eti_associator *associator, const eti_event *event,
                                  eti_event_record *out, bool *is_known) {
    const eti_etrecord *record = associator->record;
    int32_t id = event->instruction_id;
    *is_known = eti__etrecord_find_handles(record, associator->method, id, &out->handles);
    if (!*is_known)
        return ETI_OK;

    const eti_delegate_call *call = eti__etrecord_find_delegate(record, associator->method, id);
    out->num_outputs = eti__etrecord_find_num_outputs(record, associator->method, id);
    if (event->is_delegated_op)
        return resolve_delegated(associator, event, call, out);
    if (call && eti__text_is(event->name, "DELEGATE_CALL"))
        out->backend_name = call->backend_name;
    return ETI_OK;
}

/* ---- operators ------------------------------------------------------------------------------- */

static size_t count_operators(const eti_associator *associator, const eti_operators *list) {
    size_t n = 0;
    for (size_t i = 0; i < list->n_handles && n <= MOST_OPERATORS; i++) {
        size_t at = eti__handle_index_first(&associator->by_handle, list->handles[i]);
        size_t end = list->handles[i] == INT64_MAX
                         ? associator->by_handle.n
                         : eti__handle_index_first(&associator->by_handle, list->handles[i] + 1);
        n += end - at;
    }
    return n;
}

/* Lists the operators of the handles. `number` (from 1) marks the nodes that this list contains. */
static void list_operators(eti_associator *associator, eti_operators *list, uint32_t number,
                           eti_text *op_types, const eti_op_node **op_nodes) {
    for (size_t i = 0; i < list->n_handles; i++) {
        int64_t handle = list->handles[i];
        size_t at = eti__handle_index_first(&associator->by_handle, handle);
        for (; at < associator->by_handle.n && associator->by_handle.nodes[at].handle == handle;
             at++) {
            uint32_t node = associator->by_handle.nodes[at].node;
            const eti_graph_node *found = &associator->graph->nodes[node];
            op_types[list->n_op_types++] =
                associator->as_inspector ? eti_graph_node_op_type(found) : found->op_type;
            if (associator->seen[node] != number)
                op_nodes[list->n_op_nodes++] = &associator->graph->nodes[node].node;
            associator->seen[node] = number;
        }
    }
}

static eti_status make_list(eti_associator *associator, eti_operators *list, uint32_t number) {
    size_t n = count_operators(associator, list);
    associator->n_operators += n;
    if (associator->n_operators > associator->most_operators)
        return eti_fail(associator->err, ETI_ERROR_LIMIT,
                        "the record's debug handles give the events more than %zu operators",
                        associator->most_operators);
    eti_text *op_types = eti__arena_alloc(associator->arena, n, sizeof *op_types);
    const eti_op_node **op_nodes = eti__arena_alloc(associator->arena, n, sizeof *op_nodes);
    if (!op_types || !op_nodes)
        return eti_fail_memory(associator->err);
    list_operators(associator, list, number + 1, op_types, op_nodes);
    list->op_types = op_types;
    list->op_nodes = op_nodes;
    return ETI_OK;
}

/* Uses the arrays of another list with the same handles, or makes them from the graph. */
static eti_status fill_list(eti_associator *associator, eti_operators *list, uint32_t number) {
    static const eti_intern_kind own_kind = ETI_INTERN_BY_TEXT(eti_own_list);
    const int64_t *handles = list->handles;
    eti_own_list own = {{(const char *)handles, list->n_handles * sizeof *handles}, number};
    size_t n_known = associator->own_lists.count;
    uint32_t i;
    if (!eti__intern_add(&associator->own_lists.table, &own_kind, &own, &i))
        return eti_fail_memory(associator->err);
    if (i == n_known)
        return make_list(associator, list, number);
    *list = associator->lists.items[associator->own_lists.items[i].list];
    list->handles = handles;
    return ETI_OK;
}

static eti_status find_list(eti_associator *associator, const eti_debug_handles *handles,
                            const eti_operators **out) {
    static const eti_intern_kind list_kind = {.item_size = sizeof(eti_operators),
                                              .key_size = offsetof(eti_operators, op_types)};
    const eti_operators wanted = {.handles = handles->handles, .n_handles = handles->n};
    size_t n_known = associator->lists.count;
    uint32_t number;
    if (!eti__intern_add(&associator->lists.table, &list_kind, &wanted, &number))
        return eti_fail_memory(associator->err);
    eti_operators *list = &associator->lists.items[number];
    *out = list;
    return number < n_known ? ETI_OK : fill_list(associator, list, number);
}

static eti_status attach_operators(eti_associator *associator, const eti_event *event,
                                   eti_event_record *out) {
    if (eti__is_framework_event(event->name) || out->handles.n == 0)
        return ETI_OK;
    const eti_operators *list = NULL;
    ETI_TRY(find_list(associator, &out->handles, &list));
    out->op_types = list->op_types;
    out->n_op_types = list->n_op_types;
    out->op_nodes = list->op_nodes;
    out->n_op_nodes = list->n_op_nodes;
    return ETI_OK;
}

/* Compares addresses: everything in a record is a view of data stored in one place. */
static bool records_equal(const void *key, const void *other) {
    const eti_event_record *a = *(const eti_event_record *const *)key;
    const eti_event_record *b = *(const eti_event_record *const *)other;
    return a->backend_name.data == b->backend_name.data && a->handles.kind == b->handles.kind &&
           a->handles.handles == b->handles.handles && a->handles.n == b->handles.n &&
           a->num_outputs == b->num_outputs && a->op_types == b->op_types &&
           a->n_op_types == b->n_op_types;
}

static uint64_t hash_record(const void *key, uint64_t seed) {
    const eti_event_record *record = *(const eti_event_record *const *)key;
    uint64_t hash = eti__hash_mix(seed, (uintptr_t)record->handles.handles);
    hash = eti__hash_mix(hash, (uintptr_t)record->backend_name.data ^ record->handles.n);
    return eti__hash_mix(hash, (uint64_t)record->num_outputs ^ record->n_op_types);
}

/* Returns the record equal to `wanted` that all events share. NULL: out of memory. */
static const eti_event_record *share_record(eti_associator *associator,
                                            const eti_event_record *wanted) {
    static const eti_intern_kind record_kind = {
        .item_size = sizeof(wanted), .hash = hash_record, .is_equal = records_equal};
    const eti_event_record *none = &eti__no_record;
    size_t n_known = associator->records.count;
    uint32_t number;
    if (records_equal(&wanted, &none))
        return none;
    if (!eti__intern_add(&associator->records.table, &record_kind, &wanted, &number))
        return NULL;
    if (number == n_known) {
        eti_event_record *made = eti__arena_alloc(associator->arena, 1, sizeof *made);
        if (!made)
            return NULL;
        *made = *wanted;
        associator->records.items[number] = made;
    }
    return associator->records.items[number];
}

static void count(eti_association *counts, const eti_event *event, bool is_known) {
    if (!eti__event_has_instruction(event))
        return;
    counts->n_instructions++;
    counts->n_delegated += event->is_delegated_op;
    counts->n_with_handles += is_known;
    counts->n_with_operators += event->known->n_op_types > 0;
}

static eti_status associate_block(eti_associator *associator, eti_event_block *block) {
    block->association = (eti_association){0};
    associator->counts = &block->association;
    for (size_t i = 0; i < block->n_events; i++) {
        eti_event *event = &block->events[i];
        eti_event_record record = eti__no_record;
        bool is_known;
        ETI_TRY(resolve_handles(associator, event, &record, &is_known));
        ETI_TRY(attach_operators(associator, event, &record));
        event->known = share_record(associator, &record);
        if (!event->known)
            return eti_fail_memory(associator->err);
        count(associator->counts, event, is_known);
    }
    return ETI_OK;
}

static eti_status associate_all(eti_associator *associator, eti_blocks *blocks,
                                eti_block_choice is_chosen, const void *context) {
    associator->seen = calloc(associator->graph->n_nodes + 1, sizeof *associator->seen);
    if (!associator->seen || !eti__handle_index_init(&associator->by_handle, associator->graph))
        return eti_fail_memory(associator->err);
    for (size_t b = 0; b < blocks->n_blocks; b++) {
        if (!is_chosen || is_chosen(context, b))
            ETI_TRY(associate_block(associator, &blocks->blocks[b]));
    }
    return ETI_OK;
}

static size_t most_operators(const eti_etrecord *record) {
    uint64_t file_size = eti__etrecord_file_size(record);
    return file_size < MOST_OPERATORS - FEW_OPERATORS ? FEW_OPERATORS + (size_t)file_size
                                                      : MOST_OPERATORS;
}

eti_status eti__associate(eti_blocks *blocks, eti_arena *arena, const eti_etrecord *record,
                          size_t method, const eti_graph *graph, bool as_inspector,
                          eti_block_choice is_chosen, const void *context, eti_error *err) {
    eti_associator associator = {
        .arena = arena,
        .record = record,
        .method = method,
        .graph = graph,
        .as_inspector = as_inspector,
        .most_operators = most_operators(record),
        .err = err,
    };
    eti_status status = associate_all(&associator, blocks, is_chosen, context);
    eti__handle_index_free(&associator.by_handle);
    free(associator.seen);
    eti__intern_free(&associator.lists.table);
    eti__intern_free(&associator.own_lists.table);
    eti__intern_free(&associator.records.table);
    for (size_t i = 0; i < associator.keys.count; i++)
        eti__delegate_keys_free(&associator.keys.items[i]);
    eti__intern_free(&associator.keys.table);
    return status;
}

/* ==== record ================================================================================== */

eti_status eti_record_open(eti_record **out, const eti_source *source, eti_error *err) {
    *out = NULL;
    eti_record *record = calloc(1, sizeof *record);
    if (!record)
        return eti_fail_memory(err);
    pthread_mutex_init(&record->reading, NULL);
    eti_status status = eti__input_open(&record->file, source, ETI_FILE_ETRECORD, err);
    if (status == ETI_OK)
        status = eti__etrecord_open(&record->maps, &record->arena, &record->file, err);
    if (status == ETI_OK)
        *out = record;
    else
        eti_record_close(record);
    return status;
}

void eti_record_close(eti_record *record) {
    if (!record || !eti__references_drop(&record->references))
        return;
    eti__etrecord_close(record->maps);
    eti__file_release(&record->file);
    eti__arena_free(&record->arena);
    free(record->graphs);
    free(record->weights);
    pthread_mutex_destroy(&record->reading);
    if (record->on_free)
        record->on_free(record->on_free_context);
    free(record);
}

void eti_record_on_free(eti_record *record, void (*function)(void *context), void *context) {
    record->on_free = function;
    record->on_free_context = context;
}

eti_record *eti__record_keep(eti_record *record) {
    eti__references_add(&record->references);
    return record;
}

/* Finds a graph that was read. A graph with values also serves a caller who wants it without values. */
static const eti_read_graph *find_graph(const eti_record *record, const eti_read_graph *wanted) {
    for (size_t i = 0; i < record->n_graphs; i++) {
        const eti_read_graph *read = &record->graphs[i];
        bool is_more = read->reading == ETI_READ_VALUES && wanted->reading == ETI_READ_LOWERED;
        if ((read->reading == wanted->reading || is_more) && read->method == wanted->method &&
            (read->name == wanted->name ||
             (read->name && wanted->name && strcmp(read->name, wanted->name) == 0)))
            return read;
    }
    return NULL;
}

static eti_status read_graph(eti_record *record, eti_read_graph *graph, eti_error *err) {
    switch (graph->reading) {
    case ETI_READ_EDGE:
        return eti__etrecord_read_graph(record->maps, graph->method, &graph->graph, err);
    case ETI_READ_LOWERED:
        return eti__etrecord_read_lowered(record->maps, graph->method, &graph->graph, err);
    case ETI_READ_VALUES:
        return eti__etrecord_read_values(record->maps, graph->method, graph->name, &graph->graph,
                                         &graph->values, err);
    case ETI_READ_REFERENCE:
        break;
    }
    return eti__etrecord_read_reference_graph(record->maps, graph->method, graph->name,
                                              &graph->graph, err);
}

/* Reads a graph and adds it; the mutex must be locked. Unless `needs_values`, leaves out values that cannot be read. */
static eti_status add_graph(eti_record *record, eti_read_graph graph, bool needs_values,
                            eti_error *err) {
    if (!ETI_GROW(record->graphs, record->graph_capacity, record->n_graphs + 1) ||
        !eti__arena_copy_string(&record->arena, &graph.name))
        return eti_fail_memory(err);
    eti_status status = read_graph(record, &graph, err);
    bool has_failed = status != ETI_OK && status != ETI_ERROR_MEMORY;
    if (has_failed && graph.reading == ETI_READ_VALUES && !needs_values) {
        graph.reading = ETI_READ_LOWERED;
        status = read_graph(record, &graph, err);
    }
    ETI_TRY(status);
    record->graphs[record->n_graphs++] = graph;
    return ETI_OK;
}

eti_status eti__record_graph(eti_record *record, eti_graph_reading reading, size_t method,
                             const char *name, eti_graph *out, eti_graph_values *values,
                             eti_error *err) {
    const eti_read_graph wanted = {.reading = reading, .method = method, .name = name};
    pthread_mutex_lock(&record->reading);
    const eti_read_graph *found = find_graph(record, &wanted);
    eti_status status = found ? ETI_OK : add_graph(record, wanted, values != NULL, err);
    if (!found)
        found = status == ETI_OK ? &record->graphs[record->n_graphs - 1] : &wanted;
    *out = found->graph;
    if (values)
        *values = found->values;
    pthread_mutex_unlock(&record->reading);
    return status;
}

eti_status eti__record_reference_outputs(eti_record *record, const eti_saved_value **out,
                                         eti_error *err) {
    eti_status status = ETI_OK;
    pthread_mutex_lock(&record->reading);
    if (!record->are_outputs_read)
        status = eti__etrecord_read_saved(record->maps, "reference_outputs",
                                          &record->reference_outputs, err);
    record->are_outputs_read = record->are_outputs_read || status == ETI_OK;
    *out = status == ETI_OK ? record->reference_outputs : NULL;
    pthread_mutex_unlock(&record->reading);
    return status;
}
