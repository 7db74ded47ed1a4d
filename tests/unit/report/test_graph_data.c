#include "inspector_fixture.h"

#include "account/account.h"
#include "base/json_writer.h"
#include "places/places.h"
#include "report/graph_data.h"
#include "report/layout.h"
#include "rollup/rollup.h"
#include "stats/stats.h"

#include <math.h>
#include <string.h>

/* ==== graph data ============================================================================== */

/* Returns the text added for a graph; the caller frees it. */
static eti_buffer add(const eti_timed_graph *graph, bool leaves_out_large) {
    eti_error err = ETI_ERROR_INIT;
    eti_buffer out = {0};
    eti_json_writer json = eti__json_writer(&out, ETI_JSON_SPACED);
    assert_ok(eti__graph_data_add(&json, graph, leaves_out_large, &err));
    eti__buffer_add_char(&out, '\0');
    assert_false(out.failed);
    return out;
}

static void assert_data(const eti_timed_graph *graph, bool leaves_out_large, const char *expected) {
    eti_buffer out = add(graph, leaves_out_large);
    assert_string_equal(out.data, expected);
    eti__buffer_free(&out);
}

/* The model, "a", "b". */
static const eti_timed_module modules[] = {
    {.name = {NULL, 0}},
    {.parent = 0, .name = {"M", 1}, .part = {"", 0}},
    {.parent = 1, .name = {"a", 1}, .part = {"a", 1}},
    {.parent = 1, .name = {"b", 1}, .part = {"b", 1}},
};

/* x -> relu and tanh in "a" -> add in the model, which takes x, too. */
static const uint32_t x[] = {0}, relu[] = {1}, tanh_and_x[] = {2, 0};

static eti_timed_graph make_graph(eti_timed_node nodes[4]) {
    nodes[0] = (eti_timed_node){.name = {"x", 1},
                                .op = {"(input)", 7},
                                .is_input = true,
                                .total = (double)NAN,
                                .typical = (double)NAN};
    nodes[1] = (eti_timed_node){.op = {"relu", 4},
                                .module_number = 2,
                                .input_nodes = x,
                                .n_inputs = 1,
                                .total = 1,
                                .typical = 1,
                                .share = 0.25};
    nodes[2] = (eti_timed_node){.op = {"tanh", 4},
                                .module_number = 2,
                                .input_nodes = relu,
                                .n_inputs = 1,
                                .total = 2,
                                .typical = 2,
                                .share = 0.5};
    nodes[3] = (eti_timed_node){.op = {"an_operator_with_a_long_name", 28},
                                .module_number = 1,
                                .input_nodes = tanh_and_x,
                                .n_inputs = 2,
                                .total = 1,
                                .typical = 1,
                                .share = 0.25};
    nodes[0].share = (double)NAN;
    for (size_t i = 0; i < 4; i++)
        nodes[i].lowered = nodes[i].call = ETI_NO_NODE;
    return (eti_timed_graph){
        .nodes = nodes, .n_nodes = 4, .modules = modules, .n_modules = 4, .has_times = true};
}

#define FLAT                                                                                       \
    "[\n{\"depth\": 1, \"width\": 319, \"height\": 180, \"rest_typical\": null, \"rest_share\": "  \
    "null,\n"                                                                                      \
    " \"nodes\": {\"row\": [0,1,3], \"x\": [154,215,126], \"layer\": [0,1,2], "                    \
    "\"width\": [128,208,252], \"module\": [null,\"a\",null], \"members\": [[0],[1,2],[3]], "      \
    "\"typical\": [null,3.0,1.0], \"share\": [null,0.75,0.25]},\n"                                 \
    " \"points\": {\"x\": [93], \"layer\": [1], \"above\": [0]},\n"                                \
    " \"lines\": {\"from\": [0,0,1], \"to\": [1,2,2], \"above\": [0,3,1]},\n"                      \
    " \"layers\": {\"y\": [0,70,140], \"height\": [40,40,40]}},\n"

