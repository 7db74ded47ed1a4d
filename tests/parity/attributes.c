/*
 * attributes - prints everything that an inspector knows about its inputs as one JSON document.
 *
 * It includes nothing of the project but etinspect.h: if an attribute of the Python Inspector
 * cannot be printed here, the API lacks something. The layout is that of testdata/observe.py,
 * except that stack traces and modules stand together in "op_nodes", that tensors come with their
 * bytes in hexadecimal (null where there are none), and that debug scalars say whether they are a
 * "float" or a "double", because the Inspector rounds the two differently. compare.py compensates for that.
 *
 *     attributes --etdump_path RUN [--etrecord_path RECORD] [--debug_buffer_path BUFFER]
 *                [--source_time_scale S] [--target_time_scale S] [--delegate_time_scale S]
 *                [--reference_graph_name NAME] [--module NAME]...
 *
 * Options that only change tables are accepted and have no effect.
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "etinspect.h"
#include "etrecord/etrecord.h"
#include "model/model.h"

/* ---- JSON
 * ---------------------------------------------------------------------------------------- */

static void print_text(eti_text text) {
    if (!text.data) {
        printf("null");
        return;
    }
    putchar('"');
    for (size_t i = 0; i < text.size; i++) {
        unsigned char c = (unsigned char)text.data[i];
        if (c < 0x20 || c == '"' || c == '\\')
            printf("\\u%04x", c);
        else
            putchar(c);
    }
    putchar('"');
}

static void print_hex(const void *data, size_t size) {
    const unsigned char *bytes = data;

    putchar('"');
    for (size_t i = 0; i < size; i++)
        printf("%02x", bytes[i]);
    putchar('"');
}

/* 17 digits distinguish all doubles; Python reads "3" as an integer, so there is always a point or
 * an exponent. */
static void print_double(double value) {
    printf("%.16e", value);
}

/* Writes the separator between two items of a list or an object. */
static void print_comma(size_t i) {
    if (i)
        putchar(',');
}

static void print_int64s(const int64_t *values, size_t n) {
    putchar('[');
    for (size_t i = 0; i < n; i++) {
        print_comma(i);
        printf("%" PRId64, values[i]);
    }
    putchar(']');
}

/* ---- debug data
 * ---------------------------------------------------------------------------------- */

static void print_tensor(const eti_tensor *tensor) {
    printf("{\"dtype\": \"torch.%s\", \"shape\": ", eti_tensor_dtype(tensor));
    print_int64s(eti_tensor_sizes(tensor), eti_tensor_dimension_count(tensor));
    printf(", \"bytes\": ");
    if (eti_tensor_data(tensor))
        print_hex(eti_tensor_data(tensor), eti_tensor_byte_count(tensor));
    else
        printf("null");
    putchar('}');
}

static void print_value(const eti_value *value) {
    switch (eti_value_kind_of(value)) {
    case ETI_VALUE_NONE:
        printf("null");
        break;
    case ETI_VALUE_INT:
        printf("%" PRId64, eti_value_as_int(value));
        break;
    case ETI_VALUE_BOOL:
        printf(eti_value_as_bool(value) ? "true" : "false");
        break;
    case ETI_VALUE_FLOAT:
    case ETI_VALUE_DOUBLE:
        printf("{\"%s\": ", eti_value_kind_of(value) == ETI_VALUE_FLOAT ? "float" : "double");
        print_double(eti_value_as_double(value));
        putchar('}');
        break;
    case ETI_VALUE_TENSOR:
        print_tensor(eti_value_tensor(value, 0));
        break;
    case ETI_VALUE_TENSOR_LIST:
        putchar('[');
        for (size_t i = 0; i < eti_value_tensor_count(value); i++) {
            print_comma(i);
            print_tensor(eti_value_tensor(value, i));
        }
        putchar(']');
        break;
    }
}

/* ---- events
 * -------------------------------------------------------------------------------------- */

static void print_delegate_id(eti_delegate_id id) {
    if (id.kind == ETI_DELEGATE_ID_INT)
        printf("%" PRId32, id.int_id);
    else if (id.kind == ETI_DELEGATE_ID_STRING)
        print_text(id.string_id);
    else
        printf("null");
}

