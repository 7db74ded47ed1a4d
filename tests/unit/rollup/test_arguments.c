/* Tests the tensors of operators and their work with records made here, and with real exports. */
#include "inspector_fixture.h"

#include "account/account.h"
#include "rollup/rollup.h"

#include <inttypes.h>
#include <math.h>

/* ---- graphs ---------------------------------------------------------------------------------- */

#define T(name) "{\"as_tensor\": {\"name\": \"" name "\"}}"
#define IN(name) "{\"name\": \"a\", \"arg\": " T(name) "}"
#define OP(space, op, handle, inputs, output)                                                      \
    "{\"name\": \"" output "\", \"target\": \"executorch.exir.dialects.edge.ops." space "." op     \
    "\", \"inputs\": [" inputs "], \"outputs\": [" T(output) "], \"metadata\": "                   \
                                                             "{\"debug_handle\": \"" handle "\"}}"
#define ATEN(op, handle, inputs, output) OP("aten", op, handle, inputs, output)
#define SIZE(n) "{\"as_int\": " #n "}"
#define TENSOR_OF(name, dtype, sizes)                                                              \
    "\"" name "\": {\"dtype\": " #dtype ", \"sizes\": [" sizes "]}"
#define S2(a, b) SIZE(a) ", " SIZE(b)
#define S4(a, b, c, d) S2(a, b) ", " S2(c, d)
#define GRAPH(values, nodes)                                                                       \
    "{\"graph_module\": {\"graph\": {\"inputs\": [" T("x") ", " T("w") ", " T(                     \
        "b") "], "                                                                                 \
             "\"tensor_values\": {" values "}, \"nodes\": [" nodes "]}}}"

typedef struct found {
    session s;
    eti_account account;
    eti_arguments *arguments;
    eti_event_tensors tensors;
} found;

static void find_in(found *f, size_t event) {
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__account_new(&f->account, &f->s.inspector->blocks.blocks[0],
                               &f->s.inspector->options, &err));
    f->arguments = eti__arguments_new(f->s.inspector);
    assert_non_null(f->arguments);
    for (int i = 0; i < 2; i++) /* found again, too */
        assert_true(eti__arguments_find(f->arguments, &f->account, event, &f->tensors));
}

/* Opens one kernel with this name, whose node is the first of the graph. */
static void open_kernel(found *f, const char *kernel, const char *edge) {
    builder *b = &f->s.b;
    *f = (found){.tensors = {.n = 0}};
    open_session(&f->s,
                 DUMP(b, RUN(b, "Execute",
                             TIMED(b, .name = kernel, .instruction_id = SOME(0), .start_time = 1,
                                   .end_time = 3))),
                 &(record_spec){.handles = "{\"0\": 1}", .edge = edge});
    find_in(f, 0);
}

static void close_found(found *f) {
    eti__arguments_free(f->arguments);
    eti__account_free(&f->account);
    close_session(&f->s);
}

static void assert_shape(const found *f, size_t i, const int64_t *sizes, size_t n) {
    assert_true(i < f->tensors.n);
    assert_non_null(f->tensors.shapes);
    assert_int_equal(f->tensors.shapes[i].n, n);
    assert_memory_equal(f->tensors.shapes[i].items, sizes, n * sizeof *sizes);
}
#define ASSERT_SHAPE(f, i, ...)                                                                    \
    assert_shape(f, i, (const int64_t[]){__VA_ARGS__}, COUNT_OF(((const int64_t[]){__VA_ARGS__})))

#define CONVOLUTION ATEN("convolution.default", "1", IN("x") ", " IN("w") ", " IN("b"), "y")
#define CONVOLVED(x, w, y)                                                                         \
    GRAPH(TENSOR_OF("x", 7, x) ", " TENSOR_OF("w", 7, w) ", " TENSOR_OF(                           \
              "b", 7, SIZE(8)) ", " TENSOR_OF("y", 7, y),                                          \
          CONVOLUTION)

