/*
 * etinspect.c - the functions of etinspect.h that only hand on what the rooms made: the one file
 * that knows them all.
 */
#include "etinspect.h"

#include "model/inspector.h"
#include "model/samples.h"
#include "table/select/selection.h"
#include "view/events.h"
#include "view/modules.h"
#include "view/registry.h"
#include "view/view.h"
#include "write/writer.h"

/* ---- inspector ------------------------------------------------------------------------------- */

size_t eti_inspector_note_count(const eti_inspector *inspector) {
    return inspector->n_notes;
}

eti_note eti_inspector_note(const eti_inspector *inspector, size_t i) {
    return inspector->notes[i];
}

size_t eti_inspector_block_count(const eti_inspector *inspector) {
    return inspector->blocks.n_blocks;
}

const eti_event_block *eti_inspector_block(const eti_inspector *inspector, size_t i) {
    return &inspector->blocks.blocks[i];
}

eti_time_scale eti_inspector_source_time_scale(const eti_inspector *inspector) {
    return inspector->options.source_time_scale;
}

eti_time_scale eti_inspector_target_time_scale(const eti_inspector *inspector) {
    return inspector->options.target_time_scale;
}

size_t eti_inspector_graph_node_count(const eti_inspector *inspector) {
    return inspector->graph.n_nodes;
}

const eti_graph_node *eti_inspector_graph_node(const eti_inspector *inspector, size_t i) {
    return &inspector->graph.nodes[i];
}

/* ---- blocks ---------------------------------------------------------------------------------- */

eti_text eti_event_block_name(const eti_event_block *block) {
    return block->name;
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
    return &block->events[i];
}

size_t eti_event_block_run_output_count(const eti_event_block *block) {
    return block->n_run_outputs;
}

const eti_value *eti_event_block_run_output(const eti_event_block *block, size_t i) {
    return &block->run_outputs[i];
}

/* ---- events ---------------------------------------------------------------------------------- */

eti_text eti_event_name(const eti_event *event) {
    return event->name;
}

int32_t eti_event_instruction_id(const eti_event *event) {
    return event->instruction_id;
}

bool eti_event_is_delegated_op(const eti_event *event) {
    return event->is_delegated_op;
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

size_t eti_event_sample_count(const eti_event *event) {
    return event->is_timed ? event->block->n_runs : 0;
}

const double *eti_event_raw(const eti_event *event) {
    return eti_samples_of(event);
}

const uint64_t *eti_event_start_time(const eti_event *event) {
    return eti_start_times_of(event);
}

bool eti_event_summary(const eti_event *event, eti_summary *out) {
    return eti_samples_summarize(event, out);
}

size_t eti_event_delegate_debug_metadata_count(const eti_event *event) {
    return event->has_metadata ? eti_event_sample_count(event) : 0;
}

eti_text eti_event_delegate_debug_metadata(const eti_event *event, size_t i) {
    return eti_samples_metadata(event, i);
}

size_t eti_event_op_type_count(const eti_event *event) {
    return event->record->n_op_types;
}

eti_text eti_event_op_type(const eti_event *event, size_t i) {
    return event->record->op_types[i];
}

size_t eti_event_op_node_count(const eti_event *event) {
    return event->record->n_op_nodes;
}

const eti_op_node *eti_event_op_node(const eti_event *event, size_t i) {
    return event->record->op_nodes[i];
}

static const eti_values *debug_data_of(const eti_event *event) {
    const eti_event_block *block = event->block;
    return block->debug_data ? block->debug_data[event - block->events] : NULL;
}

size_t eti_event_debug_data_count(const eti_event *event) {
    const eti_values *values = debug_data_of(event);
    return values ? values->n : 0;
}

const eti_value *eti_event_debug_data(const eti_event *event, size_t i) {
    return &debug_data_of(event)->values[i];
}

/* ---- tables ---------------------------------------------------------------------------------- */

static const eti_table_options default_table_options = ETI_TABLE_OPTIONS_DEFAULT;

eti_status eti_inspector_events_table(eti_table **out, const eti_inspector *inspector,
                                      const eti_table_options *options, eti_error *err) {
    static const eti_projection as_text = {.leaves_out_extra = true, .spells_lists = true};
    eti_table *events;
    *out = NULL;
    ETI_TRY(eti_view_events(&events, inspector, options ? options : &default_table_options, err));
    return eti_table_project_owned(out, events, as_text, err);
}

eti_status eti_inspector_modules_table(eti_table **out, const eti_inspector *inspector,
                                       const char *const *names, size_t n_names,
                                       const eti_table_options *options, eti_error *err) {
    return eti_view_modules(out, inspector, names, n_names,
                            options ? options : &default_table_options, err);
}

eti_status eti_inspector_report(eti_report **out, const eti_inspector *inspector, const char *view,
                                const eti_view_options *options, eti_error *err) {
    static const eti_view_options defaults = ETI_VIEW_OPTIONS_DEFAULT;
    const eti_view *found = eti_view_find(view);
    *out = NULL;
    if (!found)
        return eti_fail(err, ETI_ERROR_USAGE, "there is no view %s", view);
    return eti_view_report(out, inspector, found, options ? options : &defaults, err);
}

const char *eti_format_name(size_t i) {
    const eti_writer *writer = eti_writer_at(i);
    return writer ? writer->name : NULL;
}
