#include "inspector_fixture.h"

#include "program_builder.h"

#include "support.h"

#include "account/account.h"
#include "places/kernel_nodes.h"
#include "places/places.h"
#include "rollup/graph.h"
#include "rollup/rollup.h"

#include <math.h>
#include <string.h>

/* ==== graph =================================================================================== */

#define EDGE                                                                                       \
    EDGE_PROGRAM(NODE("a", "1", "L__self__,,M;L__self___fc,fc,Linear") "," NODE(                   \
        "b", "2", "L__self__,,M") "," NODE("c", "3", "other,o,Other"))
#define HANDLES "{\"1\": 1, \"2\": 2, \"3\": 3, \"4\": [1, 2], \"5\": [77]}"
#define CALL(b, call_name, id, start_ms, end_ms)                                                   \
    TIMED(b, .name = (call_name), .instruction_id = SOME(id),                                      \
          .start_time = (start_ms)*UINT64_C(1000000), .end_time = (end_ms)*UINT64_C(1000000))

static eti_timed_graph make_graph(const eti_inspector *inspector, const char *name) {
    eti_view_options options = ETI_VIEW_OPTIONS_DEFAULT;
    eti_timed_graph graph;
    eti_error err = ETI_ERROR_INIT;
    options.graph = name;
    assert_ok(eti__timed_graph_make(&graph, inspector, &options, &err));
    return graph;
}

/* Powers of two: a sum shows which terms it has. The whole is 31 ms. */
static void times_are_of_one_node_or_shared(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(
        &s,
        DUMP(b, RUN(b, "Execute", CALL(b, "native_call_a.out", 1, 0, 1),
                    CALL(b, "native_call_b.out", 2, 1, 3), CALL(b, "native_call_c.out", 3, 3, 7),
                    CALL(b, "native_call_several.out", 4, 7, 15),
                    CALL(b, "native_call_unknown.out", 5, 15, 31))),
        &(record_spec){.handles = HANDLES, .edge = EDGE});
    eti_timed_graph graph = make_graph(s.inspector, NULL);
    assert_true(graph.has_record && graph.has_times);
    assert_int_equal(graph.n_nodes, 3);
    assert_int_equal(graph.n_lists, 1);
    static const double totals[] = {1, 2, 4};
    static const char *const names[] = {"a", "b", "c"}, *const modules[] = {"fc", "M", "o"};
    for (size_t i = 0; i < 3; i++) {
        const eti_timed_node *node = &graph.nodes[i];
        assert_text(node->name, names[i]);
        assert_text(node->module, modules[i]);
        assert_false(node->is_input);
        assert_true(node->has_debug_handle);
        assert_int_equal(node->debug_handle, i + 1);
        assert_bits(node->total, totals[i]);
        assert_true(fabs(node->share - totals[i] / 31) < 1e-15);
        /* c and the other nodes have no events */
        assert_true(i < 2 ? node->shared == 8 : isnan(node->shared));
    }
    /* the rest, so that everything adds up to the whole */
    static const char *const rest[][2] = {{"(2 nodes)", ETI_GROUP_SEVERAL_OPS},
                                          {ETI_GROUP_UNKNOWN, "native_call_unknown.out"}};
    assert_int_equal(graph.n_rest, 2);
    for (size_t i = 0; i < 2; i++) {
        const eti_timed_node *node = &graph.nodes[3 + i];
        assert_true(node->is_rest);
        assert_text(node->name, rest[i][0]);
        assert_text(node->op, rest[i][1]);
        assert_bits(node->total, i == 0 ? 8 : 16);
    }
    assert_text(graph.nodes[3].module, "M");
    assert_null(graph.nodes[4].module.data);
    eti__timed_graph_free(&graph);
    close_session(&s);
}

/* The name of the rest is data: a view shows as much of an operator as the record has. */
static void long_operators_are_whole(void **state) {
    (void)state;
#define LONG_OP                                                                                    \
    "aten.\xe5\xb1\xa4_attention_with_rotary_embedding_and_a_cache_of_keys_and_values_that_wraps_" \
    "around_after_as_many_tokens_as_the_context_holds_for_heads_in_groups_of_four_each_quantized_" \
    "to_eight_bits_with_a_scale_for_every_group_of_thirty_two_channels.default"
#define LONG_NODE(name, handle)                                                                    \
    "{\"name\": \"" name "\", \"target\": \"executorch.exir.dialects.edge.ops." LONG_OP            \
    "\", \"inputs\": [], \"outputs\": [{\"as_tensor\": {\"name\": \"" name                         \
    "\"}}], \"metadata\": {\"debug_handle\": \"" handle "\"}}"
    session s = {0};
    builder *b = &s.b;
    open_session(&s, DUMP(b, RUN(b, "Execute", CALL(b, "native_call_a.out", 4, 0, 1))),
                 &(record_spec){.handles = "{\"4\": [1, 2]}",
                                .edge = EDGE_PROGRAM(LONG_NODE("a", "1") "," LONG_NODE("b", "2"))});
    eti_timed_graph graph = make_graph(s.inspector, NULL);
    assert_int_equal(graph.n_rest, 1);
    assert_text(graph.nodes[graph.n_nodes].name, LONG_OP " (2 nodes)");
    eti__timed_graph_free(&graph);
    close_session(&s);
}

