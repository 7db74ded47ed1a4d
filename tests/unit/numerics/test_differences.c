#include "file_order.h"

#include "support.h"

#include "base/arena.h"
#include "base/status.h"
#include "base/text.h"
#include "etrecord/etrecord.h"
#include "numerics/differences.h"
#include "numerics/numerics.h"
#include "tensors/tensors.h"

#include <math.h>
#include <string.h>

/* ==== differences ============================================================================= */

#define N 5 /* nodes; each takes the value of the one before it */

/* A graph 0 -> 1 -> 2 -> 3 -> 4, and two runs of it. */
typedef struct chain {
    eti_graph_node nodes[N];
    eti_graph_value values[N + 1]; /* the first is the input */
    uint32_t numbers[N + 1];
    eti_graph_ports ports[N];
    eti_origin_graph graph;
    eti_origins origins;
    float base[N], newer[N];
    eti_recorded_tensor of_base[N], of_newer[N];
    eti_point base_points[N], newer_points[N];
    eti_matched_outputs outputs[N];
    eti_matches matches;
} chain;

static void make_chain(chain *c) {
    memset(c, 0, sizeof *c);
    for (uint32_t i = 0; i <= N; i++) {
        c->numbers[i] = i;
        c->values[i].producer = i == 0 ? ETI_NO_NODE : i - 1;
    }
    for (uint32_t i = 0; i < N; i++) {
        c->nodes[i].has_debug_handle = true;
        c->nodes[i].debug_handle = i + 1;
        c->ports[i] = (eti_graph_ports){&c->numbers[i], &c->numbers[i + 1], 1, 1};
        c->base[i] = 1;
        to_file_order(&c->base[i], 1, sizeof c->base[i]);
        c->newer[i] = c->base[i];
        c->of_base[i].values = (eti_tensor_values){
            .scalar_type = 6, .n_elements = 1, .data = (const uint8_t *)&c->base[i]};
        c->of_newer[i].values = c->of_base[i].values;
        c->of_newer[i].values.data = (const uint8_t *)&c->newer[i];
        c->base_points[i] = (eti_point){.tensors = &c->of_base[i], .n = 1};
        c->newer_points[i] = (eti_point){.tensors = &c->of_newer[i], .n = 1, .node = &c->nodes[i]};
        c->outputs[i] = (eti_matched_outputs){
            &c->base_points[i], &c->newer_points[i], &c->of_base[i], &c->of_newer[i], 0, {NULL, 0}};
    }
    c->graph.graph.graph = (eti_graph){.nodes = c->nodes, .n_nodes = N};
    c->graph.graph.values =
        (eti_graph_values){.values = c->values, .n_values = N + 1, .ports = c->ports};
    c->origins = (eti_origins){.graphs = &c->graph, .n_graphs = 1};
    c->matches = (eti_matches){.outputs = c->outputs, .n = N};
}

static eti_differences find(const chain *c) {
    static const eti_tolerances tolerances = {1e-5, 1e-8};
    eti_differences differences;
    eti_error err = ETI_ERROR_INIT;
    assert_int_equal(eti__differences_find(&differences, &c->matches, &tolerances, NULL,
                                           &c->origins, false, 1, &err),
                     ETI_OK);
    return differences;
}

/* Sets the new side to 1 + error, relative to 1. */
static void set_errors(chain *c, const float errors[N]) {
    for (size_t i = 0; i < N; i++) {
        c->newer[i] = 1 + errors[i];
        to_file_order(&c->newer[i], 1, sizeof c->newer[i]);
    }
}

static void assert_drops(const eti_differences *differences, const double expected[N]) {
    for (size_t i = 0; i < N; i++) {
        if (fabs(differences->rows[i].snr_drop - expected[i]) > 1e-3)
            fail_msg("row %zu: %g, expected %g", i, differences->rows[i].snr_drop, expected[i]);
    }
}

static void an_error_is_consumed_by_its_handler(void **state) {
    (void)state;
    chain c;
    make_chain(&c);
    set_errors(&c, (const float[]){0, 0, 0.125F, 0.25F, 0.25F});
    eti_differences differences = find(&c);
    assert_true(isinf(differences.rows[0].snr_in) && isinf(differences.rows[2].snr_in));
    assert_true(fabs(differences.rows[2].metrics.snr - 18.0618) < 1e-3);
    assert_drops(&differences, (const double[]){0, 0, 150 - 18.0618, 6.0206, 0});
    assert_int_equal(differences.n_compared, N);
    eti__differences_free(&differences);
}

