/*
 * walk.h - uses the whole public API on inputs that may be hostile, and checks that the results are as etinspect.h
 * promises. It includes only that header of the library.
 */
#ifndef ETI_TESTS_FUZZ_WALK_H
#define ETI_TESTS_FUZZ_WALK_H

#include "account/account.h"
#include "etrecord/etrecord.h"
#include "fuzz.h"
#include "model/model.h"
#include "table/table.h"
#include "view/view.h"
#include "view_events/view_events.h"

/* Whatever bytes a file has, texts are UTF-8 here. */
static inline void walk_text(eti_text text) {
    FUZZ_EXPECT(fuzz_is_utf8(text, NULL));
    fuzz_touch(text);
}

/* ---- values ---------------------------------------------------------------------------------- */

static inline void walk_tensor(const eti_tensor *tensor) {
    const uint8_t *data = eti_tensor_data(tensor);
    size_t n_bytes = eti_tensor_byte_count(tensor);
    const char *dtype = eti_tensor_dtype(tensor);
    FUZZ_EXPECT(dtype && *dtype);
    FUZZ_EXPECT(data || n_bytes == 0);
    fuzz_touch_bytes(data, n_bytes);
    fuzz_touch_bytes(eti_tensor_sizes(tensor),
                     eti_tensor_dimension_count(tensor) * sizeof(int64_t));
}

static inline void walk_value(const eti_value *value) {
    eti_value_kind kind = eti_value_kind_of(value);
    size_t n = eti_value_tensor_count(value);
    bool has_tensors = kind == ETI_VALUE_TENSOR || kind == ETI_VALUE_TENSOR_LIST;
    FUZZ_EXPECT(kind >= ETI_VALUE_NONE && kind <= ETI_VALUE_TENSOR_LIST);
    FUZZ_EXPECT(has_tensors || n == 0);
    FUZZ_EXPECT(kind != ETI_VALUE_TENSOR || n == 1);
    for (size_t i = 0; i < n; i++)
        walk_tensor(eti_value_tensor(value, i));
    FUZZ_EXPECT(!eti_value_tensor(value, n));
}

/* ---- operators ------------------------------------------------------------------------------- */

static inline void walk_op_node(const eti_op_node *node) {
    eti_text name = eti_op_node_name(node);
    size_t n = eti_op_node_module_count(node);
    FUZZ_EXPECT(name.size > 0 && name.data[name.size - 1] == '_');
    FUZZ_EXPECT(eti_op_node_has_modules(node) || n == 0);
    walk_text(name);
    walk_text(eti_op_node_stack_trace(node));
    for (size_t i = 0; i < n; i++) {
        const eti_module *module = eti_op_node_module(node, i);
        walk_text(eti_module_key(module));
        walk_text(eti_module_path(module));
        walk_text(eti_module_type(module));
    }
    FUZZ_EXPECT(!eti_op_node_module(node, n));
}

static inline void walk_graph(const eti_inspector *inspector) {
    for (size_t i = 0; i < eti_inspector_graph_node_count(inspector); i++) {
        const eti_graph_node *node = eti_inspector_graph_node(inspector, i);
        int64_t handle;
        walk_op_node(eti_graph_node_op_node(node));
        walk_text(eti_graph_node_op_type(node));
        walk_text(eti_graph_node_target(node));
        FUZZ_EXPECT(eti_graph_node_debug_handle(node, &handle) || handle == 0);
    }
}

/* Events with the same list of nodes share it; thousands may. */
static inline void walk_operators(const eti_event *event) {
    static const eti_op_node *last;
    for (size_t i = 0; i < eti_event_op_type_count(event); i++)
        walk_text(eti_event_op_type(event, i));
    for (size_t i = 0; i < eti_event_op_node_count(event); i++) {
        const eti_op_node *node = eti_event_op_node(event, i);
        if (node != last)
            walk_op_node(node);
        last = node;
    }
    last = NULL;
}

/* ---- events ---------------------------------------------------------------------------------- */

/* Expects them in order, unless one of them is not a number. */
static inline void walk_summary(const eti_event *event) {
    eti_summary s;
    size_t n = eti_event_sample_count(event);
    FUZZ_EXPECT(eti_event_summary(event, &s) == (n > 0));
    if (n == 0)
        return;
    FUZZ_EXPECT(!(s.p10 < s.min) && !(s.p50 < s.p10) && !(s.p90 < s.p50) && !(s.max < s.p90));
    const double *raw = eti_event_raw(event);
    for (size_t i = 0; i < n; i++)
        FUZZ_EXPECT(!(raw[i] < s.min) && !(raw[i] > s.max));
    fuzz_touch_bytes(eti_event_start_time(event), n * sizeof(uint64_t));
}

