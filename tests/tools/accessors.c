/*
 * accessors.c ETDUMP ETRECORD DEBUG_BUFFER - calls each function of the public API that takes an index, for all indexes, in two halves, so that
 * instructions.sh can compare what both cost: a function that searches from the start costs three times as much in the
 * second half, and a loop over it the square of the number of things.
 *
 * Each pair of functions is called first_NAME and second_NAME after the accessor.
 */
#include "etinspect.h"

#include <stdio.h>
#include <stdlib.h>

enum { REPEATED = 50, FEW = 8 };

typedef struct context {
    eti_inspector *inspector;
    const eti_event_block *block;
    const eti_event *event, *op_event;
    eti_report *report;
    const eti_table *table;
    eti_table_reader *reader;
} context;

static volatile size_t kept;

/* ACCESSOR(NAME, number of indexes, call with the index i) */
#define ACCESSORS(ACCESSOR)                                                                        \
    ACCESSOR(eti_option_name, eti_option_count(), (size_t)eti_option_name(i))                      \
    ACCESSOR(eti_option_type_of, eti_option_count(), (size_t)eti_option_type_of(i))                \
    ACCESSOR(eti_option_help, eti_option_count(), (size_t)eti_option_help(i))                      \
    ACCESSOR(eti_option_choices, eti_option_count(), (size_t)eti_option_choices(i))                \
    ACCESSOR(eti_option_default, eti_option_count(), (size_t)eti_option_default(i))                \
    ACCESSOR(eti_option_is_repeated, eti_option_count(), (size_t)eti_option_is_repeated(i))        \
    ACCESSOR(eti_view_name, n_named(eti_view_name), (size_t)eti_view_name(i))                      \
    ACCESSOR(eti_format_name, n_named(eti_format_name), (size_t)eti_format_name(i))                \
    ACCESSOR(eti_inspector_note_kind, 1000, (size_t)eti_inspector_note_kind(x->inspector, i))      \
    ACCESSOR(eti_inspector_note_text, 1000, eti_inspector_note_text(x->inspector, i).size)         \
    ACCESSOR(eti_inspector_block, eti_inspector_block_count(x->inspector),                         \
             (size_t)eti_inspector_block(x->inspector, i))                                         \
    ACCESSOR(eti_inspector_method_name, eti_inspector_method_count(x->inspector),                  \
             eti_inspector_method_name(x->inspector, i).size)                                      \
    ACCESSOR(eti_inspector_graph_node, eti_inspector_graph_node_count(x->inspector),               \
             (size_t)eti_inspector_graph_node(x->inspector, i))                                    \
    ACCESSOR(eti_event_block_event, eti_event_block_event_count(x->block),                         \
             (size_t)eti_event_block_event(x->block, i))                                           \
    ACCESSOR(eti_event_end_time, eti_event_sample_count(x->event), end_time(x->event, i))          \
    ACCESSOR(eti_event_delegate_debug_metadata, eti_event_delegate_debug_metadata_count(x->event), \
             eti_event_delegate_debug_metadata(x->event, i).size)                                  \
    ACCESSOR(eti_event_op_type, eti_event_op_type_count(x->op_event),                              \
             eti_event_op_type(x->op_event, i).size)                                               \
    ACCESSOR(eti_event_op_node, eti_event_op_node_count(x->op_event),                              \
             (size_t)eti_event_op_node(x->op_event, i))                                            \
    ACCESSOR(eti_op_node_module, n_modules(x->op_event),                                           \
             (size_t)eti_op_node_module(eti_event_op_node(x->op_event, 0), i))                     \
    ACCESSOR(eti_value_tensor, n_tensors(x->event),                                                \
             (size_t)eti_value_tensor(eti_event_debug_data(x->event, 0), i))                       \
    ACCESSOR(eti_event_debug_data, eti_event_debug_data_count(x->event),                           \
             (size_t)eti_event_debug_data(x->event, i))                                            \
    ACCESSOR(eti_event_block_run_output, eti_event_block_run_output_count(x->block),               \
             (size_t)eti_event_block_run_output(x->block, i))                                      \
    ACCESSOR(eti_event_block_reference_output, eti_event_block_reference_output_count(x->block),   \
             (size_t)eti_event_block_reference_output(x->block, i))                                \
    ACCESSOR(eti_table_column_name, eti_table_column_count(x->table),                              \
             eti_table_column_name(x->table, i).size)                                              \
    ACCESSOR(eti_table_column_kind, eti_table_column_count(x->table),                              \
             (size_t)eti_table_column_kind(x->table, i))                                           \
    ACCESSOR(eti_table_column_type, eti_table_column_count(x->table),                              \
             (size_t)eti_table_column_type(x->table, i))                                           \
    ACCESSOR(eti_table_column_help, eti_table_column_count(x->table),                              \
             (size_t)eti_table_column_help(x->table, i))                                           \
    ACCESSOR(eti_table_column_is_extra, eti_table_column_count(x->table),                          \
             (size_t)eti_table_column_is_extra(x->table, i))                                       \
    ACCESSOR(eti_table_reader_cell, eti_table_row_count(x->table),                                 \
             (size_t)eti_table_reader_cell(x->reader, i, 0))                                       \
    ACCESSOR(eti_report_table_name, eti_report_table_count(x->report),                             \
             (size_t)eti_report_table_name(x->report, i))                                          \
    ACCESSOR(eti_report_table, eti_report_table_count(x->report),                                  \
             (size_t)eti_report_table(x->report, i))