/* Nodes that are not compared are skipped. */
static void the_nearest_output_upstream_counts(void **state) {
    (void)state;
    chain c;
    make_chain(&c);
    set_errors(&c, (const float[]){0.125F, 0, 0, 0.25F, 0});
    c.outputs[1].base = NULL;
    c.outputs[1].base_tensor = NULL;
    c.of_newer[2].fault = ETI_RECORDED_OUTSIDE;
    eti_differences differences = find(&c);
    assert_int_equal(differences.rows[1].status, ETI_DIFFERENCE_ONLY_NEW);
    assert_int_equal(differences.rows[2].status, ETI_DIFFERENCE_OUTSIDE);
    assert_false(differences.rows[1].has_snr_in);
    assert_drops(&differences, (const double[]){150 - 18.0618, 0, 0, 6.0206, 12.0412 - 150});
    eti__differences_free(&differences);
    c.of_newer[2].fault = ETI_RECORDED_CONTENTS;
    differences = find(&c);
    assert_int_equal(differences.rows[2].status, ETI_DIFFERENCE_CONTENTS);
    assert_string_equal(eti__difference_status_name(ETI_DIFFERENCE_CONTENTS), "not recorded");
    eti__differences_free(&differences);
}

/* Other nodes may use the output of another node with the same handle, as where each use is dequantized separately. */
static void nodes_with_one_handle_are_one(void **state) {
    (void)state;
    chain c;
    make_chain(&c);
    set_errors(&c, (const float[]){0.125F, 0, 0.25F, 0.25F, 0.25F});
    c.nodes[0].has_debug_handle = false;
    c.nodes[1].debug_handle = 3; /* 2 is the row of both nodes */
    c.matches.n = 4;             /* the output of the last node is not recorded */
    memmove(&c.outputs[1], &c.outputs[2], 3 * sizeof *c.outputs);
    c.ports[4].inputs = c.ports[3].inputs = &c.numbers[2]; /* they take the output of node 1 */
    eti_differences differences = find(&c);
    assert_true(fabs(differences.rows[1].snr_in - 18.0618) < 1e-3); /* the SNR of node 0 */
    assert_true(fabs(differences.rows[1].snr_drop - 6.0206) < 1e-3);
    assert_true(fabs(differences.rows[2].snr_in - 12.0412) < 1e-3); /* the SNR of row 1 */
    assert_true(fabs(differences.rows[3].snr_in - 12.0412) < 1e-3);
    eti__differences_free(&differences);
}

static void a_circle_ends(void **state) {
    (void)state;
    chain c;
    make_chain(&c);
    c.values[0].producer = N - 1;
    c.matches.n = 1;
    eti_differences differences = find(&c);
    assert_true(isinf(differences.rows[0].snr_in));
    eti__differences_free(&differences);
}

static void values_that_became_nan_lost_everything(void **state) {
    (void)state;
    chain c;
    make_chain(&c);
    set_errors(&c, (const float[]){0, NAN, NAN, 0, 0});
    eti_differences differences = find(&c);
    assert_int_equal(differences.rows[1].status, ETI_DIFFERENCE_NONFINITE);
    assert_true(isinf(differences.rows[1].snr_drop) && differences.rows[1].snr_drop > 0);
    assert_true(differences.rows[2].snr_drop == 0);
    assert_true(differences.rows[0].snr_drop == 0);
    eti__differences_free(&differences);
}

static void other_shapes_have_no_metrics(void **state) {
    (void)state;
    static const int64_t two[] = {2}, ones[] = {1, 1};
    static const float values[] = {1, 1};
    chain c;
    make_chain(&c);
    c.of_newer[0].values = (eti_tensor_values){.scalar_type = 6,
                                               .n_dims = 1,
                                               .sizes = two,
                                               .strides = ones,
                                               .n_elements = 2,
                                               .data = (const uint8_t *)values};
    c.of_newer[1].values.n_dims = 2;
    c.of_newer[1].values.sizes = c.of_newer[1].values.strides = ones;
    eti_differences differences = find(&c);
    assert_int_equal(differences.rows[0].status, ETI_DIFFERENCE_SHAPE);
    assert_int_equal(differences.rows[1].status, ETI_DIFFERENCE_COMPARED);
    assert_int_equal(differences.n_compared, N - 1);
    eti__differences_free(&differences);
}

static void assert_ratios_in(const eti_differences *differences, const double expected[N]) {
    for (size_t i = 0; i < N; i++) {
        const eti_difference *row = &differences->rows[i];
        bool is_same = isinf(expected[i]) ? row->snr_in == expected[i]
                                          : fabs(row->snr_in - expected[i]) <= 1e-3;
        if (!row->has_snr_in || !is_same)
            fail_msg("row %zu: %d %g, expected %g", i, row->has_snr_in, row->snr_in, expected[i]);
    }
}

