#include "support.h"

#include "base/arena.h"
#include "base/text.h"
#include "etrecord/etrecord.h"
#include "etrecord/exported_program.h"
#include "etrecord/fx_names.h"
#include "etrecord/graph.h"
#include "read/read.h"

/* ---- names ----------------------------------------------------------------------------------- */

/* Adds each name in turn to one namespace; results are those of torch.fx. */
static void names_are_made_as_torch_makes_them(void **state) {
    (void)state;
    static const struct {
        const char *wanted, *name;
    } cases[] = {
        {"x", "x"},       {"x", "x_1"},       {"x_1", "x_2"},       {"x_7", "x_7"},
        {"x", "x_8"},     {"x_01", "x_01"},   {"x", "x_3"},         {"x_", "x_"},
        {"x_", "x__1"},   {"max", "max_1"},   {"max", "max_2"},     {"max_1", "max_3"},
        {"None", "None"}, {"inf", "inf_1"},   {"torch", "torch_1"}, {"class", "class_1"},
        {"", "_unnamed"}, {"", "_unnamed_1"}, {"1x", "_1x"},        {"_1", "_1"},
        {"__1", "__1"},   {"a.b", "a_b"},     {"a..-b", "a_b_1"},   {"\xc3\xa9", "_"},
        {"a.0", "a_0"},   {"a", "a"},         {"a", "a_1"},
    };
    eti_arena arena = {0};
    eti_fx_names names;
    eti__fx_names_init(&names, &arena);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        eti_text name;
        assert_true(eti__fx_names_create(&names, eti__text_of(cases[i].wanted), &name));
        assert_text(name, cases[i].name);
    }
    eti__fx_names_free(&names);
    eti__arena_free(&arena);
}

/* Uses a separate namespace for each; results are those of torch.fx. */
static void numbers_are_taken_in_any_order(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"x_2 x x x x_4 x x_1 x_9 x_8 x x_7 x x",
         "x_2 x x_3 x_4 x_5 x_6 x_1 x_9 x_8 x_10 x_7 x_11 x_12"},
        {"y_3 y_2 y_1 y y y_0 y y_0", "y_3 y_2 y_1 y y_4 y_0 y_5 y_6"},
        {"z_01 z z_01 z_1 z_01 z_02", "z_01 z z_2 z_1 z_3 z_02"},
        {"max_1 max max_2 max", "max_1 max_2 max_3 max_4"},
        {"w_12345678901234567 w w_12345678901234567 w",
         "w_12345678901234567 w w_12345678901234568 w_12345678901234569"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        eti_arena arena = {0};
        eti_fx_names names;
        eti__fx_names_init(&names, &arena);
        eti_buffer made = {0};
        for (const char *wanted = cases[i][0]; *wanted;) {
            size_t size = strcspn(wanted, " ");
            eti_text name;
            assert_true(eti__fx_names_create(&names, (eti_text){wanted, size}, &name));
            eti__buffer_add_string(&made, made.size ? " " : "");
            eti__buffer_add_text(&made, name);
            wanted += size + (wanted[size] == ' ');
        }
        assert_text(eti__buffer_text(&made), cases[i][1]);
        eti__buffer_free(&made);
        eti__fx_names_free(&names);
        eti__arena_free(&arena);
    }
}

/* A name is taken even if it was never requested, and a generated name is followed by "_". */
static void names_are_taken_unseen(void **state) {
    (void)state;
    eti_arena arena = {0};
    eti_fx_names names;
    eti_text name;
    eti__fx_names_init(&names, &arena);
    for (int i = 0; i < 3; i++)
        assert_true(eti__fx_names_create(&names, eti__text_of("x"), NULL));
    assert_true(eti__fx_names_create(&names, eti__text_of("a.b"), NULL));
    assert_true(eti__fx_names_create(&names, eti__text_of("x"), &name));
    assert_text(((eti_text){name.data, name.size + 1}), "x_3_");
    assert_true(eti__fx_names_create(&names, eti__text_of("a_b"), &name));
    assert_text(((eti_text){name.data, name.size + 1}), "a_b_1_");
    assert_true(eti__fx_names_create(&names, eti__text_of("c.d"), &name));
    assert_text(((eti_text){name.data, name.size + 1}), "c_d_");
    assert_true(eti__fx_names_create(&names, eti__text_of(""), &name));
    assert_text(((eti_text){name.data, name.size + 1}), "_unnamed_");
    assert_true(eti__fx_names_create_from_callable(&names, eti__text_of("fooBar"), &name));
    assert_text(((eti_text){name.data, name.size + 1}), "foo_bar_");
    eti__fx_names_free(&names);
    eti__arena_free(&arena);
}

static void names_from_targets_are_in_snake_case(void **state) {
    (void)state;
    eti_arena arena = {0};
    eti_fx_names names;
    eti_text name;
    eti__fx_names_init(&names, &arena);
    assert_true(
        eti__fx_names_create_from_callable(&names, eti__text_of("aten.sum.dim_IntList"), &name));
    assert_text(name, "aten_sum_dim_int_list");
    assert_true(eti__fx_names_create_from_callable(&names, eti__text_of("aten.add.Tensor"), &name));
    assert_text(name, "aten_add_tensor");
    assert_true(eti__fx_names_create_from_str(&names, eti__text_of("__inputIds__"), &name));
    assert_text(name, "input_ids");
    assert_true(eti__fx_names_create_from_callable(&names, eti__text_of("__x__"), &name));
    assert_text(name, "__x__");
    assert_true(eti__fx_names_create_from_str(&names, eti__text_of("___"), &name));
    assert_text(name, "_unnamed");
    eti__fx_names_free(&names);
    eti__arena_free(&arena);
}

