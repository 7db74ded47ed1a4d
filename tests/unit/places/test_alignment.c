/* Matches events with the nodes that they run: one to one, or in order where nodes are fused or run twice. */
#include "support.h"

#include "base/text.h"
#include "places/alignment.h"

#define NONE ETI_NOT_ALIGNED
#define MOST 8

/* Inputs and outputs are consecutive values: node i takes value i and gives value i + 1. */
typedef struct aligned {
    eti_xnnpack_node nodes[MOST];
    eti_text names[MOST];
    eti_alignment alignment;
} aligned;

static void align(aligned *a, size_t n_nodes, const uint8_t *kinds, size_t n_events,
                  const char *const *names, size_t with_limits) {
    *a = (aligned){0};
    for (size_t i = 0; i < n_nodes; i++)
        a->nodes[i] = (eti_xnnpack_node){.kind = kinds[i],
                                         .has_limits = i == with_limits,
                                         .n_inputs = 1,
                                         .inputs = {(uint32_t)i},
                                         .output = (uint32_t)i + 1};
    for (size_t i = 0; i < n_events; i++)
        a->names[i] = eti__text_of(names[i]);
    const eti_xnnpack payload = {.nodes = a->nodes, .n_nodes = (uint32_t)n_nodes};
    assert_true(eti__align(&a->alignment, &payload, a->names, n_events));
}

#define ALIGN(a, limits, kinds, names)                                                             \
    align(a, COUNT_OF(kinds), kinds, COUNT_OF(names), names, limits)
#define NO_LIMITS SIZE_MAX

static void as_many_that_fit_are_exact(void **state) {
    (void)state;
    static const uint8_t kinds[] = {ETI_XNNPACK_STATIC_TRANSPOSE, ETI_XNNPACK_CONV2D,
                                    ETI_XNNPACK_CONV2D, ETI_XNNPACK_TANH};
    static const char *const names[] = {"Transpose (ND, X32) #1",
                                        "Convolution (NHWC, F32) IGEMM #1",
                                        "Fully Connected (NC, F32) GEMM #1", "TanH (NC) #1"};
    aligned a;
    ALIGN(&a, NO_LIMITS, kinds, names);
    assert_true(a.alignment.is_exact);
    assert_int_equal(a.alignment.n_unexplained, 0);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(a.alignment.nodes[i], i);
    eti__alignment_free(&a.alignment);
}

static void clamps_are_part_of_the_operator_before(void **state) {
    (void)state;
    static const uint8_t kinds[] = {ETI_XNNPACK_CONV2D, ETI_XNNPACK_CLAMP, ETI_XNNPACK_CONV2D,
                                    ETI_XNNPACK_CLAMP, ETI_XNNPACK_CLAMP};
    static const char *const names[] = {"Convolution (NHWC, QC8) IGEMM #1",
                                        "Convolution (NHWC, QC8) IGEMM #2", "Clamp (NC) #1"};
    aligned a;
    ALIGN(&a, NO_LIMITS, kinds, names);
    assert_false(a.alignment.is_exact);
    assert_int_equal(a.alignment.n_found, 3);
    assert_int_equal(a.alignment.nodes[1], 2);
    assert_int_equal(a.alignment.nodes[2], 3); /* the first of two consecutive nodes */
    assert_int_equal(a.alignment.hosts[1], 0);
    assert_int_equal(a.alignment.hosts[4], 2);
    eti__alignment_free(&a.alignment);
}

static void limits_may_run_as_a_clamp(void **state) {
    (void)state;
    static const uint8_t kinds[] = {ETI_XNNPACK_CONV2D, ETI_XNNPACK_ADD};
    static const char *const names[] = {"Convolution (NHWC, F32) IGEMM #1", "Add (ND) #1",
                                        "Clamp (NC) #1"};
    aligned a;
    ALIGN(&a, 1, kinds, names);
    assert_int_equal(a.alignment.nodes[1], 1);
    assert_int_equal(a.alignment.nodes[2], 1);
    assert_int_equal(a.alignment.n_unexplained, 0);
    eti__alignment_free(&a.alignment);
    /* without limits it belongs to no node */
    ALIGN(&a, NO_LIMITS, kinds, names);
    assert_int_equal(a.alignment.nodes[2], NONE);
    assert_int_equal(a.alignment.n_unexplained, 1);
    eti__alignment_free(&a.alignment);
}

