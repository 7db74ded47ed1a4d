/*
 * fuzz_vulkan.c - the input is the payload of a Vulkan delegate, or names of its events, each ended by a NUL. A payload is
 * read; then its calls are found again among nodes with the same operators, and among events that name them. Names are read,
 * and their calls are looked up in a graph with one call of each operator.
 */
#include "fuzz.h"

#include "backends/backends.h"
#include "etrecord/etrecord.h"
#include "inside/inside.h"

#define MOST_CALLS 64u
#define MOST_NAMES 64u

/* ---- payloads -------------------------------------------------------------------------------- */

/* Checks that all numbers of a graph lead to items, and reads its tensors. */
static void expect_sound(const eti_vulkan *graph, eti_arena *arena) {
    for (uint32_t i = 0; i < graph->n_constants; i++)
        fuzz_touch(graph->constants[i].name);
    for (uint32_t i = 0; i < graph->n_calls; i++) {
        const eti_vulkan_call *call = &graph->calls[i];
        eti_delegate_event event = {.role = ETI_DELEGATE_NODE};
        fuzz_touch(call->op);
        for (uint32_t k = 0; k < call->n_inputs + call->n_outputs; k++) {
            uint32_t value = graph->links[call->first_link + k];
            FUZZ_EXPECT(value < graph->n_values);
            FUZZ_EXPECT(graph->constants_of[value] == ETI_VULKAN_NONE ||
                        graph->constants_of[value] < graph->n_constants);
        }
        FUZZ_EXPECT(eti__vulkan_set_tensors(graph, i, &event, arena));
    }
    FUZZ_EXPECT(eti__vulkan_count_run(graph) <= graph->n_calls);
}

/* Checks the nodes of all calls. */
static void expect_nodes(const eti_call_nodes *found, const eti_vulkan *graph,
                         const eti_graph_node *nodes, size_t n) {
    for (uint32_t i = 0; i < graph->n_calls; i++) {
        FUZZ_EXPECT(found[i].n_own <= found[i].n);
        FUZZ_EXPECT(found[i].n == 0 || found[i].attribution != ETI_ATTRIBUTION_CALL);
        for (uint32_t k = 0; k < found[i].n; k++) {
            const eti_graph_node *node = (const eti_graph_node *)(const void *)found[i].nodes[k];
            FUZZ_EXPECT(node >= nodes && node < nodes + n);
        }
    }
}

/* Finds the calls of a graph among nodes in a row with the operators of the first calls, and events among the calls. */
static void find_again(const eti_vulkan *graph, eti_arena *arena) {
    eti_graph_node nodes[MOST_CALLS];
    const eti_graph_node *producers[MOST_CALLS];
    const eti_op_node *list[MOST_CALLS];
    eti_delegate_event events[MOST_CALLS];
    const eti_delegate_event *event_list[MOST_CALLS] = {NULL};
    uint32_t calls[MOST_CALLS], n = graph->n_calls < MOST_CALLS ? graph->n_calls : MOST_CALLS;
    eti_attribution attribution;
    size_t work = 0;
    for (uint32_t i = 0; i < n; i++) {
        producers[i] = i > 0 ? &nodes[i - 1] : NULL;
        nodes[i] = (eti_graph_node){.op_type = graph->calls[i].op,
                                    .has_debug_handle = true,
                                    .debug_handle = i,
                                    .producers = &producers[i],
                                    .n_producers = i > 0};
        list[i] = &nodes[i].node;
        events[i] = (eti_delegate_event){.role = ETI_DELEGATE_NODE,
                                         .op = graph->calls[i].op,
                                         .kernel = graph->calls[i].op,
                                         .operator_number = i};
        if (i % 3 == 0)
            events[i].op = (eti_text){NULL, 0};
        event_list[i] = &events[i];
    }
    const eti_call_nodes *found = eti__vulkan_nodes_find(arena, graph, list, n, NULL, &work);
    FUZZ_EXPECT(found);
    expect_nodes(found, graph, nodes, n);
    FUZZ_EXPECT(eti__vulkan_calls_find(calls, graph, event_list, n, &attribution, &work));
    for (uint32_t i = 0; i < n; i++)
        FUZZ_EXPECT(calls[i] == ETI_VULKAN_NONE || calls[i] < graph->n_calls);
}

static void read_payload(eti_text payload) {
    eti_arena arena = {0};
    eti_error err = ETI_ERROR_INIT;
    eti_vulkan graph;
    eti_status status = eti__vulkan_read(&graph, &arena, payload, &err);
    if (status == ETI_OK) {
        expect_sound(&graph, &arena);
        find_again(&graph, &arena);
    } else {
        fuzz_expect_error(status, &err);
    }
    eti__arena_free(&arena);
}

/* ---- names ----------------------------------------------------------------------------------- */

static void read_name(eti_text name, eti_delegate_event *out, eti_arena *arena) {
    const eti_logged_event logged = {.name = name, .has_id = true};
    eti_backend backend = eti__backend_of_event(&logged);
    FUZZ_EXPECT(backend >= ETI_BACKEND_OTHER && backend < ETI_N_BACKENDS);
    FUZZ_EXPECT(eti__delegate_event_read(out, ETI_BACKEND_VULKAN, &logged, arena));
    fuzz_touch(out->label);
    fuzz_touch(out->kernel);
    fuzz_touch(out->op);
    fuzz_touch(out->node);
    FUZZ_EXPECT(out->label.size > 0 && out->level <= ETI_MOST_LEVELS);
    for (uint32_t i = 0; i < out->n_tensors; i++) {
        fuzz_touch(out->tensors[i].dtype);
        fuzz_touch_bytes(out->tensors[i].sizes,
                         out->tensors[i].n_sizes * sizeof *out->tensors[i].sizes);
    }
}

static void read_names(eti_text text) {
    eti_arena arena = {0};
    eti_delegate_event events[MOST_NAMES];
    const eti_delegate_event *list[MOST_NAMES] = {NULL};
    eti_vulkan_call calls[MOST_NAMES] = {{0}};
    const uint32_t none[1] = {ETI_VULKAN_NONE};
    eti_vulkan graph = {.calls = calls, .links = none, .constants_of = none, .tables = none};
    uint32_t found[MOST_NAMES], n = 0;
    eti_attribution attribution;
    size_t work = 0;
    while (text.size > 0 && n < MOST_NAMES) {
        const char *end = memchr(text.data, 0, text.size);
        size_t size = end ? (size_t)(end - text.data) : text.size;
        if (size > 0) {
            read_name((eti_text){text.data, size}, &events[n], &arena);
            calls[n] = (eti_vulkan_call){.node_id = n, .op = events[n].op};
            list[n] = &events[n];
            n++;
        }
        size += end != NULL;
        text = (eti_text){text.data + size, text.size - size};
    }
    graph.n_calls = n;
    FUZZ_EXPECT(eti__vulkan_calls_find(found, &graph, list, n, &attribution, &work));
    for (uint32_t i = 0; i < n; i++)
        FUZZ_EXPECT(found[i] == ETI_VULKAN_NONE || found[i] < n);
    FUZZ_EXPECT(eti__vulkan_of_events(&graph, found, &arena, list, n));
    for (uint32_t i = 0; i < n; i++)
        FUZZ_EXPECT(found[i] == ETI_VULKAN_NONE || found[i] < graph.n_calls);
    find_again(&graph, &arena);
    eti__arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    eti_text text = {data ? (const char *)data : "", size};
    if (size >= 8 && memcmp(text.data + 4, "VH00", 4) == 0)
        read_payload(text);
    else
        read_names(text);
    return 0;
}
