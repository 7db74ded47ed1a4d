#include "numerics/match.h"

#include "support.h"

#include <string.h>

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

int main(void) {
    const struct CMUnitTest tests[] = {
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