static void conversions_are_part_of_the_operator_after(void **state) {
    (void)state;
    static const uint8_t kinds[] = {ETI_XNNPACK_CONVERT, ETI_XNNPACK_FULLY_CONNECTED,
                                    ETI_XNNPACK_GELU, ETI_XNNPACK_CONVERT,
                                    ETI_XNNPACK_FULLY_CONNECTED};
    static const char *const names[] = {"Fully Connected (NC, QDU8, F32, QC8W) GEMM #1",
                                        "GELU (NC) #1",
                                        "Fully Connected (NC, QDU8, F32, QC8W) GEMM #2"};
    aligned a;
    ALIGN(&a, NO_LIMITS, kinds, names);
    assert_int_equal(a.alignment.n_found, 3);
    assert_int_equal(a.alignment.nodes[0], 1);
    assert_int_equal(a.alignment.hosts[0], 0);
    assert_int_equal(a.alignment.hosts[3], 2);
    assert_true(eti__alignment_is_fused_ahead(&a.alignment, 3));
    eti__alignment_free(&a.alignment);
}

static void look_ups_take_in_the_conversions_around(void **state) {
    (void)state;
    static const uint8_t kinds[] = {ETI_XNNPACK_CONV2D, ETI_XNNPACK_CONVERT, ETI_XNNPACK_HARDSWISH,
                                    ETI_XNNPACK_CONVERT, ETI_XNNPACK_CONV2D};
    static const char *const names[] = {"Convolution (NHWC, QC8) IGEMM #1", "Invalid Unary Op #1",
                                        "Convolution (NHWC, QC8) IGEMM #2"};
    aligned a;
    ALIGN(&a, NO_LIMITS, kinds, names);
    assert_int_equal(a.alignment.nodes[1], 2);
    assert_int_equal(a.alignment.hosts[1], 1);
    assert_int_equal(a.alignment.hosts[3], 1);
    eti__alignment_free(&a.alignment);
}

static void of_two_reshapes_the_last_runs(void **state) {
    (void)state;
    static const uint8_t kinds[] = {ETI_XNNPACK_STATIC_RESHAPE, ETI_XNNPACK_STATIC_RESHAPE,
                                    ETI_XNNPACK_ADD};
    static const char *const names[] = {"Static Reshape (NC) #1", "Add (ND) #1"};
    aligned a;
    ALIGN(&a, NO_LIMITS, kinds, names);
    assert_int_equal(a.alignment.nodes[0], 1);
    assert_int_equal(a.alignment.hosts[0], 0);
    eti__alignment_free(&a.alignment);
}

static void where_less_than_half_fits_nothing_does(void **state) {
    (void)state;
    static const uint8_t kinds[] = {ETI_XNNPACK_ADD, ETI_XNNPACK_SIN};
    static const char *const names[] = {"Add (ND) #1", "Softmax (NC, F32) #1", "Floor (NC) #1"};
    aligned a;
    ALIGN(&a, NO_LIMITS, kinds, names);
    assert_int_equal(a.alignment.n_found, 0);
    assert_int_equal(a.alignment.nodes[0], NONE);
    eti__alignment_free(&a.alignment);
}

static void numbers_of_another_type_are_not_explained(void **state) {
    (void)state;
    static const eti_xnnpack_node node = {
        .kind = ETI_XNNPACK_CONV2D, .n_inputs = 1, .output = 1, .output_bits = 8};
    const eti_text names[] = {eti__text_of("Convolution (NHWC, F32) IGEMM #1"),
                              eti__text_of("Convolution (NHWC, QC8) IGEMM #1")};
    eti_alignment alignment = {0};
    assert_true(eti__align(&alignment, &(eti_xnnpack){.nodes = &node, .n_nodes = 1}, &names[0], 1));
    assert_int_equal(alignment.n_unexplained, 1);
    assert_true(eti__align(&alignment, &(eti_xnnpack){.nodes = &node, .n_nodes = 1}, &names[1], 1));
    assert_int_equal(alignment.n_unexplained, 0);
    eti__alignment_free(&alignment);
}

/* ---- choices between nodes ------------------------------------------------------------------- */