static void tensors_are_in_the_order_of_the_arguments(void **state) {
    (void)state;
    found f;
    open_kernel(&f, "native_call_convolution.out",
                CONVOLVED(S4(1, 3, 10, 12), S4(8, 3, 3, 3), S4(1, 8, 8, 10)));
    assert_int_equal(f.tensors.n, 4);
    ASSERT_SHAPE(&f, 0, 1, 3, 10, 12);
    ASSERT_SHAPE(&f, 1, 8, 3, 3, 3);
    ASSERT_SHAPE(&f, 2, 8);
    ASSERT_SHAPE(&f, 3, 1, 8, 8, 10);
    for (size_t i = 0; i < 4; i++)
        assert_text(f.tensors.dtypes[i], "float32");
    /* two for each of 27 products of each of 640 numbers */
    assert_int_equal(f.tensors.flop, 2 * 640 * 27);
    assert_int_equal(f.tensors.traffic, 4 * (360 + 216 + 8 + 640));
    close_found(&f);
}

static void convolutions_are_counted_by_their_shapes(void **state) {
    (void)state;
    static const struct {
        const char *edge;
        uint64_t flop;
    } cases[] = {
        /* depthwise */
        {CONVOLVED(S4(1, 8, 6, 6), S4(8, 1, 3, 3), S4(1, 8, 4, 4)), UINT64_C(2) * 128 * 9},
        /* transposed: the weight begins with the channels of the input */
        {CONVOLVED(S4(1, 4, 5, 5), S4(4, 8, 2, 2), S4(1, 8, 10, 10)), UINT64_C(2) * 100 * 32},
        /* as many channels before as after: the size decides */
        {CONVOLVED(S4(1, 8, 5, 5), S4(8, 8, 2, 2), S4(1, 8, 10, 10)), UINT64_C(2) * 200 * 32},
        {CONVOLVED(S4(1, 8, 5, 5), S4(8, 8, 3, 3), S4(1, 8, 5, 5)), UINT64_C(2) * 200 * 72},
        /* without a batch, and in one dimension */
        {CONVOLVED(S2(3, 9), SIZE(8) ", " S2(3, 3), S2(8, 7)), UINT64_C(2) * 56 * 9},
        /* the shapes contradict each other */
        {CONVOLVED(S4(1, 3, 5, 5), S4(7, 3, 3, 3), S4(1, 8, 3, 3)), ETI_UNKNOWN_WORK},
        {CONVOLVED(S4(1, 3, 5, 5), S4(0, 0, 3, 3), S4(1, 0, 3, 3)), ETI_UNKNOWN_WORK},
        {CONVOLVED(S2(3, 5), S2(8, 3), S2(8, 3)), ETI_UNKNOWN_WORK},
        {CONVOLVED(S4(1, 1, 9223372036854775807, 1), S4(9223372036854775807, 1, 1, 1),
                   S4(1, 9223372036854775807, 9223372036854775807, 1)),
         ETI_UNKNOWN_WORK},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        found f;
        open_kernel(&f, "native_call_convolution.out", cases[i].edge);
        if (f.tensors.flop != cases[i].flop)
            fail_msg("case %zu: %" PRIu64 ", expected %" PRIu64, i, f.tensors.flop, cases[i].flop);
        close_found(&f);
    }
}

