/*
 * fuzz_etrecord.c - the input is an ETRecord. libzip must read each of its members with the same result. Its maps are
 * looked up and all its graphs are read, with and without lowered modules; then it is opened beside a dump whose events have the first
 * instruction ids, so that maps and graph are used.
 */

#include "../oracle/zip_comparison.h"
#include "walk.h"

#define MOST_METHODS_LOOKED_AT 16

/* Names of graphs that records of the corpus have. */
static const char *const reference_graphs[] = {ETI_EDGE_GRAPH, "before/edge", "before/forward"};

/* Ids that the maps may have, and their neighbours. */
static void look_up(const eti_etrecord *record, size_t method) {
    for (int32_t id = -2; id < 24; id++) {
        eti_debug_handles handles;
        if (eti__etrecord_find_handles(record, method, id, &handles))
            fuzz_touch_bytes(handles.handles, handles.n * sizeof *handles.handles);
        const eti_delegate_call *call = eti__etrecord_find_delegate(record, method, id);
        for (size_t i = 0; call && i < call->n_entries; i++) {
            fuzz_touch(call->entries[i].identifier);
            handles = call->entries[i].handles;
            fuzz_touch_bytes(handles.handles, handles.n * sizeof *handles.handles);
        }
        fuzz_sum += (uint64_t)eti__etrecord_find_num_outputs(record, method, id);
    }
}

static void touch_graph(eti_status status, const eti_graph *graph, const eti_error *err) {
    if (status != ETI_OK) {
        fuzz_expect_error(status, err);
        return;
    }
    for (size_t i = 0; i < graph->n_nodes; i++)
        walk_op_node(&graph->nodes[i].node);
}

/* Reads the same graph again, followed by the nodes and payloads of its lowered modules. */
static void read_lowered(eti_etrecord *record, size_t method, const eti_graph *plain) {
    eti_error err = ETI_ERROR_INIT;
    eti_graph graph;
    eti_status status = eti__etrecord_read_lowered(record, method, &graph, &err);
    if (status != ETI_OK) {
        fuzz_expect_error(status, &err);
        return;
    }
    size_t n_lowered = 0, n_payload = 0;
    for (size_t i = 0; i < graph.n_modules; i++) {
        fuzz_touch(graph.modules[i].backend);
        fuzz_touch(graph.modules[i].payload);
        n_lowered += graph.modules[i].n_nodes;
        n_payload += graph.modules[i].payload.size;
    }
    FUZZ_EXPECT(n_lowered == graph.n_lowered && graph.n_nodes == plain->n_nodes);
    FUZZ_EXPECT(graph.n_modules <= ETI_MOST_LOWERED_MODULES && n_payload <= ETI_MOST_PAYLOAD);
    graph = eti__graph_whole(&graph);
    touch_graph(ETI_OK, &graph, &err);
}

/* Reads every member; together they use up the limit on inflated bytes. */
static void read_all(eti_etrecord *record) {
    eti_error err = ETI_ERROR_INIT;
    eti_graph graph;
    for (size_t i = 0; i < eti__etrecord_method_count(record); i++) {
        fuzz_touch(eti__etrecord_method_name(record, i));
        if (i < MOST_METHODS_LOOKED_AT)
            look_up(record, i);
        fuzz_sum += eti__etrecord_method_instruction_count(record, i);
        eti_status status = eti__etrecord_read_graph(record, i, &graph, &err);
        FUZZ_EXPECT(eti__etrecord_method_has_graph(record, i) ||
                    (status == ETI_OK && graph.n_nodes == 0));
        touch_graph(status, &graph, &err);
        if (status == ETI_OK)
            read_lowered(record, i, &graph);
    }
    for (size_t i = 0; i < sizeof reference_graphs / sizeof *reference_graphs; i++) {
        eti_status status =
            eti__etrecord_read_reference_graph(record, 0, reference_graphs[i], &graph, &err);
        if (status != ETI_ERROR_USAGE) /* the record has no such graph */
            touch_graph(status, &graph, &err);
    }
    uint64_t id;
    if (eti__etrecord_export_graph_id(record, &id))
        fuzz_sum += id;
}

static void ask_libzip(const eti_source *source) {
    char why[256];
    bool agree = zip_compare_readers(source->data, source->size, why) != ZIP_DISAGREE;
    if (!agree)
        fprintf(stderr, "%s\n", why);
    FUZZ_EXPECT(agree);
}

static void read_alone(const eti_source *source) {
    struct eti_file file;
    eti_arena arena = {0};
    eti_etrecord *record;
    eti_error err = ETI_ERROR_INIT;
    FUZZ_EXPECT(eti__file_open_source(&file, source, NULL) == ETI_OK);
    eti_status status = eti__etrecord_open(&record, &arena, &file, &err);
    if (status == ETI_OK) {
        read_all(record);
        eti__etrecord_close(record);
    } else {
        fuzz_expect_error(status, &err);
    }
    eti__arena_free(&arena);
    eti__file_release(&file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    eti_source record = {"fuzz.etrecord", data ? data : (const uint8_t *)"", size};
    eti_source dump = fuzz_file("testdata/delegate-ids/run.etdp");
    const eti_inputs inputs = {.etdumps = &dump, .n_etdumps = 1, .etrecord = &record};
    ask_libzip(&record);
    read_alone(&record);
    fuzz_inspect(&inputs, &fuzz_options, NULL);
    return 0;
}
