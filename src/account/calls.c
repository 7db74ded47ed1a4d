#include "account/calls.h"

#include "base/sort.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ==== call order ============================================================================== */

/* First Event with an identity. */
typedef struct known_event {
    eti_event_identity identity;
    uint32_t event;
} known_event;

/* Delegate call of an instruction and a chain that is nearest to the current position of the walk through the calls. */
typedef struct open_call {
    uint64_t chain_index;
    int32_t instruction_id;
    uint32_t chain_is_negative;
    uint32_t call;
} open_call;

/* Holds state that is needed only while calls are read. */
typedef struct order_reading {
    eti_call_order *order;
    const eti_event_block *block;
    const eti_block_run *run;
    uint32_t *event_of; /* per event of the run: the Event made from it, or ETI_NO_EVENT */
    ETI_INTERN_OF(known_event) events; /* empty until the first lookup; most runs need no lookup */
    ETI_INTERN_OF(open_call) open_calls;
} order_reading;

/* ---- events ---------------------------------------------------------------------------------- */

static uint64_t hash_identity(const void *key, uint64_t seed) {
    return eti__event_identity_hash(key, seed);
}

static bool has_identity(const void *key, const void *other) {
    return eti__event_identities_equal(key, other);
}

static const eti_intern_kind event_kind = {
    .item_size = sizeof(known_event), .hash = hash_identity, .is_equal = has_identity};

static eti_event_identity identity_of(const order_reading *r, uint32_t number) {
    return eti__event_identity_read(r->run->dump, eti__block_run_position(r->run, number));
}

static bool index_events(order_reading *r) {
    uint32_t known;
    for (uint32_t i = 0; i < r->block->n_events; i++) {
        uint32_t number = r->run->layout->profile_events[i];
        if (number != ETI_NO_EVENT &&
            !eti__intern_add(&r->events.table, &event_kind,
                             &(known_event){identity_of(r, number), i}, &known))
            return false;
    }
    return true;
}

/* Finds the Event of a profile event that is not the last of its kind. Returns false if memory runs out. */
static bool find_repeated(order_reading *r, uint32_t number, uint32_t *event) {
    if (r->events.count == 0 && !index_events(r))
        return false;
    uint32_t known;
    eti_event_identity identity = identity_of(r, number);
    bool is_known = eti__intern_find(&r->events.table, &event_kind, &identity, &known);
    *event = is_known ? r->events.items[known].event : ETI_NO_EVENT;
    return true;
}

static bool add_call(order_reading *r, uint32_t number) {
    eti_call_order *order = r->order;
    uint32_t event = r->event_of[number];
    if (event == ETI_NO_EVENT) {
        eti_etdump_event read;
        eti__etdump_read_event(&read, r->run->dump, eti__block_run_position(r->run, number));
        if (read.kind != ETI_ETDUMP_PROFILE)
            return true;
        if (!find_repeated(r, number, &event))
            return false;
        if (event == ETI_NO_EVENT)
            return true;
        order->n_repeated++;
    }
    if (!ETI_GROW(order->calls, order->capacity, order->n_calls + 1))
        return false;
    eti_position position = eti__block_run_position(r->run, number);
    uint32_t lane = eti__etdump_read_lane(r->run->dump, position);
    order->calls[order->n_calls++] = (eti_call){number, event, ETI_NO_CALL, lane};
    return true;
}

static bool add_calls(order_reading *r) {
    uint32_t n = r->run->events.count;
    r->order->n_calls = 0;
    r->order->n_repeated = 0;
    for (uint32_t i = 0; i < n; i++)
        r->event_of[i] = ETI_NO_EVENT;
    for (size_t i = 0; i < r->block->n_events; i++) {
        uint32_t number = r->run->layout->profile_events[i];
        if (number != ETI_NO_EVENT)
            r->event_of[number] = (uint32_t)i;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (!add_call(r, i))
            return false;
    }
    return true;
}

/* ---- delegate calls -------------------------------------------------------------------------- */

static eti_etdump_event read_call(const order_reading *r, size_t call) {
    eti_etdump_event read;
    eti__etdump_read_event(&read, r->run->dump,
                           eti__block_run_position(r->run, r->order->calls[call].number));
    return read;
}

static bool is_delegated(const order_reading *r, size_t call) {
    return r->block->events[r->order->calls[call].event].is_timed_as_delegated;
}

/* Makes one step through the calls, in either direction: remembers a delegate call, or assigns the remembered call to
 * a delegated event that has none yet. */
static bool match_call(order_reading *r, size_t call) {
    static const eti_intern_kind kind = {.item_size = sizeof(open_call),
                                         .key_size = offsetof(open_call, call)};
    bool is_inner = is_delegated(r, call);
    if (is_inner && r->order->calls[call].delegate_call != ETI_NO_CALL)
        return true;
    eti_etdump_event event = read_call(r, call);
    if (!is_inner && !eti__text_is(event.name, "DELEGATE_CALL"))
        return true;
    uint32_t number;
    open_call open = {event.key.chain_index, event.key.instruction_id, event.key.chain_is_negative,
                      (uint32_t)call};
    if (is_inner) {
        if (eti__intern_find(&r->open_calls.table, &kind, &open, &number))
            r->order->calls[call].delegate_call = r->open_calls.items[number].call;
        return true;
    }
    if (!eti__intern_add(&r->open_calls.table, &kind, &open, &number))
        return false;
    r->open_calls.items[number].call = open.call;
    return true;
}

/* Assigns delegate calls to delegated events. Events are recorded when they end, so delegated events belong to the
 * next call. */
static bool match_delegate_calls(order_reading *r) {
    size_t n = r->order->n_calls;
    for (size_t i = n; i-- > 0;) {
        if (!match_call(r, i))
            return false;
    }
    eti__intern_free(&r->open_calls.table);
    for (size_t i = 0; i < n; i++) {
        if (!match_call(r, i))
            return false;
    }
    return true;
}

/* ---- lanes ----------------------------------------------------------------------------------- */

/* Facts about a lane that its calls show. */
typedef struct lane_facts {
    uint32_t lane;
    bool has_instructions; /* has the runtime's events of instructions */
    bool
        has_methods; /* has events of methods, which the runtime never records in a chain of a program */
    bool has_others; /* has other events that the runtime does not record in a chain of a program */
    bool is_beside; /* one of its events runs at the same time as an instruction of the main lane */
} lane_facts;

static bool is_instruction(const eti_event *event) {
    eti_role role = eti__role_by_name(event);
    return role == ETI_ROLE_OPERATOR_CALL || role == ETI_ROLE_DELEGATE_CALL ||
           eti__is_runtime_instruction(event->name);
}

/* Adds the facts that a call shows. Events of delegates show nothing. */
static void add_lane_fact(lane_facts *facts, const eti_event *event) {
    eti_role role = eti__role_by_name(event);
    if (event->logged || event->is_timed_as_delegated || role == ETI_ROLE_KERNEL)
        return;
    if (is_instruction(event))
        facts->has_instructions = true;
    else if (role == ETI_ROLE_EXECUTE || role == ETI_ROLE_LOAD)
        facts->has_methods = true;
    else
        facts->has_others = true;
}