/* Node 0 gives values 1 and 2, which are rows 0 and 1; node 2 takes the first, node 3 the second, and node 4 both, besides the input
 * of the graph. */
static void make_fork(chain *c, uint32_t first_output) {
    make_chain(c);
    c->ports[0].n_outputs = 2;
    c->values[2].producer = 0;
    c->newer_points[1].node = &c->nodes[0];
    c->nodes[1].has_debug_handle = false;
    for (uint32_t i = 0; i < 2; i++) {
        c->base_points[i].output = c->newer_points[i].output = first_output;
        c->outputs[i].output = first_output + i;
    }
    c->ports[2].inputs = &c->numbers[1];
    c->ports[3].inputs = &c->numbers[2];
    c->ports[4].inputs = &c->numbers[0];
    c->ports[4].n_inputs = 3;
}

/* If all outputs of a node were compared, each has its own ratio; otherwise all have the lowest. */
static void outputs_of_a_node_have_ratios_of_their_own(void **state) {
    (void)state;
    chain c;
    for (uint32_t first_output = 0; first_output < 6; first_output += 3) {
        make_fork(&c, first_output);
        set_errors(&c, (const float[]){0.125F, 0.25F, 0.5F, 0.5F, 0.5F});
        eti_differences differences = find(&c);
        assert_ratios_in(&differences,
                         (const double[]){INFINITY, INFINITY, 18.0618, 12.0412, 12.0412});
        eti__differences_free(&differences);
        set_errors(&c, (const float[]){0.25F, 0.125F, 0.5F, 0.5F, 0.5F});
        differences = find(&c);
        assert_ratios_in(&differences,
                         (const double[]){INFINITY, INFINITY, 12.0412, 18.0618, 12.0412});
        eti__differences_free(&differences);
    }
    make_fork(&c, 0);
    c.ports[0].n_outputs = 3; /* the third is not recorded */
    set_errors(&c, (const float[]){0.25F, 0.125F, 0.5F, 0.5F, 0.5F});
    eti_differences differences = find(&c);
    assert_ratios_in(&differences, (const double[]){INFINITY, INFINITY, 12.0412, 12.0412, 12.0412});
    eti__differences_free(&differences);
    make_fork(&c, 0);
    c.of_newer[1].fault = ETI_RECORDED_OUTSIDE;
    set_errors(&c, (const float[]){0.25F, 0.125F, 0.5F, 0.5F, 0.5F});
    differences = find(&c);
    for (size_t i = 2; i < N; i++)
        assert_true(fabs(differences.rows[i].snr_in - 12.0412) < 1e-3);
    eti__differences_free(&differences);
    make_fork(&c, 0);
    eti_matched_outputs only_new = c.outputs[2];
    only_new.base = NULL;
    only_new.base_tensor = NULL;
    memmove(&c.outputs[1], &c.outputs[0], 2 * sizeof *c.outputs);
    c.outputs[0] = only_new; /* a row without a node precedes those of the fork */
    set_errors(&c, (const float[]){0.25F, 0.125F, 0.5F, 0.5F, 0.5F});
    differences = find(&c);
    assert_false(differences.rows[0].has_snr_in);
    assert_true(fabs(differences.rows[3].snr_in - 18.0618) < 1e-3);
    assert_true(fabs(differences.rows[4].snr_in - 12.0412) < 1e-3);
    eti__differences_free(&differences);
}

/* The ratio of a node that was not compared is the lowest of its inputs. */
static void the_lowest_ratio_upstream_counts(void **state) {
    (void)state;
    for (int is_first = 0; is_first < 2; is_first++) {
        chain c;
        make_fork(&c, 0);
        c.of_newer[4].fault = ETI_RECORDED_TYPE;
        c.ports[3].inputs = &c.numbers[5]; /* the output of node 4 */
        set_errors(&c, (const float[]){is_first ? 0.25F : 0.125F, is_first ? 0.125F : 0.25F, 0.5F,
                                       0.5F, 0.5F});
        eti_differences differences = find(&c);
        assert_int_equal(differences.rows[4].status, ETI_DIFFERENCE_TYPE);
        assert_false(differences.rows[4].has_snr_in);
        assert_true(fabs(differences.rows[3].snr_in - 12.0412) < 1e-3);
        assert_true(fabs(differences.rows[3].snr_drop - 6.0206) < 1e-3);
        eti__differences_free(&differences);
    }
}