/* An optional node is passed over rather than one that always runs. */
static void nodes_that_always_run_are_seldom_passed(void **state) {
    (void)state;
    static const uint8_t kinds[] = {ETI_XNNPACK_MULTIPLY, ETI_XNNPACK_SQUARE};
    static const char *const names[] = {"Square (NC) #1"};
    static const uint8_t copies[] = {ETI_XNNPACK_CONCATENATE_2, ETI_XNNPACK_COPY,
                                     ETI_XNNPACK_CONCATENATE_2};
    static const char *const copied[] = {"Copy (NC) #1", "Copy (NC) #2"};
    aligned a;
    ALIGN(&a, NO_LIMITS, copies, copied);
    assert_int_equal(a.alignment.nodes[0], 0);
    assert_int_equal(a.alignment.nodes[1], 2);
    assert_int_equal(a.alignment.hosts[1], 1); /* the node that takes its values */
    eti__alignment_free(&a.alignment);
    /* nothing explains why a node that always runs did not run */
    ALIGN(&a, NO_LIMITS, kinds, names);
    assert_int_equal(a.alignment.n_found, 1);
    assert_int_equal(a.alignment.n_unexplained, 1);
    eti__alignment_free(&a.alignment);
}

/* Finding more nodes justifies passing over a node that always runs. */
static void most_events_find_a_node(void **state) {
    (void)state;
    static const uint8_t kinds[] = {ETI_XNNPACK_SIN, ETI_XNNPACK_ADD};
    static const char *const names[] = {"Add (ND) #1"};
    aligned a;
    ALIGN(&a, NO_LIMITS, kinds, names);
    assert_int_equal(a.alignment.n_found, 1);
    assert_int_equal(a.alignment.nodes[0], 1);
    eti__alignment_free(&a.alignment);
}

/* A clamp that ran implements the limits of the node before it rather than a clamp after that node, unless the node's
 * kernel clamps. */
static void limits_run_before_a_clamp_that_may_be_left_out(void **state) {
    (void)state;
    static const uint8_t adds[] = {ETI_XNNPACK_ADD, ETI_XNNPACK_CLAMP};
    static const char *const added[] = {"Add (ND) #1", "Clamp (NC) #1"};
    static const uint8_t more[] = {ETI_XNNPACK_ADD, ETI_XNNPACK_CLAMP, ETI_XNNPACK_CLAMP};
    static const uint8_t convolved[] = {ETI_XNNPACK_CONV2D, ETI_XNNPACK_CLAMP, ETI_XNNPACK_CLAMP};
    static const char *const names[] = {"Convolution (NHWC, F32) IGEMM #1", "Clamp (NC) #1"};
    aligned a;
    ALIGN(&a, 0, more, added);
    assert_int_equal(a.alignment.nodes[0], 0);
    assert_int_equal(a.alignment.nodes[1], 0);
    /* part of the last event of the node that it clamps */
    assert_int_equal(a.alignment.hosts[1], 1);
    eti__alignment_free(&a.alignment);
    ALIGN(&a, 0, convolved, names);
    assert_int_equal(a.alignment.nodes[1], 1);
    eti__alignment_free(&a.alignment);
    /* a choice with as many fitting nodes is found first */
    ALIGN(&a, 0, adds, added);
    assert_true(a.alignment.is_exact);
    eti__alignment_free(&a.alignment);
}

/* Only a clamp may implement the limits of the node before it. */
static void other_events_are_no_limits(void **state) {
    (void)state;
    static const uint8_t kinds[] = {ETI_XNNPACK_ADD, ETI_XNNPACK_COPY};
    static const char *const names[] = {"Add (ND) #1", "Softmax (NC, F32) #1"};
    aligned a;
    ALIGN(&a, 0, kinds, names);
    assert_int_equal(a.alignment.nodes[0], 0);
    assert_int_equal(a.alignment.nodes[1], NONE);
    eti__alignment_free(&a.alignment);
}

/* A conversion is part of the first event of the node that takes its values, not of the event of that node's limits. */
static void conversions_are_part_of_the_first_event(void **state) {
    (void)state;
    static const uint8_t kinds[] = {ETI_XNNPACK_CONVERT, ETI_XNNPACK_ADD};
    static const char *const names[] = {"Add (ND) #1", "Clamp (NC) #1"};
    aligned a;
    ALIGN(&a, 1, kinds, names);
    assert_int_equal(a.alignment.nodes[0], 1);
    assert_int_equal(a.alignment.nodes[1], 1);
    assert_int_equal(a.alignment.hosts[0], 0);
    eti__alignment_free(&a.alignment);
}

/* Nodes of unknown kinds may be left out; where the flow of values is unknown, the order decides which node they belong
 * to. */