/* Numbers in use are not tried one by one, which would take minutes. */
static void many_equal_names_stay_fast(void **state) {
    (void)state;
    eti_arena arena = {0};
    eti_fx_names names;
    eti_text name;
    eti__fx_names_init(&names, &arena);
    for (int i = 0; i < 100000; i++)
        assert_true(eti__fx_names_create(&names, eti__text_of("x"), &name));
    assert_text(name, "x_99999");
    for (int i = 1; i < 3000; i++) { /* x_00…0 resets torch's counter */
        char *zeros = eti__arena_alloc_zero(&arena, (size_t)i + 3, 1);
        assert_non_null(zeros);
        memset(zeros, '0', (size_t)i + 2);
        zeros[0] = 'x';
        zeros[1] = '_';
        assert_true(eti__fx_names_create(&names, eti__text_of(zeros), &name));
        assert_true(eti__fx_names_create(&names, eti__text_of("x"), &name));
    }
    eti__fx_names_free(&names);
    eti__arena_free(&arena);
}

/* ---- targets --------------------------------------------------------------------------------- */

static void targets_name_operators(void **state) {
    (void)state;
    static const struct {
        const char *target;
        eti_op_kind kind;
        const char *op_type;
    } cases[] = {
        {"executorch.exir.dialects.edge.ops.aten.addmm.default", ETI_OP_EDGE, "aten.addmm.default"},
        {"executorch.exir.dialects.edge.ops.dim_order_ops._to_dim_order_copy.default", ETI_OP_EDGE,
         "dim_order_ops._to_dim_order_copy.default"},
        {"executorch.exir.dialects.backend.ops.cadence.linear.out", ETI_OP_EDGE,
         "cadence.linear.out"},
        {"torch.ops.higher_order.cond", ETI_OP_TORCH, "cond"},
        {"torch.ops.higher_order.executorch_call_delegate", ETI_OP_DELEGATE,
         "executorch_call_delegate"},
        {"torch.ops.aten.sym_size.int", ETI_OP_TORCH, "sym_size.int"},
        {"torch.sym_max", ETI_OP_TORCH, "sym_max"},
        {"torch.sym_sqrt", ETI_OP_TORCH, "_sym_sqrt"},
        {"_operator.mul", ETI_OP_TORCH, "mul"},
        {"memory.alloc", ETI_OP_ALLOC, "alloc"},
        {"executorch.exir.memory.view", ETI_OP_UNKNOWN, "view"},
        {"math.trunc", ETI_OP_UNKNOWN, "math.trunc"},
        {"executorch.exir.dialects.edge.ops.", ETI_OP_UNKNOWN,
         "executorch.exir.dialects.edge.ops."},
        {"torch.ops.a.b.c.d", ETI_OP_UNKNOWN, "torch.ops.a.b.c.d"},
        {"", ETI_OP_UNKNOWN, ""},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        eti_op_target op = eti__op_target_of(eti__text_of(cases[i].target));
        assert_int_equal(op.kind, cases[i].kind);
        assert_text(op.op_type, cases[i].op_type);
    }
}

/* ---- metadata -------------------------------------------------------------------------------- */

static void debug_handles_are_python_integers(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int64_t handle;
    } good[] = {
        {"0", 0},
        {"12", 12},
        {" 7\n", 7},
        {"+3", 3},
        {"-4", -4},
        {"1_000", 1000},
        {"007", 7},
        {"9223372036854775807", INT64_MAX},
        {"-9223372036854775808", INT64_MIN},
        {"\xc2\xa0"
         "7\xe3\x80\x80",
         7}, /* U+00A0 and U+3000 */
    };
    static const char *const bad[] = {
        "(1, 2)",
        "1.0",
        "_1",
        "1_",
        "1__0",
        "-",
        " ",
        "0x1",
        "7\x1c", /* int() does not strip it, though str.strip() does */
        "-9223372036854775809",
        "9223372036854775808",
        "99999999999999999999"};
    eti_error err = ETI_ERROR_INIT;
    bool has;
    int64_t handle;
    for (size_t i = 0; i < COUNT_OF(good); i++) {
        assert_ok(eti__debug_handle_parse(eti__text_of(good[i].text), &has, &handle, &err));
        assert_true(has && handle == good[i].handle);
    }
    assert_ok(eti__debug_handle_parse(eti__text_of(""), &has, &handle, &err));
    assert_false(has);
    assert_ok(eti__debug_handle_parse(eti__text_of(NULL), &has, &handle, &err));
    assert_false(has);
    for (size_t i = 0; i < COUNT_OF(bad); i++)
        assert_fails(eti__debug_handle_parse(eti__text_of(bad[i]), &has, &handle, &err),
                     ETI_ERROR_MALFORMED, "debug_handle: expected an integer, found");
}