static eti_differences find_of(const chain *c, bool of_base) {
    static const eti_tolerances tolerances = {1e-5, 1e-8};
    eti_differences differences;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__differences_find(&differences, &c->matches, &tolerances, NULL, &c->origins,
                                    of_base, 1, &err));
    return differences;
}

static void nodes_are_those_of_one_side(void **state) {
    (void)state;
    chain c;
    make_chain(&c);
    set_errors(&c, (const float[]){0, 0.125F, 0.25F, 0.25F, 0.25F});
    for (size_t i = 0; i < N; i++) {
        c.base_points[i].node = c.newer_points[i].node;
        c.newer_points[i].node = NULL;
    }
    eti_differences differences = find_of(&c, true);
    assert_drops(&differences, (const double[]){0, 150 - 18.0618, 6.0206, 0, 0});
    eti__differences_free(&differences);
    differences = find_of(&c, false);
    for (size_t i = 0; i < N; i++)
        assert_false(differences.rows[i].has_snr_in);
    assert_drops(&differences, (const double[]){0, 0, 0, 0, 0});
    eti__differences_free(&differences);
}

/* Nodes of other graphs, which lie directly before and behind this one. */
static void nodes_of_other_graphs_are_unknown(void **state) {
    (void)state;
    chain c;
    make_chain(&c);
    eti_graph_node nodes[N + 2] = {{.has_debug_handle = false}};
    for (size_t i = 0; i < N; i++) {
        nodes[i + 1] = c.nodes[i];
        c.newer_points[i].node = &nodes[i + 1];
    }
    c.graph.graph.graph.nodes = &nodes[1];
    c.newer_points[1].node = &nodes[0];
    c.newer_points[4].node = &nodes[N + 1];
    set_errors(&c, (const float[]){0.125F, 0.5F, 0.25F, 0.25F, 0.5F});
    eti_differences differences = find(&c);
    assert_false(differences.rows[1].has_snr_in || differences.rows[4].has_snr_in);
    assert_true(fabs(differences.rows[2].snr_in - 18.0618) < 1e-3); /* that of node 0 */
    assert_drops(&differences, (const double[]){150 - 18.0618, 0, 6.0206, 0, 0});
    eti__differences_free(&differences);
}

static void infinities_are_counted_like_nan(void **state) {
    (void)state;
    chain c;
    make_chain(&c);
    set_errors(&c, (const float[]){INFINITY, 0, NAN, INFINITY, 0});
    c.base[2] = c.newer[2];
    c.base[3] = c.newer[3];
    eti_differences differences = find(&c);
    static const uint8_t expected[N] = {ETI_DIFFERENCE_NONFINITE, ETI_DIFFERENCE_COMPARED,
                                        ETI_DIFFERENCE_COMPARED, ETI_DIFFERENCE_COMPARED,
                                        ETI_DIFFERENCE_COMPARED};
    for (size_t i = 0; i < N; i++)
        assert_int_equal(differences.rows[i].status, expected[i]);
    assert_int_equal(differences.n_compared, N);
    eti__differences_free(&differences);
}

/* ---- loading ---------------------------------------------------------------------------------- */

/* Elements of the base, and how many tensors may be loaded before it fails. */
typedef struct store {
    const chain *c;
    size_t n_loaded, most;
} store;

static eti_status load(void *context, const eti_recorded_tensor *tensor, eti_arena *arena,
                       eti_tensor_values *out, eti_error *err) {
    store *from = context;
    (void)arena;
    if (from->n_loaded == from->most)
        return eti_fail(err, ETI_ERROR_READ, "no more");
    from->n_loaded++;
    *out = tensor->values;
    out->data = (const uint8_t *)&from->c->base[tensor - from->c->of_base];
    return ETI_OK;
}