static void products_are_counted(void **state) {
    (void)state;
    found f;
    open_kernel(&f, "native_call_addmm.out",
                GRAPH(TENSOR_OF("b", 7, SIZE(5)) ", " TENSOR_OF("x", 7, S2(2, 3)) ", " TENSOR_OF(
                          "w", 7, S2(3, 5)) ", " TENSOR_OF("y", 7, S2(2, 5)),
                      ATEN("addmm.default", "1", IN("b") ", " IN("x") ", " IN("w"), "y")));
    assert_int_equal(f.tensors.flop, 2 * 10 * 3);
    close_found(&f);
    open_kernel(&f, "native_call_mm.out",
                GRAPH(TENSOR_OF("x", 6, S2(2, 3)) ", " TENSOR_OF("w", 6, S2(3, 5)) ", " TENSOR_OF(
                          "y", 6, S2(2, 5)),
                      ATEN("mm.default", "1", IN("x") ", " IN("w"), "y")));
    assert_int_equal(f.tensors.flop, 2 * 10 * 3);
    assert_int_equal(f.tensors.traffic, 2 * (6 + 15 + 10));
    assert_text(f.tensors.dtypes[0], "float16");
    close_found(&f);
    open_kernel(&f, "native_call_linear.out",
                GRAPH(TENSOR_OF("x", 7, S2(2, 3)) ", " TENSOR_OF("w", 7, S2(5, 3)) ", " TENSOR_OF(
                          "y", 7, S2(2, 5)),
                      ATEN("linear.default", "1", IN("x") ", " IN("w"), "y")));
    assert_int_equal(f.tensors.flop, 2 * 10 * 3);
    close_found(&f);
}

/* A tensor that is two arguments is read once. */
static void other_operators_have_only_bytes(void **state) {
    (void)state;
    found f;
    open_kernel(&f, "native_call_mul.out",
                GRAPH(TENSOR_OF("x", 7, S2(2, 3)) ", " TENSOR_OF("y", 7, S2(2, 3)),
                      ATEN("mul.Tensor", "1", IN("x") ", " IN("x"), "y")));
    assert_int_equal(f.tensors.n, 3);
    assert_int_equal(f.tensors.flop, ETI_UNKNOWN_WORK);
    assert_int_equal(f.tensors.traffic, 4 * (6 + 6));
    close_found(&f);
}

static void sizes_that_a_run_decides_are_unknown(void **state) {
    (void)state;
    found f;
    open_kernel(
        &f, "native_call_mm.out",
        GRAPH(TENSOR_OF("x", 7, SIZE(2) ", {\"as_expr\": {\"expr_str\": \"s0\"}}") ", " TENSOR_OF(
                  "w", 7, S2(3, 5)) ", " TENSOR_OF("y", 7, S2(2, 5)),
              ATEN("mm.default", "1", IN("x") ", " IN("w"), "y")));
    assert_int_equal(f.tensors.n, 3);
    assert_null(f.tensors.shapes);
    assert_int_equal(f.tensors.flop, ETI_UNKNOWN_WORK);
    assert_int_equal(f.tensors.traffic, ETI_UNKNOWN_WORK);
    close_found(&f);
}

static void a_type_of_unknown_width_has_no_bytes(void **state) {
    (void)state;
    found f;
    open_kernel(&f, "native_call_relu.out",
                GRAPH(TENSOR_OF("x", 99, SIZE(2)) ", " TENSOR_OF("y", 7, SIZE(2)),
                      ATEN("relu.default", "1", IN("x"), "y")));
    assert_text(f.tensors.dtypes[0], "unknown");
    assert_int_equal(f.tensors.traffic, ETI_UNKNOWN_WORK);
    close_found(&f);
}

static void a_kernel_of_another_operator_has_no_tensors(void **state) {
    (void)state;
    found f;
    open_kernel(&f, "native_call_tan.out",
                GRAPH(TENSOR_OF("x", 7, SIZE(2)) ", " TENSOR_OF("y", 7, SIZE(2)),
                      ATEN("relu.default", "1", IN("x"), "y")));
    assert_int_equal(f.tensors.n, 0);
    close_found(&f);
}

/* ---- delegates ------------------------------------------------------------------------------- */

#define DEQUANTIZE(from, to)                                                                       \
    OP("quantized_decomposed", "dequantize_per_tensor.default", "1", IN(from), to)