static void nodes_know_where_they_stand(void **state) {
    (void)state;
    const eti_source dump = {.path = "testdata/small/run.etdp"};
    const eti_source record = {.path = "testdata/small/record.etrecord"};
    const eti_inputs inputs = {.etdumps = &dump, .n_etdumps = 1, .etrecord = &record};
    eti_inspector *inspector;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__inspector_open(&inspector, &inputs, NULL, &err));
    eti_timed_graph graph = make_graph(inspector, NULL);
    assert_int_equal(graph.n_nodes, 3);
    const eti_timed_node *x = &graph.nodes[0], *relu = &graph.nodes[1], *add = &graph.nodes[2];
    assert_true(x->is_input && isnan(x->total) && x->n_inputs == 0);
    assert_text(x->name, "x");
    assert_text(x->shape, "[2]");
    assert_text(relu->op, "aten.relu.default");
    assert_text(relu->module, "activation");
    assert_int_equal(relu->line, 140);
    assert_string_equal(relu->dtype, "float32");
    assert_int_equal(add->n_inputs, 2);
    assert_text(add->inputs[0], "aten_relu_default");
    assert_text(add->inputs[1], "x");
    assert_int_equal(add->input_nodes[0], 1);
    assert_int_equal(add->input_nodes[1], 0);
    assert_text(graph.name, "forward");
    assert_false(x->is_weight);
    const eti_timed_module *module = &graph.modules[relu->module_number];
    assert_text(module->name, "activation");
    assert_text(module->part, "activation");
    assert_text(graph.modules[module->parent].part, ""); /* the model */
    assert_int_equal(graph.modules[module->parent].parent, 0);
    assert_int_equal(graph.modules[add->module_number].part.size, 0);
    assert_null(add->backend.data);
    eti__timed_graph_free(&graph);
    graph = make_graph(inspector, "exported_program");
    assert_true(graph.has_record && !graph.has_times);
    assert_int_equal(graph.n_nodes, 3);
    assert_text(graph.nodes[1].name, "relu");
    assert_true(isnan(graph.nodes[1].total) && isnan(graph.nodes[1].shared));
    eti__timed_graph_free(&graph);
    eti_inspector_close(inspector);
}

/* Parameters and buffers of the signature are weights; inputs of the user are not. */
static void weights_are_distinguished_from_inputs(void **state) {
    (void)state;
    const eti_source record = {.path = "testdata/mlp/record.etrecord"};
    const eti_source dump = {.path = "testdata/mlp/run.etdp"};
    const eti_inputs inputs = {.etdumps = &dump, .n_etdumps = 1, .etrecord = &record};
    eti_inspector *inspector;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__inspector_open(&inspector, &inputs, NULL, &err));
    eti_timed_graph graph = make_graph(inspector, NULL);
    size_t n_weights = 0, n_inputs = 0;
    for (size_t i = 0; i < graph.n_nodes; i++) {
        const eti_timed_node *node = &graph.nodes[i];
        n_inputs += node->is_input;
        n_weights += node->is_weight;
        if (node->is_input) /* names that torch.export gives parameters */
            assert_int_equal(node->is_weight, memcmp(node->name.data, "p_", 2) == 0);
        else
            assert_false(node->is_weight);
    }
    assert_int_equal(n_inputs, n_weights + 1);
    assert_true(n_weights > 1);
    eti__timed_graph_free(&graph);
    eti_inspector_close(inspector);
}

static const eti_timed_node *find_node(const eti_timed_graph *graph, const char *name) {
    for (size_t i = 0; i < graph->n_nodes; i++) {
        if (eti__text_is(graph->nodes[i].name, name))
            return &graph->nodes[i];
    }
    fail_msg("no node %s", name);
    return NULL;
}

static eti_inspector *open_conv(const char *record_name) {
    const eti_source record = {.path = record_name};
    const eti_source dump = {.path = "testdata/xnnpack-conv/run.etdp"};
    const eti_source program = {.path = "testdata/xnnpack-conv/model.pte"};
    const eti_inputs inputs = {.etdumps = &dump,
                               .n_etdumps = 1,
                               .etrecord = &record,
                               .programs = &program,
                               .n_programs = 1};
    eti_inspector *inspector;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__open_seen_through(&inspector, &inputs, NULL, &err));
    return inspector;
}

