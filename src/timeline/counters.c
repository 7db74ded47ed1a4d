#include "timeline/counters.h"

#include "backends/backends.h"
#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

/* ==== planned use ============================================================================= */

/* Largest number of arenas of a method that are shown; those with the smallest ids are. Programs have one to three. */
#define ETI_MOST_SHOWN_ARENAS 16

static eti_status add_plan(eti_planned_use *use, eti_slice_source *source, const eti_pte *pte,
                           const eti_pte_plan *plan, eti_error *err) {
    eti_used_plan *of = &use->plans[use->n_plans++];
    *of = (eti_used_plan){.plan = plan, .first = use->n_arenas};
    ETI_TRY(eti__planned_method_make(&of->method, &source->arena, source->inspector, pte,
                                     (uint32_t)(plan - pte->plans), err));
    uint32_t n = of->method.arenas.n_arenas;
    of->n = n < ETI_MOST_SHOWN_ARENAS ? n : ETI_MOST_SHOWN_ARENAS;
    use->n_arenas += of->n;
    return ETI_OK;
}

/* Returns whether the block ran a method of this program, as far as is known. */
static bool is_of_program(const eti_pte *pte, const eti_event_block *block) {
    return eti__block_is_of_program(block) && block->plan >= pte->plans &&
           block->plan < pte->plans + pte->n_plans;
}

static const eti_used_plan *planned_use_of(const eti_planned_use *use,
                                           const eti_event_block *block);

static eti_status make(eti_planned_use *use, eti_slice_source *source, const eti_pte *pte,
                       eti_error *err) {
    const eti_blocks *blocks = &source->inspector->blocks;
    for (size_t i = 0; i < blocks->n_blocks; i++) {
        const eti_event_block *block = &blocks->blocks[i];
        if (source->first_event[i] == SIZE_MAX || !is_of_program(pte, block) ||
            planned_use_of(use, block))
            continue;
        ETI_TRY(add_plan(use, source, pte, block->plan, err));
    }
    return ETI_OK;
}

eti_status eti__planned_use_make(const eti_planned_use **out, eti_slice_source *source,
                                 eti_error *err) {
    *out = NULL;
    if (source->inspector->n_programs == 0)
        return ETI_OK;
    const eti_pte *pte = &source->inspector->programs[0];
    eti_planned_use *use = eti__arena_alloc_zero(&source->arena, 1, sizeof *use);
    if (!use)
        return eti_fail_memory(err);
    use->plans =
        eti__arena_alloc_zero(&source->arena, (size_t)pte->n_plans + 1, sizeof *use->plans);
    if (!use->plans)
        return eti_fail_memory(err);
    ETI_TRY(make(use, source, pte, err));
    *out = use->n_arenas > 0 ? use : NULL;
    return ETI_OK;
}

/* Returns the method of a block, or NULL if it is unknown. */
static const eti_used_plan *planned_use_of(const eti_planned_use *use,
                                           const eti_event_block *block) {
    if (!eti__block_is_of_program(block))
        return NULL;
    for (size_t i = 0; i < use->n_plans; i++) {
        if (use->plans[i].plan == block->plan)
            return &use->plans[i];
    }
    return NULL;
}

/* Returns the number, in its method, of the instruction of the profile event `number` of a run, or
 * ETI_NO_INSTRUCTION. An Event stands for equal instructions in several chains; the profile event determines the
 * chain. */
static uint32_t used_plan_instruction(const eti_used_plan *plan, const eti_event *event,
                                      const eti_block_run *run, uint32_t number) {
    const eti_pte_plan *of = plan->plan;
    uint64_t chain = 0;
    if (!eti__event_has_instruction(event) || event->instruction_id < 0)
        return ETI_NO_INSTRUCTION;
    if (of->n_chains > 1) {
        eti_etdump_event read;
        eti__etdump_read_event(&read, run->dump, eti__block_run_position(run, number));
        chain = read.key.chain_index;
    }
    uint32_t id = (uint32_t)event->instruction_id;
    if (chain >= of->n_chains || id >= of->chains[chain].n_instructions)
        return ETI_NO_INSTRUCTION;
    return plan->method.liveness.calls.first_of_chain[chain] + id;
}

/* ==== counters ================================================================================ */

/* The run being read. */
typedef struct reading {
    eti_counters *counters;
    const eti_slice_run *run;
    const eti_run_calls *calls;
    const eti_run_clock *clock;
} reading;

/* ---- samples --------------------------------------------------------------------------------- */

static bool add_signed(eti_counters *c, size_t counter, uint64_t time, int64_t value) {
    if (!ETI_GROW(c->samples, c->sample_capacity, c->n_samples + 1))
        return false;
    c->values[counter] = value;
    c->samples[c->n_samples++] =
        (eti_slice_sample){.time = time, .value = value, .counter = (uint32_t)counter};
    return true;
}

static bool add_sample(eti_counters *c, size_t counter, uint64_t time, uint64_t value) {
    return add_signed(c, counter, time, value < INT64_MAX ? (int64_t)value : INT64_MAX);
}