static void open_xnnpack(found *f, const char *name, const char *edge) {
    builder *b = &f->s.b;
    *f = (found){.tensors = {.n = 0}};
    open_session(&f->s,
                 DUMP(b, RUN(b, "Execute",
                             TIMED(b, .delegate_id_int = SOME(7), .instruction_id = SOME(0),
                                   .start_time = 1, .end_time = 3),
                             TIMED(b, .name = "DELEGATE_CALL", .instruction_id = SOME(0),
                                   .start_time = 1, .end_time = 9))),
                 &(record_spec){.handles = "{\"0\": 1}",
                                .delegates = "{\"0\": {\"name\": \"XnnpackBackend\", "
                                             "\"delegate_map\": {\"7\": [1]}}}",
                                .edge = edge});
    f->s.inspector->blocks.blocks[0].events[0].name = eti__text_of(name);
    find_in(f, 0);
}

#define QUANTIZED                                                                                  \
    GRAPH(                                                                                         \
        TENSOR_OF("x", 2, S2(2, 3)) ", " TENSOR_OF("xd", 7, S2(2, 3)) ", " TENSOR_OF(              \
            "w", 2,                                                                                \
            S2(5, 3)) ", " TENSOR_OF("wd", 7,                                                      \
                                     S2(5, 3)) ", " TENSOR_OF("y", 7,                              \
                                                              S2(2, 5)) ", " TENSOR_OF("q", 2,     \
                                                                                       S2(2, 5)),  \
        ATEN("linear.default", "1", IN("xd") ", " IN("wd"), "y") ", " OP(                          \
            "quantized_decomposed", "dequantize_per_tensor.default", "2", IN("x"),                 \
            "xd") ", " OP("quantized_decomposed", "dequantize_per_channel.default", "3", IN("w"),  \
                          "wd") ", " OP("quantized_decomposed", "quantize_per_tensor.default",     \
                                        "4", IN("y"), "q"))

/* The graph shows numbers that only exist in the kernel. */
static void quantized_kernels_read_quantized_numbers(void **state) {
    (void)state;
    found f;
    open_xnnpack(&f, "Fully Connected (NC, QS8, QC8W) GEMM #1", QUANTIZED);
    assert_int_equal(f.tensors.n, 3);
    for (size_t i = 0; i < 3; i++)
        assert_text(f.tensors.dtypes[i], "int8");
    assert_int_equal(f.tensors.flop, 2 * 10 * 3);
    assert_int_equal(f.tensors.traffic, 6 + 15 + 10);
    close_found(&f);
}

#define QUANTIZE(handle, from, to)                                                                 \
    OP("quantized_decomposed", "quantize_per_tensor.default", handle, IN(from), to)

/* A kernel clamps what it quantizes. One that reads other numbers also writes them: another kernel quantizes them. */
static void quantized_kernels_write_quantized_numbers(void **state) {
    (void)state;
    static const char *const clamped = GRAPH(
        TENSOR_OF("x", 2, S2(2, 3)) ", " TENSOR_OF("xd", 7, S2(2, 3)) ", " TENSOR_OF(
            "y", 7, S2(2, 3)) ", " TENSOR_OF("r", 7, S2(2, 3)) ", " TENSOR_OF("q", 2, S2(2, 3)),
        ATEN("add.Tensor", "1", IN("xd") ", " IN("xd"), "y") ", " OP(
            "quantized_decomposed", "dequantize_per_tensor.default", "2", IN("x"),
            "xd") ", " ATEN("relu.default", "3", IN("y"), "r") ", " QUANTIZE("4", "r", "q"));
    static const char *const plain =
        GRAPH(TENSOR_OF("x", 7, S2(2, 3)) ", " TENSOR_OF("y", 7, S2(2, 3)) ", " TENSOR_OF("q", 2,
                                                                                          S2(2, 3)),
              ATEN("add.Tensor", "1", IN("x") ", " IN("x"), "y") ", " QUANTIZE("4", "y", "q"));
    found f;
    open_xnnpack(&f, "Add (ND) #1", clamped);
    assert_int_equal(f.tensors.n, 3);
    assert_text(f.tensors.dtypes[0], "int8");
    assert_text(f.tensors.dtypes[2], "int8");
    assert_int_equal(f.tensors.traffic, 6 + 6);
    close_found(&f);
    open_xnnpack(&f, "Add (ND) #1", plain);
    assert_int_equal(f.tensors.n, 3);
    assert_text(f.tensors.dtypes[2], "float32");
    close_found(&f);
}

