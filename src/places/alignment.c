#include "places/alignment.h"

#include "places/places.h"

#include <stdlib.h>
#include <string.h>

/* ==== alignment =============================================================================== */

/* Largest number of table cells in one alignment, and in all alignments together; they take at most a second. */
#define MOST_CELLS ((size_t)1 << 25)
#define MOST_WORK ((size_t)1 << 27)
/* Number of value identifiers per node up to which values are looked up in an array. */
#define VALUES_PER_NODE 8u
#define FEW_VALUES 1024u

/* Scores: as many events as possible find a node, and nodes that always run are seldom passed. */
#define FOUND 16
#define LIMITS_RUN 2
#define PASSED (-9)

enum { PASS_NODE, PASS_EVENT, MATCH, MATCH_LIMITS };

typedef struct eti_alignment_scratch {
    eti_xnnpack_kinds *kinds; /* per event: kinds of nodes that it may run */
    bool *may_clamp;          /* per event */
    int32_t *scores;          /* two rows: the current one and the one below it */
    uint8_t *moves;           /* per node and event: the best next move */
    uint32_t *producers;      /* per value: the node that produces it */
    uint32_t *consumers;      /* per value: the first node that consumes it */
    size_t n_values;
    size_t kind_capacity, clamp_capacity, score_capacity, move_capacity, producer_capacity,
        consumer_capacity, node_capacity, host_capacity;
} eti_alignment_scratch;

typedef struct aligner {
    eti_alignment *out;
    eti_alignment_scratch *scratch;
    const eti_xnnpack_node *nodes;
    const eti_text *names;
    size_t n_nodes, n_events;
} aligner;

/* ---- one to one ------------------------------------------------------------------------------ */

static bool is_one_to_one(const aligner *a) {
    if (a->n_nodes != a->n_events)
        return false;
    for (size_t i = 0; i < a->n_nodes; i++) {
        if (!eti__xnnpack_kind_runs_as(a->nodes[i].kind, eti__xnnpack_kernel(a->names[i])))
            return false;
    }
    return true;
}

static void take_one_to_one(const aligner *a) {
    for (size_t i = 0; i < a->n_events; i++)
        a->out->nodes[i] = (uint32_t)i;
    a->out->n_found = a->n_events;
    a->out->is_exact = true;
}

/* ---- the table ------------------------------------------------------------------------------- */

static bool make_table(aligner *a) {
    eti_alignment_scratch *s = a->scratch;
    size_t width = a->n_events + 1;
    if (!ETI_GROW(a->out->hosts, s->host_capacity, a->n_nodes + 1) ||
        !ETI_GROW(s->kinds, s->kind_capacity, width) ||
        !ETI_GROW(s->may_clamp, s->clamp_capacity, width) ||
        !ETI_GROW(s->scores, s->score_capacity, 2 * (width + 1)) ||
        !ETI_GROW(s->moves, s->move_capacity, (a->n_nodes + 1) * width))
        return false;
    memset(a->out->hosts, 0xff, a->n_nodes * sizeof *a->out->hosts);
    for (size_t i = 0; i < a->n_events; i++) {
        eti_text kernel = eti__xnnpack_kernel(a->names[i]);
        s->kinds[i] = eti__xnnpack_kinds_that_run_as(kernel);
        s->may_clamp[i] = eti__xnnpack_may_clamp(kernel);
    }
    return true;
}

static bool is_fusible(const eti_xnnpack_node *node) {
    return node->kind == ETI_XNNPACK_NONE || eti__xnnpack_kind_is_fusible(node->kind);
}

/* Returns true for a reshape: if two reshapes follow each other, the second runs; of two other nodes, the first runs. */
static bool runs_late(const eti_xnnpack_node *node) {
    return node->kind == ETI_XNNPACK_STATIC_RESHAPE;
}

static void take_better(int32_t score, uint8_t move, int32_t *best, uint8_t *best_move) {
    if (score <= *best)
        return;
    *best = score;
    *best_move = move;
}

/* Fills the row of a node: entry i is the best score for this node and all later nodes against event i and all later
 * events. `below` is the row of the next node. */