/* Returns whether a lane is a chain of a program that the main thread runs: such a chain may contain events of a user, but
 * it never works at the same time as the main lane. */
static bool is_chain(const lane_facts *facts) {
    return facts->has_instructions && !facts->has_methods &&
           (!facts->has_others || !facts->is_beside);
}

static int compare_stamps(const void *a, const void *b, void *context) {
    uint64_t x = ((const eti_etdump_stamps *)a)->start_time;
    uint64_t y = ((const eti_etdump_stamps *)b)->start_time;
    (void)context;
    return (x > y) - (x < y);
}

static eti_etdump_stamps stamps_of(const order_reading *r, size_t call) {
    return eti__etdump_read_stamps(r->run->dump,
                                   eti__block_run_position(r->run, r->order->calls[call].number));
}

/* Lists the instructions of the main lane in the order of their starts; each ends, in the list, no earlier than the previous
 * one. Returns their number. */
static size_t list_instructions(const order_reading *r, eti_etdump_stamps *out) {
    size_t n = 0;
    for (size_t i = 0; i < r->order->n_calls; i++) {
        const eti_event *event = &r->block->events[r->order->calls[i].event];
        if (r->order->calls[i].lane == 0 && !event->logged && !event->is_timed_as_delegated &&
            is_instruction(event))
            out[n++] = stamps_of(r, i);
    }
    eti__sort(out, n, sizeof *out, compare_stamps, NULL);
    for (size_t i = 1; i < n; i++) {
        if (out[i].end_time < out[i - 1].end_time)
            out[i].end_time = out[i - 1].end_time;
    }
    return n;
}

/* Returns whether an instruction runs for a while at the same time as an event. */
static bool runs_beside(const eti_etdump_stamps *instructions, size_t n,
                        const eti_etdump_stamps *event) {
    size_t low = 0, high = n; /* those before `low` start before the event ends */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (instructions[middle].start_time < event->end_time)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && event->start_time < event->end_time &&
           instructions[low - 1].end_time > event->start_time;
}

/* Sets is_beside of the lanes. Returns false if memory runs out. */
static bool compare_with_main(const order_reading *r, const eti_intern *table,
                              const eti_intern_kind *kind, lane_facts *lanes) {
    eti_etdump_stamps *instructions = malloc((r->order->n_calls + 1) * sizeof *instructions);
    if (!instructions)
        return false;
    size_t n = list_instructions(r, instructions);
    for (size_t i = 0; i < r->order->n_calls; i++) {
        const eti_call *call = &r->order->calls[i];
        const eti_event *event = &r->block->events[call->event];
        uint32_t number;
        if (call->lane == 0 || event->logged || event->is_timed_as_delegated || !event->is_timed ||
            !eti__intern_find(table, kind, &call->lane, &number))
            continue;
        eti_etdump_stamps stamps = stamps_of(r, i);
        lanes[number].is_beside |= runs_beside(instructions, n, &stamps);
    }
    free(instructions);
    return true;
}

/* Counts the lanes; moves chains of the runtime's program to the main lane. Returns false if memory runs out. */
static bool settle_lanes(order_reading *r) {
    static const eti_intern_kind kind = {.item_size = sizeof(lane_facts),
                                         .key_size = sizeof(uint32_t)};
    eti_call_order *order = r->order;
    ETI_INTERN_OF(lane_facts) lanes = {0};
    bool is_read = true, has_execute = false;
    for (size_t i = 0; i < order->n_calls && is_read; i++) {
        const eti_call *call = &order->calls[i];
        const eti_event *event = &r->block->events[call->event];
        uint32_t number;
        is_read = eti__intern_add(&lanes.table, &kind, &(lane_facts){.lane = call->lane}, &number);
        if (is_read)
            add_lane_fact(&lanes.items[number], event);
        has_execute |= call->lane == 0 && eti__role_by_name(event) == ETI_ROLE_EXECUTE;
    }
    if (is_read && has_execute)
        is_read = compare_with_main(r, &lanes.table, &kind, lanes.items);
    order->n_lanes = lanes.count;
    for (size_t i = 0; i < lanes.count && has_execute; i++)
        order->n_lanes -= lanes.items[i].lane && is_chain(&lanes.items[i]);
    for (size_t i = 0; i < order->n_calls && is_read && has_execute; i++) {
        uint32_t number, *lane = &order->calls[i].lane;
        if (eti__intern_find(&lanes.table, &kind, lane, &number) && is_chain(&lanes.items[number]))
            *lane = 0;
    }
    eti__intern_free(&lanes.table);
    return is_read;
}

static bool has_lanes(const eti_call_order *order) {
    for (size_t i = 0; i < order->n_calls; i++) {
        if (order->calls[i].lane != 0)
            return true;
    }
    return false;
}

static bool has_delegated(const order_reading *r) {
    for (size_t i = 0; i < r->order->n_calls; i++) {
        if (is_delegated(r, i))
            return true;
    }
    return false;
}

static bool read_calls(order_reading *r) {
    r->event_of = malloc(((size_t)r->run->events.count + 1) * sizeof *r->event_of);
    r->order->n_lanes = 1;
    return r->event_of && add_calls(r) && (!has_lanes(r->order) || settle_lanes(r)) &&
           (!has_delegated(r) || match_delegate_calls(r));
}

eti_status eti__call_order_read(eti_call_order *order, const eti_event_block *block,
                                const eti_block_run *run, eti_error *err) {
    if (order->layout == run->layout)
        return ETI_OK;
    order_reading r = {.order = order, .block = block, .run = run};
    bool is_read = read_calls(&r);
    free(r.event_of);
    eti__intern_free(&r.events.table);
    eti__intern_free(&r.open_calls.table);
    order->layout = is_read ? run->layout : NULL;
    return is_read ? ETI_OK : eti_fail_memory(err);
}

void eti__call_order_free(eti_call_order *order) {
    free(order->calls);
    *order = (eti_call_order){0};
}

/* ==== nesting ================================================================================= */

eti_status eti__nesting_init(eti_nesting *out, size_t n, eti_error *err) {
    *out = (eti_nesting){.n = n};
    size_t room = n ? n : 1;
    out->start = calloc(room, sizeof *out->start);
    out->end = calloc(room, sizeof *out->end);
    out->lane = calloc(room, sizeof *out->lane);
    out->self = calloc(room, sizeof *out->self);
    out->parent = calloc(room, sizeof *out->parent);
    out->order = calloc(room, sizeof *out->order);
    out->scratch = calloc(room, sizeof *out->scratch);
    if (!out->start || !out->end || !out->lane || !out->self || !out->parent || !out->order ||
        !out->scratch) {
        eti__nesting_free(out);
        return eti_fail_memory(err);
    }
    for (size_t i = 0; i < n; i++)
        out->order[i] = (uint32_t)i;
    return ETI_OK;
}

void eti__nesting_free(eti_nesting *nesting) {
    free(nesting->start);
    free(nesting->end);
    free(nesting->lane);
    free(nesting->self);
    free(nesting->parent);
    free(nesting->order);
    free(nesting->scratch);
    *nesting = (eti_nesting){0};
}

