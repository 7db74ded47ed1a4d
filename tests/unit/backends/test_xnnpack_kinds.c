/* Tests names of kernels, of nodes and of operators as they occur in real profiles and exports. */
#include "support.h"

#include "backends/backends.h"
#include "base/text.h"

static void nodes_run_as_their_kernels(void **state) {
    (void)state;
    static const struct {
        const char *event, *operator_name;
        uint8_t kind;
    } cases[] = {
        {"Add (ND) #1", "aten.add.Tensor", ETI_XNNPACK_ADD},
        {"Batch Matrix Multiply (NC, F32) #2", "aten.bmm.default",
         ETI_XNNPACK_BATCH_MATRIX_MULTIPLY},
        {"Copy (NC) #1", "aten.cat.default", ETI_XNNPACK_CONCATENATE_2},
        {"Copy (NC) #1", "aten.cat.default", ETI_XNNPACK_CONCATENATE_5},
        {"Copy (NC) #1", "dim_order_ops._clone_dim_order.default", ETI_XNNPACK_COPY},
        {"Convolution (NHWC, F32) IGEMM #1", "aten.convolution.default", ETI_XNNPACK_CONV2D},
        {"Fully Connected (NC, F32) GEMM #1", "aten.convolution.default", ETI_XNNPACK_CONV2D},
        {"Convolution (NHWC, QC8) DWConv #1", "aten.convolution.default",
         ETI_XNNPACK_DEPTHWISE_CONV2D},
        {"Deconvolution (NHWC, F32) IGEMM #1", "aten.convolution.default",
         ETI_XNNPACK_CONV_TRANSPOSE_2D},
        {"Dynamic Fully Connected (NC, F32) GEMM #1", "aten.linear.default",
         ETI_XNNPACK_FULLY_CONNECTED},
        {"Mean (ND) Reduce2 #1", "aten.mean.dim", ETI_XNNPACK_GLOBAL_AVG_POOLING_2D},
        {"Max Pooling (NHWC) #1", "aten.max_pool2d.default", ETI_XNNPACK_MAX_POOLING_2D},
        {"HardSwish (NC) #1", "aten.hardswish.default", ETI_XNNPACK_HARDSWISH},
        {"Square (NC) #1", "aten.pow.Tensor_Scalar", ETI_XNNPACK_SQUARE},
        /* a product of a value with itself */
        {"Square (NC) #1", "aten.mul.Tensor", ETI_XNNPACK_MULTIPLY},
        {"gelu (nc) #1", "aten.gelu.default", ETI_XNNPACK_GELU},
        {"Reciprocal Square Root (NC) #1", "aten.rsqrt.default",
         ETI_XNNPACK_RECIPROCAL_SQUARE_ROOT},
        {"Static Reshape (NC) #1", "aten.view_copy.default", ETI_XNNPACK_STATIC_RESHAPE},
        {"Slice (ND, X32) #1", "aten.slice_copy.Tensor", ETI_XNNPACK_STATIC_SLICE},
        {"Transpose (ND, X32) #1", "aten.permute_copy.default", ETI_XNNPACK_STATIC_TRANSPOSE},
        {"Resize Bilinear (NCHW, F32) #1", "aten.upsample_bilinear2d.vec",
         ETI_XNNPACK_STATIC_RESIZE_BILINEAR_2D},
        {"Divide (ND) #1", "aten.div.Tensor", ETI_XNNPACK_DIV},
        {"Clamp (NC) #1", "aten.hardtanh.default", ETI_XNNPACK_CLAMP},
        {"Convert (NC) #1", "quantized_decomposed.quantize_per_tensor.default",
         ETI_XNNPACK_CONVERT},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        eti_text kernel = eti__xnnpack_kernel(eti__text_of(cases[i].event));
        assert_true(eti__xnnpack_kind_runs_as(cases[i].kind, kernel));
        assert_true(eti__xnnpack_kinds_have(eti__xnnpack_kinds_that_run_as(kernel), cases[i].kind));
        eti_text op = eti__text_of(cases[i].operator_name);
        assert_true(eti__xnnpack_kind_is_of(cases[i].kind, op));
        assert_true(eti__xnnpack_kinds_have(eti__xnnpack_kinds_of(op), cases[i].kind));
    }
}