#define ALL                                                                                        \
    "{\"depth\": 0, \"width\": 252, \"height\": 250, \"rest_typical\": null, \"rest_share\": "     \
    "null,\n"                                                                                      \
    " \"nodes\": {\"row\": [0,1,2,3], \"x\": [133,174,174,126], \"layer\": [0,1,2,3], "            \
    "\"width\": [128,128,128,252]},\n"                                                             \
    " \"points\": {\"x\": [92,92], \"layer\": [1,2], \"above\": [0,4]},\n"                         \
    " \"lines\": {\"from\": [0,1,0,2], \"to\": [1,2,3,3], \"above\": [0,1,5,2]},\n"                \
    " \"layers\": {\"y\": [0,70,140,210], \"height\": [40,40,40,40]}}\n]"

static void each_depth_is_drawn(void **state) {
    (void)state;
    eti_timed_node nodes[4];
    eti_timed_graph graph = make_graph(nodes);
    assert_data(&graph, false, FLAT ALL);
}

static void large_parts_are_left_out(void **state) {
    (void)state;
    eti_timed_node nodes[4];
    eti_timed_graph graph = make_graph(nodes);
    assert_data(&graph, true,
                FLAT "{\"depth\": 0, \"reason\": \"left out to keep the page small\"}\n]");
    /* a graph without modules has only one drawing */
    for (size_t i = 0; i < 4; i++)
        nodes[i].module_number = 0;
    eti_buffer out = add(&graph, true);
    assert_non_null(strstr(out.data, "\"lines\""));
    eti__buffer_free(&out);
    graph.n_nodes = 0;
    assert_data(&graph, false, "");
}

/* Modules of a graph that is too large are still drawn. */
static void a_large_graph_has_its_modules(void **state) {
    (void)state;
    size_t n = ETI_LAYOUT_MOST_NODES + 1;
    eti_timed_node *nodes = calloc(n, sizeof *nodes);
    assert_non_null(nodes);
    for (size_t i = 0; i < n; i++)
        nodes[i] = (eti_timed_node){.op = {"op", 2},
                                    .module_number = i < n / 2 ? 2 : 3,
                                    .lowered = ETI_NO_NODE,
                                    .call = ETI_NO_NODE};
    eti_timed_graph graph = {.nodes = nodes, .n_nodes = n, .modules = modules, .n_modules = 4};
    eti_buffer out = add(&graph, false);
    assert_non_null(strstr(out.data, "\"module\": [\"a\",\"b\"]"));
    assert_non_null(strstr(
        out.data,
        "{\"depth\": 0, \"reason\": \"the graph has 5001 nodes: at most 5000 are drawn\"}\n]"));
    eti__buffer_free(&out);
    free(nodes);
}

/* ==== contraction ============================================================================= */

/* ---- properties of a contraction ------------------------------------------------------------- */

/* Returns whether a path is that of a module or of one inside it. */
static bool lies_in(eti_text path, eti_text module) {
    return path.size >= module.size && memcmp(path.data, module.data, module.size) == 0 &&
           (path.size == module.size || path.data[module.size] == '.');
}

static double add_contracted(double sum, double time) {
    return isnan(time) ? sum : sum + time;
}