static void fill_row(const aligner *a, size_t node, const int32_t *below, int32_t *row) {
    const eti_alignment_scratch *s = a->scratch;
    const eti_xnnpack_node *at = &a->nodes[node];
    uint8_t *moves = s->moves + node * (a->n_events + 1);
    int32_t passed = is_fusible(at) ? 0 : PASSED;
    int32_t limits_run = eti__xnnpack_kind_clamps_inside(at->kind) ? 0 : LIMITS_RUN;
    bool is_late = runs_late(at);
    row[a->n_events] = below[a->n_events] + passed;
    moves[a->n_events] = PASS_NODE;
    for (size_t i = a->n_events; i-- > 0;) {
        int32_t best = INT32_MIN;
        uint8_t move = PASS_NODE;
        if (is_late)
            take_better(below[i] + passed, PASS_NODE, &best, &move);
        if (eti__xnnpack_kinds_have(s->kinds[i], at->kind)) {
            take_better(below[i + 1] + FOUND, MATCH, &best, &move);
            if (at->has_limits && i + 1 < a->n_events && s->may_clamp[i + 1])
                take_better(below[i + 2] + 2 * FOUND + limits_run, MATCH_LIMITS, &best, &move);
        }
        take_better(below[i] + passed, PASS_NODE, &best, &move);
        take_better(row[i + 1], PASS_EVENT, &best, &move);
        row[i] = best;
        moves[i] = move;
    }
}

static void fill_table(aligner *a) {
    size_t width = a->n_events + 2;
    int32_t *below = a->scratch->scores, *row = below + width;
    memset(below, 0, width * sizeof *below);
    for (size_t i = a->n_nodes; i-- > 0;) {
        fill_row(a, i, below, row);
        int32_t *filled = row;
        row = below;
        below = filled;
    }
}

static void find(aligner *a, size_t event, size_t node) {
    a->out->nodes[event] = (uint32_t)node;
    a->out->hosts[node] = (uint32_t)event;
    a->out->n_found++;
}

static void walk_table(aligner *a) {
    size_t node = 0, event = 0;
    while (node < a->n_nodes && event < a->n_events) {
        uint8_t move = a->scratch->moves[node * (a->n_events + 1) + event];
        if (move == MATCH || move == MATCH_LIMITS)
            find(a, event, node);
        if (move == MATCH_LIMITS)
            find(a, event + 1, node);
        event += move == MATCH_LIMITS ? 2 : move != PASS_NODE;
        node += move != PASS_EVENT;
    }
}

/* ---- remaining nodes ------------------------------------------------------------------------- */

static void note_value(uint32_t *nodes, size_t n_values, uint32_t value, size_t node) {
    if (value < n_values && nodes[value] == ETI_NOT_ALIGNED)
        nodes[value] = (uint32_t)node;
}

static bool find_flow(aligner *a) {
    eti_alignment_scratch *s = a->scratch;
    s->n_values = a->n_nodes * VALUES_PER_NODE + FEW_VALUES;
    if (!ETI_GROW(s->producers, s->producer_capacity, s->n_values) ||
        !ETI_GROW(s->consumers, s->consumer_capacity, s->n_values))
        return false;
    memset(s->producers, 0xff, s->n_values * sizeof *s->producers);
    memset(s->consumers, 0xff, s->n_values * sizeof *s->consumers);
    for (size_t i = 0; i < a->n_nodes; i++) {
        const eti_xnnpack_node *node = &a->nodes[i];
        for (size_t at = 0; at < node->n_inputs; at++)
            note_value(s->consumers, s->n_values, node->inputs[at], i);
        if (node->n_inputs > 0)
            note_value(s->producers, s->n_values, node->output, i);
    }
    return true;
}

/* Returns the last event of the node that produces the input of this node; that producer must come before it. */
static uint32_t producing_event(const aligner *a, size_t node) {
    uint32_t value = a->nodes[node].inputs[0];
    if (a->nodes[node].n_inputs == 0 || value >= a->scratch->n_values)
        return ETI_NOT_ALIGNED;
    uint32_t producer = a->scratch->producers[value];
    return producer < node ? a->out->hosts[producer] : ETI_NOT_ALIGNED;
}