static void module_stacks_are_split(void **state) {
    (void)state;
    eti_arena arena = {0};
    eti_error err = ETI_ERROR_INIT;
    const eti_module *modules;
    size_t n;
    size_t left = ETI_MOST_MODULES;
    const char *text = "L__self__,, m.Net ;L__self___l, l[0,(1,2)] ,a.B;L__self__,again,m.C";
    assert_ok(eti__module_stack_parse(eti__text_of(text), &left, &arena, &modules, &n, &err));
    assert_int_equal(n, 2);
    assert_text(modules[0].key, "L__self__");
    assert_text(modules[0].path, "again");
    assert_text(modules[0].type, "m.C");
    assert_text(modules[1].key, "L__self___l");
    assert_text(modules[1].path, "l[0,(1,2)]");
    assert_text(modules[1].type, "a.B");
    assert_ok(eti__module_stack_parse(eti__text_of(",,"), &left, &arena, &modules, &n, &err));
    assert_int_equal(n, 1);
    assert_ok(eti__module_stack_parse(eti__text_of("a,b,(c"), &left, &arena, &modules, &n, &err));
    assert_text(modules[0].type, "(c");
    const char *spaces = "\xe2\x80\x83key\x1c,\xc2\x85path\t,\xe3\x80\x80type\xc2\xa0";
    assert_ok(eti__module_stack_parse(eti__text_of(spaces), &left, &arena, &modules, &n, &err));
    assert_int_equal(n, 1);
    assert_text(modules[0].key, "key");
    assert_text(modules[0].path, "path");
    assert_text(modules[0].type, "type");

    static const char *const bad[] = {"", "a,b", "a,b,c,d", "a,b,c;", "a,b)c,d", "a,(b,c"};
    for (size_t i = 0; i < COUNT_OF(bad); i++)
        assert_fails(
            eti__module_stack_parse(eti__text_of(bad[i]), &left, &arena, &modules, &n, &err),
            ETI_ERROR_MALFORMED, "nn_module_stack: expected \"key,path,type\", found");
    eti__arena_free(&arena);
}

static void modules_of_one_key_are_one_wherever_they_are(void **state) {
    (void)state;
    eti_arena arena = {0};
    eti_error err = ETI_ERROR_INIT;
    const eti_module *modules;
    size_t n;
    size_t left = ETI_MOST_MODULES;
    const char *text = "a,1,;abc,2,;abcd,3,;abc,4,;ab,5,;abcde,6,;abcd,7,;abcde,8,;a,9,";
    assert_ok(eti__module_stack_parse(eti__text_of(text), &left, &arena, &modules, &n, &err));
    static const char *const expected[][2] = {
        {"a", "9"}, {"abc", "4"}, {"abcd", "7"}, {"ab", "5"}, {"abcde", "8"}};
    assert_int_equal(n, COUNT_OF(expected));
    for (size_t i = 0; i < n; i++) {
        assert_text(modules[i].key, expected[i][0]);
        assert_text(modules[i].path, expected[i][1]);
    }
    assert_int_equal(left, ETI_MOST_MODULES - 9);
    eti__arena_free(&arena);
}

/* All named modules count, including repeated ones. */
static void modules_are_limited(void **state) {
    (void)state;
    eti_arena arena = {0};
    eti_error err = ETI_ERROR_INIT;
    const eti_module *modules;
    size_t n;
    size_t left = 5;
    assert_ok(
        eti__module_stack_parse(eti__text_of("a,,;b,,;a,,"), &left, &arena, &modules, &n, &err));
    assert_int_equal(n, 2);
    assert_int_equal(left, 2);
    assert_fails(
        eti__module_stack_parse(eti__text_of("a,,;b,,;c,,"), &left, &arena, &modules, &n, &err),
        ETI_ERROR_LIMIT, "nn_module_stack: more than 1048576 modules in all stacks of the graph");
    assert_int_equal(n, 0);
    assert_ok(eti__module_stack_parse(eti__text_of("a,,;b,,"), &left, &arena, &modules, &n, &err));
    assert_int_equal(left, 0);
    eti__arena_free(&arena);
}

/* ---- graphs ---------------------------------------------------------------------------------- */

#define PROGRAM(inputs, nodes)                                                                     \
    "{\"graph_module\": {\"graph\": {\"inputs\": [" inputs "], \"nodes\": [" nodes "]}}}"
#define NODE(name, target, inputs, outputs, metadata)                                              \
    "{\"name\": \"" name "\", \"target\": \"" target "\", \"inputs\": [" inputs                    \
    "], \"outputs\": [" outputs "], \"metadata\": {" metadata "}}"
#define TENSOR(name) "{\"as_tensor\": {\"name\": \"" name "\"}}"
#define EDGE "executorch.exir.dialects.edge.ops."
#define DELEGATE "torch.ops.higher_order.executorch_call_delegate"

static int make_arena(void **state) {
    static eti_arena arena;
    arena = (eti_arena){0};
    *state = &arena;
    return 0;
}

static int free_arena(void **state) {
    eti__arena_free(*state);
    return 0;
}

static eti_status read_text(eti_graph *out, eti_arena *arena, const char *text, eti_error *err) {
    eti_json json;
    eti__json_open_text(&json, eti__text_of(text));
    return eti__graph_read(out, arena, &json, err);
}

static eti_graph parse(void **state, const char *json) {
    eti_graph graph;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(read_text(&graph, *state, json, &err));
    return graph;
}