/* A record made after lowering has the nodes in the modules of calls; one made before has them in the graph. */
static void nodes_of_lowered_modules_are_those_before_lowering(void **state) {
    (void)state;
    eti_inspector *before = open_conv("testdata/xnnpack-conv/record.etrecord");
    eti_inspector *after = open_conv("testdata/xnnpack-conv/lowered.etrecord");
    eti_timed_graph whole = make_graph(before, NULL), lowered = make_graph(after, NULL);
    assert_true(whole.has_times && lowered.has_times);
    size_t n_calls = 0, n_inside = 0;
    for (size_t i = 0; i < lowered.n_nodes; i++) {
        const eti_timed_node *node = &lowered.nodes[i];
        if (node->is_call) {
            n_calls++;
            continue;
        }
        char name[100];
        (void)snprintf(name, sizeof name, "%.*s", ETI_TEXT_ARGS(node->name));
        const eti_timed_node *same = find_node(&whole, name);
        assert_true(eti__text_equal(node->op, same->op));
        assert_true(eti__text_equal(node->module, same->module));
        assert_true(eti__text_equal(node->backend, same->backend));
        assert_int_equal(node->line, same->line);
        assert_int_equal(node->is_weight, same->is_weight);
        assert_bits(node->total, same->total);
        assert_bits(node->shared, same->shared);
        assert_int_equal(node->n_inputs, same->n_inputs);
        for (size_t k = 0; k < node->n_inputs; k++) {
            assert_true(eti__text_equal(node->inputs[k], same->inputs[k]));
            assert_true(eti__text_equal(lowered.nodes[node->input_nodes[k]].name, node->inputs[k]));
        }
        if (node->call == ETI_NO_NODE)
            continue;
        n_inside++;
        assert_true(node->call < i && lowered.nodes[node->call].is_call);
        /* the module of the call surrounds it */
        uint32_t number = node->module_number;
        while (number != 0 &&
               !eti__text_equal(lowered.modules[number].name, lowered.nodes[node->call].name)) {
            assert_false(lowered.modules[number].is_call);
            number = lowered.modules[number].parent;
        }
        assert_true(number != 0 && lowered.modules[number].is_call);
    }
    assert_int_equal(n_calls, 2);
    assert_int_equal(n_inside, 6);
    assert_int_equal(lowered.n_nodes, whole.n_nodes + n_calls);
    eti__timed_graph_free(&whole);
    eti__timed_graph_free(&lowered);
    eti_inspector_close(before);
    eti_inspector_close(after);
}

/* A delegate may share the debug handle of a node that a kernel runs: the node that quantizes its result. */
static void kernels_belong_to_no_backend(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(&s,
                 DUMP(b, RUN(b, "Execute", CALL(b, "DELEGATE_CALL", 1, 0, 1),
                             CALL(b, "native_call_b.out", 2, 1, 3))),
                 &(record_spec){.handles = "{\"1\": [1, 2], \"2\": [2]}",
                                .delegates = "{\"1\": {\"name\": \"XnnpackBackend\", "
                                             "\"delegate_map\": {}}}",
                                .edge = EDGE_PROGRAM(NODE("a", "1", "L__self__,,M") "," NODE(
                                    "b", "2", "L__self__,,M") "," NODE("q", "2", "L__self__,,M"))});
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__resolve_kernels(s.inspector, &err));
    eti_timed_graph graph = make_graph(s.inspector, NULL);
    assert_text(graph.nodes[0].backend, "XnnpackBackend");
    assert_null(graph.nodes[1].backend.data);
    assert_bits(graph.nodes[1].total, 2);
    assert_text(graph.nodes[2].backend, "XnnpackBackend");
    eti__timed_graph_free(&graph);
    close_session(&s);
}

static void without_a_record_there_are_no_nodes(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(&s, DUMP(b, RUN(b, "Execute", CALL(b, "native_call_a.out", 1, 0, 1))), NULL);
    eti_timed_graph graph = make_graph(s.inspector, NULL);
    assert_false(graph.has_record || graph.has_times);
    assert_int_equal(graph.n_nodes, 0);
    eti__timed_graph_free(&graph);
    close_session(&s);
}

/* ==== program graph =========================================================================== */
/* Draws methods of real programs as graphs: where the values of instructions come from. */

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
        cmocka_unit_test(times_are_of_one_node_or_shared),
        cmocka_unit_test(long_operators_are_whole),
        cmocka_unit_test(nodes_know_where_they_stand),
        cmocka_unit_test(weights_are_distinguished_from_inputs),
        cmocka_unit_test(nodes_of_lowered_modules_are_those_before_lowering),
        cmocka_unit_test(kernels_belong_to_no_backend),
        cmocka_unit_test(without_a_record_there_are_no_nodes),
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