/* Returns the first event of the first node that consumes the output of this node. */
static uint32_t consuming_event(const aligner *a, size_t node) {
    uint32_t value = a->nodes[node].output;
    if (a->nodes[node].n_inputs == 0 || value >= a->scratch->n_values)
        return ETI_NOT_ALIGNED;
    uint32_t consumer = a->scratch->consumers[value];
    if (consumer == ETI_NOT_ALIGNED || consumer <= node)
        return ETI_NOT_ALIGNED;
    uint32_t event = a->out->hosts[consumer];
    bool is_limits = event != ETI_NOT_ALIGNED && event > 0 && a->out->nodes[event] == consumer &&
                     a->out->nodes[event - 1] == consumer;
    return is_limits ? event - 1 : event;
}

static bool is_lookup(const aligner *a, uint32_t event) {
    return event != ETI_NOT_ALIGNED && eti__xnnpack_is_lookup(eti__xnnpack_kernel(a->names[event]));
}

/* Assigns clamps to the events that they clamp, and any node after a look-up to the look-up. */
static void host_by_producers(aligner *a) {
    for (size_t i = 0; i < a->n_nodes; i++) {
        uint32_t event = producing_event(a, i);
        if (a->out->hosts[i] == ETI_NOT_ALIGNED &&
            (a->nodes[i].kind == ETI_XNNPACK_CLAMP || is_lookup(a, event)))
            a->out->hosts[i] = event;
    }
}

static void host_by_consumers(aligner *a) {
    for (size_t i = a->n_nodes; i-- > 0;) {
        if (a->out->hosts[i] == ETI_NOT_ALIGNED)
            a->out->hosts[i] = consuming_event(a, i);
    }
}

/* Assigns nodes without known data flow to the operator before them, and conversions to the operator after them. */
static void host_by_order(aligner *a) {
    uint32_t next = ETI_NOT_ALIGNED, last = ETI_NOT_ALIGNED;
    uint32_t *hosts = a->out->hosts;
    for (size_t i = a->n_nodes; i-- > 0;) {
        if (hosts[i] == ETI_NOT_ALIGNED && a->nodes[i].kind == ETI_XNNPACK_CONVERT)
            hosts[i] = next;
        next = hosts[i] == ETI_NOT_ALIGNED ? next : hosts[i];
    }
    for (size_t i = 0; i < a->n_nodes; i++) {
        if (hosts[i] == ETI_NOT_ALIGNED)
            hosts[i] = producing_event(a, i);
        if (hosts[i] == ETI_NOT_ALIGNED)
            hosts[i] = last;
        last = hosts[i];
    }
}

static bool gives_other_numbers(const aligner *a, size_t event) {
    uint32_t node = a->out->nodes[event];
    return node != ETI_NOT_ALIGNED && a->nodes[node].kind != ETI_XNNPACK_CONVERT &&
           !eti__xnnpack_event_gives(a->names[event], a->nodes[node].output_bits);
}

static void count_unexplained(aligner *a) {
    a->out->n_unexplained = a->n_events - a->out->n_found;
    for (size_t i = 0; i < a->n_events; i++)
        a->out->n_unexplained += gives_other_numbers(a, i);
    for (size_t i = 0; i < a->n_nodes && !a->out->is_exact; i++)
        a->out->n_unexplained += a->out->hosts[i] == ETI_NOT_ALIGNED && !is_fusible(&a->nodes[i]);
}

/* ---- aligning -------------------------------------------------------------------------------- */

static bool make_results(aligner *a) {
    eti_alignment_scratch *s = a->scratch;
    if (!ETI_GROW(a->out->nodes, s->node_capacity, a->n_events + 1))
        return false;
    memset(a->out->nodes, 0xff, a->n_events * sizeof *a->out->nodes);
    a->out->n_found = a->out->n_unexplained = 0;
    a->out->is_exact = false;
    return true;
}

/* Counts the cells of the table, and returns whether it may be filled. */
static bool is_affordable(aligner *a) {
    size_t width = a->n_events + 1;
    if (a->n_events >= MOST_CELLS || a->n_nodes + 1 > MOST_CELLS / width)
        return false;
    a->out->work += (a->n_nodes + 1) * width;
    return a->out->work <= MOST_WORK;
}

static void give_up(aligner *a) {
    memset(a->out->nodes, 0xff, a->n_events * sizeof *a->out->nodes);
    a->out->n_found = 0;
    a->out->n_unexplained = a->n_events;
}

