/* Implements the accessors of etinspect.h, which other rooms use too. */
#include "model/event.h"

#include "stats/stats.h"

#include <stdlib.h>

eti_text eti__attribution_name(uint8_t attribution) {
    static const char *const names[] = {
        [ETI_ATTRIBUTION_NONE] = NULL,           [ETI_ATTRIBUTION_RECORDED] = "recorded",
        [ETI_ATTRIBUTION_EXACT] = "exact",       [ETI_ATTRIBUTION_ALIGNED] = "aligned",
        [ETI_ATTRIBUTION_INFERRED] = "inferred", [ETI_ATTRIBUTION_CALL] = "call",
    };
    return eti__text_of(names[attribution]);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

eti_text eti_event_block_name(const eti_event_block *block) {
    return block->name;
}

eti_text eti_event_block_label(const eti_event_block *block) {
    return block->label;
}

int32_t eti_event_block_bundled_input_index(const eti_event_block *block) {
    return block->bundled_input_index;
}

size_t eti_event_block_run_count(const eti_event_block *block) {
    return block->n_runs;
}

size_t eti_event_block_event_count(const eti_event_block *block) {
    return block->n_events;
}

const eti_event *eti_event_block_event(const eti_event_block *block, size_t i) {
    return i < block->n_events ? &block->events[i] : NULL;
}

size_t eti_event_block_run_output_count(const eti_event_block *block) {
    return block->n_run_outputs;
}

const eti_value *eti_event_block_run_output(const eti_event_block *block, size_t i) {
    return i < block->n_run_outputs ? &block->run_outputs[i] : NULL;
}

size_t eti_event_block_reference_output_count(const eti_event_block *block) {
    return block->n_reference_outputs;
}

const eti_value *eti_event_block_reference_output(const eti_event_block *block, size_t i) {
    return i < block->n_reference_outputs ? &block->reference_outputs[i] : NULL;
}

/* ---- kinds of events ------------------------------------------------------------------------- */

/* Returns the event's index in its block. */
static size_t number_of(const eti_event *event) {
    return (size_t)(event - event->block->events);
}

eti_text eti_event_name(const eti_event *event) {
    return event->name;
}

int32_t eti_event_instruction_id(const eti_event *event) {
    return event->instruction_id;
}

bool eti_event_is_delegated_op(const eti_event *event) {
    return event->is_delegated_op;
}

bool eti_event_is_timed_by_delegate(const eti_event *event) {
    return event->is_timed_as_delegated;
}

eti_delegate_id eti_event_delegate_debug_identifier(const eti_event *event) {
    eti_delegate_id id = {
        (eti_delegate_id_kind)event->delegate_id_kind, event->delegate_id_int, {NULL, 0}};
    if (id.kind == ETI_DELEGATE_ID_STRING)
        id.string_id = event->name;
    return id;
}

eti_text eti_event_delegate_backend_name(const eti_event *event) {
    return event->record->backend_name;
}

eti_debug_handles eti_event_debug_handles(const eti_event *event) {
    return event->record->handles;
}

int64_t eti_event_num_outputs(const eti_event *event) {
    return event->record->num_outputs;
}

size_t eti_event_op_type_count(const eti_event *event) {
    return event->record->n_op_types;
}

eti_text eti_event_op_type(const eti_event *event, size_t i) {
    return i < event->record->n_op_types ? event->record->op_types[i] : (eti_text){NULL, 0};
}

size_t eti_event_op_node_count(const eti_event *event) {
    return event->record->n_op_nodes;
}

const eti_op_node *eti_event_op_node(const eti_event *event, size_t i) {
    return i < event->record->n_op_nodes ? event->record->op_nodes[i] : NULL;
}

/* ---- recorded data of events ----------------------------------------------------------------- */

size_t eti_event_sample_count(const eti_event *event) {
    return event->is_timed ? event->block->n_runs : 0;
}

const double *eti_event_raw(const eti_event *event) {
    return event->is_timed ? event->block->raw + number_of(event) * event->block->n_runs : NULL;
}

const uint64_t *eti_event_start_time(const eti_event *event) {
    return event->is_timed ? event->block->start_time + number_of(event) * event->block->n_runs
                           : NULL;
}

/* Not *out = *found: the caller's struct may be smaller. */
static void store_summary(eti_summary *out, const eti_summary *found) {
    out->p10 = found->p10;
    out->p50 = found->p50;
    out->p90 = found->p90;
    out->avg = found->avg;
    out->min = found->min;
    out->max = found->max;
}

bool eti_event_summary(const eti_event *event, eti_summary *out) {
    if (!event->is_timed)
        return false;
    double scratch[ETI_FEW_SAMPLES];
    eti_summary found = event->block->summaries
                            ? event->block->summaries[number_of(event)]
                            : eti__summarize(eti_event_raw(event), event->block->n_runs, scratch);
    store_summary(out, &found);
    return true;
}

eti_status eti_summarize(eti_summary *out, const double *samples, size_t n, eti_error *err) {
    if (n == 0)
        return eti_fail(err, ETI_ERROR_USAGE, "no samples: statistics need at least one");
    double *scratch = calloc(n, sizeof *scratch);
    if (!scratch)
        return eti_fail_memory(err);
    eti_summary found = eti__summarize(samples, n, scratch);
    store_summary(out, &found);
    free(scratch);
    return ETI_OK;
}

/* Returns the stamps that the i-th run recorded for a timed event. */
static eti_etdump_stamps stamps_of(const eti_event *event, size_t i) {
    const eti_block_run *run = &event->block->runs[i];
    uint32_t number = run->layout->profile_events[number_of(event)];
    return eti__etdump_read_stamps(run->dump, eti__block_run_position(run, number));
}

bool eti_event_end_time(const eti_event *event, size_t i, uint64_t *out) {
    if (i >= eti_event_sample_count(event))
        return false;
    *out = stamps_of(event, i).end_time;
    return true;
}

size_t eti_event_delegate_debug_metadata_count(const eti_event *event) {
    return event->has_metadata ? eti_event_sample_count(event) : 0;
}

eti_text eti_event_delegate_debug_metadata(const eti_event *event, size_t i) {
    if (i >= eti_event_delegate_debug_metadata_count(event))
        return (eti_text){NULL, 0};
    return stamps_of(event, i).metadata;
}

static const eti_values *debug_data_of(const eti_event *event) {
    const eti_event_block *block = event->block;
    return block->debug_data ? block->debug_data[number_of(event)] : NULL;
}

size_t eti_event_debug_data_count(const eti_event *event) {
    const eti_values *values = debug_data_of(event);
    return values ? values->n : 0;
}

const eti_value *eti_event_debug_data(const eti_event *event, size_t i) {
    return i < eti_event_debug_data_count(event) ? &debug_data_of(event)->values[i] : NULL;
}