static void a_node_has_everything(void **state) {
    eti_graph graph = parse(
        state, PROGRAM(TENSOR("x"),
                       NODE("add_json", EDGE "aten.add.Tensor", "", TENSOR("aten_add_tensor"),
                            "\"stack_trace\": \"File \\\"m.py\\\", line 3\\n  x + x\", "
                            "\"nn_module_stack\": \"L__self__,,m.Net;L__self___l,l,torch.L\", "
                            "\"debug_handle\": \"7\", \"torch_fn\": \"add\"")));
    assert_int_equal(graph.n_nodes, 1);
    const eti_graph_node *node = &graph.nodes[0];
    assert_text(node->node.name, "aten_add_tensor_");
    assert_text(node->op_type, "aten.add.Tensor");
    assert_text(node->target, EDGE "aten.add.Tensor");
    assert_text(node->node.stack_trace, "File \"m.py\", line 3\n  x + x");
    assert_true(node->has_debug_handle && node->debug_handle == 7);
    assert_true(node->node.has_modules);
    assert_int_equal(node->node.n_modules, 2);
    assert_text(node->node.modules[1].key, "L__self___l");
}

/* The origin is the earliest ancestor: that of the last element, at each depth. Without values it is not read. */
static void nodes_know_their_origin(void **state) {
#define ANCESTOR(name, from) "{\\\"name\\\": \\\"" name "\\\", \\\"from_node\\\": [" from "]}"
    static const char text[] =
        PROGRAM(TENSOR("x"),
                NODE("a", EDGE "aten.add.Tensor", "", TENSOR("a"),
                     "\"from_node\": \"[" ANCESTOR("first", "") ", " ANCESTOR(
                         "second", ANCESTOR("third", "") ", " ANCESTOR(
                                       "linear_1", "")) "]\"") "," NODE("b", EDGE "aten.mul.Tensor",
                                                                        "", TENSOR("b"),
                                                                        "\"from_node\": \"[]\""));
    eti_graph graph = parse(state, text);
    eti_graph_values values;
    eti_error err = ETI_ERROR_INIT;
    eti_json json;
    assert_absent(graph.nodes[0].node.origin);
    eti__json_open_text(&json, eti__text_of(text));
    assert_ok(eti__graph_read_values(&graph, &values, *state, &json, &err));
    assert_text(graph.nodes[0].node.origin, "linear_1");
    assert_absent(graph.nodes[1].node.origin);
}

#define TAKES(name) "{\"name\": \"\", \"arg\": " TENSOR(name) "}"
#define OF_NODE(handle, modules)                                                                   \
    "\"debug_handle\": \"" handle "\", \"nn_module_stack\": \"" modules "\""
#define OWN "L__self__,,m.Net;L__self___l,l,torch.L"
#define WRAPPER "L__self__,,torch.export._trace.f.<locals>.Wrapper"
#define QUANTIZE "torch.ops.quantized_decomposed."

/* conv -> q -> dq -> silu -> q -> nothing; and a node that only silu takes. */
static void nodes_of_a_quantizer_serve_operators(void **state) {
    static const char text[] = PROGRAM(
        TENSOR("x"),
        NODE("dq0", QUANTIZE "dequantize_per_tensor.default", TAKES("x"), TENSOR("dq0"), OF_NODE("1", WRAPPER)) "," NODE(
            "conv", EDGE "aten.convolution.default",
            TAKES("dq0"), TENSOR("conv"),
            OF_NODE(
                "2",
                OWN)) "," NODE("q1", QUANTIZE "quantize_per_tensor.default", TAKES("conv"),
                               TENSOR("q1"),
                               OF_NODE(
                                   "2",
                                   WRAPPER)) "," NODE("dq1",
                                                      QUANTIZE
                                                      "dequantize_per_tensor.default",
                                                      TAKES("q1"), TENSOR("dq1"),
                                                      OF_NODE(
                                                          "2",
                                                          WRAPPER)) "," NODE("silu",
                                                                             EDGE
                                                                             "aten.silu.default",
                                                                             TAKES("dq1"),
                                                                             TENSOR("silu"),
                                                                             OF_NODE(
                                                                                 "3",
                                                                                 OWN)) "," NODE("q"
                                                                                                "2",
                                                                                                QUANTIZE
                                                                                                "qu"
                                                                                                "an"
                                                                                                "ti"
                                                                                                "ze"
                                                                                                "_"
                                                                                                "pe"
                                                                                                "r_"
                                                                                                "te"
                                                                                                "ns"
                                                                                                "or"
                                                                                                ".d"
                                                                                                "ef"
                                                                                                "au"
                                                                                                "l"
                                                                                                "t",
                                                                                                TAKES(
                                                                                                    "si"
                                                                                                    "l"
                                                                                                    "u"),
                                                                                                TENSOR(
                                                                                                    "q"
                                                                                                    "2"),
                                                                                                OF_NODE(
                                                                                                    "4",
                                                                                                    WRAPPER)));
    static const int served[] = {1, -1, 1, 1, -1, 4};
    static const int producer[] = {-1, 0, 1, 2, 3, 4};
    for (int lowers = 0; lowers < 2; lowers++) {
        eti_graph graph;
        eti_error err = ETI_ERROR_INIT;
        eti_json json;
        eti__json_open_text(&json, eti__text_of(text));
        assert_ok(lowers ? eti__graph_read_lowered(&graph, *state, &json, &err)
                         : eti__graph_read(&graph, *state, &json, &err));
        assert_int_equal(graph.n_nodes, 6);
        for (size_t i = 0; i < 6; i++) {
            const eti_graph_node *node = &graph.nodes[i];
            assert_ptr_equal(node->node.served,
                             served[i] < 0 ? NULL : &graph.nodes[served[i]].node);
            assert_int_equal(node->n_producers, lowers && producer[i] >= 0);
            if (node->n_producers > 0)
                assert_ptr_equal(node->producers[0], &graph.nodes[producer[i]]);
        }
    }
}