static bool align_in_order(aligner *a) {
    if (!is_affordable(a)) {
        give_up(a);
        return true;
    }
    if (!make_table(a) || !find_flow(a))
        return false;
    fill_table(a);
    walk_table(a);
    count_unexplained(a);
    if (a->out->n_found * 2 < a->n_events) {
        give_up(a);
        return true;
    }
    host_by_producers(a);
    host_by_consumers(a);
    host_by_order(a);
    return true;
}

bool eti__align(eti_alignment *alignment, const eti_xnnpack *payload, const eti_text *names,
                size_t n) {
    if (!alignment->scratch)
        alignment->scratch = calloc(1, sizeof *alignment->scratch);
    aligner a = {alignment, alignment->scratch, payload->nodes, names, payload->n_nodes, n};
    if (!alignment->scratch || !make_results(&a))
        return false;
    if (!is_one_to_one(&a))
        return align_in_order(&a);
    take_one_to_one(&a);
    count_unexplained(&a);
    return true;
}

uint32_t eti__alignment_producer(const eti_alignment *alignment, uint32_t value) {
    return value < alignment->scratch->n_values ? alignment->scratch->producers[value]
                                                : ETI_NOT_ALIGNED;
}

bool eti__alignment_is_fused_ahead(const eti_alignment *alignment, uint32_t node) {
    uint32_t event = alignment->hosts[node];
    return event != ETI_NOT_ALIGNED && alignment->nodes[event] > node;
}

void eti__alignment_free(eti_alignment *alignment) {
    eti_alignment_scratch *s = alignment->scratch;
    if (s) {
        free(s->kinds);
        free(s->may_clamp);
        free(s->scores);
        free(s->moves);
        free(s->producers);
        free(s->consumers);
        free(s);
    }
    free(alignment->nodes);
    free(alignment->hosts);
    *alignment = (eti_alignment){0};
}

/* ==== payloads ================================================================================ */

static eti_status read_payload(eti_payloads *payloads, eti_text backend, eti_payload *out,
                               eti_error *err) {
    const eti_text bytes = {out->bytes, out->size};
    eti_error damage;
    eti_status status;
    out->backend = (uint8_t)eti__backend_of_id(backend);
    if (eti__is_xnnpack(backend)) {
        status = eti__xnnpack_read(&out->graph, payloads->arena, bytes, &damage);
    } else if (eti__is_vulkan(backend)) {
        eti_vulkan *graph = eti__arena_alloc(payloads->arena, 1, sizeof *graph);
        out->vulkan = graph;
        status =
            graph ? eti__vulkan_read(graph, payloads->arena, bytes, &damage) : ETI_ERROR_MEMORY;
    } else if (out->backend == ETI_BACKEND_COREML) {
        eti_coreml *graph = eti__arena_alloc(payloads->arena, 1, sizeof *graph);
        out->coreml = graph;
        status =
            graph ? eti__coreml_read(graph, payloads->arena, bytes, &damage) : ETI_ERROR_MEMORY;
    } else if (out->backend == ETI_BACKEND_NATIVE) {
        eti_native *graph = eti__arena_alloc(payloads->arena, 1, sizeof *graph);
        out->native = graph;
        status =
            graph ? eti__native_read(graph, payloads->arena, bytes, &damage) : ETI_ERROR_MEMORY;
    } else {
        payloads->n_foreign++;
        payloads->backend = backend;
        return ETI_OK;
    }
    if (status == ETI_ERROR_MEMORY)
        return eti_fail_memory(err);
    out->is_read = status == ETI_OK;
    if (!out->is_read && payloads->n_damaged++ == 0) {
        payloads->damage = damage;
        payloads->damaged = backend;
    }
    return ETI_OK;
}

/* Finds a payload, which is read at the first request. */
static eti_status find_any(eti_payloads *payloads, eti_text backend, eti_text payload,
                           const eti_payload **out, eti_error *err) {
    static const eti_intern_kind kind = {.item_size = sizeof(eti_payload),
                                         .key_size = offsetof(eti_payload, is_read)};
    const eti_payload wanted = {.bytes = payload.data, .size = payload.size};
    size_t n_known = payloads->known.count;
    uint32_t number;
    if (!eti__intern_add(&payloads->known.table, &kind, &wanted, &number))
        return eti_fail_memory(err);
    eti_payload *found = &payloads->known.items[number];
    *out = found;
    return number == n_known ? read_payload(payloads, backend, found, err) : ETI_OK;
}

