/* Methods of real programs as graphs: where the values of instructions come from. */
#include "account/graph/program_graph.h"

#include "support.h"

/* The graph of a method, of testdata/. */
typedef struct drawn {
    eti_inspector *inspector;
    eti_timed_graph graph;
    size_t n_inputs;
} drawn;

static eti_status try_draw(drawn *out, const char *path, const char *method, eti_error *failure) {
    const eti_source source = {.path = path};
    const eti_inputs inputs = {.programs = &source, .n_programs = 1};
    eti_options options = ETI_OPTIONS_DEFAULT;
    eti_error err = ETI_ERROR_INIT;
    options.method = method;
    assert_ok(eti__inspector_open(&out->inspector, &inputs, &options, &err));
    return eti__program_graph_make(&out->graph, &out->n_inputs, out->inspector, failure);
}

static void draw(drawn *out, const char *path, const char *method) {
    eti_error err = ETI_ERROR_INIT;
    assert_ok(try_draw(out, path, method, &err));
}

static void end(drawn *of) {
    eti__timed_graph_free(&of->graph);
    eti_inspector_close(of->inspector);
}

/* The node of an instruction takes these, by name and by number. */
static void assert_inputs(const drawn *of, size_t instruction, const char *const *names, size_t n) {
    const eti_timed_node *node = &of->graph.nodes[of->n_inputs + instruction];
    assert_int_equal(node->n_inputs, n);
    for (size_t i = 0; i < n; i++) {
        assert_text(node->inputs[i], names[i]);
        assert_text(of->graph.nodes[node->input_nodes[i]].name, names[i]);
    }
}

#define NAMES(...)                                                                                 \
    (const char *const[]){__VA_ARGS__}, COUNT_OF(((const char *const[]){__VA_ARGS__}))

static void values_come_from_their_writers(void **state) {
    (void)state;
    drawn of;
    draw(&of, "testdata/external-weights/model.pte", NULL);
    assert_int_equal(of.graph.n_nodes - of.n_inputs, 6);
    assert_text(of.graph.nodes[of.n_inputs + 1].op, "aten::addmm.out");
    assert_text(of.graph.nodes[of.n_inputs + 1].shape, "[2, 16]");
    assert_inputs(&of, 1, NAMES("hidden.bias", "input_6", "0"));
    assert_inputs(&of, 2, NAMES("1", "norm.weight", "norm.bias"));
    size_t n_weights = 0;
    for (size_t i = 0; i < of.n_inputs; i++) {
        assert_true(of.graph.nodes[i].is_input);
        n_weights += of.graph.nodes[i].is_weight;
    }
    assert_int_equal(n_weights, of.n_inputs - 1);
    end(&of);
}

/* A value that is moved comes from the move, one that a loop fills from the last copy into it. */
static void moves_and_copies_write(void **state) {
    (void)state;
    drawn of;
    draw(&of, "testdata/control-flow/model.pte", NULL);
    assert_inputs(&of, 5, NAMES("4"));
    assert_text(of.graph.nodes[of.n_inputs + 5].op, "move");
    assert_inputs(&of, 19, NAMES("14"));
    end(&of);
}

static void a_method_is_chosen(void **state) {
    (void)state;
    drawn of;
    eti_error err = ETI_ERROR_INIT;
    draw(&of, "testdata/multi-method/model.pte", NULL);
    assert_text(of.graph.name, "forward");
    end(&of);
    draw(&of, "testdata/multi-method/model.pte", "encode");
    assert_text(of.graph.name, "encode");
    assert_int_equal(of.graph.n_nodes - of.n_inputs, 3);
    end(&of);
    const eti_pte_plan *plan;
    draw(&of, "testdata/multi-method/model.pte", NULL);
    assert_fails(eti__program_method(&plan, of.inspector, "decode", &err), ETI_ERROR_USAGE,
                 "has no method decode");
    end(&of);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_come_from_their_writers),
        cmocka_unit_test(moves_and_copies_write),
        cmocka_unit_test(a_method_is_chosen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