/* A quantizer may make a graph module of the model, which is then the only module of its nodes. Other nodes in a graph module
 * are the model's. */
static void nodes_of_a_quantizer_may_have_a_graph_module(void **state) {
#define GRAPH_MODULE "L__self__,,torch.fx.graph_module.GraphModule.__new__.<locals>.GraphModuleImpl"
#define CONV                                                                                       \
    NODE("conv", EDGE "aten.convolution.default", TAKES("x"), TENSOR("conv"), OF_NODE("1", OWN))
#define Q                                                                                          \
    NODE("q", QUANTIZE "quantize_per_tensor.default", TAKES("conv"), TENSOR("q"),                  \
         OF_NODE("2", GRAPH_MODULE))
#define RELU                                                                                       \
    NODE("relu", EDGE "aten.relu.default", TAKES("q"), TENSOR("relu"), OF_NODE("3", GRAPH_MODULE))
    eti_graph graph = parse(state, PROGRAM(TENSOR("x"), CONV "," Q "," RELU));
    assert_true(eti__node_is_inserted(&graph.nodes[1].node));
    assert_false(eti__node_has_own_modules(&graph.nodes[1].node));
    assert_non_null(graph.nodes[1].node.served);
    assert_int_equal(graph.nodes[1].node.n_modules, 1); /* as the Inspector has it */
    assert_false(eti__node_is_inserted(&graph.nodes[2].node));
#undef CONV
#undef Q
#undef RELU
}

/* Any spelling in the file is read. */
static void equal_texts_of_nodes_are_one(void **state) {
#define METADATA(stack) "\"stack_trace\": \"" stack "\", \"nn_module_stack\": \"k,p," stack "\""
    eti_graph graph = parse(
        state,
        PROGRAM(
            "",
            NODE("a", EDGE "aten.a.b", "", TENSOR("a"), METADATA("x\\ny")) "," NODE(
                "b", EDGE "aten.a.b", "", TENSOR("b"),
                METADATA(
                    "x\\ny")) "," NODE("c", EDGE "aten.a.b", "", TENSOR("c"),
                                       METADATA(
                                           "x\\nyz")) "," NODE("d", EDGE "aten.a.b", "",
                                                               TENSOR("d"),
                                                               "") "," NODE("e", EDGE "aten.a.b",
                                                                            "", TENSOR("e"),
                                                                            METADATA(
                                                                                "x\\u000ay")) "," NODE("f",
                                                                                                       EDGE
                                                                                                       "aten.a.b",
                                                                                                       "",
                                                                                                       TENSOR(
                                                                                                           "f"),
                                                                                                       METADATA(
                                                                                                           "x\\ny"))));
#undef METADATA
    assert_int_equal(graph.n_nodes, 6);
    static const char *const stacks[] = {"x\ny", "x\ny", "x\nyz", NULL, "x\ny", "x\ny"};
    for (size_t i = 0; i < graph.n_nodes; i++) {
        const eti_op_node *node = &graph.nodes[i].node;
        if (!stacks[i]) {
            assert_absent(node->stack_trace);
            assert_false(node->has_modules);
            continue;
        }
        assert_text(node->stack_trace, stacks[i]);
        assert_int_equal(node->n_modules, 1);
        assert_text(node->modules[0].type, stacks[i]);
        bool like_first = strcmp(stacks[i], stacks[0]) == 0;
        assert_int_equal(node->stack_trace.data == graph.nodes[0].node.stack_trace.data,
                         like_first);
        assert_int_equal(node->modules == graph.nodes[0].node.modules, like_first);
    }
}

static void metadata_may_be_missing(void **state) {
    eti_graph graph = parse(
        state,
        PROGRAM(
            "",
            NODE("a", EDGE "aten.a.b", "", TENSOR("a"),
                 "\"stack_trace\": \"\", "
                 "\"nn_module_stack\": null, \"debug_handle\": "
                 "\"\"") "," NODE("b", "_operator.mul", "",
                                  "{\"as_sym_int\": "
                                  "{\"as_name\": \"b\"}}",
                                  "") "," NODE("c", EDGE "aten.a.b", "", TENSOR("c"),
                                               "\"debug_handle\":"
                                               " \"0\"") "," NODE("d", "math.trunc", "",
                                                                  TENSOR("d"),
                                                                  "\"debug_handle\": \"oops\"")));
    assert_int_equal(graph.n_nodes, 4);
    assert_absent(graph.nodes[0].node.stack_trace);
    assert_false(graph.nodes[0].node.has_modules);
    assert_false(graph.nodes[0].has_debug_handle);
    assert_true(graph.nodes[1].node.has_modules); /* empty, but present */
    assert_int_equal(graph.nodes[1].node.n_modules, 0);
    assert_true(graph.nodes[2].has_debug_handle && graph.nodes[2].debug_handle == 0);
    assert_text(graph.nodes[3].op_type, "math.trunc");
    assert_text(graph.nodes[3].node.name, "math_trunc_");
    assert_false(graph.nodes[3].has_debug_handle);
}