eti_status eti__payloads_find(eti_payloads *payloads, eti_text backend, eti_text payload,
                              const eti_xnnpack **out, eti_error *err) {
    const eti_payload *found;
    *out = NULL;
    ETI_TRY(find_any(payloads, backend, payload, &found, err));
    if (found->is_read && found->backend == ETI_BACKEND_XNNPACK)
        *out = &found->graph;
    return ETI_OK;
}

eti_status eti__payloads_find_vulkan(eti_payloads *payloads, eti_text backend, eti_text payload,
                                     const eti_vulkan **out, eti_error *err) {
    const eti_payload *found;
    *out = NULL;
    ETI_TRY(find_any(payloads, backend, payload, &found, err));
    if (found->is_read && found->backend == ETI_BACKEND_VULKAN)
        *out = found->vulkan;
    return ETI_OK;
}

eti_status eti__payloads_find_coreml(eti_payloads *payloads, eti_text backend, eti_text payload,
                                     const eti_coreml **out, eti_error *err) {
    const eti_payload *found;
    *out = NULL;
    ETI_TRY(find_any(payloads, backend, payload, &found, err));
    if (found->is_read && found->backend == ETI_BACKEND_COREML)
        *out = found->coreml;
    return ETI_OK;
}

eti_status eti__payloads_find_native(eti_payloads *payloads, eti_text backend, eti_text payload,
                                     const eti_native **out, eti_error *err) {
    const eti_payload *found;
    *out = NULL;
    ETI_TRY(find_any(payloads, backend, payload, &found, err));
    if (found->is_read && found->backend == ETI_BACKEND_NATIVE)
        *out = found->native;
    return ETI_OK;
}

void eti__payloads_free(eti_payloads *payloads) {
    eti__intern_free(&payloads->known.table);
}

/* ==== block methods =========================================================================== */

typedef struct teller {
    eti_inspector *inspector;
    eti_payloads payloads;
    eti_alignment alignment;
    eti_call_order order; /* of the current block */
    eti_text *names;      /* names of the events of the current delegate call */
    size_t n_names, capacity;
    uint64_t n_logged; /* number of operators that delegates logged in the current block */
    bool is_unsure;    /* some payloads of the current method cannot be read */
    size_t n_misfits;  /* number of blocks that fit the payloads of no method */
    size_t n_open;     /* number of blocks whose method payloads that cannot be read leave open */
    eti_error *err;
} teller;

/* Adds the number of events and nodes of a delegate call that have no counterpart. */
static eti_status add_call(teller *t, const eti_event *call, const eti_method *method,
                           uint64_t *n_unlike) {
    const eti_xnnpack *payload = NULL;
    eti_text backend, bytes;
    if (!eti__find_payload(t->inspector, method, method->plan, call, &backend, &bytes))
        return ETI_OK;
    ETI_TRY(eti__payloads_find(&t->payloads, backend, bytes, &payload, t->err));
    if (!payload) {
        t->is_unsure = t->is_unsure || eti__is_xnnpack(backend);
        return ETI_OK;
    }
    if (!eti__align(&t->alignment, payload, t->names, t->n_names))
        return eti_fail_memory(t->err);
    *n_unlike += t->alignment.n_unexplained;
    return ETI_OK;
}

/* Counts the operators that the first run of the block logged but the method's payloads lack, and the other way
 * round; payloads that cannot be read may lack more. */
static eti_status count_unlike(teller *t, const eti_event_block *block, const eti_method *method,
                               uint64_t *n_unlike) {
    uint32_t current = ETI_NO_CALL;
    *n_unlike = 0;
    t->is_unsure = false;
    t->n_logged = 0;
    t->n_names = 0;
    for (size_t i = 0; i < t->order.n_calls; i++) {
        const eti_call *call = &t->order.calls[i];
        if (call->delegate_call == ETI_NO_CALL)
            continue;
        if (current != ETI_NO_CALL && call->delegate_call != current) {
            ETI_TRY(add_call(t, &block->events[t->order.calls[current].event], method, n_unlike));
            t->n_names = 0;
        }
        current = call->delegate_call;
        t->n_logged++;
        if (!ETI_GROW(t->names, t->capacity, t->n_names + 1))
            return eti_fail_memory(t->err);
        t->names[t->n_names++] = block->events[call->event].name;
    }
    return current == ETI_NO_CALL
               ? ETI_OK
               : add_call(t, &block->events[t->order.calls[current].event], method, n_unlike);
}

