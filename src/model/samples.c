#include "model/samples.h"

#include "model/run_events.h"
#include "stats/stats.h"

#include <inttypes.h>
#include <stdlib.h>

const eti_delegate_time_scale *eti__delegate_time_scale_for(const eti_options *options,
                                                            eti_text backend) {
    const eti_delegate_time_scale *own = NULL, *general = NULL;
    for (size_t i = 0; i < options->n_delegate_time_scales; i++) {
        const eti_delegate_time_scale *entry = &options->delegate_time_scales[i];
        if (!entry->backend)
            general = entry;
        else if (eti__text_is(backend, entry->backend))
            own = entry;
    }
    return own ? own : general;
}

const eti_delegate_time_scale *eti__event_own_time_scale(const eti_event *event,
                                                         const eti_options *options) {
    return event->is_timed_as_delegated
               ? eti__delegate_time_scale_for(options, event->record->backend_name)
               : NULL;
}

typedef bool (*eti_elapsed_function)(uint64_t start, uint64_t end, double factor, double *out);

/* Number of runs that are read together: as many samples as fit into a cache line. */
#define RUNS_AT_ONCE 8

/* Converts an event's stamps to times. */
typedef struct eti_time_rule {
    eti_elapsed_function elapsed;
    double factor;
} eti_time_rule;

double eti__event_factor(const eti_event *event, const eti_options *options) {
    const eti_delegate_time_scale *own = eti__event_own_time_scale(event, options);
    if (own) /* clock_hz is that of another clock */
        return eti__time_scale_factor(own->scale, options->target_time_scale, 0);
    return eti__time_scale_factor(options->source_time_scale, options->target_time_scale,
                                  options->clock_hz);
}

static eti_time_rule rule_for(const eti_event *event, const eti_options *options) {
    bool is_scaled_first = event->is_timed_as_delegated && !options->exact_time;
    return (eti_time_rule){is_scaled_first ? eti__elapsed_scaled : eti__elapsed_exact,
                           eti__event_factor(event, options)};
}

static eti_status fail_backwards(const eti_block_run *run, const eti_event *event,
                                 const eti_etdump_stamps *stamps, eti_error *err) {
    return eti_fail(err, ETI_ERROR_DATA,
                    "%s: run %u: event %.*s: start_time %" PRIu64 " is after end_time %" PRIu64
                    ", and only 32-bit clocks (up to 4294967295) can wrap around",
                    run->dump->file_name, run->index, ETI_TEXT_ARGS(event->name),
                    stamps->start_time, stamps->end_time);
}

/* Fills the event's samples of the runs [first, end). */
static eti_status fill_event(eti_event_block *block, size_t number, size_t first, size_t end,
                             eti_time_rule rule, eti_error *err) {
    eti_event *event = &block->events[number];
    size_t at = number * block->n_runs;
    for (size_t i = first; i < end; i++) {
        const eti_block_run *run = &block->runs[i];
        eti_position position = eti__block_run_position(run, run->layout->profile_events[number]);
        eti_etdump_stamps stamps = eti__etdump_read_stamps(run->dump, position);
        block->start_time[at + i] = stamps.start_time;
        if (!rule.elapsed(stamps.start_time, stamps.end_time, rule.factor, &block->raw[at + i]))
            return fail_backwards(run, event, &stamps, err);
        if (stamps.metadata.size > 0)
            event->has_metadata = true;
    }
    return ETI_OK;
}

/* Parts of a block's events, each of which one thread fills. */
typedef struct eti_filling {
    eti_event_block *block;
    const eti_options *options;
    size_t n_parts;
    eti_status status[ETI_MAX_THREADS];
    eti_error *err; /* that of the calling thread */
} eti_filling;

/* Fills samples a few runs at a time, so that the file is read from front to back; reading all runs of one event, then
 * the next, would jump all over the file. */
