#include "base/sort.h"
#include "timeline/backends.h"
#include "timeline/block_calls.h"
#include "timeline/planned_use.h"
#include "timeline/run_choice.h"
#include "timeline/slice_events.h"
#include "timeline/slices.h"
#include "timeline/ticks.h"

#include <stdlib.h>

/* Holds the data that is needed only while a source is made. */
typedef struct making {
    eti_slice_source *out;
    const eti_inspector *inspector;
    const eti_view_options *options;
    eti_places places;
    eti_synthetic synthetic;
    eti_shared_texts backends;
    size_t run_capacity;
} making;

/* ---- blocks ---------------------------------------------------------------------------------- */

/* Adds the runs of a block that the options select. */
static bool add_runs(making *m, const eti_account *account) {
    const eti_event_block *block = account->block;
    eti_slice_source *out = m->out;
    eti_run_list list = {0};
    bool is_made = eti__run_list_add(&list, account);
    for (size_t i = 0; is_made && i < block->n_runs; i++) {
        const eti_block_run *run = &block->runs[i];
        if (!eti__run_choice_holds(m->options->runs, (uint32_t)i))
            continue;
        is_made = ETI_GROW(out->runs, m->run_capacity, out->n_runs + 1);
        if (!is_made)
            break;
        out->runs[out->n_runs++] = (eti_slice_run){
            .dump = (uint32_t)(run->dump - m->inspector->dumps),
            .block = (uint32_t)block->number,
            .number = (uint32_t)i,
            .index = run->index,
            .is_warm_up = list.runs[i].is_warm_up,
            .is_outlier = list.runs[i].is_outlier,
        };
    }
    eti__run_list_free(&list);
    return is_made;
}

/* Numbers the backends that logged the given events of the block. */
static bool add_backends(making *m, eti_slice_event *events, const eti_event_block *block) {
    for (size_t i = 0; i < block->n_events; i++) {
        if (!events[i].event->is_timed_as_delegated)
            continue;
        eti_text name = events[i].backend;
        if (!eti__shared_texts_add(&m->backends, name.size > 0 ? name : eti__text_of("delegate"),
                                   &events[i].backend_kind))
            return false;
        events[i].backend_kind++;
    }
    return eti__synthetic_add(&m->synthetic, block);
}

static eti_status add_block(making *m, const eti_event_block *block, eti_error *err) {
    eti_slice_source *out = m->out;
    eti_account account;
    ETI_TRY(eti__account_new(&account, block, &m->inspector->options, err));
    eti_slice_event *events = &out->events[out->n_events];
    eti_status status = eti__slice_events_find(events, &account, &m->places, out, err);
    if (status == ETI_OK && !(add_backends(m, events, block) && add_runs(m, &account)))
        status = eti_fail_memory(err);
    eti__account_free(&account);
    out->first_event[block->number] = out->n_events;
    out->n_events += block->n_events;
    return status;
}

static eti_status add_blocks(making *m, eti_error *err) {
    const eti_blocks *blocks = &m->inspector->blocks;
    eti_slice_source *out = m->out;
    size_t n_events = 0;
    for (size_t i = 0; i < blocks->n_blocks; i++)
        n_events += blocks->blocks[i].n_events;
    out->events = eti__arena_alloc_zero(&out->arena, n_events + 1, sizeof *out->events);
    out->first_event =
        eti__arena_alloc_zero(&out->arena, blocks->n_blocks + 1, sizeof *out->first_event);
    if (!out->events || !out->first_event || !eti__places_init(&m->places))
        return eti_fail_memory(err);
    for (size_t i = 0; i < blocks->n_blocks; i++) {
        out->first_event[i] = SIZE_MAX;
        if (eti__block_is_summed(m->options, &blocks->blocks[i], false))
            ETI_TRY(add_block(m, &blocks->blocks[i], err));
    }
    return ETI_OK;
}

/* ---- backends -------------------------------------------------------------------------------- */

/* Returns whether positions are synthetic. XNNPACK reports only durations, even if there are too few events to judge. */
static bool is_synthetic(const making *m, eti_text backend) {
    for (size_t i = 0; i < m->synthetic.stamps.count; i++) {
        const eti_delegate_stamps *stamps = &m->synthetic.stamps.items[i];
        if (eti__text_equal(stamps->backend, backend))
            return eti__synthetic_judge(stamps) != ETI_SYNTHETIC_NOT ||
                   (eti__is_xnnpack(backend) && !stamps->has_gaps);
    }
    return false;
}