/* ---- order ----------------------------------------------------------------------------------- */

/* Returns whether `a` comes before `b`: on one lane, it starts first or, if both start together, is longer or, if both are
 * equal, was recorded last. Thus the outer interval comes before the inner one. */
static bool comes_first(const eti_nesting *nesting, uint32_t a, uint32_t b) {
    if (nesting->lane[a] != nesting->lane[b])
        return nesting->lane[a] < nesting->lane[b];
    if (nesting->start[a] != nesting->start[b])
        return nesting->start[a] < nesting->start[b];
    if (nesting->end[a] != nesting->end[b])
        return nesting->end[a] > nesting->end[b];
    return a > b;
}

static bool is_sorted(const eti_nesting *nesting) {
    for (size_t i = 1; i < nesting->n; i++) {
        if (!comes_first(nesting, nesting->order[i - 1], nesting->order[i]))
            return false;
    }
    return true;
}

/* Merges the sorted parts [first, middle) and [middle, end) of `from` into `to`. */
static void merge(const eti_nesting *nesting, const uint32_t *from, uint32_t *to, size_t first,
                  size_t middle, size_t end) {
    size_t a = first, b = middle;
    for (size_t i = first; i < end; i++) {
        bool takes_a = a < middle && (b == end || comes_first(nesting, from[a], from[b]));
        to[i] = takes_a ? from[a++] : from[b++];
    }
}

/* Sorts by merging, which is also fast in the worst case. */
static void sort(eti_nesting *nesting) {
    size_t n = nesting->n;
    for (size_t width = 1; width < n; width *= 2) {
        for (size_t first = 0; first < n; first += 2 * width) {
            size_t middle = n - first < width ? n : first + width;
            size_t end = n - middle < width ? n : middle + width;
            merge(nesting, nesting->order, nesting->scratch, first, middle, end);
        }
        uint32_t *sorted = nesting->scratch;
        nesting->scratch = nesting->order;
        nesting->order = sorted;
    }
}

/* ---- nesting --------------------------------------------------------------------------------- */

/* Returns whether `inner`, which comes later in order, lies outside of `outer`. */
static bool is_past(const eti_nesting *nesting, uint32_t outer, uint32_t inner, bool is_outermost) {
    if (nesting->end[outer] < nesting->end[inner])
        return true;
    return nesting->end[outer] == nesting->start[inner] &&
           nesting->start[outer] < nesting->start[inner] && !is_outermost;
}

/* Pops intervals that do not contain `interval` off the stack. Intervals come in the order of their starts, so any
 * later interval that lies inside a popped one also lies inside this one. Until the sums are made, `self` is the part
 * of an interval that counts. */
static size_t unwind(eti_nesting *nesting, const uint32_t *stack, size_t depth, uint32_t interval) {
    size_t kept = depth;
    if (depth > 0 && nesting->lane[stack[0]] != nesting->lane[interval])
        return 0;
    while (kept > 0 && is_past(nesting, stack[kept - 1], interval, kept == 1))
        kept--;
    if (kept == 0)
        return 0;
    uint64_t start = nesting->start[interval];
    for (size_t i = kept; i < depth; i++) {
        uint32_t open = stack[i];
        if (nesting->end[open] > start) {
            nesting->self[open] = start - nesting->start[open];
            if (nesting->n_overlaps < ETI_OVERLAPS_KEPT)
                nesting->overlaps[nesting->n_overlaps] = open;
            nesting->n_overlaps++;
        }
    }
    return kept;
}

void eti__nesting_find(eti_nesting *nesting) {
    if (!is_sorted(nesting))
        sort(nesting);
    uint32_t *stack = nesting->scratch;
    size_t depth = 0;
    nesting->n_overlaps = 0;
    for (size_t i = 0; i < nesting->n; i++) {
        uint32_t interval = nesting->order[i];
        nesting->self[interval] = nesting->end[interval] - nesting->start[interval];
        depth = unwind(nesting, stack, depth, interval);
        nesting->parent[interval] = depth > 0 ? stack[depth - 1] : ETI_NO_PARENT;
        stack[depth++] = interval;
    }
    /* from the outermost interval inwards, so that each `self` is still complete when it is subtracted from its
     * parent's */
    for (size_t i = 0; i < nesting->n; i++) {
        uint32_t interval = nesting->order[i], parent = nesting->parent[interval];
        if (parent != ETI_NO_PARENT)
            nesting->self[parent] -= nesting->self[interval];
    }
}

/* ==== role ==================================================================================== */

/* `start` must be a string literal. */
#define BEGINS_WITH(text, start)                                                                   \
    ((text).size >= sizeof(start) - 1 && memcmp((text).data, start, sizeof(start) - 1) == 0)

eti_role eti__role_inside(const eti_event *event) {
    static const uint8_t roles[] = {
        [ETI_DELEGATE_NODE] = ETI_ROLE_DELEGATED,      [ETI_DELEGATE_DEVICE] = ETI_ROLE_DEVICE,
        [ETI_DELEGATE_TRANSFER] = ETI_ROLE_TRANSFER,   [ETI_DELEGATE_WRAPPER] = ETI_ROLE_OVERHEAD,
        [ETI_DELEGATE_PROFILING] = ETI_ROLE_PROFILING, [ETI_DELEGATE_COUNTER] = ETI_ROLE_COUNTER,
        [ETI_DELEGATE_LOAD] = ETI_ROLE_LOAD,
    };
    return event->logged ? (eti_role)roles[event->logged->role] : ETI_ROLE_DELEGATED;
}

eti_text eti__role_name(eti_role role) {
    static const char *const names[ETI_N_ROLES] = {
        [ETI_ROLE_KERNEL] = "kernel",
        [ETI_ROLE_DELEGATED] = "node",
        [ETI_ROLE_DEVICE] = "device",
        [ETI_ROLE_TRANSFER] = "transfer",
        [ETI_ROLE_OVERHEAD] = "wrapper",
        [ETI_ROLE_PROFILING] = "profiling",
        [ETI_ROLE_DELEGATE_CALL] = "delegate_call",
        [ETI_ROLE_NOT_LOGGED] = "delegate_call",
        [ETI_ROLE_OPERATOR_CALL] = "operator_call",
        [ETI_ROLE_INSTRUCTION] = "instruction",
        [ETI_ROLE_EXECUTE] = "execute",
        [ETI_ROLE_LOAD] = "load",
        [ETI_ROLE_UNTIMED] = "debug",
        [ETI_ROLE_COUNTER] = "counter",
    };
    return eti__text_of(names[role]);
}