/* The name of a kernel never matches by being a prefix or an extension of another kind's name. */
static void others_do_not(void **state) {
    (void)state;
    static const struct {
        const char *kernel;
        uint8_t kind;
    } cases[] = {
        {"Square Root", ETI_XNNPACK_SQUARE},
        {"Square", ETI_XNNPACK_SQUARE_ROOT},
        {"Deconvolution", ETI_XNNPACK_CONV2D},
        {"Convolution", ETI_XNNPACK_FULLY_CONNECTED},
        {"Max Pooling", ETI_XNNPACK_MAXIMUM},
        {"", ETI_XNNPACK_ADD},
        {"Ad", ETI_XNNPACK_ADD},
        {"Transpos", ETI_XNNPACK_STATIC_TRANSPOSE},
        {"Invalid Unary Op", ETI_XNNPACK_SIGMOID},
        {"Add", ETI_XNNPACK_NONE},
        {"Add", ETI_XNNPACK_N_KINDS},
        {"Add", UINT8_MAX},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_false(eti__xnnpack_kind_runs_as(cases[i].kind, eti__text_of(cases[i].kernel)));
    assert_int_equal(eti__xnnpack_kinds_that_run_as(eti__text_of("Addition")), 0);
}

static void kernels_are_cut_from_names(void **state) {
    (void)state;
    assert_text(eti__xnnpack_kernel(eti__text_of("Fully Connected (NC, F32) GEMM #1")),
                "Fully Connected");
    assert_text(eti__xnnpack_kernel(eti__text_of("Invalid Unary Op #12")), "Invalid Unary Op");
    assert_text(eti__xnnpack_kernel(eti__text_of("Copy")), "Copy");
    assert_text(eti__xnnpack_kernel(eti__text_of("(NC)")), "");
}

/* A look-up may be any function of one number, or a clamp. */
static void look_ups_are_of_unary_kinds(void **state) {
    (void)state;
    eti_text kernel = eti__text_of("Invalid Unary Op");
    eti_xnnpack_kinds kinds = eti__xnnpack_kinds_that_run_as(kernel);
    assert_true(eti__xnnpack_is_lookup(kernel));
    assert_true(eti__xnnpack_may_clamp(kernel));
    assert_true(eti__xnnpack_may_clamp(eti__text_of("Clamp")));
    assert_false(eti__xnnpack_may_clamp(eti__text_of("Add")));
    assert_true(eti__xnnpack_kinds_have(kinds, ETI_XNNPACK_HARDSWISH));
    assert_true(eti__xnnpack_kinds_have(kinds, ETI_XNNPACK_CLAMP));
    assert_false(eti__xnnpack_kinds_have(kinds, ETI_XNNPACK_ADD));
    assert_false(eti__xnnpack_kinds_have(kinds, ETI_XNNPACK_CONVERT));
}

static void numbers_are_known_by_the_name(void **state) {
    (void)state;
    static const struct {
        const char *event;
        uint8_t bits;
        bool gives;
    } cases[] = {
        {"Convolution (NHWC, F32) IGEMM #1", 32, true},
        {"Convolution (NHWC, F32) IGEMM #1", 8, false},
        {"Convolution (NHWC, F32) IGEMM #1", 16, false},
        {"Convolution (NHWC, F16) IGEMM #1", 16, true},
        {"Convolution (NHWC, F16) IGEMM #1", 32, true}, /* computed with half the bits */
        {"Convolution (NHWC, F16) IGEMM #1", 8, false},
        {"Convolution (NHWC, QC8) IGEMM #1", 8, true},
        {"Convolution (NHWC, QC8) IGEMM #1", 32, false},
        /* QDU8 is made during the call */
        {"Fully Connected (NC, QDU8, F32, QC8W) GEMM #1", 32, true},
        {"Fully Connected (NC, QDU8, F32, QC8W) GEMM #1", 8, false},
        {"Add (ND) #1", 8, true}, /* the name does not say */
        {"Transpose (ND, X8) #1", 32, false},
        {"Add", 32, true},
        {"Add (ND, F32", 8, false},
        {"Convolution (NHWC, F32) IGEMM #1", 0, true}, /* the payload does not say */
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        if (eti__xnnpack_event_gives(eti__text_of(cases[i].event), cases[i].bits) != cases[i].gives)
            fail_msg("%s: %u bits", cases[i].event, cases[i].bits);
    }
}

static void operators_are_recognized_by_whole_names(void **state) {
    (void)state;
    static const char *const none[] = {"", "convolution", "aten.convolutions.default", "aten.",
                                       "aten..default"};
    for (size_t i = 0; i < COUNT_OF(none); i++)
        assert_int_equal(eti__xnnpack_kinds_of(eti__text_of(none[i])), 0);
    assert_true(eti__xnnpack_kind_is_of(ETI_XNNPACK_ADD, eti__text_of("aten.add")));
    assert_true(
        eti__is_quantizing(eti__text_of("quantized_decomposed.dequantize_per_channel.default")));
    assert_true(eti__is_quantizing(eti__text_of("torchao.choose_qparams_affine.default")));
    assert_false(eti__is_quantizing(eti__text_of("aten._to_copy.default")));
    assert_false(eti__is_quantizing(eti__text_of("")));
}

/* Operators that the runtime may leave out, and those that clamp by themselves. */
static void traits_are_those_of_the_runtime(void **state) {
    (void)state;
    eti_xnnpack_kinds fusible = eti__xnnpack_fusible_kinds();
    static const uint8_t left_out[] = {ETI_XNNPACK_CLAMP,          ETI_XNNPACK_CONVERT,
                                       ETI_XNNPACK_COPY,           ETI_XNNPACK_STATIC_TRANSPOSE,
                                       ETI_XNNPACK_STATIC_RESHAPE, ETI_XNNPACK_STATIC_CONSTANT_PAD};
    size_t n = 0;
    for (uint8_t kind = 0; kind < ETI_XNNPACK_N_KINDS; kind++) {
        assert_int_equal(eti__xnnpack_kinds_have(fusible, kind),
                         eti__xnnpack_kind_is_fusible(kind));
        n += eti__xnnpack_kind_is_fusible(kind);
    }
    for (size_t i = 0; i < COUNT_OF(left_out); i++)
        assert_true(eti__xnnpack_kind_is_fusible(left_out[i]));
    assert_int_equal(n, COUNT_OF(left_out));
    assert_true(eti__xnnpack_kind_clamps_inside(ETI_XNNPACK_CONV2D));
    assert_true(eti__xnnpack_kind_clamps_inside(ETI_XNNPACK_AVG_POOLING_2D));
    assert_false(eti__xnnpack_kind_clamps_inside(ETI_XNNPACK_ADD));
    assert_text(eti__xnnpack_kind_name(ETI_XNNPACK_CONV2D), "Conv2d");
    assert_absent(eti__xnnpack_kind_name(ETI_XNNPACK_NONE));
    assert_absent(eti__xnnpack_kind_name(UINT8_MAX));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_run_as_their_kernels),
        cmocka_unit_test(others_do_not),
        cmocka_unit_test(kernels_are_cut_from_names),
        cmocka_unit_test(look_ups_are_of_unary_kinds),
        cmocka_unit_test(numbers_are_known_by_the_name),
        cmocka_unit_test(operators_are_recognized_by_whole_names),
        cmocka_unit_test(traits_are_those_of_the_runtime),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