static void several_results_take_names(void **state) {
    eti_graph graph = parse(
        state,
        PROGRAM(TENSOR("getitem"),
                NODE("topk", EDGE "aten.topk.default", "", TENSOR("getitem") "," TENSOR("v"),
                     "") "," NODE("split", EDGE "aten.split.Tensor", "",
                                  "{\"as_tensors\": [{\"name\": \"aten_topk_default_1\"}]}",
                                  "") "," NODE("topk", EDGE "aten.topk.default", "",
                                               TENSOR("w") ", {\"as_none\": []}, {\"as_tensors\": "
                                                           "[{\"name\": \"z\"}]}",
                                               "") "," NODE("n", "torch.ops.aten.add.Tensor", "",
                                                            TENSOR("other"),
                                                            "") "," NODE("getitem_2",
                                                                         EDGE "aten.relu.default",
                                                                         "", TENSOR("getitem_2"),
                                                                         "")));
    static const char *const names[] = {"aten_topk_default_", "aten_split_tensor_",
                                        "aten_topk_default_2_", "n_", "getitem_4_"};
    assert_int_equal(graph.n_nodes, COUNT_OF(names));
    for (size_t i = 0; i < COUNT_OF(names); i++)
        assert_text(graph.nodes[i].node.name, names[i]);
}

static void delegates_and_branches_take_names(void **state) {
    eti_graph graph = parse(
        state,
        PROGRAM(
            "",
            NODE(
                "d", DELEGATE, "{\"name\": \"lowered_module_0\", \"arg\": {\"as_string\": \"{}\"}}",
                "{\"as_tensors\": [{\"name\": \"getitem\"}]}",
                "\"debug_handle\": \"3\"") "," NODE("e", DELEGATE,
                                                    "{\"name\": \"lowered_module_1\", \"arg\": "
                                                    "{\"as_string\": \"{}\"}}",
                                                    TENSOR("lowered_module_1"),
                                                    "") "," NODE("cond",
                                                                 "torch.ops.higher_order.cond",
                                                                 "{\"name\": \"\", \"arg\": "
                                                                 "{\"as_tensor\": {\"name\": "
                                                                 "\"p\"}}},"
                                                                 "{\"name\": \"\", \"arg\": "
                                                                 "{\"as_graph\": {\"name\": "
                                                                 "\"cond\", "
                                                                 "\"graph\": {\"nodes\": [{}]}}}}",
                                                                 TENSOR("cond"),
                                                                 "") "," NODE("a", "memory.alloc",
                                                                              "", TENSOR("alloc"),
                                                                              "") "," NODE("alloc",
                                                                                           EDGE
                                                                                           "aten."
                                                                                           "relu."
                                                                                           "defaul"
                                                                                           "t",
                                                                                           "",
                                                                                           TENSOR(
                                                                                               "all"
                                                                                               "o"
                                                                                               "c"),
                                                                                           "")));
    static const char *const names[] = {"executorch_call_delegate_", "lowered_module_2_", "cond_1_",
                                        "alloc_1_"};
    assert_int_equal(graph.n_nodes, COUNT_OF(names));
    for (size_t i = 0; i < COUNT_OF(names); i++)
        assert_text(graph.nodes[i].node.name, names[i]);
    assert_text(graph.nodes[0].op_type, "executorch_call_delegate");
    assert_true(graph.nodes[0].has_debug_handle);
}

#define FUNCTIONAL(name, version, first)                                                           \
    NODE(name, "torch.ops.higher_order.auto_functionalized" version,                               \
         "{\"name\": \"\", \"arg\": " first "}, {\"name\": \"x\", \"arg\": " TENSOR("x") "}",      \
         TENSOR(name), "")

/* The node has the operator that it calls; the Inspector names the function around it. */
static void auto_functionalized_is_the_operator_that_it_calls(void **state) {
    eti_graph graph = parse(
        state,
        PROGRAM(
            "",
            FUNCTIONAL("a", "_v2", "{\"as_operator\": \"torch.ops.my.op.out\"}") "," FUNCTIONAL(
                "b", "",
                "{\"as_operator\": \"operator.add\"}") "," FUNCTIONAL("c", "",
                                                                      "{\"as_operator\": "
                                                                      "3}") "," FUNCTIONAL("d",
                                                                                           "_v3",
                                                                                           "{\"as_"
                                                                                           "operato"
                                                                                           "r\": "
                                                                                           "\"torch"
                                                                                           ".ops."
                                                                                           "my.op."
                                                                                           "out\""
                                                                                           "}")));
    static const char *const ops[][2] = {{"my.op.out", "auto_functionalized_v2"},
                                         {"operator.add", "auto_functionalized"},
                                         {"auto_functionalized", "auto_functionalized"},
                                         {"auto_functionalized_v3", "auto_functionalized_v3"}};
    assert_true(graph.has_functional);
    assert_int_equal(graph.n_nodes, COUNT_OF(ops));
    for (size_t i = 0; i < COUNT_OF(ops); i++) {
        assert_text(graph.nodes[i].op_type, ops[i][0]);
        assert_text(eti_graph_node_op_type(&graph.nodes[i]), ops[i][1]);
    }
}