static void print_debug_handles(eti_debug_handles handles) {
    if (handles.kind == ETI_HANDLES_INT)
        printf("%" PRId64, handles.handles[0]);
    else if (handles.kind == ETI_HANDLES_LIST)
        print_int64s(handles.handles, handles.n);
    else
        printf("null");
}

static void print_samples(const eti_event *event) {
    eti_summary summary;

    printf(",\n\"raw\": ");
    if (!eti_event_summary(event, &summary)) {
        printf("null,\n\"start_time\": null");
        return;
    }
    putchar('[');
    for (size_t i = 0; i < eti_event_sample_count(event); i++) {
        print_comma(i);
        print_double(eti_event_raw(event)[i]);
    }
    printf("],\n\"start_time\": [");
    for (size_t i = 0; i < eti_event_sample_count(event); i++) {
        print_comma(i);
        printf("%" PRIu64, eti_event_start_time(event)[i]);
    }
    putchar(']');

    const char *names[] = {"p10", "p50", "p90", "avg", "min", "max"};
    const double values[] = {summary.p10, summary.p50, summary.p90,
                             summary.avg, summary.min, summary.max};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        printf(",\n\"%s\": ", names[i]);
        print_double(values[i]);
    }
}

/* [name, stack trace, modules] */
static void print_op_node(const eti_op_node *node) {
    putchar('[');
    print_text(eti_op_node_name(node));
    putchar(',');
    print_text(eti_op_node_stack_trace(node));
    printf(eti_op_node_has_modules(node) ? ",[" : ",null");
    for (size_t i = 0; i < eti_op_node_module_count(node); i++) {
        const eti_module *module = eti_op_node_module(node, i);
        print_comma(i);
        putchar('[');
        print_text(eti_module_key(module));
        putchar(',');
        print_text(eti_module_path(module));
        putchar(',');
        print_text(eti_module_type(module));
        putchar(']');
    }
    printf(eti_op_node_has_modules(node) ? "]]" : "]");
}

static void print_event(const eti_event *event) {
    printf("{\n\"name\": ");
    print_text(eti_event_name(event));
    printf(",\n\"instruction_id\": %" PRId32, eti_event_instruction_id(event));
    printf(",\n\"is_delegated_op\": %s", eti_event_is_delegated_op(event) ? "true" : "false");
    printf(",\n\"delegate_debug_identifier\": ");
    print_delegate_id(eti_event_delegate_debug_identifier(event));
    printf(",\n\"delegate_backend_name\": ");
    print_text(eti_event_delegate_backend_name(event));
    printf(",\n\"debug_handles\": ");
    print_debug_handles(eti_event_debug_handles(event));
    printf(",\n\"num_outputs\": %" PRId64, eti_event_num_outputs(event));

    printf(",\n\"delegate_debug_metadatas\": [");
    for (size_t i = 0; i < eti_event_delegate_debug_metadata_count(event); i++) {
        eti_text metadata = eti_event_delegate_debug_metadata(event, i);

        print_comma(i);
        print_hex(metadata.data, metadata.size);
    }
    printf("],\n\"op_types\": [");
    for (size_t i = 0; i < eti_event_op_type_count(event); i++) {
        print_comma(i);
        print_text(eti_event_op_type(event, i));
    }
    printf("],\n\"debug_data\": [");
    for (size_t i = 0; i < eti_event_debug_data_count(event); i++) {
        print_comma(i);
        print_value(eti_event_debug_data(event, i));
    }
    printf("],\n\"op_nodes\": [");
    for (size_t i = 0; i < eti_event_op_node_count(event); i++) {
        print_comma(i);
        print_op_node(eti_event_op_node(event, i));
    }
    putchar(']');
    print_samples(event);
    putchar('}');
}

static void print_block(const eti_event_block *block) {
    printf("{\n\"name\": ");
    print_text(eti_event_block_name(block));
    printf(",\n\"bundled_input_index\": %" PRId32, eti_event_block_bundled_input_index(block));
    printf(",\n\"run_output\": [");
    for (size_t i = 0; i < eti_event_block_run_output_count(block); i++) {
        print_comma(i);
        print_value(eti_event_block_run_output(block, i));
    }
    size_t n_references = eti_event_block_reference_output_count(block);
    printf("],\n\"reference_output\": %s", n_references > 0 ? "[" : "null");
    for (size_t i = 0; i < n_references; i++) {
        print_comma(i);
        print_value(eti_event_block_reference_output(block, i));
    }
    printf("%s,\n\"events\": [", n_references > 0 ? "]" : "");
    for (size_t i = 0; i < eti_event_block_event_count(block); i++) {
        print_comma(i);
        print_event(eti_event_block_event(block, i));
    }
    printf("]}");
}