/* Keeps only those methods that fit the block and whose payloads fit best, or may do so if they could be read. */
static eti_status tell_apart(teller *t, const eti_event_block *block, uint64_t *methods) {
    uint64_t n_unlike[ETI_METHODS_COMPARED], least = UINT64_MAX, unsure = 0;
    ETI_TRY(eti__call_order_read(&t->order, block, &block->runs[0], t->err));
    *methods = 0;
    for (size_t i = 0; i < t->inspector->n_methods; i++) {
        const uint64_t bit = UINT64_C(1) << i;
        n_unlike[i] = UINT64_MAX;
        if (!(block->methods_that_fit & bit))
            continue;
        ETI_TRY(count_unlike(t, block, &t->inspector->methods[i], &n_unlike[i]));
        if (t->is_unsure)
            unsure |= bit;
        else if (n_unlike[i] < least)
            least = n_unlike[i];
    }
    for (size_t i = 0; i < t->inspector->n_methods; i++) {
        if (n_unlike[i] <= least && n_unlike[i] <= t->n_logged / ETI_ONE_MISFIT_IN)
            *methods |= UINT64_C(1) << i;
    }
    t->n_misfits += *methods == 0;
    t->n_open +=
        !block->is_labelled && (*methods & unsure) != 0 && (*methods & (*methods - 1)) != 0;
    return ETI_OK;
}

/* Adds a note that says why payloads do not distinguish the methods. */
static eti_status note_payloads(teller *t) {
    const eti_inspector *inspector = t->inspector;
    const char *file =
        inspector->n_programs > 0 ? inspector->program_files[0].name : inspector->record_file.name;
    eti_buffer text = {0};
    if (t->n_misfits > 0)
        eti__buffer_printf(
            &text,
            "%s does not match: no method has the operators that delegates logged in "
            "%zu block%s; give the program (.pte) of the export that ran",
            file, t->n_misfits, t->n_misfits == 1 ? "" : "s");
    else if (t->n_open > 0)
        eti__buffer_printf(
            &text, "%s: cannot read %zu payload%s of %.*s (%s), so the method that ran is unknown",
            file, t->payloads.n_damaged, t->payloads.n_damaged == 1 ? "" : "s",
            ETI_TEXT_ARGS(eti__backend_label(t->payloads.damaged)), t->payloads.damage.message);
    ETI_TRY(eti__notes_add(t->inspector, ETI_NOTE_WARNING, &text, t->err));
    if (t->n_misfits > 0)
        eti__notes_mark_mismatch(t->inspector);
    return ETI_OK;
}

/* Returns the bit of the method that the user asked for; 0: no preference. */
static uint64_t wanted_method(const eti_inspector *inspector) {
    const char *wanted = inspector->options.method;
    size_t method = wanted ? eti__method_number(inspector, eti__text_of(wanted)) : ETI_NO_METHOD;
    return method != ETI_NO_METHOD ? UINT64_C(1) << method : 0;
}

/* Adds a note that the requested method did not run in the block, which now has the method that its payloads show. */
static eti_status note_unwanted(teller *t, const eti_event_block *block) {
    eti_buffer text = {0};
    eti__buffer_printf(&text,
                       "%smethod %s: block %.*s did not run this method, because its delegates "
                       "logged the operators of %.*s",
                       eti__option_prefix(), t->inspector->options.method,
                       ETI_TEXT_ARGS(block->label), ETI_TEXT_ARGS(block->method_name));
    return eti__notes_add(t->inspector, ETI_NOTE_HINT, &text, t->err);
}

static eti_status note_all_unwanted(teller *t, const uint64_t *methods) {
    uint64_t wanted = wanted_method(t->inspector);
    for (size_t b = 0; wanted && b < t->inspector->blocks.n_blocks; b++) {
        if (methods[b] != 0 && !(methods[b] & wanted))
            ETI_TRY(note_unwanted(t, &t->inspector->blocks.blocks[b]));
    }
    return ETI_OK;
}