static void constants_are_named_by_the_signature(void **state) {
    eti_graph graph = parse(
        state,
        "{\"graph_module\": {\"signature\": {\"input_specs\": ["
        "{\"user_input\": {\"arg\": {\"as_tensor\": {\"name\": \"x\"}}}},"
        "{\"constant_input\": {\"name\": \"aten_relu_default\", \"value\": {\"as_int\": 3}}}]},"
        "\"graph\": {\"inputs\": [" TENSOR(
            "x") ", {\"as_int\": 3}, {\"as_sym_int\": {\"as_name\": "
                 "\"fooBar\"}}], \"nodes\": [" NODE(
                     "r", EDGE "aten.relu.default", "", TENSOR("aten_relu_default"),
                     "") "," NODE("f", EDGE "aten.relu.default", "", TENSOR("foo_bar"), "") "]}}}");
    assert_text(graph.nodes[0].node.name, "aten_relu_default_1_");
    assert_text(graph.nodes[1].node.name, "foo_bar_1_");
}

static void files_of_2023_are_read(void **state) {
    eti_graph graph = parse(
        state,
        "{\"graph_module\": {\"graph\": {\"inputs\": [{\"as_none\": null, \"as_tensor\": "
        "{\"name\": "
        "\"arg0_1\"}, \"as_int\": null}], \"outputs\": [], \"nodes\": [{\"target\": \"" EDGE
        "aten.mul.Tensor\", \"inputs\": [{\"name\": \"self\", \"arg\": {\"as_none\": null, "
        "\"as_tensor\": {\"name\": \"arg0_1\"}, \"as_graph\": null}}], \"outputs\": [{\"as_none\": "
        "null, \"as_tensor\": {\"name\": \"aten_mul_tensor\"}, \"as_tensors\": null}], "
        "\"metadata\": {\"debug_handle\": \"2\"}}, {\"target\": \"torch.ops.aten.mul.Tensor\", "
        "\"inputs\": [], \"outputs\": [{\"as_tensor\": {\"name\": \"mul\"}}], \"metadata\": {}}]}},"
        " \"schema_version\": 1}");
    assert_int_equal(graph.n_nodes, 2);
    assert_text(graph.nodes[0].node.name, "aten_mul_tensor_");
    assert_true(graph.nodes[0].debug_handle == 2);
    assert_text(graph.nodes[1].node.name, "mul_");
}

static void equal_texts_are_shared(void **state) {
#define SHARED "\"stack_trace\": \"s\", \"nn_module_stack\": \"a,b,c\""
    eti_graph graph =
        parse(state, PROGRAM("", NODE("a", EDGE "aten.a.b", "", TENSOR("a"), SHARED) "," NODE(
                                     "b", EDGE "aten.a.b", "", TENSOR("b"), SHARED)));
    assert_ptr_equal(graph.nodes[0].node.stack_trace.data, graph.nodes[1].node.stack_trace.data);
    assert_ptr_equal(graph.nodes[0].node.modules, graph.nodes[1].node.modules);
}

static void repeated_keys_count_once(void **state) {
    eti_graph graph = parse(
        state,
        "{\"graph_module\": {\"graph\": {\"nodes\": [" NODE(
            "a", EDGE "aten.a.b", "", "",
            "") "], \"nodes\": [" NODE("b", EDGE "aten.b.c", "", TENSOR("x") "," TENSOR("y"),
                                       "\"debug_handle\": \"1\", \"debug_handle\": \"2\"") "]}}}");
    assert_int_equal(graph.n_nodes, 1);
    assert_text(graph.nodes[0].op_type, "aten.b.c");
    assert_true(graph.nodes[0].debug_handle == 2);
}

static void faults_are_described(void **state) {
    static const struct {
        const char *json, *message;
    } cases[] = {
        {"", "byte 0: expected an object ('{'), found the end"},
        {"[]", "byte 0: expected an object ('{'), found '['"},
        {"{}", "byte 2: expected graph_module.graph.nodes"},
        {"{\"graph_module\": {\"graph\": {\"nodes\": 3}}}", "byte 37: expected an array"},
        {PROGRAM("", "{}"), "expected a \"target\" in the node that ends here"},
        {PROGRAM("", "{\"target\": 5}"), "expected a string, found '5'"},
        {PROGRAM("", "{\"target\": \"t\", \"outputs\": [], \"metadata\": {}}"),
         "byte 98: expected \"inputs\" in the node that ends here"},
        {PROGRAM("", "{\"target\": \"t\", \"inputs\": [], \"metadata\": {}}"),
         "expected \"outputs\" in the node that ends here"},
        {PROGRAM("", "{\"target\": \"t\", \"inputs\": [], \"outputs\": []}"),
         "expected \"metadata\" in the node that ends here"},
        {PROGRAM("", NODE("a", EDGE "x.y.z", "", TENSOR("t") ", {}", "")),
         "expected a key in the object that ends here, found none"},
        {PROGRAM("", NODE("a", EDGE "x.y.z", "", "{\"as_tensors\": [{}]}", "")),
         "expected a key in the object that ends here, found none"},
        {PROGRAM("", NODE("a", EDGE "x.y.z", "", "{\"as_tensors\": [1]}", "")),
         "expected an object ('{'), found '1'"},
        {PROGRAM("{}", ""), "expected a key in the object that ends here, found none"},
        {"{\"graph_module\": {\"signature\": {\"input_specs\": [{}]}}}",
         "byte 50: expected a key in the object that ends here, found none"},
        {PROGRAM("", NODE("a", EDGE "x.y.z", "", TENSOR("t"), "\"debug_handle\": \"(1,)\"")),
         "node t: debug_handle: expected an integer, found \"(1,)\""},
        {PROGRAM("", NODE("a", EDGE "x.y.z", "", TENSOR("t"), "\"nn_module_stack\": \"a,b\"")),
         "node t: nn_module_stack: expected \"key,path,type\", found \"a,b\""},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        eti_graph graph;
        eti_error err = ETI_ERROR_INIT;
        assert_fails(read_text(&graph, *state, cases[i].json, &err), ETI_ERROR_MALFORMED,
                     cases[i].message);
        assert_int_equal(graph.n_nodes, 0);
    }
}