/* Compares the most frequent names of events first. */
eti_role eti__role_by_name(const eti_event *event) {
    eti_text name = event->name;
    if (!event->is_timed)
        return ETI_ROLE_UNTIMED;
    if (event->block->is_loading)
        return ETI_ROLE_LOAD;
    if (event->is_timed_as_delegated)
        return eti__role_inside(event);
    if (BEGINS_WITH(name, "native_call_"))
        return ETI_ROLE_KERNEL;
    if (eti__text_is(name, "OPERATOR_CALL"))
        return ETI_ROLE_OPERATOR_CALL;
    if (eti__text_is(name, "DELEGATE_CALL"))
        return ETI_ROLE_DELEGATE_CALL;
    if (eti__text_is(name, "Method::execute"))
        return ETI_ROLE_EXECUTE;
    if (BEGINS_WITH(name, "Method::") || BEGINS_WITH(name, "Program::"))
        return ETI_ROLE_LOAD;
    return ETI_ROLE_INSTRUCTION;
}

bool eti__is_runtime_instruction(eti_text name) {
    return eti__text_is(name, "JF_CALL") || eti__text_is(name, "MOVE_CALL") ||
           eti__text_is(name, "FREE_CALL");
}

/* ==== time faults ============================================================================= */

/* The events of a run, with their intervals. */
typedef struct eti_run_intervals {
    const eti_event_block *block;
    uint32_t run;
    uint32_t execute; /* number of Method::execute, or ETI_NO_EVENT */
    const eti_call_order *order;
    eti_nesting *nesting;    /* its scratch is overwritten */
    const uint32_t *call_at; /* per interval: the call */
    const uint8_t *roles;    /* per call: eti_role */
} eti_run_intervals;

/* Largest number of bytes shown of a name. */
#define LONGEST_NAME 60

static const struct {
    bool is_serious;
    const char *of_one, *of_several;
} kinds[ETI_N_TIME_FAULTS] = {
    [ETI_TIME_WRAPPED] =
        {false,
         "event ends before it starts, and is treated as if a 32-bit clock had wrapped around",
         "events end before they start, and are treated as if a 32-bit clock had wrapped around"},
    [ETI_TIME_BACKWARDS] = {true,
                            "event ends shortly before it starts: its time stamps run backwards, "
                            "and its time is wrong",
                            "events end shortly before they start: their time stamps run "
                            "backwards, and their times are wrong"},
    [ETI_TIME_EARLY] = {true, "event of an instruction starts before its Method::execute",
                        "events of instructions start before their Method::execute"},
    [ETI_TIME_OUTLASTS] = {true, "event of an instruction ends after its Method::execute",
                           "events of instructions end after their Method::execute"},
    [ETI_TIME_OVERLAPS] =
        {true, "event partly overlaps another; the shared time counts for the later one",
         "events partly overlap others; the shared time counts for the later one"},
    [ETI_TIME_BESIDE] =
        {true,
         "event that lies inside no other partly overlaps one of the same lane; the shared time "
         "counts for both",
         "events that lie inside no other partly overlap others of the same lane; the shared time "
         "counts for both"},
};

bool eti__time_fault_is_serious(eti_time_fault kind) {
    return kinds[kind].is_serious;
}

void eti__time_faults_add(eti_time_faults *faults, eti_time_fault kind, eti_faulty_event event) {
    eti_faulty_events *of = &faults->of[kind];
    if (of->n < ETI_FAULTS_NAMED)
        of->first[of->n] = event;
    of->n++;
}

static uint32_t event_at(const eti_run_intervals *run, uint32_t interval) {
    return run->order->calls[run->call_at[interval]].event;
}

static void add_overlaps(eti_time_faults *faults, const eti_run_intervals *run) {
    const eti_nesting *nesting = run->nesting;
    uint64_t n = nesting->n_overlaps, n_kept = n < ETI_OVERLAPS_KEPT ? n : ETI_OVERLAPS_KEPT;
    for (size_t i = 0; i < n_kept; i++) {
        uint32_t event = event_at(run, nesting->overlaps[i]);
        eti__time_faults_add(faults, ETI_TIME_OVERLAPS,
                             (eti_faulty_event){run->block, run->run, event});
    }
    faults->of[ETI_TIME_OVERLAPS].n += n - n_kept;
}

static bool is_of_instruction(const eti_run_intervals *run, uint32_t interval) {
    uint8_t role = run->roles[run->call_at[interval]];
    return run->block->events[event_at(run, interval)].instruction_id != -1 &&
           role != ETI_ROLE_LOAD && role != ETI_ROLE_EXECUTE && role != ETI_ROLE_DELEGATED;
}

static bool lies_in(const eti_nesting *nesting, uint32_t inner, uint32_t outer) {
    return nesting->start[outer] <= nesting->start[inner] &&
           nesting->end[inner] <= nesting->end[outer];
}

/* Returns the first Method::execute of the run. */
static uint32_t first_execute(const eti_run_intervals *run) {
    for (size_t i = 0; i < run->nesting->n && run->execute != ETI_NO_EVENT; i++) {
        uint32_t interval = run->nesting->order[i];
        if (event_at(run, interval) == run->execute)
            return interval;
    }
    return ETI_NO_PARENT;
}

/* Finds events that lie inside no other and overlap an event that started earlier on the same lane. Leaves out events of
 * delegates, which may have another clock, and events that add_outside() finds. */
static void add_beside(eti_time_faults *faults, const eti_run_intervals *run) {
    const eti_nesting *nesting = run->nesting;
    uint32_t latest = ETI_NO_PARENT, execute = first_execute(run);
    for (size_t i = 0; i < nesting->n; i++) {
        uint32_t at = nesting->order[i], number = event_at(run, at);
        const eti_event *event = &run->block->events[number];
        if (nesting->parent[at] != ETI_NO_PARENT || event->logged || event->is_timed_as_delegated)
            continue;
        bool is_by_program =
            execute != ETI_NO_PARENT && nesting->lane[execute] == nesting->lane[at];
        if (is_by_program && is_of_instruction(run, at))
            continue;
        bool is_on_lane = latest != ETI_NO_PARENT && nesting->lane[latest] == nesting->lane[at];
        if (is_on_lane && nesting->start[at] < nesting->end[latest])
            eti__time_faults_add(faults, ETI_TIME_BESIDE,
                                 (eti_faulty_event){run->block, run->run, number});
        if (!is_on_lane || nesting->end[at] > nesting->end[latest])
            latest = at;
    }
}

/* Finds events of instructions that lie outside every Method::execute, in runs that have one. */
static void add_outside(eti_time_faults *faults, const eti_run_intervals *run) {
    const eti_nesting *nesting = run->nesting;
    uint32_t first = first_execute(run), latest = first, *is_inside = nesting->scratch;
    for (size_t i = 0; i < nesting->n && first != ETI_NO_PARENT; i++) {
        uint32_t at = nesting->order[i], parent = nesting->parent[at], event = event_at(run, at);
        bool is_execute = event == run->execute;
        if (nesting->lane[at] != nesting->lane[first])
            continue;
        latest = is_execute ? at : latest;
        is_inside[at] = is_execute || (parent != ETI_NO_PARENT && is_inside[parent]);
        if (is_inside[at] || lies_in(nesting, at, latest) || !is_of_instruction(run, at))
            continue;
        bool is_early = nesting->start[at] < nesting->start[first];
        eti__time_faults_add(faults, is_early ? ETI_TIME_EARLY : ETI_TIME_OUTLASTS,
                             (eti_faulty_event){run->block, run->run, event});
    }
}