static void print_inspector(const eti_inspector *inspector, char *const *modules,
                            size_t n_modules) {
    printf("{\"event_blocks\": [");
    for (size_t i = 0; i < eti_inspector_block_count(inspector); i++) {
        print_comma(i);
        print_block(eti_inspector_block(inspector, i));
    }
    printf("],\n\"find_total_for_module\": {");
    for (size_t i = 0; i < n_modules; i++) {
        print_comma(i);
        print_text((eti_text){modules[i], strlen(modules[i])});
        printf(": ");
        print_double(eti_inspector_find_total_for_module(inspector, modules[i]));
    }
    printf("}}\n");
}

/* ---- command line
 * -------------------------------------------------------------------------------- */

enum {
    ETDUMP,
    ETRECORD,
    DEBUG_BUFFER,
    SOURCE,
    TARGET,
    DELEGATE,
    GRAPH,
    MODULE,
    IGNORED,
    N_OPTIONS
};

static const struct option OPTIONS[] = {
    {"etdump_path", required_argument, NULL, ETDUMP},
    {"etrecord_path", required_argument, NULL, ETRECORD},
    {"debug_buffer_path", required_argument, NULL, DEBUG_BUFFER},
    {"source_time_scale", required_argument, NULL, SOURCE},
    {"target_time_scale", required_argument, NULL, TARGET},
    {"delegate_time_scale", required_argument, NULL, DELEGATE},
    {"reference_graph_name", required_argument, NULL, GRAPH},
    {"module", required_argument, NULL, MODULE},
    {"delegate_metadata", required_argument, NULL, IGNORED},
    {"no-include_units", no_argument, NULL, IGNORED},
    {"include_delegate_debug_data", no_argument, NULL, IGNORED},
    {NULL, 0, NULL, 0},
};

static eti_time_scale scale_or(const char *name, eti_time_scale fallback) {
    if (name && !eti_time_scale_parse(name, &fallback))
        fprintf(stderr, "attributes: unknown time scale %s\n", name);
    return fallback;
}

int main(int argc, char **argv) {
    char *given[N_OPTIONS] = {NULL};
    char **modules = argv; /* getopt has already moved the options to the front */
    size_t n_modules = 0;
    int option;

    while ((option = getopt_long(argc, argv, "", OPTIONS, NULL)) != -1) {
        if (option == '?')
            return 2;
        if (option == MODULE)
            modules[n_modules++] = optarg;
        given[option] = optarg;
    }

    eti_source etdump = {.path = given[ETDUMP]};
    eti_source etrecord = {.path = given[ETRECORD]};
    eti_source debug_buffer = {.path = given[DEBUG_BUFFER]};
    eti_inputs inputs = {.etdumps = &etdump,
                         .n_etdumps = 1,
                         .etrecord = given[ETRECORD] ? &etrecord : NULL,
                         .debug_buffer = given[DEBUG_BUFFER] ? &debug_buffer : NULL};
    eti_options options = ETI_OPTIONS_DEFAULT;
    options.source_time_scale = scale_or(given[SOURCE], options.source_time_scale);
    options.target_time_scale = scale_or(given[TARGET], options.target_time_scale);
    eti_delegate_time_scale delegate = {NULL, scale_or(given[DELEGATE], ETI_SCALE_NS), 0};
    options.delegate_time_scales = &delegate;
    options.n_delegate_time_scales = given[DELEGATE] != NULL;
    options.reference_graph = given[GRAPH];

    eti_inspector *inspector;
    eti_error err = ETI_ERROR_INIT;
    eti_status status = eti__inspector_open(&inspector, &inputs, &options, &err);
    if (status == ETI_OK)
        status = eti_inspector_read_reference_outputs(inspector, &err);
    if (status != ETI_OK) {
        fprintf(stderr, "attributes: %s\n", err.message);
        return 3;
    }
    print_inspector(inspector, modules, n_modules);
    eti_inspector_close(inspector);
    return 0;
}