/* Checks a graph of `before`, `text` as often as a graph may have items, and `after`. */
static void assert_too_many(eti_arena *arena, const char *before, const char *text,
                            const char *after) {
    eti_buffer json = {0};
    eti__buffer_add_string(&json, before);
    eti__buffer_add_repeated(&json, text, ETI_MOST_ITEMS);
    eti__buffer_add(&json, after, strlen(after) + 1);
    eti_graph graph;
    eti_error err = ETI_ERROR_INIT;
    assert_fails(read_text(&graph, arena, json.data, &err), ETI_ERROR_LIMIT,
                 "more than 2097152 nodes, inputs, outputs and distinct texts in them");
    eti__buffer_free(&json);
}

static void nodes_and_arguments_are_limited(void **state) {
    assert_too_many(*state, "{\"graph_module\":{\"graph\":{\"inputs\":[{\"\":0}", ",{\"\":0}",
                    "],\"nodes\":[]}}}");
    assert_too_many(*state,
                    "{\"graph_module\":{\"graph\":{\"nodes\":[{\"target\":\"t\",\"inputs\":[],"
                    "\"outputs\":[{\"\":0}",
                    ",{\"\":0}", "],\"metadata\":{}}]}}}");
}

static void different_texts_are_limited(void **state) {
    eti_buffer json = {0};
    eti__buffer_add_string(&json, "{\"graph_module\":{\"graph\":{\"nodes\":[{\"metadata\":{");
    for (size_t i = 0; i <= ETI_MOST_ITEMS; i++)
        eti__buffer_printf(&json, "%s\"stack_trace\":\"%zu\"", i ? "," : "", i);
    eti__buffer_add(&json, "", 1);
    eti_graph graph;
    eti_error err = ETI_ERROR_INIT;
    assert_fails(read_text(&graph, *state, json.data, &err), ETI_ERROR_LIMIT, "distinct texts");
    eti__buffer_free(&json);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_made_as_torch_makes_them),
        cmocka_unit_test(numbers_are_taken_in_any_order),
        cmocka_unit_test(names_are_taken_unseen),
        cmocka_unit_test(names_from_targets_are_in_snake_case),
        cmocka_unit_test(many_equal_names_stay_fast),
        cmocka_unit_test(targets_name_operators),
        cmocka_unit_test(debug_handles_are_python_integers),
        cmocka_unit_test(module_stacks_are_split),
        cmocka_unit_test(modules_of_one_key_are_one_wherever_they_are),
        cmocka_unit_test(modules_are_limited),
        cmocka_unit_test_setup_teardown(a_node_has_everything, make_arena, free_arena),
        cmocka_unit_test_setup_teardown(nodes_know_their_origin, make_arena, free_arena),
        cmocka_unit_test_setup_teardown(nodes_of_a_quantizer_serve_operators, make_arena,
                                        free_arena),
        cmocka_unit_test_setup_teardown(nodes_of_a_quantizer_may_have_a_graph_module, make_arena,
                                        free_arena),
        cmocka_unit_test_setup_teardown(equal_texts_of_nodes_are_one, make_arena, free_arena),
        cmocka_unit_test_setup_teardown(metadata_may_be_missing, make_arena, free_arena),
        cmocka_unit_test_setup_teardown(several_results_take_names, make_arena, free_arena),
        cmocka_unit_test_setup_teardown(delegates_and_branches_take_names, make_arena, free_arena),
        cmocka_unit_test_setup_teardown(auto_functionalized_is_the_operator_that_it_calls,
                                        make_arena, free_arena),
        cmocka_unit_test_setup_teardown(constants_are_named_by_the_signature, make_arena,
                                        free_arena),
        cmocka_unit_test_setup_teardown(files_of_2023_are_read, make_arena, free_arena),
        cmocka_unit_test_setup_teardown(equal_texts_are_shared, make_arena, free_arena),
        cmocka_unit_test_setup_teardown(repeated_keys_count_once, make_arena, free_arena),
        cmocka_unit_test_setup_teardown(faults_are_described, make_arena, free_arena),
        cmocka_unit_test_setup_teardown(nodes_and_arguments_are_limited, make_arena, free_arena),
        cmocka_unit_test_setup_teardown(different_texts_are_limited, make_arena, free_arena),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