/* Adds the faults of a run that its intervals show: all faults except events that end before they start. */
static void find_time_faults(eti_time_faults *faults, const eti_run_intervals *run) {
    add_overlaps(faults, run);
    add_beside(faults, run);
    add_outside(faults, run);
}

static void join(eti_faulty_events *to, const eti_faulty_events *from) {
    for (size_t i = 0; i < from->n && i < ETI_FAULTS_NAMED && to->n + i < ETI_FAULTS_NAMED; i++)
        to->first[to->n + i] = from->first[i];
    to->n += from->n;
}

void eti__time_faults_join(eti_time_faults *faults, const eti_time_faults *other) {
    for (int kind = 0; kind < ETI_N_TIME_FAULTS; kind++)
        join(&faults->of[kind], &other->of[kind]);
}

void eti__time_faults_describe(const eti_time_faults *faults, eti_time_fault kind,
                               eti_buffer *out) {
    const eti_faulty_events *of = &faults->of[kind];
    if (of->n == 0)
        return;
    eti__buffer_printf(out, "%" PRIu64 " %s: ", of->n,
                       of->n == 1 ? kinds[kind].of_one : kinds[kind].of_several);
    for (size_t i = 0; i < of->n && i < ETI_FAULTS_NAMED; i++) {
        const eti_faulty_event *event = &of->first[i];
        eti__buffer_add_string(out, i > 0 ? ", " : "");
        eti__buffer_add_cut(out, event->block->events[event->event].name, LONGEST_NAME);
        eti__buffer_add_string(out, " (");
        eti__buffer_add_cut(out, event->block->label, LONGEST_NAME);
        eti__buffer_printf(out, ", run %" PRIu32 ")", event->run);
    }
    if (of->n > ETI_FAULTS_NAMED)
        eti__buffer_add_string(out, ", ...");
}

/* ==== run calls =============================================================================== */

void eti__run_calls_init(eti_run_calls *out, const eti_event_block *block,
                         const eti_options *options) {
    *out = (eti_run_calls){.block = block, .options = options};
}

/* ---- delegates' ticks ------------------------------------------------------------------------ */

uint64_t eti__scale_ticks(eti_time_scale scale) {
    static const uint64_t per_second[] = {
        [ETI_SCALE_NS] = 1000000000, [ETI_SCALE_US] = 1000000, [ETI_SCALE_MS] = 1000,
        [ETI_SCALE_S] = 1,           [ETI_SCALE_CYCLES] = 0,
    };
    return per_second[scale];
}

/* Frequencies below this fit, in thousandths of a Hz, into 64 bits. */
#define MOST_HZ 1e15

/* Returns the scale of a unit of a delegate's events other than ticks. */
static eti_time_scale scale_of_unit(uint8_t unit) {
    return unit == ETI_UNIT_NS   ? ETI_SCALE_NS
           : unit == ETI_UNIT_US ? ETI_SCALE_US
                                 : ETI_SCALE_CYCLES;
}

/* Returns the ticks of a second of a scale, where cycles have a frequency, in thousandths; 0 if they are cycles of an unknown
 * clock. */
static uint64_t thousandths(eti_time_scale scale, double hz) {
    if (scale != ETI_SCALE_CYCLES)
        return eti__scale_ticks(scale) * 1000;
    return hz < MOST_HZ ? (uint64_t)(hz * 1000) : 0;
}

static uint64_t thousandths_of_source(const eti_options *options) {
    return thousandths(options->source_time_scale, options->clock_hz);
}

eti_time_scale eti__event_scale(const eti_options *options, const eti_event *event,
                                bool *is_countable) {
    eti_time_scale source = options->source_time_scale, scale;
    const eti_delegate_time_scale *own = eti__event_own_time_scale(event, options);
    bool has_unit = event->logged && event->logged->unit != ETI_UNIT_TICKS;
    *is_countable = true;
    if (has_unit)
        scale = scale_of_unit(event->logged->unit);
    else if (own)
        scale = own->scale;
    else
        return source;
    double hz = eti__event_hz(event, options);
    /* cycles that are said to be those of the ETDump, too; a given frequency does not apply to the delegate's clock */
    bool is_source_clock = scale == source && !has_unit && hz == 0 && options->clock_hz == 0;
    *is_countable =
        is_source_clock || (thousandths(scale, hz) > 0 && thousandths_of_source(options) > 0);
    return scale;
}

bool eti__has_source_ticks(const eti_options *options, const eti_event *event) {
    bool is_countable;
    eti_time_scale scale = eti__event_scale(options, event, &is_countable);
    bool has_frequency = scale == ETI_SCALE_CYCLES && eti__event_hz(event, options) > 0;
    return is_countable && scale == options->source_time_scale && !has_frequency;
}

/* Converts ticks of the event's scale to the source scale; returns 0 if the event counts something else. */
static uint64_t in_source_scale(const eti_options *options, const eti_event *event,
                                uint64_t ticks) {
    bool is_countable;
    eti_time_scale scale = eti__event_scale(options, event, &is_countable);
    if (!is_countable)
        return 0;
    if (eti__has_source_ticks(options, event))
        return ticks;
    return eti__wide_quotient(eti__wide_product(ticks, thousandths_of_source(options)),
                              thousandths(scale, eti__event_hz(event, options)));
}

uint64_t eti__stamps_ticks(const eti_etdump_stamps *stamps) {
    if (stamps->start_time <= stamps->end_time)
        return stamps->end_time - stamps->start_time;
    return stamps->start_time <= ETI_CLOCK_32_MAX
               ? ETI_CLOCK_32_MAX - stamps->start_time + stamps->end_time
               : 0;
}

/* ---- one run --------------------------------------------------------------------------------- */

static const eti_event *event_of(const eti_run_calls *calls, size_t call) {
    return &calls->block->events[calls->order.calls[call].event];
}

eti_etdump_stamps eti__run_calls_stamps(const eti_run_calls *calls, size_t call) {
    uint32_t number = calls->order.calls[call].number;
    return eti__etdump_read_stamps(calls->run->dump, eti__block_run_position(calls->run, number));
}

uint64_t eti__stamps_value(const eti_event *event, const eti_etdump_stamps *stamps) {
    return event->logged && event->logged->wraps_at_32
               ? (uint32_t)(stamps->end_time - stamps->start_time)
               : eti__stamps_ticks(stamps);
}

uint64_t eti__run_calls_value(const eti_run_calls *calls, size_t call) {
    eti_etdump_stamps stamps = eti__run_calls_stamps(calls, call);
    return eti__stamps_value(event_of(calls, call), &stamps);
}

static void free_arrays(eti_run_calls *calls) {
    free(calls->nested);
    free(calls->call_at);
    free(calls->timing);
    free(calls->roles);
    free(calls->level);
    free(calls->is_scaled);
    free(calls->above);
    free(calls->elapsed);
    free(calls->room);
    free(calls->own);
    free(calls->inside);
    free(calls->given);
    free(calls->cycles);
    free(calls->shared);
    free(calls->total);
    free(calls->fits);
    free(calls->stack);
    calls->nested = calls->call_at = calls->above = calls->stack = NULL;
    calls->timing = calls->roles = calls->level = NULL;
    calls->is_scaled = NULL;
    calls->elapsed = calls->room = calls->own = calls->total = NULL;
    calls->inside = calls->cycles = NULL;
    calls->given = calls->shared = NULL;
    calls->fits = NULL;
    eti__nesting_free(&calls->nesting);
}