static eti_status fill_samples(const eti_filling *filling, size_t first_event, size_t end_event,
                               eti_error *err) {
    eti_event_block *block = filling->block;
    for (size_t first = 0; first < block->n_runs; first += RUNS_AT_ONCE) {
        if (first_event == 0) /* only in the calling thread */
            ETI_TRY(
                eti__tell(&filling->options->progress, "reading times", first, block->n_runs, err));
        size_t left = block->n_runs - first;
        size_t end = first + (left < RUNS_AT_ONCE ? left : RUNS_AT_ONCE);
        for (size_t i = first_event; i < end_event; i++) {
            if (block->events[i].is_timed)
                ETI_TRY(fill_event(block, i, first, end,
                                   rule_for(&block->events[i], filling->options), err));
        }
    }
    return ETI_OK;
}

static eti_status fill_summaries(eti_event_block *block, size_t first, size_t end, eti_error *err) {
    size_t n = block->n_runs;
    double *scratch = malloc(n * sizeof *scratch);
    if (!scratch)
        return eti_fail_memory(err);
    for (size_t i = first; i < end; i++) {
        if (block->events[i].is_timed)
            block->summaries[i] = eti__summarize(block->raw + i * n, n, scratch);
    }
    free(scratch);
    return ETI_OK;
}

static eti_status fill_part(const eti_filling *filling, size_t part, eti_error *err) {
    size_t first, end;
    eti__parallel_part(filling->block->n_events, filling->n_parts, part, &first, &end);
    ETI_TRY(fill_samples(filling, first, end, err));
    return filling->block->summaries ? fill_summaries(filling->block, first, end, err) : ETI_OK;
}

static void fill_part_in_thread(void *context, size_t part) {
    eti_filling *filling = context;
    filling->status[part] = fill_part(filling, part, part == 0 ? filling->err : NULL);
}

/* Fills the samples, on several threads if there are many. After an error, one thread repeats all the work, so that the
 * report does not depend on threads; after a cancellation nothing is repeated. */
static eti_status fill_all(eti_event_block *block, const eti_options *options, eti_error *err) {
    eti_filling filling = {.block = block, .options = options, .n_parts = 1, .err = err};
    if (block->n_events * block->n_runs * sizeof *block->raw >= ETI_PARALLEL_BYTES / 4)
        filling.n_parts =
            options->n_threads < block->n_events ? options->n_threads : block->n_events;
    if (filling.n_parts < 2) {
        filling.n_parts = 1;
        return fill_part(&filling, 0, err);
    }
    eti__parallel(filling.n_parts, fill_part_in_thread, &filling);
    if (filling.status[0] == ETI_ERROR_CANCELLED)
        return ETI_ERROR_CANCELLED;
    for (size_t i = 0; i < filling.n_parts; i++) {
        if (filling.status[i] != ETI_OK) {
            filling.n_parts = 1;
            return fill_part(&filling, 0, err);
        }
    }
    return ETI_OK;
}

static bool has_timed_events(const eti_event_block *block) {
    for (size_t i = 0; i < block->n_events; i++) {
        if (block->events[i].is_timed)
            return true;
    }
    return false;
}

/* Either all runs of a block timed an event, or none did, because that is part of the event's identity. */
eti_status eti__samples_fill(eti_event_block *block, eti_arena *arena, const eti_options *options,
                             eti_error *err) {
    if (block->n_runs == 0 || !has_timed_events(block))
        return ETI_OK;
    block->raw = eti__arena_alloc(arena, block->n_events, block->n_runs * sizeof *block->raw);
    block->start_time =
        eti__arena_alloc(arena, block->n_events, block->n_runs * sizeof *block->start_time);
    if (!block->raw || !block->start_time)
        return eti_fail_memory(err);
    if (block->n_runs > ETI_FEW_SAMPLES) {
        block->summaries = eti__arena_alloc(arena, block->n_events, sizeof *block->summaries);
        if (!block->summaries)
            return eti_fail_memory(err);
    }
    return fill_all(block, options, err);
}
