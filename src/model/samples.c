#include "model/samples.h"

#include "base/text.h"
#include "stats/summary.h"
#include "stats/timescale.h"

#include <inttypes.h>
#include <stdlib.h>

const eti_delegate_time_scale *eti_delegate_time_scale_for(const eti_options *options,
                                                           eti_text backend) {
    const eti_delegate_time_scale *own = NULL, *general = NULL;
    for (size_t i = 0; i < options->n_delegate_time_scales; i++) {
        const eti_delegate_time_scale *entry = &options->delegate_time_scales[i];
        if (!entry->backend)
            general = entry;
        else if (eti_text_is(backend, entry->backend))
            own = entry;
    }
    return own ? own : general;
}

typedef bool (*eti_elapsed_function)(uint64_t start, uint64_t end, double factor, double *out);

/* How an event's stamps become times. */
typedef struct eti_time_rule {
    eti_elapsed_function elapsed;
    double factor;
} eti_time_rule;

static eti_time_rule rule_for(const eti_event *event, const eti_options *options) {
    eti_time_scale source = options->source_time_scale;
    eti_elapsed_function elapsed = eti_elapsed_exact;
    if (event->is_timed_as_delegated) {
        const eti_delegate_time_scale *own =
            eti_delegate_time_scale_for(options, event->backend_name);
        if (own)
            source = own->scale;
        if (!options->exact_time)
            elapsed = eti_elapsed_scaled;
    }
    return (eti_time_rule){elapsed, eti_time_scale_factor(source, options->target_time_scale)};
}

static eti_status fail_backwards(const eti_block_run *run, const eti_event *event,
                                 const eti_etdump_event *stamped, eti_error *err) {
    return eti_fail(err, ETI_ERROR_DATA,
                    "%s: run %u: event %.*s: start_time %" PRIu64 " is after end_time %" PRIu64
                    ", and only a clock of 32 bits (up to 4294967295) can have wrapped around",
                    run->dump->file_name, run->index, ETI_TEXT_ARGS(event->name),
                    stamped->start_time, stamped->end_time);
}

static bool add_metadata(eti_event *event, eti_arena *arena, size_t sample, eti_text metadata) {
    if (metadata.size == 0)
        return true;
    if (!event->metadata) {
        event->metadata = eti_arena_alloc_zero(arena, event->n_samples, sizeof *event->metadata);
        if (!event->metadata)
            return false;
    }
    event->metadata[sample] = metadata;
    return true;
}

/* All runs of a block timed the event, or none did: that is part of what makes it the same event.
 */
static eti_status fill_event(eti_event_block *block, size_t number, eti_arena *arena,
                             const eti_options *options, eti_error *err) {
    eti_event *event = &block->events[number];
    eti_time_rule rule = rule_for(event, options);
    event->n_samples = block->n_runs;
    event->raw = eti_arena_alloc(arena, event->n_samples, sizeof *event->raw);
    event->start_time = eti_arena_alloc(arena, event->n_samples, sizeof *event->start_time);
    if (!event->raw || !event->start_time)
        return eti_fail_memory(err);

    for (size_t i = 0; i < event->n_samples; i++) {
        const eti_block_run *run = &block->runs[i];
        eti_etdump_event stamped = eti_etdump_read_event(run->dump, run->profile_events[number]);
        event->start_time[i] = stamped.start_time;
        if (!rule.elapsed(stamped.start_time, stamped.end_time, rule.factor, &event->raw[i]))
            return fail_backwards(run, event, &stamped, err);
        if (!add_metadata(event, arena, i, stamped.metadata))
            return eti_fail_memory(err);
    }
    return ETI_OK;
}

eti_status eti_samples_fill(eti_event_block *block, eti_arena *arena, const eti_options *options,
                            eti_error *err) {
    if (block->n_runs == 0)
        return ETI_OK;
    double *scratch = malloc(block->n_runs * sizeof *scratch);
    if (!scratch)
        return eti_fail_memory(err);
    eti_status status = ETI_OK;
    for (size_t i = 0; i < block->n_events && status == ETI_OK; i++) {
        if (!block->runs[0].profile_events[i])
            continue;
        status = fill_event(block, i, arena, options, err);
        if (status == ETI_OK)
            block->events[i].summary = eti_summarize(block->events[i].raw, block->n_runs, scratch);
    }
    free(scratch);
    return status;
}
