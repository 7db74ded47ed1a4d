/* Tests names that kernels log, and the operators that they stand for. */
#include "backends/backends.h"
#include "base/text.h"

#include "support.h"

static eti_text t(const char *text) {
    return eti__text_of(text);
}

static void kernels_log_their_operator_and_its_overload(void **state) {
    (void)state;
    assert_text(eti__kernel_overload(t("native_call_addmm.out")), "addmm.out");
    assert_text(eti__kernel_operator(t("native_call_addmm.out")), "addmm");
    assert_null(eti__kernel_overload(t("native_call_")).data);
    assert_null(eti__kernel_overload(t("DELEGATE_CALL")).data);
    assert_text(eti__kernel_operator(t("native_call_addmm")), "addmm");
    assert_null(eti__kernel_operator(t("aten.addmm.out")).data);
}

static void operators_have_one_name_in_all_notations(void **state) {
    (void)state;
    static const char *const names[] = {
        "native_call_add.out", "native_call_add", "aten::add.out", "aten::add", "aten:add.out",
        "aten.add.Tensor",     "aten.add",        "::add",         ".add.out",  "aten::add."};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        assert_text(eti__operator_name(t(names[i])), "add");
    assert_text(eti__operator_name(t("aten.add:x.out")), "add:x");
    assert_text(eti__operator_name(t("aten::")), "");
    assert_text(eti__operator_name(t("aten.")), "");
    assert_null(eti__operator_name(t("add")).data);
    assert_null(eti__operator_name(t("OPERATOR_CALL")).data);
    assert_null(eti__operator_name(t("native_call_")).data);
    assert_null(eti__operator_name(t("")).data);
    assert_null(eti__operator_name(t(NULL)).data);
}

static void long_names_are_of_no_operator(void **state) {
    (void)state;
    static const char *const starts[] = {"native_call_", "aten::", "aten."};
    for (size_t i = 0; i < COUNT_OF(starts); i++) {
        char name[ETI_LONGEST_OPERATOR + 1];
        memset(name, 'x', sizeof name);
        memcpy(name, starts[i], strlen(starts[i]));
        assert_int_equal(eti__operator_name((eti_text){name, ETI_LONGEST_OPERATOR}).size,
                         ETI_LONGEST_OPERATOR - strlen(starts[i]));
        assert_null(eti__operator_name((eti_text){name, ETI_LONGEST_OPERATOR + 1}).data);
    }
}

static void op_types_have_the_operator_between_dots(void **state) {
    (void)state;
    assert_true(eti__is_kernel_of(t("aten.addmm.default"), t("addmm")));
    assert_false(eti__is_kernel_of(t("aten.addmm.default"), t("add")));
    assert_false(eti__is_kernel_of(t("aten.addmm.default"), t("mm")));
    assert_false(eti__is_kernel_of(t("aten.addmm"), t("addmm")));
}

static void overloads_are_compared_without_the_namespace(void **state) {
    (void)state;
    assert_true(eti__is_overload_of(t("aten::addmm"), t("out"), t("addmm.out")));
    assert_true(eti__is_overload_of(t("aten::addmm"), t(""), t("addmm")));
    assert_false(eti__is_overload_of(t("aten::addmm"), t("out"), t("addmm.int")));
    assert_false(eti__is_overload_of(t("aten::addmm"), t("out"), t("addmm_out")));
    assert_false(eti__is_overload_of(t("aten::mm"), t("out"), t("addmm.out")));
}

static void main_operators_do_the_work_of_several(void **state) {
    static const char *const main_ones[] = {
        "aten.convolution.default",  "aten.conv2d.default",
        "aten.linear.default",       "aten.addmm.default",
        "aten.bmm.default",          "aten.matmul.default",
        "llama.custom_sdpa.default", "aten.scaled_dot_product_attention.default"};
    static const char *const others[] = {"aten.add.Tensor", "aten.mean.dim", "convolution", "",
                                         "aten._native_batch_norm_legit_no_training.default"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(main_ones); i++)
        assert_true(eti__is_main_operator(eti__text_of(main_ones[i])));
    for (size_t i = 0; i < COUNT_OF(others); i++)
        assert_false(eti__is_main_operator(eti__text_of(others[i])));
    assert_false(eti__is_main_operator((eti_text){NULL, 0}));
}

static void convolutions_have_one_name(void **state) {
    (void)state;
    assert_text(eti__whole_operator(eti__text_of("aten.conv2d.default")),
                "aten.convolution.default");
    assert_text(eti__whole_operator(eti__text_of("aten.convolution.default")),
                "aten.convolution.default");
    assert_text(eti__whole_operator(eti__text_of("mine.conv2d.default")), "mine.conv2d.default");
    assert_text(eti__whole_operator(eti__text_of("aten.linear.default")), "aten.linear.default");
    assert_absent(eti__whole_operator((eti_text){NULL, 0}));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(main_operators_do_the_work_of_several),
        cmocka_unit_test(convolutions_have_one_name),
        cmocka_unit_test(kernels_log_their_operator_and_its_overload),
        cmocka_unit_test(operators_have_one_name_in_all_notations),
        cmocka_unit_test(long_names_are_of_no_operator),
        cmocka_unit_test(op_types_have_the_operator_between_dots),
        cmocka_unit_test(overloads_are_compared_without_the_namespace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