/* Sets everything that depends only on Events. */
static eti_status make_backends(making *m, eti_error *err) {
    eti_slice_source *out = m->out;
    out->n_backends = m->backends.texts.count + 1;
    if (out->n_backends > SIZE_MAX / (out->n_dumps + 1))
        return eti_fail_memory(err);
    out->backends = eti__arena_alloc_zero(&out->arena, out->n_backends * (out->n_dumps + 1),
                                          sizeof *out->backends);
    if (!out->backends)
        return eti_fail_memory(err);
    for (size_t i = 0; i < out->n_events; i++) {
        const eti_slice_event *event = &out->events[i];
        eti_slice_backend *backend = &out->backends[event->backend_kind];
        bool is_countable;
        if (event->backend_kind == 0 || backend->name.data)
            continue;
        backend->name = m->backends.texts.texts[event->backend_kind - 1];
        backend->is_synthetic = is_synthetic(m, event->event->known->backend_name.data
                                                    ? event->event->known->backend_name
                                                    : eti__text_of(""));
        eti_time_scale scale =
            eti__event_scale(&m->inspector->options, event->event, &is_countable);
        backend->is_in_cycles = scale == ETI_SCALE_CYCLES && !is_countable;
    }
    for (size_t i = out->n_backends; i < out->n_backends * out->n_dumps; i++)
        out->backends[i] = out->backends[i % out->n_backends];
    return ETI_OK;
}

/* ---- runs ------------------------------------------------------------------------------------ */

