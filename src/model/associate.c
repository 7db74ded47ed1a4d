#include "model/associate.h"

#include "base/array.h"
#include "base/index.h"
#include "base/text.h"
#include "model/delegate_keys.h"

#include <stdlib.h>
#include <string.h>

/* Every event has a list of its operators, so a record of a few lines could ask for billions of
 * them. So many are allowed, and one more for each byte of the record, but never more than the most. */
#define FEW_OPERATORS ((size_t)1 << 16)
#define MOST_OPERATORS ((size_t)1 << 22)

/* A node under one of its handles; sorted, so that the nodes of a handle lie together in graph
 * order. */
typedef struct eti_handle_node {
    int64_t handle;
    uint32_t node;
} eti_handle_node;

/* The operators of one list of handles: events of the same instruction share it, and other lists of the
 * same handles share its arrays. */
typedef struct eti_operators {
    eti_debug_handles handles;
    const eti_text *op_types;
    size_t n_op_types;
    const eti_op_node *const *op_nodes;
    size_t n_op_nodes;
} eti_operators;

typedef struct eti_associator {
    eti_arena *arena;
    const eti_etrecord *record;
    size_t method;
    const eti_graph *graph;
    eti_handle_node *by_handle;
    size_t n_by_handle;
    uint32_t *seen; /* per node: the number of the operator list that has it already */
    eti_operators *lists;
    size_t n_lists, list_capacity;
    eti_index list_index;    /* of all lists, by the place of their handles */
    eti_index content_index; /* of the lists with arrays of their own, by their handles */
    uint64_t seed;
    size_t n_operators; /* over all lists */
    size_t most_operators;
    eti_delegate_keys *keys; /* of the delegate calls met so far */
    size_t n_keys, keys_capacity;
    eti_index keys_index;
    const eti_event_record **records; /* that differ */
    size_t n_records, record_capacity;
    eti_index record_index;
    eti_association *counts;
    eti_error *err;
} eti_associator;

bool eti_is_framework_event(eti_text name) {
    static const char *const names[] = {"Method::init", "Program::load_method", "Method::execute"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (eti_text_is(name, names[i]))
            return true;
    }
    return false;
}

/* ---- handles and backends -------------------------------------------------------------------- */

/* The keys of `call`, made when they are first asked for; NULL when memory is out. */
static const eti_delegate_keys *find_keys(eti_associator *associator,
                                          const eti_delegate_call *call) {
    uint64_t hash = eti_hash_mix(0, (uintptr_t)call);
    eti_index_cursor cursor = eti_index_start(&associator->keys_index, hash);
    uint32_t i;
    while (associator->keys &&
           (i = eti_index_next(&associator->keys_index, &cursor)) != ETI_INDEX_END) {
        if (associator->keys[i].call == call)
            return &associator->keys[i];
    }
    size_t n = associator->n_keys;
    if (!ETI_GROW(associator->keys, associator->keys_capacity, n + 1) ||
        !eti_index_add(&associator->keys_index, hash, (uint32_t)n) ||
        !eti_delegate_keys_init(&associator->keys[n], call))
        return NULL;
    associator->n_keys++;
    return &associator->keys[n];
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
    out->handles = eti_delegate_keys_find(keys, event->name,
                                          event->delegate_id_kind == ETI_DELEGATE_ID_STRING);
    return ETI_OK;
}

/* `is_known`: the record knows the event's instruction. */
static eti_status resolve_handles(eti_associator *associator, const eti_event *event,
                                  eti_event_record *out, bool *is_known) {
    const eti_etrecord *record = associator->record;
    int32_t id = event->instruction_id;
    *is_known = eti_etrecord_find_handles(record, associator->method, id, &out->handles);
    if (!*is_known)
        return ETI_OK;

    const eti_delegate_call *call = eti_etrecord_find_delegate(record, associator->method, id);
    out->num_outputs = eti_etrecord_find_num_outputs(record, associator->method, id);
    if (event->is_delegated_op)
        return resolve_delegated(associator, event, call, out);
    if (call && eti_text_is(event->name, "DELEGATE_CALL"))
        out->backend_name = call->backend_name;
    return ETI_OK;
}

/* ---- operators ------------------------------------------------------------------------------- */

