#include "account/time_faults.h"

#include "account/role.h"

#include <inttypes.h>

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

static bool is_of_instruction(const eti_event *event) {
    eti_role role = eti__role_by_name(event);
    return event->instruction_id != -1 && role != ETI_ROLE_LOAD && role != ETI_ROLE_EXECUTE &&
           role != ETI_ROLE_DELEGATED;
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

/* Finds events of instructions that lie outside every Method::execute, in runs that have one. */
static void add_outside(eti_time_faults *faults, const eti_run_intervals *run) {
    const eti_nesting *nesting = run->nesting;
    uint32_t first = first_execute(run), latest = first, *is_inside = nesting->scratch;
    for (size_t i = 0; i < nesting->n && first != ETI_NO_PARENT; i++) {
        uint32_t at = nesting->order[i], parent = nesting->parent[at], event = event_at(run, at);
        bool is_execute = event == run->execute;
        latest = is_execute ? at : latest;
        is_inside[at] = is_execute || (parent != ETI_NO_PARENT && is_inside[parent]);
        if (is_inside[at] || lies_in(nesting, at, latest) ||
            !is_of_instruction(&run->block->events[event]))
            continue;
        bool is_early = nesting->start[at] < nesting->start[first];
        eti__time_faults_add(faults, is_early ? ETI_TIME_EARLY : ETI_TIME_OUTLASTS,
                             (eti_faulty_event){run->block, run->run, event});
    }
}

void eti__time_faults_find(eti_time_faults *faults, const eti_run_intervals *run) {
    add_overlaps(faults, run);
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