/* Returns whether the stamps of an event that a delegate logged may be comparable with those of its call. */
static bool may_have_stamps(const eti_run_calls *calls, size_t call) {
    const eti_event *event = event_of(calls, call);
    if (!event->logged || event->logged->unit != ETI_UNIT_TICKS ||
        event->logged->role == ETI_DELEGATE_COUNTER ||
        (event->logged->clock != ETI_CLOCK_HOST && event->logged->clock != ETI_CLOCK_UNKNOWN))
        return false;
    return eti__has_source_ticks(calls->options, event);
}

/* Returns how an event is timed that is in no delegate call, or whose stamps are not comparable with those of its call. */
static eti_call_timing timing_inside(const eti_run_calls *calls, size_t call) {
    const eti_event *event = event_of(calls, call);
    bool is_countable;
    if (event->logged && !eti__delegate_event_has_time(event->logged))
        return ETI_TIMED_NOT;
    (void)eti__event_scale(calls->options, event, &is_countable);
    return is_countable ? ETI_TIMED_BY_LENGTH : ETI_TIMED_BY_PORTION;
}

static uint8_t read_level(const eti_run_calls *calls, size_t call) {
    const eti_delegate_event *logged = event_of(calls, call)->logged;
    uint8_t level = logged ? logged->level : 0;
    return level < ETI_MOST_LEVELS ? level : ETI_MOST_LEVELS;
}

/* Finds, for each event with a level, the event of its call with the largest level below. A delegate call keeps the event of
 * each level; the last one counts. Returns false if memory runs out. */
static bool find_levels(eti_run_calls *calls) {
    const eti_call_order *order = &calls->order;
    size_t n_kept = 0;
    uint32_t *slot = calls->stack, (*kept)[ETI_MOST_LEVELS + 1] = NULL;
    calls->n_levels = 1;
    for (size_t i = 0; i < order->n_calls; i++) {
        uint8_t level = read_level(calls, i);
        calls->level[i] = level;
        slot[i] = ETI_NO_CALL;
        calls->n_levels = level >= calls->n_levels ? (uint8_t)(level + 1) : calls->n_levels;
    }
    if (calls->n_levels == 1)
        return true;
    kept = calloc(order->n_calls + 1, sizeof *kept);
    if (!kept)
        return false;
    for (size_t i = 0; i < order->n_calls; i++) {
        uint32_t outer = order->calls[i].delegate_call;
        if (outer == ETI_NO_CALL || calls->level[i] == 0 ||
            event_of(calls, i)->logged->role == ETI_DELEGATE_COUNTER)
            continue;
        if (slot[outer] == ETI_NO_CALL)
            slot[outer] = (uint32_t)n_kept++;
        kept[slot[outer]][calls->level[i]] = (uint32_t)i + 1;
    }
    for (size_t i = 0; i < order->n_calls; i++) {
        uint32_t outer = order->calls[i].delegate_call;
        uint8_t level = calls->level[i];
        if (outer == ETI_NO_CALL || level == 0 || slot[outer] == ETI_NO_CALL)
            continue;
        while (level > 1 && kept[slot[outer]][level - 1] == 0)
            level--;
        if (level > 1)
            calls->above[i] = kept[slot[outer]][level - 1] - 1;
    }
    free(kept);
    return true;
}

/* Prepares the arrays for a run with another layout than the previous run. */
static eti_status make_arrays(eti_run_calls *calls, eti_error *err) {
    size_t n = calls->order.n_calls, n_nested = 0;
    free_arrays(calls);
    calls->has_inside = calls->may_fit = false;
    calls->nested = calloc(n + 1, sizeof *calls->nested);
    calls->call_at = calloc(n + 1, sizeof *calls->call_at);
    calls->timing = calloc(n + 1, sizeof *calls->timing);
    calls->roles = calloc(n + 1, sizeof *calls->roles);
    calls->level = calloc(n + 1, sizeof *calls->level);
    calls->is_scaled = calloc(n + 1, sizeof *calls->is_scaled);
    calls->above = calloc(n + 1, sizeof *calls->above);
    calls->elapsed = calloc(n + 1, sizeof *calls->elapsed);
    calls->room = calloc(n + 1, sizeof *calls->room);
    calls->own = calloc(n + 1, sizeof *calls->own);
    calls->inside = calloc(n + 1, sizeof *calls->inside);
    calls->given = calloc(n + 1, sizeof *calls->given);
    calls->cycles = calloc(n + 1, sizeof *calls->cycles);
    calls->shared = calloc(n + 1, sizeof *calls->shared);
    calls->total = calloc(n + 1, sizeof *calls->total);
    calls->fits = calloc(n + 1, sizeof *calls->fits);
    calls->stack = calloc(n + 1, sizeof *calls->stack);
    if (!calls->nested || !calls->call_at || !calls->timing || !calls->roles || !calls->level ||
        !calls->is_scaled || !calls->above || !calls->elapsed || !calls->room || !calls->own ||
        !calls->inside || !calls->given || !calls->cycles || !calls->shared || !calls->total ||
        !calls->fits || !calls->stack)
        return eti_fail_memory(err);
    for (size_t i = 0; i < n; i++) {
        calls->above[i] = calls->order.calls[i].delegate_call;
        calls->roles[i] = (uint8_t)eti__role_by_name(event_of(calls, i));
        calls->has_inside |= calls->above[i] != ETI_NO_CALL;
        calls->is_scaled[i] = !eti__has_source_ticks(calls->options, event_of(calls, i));
        calls->nested[i] = ETI_NO_CALL;
        if (calls->above[i] != ETI_NO_CALL && !may_have_stamps(calls, i)) {
            calls->timing[i] = (uint8_t)timing_inside(calls, i);
            continue;
        }
        calls->may_fit |= calls->above[i] != ETI_NO_CALL;
        calls->call_at[n_nested] = (uint32_t)i;
        calls->nested[i] = (uint32_t)n_nested++;
    }
    if (!find_levels(calls))
        return eti_fail_memory(err);
    ETI_TRY(eti__nesting_init(&calls->nesting, n_nested, err));
    for (size_t i = 0; i < n_nested; i++)
        calls->nesting.lane[i] = calls->order.calls[calls->call_at[i]].lane;
    return ETI_OK;
}

/* Puts the stamps on one time line: stamps taken after a 32-bit clock wrapped around are later. */
static void unwrap(eti_run_calls *calls, uint64_t first_wrapped) {
    eti_nesting *nesting = &calls->nesting;
    for (size_t i = 0; i < nesting->n; i++) {
        if (calls->order.calls[calls->call_at[i]].delegate_call != ETI_NO_CALL)
            continue;
        if (nesting->end[i] < nesting->start[i]) {
            nesting->end[i] += ETI_CLOCK_32_MAX;
        } else if (nesting->start[i] < first_wrapped && nesting->end[i] <= ETI_CLOCK_32_MAX) {
            nesting->start[i] += ETI_CLOCK_32_MAX;
            nesting->end[i] += ETI_CLOCK_32_MAX;
        }
    }
}

