/*
 * fingerprint.h - everything that the public API returns about its inputs, as one text, so that two results can be
 * compared.
 *
 *     eti_buffer out = {0};
 *     add_fingerprint(&out, inspector);
 */
#ifndef ETI_TESTS_FINGERPRINT_H
#define ETI_TESTS_FINGERPRINT_H

#include "account/account.h"
#include "base/text.h"
#include "etrecord/etrecord.h"
#include "model/model.h"
#include "support.h"
#include "table/table.h"
#include "view_events/view_events.h"

/* Adds numbers as their bits: NaN and -0.0 count too. */
static inline void add_bits(eti_buffer *out, const void *value, size_t size) {
    eti__buffer_add(out, value, size);
}

#define ADD_VALUE(out, value) add_bits((out), &(value), sizeof(value))

/* Adds a text; absent and empty texts differ. */
static inline void add_whole_text(eti_buffer *out, eti_text text) {
    size_t size = text.data ? text.size : SIZE_MAX;
    ADD_VALUE(out, size);
    if (text.data)
        eti__buffer_add_text(out, text);
}

static inline void add_debug_value(eti_buffer *out, const eti_value *value) {
    eti_value_kind kind = eti_value_kind_of(value);
    int64_t as_int = eti_value_as_int(value);
    bool as_bool = eti_value_as_bool(value);
    double as_double = eti_value_as_double(value);
    ADD_VALUE(out, kind);
    ADD_VALUE(out, as_int);
    ADD_VALUE(out, as_bool);
    ADD_VALUE(out, as_double);
    for (size_t i = 0; i < eti_value_tensor_count(value); i++) {
        const eti_tensor *tensor = eti_value_tensor(value, i);
        int8_t scalar_type = eti_tensor_scalar_type(tensor);
        size_t n_dims = eti_tensor_dimension_count(tensor);
        int64_t offset = eti_tensor_offset(tensor);
        ADD_VALUE(out, scalar_type);
        ADD_VALUE(out, n_dims);
        add_bits(out, eti_tensor_sizes(tensor), n_dims * sizeof(int64_t));
        ADD_VALUE(out, offset);
        add_whole_text(
            out, (eti_text){(const char *)eti_tensor_data(tensor), eti_tensor_byte_count(tensor)});
    }
}

static inline void add_op_node(eti_buffer *out, const eti_op_node *node) {
    bool has_modules = eti_op_node_has_modules(node);
    add_whole_text(out, eti_op_node_name(node));
    add_whole_text(out, eti_op_node_stack_trace(node));
    ADD_VALUE(out, has_modules);
    for (size_t i = 0; i < eti_op_node_module_count(node); i++) {
        const eti_module *module = eti_op_node_module(node, i);
        add_whole_text(out, eti_module_key(module));
        add_whole_text(out, eti_module_path(module));
        add_whole_text(out, eti_module_type(module));
    }
}

static inline void add_event_samples(eti_buffer *out, const eti_event *event) {
    size_t n = eti_event_sample_count(event);
    eti_summary summary = ETI_SUMMARY_INIT;
    ADD_VALUE(out, n);
    if (n > 0) {
        add_bits(out, eti_event_raw(event), n * sizeof(double));
        add_bits(out, eti_event_start_time(event), n * sizeof(uint64_t));
    }
    if (eti_event_summary(event, &summary)) {
        const double numbers[] = {summary.p10, summary.p50, summary.p90,
                                  summary.avg, summary.min, summary.max};
        ADD_VALUE(out, numbers);
    }
    for (size_t i = 0; i < eti_event_delegate_debug_metadata_count(event); i++)
        add_whole_text(out, eti_event_delegate_debug_metadata(event, i));
}

static inline void add_event(eti_buffer *out, const eti_event *event) {
    int32_t instruction_id = eti_event_instruction_id(event);
    bool is_delegated = eti_event_is_delegated_op(event);
    eti_delegate_id id = eti_event_delegate_debug_identifier(event);
    eti_debug_handles handles = eti_event_debug_handles(event);
    int64_t n_outputs = eti_event_num_outputs(event);
    add_whole_text(out, eti_event_name(event));
    ADD_VALUE(out, instruction_id);
    ADD_VALUE(out, is_delegated);
    ADD_VALUE(out, id.kind);
    ADD_VALUE(out, id.int_id);
    add_whole_text(out, id.string_id);
    add_whole_text(out, eti_event_delegate_backend_name(event));
    ADD_VALUE(out, handles.kind);
    add_bits(out, handles.handles, handles.n * sizeof *handles.handles);
    ADD_VALUE(out, n_outputs);
    add_event_samples(out, event);
    for (size_t i = 0; i < eti_event_op_type_count(event); i++)
        add_whole_text(out, eti_event_op_type(event, i));
    for (size_t i = 0; i < eti_event_op_node_count(event); i++)
        add_op_node(out, eti_event_op_node(event, i));
    for (size_t i = 0; i < eti_event_debug_data_count(event); i++)
        add_debug_value(out, eti_event_debug_data(event, i));
}

static inline void add_block(eti_buffer *out, const eti_event_block *block) {
    int32_t input = eti_event_block_bundled_input_index(block);
    size_t n_runs = eti_event_block_run_count(block), n = eti_event_block_event_count(block);
    add_whole_text(out, eti_event_block_name(block));
    ADD_VALUE(out, input);
    ADD_VALUE(out, n_runs);
    ADD_VALUE(out, n);
    for (size_t i = 0; i < n; i++)
        add_event(out, eti_event_block_event(block, i));
    for (size_t i = 0; i < eti_event_block_run_output_count(block); i++)
        add_debug_value(out, eti_event_block_run_output(block, i));
}

static inline void add_graph_nodes(eti_buffer *out, const eti_inspector *inspector) {
    for (size_t i = 0; i < eti_inspector_graph_node_count(inspector); i++) {
        const eti_graph_node *node = eti_inspector_graph_node(inspector, i);
        int64_t handle;
        bool has_handle = eti_graph_node_debug_handle(node, &handle);
        add_op_node(out, eti_graph_node_op_node(node));
        add_whole_text(out, eti_graph_node_op_type(node));
        add_whole_text(out, eti_graph_node_target(node));
        ADD_VALUE(out, has_handle);
        ADD_VALUE(out, handle);
    }
}

static inline bool add_output(void *context, const void *data, size_t size) {
    eti__buffer_add(context, data, size);
    return true;
}

/* Adds the table with all columns. */
static inline void add_table(eti_buffer *out, const eti_inspector *inspector, const char *format) {
    eti_table_options options = {true, true, ETI_METADATA_BYTES};
    eti_error err = ETI_ERROR_INIT;
    eti_table *table;
    assert_ok(eti__inspector_events_table(&table, inspector, &options, &err));
    assert_ok(eti_table_write(table, format, add_output, out, &err));
    eti_table_free(table);
}

static inline void add_fingerprint(eti_buffer *out, const eti_inspector *inspector) {
    for (size_t i = 0; i < eti_inspector_block_count(inspector); i++)
        add_block(out, eti_inspector_block(inspector, i));
    add_graph_nodes(out, inspector);
    for (size_t i = 0; i < eti_inspector_note_count(inspector); i++)
        add_whole_text(out, eti_inspector_note_text(inspector, i));
    add_table(out, inspector, "tsv");
    assert_false(out->failed);
}

#endif