/* Checks that each node is in at most one drawn node, and that no time is lost. */
static void assert_members(const eti_contraction *of, const eti_timed_graph *graph) {
    bool *is_member = calloc(graph->n_nodes + 1, sizeof *is_member);
    double all = 0, drawn = add_contracted(add_contracted(0, of->rest_typical), of->other_typical);
    double all_share = 0,
           share = add_contracted(add_contracted(0, of->rest_share), of->other_share);
    assert_non_null(is_member);
    for (size_t i = 0; i < of->n_nodes; i++) {
        const eti_drawn_node *node = &of->nodes[i];
        double own = 0;
        assert_true(node->n_members > 0);
        assert_true(node->n_members == 1 || node->module.size > 0);
        for (size_t k = 0; k < node->n_members; k++) {
            const eti_timed_node *member = &graph->nodes[node->members[k]];
            assert_true(node->members[k] < graph->n_nodes);
            assert_false(is_member[node->members[k]]);
            assert_false(member->is_weight || member->is_call);
            assert_true(!node->module.data || lies_in(member->module, node->module));
            is_member[node->members[k]] = true;
            own = add_contracted(own, member->typical);
        }
        assert_true(own <= add_contracted(0, node->typical) + 1e-9);
        if (i > 0 && node->module.size > 0) /* consecutive modules are one */
            assert_false(eti__text_equal(node->module, of->nodes[i - 1].module));
        drawn = add_contracted(drawn, node->typical);
        share = add_contracted(share, node->share);
    }
    for (size_t i = 0; i < graph->n_nodes + graph->n_rest; i++) {
        all = add_contracted(all, graph->nodes[i].typical);
        all_share = add_contracted(all_share, graph->nodes[i].share);
        if (i < graph->n_nodes &&
            !is_member[i]) /* omitted nodes took no time, except weights and calls */
            assert_true(graph->nodes[i].is_weight || graph->nodes[i].is_call ||
                        !(graph->nodes[i].total > 0));
    }
    assert_true(fabs(all - drawn) <= 1e-9 * all && fabs(all_share - share) <= 1e-9);
    free(is_member);
}

/* Checks that edges lead down the order, so that there is no cycle, and connect nodes that the graph connects. */
static void assert_edges(const eti_contraction *of, const eti_timed_graph *graph) {
    size_t n = 0, *node_of = calloc(graph->n_nodes + 1, sizeof *node_of);
    bool *is_edge = calloc(of->n_nodes * of->n_nodes + 1, sizeof *is_edge);
    assert_non_null(node_of);
    assert_non_null(is_edge);
    for (size_t i = 0; i < of->n_nodes; i++) {
        for (size_t k = 0; k < of->nodes[i].n_members; k++)
            node_of[of->nodes[i].members[k]] = i + 1;
    }
    for (size_t i = 0; i < of->n_edges; i++) {
        assert_true(of->edges[i].from < of->edges[i].to && of->edges[i].to < of->n_nodes);
        is_edge[of->edges[i].from * of->n_nodes + of->edges[i].to] = true;
    }
    for (size_t i = 0; i < graph->n_nodes; i++) {
        const eti_timed_node *node = &graph->nodes[i];
        for (size_t k = 0; k < node->n_inputs; k++) {
            uint32_t from = node->input_nodes[k];
            if (from == ETI_NO_NODE || !node_of[i] || !node_of[from] || node_of[i] == node_of[from])
                continue;
            assert_true(is_edge[(node_of[from] - 1) * of->n_nodes + node_of[i] - 1]);
            n++;
        }
    }
    assert_int_equal(of->n_edges, n);
    free(node_of);
    free(is_edge);
}

/* Contracts a graph to a depth, and returns the number of remaining nodes. */
static size_t check_contraction(const eti_timed_graph *graph, size_t depth) {
    eti_error err = ETI_ERROR_INIT;
    eti_contraction of;
    assert_ok(eti__contract(&of, graph, depth, &err));
    assert_members(&of, graph);
    assert_edges(&of, graph);
    for (size_t i = 0; i < of.n_nodes; i++)
        assert_true(depth != ETI_ALL_OPERATORS || of.nodes[i].module.size == 0);
    size_t n = of.n_nodes;
    eti__contraction_free(&of);
    return n;
}

/* ---- synthetic graphs ------------------------------------------------------------------------ */

/* The model, "a", "a.b", "a.b.c", "d", a call of a delegate in "d", and "d.e" in that call. */
static const eti_timed_module contracted_modules[] = {
    {.name = {NULL, 0}},
    {.parent = 0, .name = {"Model", 5}, .part = {"", 0}},
    {.parent = 1, .name = {"a", 1}, .part = {"a", 1}},
    {.parent = 2, .name = {"a.b", 3}, .part = {"b", 1}},
    {.parent = 3, .name = {"a.b.c", 5}, .part = {"c", 1}},
    {.parent = 1, .name = {"d", 1}, .part = {"d", 1}},
    {.parent = 5, .name = {"call", 4}, .part = {"call", 4}, .is_call = true},
    {.parent = 6, .name = {"d.e", 3}, .part = {"e", 1}},
};
static const eti_text paths[] = {{NULL, 0},    {"Model", 5}, {"a", 1}, {"a.b", 3},
                                 {"a.b.c", 5}, {"d", 1},     {"d", 1}, {"d.e", 3}};