static void missing_elements_are_loaded(void **state) {
    (void)state;
    static const eti_tolerances tolerances = {1e-5, 1e-8};
    static const int64_t none[] = {0}, one[] = {1};
    chain c;
    make_chain(&c);
    set_errors(&c, (const float[]){0.125F, 0.125F, 0.25F, 0.25F, 0.25F});
    c.of_base[0].values.data = c.of_base[2].values.data = c.of_base[4].values.data = NULL;
    c.of_base[4].values.n_dims = c.of_newer[4].values.n_dims = 1;
    c.of_base[4].values.sizes = c.of_newer[4].values.sizes = none;
    c.of_base[4].values.strides = c.of_newer[4].values.strides = one;
    c.of_base[4].values.n_elements = c.of_newer[4].values.n_elements = 0;
    c.of_base[3].values.data = NULL;
    c.of_newer[3].fault = ETI_RECORDED_OUTSIDE;
    store from = {&c, 0, 2};
    const eti_element_loader loader = {load, &from};
    eti_differences differences;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__differences_find(&differences, &c.matches, &tolerances, &loader, &c.origins,
                                    false, 1, &err));
    assert_int_equal(from.n_loaded, 2); /* neither one that is empty nor one that is not compared */
    assert_true(fabs(differences.rows[0].metrics.snr - 18.0618) < 1e-3);
    assert_true(fabs(differences.rows[2].metrics.snr - 12.0412) < 1e-3);
    assert_true(fabs(differences.rows[2].snr_drop - 6.0206) < 1e-3);
    assert_int_equal(differences.n_compared, N - 1);
    eti__differences_free(&differences);
    eti_tensor_values values;
    assert_ok(eti__elements_load(NULL, &c.of_base[0], NULL, &values, &err));
    assert_null(values.data);
    from = (store){&c, 0, 0};
    assert_ok(eti__elements_load(&loader, &c.of_base[1], NULL, &values, &err)); /* has them */
    assert_ptr_equal(values.data, &c.base[1]);
    assert_ok(eti__elements_load(&loader, &c.of_base[4], NULL, &values, &err));
    assert_fails(eti__differences_find(&differences, &c.matches, &tolerances, &loader, &c.origins,
                                       false, 1, &err),
                 ETI_ERROR_READ, "no more");
    eti__differences_free(&differences);
}

/* All threads compare a large tensor together. Only the last of its 2^20 elements differs. */
static void large_tensors_are_compared_like_small_ones(void **state) {
    (void)state;
    enum { MANY = 1 << 20 };
    static float zeros[MANY], ones[MANY];
    static const int64_t many[] = {MANY}, dense[] = {1};
    static const eti_tolerances tolerances = {1e-5, 1e-8};
    chain c;
    make_chain(&c);
    ones[MANY - 1] = 2;
    to_file_order(ones, MANY, sizeof *ones);
    c.of_base[0].values = (eti_tensor_values){.scalar_type = 6,
                                              .n_dims = 1,
                                              .sizes = many,
                                              .strides = dense,
                                              .n_elements = MANY,
                                              .data = (const uint8_t *)zeros};
    c.of_newer[0].values = c.of_base[0].values;
    c.of_newer[0].values.data = (const uint8_t *)ones;
    set_errors(&c, (const float[]){0, 0.125F, 0, 0, 0});
    for (size_t n_threads = 1; n_threads < 4; n_threads += 2) {
        eti_differences differences;
        eti_error err = ETI_ERROR_INIT;
        assert_ok(eti__differences_find(&differences, &c.matches, &tolerances, NULL, &c.origins,
                                        false, n_threads, &err));
        assert_int_equal(differences.n_compared, N);
        assert_bits(differences.rows[0].metrics.max_abs, 2);
        assert_bits(differences.rows[1].metrics.max_abs, 0.125);
        assert_bits(differences.rows[2].metrics.max_abs, 0);
        eti__differences_free(&differences);
    }
}

/* ==== match =================================================================================== */

static const int64_t sizes[] = {1, 2, 3};
static const eti_recorded_tensor tensors[] = {
    {.values = {.scalar_type = 6, .n_dims = 3, .sizes = sizes, .n_elements = 6}},
    {.values = {.scalar_type = 6, .n_dims = 2, .sizes = sizes + 1, .n_elements = 6}},
    {.values = {.scalar_type = 11, .n_dims = 2, .sizes = sizes + 1, .n_elements = 6}},
};

#define POINT(source, of_handle) POINT_WITH(source, of_handle, .n = 1)
#define POINT_WITH(source, of_handle, ...)                                                         \
    {                                                                                              \
        .source_node = {source, sizeof(source) - 1}, .handle = (of_handle), .has_handle = true,    \
        .tensors = tensors, .n_outputs = 1, .name = {"kernel", 6}, __VA_ARGS__                     \
    }

static eti_points points_of(eti_point *points, size_t n) {
    return (eti_points){.points = points, .n = n};
}
#define POINTS(array) points_of(array, sizeof(array) / sizeof *(array))

static eti_matches match(const eti_points *base, const eti_points *newer, eti_match_by by) {
    eti_matches matches;
    eti_error err = ETI_ERROR_INIT;
    assert_int_equal(eti__points_match(&matches, base, newer, by, &err), ETI_OK);
    return matches;
}

