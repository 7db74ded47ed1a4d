#include "numerics/differences.h"

#include "file_order.h"
#include "support.h"

#include <math.h>
#include <string.h>

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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_error_is_consumed_by_its_handler),
        cmocka_unit_test(the_nearest_output_upstream_counts),
        cmocka_unit_test(nodes_with_one_handle_are_one),
        cmocka_unit_test(a_circle_ends),
        cmocka_unit_test(values_that_became_nan_lost_everything),
        cmocka_unit_test(other_shapes_have_no_metrics),
        cmocka_unit_test(outputs_of_a_node_have_ratios_of_their_own),
        cmocka_unit_test(the_lowest_ratio_upstream_counts),
        cmocka_unit_test(nodes_are_those_of_one_side),
        cmocka_unit_test(nodes_of_other_graphs_are_unknown),
        cmocka_unit_test(infinities_are_counted_like_nan),
        cmocka_unit_test(missing_elements_are_loaded),
        cmocka_unit_test(large_tensors_are_compared_like_small_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