/* The run being read, and the receiver of its faults. */
typedef struct reading {
    eti_run_calls *calls;
    uint32_t run;
    eti_time_faults *faults; /* may be NULL */
} reading;

/* Counts an event that ends before it starts. */
static void add_wrapped(const reading *r, size_t call, const eti_etdump_stamps *stamps) {
    if (!r->faults || stamps->start_time <= stamps->end_time ||
        stamps->start_time > ETI_CLOCK_32_MAX)
        return;
    const eti_faulty_event event = {r->calls->block, r->run, r->calls->order.calls[call].event};
    bool is_backwards = eti__stamps_ticks(stamps) > ETI_CLOCK_32_MAX / 2;
    eti__time_faults_add(r->faults, is_backwards ? ETI_TIME_BACKWARDS : ETI_TIME_WRAPPED, event);
}

static void read_intervals(const reading *r) {
    eti_run_calls *calls = r->calls;
    eti_nesting *nesting = &calls->nesting;
    uint64_t first_wrapped = UINT64_MAX;
    for (size_t i = 0; i < calls->order.n_calls; i++) {
        if (calls->order.calls[i].delegate_call != ETI_NO_CALL)
            continue;
        const eti_event *event = event_of(calls, i);
        eti_etdump_stamps stamps = eti__run_calls_stamps(calls, i);
        add_wrapped(r, i, &stamps);
        uint64_t start = stamps.start_time, end = stamps.end_time;
        if (calls->is_scaled[i]) {
            start = in_source_scale(calls->options, event, start);
            end = in_source_scale(calls->options, event, end);
        }
        if (end < start && start > ETI_CLOCK_32_MAX)
            end = start;
        if (end < start && start < first_wrapped)
            first_wrapped = start;
        nesting->start[calls->nested[i]] = start;
        nesting->end[calls->nested[i]] = end;
    }
    if (first_wrapped != UINT64_MAX)
        unwrap(calls, first_wrapped);
}

/* Reads the interval of an event that a delegate logged, moved by the range of a 32-bit clock if only this puts it inside its
 * call. Returns whether it lies inside. */
static bool read_interval_inside(eti_run_calls *calls, size_t call, uint32_t outer) {
    eti_nesting *nesting = &calls->nesting;
    uint32_t at = calls->nested[call], around = calls->nested[outer];
    eti_etdump_stamps stamps = eti__run_calls_stamps(calls, call);
    uint64_t start = stamps.start_time, end = stamps.end_time;
    if (start <= ETI_CLOCK_32_MAX && end <= ETI_CLOCK_32_MAX) {
        if (start < nesting->start[around] && nesting->end[around] > ETI_CLOCK_32_MAX)
            start += ETI_CLOCK_32_MAX;
        if (end < start)
            end += ETI_CLOCK_32_MAX;
    }
    nesting->start[at] = start;
    nesting->end[at] = end;
    return nesting->start[around] <= start && start <= end && end <= nesting->end[around];
}

/* Returns whether the interval neither overlaps another one of its call in part nor was recorded before one that ends
 * earlier. */
static bool nests(eti_run_calls *calls, uint32_t call, uint32_t outer) {
    const eti_nesting *nesting = &calls->nesting;
    uint32_t *top = &calls->stack[outer], at = calls->nested[call];
    while (*top != ETI_NO_CALL && nesting->start[calls->nested[*top]] >= nesting->start[at] &&
           nesting->end[calls->nested[*top]] <= nesting->end[at])
        *top = calls->stack[*top];
    bool is_after = *top == ETI_NO_CALL || nesting->end[calls->nested[*top]] <= nesting->start[at];
    calls->stack[call] = *top;
    *top = call;
    return is_after;
}

/* Decides for each delegate call whether the stamps of its events count: all of them lie inside the call and, if nothing is
 * known about the clock, each inside or beside the others. */
static void place_inside(eti_run_calls *calls) {
    size_t n = calls->order.n_calls;
    eti_nesting *nesting = &calls->nesting;
    for (size_t i = 0; i < n; i++) {
        calls->fits[i] = true;
        calls->stack[i] = ETI_NO_CALL;
    }
    for (size_t i = 0; i < n; i++) {
        uint32_t outer = calls->order.calls[i].delegate_call;
        if (outer == ETI_NO_CALL || calls->nested[i] == ETI_NO_CALL)
            continue;
        bool is_inside = read_interval_inside(calls, i, outer);
        if (event_of(calls, i)->logged->clock == ETI_CLOCK_UNKNOWN)
            is_inside = is_inside && nests(calls, (uint32_t)i, outer);
        calls->fits[outer] &= is_inside;
    }
    for (size_t i = 0; i < n; i++) {
        uint32_t outer = calls->order.calls[i].delegate_call, at = calls->nested[i];
        if (outer == ETI_NO_CALL || at == ETI_NO_CALL)
            continue;
        calls->timing[i] =
            calls->fits[outer] ? ETI_TIMED_BY_STAMPS : (uint8_t)timing_inside(calls, i);
        if (!calls->fits[outer])
            nesting->start[at] = nesting->end[at] = nesting->start[calls->nested[outer]];
    }
}

/* Returns what an event counted, in ticks of the source scale or, if it is timed by its portion or not at all, as recorded. */
static uint64_t length_of(const eti_run_calls *calls, size_t call,
                          const eti_etdump_stamps *stamps) {
    const eti_event *event = event_of(calls, call);
    uint64_t ticks = eti__stamps_value(event, stamps);
    return calls->timing[call] == ETI_TIMED_BY_LENGTH && calls->is_scaled[call]
               ? in_source_scale(calls->options, event, ticks)
               : ticks;
}

/* Adds up the lengths, and the cycles, of the events below each call. */
static void sum_inside(const reading *r) {
    eti_run_calls *calls = r->calls;
    for (size_t i = 0; i < calls->order.n_calls; i++) {
        calls->inside[i] = calls->cycles[i] = (eti_wide){0};
        calls->given[i] = calls->shared[i] = (eti_given){.time = 0};
        calls->total[i] = 0;
    }
    for (size_t i = 0; i < calls->order.n_calls; i++) {
        uint32_t above = calls->above[i];
        if (above == ETI_NO_CALL)
            continue;
        eti_etdump_stamps stamps = eti__run_calls_stamps(calls, i);
        const eti_delegate_event *logged = event_of(calls, i)->logged;
        if (!logged || !logged->wraps_at_32)
            add_wrapped(r, i, &stamps);
        calls->elapsed[i] = length_of(calls, i, &stamps);
        if (calls->timing[i] == ETI_TIMED_BY_LENGTH)
            eti__wide_add(&calls->inside[above], eti__wide_of(calls->elapsed[i]));
        else if (calls->timing[i] == ETI_TIMED_BY_PORTION)
            eti__wide_add(&calls->cycles[above], eti__wide_of(calls->elapsed[i]));
        else if (calls->timing[i] == ETI_TIMED_NOT && logged && logged->is_total &&
                 calls->elapsed[i] > calls->total[above])
            calls->total[above] = calls->elapsed[i];
    }
}

