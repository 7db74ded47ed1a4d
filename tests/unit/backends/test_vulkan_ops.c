/* Compares operators of Vulkan graphs with those of the edge program, and with kernels. */
#include "support.h"

#include "backends/backends.h"
#include "base/text.h"

typedef struct fit_case {
    const char *made, *of;
    eti_vulkan_fit fit;
} fit_case;

static void check(const eti_vulkan_op *made, const fit_case *of) {
    eti_vulkan_op from = eti__vulkan_op_of(eti__text_of(of->of));
    eti_vulkan_fit fit = eti__vulkan_fit(made, &from);
    if (fit != of->fit)
        fail_msg("%s of %s: expected %d, found %d", of->made, of->of, (int)of->fit, (int)fit);
}

static void operators_are_made_from_their_like(void **state) {
    (void)state;
    static const fit_case cases[] = {
        {"aten.add.Tensor", "aten.add.Scalar", ETI_VULKAN_EQUAL},
        {"aten.view_copy.default", "aten.view.default", ETI_VULKAN_EQUAL},
        {"aten._softmax.default", "aten.softmax.int", ETI_VULKAN_EQUAL},
        {"aten.clone.default", "dim_order_ops._clone_dim_order.default", ETI_VULKAN_EQUAL},
        {"et_vk.q8ta_add.default", "aten.add.Tensor", ETI_VULKAN_EQUAL},
        {"et_vk.conv_with_clamp.default", "aten.convolution.default", ETI_VULKAN_FITS},
        {"et_vk.q8ta_conv2d_pw.default", "aten.convolution.default", ETI_VULKAN_FITS},
        {"aten.linear.default", "aten.addmm.default", ETI_VULKAN_FITS},
        {"et_vk.linear_q4gsw.default", "aten.mm.default", ETI_VULKAN_FITS},
        {"aten.mm.default", "aten.addmm.default", ETI_VULKAN_FITS},
        {"aten.addmm.default", "aten.mm.default", ETI_VULKAN_UNLIKE},
        {"aten.clamp.default", "aten.hardtanh.default", ETI_VULKAN_FITS},
        {"aten.clamp.default", "aten.relu.default", ETI_VULKAN_FITS},
        {"aten.squeeze_copy.dims", "aten.view_copy.default", ETI_VULKAN_FITS},
        {"aten.unsqueeze_copy.default", "aten.expand_copy.default", ETI_VULKAN_FITS},
        {"aten.clone.default", "aten.view_copy.default", ETI_VULKAN_UNLIKE},
        {"aten.permute_copy.default", "aten.view_copy.default", ETI_VULKAN_UNLIKE},
        {"aten.mean.dim", "aten.sum.dim_IntList", ETI_VULKAN_UNLIKE},
        {"", "", ETI_VULKAN_UNLIKE},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        eti_vulkan_op made = eti__vulkan_op_of(eti__text_of(cases[i].made));
        check(&made, &cases[i]);
    }
}

static void kernels_run_operators(void **state) {
    (void)state;
    static const fit_case cases[] = {
        {"conv2d_dw_output_tile_3x3_clamp_float", "et_vk.conv_with_clamp.default", ETI_VULKAN_FITS},
        {"linear_vec_bias_tile_row_1_texture3d_float", "aten.linear.default", ETI_VULKAN_FITS},
        {"matmul_naive_texture3d_half", "aten.bmm.default", ETI_VULKAN_FITS},
        {"binary_add_texture3d_float", "aten.add.Tensor", ETI_VULKAN_EQUAL},
        {"softmax_buffer_float", "aten._softmax.default", ETI_VULKAN_EQUAL},
        {"_to_dim_order_copy_texture3d_float", "dim_order_ops._to_dim_order_copy.default",
         ETI_VULKAN_EQUAL},
        {"mean2d_float", "aten.mean.dim", ETI_VULKAN_FITS},
        {"reduce_texture3d_float", "aten.sum.dim_IntList", ETI_VULKAN_FITS},
        {"view_texture_float", "aten.clone.default", ETI_VULKAN_FITS},
        {"view_texture_float", "aten.slice_copy.Tensor", ETI_VULKAN_FITS},
        {"view_texture_float", "aten.add.Tensor", ETI_VULKAN_UNLIKE},
        {"conv2d_float", "aten.add.Tensor", ETI_VULKAN_UNLIKE},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        eti_vulkan_op made = eti__vulkan_op_of_kernel(eti__text_of(cases[i].made));
        check(&made, &cases[i]);
    }
}

static void some_operators_have_no_call_of_their_own(void **state) {
    (void)state;
    assert_true(eti__vulkan_op_of(eti__text_of("et_vk.prepack.default")).is_prepack);
    assert_true(eti__vulkan_op_of(eti__text_of("aten.permute_copy.default")).is_light);
    assert_true(eti__vulkan_op_of(eti__text_of("aten.permute_copy.default")).joins_user);
    assert_true(eti__vulkan_op_of(eti__text_of("aten.relu.default")).joins_producer);
    assert_true(eti__vulkan_op_of(eti__text_of("aten._native_batch_norm_legit_no_training.default"))
                    .joins_producer);
    assert_true(
        eti__vulkan_op_of(eti__text_of("quantized_decomposed.dequantize_per_tensor.default"))
            .joins_user);
    assert_false(eti__vulkan_op_of(eti__text_of("aten.mul.Tensor")).is_light);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operators_are_made_from_their_like),
        cmocka_unit_test(kernels_run_operators),
        cmocka_unit_test(some_operators_have_no_call_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