/* Checks the pairs as "conv|conv only|": the source of the base, that of the new side. */
static void assert_pairs(const eti_matches *matches, const char *expected) {
    char found[256] = "";
    for (size_t i = 0; i < matches->n; i++) {
        const eti_matched_outputs *of = &matches->outputs[i];
        size_t used = strlen(found);
        snprintf(found + used, sizeof found - used, "%s%.*s|%.*s", i ? " " : "",
                 of->base ? (int)of->base->source_node.size : 0,
                 of->base ? of->base->source_node.data : "",
                 of->newer ? (int)of->newer->source_node.size : 0,
                 of->newer ? of->newer->source_node.data : "");
    }
    assert_string_equal(found, expected);
}

static void nodes_have_the_same_name_in_every_export(void **state) {
    (void)state;
    eti_point of_base[] = {POINT("conv", 1), POINT("relu", 2), POINT("linear", 3), POINT("end", 4)};
    eti_point of_newer[] = {POINT("quantize", 1), POINT("conv", 5), POINT("linear", 9)};
    const eti_points base = POINTS(of_base), newer = POINTS(of_newer);
    eti_matches matches = match(&base, &newer, ETI_MATCH_BY_SOURCE);
    assert_pairs(&matches, "|quantize conv|conv relu| linear|linear end|");
    assert_int_equal(matches.n_paired, 2);
    eti__matches_free(&matches);
    matches = match(&base, &newer, ETI_MATCH_BY_HANDLE);
    assert_pairs(&matches, "conv|quantize |conv |linear relu| linear| end|");
    eti__matches_free(&matches);
}

/* Two graphs may give different nodes the same name. */
static void nodes_of_one_name_need_the_same_operator(void **state) {
    (void)state;
    const eti_graph_node add = {.op_type = {"aten.add.Tensor", 15}};
    const eti_graph_node mul = {.op_type = {"aten.mul.Tensor", 15}};
    eti_point of_base[] = {POINT_WITH("x", 1, .n = 1, .node = &add),
                           POINT_WITH("x", 2, .n = 1, .node = &mul)};
    eti_point of_newer[] = {POINT_WITH("x", 7, .n = 1, .node = &mul),
                            POINT_WITH("y", 8, .n = 1, .node = &add)};
    const eti_points base = POINTS(of_base), newer = POINTS(of_newer);
    eti_matches matches = match(&base, &newer, ETI_MATCH_BY_SOURCE);
    assert_pairs(&matches, "x| x|x |y");
    assert_int_equal(matches.outputs[1].base->handle, 2);
    eti__matches_free(&matches);
}

static void instructions_need_the_same_name(void **state) {
    (void)state;
    eti_point of_base[] = {POINT_WITH("a", 1, .n = 1, .instruction = 1),
                           POINT_WITH("b", 1, .n = 1, .instruction = 2)};
    eti_point of_newer[] = {POINT_WITH("c", 1, .n = 1, .instruction = 1),
                            POINT_WITH("d", 1, .n = 1, .instruction = 2)};
    const eti_points base = POINTS(of_base), newer = POINTS(of_newer);
    eti_matches matches = match(&base, &newer, ETI_MATCH_BY_INSTRUCTION);
    assert_pairs(&matches, "a|c b|d");
    eti__matches_free(&matches);
    of_newer[1].name = eti__text_of("another");
    matches = match(&base, &newer, ETI_MATCH_BY_INSTRUCTION);
    assert_pairs(&matches, "a|c |d b|");
    eti__matches_free(&matches);
    of_newer[0].instruction = 2;
    of_newer[1] = (eti_point)POINT_WITH("d", 1, .n = 1, .instruction = 3);
    matches = match(&base, &newer, ETI_MATCH_BY_INSTRUCTION);
    assert_pairs(&matches, "a| b|c |d");
    eti__matches_free(&matches);
}

static void names_are_matched_by_their_occurrence(void **state) {
    (void)state;
    eti_point of_base[] = {POINT("a", 1), POINT("b", 1), POINT("c", 1)};
    eti_point of_newer[] = {POINT("d", 1), POINT("e", 1)};
    const eti_points base = POINTS(of_base), newer = POINTS(of_newer);
    eti_matches matches = match(&base, &newer, ETI_MATCH_BY_NAME);
    assert_pairs(&matches, "a|d b|e c|");
    eti__matches_free(&matches);
}