static void very_many_tensors_are_unknown(void **state) {
    (void)state;
    for (size_t n = 255; n < 257; n++) {
        eti_buffer nodes = {0}, edge = {0};
        found f;
        eti__buffer_add_string(&nodes,
                               "{\"name\": \"y\", \"target\": \"executorch.exir.dialects.edge."
                               "ops.aten.cat.default\", \"inputs\": [");
        for (size_t i = 0; i < n; i++)
            eti__buffer_printf(&nodes, "%s%s", i ? ", " : "", IN("x"));
        eti__buffer_add_string(&nodes, "], \"outputs\": [" T("y") "], \"metadata\": "
                                                                  "{\"debug_handle\": \"1\"}}");
        eti__buffer_add_char(&nodes, '\0');
        eti__buffer_printf(&edge,
                           GRAPH(TENSOR_OF("x", 7, SIZE(2)) ", " TENSOR_OF("y", 7, SIZE(2)), "%s"),
                           nodes.data);
        eti__buffer_add_char(&edge, '\0');
        open_kernel(&f, "native_call_cat.out", edge.data);
        assert_int_equal(f.tensors.n, n == 255 ? 256 : 0);
        close_found(&f);
        eti__buffer_free(&nodes);
        eti__buffer_free(&edge);
    }
}

/* A delegate inserts copies for an operator, and they have its node. */
static void copies_for_an_operator_do_not_compute_it(void **state) {
    (void)state;
    found f;
    open_xnnpack(&f, "Transpose (ND, X32) #1", QUANTIZED);
    assert_int_equal(f.tensors.n, 0);
    close_found(&f);
}

static void assert_logged(found *f, const char *kernel, const char *op,
                          const eti_logged_tensor *tensors, uint32_t n, uint64_t flop,
                          uint64_t traffic) {
    eti_delegate_event logged = {.backend = ETI_BACKEND_VULKAN,
                                 .kernel = eti__text_of(kernel),
                                 .op = eti__text_of(op),
                                 .tensors = tensors,
                                 .n_tensors = n};
    eti_event *event = &f->s.inspector->blocks.blocks[0].events[0];
    event->logged = &logged;
    assert_true(eti__arguments_find(f->arguments, &f->account, 0, &f->tensors));
    event->logged = NULL;
    assert_int_equal(f->tensors.n, n);
    assert_int_equal(f->tensors.flop, flop);
    assert_int_equal(f->tensors.traffic, traffic);
}

#define LOGGED_TENSOR(type, id, ...)                                                               \
    {                                                                                              \
        .dtype = {type, sizeof type - 1}, .sizes = (const int64_t[]){__VA_ARGS__},                 \
        .n_sizes = COUNT_OF(((const int64_t[]){__VA_ARGS__})), .value = (id)                       \
    }