static inline void walk_metadata(const eti_event *event) {
    size_t n = eti_event_delegate_debug_metadata_count(event);
    FUZZ_EXPECT(n == 0 || n == eti_event_sample_count(event));
    for (size_t i = 0; i < n; i++)
        fuzz_touch(eti_event_delegate_debug_metadata(event, i));
}

static inline void walk_event(const eti_event *event) {
    eti_delegate_id id = eti_event_delegate_debug_identifier(event);
    eti_debug_handles handles = eti_event_debug_handles(event);
    walk_text(eti_event_name(event));
    walk_text(eti_event_delegate_backend_name(event));
    FUZZ_EXPECT(eti_event_is_delegated_op(event) == (id.kind != ETI_DELEGATE_ID_NONE));
    if (id.kind == ETI_DELEGATE_ID_STRING)
        walk_text(id.string_id);
    FUZZ_EXPECT(handles.kind != ETI_HANDLES_NONE || handles.n == 0);
    FUZZ_EXPECT(handles.kind != ETI_HANDLES_INT || handles.n == 1);
    fuzz_touch_bytes(handles.handles, handles.n * sizeof(int64_t));
    fuzz_sum += (uint64_t)eti_event_num_outputs(event) + (uint64_t)eti_event_instruction_id(event);
    walk_summary(event);
    walk_metadata(event);
    walk_operators(event);
    for (size_t i = 0; i < eti_event_debug_data_count(event); i++)
        walk_value(eti_event_debug_data(event, i));
}

static inline void walk_blocks(const eti_inspector *inspector) {
    for (size_t b = 0; b < eti_inspector_block_count(inspector); b++) {
        const eti_event_block *block = eti_inspector_block(inspector, b);
        walk_text(eti_event_block_name(block));
        walk_text(eti_event_block_label(block));
        FUZZ_EXPECT(eti_event_block_run_count(block) > 0);
        fuzz_sum += (uint64_t)eti_event_block_bundled_input_index(block);
        for (size_t i = 0; i < eti_event_block_event_count(block); i++)
            walk_event(eti_event_block_event(block, i));
        for (size_t i = 0; i < eti_event_block_run_output_count(block); i++)
            walk_value(eti_event_block_run_output(block, i));
    }
}

/* Expects one line each; a command line prints them unchanged. */
static inline void walk_notes(const eti_inspector *inspector) {
    for (size_t i = 0; i < eti_inspector_note_count(inspector); i++) {
        eti_note_kind kind = eti_inspector_note_kind(inspector, i);
        eti_text text = eti_inspector_note_text(inspector, i);
        FUZZ_EXPECT(kind == ETI_NOTE_INFO || kind == ETI_NOTE_WARNING);
        FUZZ_EXPECT(text.size > 0 && fuzz_is_utf8(text, NULL));
        FUZZ_EXPECT(!fuzz_has_control(text, 0xfffd));
    }
}

/* ---- tables ---------------------------------------------------------------------------------- */

static inline bool walk_write(void *context, const void *data, size_t size) {
    size_t *total = context;
    *total += size;
    fuzz_touch_bytes(data, size);
    return true;
}

static inline void walk_cells(const eti_table *table) {
    size_t n_columns = eti_table_column_count(table);
    eti_table_reader *reader;
    FUZZ_EXPECT(eti_table_reader_open(&reader, table, NULL) == ETI_OK);
    for (size_t column = 0; column < n_columns; column++)
        FUZZ_EXPECT(fuzz_is_utf8(eti_table_column_name(table, column), NULL));
    for (size_t row = 0; row < eti_table_row_count(table); row++) {
        for (size_t column = 0; column < n_columns; column++) {
            const eti_cell *cell = eti_table_reader_cell(reader, row, column);
            FUZZ_EXPECT(eti_cell_kind_of(cell) <= ETI_CELL_NAN);
            walk_text(eti_cell_as_text(cell));
        }
    }
    FUZZ_EXPECT(!eti_table_reader_cell(reader, 0, n_columns));
    FUZZ_EXPECT(!eti_table_reader_cell(reader, eti_table_row_count(table), 0));
    eti_table_reader_close(reader);
}

/* Drawings that are too large are rejected, and some formats are only for certain tables. */
static inline bool walk_may_refuse(const char *format, eti_status status) {
    static const char *const special[] = {"dot",         "model-explorer", "model-explorer-data",
                                          "junit",       "github",         "benchmark",
                                          "codequality", "chrome",         "perfetto",
                                          "speedscope",  "folded",         "pprof"};
    for (size_t i = 0; i < sizeof special / sizeof *special; i++) {
        if (strcmp(format, special[i]) == 0)
            return status == ETI_ERROR_USAGE;
    }
    return status == ETI_ERROR_LIMIT &&
           (strcmp(format, "table") == 0 || strcmp(format, "text") == 0);
}