/* Adds a note that some runs of a block may be of other methods than the user's, which was chosen for all of them. */
static eti_status note_choice(teller *t, const eti_event_block *block, uint64_t methods) {
    eti_buffer text = {0};
    eti__buffer_printf(&text, "block %.*s: the methods ", ETI_TEXT_ARGS(block->label));
    eti__methods_add_names(&text, t->inspector, methods);
    eti__buffer_printf(&text,
                       " match its instructions equally well: %smethod %s is used for all of its "
                       "runs, but some may be of another method",
                       eti__option_prefix(), t->inspector->options.method);
    return eti__notes_add(t->inspector, ETI_NOTE_HINT, &text, t->err);
}

/* Chooses the user's method where the payloads leave the choice open. */
static eti_status choose_wanted(teller *t, uint64_t *methods) {
    uint64_t wanted = wanted_method(t->inspector);
    for (size_t b = 0; wanted && b < t->inspector->blocks.n_blocks; b++) {
        eti_event_block *block = &t->inspector->blocks.blocks[b];
        if (!(block->methods_that_fit & wanted))
            continue;
        if (methods[b] != wanted && (methods[b] == 0 || (methods[b] & wanted))) {
            ETI_TRY(note_choice(t, block, methods[b] != 0 ? methods[b] : block->methods_that_fit));
            methods[b] = wanted;
        }
    }
    return ETI_OK;
}

static eti_status fail_label(const teller *t, const eti_event_block *block, uint64_t methods) {
    const eti_block_run *run = &block->runs[0];
    eti_buffer names = {0};
    eti__methods_add_names(&names, t->inspector, methods);
    eti_text all = eti__buffer_text(&names);
    eti_status status = names.failed
                            ? eti_fail_memory(t->err)
                            : eti_fail(t->err, ETI_ERROR_USAGE,
                                       "%srun_methods: %.*s is the label of run %u of %s, whose "
                                       "delegates logged the operators of: %.*s",
                                       eti__option_prefix(), ETI_TEXT_ARGS(block->method_name),
                                       run->index, run->dump->file_name, ETI_TEXT_ARGS(all));
    eti__buffer_free(&names);
    return status;
}

/* Keeps the labels that the user gave to runs. ETI_ERROR_USAGE: the payloads show another method. */
static eti_status choose_labels(const teller *t, uint64_t *methods) {
    const eti_inspector *inspector = t->inspector;
    for (size_t b = 0; b < inspector->blocks.n_blocks; b++) {
        const eti_event_block *block = &inspector->blocks.blocks[b];
        if (!block->is_labelled)
            continue;
        size_t method = (size_t)(eti__method_of(inspector, block) - inspector->methods);
        if (methods[b] != 0 && !(methods[b] >> method & 1))
            return fail_label(t, block, methods[b]);
        methods[b] = UINT64_C(1) << method;
    }
    return ETI_OK;
}

static eti_status tell_all_apart(teller *t, uint64_t *methods) {
    eti_blocks *blocks = &t->inspector->blocks;
    for (size_t b = 0; b < blocks->n_blocks; b++) {
        eti_event_block *block = &blocks->blocks[b];
        if (block->methods_that_fit == 0 || block->n_runs == 0)
            continue;
        ETI_TRY(tell_apart(t, block, &methods[b]));
    }
    ETI_TRY(choose_wanted(t, methods));
    ETI_TRY(choose_labels(t, methods));
    for (size_t b = 0; b < blocks->n_blocks; b++)
        blocks->blocks[b].methods_that_fit = methods[b];
    ETI_TRY(eti__methods_choose(t->inspector, methods, t->err));
    ETI_TRY(note_all_unwanted(t, methods));
    return note_payloads(t);
}

eti_status eti__tell_methods_apart(eti_inspector *inspector, eti_error *err) {
    if (!eti__has_several_methods(inspector))
        return ETI_OK;
    teller t = {.inspector = inspector, .payloads.arena = &inspector->arena, .err = err};
    uint64_t *methods = calloc(inspector->blocks.n_blocks + 1, sizeof *methods);
    eti_status status = methods ? tell_all_apart(&t, methods) : eti_fail_memory(err);
    eti__call_order_free(&t.order);
    eti__alignment_free(&t.alignment);
    eti__payloads_free(&t.payloads);
    free(t.names);
    free(methods);
    return status;
}