static bool add_change(eti_counters *c, size_t counter, uint64_t time, uint64_t value) {
    return (c->values[counter] >= 0 && (uint64_t)c->values[counter] == value) ||
           add_sample(c, counter, time, value);
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
                                    .name = c->allocations.allocators.items[at].shown};
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
        uint64_t before = (uint64_t)c->values[counter]; /* is never below 0 */
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
        uint32_t instruction = used_plan_instruction(plan, &calls->block->events[call->event],
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
    const eti_used_plan *plan = use ? planned_use_of(use, r->calls->block) : NULL;
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

/* ---- counters of delegates ------------------------------------------------------------------- */

static bool find_logged(const reading *r, const eti_event *event, uint32_t *number) {
    static const eti_intern_kind kind = {.item_size = sizeof(eti_logged_counter),
                                         .key_size = offsetof(eti_logged_counter, slot)};
    eti_counters *c = r->counters;
    eti_logged_counter of = {.unit = event->logged->unit};
    return eti__shared_texts_add(&c->logged_names, eti__event_label(event), &of.name) &&
           eti__intern_add(&c->logged.table, &kind, &of, number);
}

/* Adds what delegates counted. Each sample is at the start of its call, but not before the sample that was recorded before. */
static bool add_logged(const reading *r) {
    eti_counters *c = r->counters;
    const eti_run_calls *calls = r->calls;
    size_t first = c->source->first_event[r->run->block];
    uint64_t latest = r->run->first;
    for (size_t i = 0; i < calls->order.n_calls; i++) {
        const eti_call *call = &calls->order.calls[i];
        const eti_event *event = &calls->block->events[call->event];
        uint32_t number;
        if (!event->logged || event->logged->role != ETI_DELEGATE_COUNTER ||
            (c->is_left_out && c->is_left_out[first + call->event]))
            continue;
        if (call->delegate_call != ETI_NO_CALL) {
            uint64_t start = calls->nesting.start[calls->nested[call->delegate_call]];
            latest = start > latest ? start : latest;
        }
        if (!find_logged(r, event, &number))
            return false;
        const eti_slice_counter made = {.kind = ETI_COUNTER_LOGGED,
                                        .number = number,
                                        .name = eti__event_label(event),
                                        .unit = eti__event_unit(calls->options, event)};
        size_t *slot = &c->logged.items[number].slot;
        if (!find_counter(r, slot, made) ||
            !add_sample(c, *slot - 1, eti__run_clock_ns(r->clock, latest),
                        eti__run_calls_value(calls, i)))
            return false;
    }
    return true;
}

/* ---- counters of events ---------------------------------------------------------------------- */

/* Owns a unit, which writers take as a string. Returns false if memory runs out. */
static bool own_unit(eti_arena *arena, eti_text unit, eti_text *out) {
    eti_text owned;
    if (unit.size == 0)
        return true;
    if (!eti__arena_own_text(arena, unit, &owned))
        return false;
    char *string = eti__arena_string_of(arena, owned);
    if (!string)
        return false;
    *out = (eti_text){string, owned.size};
    return true;
}

/* Finds the counter with a label. Returns false if memory runs out. */
static bool find_counted(const reading *r, const eti_counter *counter, size_t *out) {
    eti_counters *c = r->counters;
    uint32_t number;
    size_t n = c->counted.count;
    if (!eti__intern_add(&c->counted.table, &eti__text_kind, &counter->label, &number) ||
        !ETI_GROW(c->of_counted, c->counted_capacity, (size_t)number + 1))
        return false;
    if (c->counted.count > n)
        c->of_counted[number] = 0;
    if (c->of_counted[number] <= c->first) {
        eti_slice_counter made = {.kind = ETI_COUNTER_COUNTED, .number = number};
        if (!eti__arena_own_text(&c->arena, counter->name, &made.name) ||
            !own_unit(&c->arena, counter->unit, &made.unit) ||
            !find_counter(r, &c->of_counted[number], made))
            return false;
    }
    *out = c->of_counted[number] - 1;
    return true;
}

static int compare_samples(const void *a, const void *b, void *unused) {
    const eti_slice_sample *x = a, *y = b;
    (void)unused;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return (x->counter > y->counter) - (x->counter < y->counter);
}

/* Adds what a program counted, at the starts of the events. Events of a delegate with a clock of its own are left out. */
static bool add_counted(const reading *r) {
    eti_counters *c = r->counters;
    const eti_run_calls *calls = r->calls;
    size_t first_event = c->source->first_event[r->run->block], first = c->n_samples;
    for (size_t i = 0; i < calls->order.n_calls; i++) {
        uint32_t event = calls->order.calls[i].event;
        eti_counted counted;
        eti_counter counter;
        size_t number;
        if (!calls->block->events[event].has_metadata || calls->nested[i] == ETI_NO_CALL ||
            (c->is_left_out && c->is_left_out[first_event + event]) ||
            !eti__counted_begin(&counted, eti__run_calls_stamps(calls, i).metadata))
            continue;
        uint64_t time = eti__run_clock_ns(r->clock, calls->nesting.start[calls->nested[i]]);
        while (eti__counted_next(&counted, &counter)) {
            if (!find_counted(r, &counter, &number) || !add_signed(c, number, time, counter.value))
                return false;
        }
    }
    if (c->n_samples > first)
        eti__sort(c->samples + first, c->n_samples - first, sizeof *c->samples, compare_samples,
                  NULL);
    return true;
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
    return add_run_time(&r) && reset_allocators(&r) && add_allocations(&r) && add_planned(&r) &&
           add_logged(&r) && add_counted(&r);
}

void eti__counters_free(eti_counters *c) {
    eti__allocations_free(&c->allocations);
    free(c->counters);
    free(c->values);
    free(c->of_allocator);
    free(c->of_arena);
    eti__shared_texts_free(&c->logged_names);
    eti__intern_free(&c->logged.table);
    eti__text_table_free(&c->counted);
    free(c->of_counted);
    eti__arena_free(&c->arena);
    free(c->raised);
    free(c->calls);
    free(c->samples);
}