static int compare_handle_nodes(const void *a, const void *b) {
    const eti_handle_node *x = a, *y = b;
    if (x->handle != y->handle)
        return x->handle < y->handle ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

static bool sort_nodes(eti_associator *associator) {
    const eti_graph *graph = associator->graph;
    associator->by_handle = malloc((graph->n_nodes + 1) * sizeof *associator->by_handle);
    associator->seen = calloc(graph->n_nodes + 1, sizeof *associator->seen);
    if (!associator->by_handle || !associator->seen)
        return false;
    for (size_t i = 0; i < graph->n_nodes; i++) {
        if (graph->nodes[i].has_debug_handle)
            associator->by_handle[associator->n_by_handle++] =
                (eti_handle_node){graph->nodes[i].debug_handle, (uint32_t)i};
    }
    qsort(associator->by_handle, associator->n_by_handle, sizeof *associator->by_handle,
          compare_handle_nodes);
    return true;
}

/* The first place whose handle is not below `handle`. */
static size_t lower_bound(const eti_associator *associator, int64_t handle) {
    size_t low = 0, high = associator->n_by_handle;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (associator->by_handle[middle].handle < handle)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static size_t count_operators(const eti_associator *associator, const eti_debug_handles *handles) {
    size_t n = 0;
    for (size_t i = 0; i < handles->n && n <= MOST_OPERATORS; i++) {
        size_t at = lower_bound(associator, handles->handles[i]);
        size_t end = handles->handles[i] == INT64_MAX
                         ? associator->n_by_handle
                         : lower_bound(associator, handles->handles[i] + 1);
        n += end - at;
    }
    return n;
}

/* `number` (from 1) marks the nodes that this list has seen. */
static void list_operators(eti_associator *associator, eti_operators *list, uint32_t number,
                           eti_text *op_types, const eti_op_node **op_nodes) {
    for (size_t i = 0; i < list->handles.n; i++) {
        int64_t handle = list->handles.handles[i];
        size_t at = lower_bound(associator, handle);
        for (; at < associator->n_by_handle && associator->by_handle[at].handle == handle; at++) {
            uint32_t node = associator->by_handle[at].node;
            op_types[list->n_op_types++] = associator->graph->nodes[node].op_type;
            if (associator->seen[node] != number)
                op_nodes[list->n_op_nodes++] = &associator->graph->nodes[node].node;
            associator->seen[node] = number;
        }
    }
}

static eti_status make_list(eti_associator *associator, eti_operators *list) {
    size_t n = count_operators(associator, &list->handles);
    associator->n_operators += n;
    if (associator->n_operators > associator->most_operators)
        return eti_fail(associator->err, ETI_ERROR_LIMIT,
                        "the record's debug handles give the events more than %zu operators",
                        associator->most_operators);
    eti_text *op_types = eti_arena_alloc(associator->arena, n, sizeof *op_types);
    const eti_op_node **op_nodes = eti_arena_alloc(associator->arena, n, sizeof *op_nodes);
    if (!op_types || !op_nodes)
        return eti_fail_memory(associator->err);
    list_operators(associator, list, (uint32_t)associator->n_lists + 1, op_types, op_nodes);
    list->op_types = op_types;
    list->op_nodes = op_nodes;
    return ETI_OK;
}

/* Handles come from the record's own arrays: the same place means the same list. NULL: none yet. */
static const eti_operators *find_known_list(const eti_associator *associator, uint64_t hash,
                                            const eti_debug_handles *handles) {
    if (!associator->lists)
        return NULL;
    eti_index_cursor cursor = eti_index_start(&associator->list_index, hash);
    for (uint32_t i; (i = eti_index_next(&associator->list_index, &cursor)) != ETI_INDEX_END;) {
        const eti_operators *list = &associator->lists[i];
        if (list->handles.handles == handles->handles && list->handles.n == handles->n)
            return list;
    }
    return NULL;
}

static uint64_t hash_handles(const eti_associator *associator, const eti_debug_handles *handles) {
    uint64_t hash = eti_hash_mix(associator->seed, handles->n);
    for (size_t i = 0; i < handles->n; i++)
        hash = eti_hash_mix(hash, (uint64_t)handles->handles[i]);
    return hash;
}

/* A list of the same handles at another place; NULL: none yet. */
static const eti_operators *find_equal_list(const eti_associator *associator, uint64_t hash,
                                            const eti_debug_handles *handles) {
    eti_index_cursor cursor = eti_index_start(&associator->content_index, hash);
    for (uint32_t i; (i = eti_index_next(&associator->content_index, &cursor)) != ETI_INDEX_END;) {
        const eti_debug_handles *other = &associator->lists[i].handles;
        if (other->n == handles->n &&
            memcmp(other->handles, handles->handles, handles->n * sizeof *handles->handles) == 0)
            return &associator->lists[i];
    }
    return NULL;
}

/* The list that comes next in `lists`, from an equal one or from the graph. */
static eti_status add_list(eti_associator *associator, const eti_debug_handles *handles) {
    uint64_t hash = hash_handles(associator, handles);
    const eti_operators *equal = find_equal_list(associator, hash, handles);
    eti_operators *list = &associator->lists[associator->n_lists];
    *list = equal ? *equal : (eti_operators){0};
    list->handles = *handles;
    if (!equal) {
        if (!eti_index_add(&associator->content_index, hash, (uint32_t)associator->n_lists))
            return eti_fail_memory(associator->err);
        ETI_TRY(make_list(associator, list));
    }
    associator->n_lists++;
    return ETI_OK;
}

static eti_status find_list(eti_associator *associator, const eti_debug_handles *handles,
                            const eti_operators **out) {
    uint64_t hash = eti_hash_mix((uintptr_t)handles->handles, handles->n);
    *out = find_known_list(associator, hash, handles);
    if (*out)
        return ETI_OK;
    if (!ETI_GROW(associator->lists, associator->list_capacity, associator->n_lists + 1) ||
        !eti_index_add(&associator->list_index, hash, (uint32_t)associator->n_lists))
        return eti_fail_memory(associator->err);
    ETI_TRY(add_list(associator, handles));
    *out = &associator->lists[associator->n_lists - 1];
    return ETI_OK;
}

static eti_status attach_operators(eti_associator *associator, const eti_event *event,
                                   eti_event_record *out) {
    if (eti_is_framework_event(event->name) || out->handles.n == 0)
        return ETI_OK;
    const eti_operators *list = NULL;
    ETI_TRY(find_list(associator, &out->handles, &list));
    out->op_types = list->op_types;
    out->n_op_types = list->n_op_types;
    out->op_nodes = list->op_nodes;
    out->n_op_nodes = list->n_op_nodes;
    return ETI_OK;
}

/* Everything in a record is a view of something that lies in one place. */
static bool records_equal(const eti_event_record *a, const eti_event_record *b) {
    return a->backend_name.data == b->backend_name.data && a->handles.kind == b->handles.kind &&
           a->handles.handles == b->handles.handles && a->handles.n == b->handles.n &&
           a->num_outputs == b->num_outputs && a->op_types == b->op_types &&
           a->n_op_types == b->n_op_types;
}

/* The one record that is like `wanted`. NULL: out of memory. */
static const eti_event_record *share_record(eti_associator *associator,
                                            const eti_event_record *wanted) {
    if (records_equal(wanted, &eti_no_record))
        return &eti_no_record;
    uint64_t hash = eti_hash_mix((uintptr_t)wanted->handles.handles, wanted->handles.n);
    hash = eti_hash_mix(hash, (uintptr_t)wanted->backend_name.data);
    hash = eti_hash_mix(hash, (uint64_t)wanted->num_outputs ^ wanted->n_op_types);
    eti_index_cursor cursor = eti_index_start(&associator->record_index, hash);
    uint32_t i;
    while (associator->records &&
           (i = eti_index_next(&associator->record_index, &cursor)) != ETI_INDEX_END) {
        if (records_equal(wanted, associator->records[i]))
            return associator->records[i];
    }
    eti_event_record *made = eti_arena_alloc(associator->arena, 1, sizeof *made);
    if (!made ||
        !ETI_GROW(associator->records, associator->record_capacity, associator->n_records + 1) ||
        !eti_index_add(&associator->record_index, hash, (uint32_t)associator->n_records))
        return NULL;
    *made = *wanted;
    associator->records[associator->n_records++] = made;
    return made;
}

static void count(eti_association *counts, const eti_event *event, bool is_known) {
    if (eti_is_framework_event(event->name) || event->instruction_id == -1)
        return;
    counts->n_instructions++;
    counts->n_delegated += event->is_delegated_op;
    counts->n_with_handles += is_known;
    counts->n_with_operators += event->record->n_op_types > 0;
}

static eti_status associate_all(eti_associator *associator, eti_blocks *blocks) {
    if (!sort_nodes(associator))
        return eti_fail_memory(associator->err);
    for (size_t b = 0; b < blocks->n_blocks; b++) {
        for (size_t i = 0; i < blocks->blocks[b].n_events; i++) {
            eti_event *event = &blocks->blocks[b].events[i];
            eti_event_record record = eti_no_record;
            bool is_known;
            ETI_TRY(resolve_handles(associator, event, &record, &is_known));
            ETI_TRY(attach_operators(associator, event, &record));
            event->record = share_record(associator, &record);
            if (!event->record)
                return eti_fail_memory(associator->err);
            count(associator->counts, event, is_known);
        }
    }
    return ETI_OK;
}

static size_t most_operators(const eti_etrecord *record) {
    uint64_t file_size = eti_etrecord_file_size(record);
    return file_size < MOST_OPERATORS - FEW_OPERATORS ? FEW_OPERATORS + (size_t)file_size
                                                      : MOST_OPERATORS;
}

eti_status eti_associate(eti_blocks *blocks, eti_arena *arena, const eti_etrecord *record,
                         size_t method, const eti_graph *graph, eti_association *out,
                         eti_error *err) {
    *out = (eti_association){0};
    eti_associator associator = {
        .arena = arena,
        .record = record,
        .method = method,
        .graph = graph,
        .seed = eti_hash_seed(),
        .most_operators = most_operators(record),
        .counts = out,
        .err = err,
    };
    eti_status status = associate_all(&associator, blocks);
    free(associator.by_handle);
    free(associator.seen);
    free(associator.lists);
    eti_index_free(&associator.list_index);
    eti_index_free(&associator.content_index);
    free(associator.records);
    eti_index_free(&associator.record_index);
    for (size_t i = 0; i < associator.n_keys; i++)
        eti_delegate_keys_free(&associator.keys[i]);
    free(associator.keys);
    eti_index_free(&associator.keys_index);
    return status;
}