static inline void walk_formats(const eti_table *table) {
    const char *format;
    walk_cells(table);
    for (size_t i = 0; (format = eti_format_name(i)); i++) {
        eti_error err = ETI_ERROR_INIT;
        size_t total = 0;
        eti_status status = eti_table_write(table, format, walk_write, &total, &err);
        FUZZ_EXPECT(status == ETI_OK || walk_may_refuse(format, status));
        FUZZ_EXPECT(status == ETI_OK || total == 0); /* without rows NDJSON has no lines */
        if (status != ETI_OK)
            fuzz_expect_error(status, &err);
    }
}

/* Reads the cells, writes every format, and frees the table. */
static inline void walk_table(eti_table *table) {
    eti_table *defused;
    walk_formats(table);
    FUZZ_EXPECT(eti_table_defuse_formulas(&defused, table, NULL) == ETI_OK);
    walk_formats(defused);
    eti_table_free(defused);
    eti_table_free(table);
}

static inline void walk_events_table(const eti_inspector *inspector,
                                     const eti_table_options *options) {
    eti_table *table;
    eti_error err = ETI_ERROR_INIT;
    eti_status status = eti__inspector_events_table(&table, inspector, options, &err);
    if (status == ETI_OK) {
        walk_table(table);
    } else {
        FUZZ_EXPECT(status == ETI_ERROR_LIMIT);
        fuzz_expect_error(status, &err);
    }
}

/* ---- modules --------------------------------------------------------------------------------- */

/* Returns the key of a module of any event, as a C string; NULL if there is none. */
static inline char *walk_find_module(const eti_inspector *inspector) {
    for (size_t b = 0; b < eti_inspector_block_count(inspector); b++) {
        const eti_event_block *block = eti_inspector_block(inspector, b);
        for (size_t i = 0; i < eti_event_block_event_count(block); i++) {
            const eti_event *event = eti_event_block_event(block, i);
            for (size_t n = 0; n < eti_event_op_node_count(event); n++) {
                const eti_op_node *node = eti_event_op_node(event, n);
                if (eti_op_node_module_count(node) > 0) {
                    eti_text key = eti_module_key(eti_op_node_module(node, 0));
                    return strndup(key.data, key.size);
                }
            }
        }
    }
    return NULL;
}

static inline void walk_modules_table(const eti_inspector *inspector,
                                      const eti_table_options *options) {
    char *known = walk_find_module(inspector);
    const char *names[] = {"", "L__self__", "\x1b[2J\n\"", known};
    FUZZ_EXPECT(!known || eti_inspector_has_module(inspector, known));
    FUZZ_EXPECT(!!known == eti_inspector_has_module(inspector, ""));
    size_t n = known ? 4 : 3;
    eti_table *table;
    FUZZ_EXPECT(eti__view_modules(&table, inspector, names, n, options, NULL) == ETI_OK);
    FUZZ_EXPECT(eti_table_row_count(table) == n);
    double shown[4];
    FUZZ_EXPECT(eti_table_read_doubles(table, 1, 0, n, shown, NULL, NULL) == ETI_OK);
    for (size_t i = 0; i < n; i++) {
        double total = eti_inspector_find_total_for_module(inspector, names[i]);
        FUZZ_EXPECT(memcmp(&total, &shown[i], sizeof total) == 0);
    }
    walk_table(table);
    free(known);
}

static inline void walk_methods(const eti_inspector *inspector) {
    for (size_t i = 0; i < eti_inspector_method_count(inspector); i++)
        walk_text(eti_inspector_method_name(inspector, i));
}

/* ---- everything ------------------------------------------------------------------------------ */

/* Tables are printed in all formats, as `tables` says; NULL: they are not, which is much faster. */
static inline void fuzz_inspect(const eti_inputs *inputs, const eti_options *options,
                                const eti_table_options *tables) {
    eti_error err = {0};
    eti_inspector *inspector;
    eti_status status = eti__inspector_open(&inspector, inputs, options, &err);
    if (status != ETI_OK) {
        FUZZ_EXPECT(!inspector);
        fuzz_expect_error(status, &err);
        return;
    }
    walk_notes(inspector);
    walk_methods(inspector);
    walk_graph(inspector);
    walk_blocks(inspector);
    if (tables) {
        walk_events_table(inspector, tables);
        walk_modules_table(inspector, tables);
    }
    eti_inspector_close(inspector);
}

#endif