static void logged_tensors_come_first(void **state) {
    (void)state;
    const eti_logged_tensor convolved[] = {
        LOGGED_TENSOR("Float", 1, 1, 3, 64, 64), LOGGED_TENSOR("Float", 2, 16, 3, 3, 3),
        LOGGED_TENSOR("Float", -1, 16), LOGGED_TENSOR("Float", -1, 1, 16, 32, 32)};
    const eti_logged_tensor transposed[] = {
        LOGGED_TENSOR("half", 1, 1, 4, 5, 5), LOGGED_TENSOR("half", 2, 4, 8, 2, 2),
        LOGGED_TENSOR("half", 3, 8), LOGGED_TENSOR("half", 4, 1, 8, 10, 10)};
    const eti_logged_tensor linear[] = {
        LOGGED_TENSOR("Float", 1, 1, 32), LOGGED_TENSOR("Float", 2, 10, 32),
        LOGGED_TENSOR("Float", 3, 10), LOGGED_TENSOR("Float", 4, 1, 10)};
    const eti_logged_tensor strange[] = {LOGGED_TENSOR("Nibble", 1, 1, 32),
                                         LOGGED_TENSOR("Float", 2, -1, 32)};
    found f;
    open_xnnpack(&f, "anything", QUANTIZED);
    assert_logged(&f, "conv2d_clamp_float", "et_vk.conv_with_clamp.default", convolved, 4, 884736,
                  116480);
    assert_text(f.tensors.dtypes[0], "float32");
    eti__arguments_free(f.arguments);
    f.arguments = eti__arguments_new(f.s.inspector);
    assert_logged(&f, "conv_transpose2d", "aten.convolution.default", transposed, 4,
                  UINT64_C(2) * 100 * 32, 2 * (100 + 128 + 8 + 800));
    eti__arguments_free(f.arguments);
    f.arguments = eti__arguments_new(f.s.inspector);
    /* the operator of the model is a linear */
    assert_logged(&f, "linear_vec", "", linear, 4, 640, 1488);
    eti__arguments_free(f.arguments);
    f.arguments = eti__arguments_new(f.s.inspector);
    assert_logged(&f, "linear_vec", "et_vk.linear.default", strange, 2, ETI_UNKNOWN_WORK,
                  ETI_UNKNOWN_WORK);
    assert_text(f.tensors.dtypes[0], "Nibble");
    assert_null(f.tensors.shapes);
    close_found(&f);
}

/* ---- limits ---------------------------------------------------------------------------------- */

static void the_slower_of_two_limits_decides(void **state) {
    (void)state;
    static const struct {
        eti_peaks peaks;
        double flop, traffic, of_peak;
        bool by_memory;
    } cases[] = {
        {{100, 10}, 50, 1, 0.25, false},   {{100, 10}, 50, 10, 0.5, true},
        {{100, 10}, NAN, 10, 0.5, true},   {{100, 10}, 50, NAN, 0.25, false},
        {{100, 0}, 50, 1000, 0.25, false}, {{0, 10}, 5000, 10, 0.5, true},
        {{0, 0}, 50, 10, NAN, false},      {{100, 0}, NAN, 10, NAN, false},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        eti_bound bound = eti__bound_of(&cases[i].peaks, cases[i].flop, cases[i].traffic, 2);
        assert_int_equal(isnan(bound.of_peak), isnan(cases[i].of_peak));
        if (isnan(bound.of_peak))
            continue;
        assert_true(bound.of_peak == cases[i].of_peak);
        assert_int_equal(bound.by_memory, cases[i].by_memory);
    }
    assert_true(isnan(eti__bound_of(&(eti_peaks){1, 1}, 1, 1, 0).of_peak));
    assert_true(isnan(eti__bound_of(&(eti_peaks){1, 1}, 1, 1, NAN).of_peak));
}

/* ---- real exports ---------------------------------------------------------------------------- */

static void open_files(found *f, const char *dump, const char *record, const char *program) {
    const eti_source sources[] = {{.path = dump}, {.path = record}, {.path = program}};
    const eti_inputs inputs = {.etdumps = &sources[0],
                               .n_etdumps = 1,
                               .etrecord = record ? &sources[1] : NULL,
                               .programs = &sources[2],
                               .n_programs = program ? 1 : 0};
    eti_error err = ETI_ERROR_INIT;
    *f = (found){.tensors = {.n = 0}};
    assert_ok(eti__open_seen_through(&f->s.inspector, &inputs, NULL, &err));
}