#define MOST_NODES 200

typedef struct own_graph {
    eti_timed_graph graph;
    eti_timed_node nodes[MOST_NODES];
    uint32_t inputs[MOST_NODES][4];
} own_graph;

static own_graph *new_graph(void) {
    own_graph *own = calloc(1, sizeof *own);
    assert_non_null(own);
    own->graph.nodes = own->nodes;
    own->graph.modules = contracted_modules;
    own->graph.n_modules = COUNT_OF(contracted_modules);
    own->graph.has_times = true;
    return own;
}

static eti_timed_node *add_node(own_graph *own, uint32_t module, double total) {
    size_t number = own->graph.n_nodes++;
    own->nodes[number] = (eti_timed_node){.name = {"n", 1},
                                          .op = {"op", 2},
                                          .module = paths[module],
                                          .module_number = module,
                                          .total = total,
                                          .typical = total,
                                          .share = total / 64,
                                          .call = ETI_NO_NODE,
                                          .lowered = ETI_NO_NODE,
                                          .input_nodes = own->inputs[number]};
    return &own->nodes[number];
}

static void take(eti_timed_node *node, own_graph *own, uint32_t from) {
    own->inputs[node - own->nodes][node->n_inputs++] = from;
}

static void modules_stand_for_nodes_in_a_row(void **state) {
    (void)state;
    own_graph *own = new_graph();
    eti_error err = ETI_ERROR_INIT;
    eti_contraction of;
    add_node(own, 0, (double)NAN)->is_input = true; /* 0 */
    for (uint32_t i = 0; i < 6; i++) { /* 1 a.b, 2 a.b.c, 3 a, 4 d, 5 d.e in a call, 6 the model */
        static const uint32_t module[] = {3, 4, 2, 5, 7, 1};
        take(add_node(own, module[i], 1 << i), own, i);
    }
    own->graph.n_rest = 2; /* times of several nodes in "a", and of any nodes */
    own->nodes[7] = own->nodes[3];
    own->nodes[7].total = own->nodes[7].typical = 64;
    own->nodes[8] = own->nodes[6];
    own->nodes[8].total = own->nodes[8].typical = 128;
    own->nodes[7].share = own->nodes[8].share = 0;

    assert_ok(eti__contract(&of, &own->graph, 1, &err));
    assert_int_equal(of.n_nodes, 4); /* the input, a, d, 6 */
    assert_absent(of.nodes[0].module);
    assert_text(of.nodes[1].module, "a");
    assert_int_equal(of.nodes[1].n_members, 3);
    assert_bits(of.nodes[1].typical, 1 + 2 + 4 + 64);
    assert_bits(of.nodes[1].share, 7.0 / 64);
    assert_text(of.nodes[2].module, "d");
    assert_bits(of.nodes[2].typical, 8 + 16);
    assert_absent(of.nodes[3].module);
    assert_bits(of.rest_typical, 128);
    assert_int_equal(of.n_edges, 3);
    eti__contraction_free(&of);

    assert_ok(eti__contract(&of, &own->graph, 2, &err));
    assert_int_equal(of.n_nodes, 6); /* the input, a.b, 3, 4, d.e, 6 */
    assert_text(of.nodes[1].module, "a.b");
    assert_int_equal(of.nodes[1].n_members, 2);
    assert_text(of.nodes[4].module, "d.e"); /* a call is not part of it */
    assert_bits(of.rest_typical, 64 + 128);
    eti__contraction_free(&of);

    assert_int_equal(check_contraction(&own->graph, 3), 7);
    assert_int_equal(check_contraction(&own->graph, ETI_ALL_OPERATORS), 7);
    free(own);
}

