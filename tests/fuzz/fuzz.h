/*
 * fuzz.h - what the fuzz targets share: using everything of the public API on inputs that may be
 * hostile.
 */
#ifndef ETI_TESTS_FUZZ_H
#define ETI_TESTS_FUZZ_H

#include "etinspect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A checksum that keeps reads from being optimised away. */
static volatile uint64_t fuzz_sum;

static inline void fuzz_touch(eti_text text) {
    for (size_t i = 0; i < text.size; i++)
        fuzz_sum += (unsigned char)text.data[i];
}

static inline bool fuzz_write(void *context, const void *data, size_t size) {
    (void)context;
    fuzz_touch((eti_text){data, size});
    return true;
}

static inline void fuzz_value(const eti_value *value) {
    for (size_t i = 0; i < value->n_tensors; i++) {
        const eti_tensor *tensor = &value->tensors[i];
        fuzz_touch((eti_text){(const char *)tensor->data, tensor->n_bytes});
        fuzz_touch((eti_text){(const char *)tensor->sizes, tensor->n_dims * sizeof(int64_t)});
    }
}

static inline void fuzz_event(const eti_event *event) {
    fuzz_touch(eti_event_name(event));
    fuzz_touch(eti_event_delegate_backend_name(event));
    for (size_t i = 0; i < eti_event_op_node_count(event); i++) {
        const eti_op_node *node = eti_event_op_node(event, i);
        fuzz_touch(node->name);
        fuzz_touch(node->stack_trace);
        for (size_t m = 0; m < node->n_modules; m++)
            fuzz_touch(node->modules[m].type);
    }
    for (size_t i = 0; i < eti_event_debug_data_count(event); i++)
        fuzz_value(eti_event_debug_data(event, i));
}

static inline void fuzz_tables(const eti_inspector *inspector) {
    for (int form = ETI_METADATA_BYTES; form <= ETI_METADATA_JSON; form++) {
        eti_table_options options = {true, true, (eti_metadata_form)form};
        eti_table *table;
        if (eti_inspector_events_table(&table, inspector, &options, NULL) != ETI_OK)
            continue;
        const char *format;
        for (size_t i = 0; (format = eti_format_name(i)); i++)
            (void)!eti_table_write(table, format, fuzz_write, NULL, NULL);
        eti_table_free(table);
    }
}

static inline void fuzz_inspect(eti_inputs inputs) {
    eti_error err = {0};
    eti_inspector *inspector;
    if (eti_inspector_open(&inspector, &inputs, NULL, &err) != ETI_OK) {
        if (err.message[0] == '\0' || strchr(err.message, '\n'))
            abort(); /* every failure has one line to tell */
        return;
    }
    for (size_t b = 0; b < eti_inspector_block_count(inspector); b++) {
        const eti_event_block *block = eti_inspector_block(inspector, b);
        for (size_t i = 0; i < eti_event_block_event_count(block); i++)
            fuzz_event(eti_event_block_event(block, i));
        for (size_t i = 0; i < eti_event_block_run_output_count(block); i++)
            fuzz_value(eti_event_block_run_output(block, i));
    }
    fuzz_tables(inspector);
    eti_inspector_close(inspector);
}

/* A file of testdata, read once. */
static inline eti_source fuzz_file(const char *path) {
    static eti_file *file;
    if (!file && eti_file_open(&file, path, NULL) != ETI_OK)
        abort();
    return eti_file_source(file);
}

#endif
