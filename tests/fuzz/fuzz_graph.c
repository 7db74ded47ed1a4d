/*
 * fuzz_graph.c - the input is the JSON of an exported program, as stored in an ETRecord. It is
 * read as one text and in pieces of a few bytes; both must give the same graph or the same error.
 */

#include "json_input.h"
#include "walk.h"

typedef struct outcome {
    eti_arena arena;
    eti_graph graph;
    eti_status status;
    eti_error error;
} outcome;

static outcome read_as_text(eti_text text) {
    outcome out = {.arena = {0}};
    eti_json json;
    eti__json_open_text(&json, text);
    out.status = eti__graph_read(&out.graph, &out.arena, &json, &out.error);
    return out;
}

static outcome read_as_pieces(eti_text text, size_t piece) {
    outcome out = {.arena = {0}};
    json_pieces pieces = {text, piece};
    eti_json json;
    eti__json_open_stream(&json, (eti_json_source){json_read_piece, &pieces});
    out.status = eti__graph_read(&out.graph, &out.arena, &json, &out.error);
    return out;
}

static void expect_same_node(const eti_graph_node *a, const eti_graph_node *b) {
    FUZZ_EXPECT(fuzz_same_text(a->node.name, b->node.name));
    FUZZ_EXPECT(fuzz_same_text(a->node.stack_trace, b->node.stack_trace));
    FUZZ_EXPECT(fuzz_same_text(a->op_type, b->op_type));
    FUZZ_EXPECT(fuzz_same_text(a->target, b->target));
    FUZZ_EXPECT(a->has_debug_handle == b->has_debug_handle && a->debug_handle == b->debug_handle);
    FUZZ_EXPECT(a->node.n_modules == b->node.n_modules);
    FUZZ_EXPECT(a->node.has_modules == b->node.has_modules);
    for (size_t i = 0; i < a->node.n_modules; i++) {
        FUZZ_EXPECT(fuzz_same_text(a->node.modules[i].key, b->node.modules[i].key));
        FUZZ_EXPECT(fuzz_same_text(a->node.modules[i].path, b->node.modules[i].path));
        FUZZ_EXPECT(fuzz_same_text(a->node.modules[i].type, b->node.modules[i].type));
    }
}

static void expect_same(const outcome *a, const outcome *b) {
    FUZZ_EXPECT(a->status == b->status);
    if (a->status != ETI_OK) {
        fuzz_expect_error(a->status, &a->error);
        FUZZ_EXPECT(strcmp(a->error.message, b->error.message) == 0);
        return;
    }
    FUZZ_EXPECT(a->graph.n_nodes == b->graph.n_nodes);
    for (size_t i = 0; i < a->graph.n_nodes; i++) {
        walk_op_node(&a->graph.nodes[i].node);
        expect_same_node(&a->graph.nodes[i], &b->graph.nodes[i]);
    }
}

/* torch.fx never repeats a name. Only neighbours are compared: comparing all pairs would take quadratic time. */
static void expect_own_names(const eti_graph *graph) {
    enum { NEIGHBOURS = 8 };
    for (size_t i = 0; i < graph->n_nodes; i++) {
        for (size_t k = i + 1; k < graph->n_nodes && k <= i + NEIGHBOURS; k++)
            FUZZ_EXPECT(!fuzz_same_text(graph->nodes[i].node.name, graph->nodes[k].node.name));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    eti_text text = {data ? (const char *)data : "", size};
    outcome whole = read_as_text(text);
    outcome pieces = read_as_pieces(text, 1 + size % 13);
    expect_same(&whole, &pieces);
    if (whole.status == ETI_OK) {
        FUZZ_EXPECT(json_is_well_formed(text));
        expect_own_names(&whole.graph);
    }
    eti__arena_free(&whole.arena);
    eti__arena_free(&pieces.arena);
    return 0;
}