static void outputs_are_paired(void **state) {
    (void)state;
    eti_point of_base[] = {POINT_WITH("split", 1, .n = 3)};
    eti_point of_newer[] = {POINT_WITH("split", 1, .n = 3)};
    const eti_points base = POINTS(of_base), newer = POINTS(of_newer);
    eti_matches matches = match(&base, &newer, ETI_MATCH_BY_SOURCE);
    assert_int_equal(matches.n, 3);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(matches.outputs[i].output, i);
        assert_ptr_equal(matches.outputs[i].base_tensor, &tensors[i]);
        assert_ptr_equal(matches.outputs[i].newer_tensor, &tensors[i]);
    }
    eti__matches_free(&matches);
    of_base[0].n = 2; /* the last output of each */
    matches = match(&base, &newer, ETI_MATCH_BY_SOURCE);
    assert_int_equal(matches.n, 1);
    assert_ptr_equal(matches.outputs[0].base_tensor, &tensors[1]);
    assert_ptr_equal(matches.outputs[0].newer_tensor, &tensors[2]);
    eti__matches_free(&matches);
    of_base[0].n = 1; /* the only output of the same shape */
    matches = match(&base, &newer, ETI_MATCH_BY_SOURCE);
    assert_ptr_equal(matches.outputs[0].newer_tensor, &tensors[0]);
    eti__matches_free(&matches);
}

/* A delegate returns the last two of three outputs; the kernel, and another delegate, some of them. */
static void outputs_of_one_node_are_paired_by_their_number(void **state) {
    (void)state;
    static const uint32_t last_two[] = {1, 2}, last[] = {2}, first[] = {0};
    eti_point of_base[] = {POINT_WITH("split", 1, .n = 3)};
    eti_point of_newer[] = {POINT_WITH("split", 1, .n = 2, .ports = last_two)};
    const eti_points base = POINTS(of_base), newer = POINTS(of_newer);
    eti_matches matches = match(&base, &newer, ETI_MATCH_BY_SOURCE);
    assert_int_equal(matches.n, 2);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(matches.outputs[i].output, i);
        assert_ptr_equal(matches.outputs[i].base_tensor, &tensors[i + 1]);
        assert_ptr_equal(matches.outputs[i].newer_tensor, &tensors[i]);
    }
    eti__matches_free(&matches);
    matches = match(&newer, &base, ETI_MATCH_BY_SOURCE);
    assert_int_equal(matches.n, 2);
    assert_ptr_equal(matches.outputs[0].base_tensor, &tensors[0]);
    assert_ptr_equal(matches.outputs[0].newer_tensor, &tensors[1]);
    eti__matches_free(&matches);
    of_base[0].n = 1;
    of_base[0].ports = last;
    matches = match(&base, &newer, ETI_MATCH_BY_SOURCE);
    assert_int_equal(matches.n, 1);
    assert_ptr_equal(matches.outputs[0].base_tensor, &tensors[0]);
    assert_ptr_equal(matches.outputs[0].newer_tensor, &tensors[1]);
    eti__matches_free(&matches);
    of_base[0].ports = first; /* no output in common: as if their numbers were unknown */
    matches = match(&base, &newer, ETI_MATCH_BY_SOURCE);
    assert_int_equal(matches.n, 1);
    eti__matches_free(&matches);
}

/* Tensors of a later node with the same handle are not compared with it. */
static void inner_outputs_have_no_partner(void **state) {
    (void)state;
    eti_point of_base[] = {POINT("gelu", 1)};
    eti_point of_newer[] = {POINT("gelu", 1), POINT("gelu", 1)};
    const eti_points base = POINTS(of_base), newer = POINTS(of_newer);
    of_newer[0].has_handle = false;
    for (int by = ETI_MATCH_BY_SOURCE; by <= ETI_MATCH_BY_HANDLE; by++) {
        eti_matches matches = match(&base, &newer, (eti_match_by)by);
        assert_pairs(&matches, "|gelu gelu|gelu");
        assert_ptr_equal(matches.outputs[1].newer, &of_newer[1]);
        eti__matches_free(&matches);
    }
}

static void one_of_several_is_recognized_by_shape_and_type(void **state) {
    (void)state;
    assert_ptr_equal(eti__match_one(&tensors[0], tensors, 3), &tensors[0]);
    assert_ptr_equal(eti__match_one(&tensors[1], tensors, 3), &tensors[1]);
    assert_ptr_equal(eti__match_one(&tensors[2], tensors, 2), &tensors[1]); /* its type differs */
    assert_ptr_equal(eti__match_one(&tensors[0], tensors + 1, 2), &tensors[2]); /* the last */
}