static int compare_runs(const void *a, const void *b, void *unused) {
    const eti_slice_run *x = a, *y = b;
    (void)unused;
    if (x->dump != y->dump)
        return x->dump < y->dump ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

/* Finds the first and the last stamp of a run. An event without stamps does not count. */
static void find_span(eti_slice_run *run, const eti_run_calls *calls) {
    const eti_nesting *nesting = &calls->nesting;
    run->first = UINT64_MAX;
    run->last = 0;
    for (size_t i = 0; i < nesting->n; i++) {
        if (nesting->end[i] == 0 || eti__call_is_delegated(calls, calls->call_at[i]))
            continue;
        run->has_times = true;
        run->first = nesting->start[i] < run->first ? nesting->start[i] : run->first;
        run->last = nesting->end[i] > run->last ? nesting->end[i] : run->last;
    }
    if (!run->has_times)
        run->first = 0;
}

/* Returns the end of a run, relative to the base of the ETDump. */
static uint64_t end_of(const eti_slice_run *run) {
    return eti__ticks_sum(run->shown_at, run->last - run->first);
}

/* Sets the position at which a run is shown after the previous run, which had the last stamps so far. */
static void show_behind(eti_slice_run *run, const eti_slice_run *before) {
    uint64_t first = run->first;
    bool is_small = first <= ETI_CLOCK_32_MAX && before->last <= 2 * (uint64_t)ETI_CLOCK_32_MAX;
    if (first < before->last && is_small) {
        uint64_t wrapped = first + ETI_CLOCK_32_MAX;
        if (wrapped >= before->last && wrapped - before->last <= ETI_CLOCK_32_MAX / 2)
            first = wrapped;
    }
    run->is_moved = first < before->last;
    run->shown_at =
        eti__ticks_sum(before->shown_at, (run->is_moved ? before->last : first) - before->first);
}

/* Counts the texts of all slices of a run. */
static eti_status count_texts(eti_slice_source *out, const eti_slice_run *run,
                              const eti_run_calls *calls, eti_error *err) {
    uint64_t n = 0;
    for (size_t i = 0; i < calls->order.n_calls; i++) {
        uint64_t of_slice = eti__slice_event_of(out, run, calls->order.calls[i].event)->n_text;
        if (out->args == ETI_ARGS_FULL) {
            size_t n_metadata = eti__run_calls_stamps(calls, i).metadata.size;
            of_slice += n_metadata < ETI_MOST_SLICE_METADATA ? n_metadata : ETI_MOST_SLICE_METADATA;
        }
        n = of_slice < UINT64_MAX - n ? n + of_slice : UINT64_MAX;
    }
    return eti__slice_texts_count(out, n, out->most_text, err);
}

/* Finds the stamps of all runs and the bases of the ETDumps. */
static eti_status survey(making *m, eti_error *err) {
    eti_slice_source *out = m->out;
    eti_block_calls calls = {0};
    eti_delegated_stamps stamps = {0};
    eti_status status = ETI_OK;
    const eti_slice_run *before = NULL;
    out->n_text = 0;
    for (size_t i = 0; i < out->n_runs && status == ETI_OK; i++) {
        eti_slice_run *run = &out->runs[i];
        eti_slice_dump *dump = &out->dumps[run->dump];
        const eti_run_calls *of;
        status = eti__block_calls_read(&calls, m->inspector, run->block, run->number, &of, err);
        if (status == ETI_OK && !eti__delegated_stamps_read(&stamps, of))
            status = eti_fail_memory(err);
        if (status == ETI_OK)
            status = count_texts(out, run, of, err);
        if (status != ETI_OK)
            break;
        eti__slice_backends_survey(out, run, &stamps);
        find_span(run, of);
        if (dump->n_runs++ == 0)
            dump->first = i;
        if (before && before->dump != run->dump)
            before = NULL;
        if (!run->has_times) {
            run->shown_at = before ? end_of(before) : 0;
            continue;
        }
        if (before)
            show_behind(run, before);
        else
            dump->base = run->first;
        before = run;
    }
    eti__delegated_stamps_free(&stamps);
    eti__block_calls_free(&calls);
    return status;
}

static eti_status make_dumps(making *m, eti_error *err) {
    eti_slice_source *out = m->out;
    out->n_dumps = m->inspector->n_dumps;
    out->dumps = eti__arena_alloc_zero(&out->arena, out->n_dumps + 1, sizeof *out->dumps);
    for (size_t i = 0; out->dumps && i < out->n_dumps; i++)
        out->dumps[i].dump = &m->inspector->dumps[i];
    return out->dumps ? ETI_OK : eti_fail_memory(err);
}

static eti_status make(making *m, eti_error *err) {
    eti_slice_source *out = m->out;
    ETI_TRY(eti__run_choice_check(m->options->runs, err));
    ETI_TRY(make_dumps(m, err));
    ETI_TRY(add_blocks(m, err));
    if (out->n_runs == 0 && m->options->runs && out->n_events > 0)
        return eti_fail(err, ETI_ERROR_USAGE,
                        "%sruns: there is no run %s; etinspect runs lists them",
                        eti__option_prefix(), m->options->runs);
    ETI_TRY(make_backends(m, err));
    eti__sort(out->runs, out->n_runs, sizeof *out->runs, compare_runs, NULL);
    return survey(m, err);
}

eti_status eti__slice_source_make(eti_slice_source *out, const eti_inspector *inspector,
                                  const eti_view_options *options, uint64_t most_text,
                                  eti_error *err) {
    const eti_options *opening = &inspector->options;
    making m = {.out = out, .inspector = inspector, .options = options};
    *out = (eti_slice_source){
        .inspector = inspector,
        .is_aligned = options->trace_time == 1,
        .has_flows = options->flows,
        .has_debug_events = options->debug_events,
        .args = options->args,
        .most_text = most_text,
        .metadata_form = options->table.delegate_metadata,
        .is_in_cycles = eti__ticks_are_cycles(opening->source_time_scale, opening->clock_hz),
    };
    eti_status status = make(&m, err);
    eti__places_free(&m.places);
    eti__synthetic_free(&m.synthetic);
    eti__shared_texts_free(&m.backends);
    return status;
}

eti_status eti__slice_source_add_counters(eti_slice_source *source, eti_error *err) {
    source->has_counters = true;
    return eti__planned_use_make(&source->planned, source, err);
}

/* Compares runs by duration, then by order of recording. */
static int compare_times(const void *a, const void *b, void *runs) {
    const eti_slice_run *of = runs;
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    uint64_t x_ticks = of[x].last - of[x].first, y_ticks = of[y].last - of[y].first;
    if (x_ticks != y_ticks)
        return x_ticks < y_ticks ? -1 : 1;
    return (x > y) - (x < y);
}

size_t *eti__slice_runs_by_time(const eti_slice_source *source) {
    size_t *numbers = calloc(source->n_runs + 1, sizeof *numbers);
    for (size_t i = 0; numbers && i < source->n_runs; i++)
        numbers[i] = i;
    if (numbers)
        eti__sort(numbers, source->n_runs, sizeof *numbers, compare_times, source->runs);
    return numbers;
}

void eti__slice_source_free(eti_slice_source *source) {
    free(source->runs);
    eti__arena_free(&source->arena);
    *source = (eti_slice_source){0};
}