/* Returns the sums over the block in which Method::execute ran. */
static void sum_work(found *f, uint64_t *flop, uint64_t *traffic, size_t *n) {
    eti_error err = ETI_ERROR_INIT;
    *flop = *traffic = *n = 0;
    f->arguments = eti__arguments_new(f->s.inspector);
    for (size_t b = 0; b < f->s.inspector->blocks.n_blocks; b++) {
        const eti_event_block *block = &f->s.inspector->blocks.blocks[b];
        eti_account account;
        assert_ok(eti__account_new(&account, block, &f->s.inspector->options, &err));
        for (size_t i = 0; i < block->n_events; i++) {
            assert_true(eti__arguments_find(f->arguments, &account, i, &f->tensors));
            *flop += f->tensors.flop != ETI_UNKNOWN_WORK ? f->tensors.flop : 0;
            *traffic += f->tensors.traffic != ETI_UNKNOWN_WORK ? f->tensors.traffic : 0;
            *n += f->tensors.n > 0;
        }
        eti__account_free(&account);
    }
    eti__arguments_free(f->arguments);
    eti_inspector_close(f->s.inspector);
}

/* A record and a program agree about kernels: two layers of a perceptron, a transposed weight before each. */
static void records_and_programs_agree(void **state) {
    (void)state;
    static const char *const dump = "testdata/mlp/run.etdp",
                             *const record = "testdata/mlp/record.etrecord",
                             *const program = "testdata/mlp/model.pte";
    for (int i = 1; i < 4; i++) {
        found f;
        uint64_t flop, traffic;
        size_t n;
        open_files(&f, dump, i & 1 ? record : NULL, i & 2 ? program : NULL);
        sum_work(&f, &flop, &traffic, &n);
        assert_int_equal(n, 6);
        assert_int_equal(flop, 2 * (2 * 16 * 8) + 2 * (2 * 4 * 16));
        assert_int_equal(traffic,
                         4 * (2 * 128 + (16 + 16 + 128 + 32) + (32 + 16 + 16 + 32 + 2 + 2) +
                              2 * 32 + 2 * 64 + (4 + 32 + 64 + 8)));
    }
}

static void convolutions_of_xnnpack_are_counted(void **state) {
    (void)state;
    found f;
    uint64_t flop, traffic;
    size_t n;
    open_files(&f, "testdata/xnnpack-conv/run.etdp", "testdata/xnnpack-conv/record.etrecord",
               "testdata/xnnpack-conv/model.pte");
    sum_work(&f, &flop, &traffic, &n);
    assert_int_equal(n, 7); /* two convolutions, sigmoid, sine, add; cumsum, mean */
    assert_int_equal(flop, 2 * 256 * 27 + 2 * 256 * 36);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tensors_are_in_the_order_of_the_arguments),
        cmocka_unit_test(convolutions_are_counted_by_their_shapes),
        cmocka_unit_test(products_are_counted),
        cmocka_unit_test(other_operators_have_only_bytes),
        cmocka_unit_test(sizes_that_a_run_decides_are_unknown),
        cmocka_unit_test(a_type_of_unknown_width_has_no_bytes),
        cmocka_unit_test(a_kernel_of_another_operator_has_no_tensors),
        cmocka_unit_test(quantized_kernels_read_quantized_numbers),
        cmocka_unit_test(quantized_kernels_write_quantized_numbers),
        cmocka_unit_test(very_many_tensors_are_unknown),
        cmocka_unit_test(copies_for_an_operator_do_not_compute_it),
        cmocka_unit_test(logged_tensors_come_first),
        cmocka_unit_test(the_slower_of_two_limits_decides),
        cmocka_unit_test(records_and_programs_agree),
        cmocka_unit_test(convolutions_of_xnnpack_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