static size_t n_named(const char *(*name)(size_t i)) {
    size_t n = 0;
    while (name(n))
        n++;
    return n;
}

static size_t n_modules(const eti_event *event) {
    return eti_event_op_node_count(event) ? eti_op_node_module_count(eti_event_op_node(event, 0))
                                          : 0;
}

static size_t n_tensors(const eti_event *event) {
    return eti_event_debug_data_count(event)
               ? eti_value_tensor_count(eti_event_debug_data(event, 0))
               : 0;
}

static size_t end_time(const eti_event *event, size_t i) {
    uint64_t time = 0;
    (void)eti_event_end_time(event, i, &time);
    return (size_t)time;
}

/* Begins both halves with a call, because the first call may build what the others use. */
#define DEFINE(name, count, call)                                                                  \
    static __attribute__((noinline)) void walk_##name(const context *x, size_t i, size_t n) {      \
        for (size_t end = i + n; i < end; i++)                                                     \
            kept += (call);                                                                        \
        (void)x;                                                                                   \
    }                                                                                              \
    static __attribute__((noinline)) void first_##name(const context *x, size_t n) {               \
        for (int k = 0; k < REPEATED; k++)                                                         \
            walk_##name(x, 0, n / 2);                                                              \
    }                                                                                              \
    static __attribute__((noinline)) void second_##name(const context *x, size_t n) {              \
        for (int k = 0; k < REPEATED; k++)                                                         \
            walk_##name(x, n / 2, n / 2);                                                          \
    }                                                                                              \
    static void both_##name(const context *x) {                                                    \
        size_t n = (count);                                                                        \
        (void)x;                                                                                   \
        if (n < FEW)                                                                               \
            return;                                                                                \
        walk_##name(x, 0, 1);                                                                      \
        printf("%s %zu\n", #name, n);                                                              \
        first_##name(x, n);                                                                        \
        second_##name(x, n);                                                                       \
    }
ACCESSORS(DEFINE)

static void check(eti_status status, const eti_error *err) {
    if (status == ETI_OK)
        return;
    fprintf(stderr, "accessors: %s\n", err->message);
    exit(1);
}

int main(int n_arguments, char **arguments) {
    context x = {0};
    eti_error err = ETI_ERROR_INIT;
    eti_request *request;
    check(eti_request_new(&request, &err), &err);
    static const char *const inputs[] = {"etdump_path", "etrecord_path", "debug_buffer_path"};
    for (int i = 1; i < n_arguments && i <= 3; i++)
        check(eti_request_set(request, inputs[i - 1], arguments[i], &err), &err);
    check(eti_inspector_open(&x.inspector, request, &err), &err);
    check(eti_inspector_report(&x.report, x.inspector, "events", NULL, &err), &err);
    x.block = eti_inspector_block(x.inspector, eti_inspector_block_count(x.inspector) - 1);
    x.event = x.op_event = eti_event_block_event(x.block, 0);
    for (size_t i = 0; i < eti_event_block_event_count(x.block); i++) {
        const eti_event *event = eti_event_block_event(x.block, i);
        if (eti_event_op_node_count(event) > eti_event_op_node_count(x.op_event))
            x.op_event = event;
    }
    x.table = eti_report_table(x.report, 0);
    check(eti_table_reader_open(&x.reader, x.table, &err), &err);
#define CALL(name, count, call) both_##name(&x);
    ACCESSORS(CALL)
    eti_table_reader_close(x.reader);
    eti_report_free(x.report);
    eti_inspector_close(x.inspector);
    eti_request_free(request);
    return 0;
}
