#include "timeline/counters.h"

#include "base/sort.h"
#include "timeline/delegated_stamps.h"
#include "timeline/placing.h"
#include "timeline/planned_use.h"

#include <stdlib.h>

/* The run being read. */
typedef struct reading {
    eti_counters *counters;
    const eti_slice_run *run;
    const eti_run_calls *calls;
    const eti_run_clock *clock;
} reading;

/* ---- samples --------------------------------------------------------------------------------- */

static bool add_sample(eti_counters *c, size_t counter, uint64_t time, uint64_t value) {
    if (!ETI_GROW(c->samples, c->sample_capacity, c->n_samples + 1))
        return false;
    value = value < INT64_MAX ? value : INT64_MAX;
    c->values[counter] = value;
    c->samples[c->n_samples++] =
        (eti_slice_sample){.time = time, .value = value, .counter = (uint32_t)counter};
    return true;
}

static bool add_change(eti_counters *c, size_t counter, uint64_t time, uint64_t value) {
    return c->values[counter] == value || add_sample(c, counter, time, value);
}

/* Finds the counter in `*slot` or makes it. Returns false if memory runs out. */
static bool find_counter(const reading *r, size_t *slot, eti_slice_counter counter) {
    eti_counters *c = r->counters;
    if (*slot > c->first)
        return true;
    if (c->n == UINT32_MAX || !ETI_GROW(c->counters, c->capacity, c->n + 1) ||
        !ETI_GROW(c->values, c->value_capacity, c->n + 1))
        return false;
    const eti_slice_source *source = c->source;
    counter.dump = r->run->dump;
    counter.run = source->is_aligned ? (uint32_t)(r->run - source->runs) : ETI_EVERY_RUN;
    c->values[c->n] = 0;
    c->counters[c->n] = counter;
    *slot = ++c->n;
    return true;
}

/* ---- allocators ------------------------------------------------------------------------------ */

static bool find_allocator(const reading *r, int32_t id, size_t *counter) {
    eti_counters *c = r->counters;
    const eti_etdump *dump = r->calls->run->dump;
    eti_etdump_run run = eti__etdump_read_run(dump, r->run->index);
    uint32_t at;
    if (!c->knows_first_allocator)
        c->first_allocator = eti__first_allocator_id(dump);
    c->knows_first_allocator = true;
    if (!eti__allocations_find_allocator(&c->allocations, dump, &run, id, c->first_allocator,
                                         &at) ||
        !ETI_GROW(c->of_allocator, c->allocator_capacity, (size_t)at + 1))
        return false;
    while (c->n_allocators <= at)
        c->of_allocator[c->n_allocators++] = 0;
    const eti_slice_counter made = {.kind = ETI_COUNTER_ALLOCATOR,
                                    .number = at,
                                    .name = c->allocations.allocators.items[at].name};
    if (!find_counter(r, &c->of_allocator[at], made))
        return false;
    *counter = c->of_allocator[at] - 1;
    return true;
}

static bool add_raised(eti_counters *c, size_t counter) {
    if (!ETI_GROW(c->raised, c->raised_capacity, c->n_raised + 1))
        return false;
    c->raised[c->n_raised++] = counter;
    return true;
}

static bool add_allocations(const reading *r) {
    eti_counters *c = r->counters;
    const eti_block_run *run = r->calls->run;
    eti_placing placing = {.calls = r->calls, .latest = r->run->first};
    eti_etdump_allocation allocation;
    for (uint32_t i = 0; run->layout->n_allocations > 0 && i < run->events.count; i++) {
        size_t counter;
        if (!eti__etdump_read_allocation(run->dump, eti__block_run_position(run, i), &allocation))
            continue;
        if (!find_allocator(r, allocation.allocator_id, &counter))
            return false;
        uint64_t time = eti__run_clock_ns(r->clock, eti__placing_next(&placing, i));
        uint64_t before = c->values[counter];
        if (before == 0 && allocation.size > 0 && !add_raised(c, counter))
            return false;
        uint64_t sum = allocation.size < INT64_MAX - before ? before + allocation.size : INT64_MAX;
        if (!add_sample(c, counter, time, sum))
            return false;
    }
    return true;
}

/* ---- planned arenas -------------------------------------------------------------------------- */

static int compare_calls(const void *a, const void *b, void *unused) {
    const eti_instruction_call *x = a, *y = b;
    (void)unused;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return (x->call > y->call) - (x->call < y->call);
}