/* Returns the part of `room` that belongs to `ticks` if `all` ticks fill it. */
static uint64_t part_of(uint64_t room, eti_wide ticks, eti_wide all) {
    for (; all.high > 0; all = eti__wide_half(all))
        ticks = eti__wide_half(ticks);
    return all.low == 0 ? 0 : eti__wide_quotient(eti__wide_product(ticks.low, room), all.low);
}

/* Returns the time of a call that the lengths of the calls below it take. */
static uint64_t taken_by_lengths(const eti_run_calls *calls, uint32_t call) {
    const eti_wide *inside = &calls->inside[call];
    bool is_full = eti__wide_compare(*inside, eti__wide_of(calls->room[call])) > 0;
    return is_full ? calls->room[call] : inside->low;
}

/* Returns the part of the time of the call above that belongs to a call that is not timed by stamps. */
static uint64_t room_below(eti_run_calls *calls, size_t call) {
    uint32_t above = calls->above[call];
    uint64_t room = calls->room[above], ticks = calls->elapsed[call];
    eti_wide all = calls->inside[above];
    eti_given *given = &calls->given[above];
    if (calls->timing[call] == ETI_TIMED_NOT)
        return 0;
    if (calls->timing[call] == ETI_TIMED_BY_LENGTH &&
        eti__wide_compare(all, eti__wide_of(room)) <= 0)
        return ticks;
    if (calls->timing[call] == ETI_TIMED_BY_PORTION) {
        room -= taken_by_lengths(calls, above);
        all = calls->cycles[above];
        if (eti__wide_compare(all, eti__wide_of(calls->total[above])) < 0)
            all = eti__wide_of(calls->total[above]);
        given = &calls->shared[above];
    }
    uint64_t before = given->time;
    eti__wide_add(&given->ticks, eti__wide_of(ticks));
    given->time = part_of(room, given->ticks, all);
    return given->time - before;
}

/* Divides the time of each call among the calls in it that are not timed by stamps, from the outside inwards. What is left
 * over is its self time. */
static void find_own_times(eti_run_calls *calls) {
    size_t n = calls->order.n_calls;
    calls->n_full = 0;
    for (size_t i = 0; i < n; i++) {
        if (calls->timing[i] == ETI_TIMED_BY_STAMPS)
            calls->own[i] = calls->room[i] = calls->nesting.self[calls->nested[i]];
    }
    if (!calls->has_inside)
        return;
    for (uint8_t level = 0; level < calls->n_levels; level++) {
        for (size_t i = 0; i < n; i++) {
            if (calls->timing[i] == ETI_TIMED_BY_STAMPS || calls->level[i] != level)
                continue;
            calls->own[i] = calls->room[i] = room_below(calls, i);
            calls->own[calls->above[i]] -= calls->room[i];
        }
    }
    for (size_t i = 0; i < n; i++)
        calls->n_full += eti__wide_compare(calls->inside[i], eti__wide_of(calls->room[i])) > 0;
}

static eti_status read_stamps(const reading *r, eti_error *err) {
    eti_run_calls *calls = r->calls;
    const eti_run_layout *before = calls->order.layout;
    calls->run = &calls->block->runs[r->run];
    ETI_TRY(eti__call_order_read(&calls->order, calls->block, calls->run, err));
    if (calls->order.layout != before)
        ETI_TRY(make_arrays(calls, err));
    read_intervals(r);
    if (calls->may_fit)
        place_inside(calls);
    return ETI_OK;
}

eti_status eti__run_calls_read_stamps(eti_run_calls *calls, size_t run, eti_error *err) {
    const reading r = {calls, (uint32_t)run, NULL};
    return read_stamps(&r, err);
}

eti_status eti__run_calls_read(eti_run_calls *calls, size_t run, uint32_t execute,
                               eti_time_faults *faults, eti_error *err) {
    const reading r = {calls, (uint32_t)run, faults};
    ETI_TRY(read_stamps(&r, err));
    eti__nesting_find(&calls->nesting);
    if (calls->has_inside)
        sum_inside(&r);
    find_own_times(calls);
    if (!faults)
        return ETI_OK;
    const eti_run_intervals intervals = {.block = calls->block,
                                         .run = (uint32_t)run,
                                         .execute = execute,
                                         .order = &calls->order,
                                         .nesting = &calls->nesting,
                                         .call_at = calls->call_at,
                                         .roles = calls->roles};
    find_time_faults(faults, &intervals);
    return ETI_OK;
}

uint32_t eti__run_calls_parent(const eti_run_calls *calls, size_t call) {
    uint32_t outer = calls->order.calls[call].delegate_call;
    if (calls->timing[call] != ETI_TIMED_BY_STAMPS)
        return calls->above[call];
    uint32_t parent = calls->nesting.parent[calls->nested[call]];
    if (parent == ETI_NO_PARENT)
        return outer;
    parent = calls->call_at[parent];
    if (calls->timing[parent] != ETI_TIMED_BY_STAMPS)
        parent = calls->above[parent];
    /* An event without a length that stands at the end of its call is beside it for the nesting. */
    bool is_inside = outer == ETI_NO_CALL || parent == outer ||
                     (parent != ETI_NO_CALL && calls->order.calls[parent].delegate_call == outer);
    return is_inside ? parent : outer;
}

/* ---- elapsed time ---------------------------------------------------------------------------- */

/* Compares intervals by start. */
static int compare_starts(const void *a, const void *b, void *context) {
    const eti_nesting *nesting = context;
    uint64_t x = nesting->start[*(const uint32_t *)a], y = nesting->start[*(const uint32_t *)b];
    return (x > y) - (x < y);
}

uint64_t eti__run_calls_elapsed(eti_run_calls *calls, bool counts_loading) {
    eti_nesting *nesting = &calls->nesting;
    uint32_t *outermost = nesting->scratch;
    size_t n = 0;
    for (size_t i = 0; i < nesting->n; i++) {
        uint32_t at = nesting->order[i], call = calls->call_at[at];
        if (nesting->parent[at] != ETI_NO_PARENT || calls->timing[call] != ETI_TIMED_BY_STAMPS)
            continue;
        uint8_t role = calls->roles[call];
        if (role < ETI_N_TIMED_ROLES && (counts_loading || role != ETI_ROLE_LOAD))
            outermost[n++] = at;
    }
    if (calls->order.n_lanes > 1)
        eti__sort(outermost, n, sizeof *outermost, compare_starts, nesting);
    uint64_t sum = 0, latest = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t start = nesting->start[outermost[i]], end = nesting->end[outermost[i]];
        start = i > 0 && start < latest ? latest : start;
        sum += end > start ? end - start : 0;
        latest = i > 0 && latest > end ? latest : end;
    }
    return sum;
}

void eti__run_calls_free(eti_run_calls *calls) {
    free_arrays(calls);
    eti__call_order_free(&calls->order);
}
