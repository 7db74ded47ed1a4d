/* Draws methods of real programs as graphs: where the values of instructions come from. */
#include "rollup/program_graph.h"

#include "program_builder.h"
#include "support.h"

/* The graph of a method of a program in testdata/. */
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

/* Checks the inputs of an instruction's node, by name and by number. */
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

/* A moved value comes from the move, and a value that a loop fills comes from the last copy into it. */
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

/* ---- synthetic programs ---------------------------------------------------------------------- */

/* Adds a tensor of four bytes per element in the arena, or without a place of its own. */
static int32_t add_bytes_of(program_spec *p, uint32_t offset, bool is_planned, int32_t n) {
    builder *b = &p->b;
    place sizes = I32S(b, n), order = put_string_of(b, "", 1);
    return ADD_TENSOR(p, .scalar_type = 1, .sizes = sizes, .dim_order = order,
                      .is_planned = is_planned, .memory_id = 1, .offset_low = offset);
}

static int32_t add_bytes(program_spec *p, uint32_t offset, bool is_planned) {
    return add_bytes_of(p, offset, is_planned, 4);
}

static eti_status try_made(drawn *out, program_spec *p, eti_error *failure) {
    eti_error err = ETI_ERROR_INIT;
    p->arenas = I64S(&p->b, 0, 1000);
    finish_program(p);
    const eti_source source = {p->b.file.name, p->b.file.data, p->b.file.size};
    const eti_inputs inputs = {.programs = &source, .n_programs = 1};
    assert_ok(eti__inspector_open(&out->inspector, &inputs, NULL, &err));
    return eti__program_graph_make(&out->graph, &out->n_inputs, out->inspector, failure);
}

/* A view of x that nothing writes stands for x; a view that was written stands for itself. */
static void views_stand_for_what_they_show(void **state) {
    (void)state;
    program_spec p = {.n_operators = 1};
    builder *b = &p.b;
    drawn of;
    eti_error err = ETI_ERROR_INIT;
    int32_t x = add_bytes(&p, 0, true), a = add_bytes(&p, 16, true), view = add_bytes(&p, 16, true),
            y = add_bytes(&p, 32, true), z = add_bytes(&p, 48, true);
    p.inputs = I32S(b, x);
    p.outputs = I32S(b, z);
    add_call(&p, A_KERNEL_CALL, 0, I32S(b, x, a, a));
    add_call(&p, A_KERNEL_CALL, 0, I32S(b, view, y, y));
    add_call(&p, A_KERNEL_CALL, 0, I32S(b, y, view, view)); /* in place */
    add_call(&p, A_KERNEL_CALL, 0, I32S(b, view, a, z, z));
    assert_ok(try_made(&of, &p, &err));
    assert_int_equal(of.n_inputs, 1);
    assert_inputs(&of, 0, NAMES("input_0"));
    assert_inputs(&of, 1, NAMES("0"));
    assert_inputs(&of, 2, NAMES("1"));
    assert_inputs(&of, 3, NAMES("2", "0"));
    end(&of);
    builder_free(&p.b);
}

/* Numbers are not nodes, absent list items are ignored, and each list item is an edge. */
static void lists_are_their_items(void **state) {
    (void)state;
    program_spec p = {.n_operators = 1};
    builder *b = &p.b;
    drawn of;
    eti_error err = ETI_ERROR_INIT;
    int32_t x = add_bytes(&p, 0, true), weight = add_bytes(&p, 0, false),
            number = add_value(&p, AN_INT, put_int(b, 7)), y = add_bytes_of(&p, 16, true, 5),
            z = add_bytes_of(&p, 32, true, 6);
    int32_t list = add_value_of(&p, AN_OPTIONAL_LIST, I32S(b, x, -1, weight));
    int32_t outs = add_value_of(&p, A_TENSOR_LIST, I32S(b, y, z));
    p.inputs = I32S(b, x);
    p.outputs = I32S(b, z);
    add_call(&p, A_KERNEL_CALL, 0, I32S(b, list, number, outs, outs));
    add_call(&p, A_KERNEL_CALL, 0, I32S(b, z, number, y, y));
    assert_ok(try_made(&of, &p, &err));
    assert_int_equal(of.n_inputs, 2);
    assert_inputs(&of, 0, NAMES("input_0", "value_1"));
    /* the shape of the first tensor that it writes */
    assert_text(of.graph.nodes[of.n_inputs].shape, "[5]");
    assert_true(of.graph.nodes[1].is_weight && !of.graph.nodes[0].is_weight);
    assert_inputs(&of, 1, NAMES("0"));
    end(&of);
    builder_free(&p.b);
}

/* State is an input even if a later instruction writes it. */
static void values_read_before_written_are_inputs(void **state) {
    (void)state;
    program_spec p = {.n_operators = 1};
    builder *b = &p.b;
    drawn of;
    eti_error err = ETI_ERROR_INIT;
    int32_t kept = add_bytes(&p, 0, true), y = add_bytes(&p, 16, true);
    p.outputs = I32S(b, y);
    add_call(&p, A_KERNEL_CALL, 0, I32S(b, kept, y, y));
    add_call(&p, A_KERNEL_CALL, 0, I32S(b, y, kept, kept));
    assert_ok(try_made(&of, &p, &err));
    assert_int_equal(of.n_inputs, 1);
    assert_inputs(&of, 0, NAMES("value_0"));
    assert_inputs(&of, 1, NAMES("0"));
    end(&of);
    builder_free(&p.b);
}

/* A delegate's node has its backend. */
static void delegates_have_their_backend(void **state) {
    (void)state;
    drawn of;
    draw(&of, "testdata/xnnpack-conv/model.pte", NULL);
    size_t n = 0;
    for (size_t i = of.n_inputs; i < of.graph.n_nodes; i++) {
        bool is_delegate = eti__text_is(of.graph.nodes[i].op, "XnnpackBackend");
        assert_int_equal(is_delegate, of.graph.nodes[i].backend.size > 0);
        n += is_delegate;
    }
    assert_int_equal(n, 2);
    end(&of);
}

/* A list of a thousand items that a hundred calls take exceeds what a file of this size may request; eight calls may take
 * it. */
static void edges_are_limited(void **state) {
    (void)state;
    static int32_t items[1000];
    for (int n_calls = 8; n_calls <= 100; n_calls += 92) {
        program_spec p = {.n_operators = 1};
        builder *b = &p.b;
        drawn of;
        eti_error err = ETI_ERROR_INIT;
        int32_t x = add_bytes(&p, 0, true), y = add_bytes(&p, 16, true);
        int32_t list = add_value_of(&p, A_TENSOR_LIST, put_i32s(b, items, COUNT_OF(items)));
        p.inputs = I32S(b, x);
        p.outputs = I32S(b, y);
        for (int i = 0; i < n_calls; i++)
            add_call(&p, A_KERNEL_CALL, 0, I32S(b, list, y, y));
        if (n_calls == 8)
            assert_ok(try_made(&of, &p, &err));
        else
            assert_fails(try_made(&of, &p, &err), ETI_ERROR_LIMIT,
                         "method forward: instructions use lists so often");
        end(&of);
        builder_free(&p.b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_come_from_their_writers),
        cmocka_unit_test(moves_and_copies_write),
        cmocka_unit_test(a_method_is_chosen),
        cmocka_unit_test(views_stand_for_what_they_show),
        cmocka_unit_test(lists_are_their_items),
        cmocka_unit_test(values_read_before_written_are_inputs),
        cmocka_unit_test(delegates_have_their_backend),
        cmocka_unit_test(edges_are_limited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