/* A module whose nodes are separated by others occurs twice; time shared by several nodes belongs to neither. */
static void separate_nodes_stay_apart(void **state) {
    (void)state;
    own_graph *own = new_graph();
    eti_error err = ETI_ERROR_INIT;
    eti_contraction of;
    static const uint32_t module[] = {2, 5, 2};
    add_node(own, 0, (double)NAN)->is_input = true;
    for (uint32_t i = 0; i < 3; i++)
        take(add_node(own, module[i], 1), own, i);
    own->graph.n_rest = 1;
    own->nodes[4] = own->nodes[3];
    own->nodes[4].total = own->nodes[4].typical = 8;
    assert_ok(eti__contract(&of, &own->graph, 1, &err));
    assert_int_equal(of.n_nodes, 4);
    assert_bits(of.rest_typical, 8);
    eti__contraction_free(&of);
    free(own);
}

/* Weights are left out, and so are nodes computed from weights alone, unless they took time; then they precede their first
 * use. */
static void constants_are_left_out(void **state) {
    (void)state;
    own_graph *own = new_graph();
    eti_error err = ETI_ERROR_INIT;
    eti_contraction of;
    add_node(own, 0, (double)NAN)->is_input = true; /* 0 */
    eti_timed_node *weight = add_node(own, 0, (double)NAN);
    weight->is_input = weight->is_weight = true; /* 1 */
    take(add_node(own, 5, (double)NAN), own, 1); /* 2 in "d": takes no time */
    take(add_node(own, 5, 1), own, 1);           /* 3 in "d" */
    take(add_node(own, 2, 2), own, 0);           /* 4 in "a" */
    eti_timed_node *last = add_node(own, 5, 4);  /* 5 in "d" */
    take(last, own, 2);
    take(last, own, 3);
    take(last, own, 4);
    /* the outputs are known: no output is among the other values */
    eti_graph_value values[] = {{.producer = 5, .is_output = true}, {.producer = 4}};
    struct eti_lowered_graph lowered = {.values = {.values = values, .n_values = 2}};
    own->graph.lowered = &lowered;
    for (uint32_t i = 0; i < 6; i++)
        own->nodes[i].lowered = i;
    assert_ok(eti__contract(&of, &own->graph, 1, &err));
    assert_int_equal(of.n_nodes, 3); /* the input, a, d with 3 and 5 */
    assert_int_equal(of.nodes[0].members[0], 0);
    assert_int_equal(of.nodes[1].members[0], 4);
    assert_text(of.nodes[2].module, "d");
    assert_int_equal(of.nodes[2].n_members, 2);
    assert_int_equal(of.nodes[2].members[0], 3);
    eti__contraction_free(&of);
    /* nothing uses the other nodes if the first value is the output */
    values[0].producer = 4;
    own->nodes[5].total = own->nodes[3].total = (double)NAN;
    own->nodes[5].typical = own->nodes[3].typical = (double)NAN;
    assert_ok(eti__contract(&of, &own->graph, ETI_ALL_OPERATORS, &err));
    assert_int_equal(of.n_nodes, 2);
    eti__contraction_free(&of);
    own->graph.lowered = NULL;
    free(own);
}

static void contractions_have_no_cycles(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 100; seed++) {
        eti_random random = eti__random_start(seed, 1);
        own_graph *own = new_graph();
        size_t n = 5 + (size_t)(eti__random_next(&random) % (MOST_NODES - 5)), before = 0;
        for (size_t i = 0; i < n; i++) {
            uint32_t module = (uint32_t)(eti__random_next(&random) % COUNT_OF(contracted_modules));
            /* often in the module of the previous node */
            if (i > 0 && eti__random_next(&random) % 4 > 0)
                module = own->nodes[i - 1].module_number;
            eti_timed_node *node = add_node(own, module == 6 ? 7 : module, (double)(i % 3));
            node->is_input = i < 3;
            node->is_weight = i == 2;
            for (size_t k = 0; k < 1 + i % 3 && i >= 3; k++)
                take(node, own, (uint32_t)(eti__random_next(&random) % i));
        }
        for (size_t depth = 1; depth <= 3; depth++) {
            size_t drawn = check_contraction(&own->graph, depth);
            assert_true(drawn > 0 && drawn <= n);
        }
        before = check_contraction(&own->graph, ETI_ALL_OPERATORS);
        assert_true(check_contraction(&own->graph, 1) <= before);
        free(own);
    }
}