/* Lists the calls of instructions by start. Returns the number of calls, or SIZE_MAX if memory runs out. */
static size_t list_calls(const reading *r, const eti_used_plan *plan) {
    eti_counters *c = r->counters;
    const eti_run_calls *calls = r->calls;
    size_t n = 0;
    bool is_sorted = true;
    if (!ETI_GROW(c->calls, c->call_capacity, calls->order.n_calls))
        return SIZE_MAX;
    for (size_t i = 0; i < calls->order.n_calls; i++) {
        const eti_call *call = &calls->order.calls[i];
        uint32_t nested = calls->nested[i];
        uint32_t instruction = eti__used_plan_instruction(plan, &calls->block->events[call->event],
                                                          calls->run, call->number);
        if (instruction == ETI_NO_INSTRUCTION || eti__call_is_delegated(calls, i) ||
            calls->nesting.end[nested] == 0)
            continue;
        c->calls[n] =
            (eti_instruction_call){calls->nesting.start[nested], instruction, (uint32_t)i};
        is_sorted =
            is_sorted && (n == 0 || compare_calls(&c->calls[n - 1], &c->calls[n], NULL) < 0);
        n++;
    }
    if (!is_sorted)
        eti__sort(c->calls, n, sizeof *c->calls, compare_calls, NULL);
    return n;
}

/* Adds the bytes of all arenas of a method from a call on. If `call` is NULL, adds the end of the run, where no bytes
 * are in use. */
static bool add_use(const reading *r, const eti_used_plan *plan, const eti_instruction_call *call) {
    eti_counters *c = r->counters;
    const eti_planned_arenas *arenas = &plan->method.arenas;
    uint64_t time = eti__run_clock_ns(r->clock, call ? call->start : r->run->last);
    for (uint32_t a = 0; a < plan->n; a++) {
        const eti_planned_arena *arena = &arenas->arenas[a];
        const eti_slice_counter made = {
            .kind = ETI_COUNTER_ARENA, .number = arena->memory_id, .name = plan->plan->name};
        size_t *slot = &c->of_arena[plan->first + a];
        uint64_t in_use = call ? eti__arena_in_use(arena, call->instruction) : 0;
        if (!find_counter(r, slot, made) || !add_change(c, *slot - 1, time, in_use))
            return false;
    }
    return true;
}

static bool add_planned(const reading *r) {
    eti_counters *c = r->counters;
    const eti_planned_use *use = c->source->planned;
    const eti_used_plan *plan = use ? eti__planned_use_of(use, r->calls->block) : NULL;
    if (!plan)
        return true;
    if (!c->of_arena)
        c->of_arena = calloc(use->n_arenas, sizeof *c->of_arena);
    size_t n = c->of_arena ? list_calls(r, plan) : SIZE_MAX;
    bool is_added = n != SIZE_MAX;
    for (size_t i = 0; i < n && is_added; i++)
        is_added = add_use(r, plan, &c->calls[i]);
    return is_added && (n == 0 || add_use(r, plan, NULL));
}

/* ---- a run ----------------------------------------------------------------------------------- */

/* Adds the length of the slice around the run. Runs that only load are skipped, because they would dwarf all others. */
static bool add_run_time(const reading *r) {
    eti_counters *c = r->counters;
    if (c->source->is_aligned || !r->run->has_times || !eti__block_runs(r->calls->block))
        return true;
    uint64_t start = eti__run_clock_ns(r->clock, r->run->first);
    uint64_t end = eti__run_clock_ns(r->clock, r->run->last);
    return find_counter(r, &c->of_run_time, (eti_slice_counter){.kind = ETI_COUNTER_RUN_TIME}) &&
           add_sample(c, c->of_run_time - 1, start, end - start);
}

/* Resets the counters of the bytes allocated in the previous run. */
static bool reset_allocators(const reading *r) {
    eti_counters *c = r->counters;
    uint64_t start = eti__run_clock_ns(r->clock, r->run->first);
    for (size_t i = 0; i < c->n_raised; i++) {
        if (!add_change(c, c->raised[i], start, 0))
            return false;
    }
    c->n_raised = 0;
    return true;
}

bool eti__counters_read(eti_counters *c, const eti_slice_run *run, const eti_run_calls *calls,
                        const eti_run_clock *clock) {
    const reading r = {c, run, calls, clock};
    bool is_other_dump = !c->has_dump || c->dump != run->dump;
    c->n_samples = 0;
    if (is_other_dump || c->source->is_aligned) {
        c->first = c->n;
        c->n_raised = 0;
    }
    if (is_other_dump)
        c->knows_first_allocator = false;
    c->has_dump = true;
    c->dump = run->dump;
    return add_run_time(&r) && reset_allocators(&r) && add_allocations(&r) && add_planned(&r);
}

void eti__counters_free(eti_counters *c) {
    eti__allocations_free(&c->allocations);
    free(c->counters);
    free(c->values);
    free(c->of_allocator);
    free(c->of_arena);
    free(c->raised);
    free(c->calls);
    free(c->samples);
}