static void unknown_nodes_are_part_of_the_operator_before(void **state) {
    (void)state;
    static const eti_xnnpack_node nodes[] = {
        {.kind = ETI_XNNPACK_ADD, .n_inputs = 1, .output = 1},
        {.kind = ETI_XNNPACK_NONE},
        {.kind = ETI_XNNPACK_CONVERT, .n_inputs = 1, .inputs = {70}, .output = 71},
        {.kind = ETI_XNNPACK_TANH, .n_inputs = 1, .inputs = {80}, .output = 81}};
    const eti_text names[] = {eti__text_of("Add (ND) #1"), eti__text_of("TanH (NC) #1")};
    eti_alignment alignment = {0};
    assert_true(eti__align(&alignment, &(eti_xnnpack){.nodes = nodes, .n_nodes = COUNT_OF(nodes)},
                           names, 2));
    assert_int_equal(alignment.n_unexplained, 0);
    assert_int_equal(alignment.nodes[1], 3);
    assert_int_equal(alignment.hosts[1], 0);
    assert_int_equal(alignment.hosts[2], 1); /* a conversion belongs to the node after it */
    assert_false(eti__alignment_is_fused_ahead(&alignment, 1));
    assert_true(eti__alignment_is_fused_ahead(&alignment, 2));
    eti__alignment_free(&alignment);
}

static void half_of_the_events_is_enough(void **state) {
    (void)state;
    static const uint8_t kinds[] = {ETI_XNNPACK_ADD};
    static const char *const names[] = {"Add (ND) #1", "Softmax (NC, F32) #1"};
    aligned a;
    ALIGN(&a, NO_LIMITS, kinds, names);
    assert_int_equal(a.alignment.n_found, 1);
    assert_int_equal(a.alignment.nodes[0], 0);
    assert_int_equal(a.alignment.nodes[1], NONE);
    eti__alignment_free(&a.alignment);
}

/* A conversion may give numbers of another type than the one in its name. */
static void conversions_may_give_any_numbers(void **state) {
    (void)state;
    static const eti_xnnpack_node node = {
        .kind = ETI_XNNPACK_CONVERT, .n_inputs = 1, .output = 1, .output_bits = 8};
    const eti_text name = eti__text_of("Convert (NC, F32, QS8) #1");
    eti_alignment alignment = {0};
    assert_true(eti__align(&alignment, &(eti_xnnpack){.nodes = &node, .n_nodes = 1}, &name, 1));
    assert_int_equal(alignment.n_unexplained, 0);
    eti__alignment_free(&alignment);
}

static void too_much_work_is_not_done(void **state) {
    (void)state;
    const uint32_t n = 1u << 16;
    eti_xnnpack_node *nodes = calloc(n, sizeof *nodes);
    eti_text *names = calloc(n, sizeof *names);
    eti_alignment alignment = {0};
    assert_non_null(nodes);
    assert_non_null(names);
    for (uint32_t i = 0; i < n; i++) {
        nodes[i].kind = ETI_XNNPACK_ADD;
        names[i] = eti__text_of("Add (ND) #1");
    }
    names[0] = eti__text_of("Sine (NC) #1");
    assert_true(eti__align(&alignment, &(eti_xnnpack){.nodes = nodes, .n_nodes = n}, names, n));
    assert_int_equal(alignment.n_found, 0);
    eti__alignment_free(&alignment);
    free(nodes);
    free(names);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_many_that_fit_are_exact),
        cmocka_unit_test(clamps_are_part_of_the_operator_before),
        cmocka_unit_test(limits_may_run_as_a_clamp),
        cmocka_unit_test(conversions_are_part_of_the_operator_after),
        cmocka_unit_test(look_ups_take_in_the_conversions_around),
        cmocka_unit_test(of_two_reshapes_the_last_runs),
        cmocka_unit_test(where_less_than_half_fits_nothing_does),
        cmocka_unit_test(numbers_of_another_type_are_not_explained),
        cmocka_unit_test(nodes_that_always_run_are_seldom_passed),
        cmocka_unit_test(most_events_find_a_node),
        cmocka_unit_test(limits_run_before_a_clamp_that_may_be_left_out),
        cmocka_unit_test(other_events_are_no_limits),
        cmocka_unit_test(conversions_are_part_of_the_first_event),
        cmocka_unit_test(unknown_nodes_are_part_of_the_operator_before),
        cmocka_unit_test(half_of_the_events_is_enough),
        cmocka_unit_test(conversions_may_give_any_numbers),
        cmocka_unit_test(too_much_work_is_not_done),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