static void views_have_the_same_elements_in_another_shape(void **state) {
    (void)state;
    const eti_graph_node view = {.op_type = {"aten.view_copy.default", 22}};
    const int64_t turned[] = {3, 2}, other[] = {3, 3};
    eti_recorded_tensor tensor = {.values = {.n_dims = 2, .sizes = turned, .n_elements = 6}};
    eti_point base = POINT("x", 1), newer = POINT("x", 1);
    eti_matched_outputs of = {&base, &newer, &tensors[0], &tensors[1], 0, {NULL, 0}};
    assert_int_equal(eti__match_shapes(&of), ETI_SHAPES_EQUAL);
    of.newer_tensor = &tensor;
    assert_int_equal(eti__match_shapes(&of), ETI_SHAPES_DIFFERENT);
    newer.node = &view;
    assert_int_equal(eti__match_shapes(&of), ETI_SHAPES_VIEW);
    newer.node = NULL;
    base.last_node = &view; /* a node after the kernel that ran */
    assert_int_equal(eti__match_shapes(&of), ETI_SHAPES_VIEW);
    tensor.values.sizes = other;
    tensor.values.n_elements = 9;
    assert_int_equal(eti__match_shapes(&of), ETI_SHAPES_DIFFERENT);
}

/* The number of an output is the same from both sides: that in the node, not in a delegate call with further outputs. */
static void an_output_has_one_number(void **state) {
    (void)state;
    static const uint32_t second[] = {1}, outer[] = {0, 2};
    eti_recorded_tensor recorded[3] = {{0}};
    const eti_point kernel = {.tensors = recorded, .n = 1};
    const eti_point call = {.tensors = recorded, .n = 1, .output = 4, .n_outputs = 6};
    const eti_point all = {.tensors = recorded, .n = 3}, last = {.tensors = recorded, .n = 1};
    const eti_point of_second = {.tensors = recorded, .n = 1, .ports = second};
    const eti_point of_outer = {.tensors = recorded, .n = 2, .ports = outer};
    const struct {
        const eti_point *a, *b;
        size_t tensor_a, tensor_b;
        uint32_t expected;
    } cases[] = {
        {&kernel, &call, 0, 0, 0},   {&call, NULL, 0, 0, 0},         {&all, &all, 2, 2, 2},
        {&all, &last, 2, 0, 2},      {&of_second, &all, 0, 1, 1},    {&of_outer, &all, 1, 2, 2},
        {&of_second, NULL, 0, 0, 1}, {&of_second, &kernel, 0, 0, 1},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const eti_recorded_tensor *a = &recorded[cases[i].tensor_a];
        const eti_recorded_tensor *b = cases[i].b ? &recorded[cases[i].tensor_b] : NULL;
        const eti_matched_outputs of = {.base = cases[i].a, cases[i].b, a, b, .output = 9};
        const eti_matched_outputs swapped = {.base = cases[i].b, cases[i].a, b, a, .output = 9};
        assert_int_equal(eti__matched_port(&of), cases[i].expected);
        assert_int_equal(eti__matched_port(&swapped), cases[i].expected);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_error_is_consumed_by_its_handler),
        cmocka_unit_test(the_nearest_output_upstream_counts),
        cmocka_unit_test(nodes_with_one_handle_are_one),
        cmocka_unit_test(a_circle_ends),
        cmocka_unit_test(an_output_has_one_number),
        cmocka_unit_test(values_that_became_nan_lost_everything),
        cmocka_unit_test(other_shapes_have_no_metrics),
        cmocka_unit_test(outputs_of_a_node_have_ratios_of_their_own),
        cmocka_unit_test(the_lowest_ratio_upstream_counts),
        cmocka_unit_test(nodes_are_those_of_one_side),
        cmocka_unit_test(nodes_of_other_graphs_are_unknown),
        cmocka_unit_test(infinities_are_counted_like_nan),
        cmocka_unit_test(missing_elements_are_loaded),
        cmocka_unit_test(large_tensors_are_compared_like_small_ones),
        cmocka_unit_test(nodes_have_the_same_name_in_every_export),
        cmocka_unit_test(nodes_of_one_name_need_the_same_operator),
        cmocka_unit_test(instructions_need_the_same_name),
        cmocka_unit_test(names_are_matched_by_their_occurrence),
        cmocka_unit_test(outputs_are_paired),
        cmocka_unit_test(outputs_of_one_node_are_paired_by_their_number),
        cmocka_unit_test(inner_outputs_have_no_partner),
        cmocka_unit_test(one_of_several_is_recognized_by_shape_and_type),
        cmocka_unit_test(views_have_the_same_elements_in_another_shape),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