/* A graph of an ETRecord may be in any order: a cycle of nodes is drawn, too. */
static void a_cycle_is_contracted(void **state) {
    (void)state;
    own_graph *own = new_graph();
    eti_error err = ETI_ERROR_INIT;
    eti_contraction of;
    take(add_node(own, 2, 1), own, 1);
    take(add_node(own, 5, 1), own, 0);
    take(&own->nodes[1], own, 1);
    assert_ok(eti__contract(&of, &own->graph, 1, &err));
    assert_int_equal(of.n_nodes, 2);
    assert_int_equal(of.n_edges, 2);
    eti__contraction_free(&of);
    free(own);
}

/* ---- real exports ---------------------------------------------------------------------------- */

static void check_file(const char *folder, const char *record_name) {
    char dump_path[200], record_path[200], program_path[200];
    snprintf(dump_path, sizeof dump_path, "%s/run.etdp", folder);
    snprintf(record_path, sizeof record_path, "%s/%s", folder, record_name);
    snprintf(program_path, sizeof program_path, "%s/model.pte", folder);
    FILE *program_file = fopen(program_path, "rb");
    const eti_source dump = {.path = dump_path}, record = {.path = record_path};
    const eti_source program = {.path = program_path};
    const eti_inputs inputs = {.etdumps = &dump,
                               .n_etdumps = 1,
                               .etrecord = &record,
                               .programs = &program,
                               .n_programs = program_file != NULL};
    const eti_options options = ETI_OPTIONS_DEFAULT;
    const eti_view_options asked = ETI_VIEW_OPTIONS_DEFAULT;
    eti_inspector *inspector;
    eti_timed_graph graph;
    eti_error err = ETI_ERROR_INIT;
    if (program_file)
        fclose(program_file);
    assert_ok(eti__open_seen_through(&inspector, &inputs, &options, &err));
    assert_ok(eti__timed_graph_make(&graph, inspector, &asked, &err));
    size_t all = check_contraction(&graph, ETI_ALL_OPERATORS), deep = check_contraction(&graph, 3);
    size_t middle = check_contraction(&graph, 2), flat = check_contraction(&graph, 1);
    print_message("%s: %zu nodes, drawn %zu, %zu, %zu, %zu\n", folder, graph.n_nodes, flat, middle,
                  deep, all);
    assert_true(flat <= middle && middle <= deep && deep <= all && all <= graph.n_nodes);
    assert_true(all > 0);
    eti__timed_graph_free(&graph);
    eti_inspector_close(inspector);
}

static void real_graphs_are_contracted(void **state) {
    (void)state;
    static const char *const folders[] = {"mlp",          "small",        "transformer",
                                          "xnnpack-conv", "multi-method", "control-flow"};
    for (size_t i = 0; i < COUNT_OF(folders); i++) {
        char folder[100];
        snprintf(folder, sizeof folder, "testdata/%s", folders[i]);
        check_file(folder, "record.etrecord");
    }
    check_file("testdata/xnnpack-conv", "lowered.etrecord"); /* with calls of delegates */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_depth_is_drawn),
        cmocka_unit_test(large_parts_are_left_out),
        cmocka_unit_test(a_large_graph_has_its_modules),
        cmocka_unit_test(modules_stand_for_nodes_in_a_row),
        cmocka_unit_test(separate_nodes_stay_apart),
        cmocka_unit_test(constants_are_left_out),
        cmocka_unit_test(contractions_have_no_cycles),
        cmocka_unit_test(a_cycle_is_contracted),
        cmocka_unit_test(real_graphs_are_contracted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
