/* Reads names of the events of Vulkan delegates, and graphs of their payloads; whatever the bytes, reading never fails a
 * run. */
#include "damage.h"
#include "program_files.h"
#include "support.h"

#include "backends/backends.h"
#include "base/text.h"

#define CONV                                                                                       \
    "{\"operator\": {\"name\": \"et_vk.conv_with_clamp.default\", \"delegate_node_id\": 3, "       \
    "\"args\": [{\"type\": \"TENSOR\", \"value_ref\": 22, \"dtype\": \"Float\", \"sizes\": [1, "   \
    "3]}, "                                                                                        \
    "{\"type\": \"TENSORREF\", \"value_ref\": 0, \"sizes\": [16, 3, 3, 3], \"dtype\": \"Half\"}, " \
    "{\"type\": \"INTLIST\", \"value_ref\": 23, \"values\": [2, 2]}]}, "                           \
    "\"kernel_name\": \"conv2d_\\u0022pw\", \"operator_id\": 17, \"dispatch_id\": 4}"

/* ==== vulkan events =========================================================================== */

static eti_delegate_event read_name(eti_arena *arena, const char *name) {
    const eti_logged_event logged = {.name = eti__text_of(name), .has_id = true};
    eti_delegate_event event;
    assert_true(eti__delegate_event_read(&event, ETI_BACKEND_VULKAN, &logged, arena));
    return event;
}

static void events_of_the_host_have_its_clock(void **state) {
    (void)state;
    static const struct {
        const char *name;
        int role, level;
    } cases[] = {
        {"ETVK_EXECUTE", ETI_DELEGATE_WRAPPER, 0},
        {"ETVK_COMPUTE_GRAPH_EXECUTE", ETI_DELEGATE_WRAPPER, 1},
        {"ETVK_RESIZE", ETI_DELEGATE_WRAPPER, 0},
        {"ETVK_COPY_INPUTS", ETI_DELEGATE_TRANSFER, 0},
        {"ETVK_COPY_OUTPUTS", ETI_DELEGATE_TRANSFER, 0},
    };
    eti_arena arena = {0};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        eti_delegate_event event = read_name(&arena, cases[i].name);
        assert_int_equal(event.role, cases[i].role);
        assert_int_equal(event.level, cases[i].level);
        assert_int_equal(event.clock, ETI_CLOCK_HOST);
        assert_int_equal(event.unit, ETI_UNIT_TICKS);
        assert_text(event.label, cases[i].name);
        assert_false(event.is_numbered);
    }
    eti__arena_free(&arena);
}

static void structured_names_have_operators(void **state) {
    (void)state;
    eti_arena arena = {0};
    eti_delegate_event event = read_name(&arena, CONV);
    assert_int_equal(event.role, ETI_DELEGATE_NODE);
    assert_int_equal(event.unit, ETI_UNIT_NS);
    assert_int_equal(event.clock, ETI_CLOCK_DEVICE);
    assert_int_equal(event.level, 2);
    assert_true(event.is_numbered);
    assert_text(event.label, "conv2d_\"pw");
    assert_text(event.kernel, "conv2d_\"pw");
    assert_text(event.compute_unit, "GPU");
    assert_text(event.node, "3");
    assert_text(event.op, "et_vk.conv_with_clamp.default");
    assert_int_equal(event.operator_number, 17);
    assert_int_equal(event.n_tensors, 2);
    assert_text(event.tensors[0].dtype, "Float");
    assert_false(event.tensors[0].is_constant);
    assert_int_equal(event.tensors[0].value, 22);
    assert_int_equal(event.tensors[0].n_sizes, 2);
    assert_int_equal(event.tensors[0].sizes[1], 3);
    assert_true(event.tensors[1].is_constant);
    assert_int_equal(event.tensors[1].n_sizes, 4);
    eti__arena_free(&arena);
}

static void names_of_all_ages_have_kernels(void **state) {
    (void)state;
    static const struct {
        const char *name, *kernel;
        int role;
    } cases[] = {
        {"{\"kernel_name\": \"add\", \"operator_id\": 0, \"dispatch_id\": 0}", "add",
         ETI_DELEGATE_NODE},
        {"{\"kernel_name\": \"nchw_to_image_texture3d\", \"operator_id\": 0}",
         "nchw_to_image_texture3d", ETI_DELEGATE_TRANSFER},
        {"{\"kernel_name\": \"image_to_nchw_coalesced\"}", "image_to_nchw_coalesced",
         ETI_DELEGATE_TRANSFER},
        {"{Blit_half_to_float, \"dispatch_id\": 3}", "Blit_half_to_float", ETI_DELEGATE_TRANSFER},
        {"{Blit", "Blit", ETI_DELEGATE_NODE},
        {"conv2d_dw_3x3_clamp_float_17", "conv2d_dw_3x3_clamp_float", ETI_DELEGATE_NODE},
        {"Blit_half_to_float_3", "Blit_half_to_float", ETI_DELEGATE_TRANSFER},
        {"buffer_to_buffer_9", "buffer_to_buffer", ETI_DELEGATE_TRANSFER},
        {"linear", "linear", ETI_DELEGATE_NODE},
        {"17", "17", ETI_DELEGATE_NODE},
    };
    eti_arena arena = {0};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        eti_delegate_event event = read_name(&arena, cases[i].name);
        assert_text(event.kernel, cases[i].kernel);
        assert_text(event.label, cases[i].kernel);
        assert_int_equal(event.role, cases[i].role);
    }
    eti__arena_free(&arena);
}

/* The operator in the name of a staging kernel is the last one of the process. */
static void staging_has_no_operator(void **state) {
    (void)state;
    eti_arena arena = {0};
    eti_delegate_event event = read_name(
        &arena, "{\"operator\": {\"name\": \"aten.linear.default\", \"delegate_node_id\": 0, "
                "\"args\": [{\"type\": \"TENSOR\", \"sizes\": [1]}]}, "
                "\"kernel_name\": \"image_to_nchw_texture3d\"}");
    assert_int_equal(event.role, ETI_DELEGATE_TRANSFER);
    assert_null(event.op.data);
    assert_null(event.node.data);
    assert_int_equal(event.n_tensors, 0);
    eti__arena_free(&arena);
}

static void names_show_the_backend(void **state) {
    (void)state;
    static const char *const names[] = {"ETVK_EXECUTE", CONV, "{\"kernel_name\": \"a\"}"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        const eti_logged_event logged = {.name = eti__text_of(names[i]), .has_id = true};
        const eti_logged_event plain = {.name = eti__text_of(names[i])};
        assert_int_equal(eti__backend_of_event(&logged), ETI_BACKEND_VULKAN);
        assert_int_equal(eti__backend_of_event(&plain), ETI_BACKEND_OTHER);
    }
}

static void try_name(void *context, const uint8_t *data, size_t size) {
    eti_arena arena = {0};
    const eti_logged_event logged = {.name = {(const char *)data, size}, .has_id = true};
    eti_delegate_event event;
    (void)context;
    assert_true(eti__delegate_event_read(&event, ETI_BACKEND_VULKAN, &logged, &arena));
    assert_true(event.label.size > 0);
    assert_true(event.n_tensors <= 2);
    eti__arena_free(&arena);
}

static void damaged_names_give_less(void **state) {
    (void)state;
    eti_arena arena = {0};
    cut_everywhere((const uint8_t *)CONV, sizeof CONV - 1, try_name, NULL);
    flip_everywhere((const uint8_t *)CONV, sizeof CONV - 1, try_name, NULL);
    eti_delegate_event event = read_name(&arena, "{\"operator\": 3, \"operator_id\": \"x\"");
    assert_text(event.label, "(damaged name)");
    assert_int_equal(event.operator_number, -1);
    event =
        read_name(&arena, "{\"operator\": {\"args\": [3, {\"type\": \"TENSOR\", \"sizes\": 7}]}}");
    assert_int_equal(event.n_tensors, 1);
    assert_int_equal(event.tensors[0].n_sizes, 0);
    eti__arena_free(&arena);
}

/* A name may list any number of tensors and dimensions. */
static void long_lists_are_cut(void **state) {
    (void)state;
    eti_arena arena = {0};
    eti_buffer name = {0};
    eti__buffer_add_string(&name, "{\"operator\": {\"args\": [");
    for (int i = 0; i < 100; i++) {
        eti__buffer_printf(&name, "%s{\"type\": \"TENSOR\", \"sizes\": [", i ? ", " : "");
        for (int k = 0; k < 40; k++)
            eti__buffer_printf(&name, "%s%d", k ? ", " : "", k);
        eti__buffer_add_string(&name, "]}");
    }
    eti__buffer_add_string(&name, "]}}");
    eti__buffer_add_char(&name, '\0');
    eti_delegate_event event = read_name(&arena, name.data);
    assert_int_equal(event.n_tensors, 64);
    assert_int_equal(event.tensors[63].n_sizes, ETI_VULKAN_MOST_DIMENSIONS);
    eti__buffer_free(&name);
    eti__arena_free(&arena);
}

/* ==== vulkan ================================================================================== */

#define MODEL "testdata/backends/vulkan_se/model.pte"

static eti_text payload_of(const program_file *program, uint32_t delegate) {
    assert_true(delegate < program->pte.plans[0].n_delegates);
    return program->pte.plans[0].delegates[delegate].payload;
}

static void calls_are_listed_in_order(void **state) {
    (void)state;
    program_file program;
    eti_error err = ETI_ERROR_INIT;
    eti_vulkan graph;
    open_program(&program, MODEL, NULL);
    assert_ok(eti__vulkan_read(&graph, &program.arena, payload_of(&program, 0), &err));
    assert_int_equal(graph.n_calls, 18);
    assert_int_equal(eti__vulkan_count_run(&graph), 16);
    assert_int_equal(graph.n_values, 78);
    assert_int_equal(graph.n_constants, 12);
    const eti_vulkan_call *conv = &graph.calls[4];
    assert_text(conv->op, "aten.convolution.default");
    assert_int_equal(conv->node_id, 4);
    assert_int_equal(conv->n_inputs, 3); /* of its arguments, only the tensors */
    assert_int_equal(conv->n_outputs, 1);
    const uint32_t *links = graph.links + conv->first_link;
    assert_int_equal(links[0], 14);
    assert_int_equal(links[1], 0);
    assert_int_equal(links[3], 37);
    assert_int_equal(graph.constants_of[14], ETI_VULKAN_NONE);
    assert_int_equal(graph.constants_of[0], 0);
    assert_text(graph.constants[0].name,
                "2cbecac077bb43d51ca8ac75fb1d28bf77fda51d68bc012d17d47fbdfb8e41a0");
    assert_int_equal(graph.constants[0].n_bytes, 1728);
    assert_int_equal(graph.tables[15], 0); /* a null */
    close_program(&program);
}

static void tensors_come_from_the_payload(void **state) {
    (void)state;
    program_file program;
    eti_error err = ETI_ERROR_INIT;
    eti_delegate_event event = {0};
    eti_vulkan graph;
    open_program(&program, MODEL, NULL);
    assert_ok(eti__vulkan_read(&graph, &program.arena, payload_of(&program, 1), &err));
    assert_true(eti__vulkan_set_tensors(&graph, 0, &event, &program.arena));
    assert_int_equal(event.n_tensors, 4);
    assert_text(event.tensors[0].dtype, "Float");
    assert_int_equal(event.tensors[0].value, 2);
    assert_int_equal(event.tensors[0].n_sizes, 2);
    assert_int_equal(event.tensors[0].sizes[1], 24);
    assert_true(event.tensors[1].is_constant);
    assert_int_equal(event.tensors[3].sizes[1], 5);
    close_program(&program);
}

static void check_refused(eti_text payload, const char *part, const char *with, size_t size,
                          const char *message) {
    eti_arena arena = {0};
    eti_error err = ETI_ERROR_INIT;
    eti_vulkan graph;
    char *copy = malloc(payload.size);
    assert_non_null(copy);
    memcpy(copy, payload.data, payload.size);
    memcpy(copy + (part - payload.data), with, strlen(with));
    assert_int_equal(eti__vulkan_read(&graph, &arena, (eti_text){copy, size}, &err),
                     ETI_ERROR_MALFORMED);
    if (!strstr(err.message, message))
        fail_msg("expected %s, found %s", message, err.message);
    free(copy);
    eti__arena_free(&arena);
}

static void other_payloads_are_refused(void **state) {
    (void)state;
    program_file program;
    open_program(&program, MODEL, NULL);
    eti_text payload = payload_of(&program, 1);
    check_refused(payload, payload.data + 4, "XH00", payload.size, "not a payload of Vulkan");
    check_refused(payload, payload.data + 4, "VH00", 3, "not a payload of Vulkan");
    check_refused(payload, payload.data + 4, "VH00", 20, "too few for its header");
    check_refused(payload, payload.data + 4, "VH00", 60, "but the payload has 60");
    check_refused(payload, payload.data + 36, "VK01", payload.size, "no graph of Vulkan");
    close_program(&program);
}

/* Checks that all numbers lead to items. */
static void check_graph(const eti_vulkan *graph, eti_arena *arena) {
    for (uint32_t i = 0; i < graph->n_calls; i++) {
        const eti_vulkan_call *call = &graph->calls[i];
        eti_delegate_event event = {0};
        for (uint32_t k = 0; k < call->n_inputs + call->n_outputs; k++) {
            uint32_t value = graph->links[call->first_link + k];
            assert_true(value < graph->n_values);
            assert_true(graph->constants_of[value] == ETI_VULKAN_NONE ||
                        graph->constants_of[value] < graph->n_constants);
        }
        assert_true(eti__vulkan_set_tensors(graph, i, &event, arena));
    }
}

static void try_payload(void *context, const uint8_t *data, size_t size) {
    eti_arena arena = {0};
    eti_error err = ETI_ERROR_INIT;
    eti_vulkan graph;
    (void)context;
    eti_status status =
        eti__vulkan_read(&graph, &arena, (eti_text){(const char *)data, size}, &err);
    assert_true(status == ETI_OK || status == ETI_ERROR_MALFORMED || status == ETI_ERROR_LIMIT);
    if (status == ETI_OK)
        check_graph(&graph, &arena);
    eti__arena_free(&arena);
}

/* Sanitizers watch. */
static void no_damage_is_followed(void **state) {
    (void)state;
    program_file program;
    open_program(&program, MODEL, NULL);
    eti_text payload = payload_of(&program, 1);
    prepare_for_many_readings();
    cut_everywhere((const uint8_t *)payload.data, payload.size, try_payload, NULL);
    flip_everywhere((const uint8_t *)payload.data, payload.size, try_payload, NULL);
    close_program(&program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_of_the_host_have_its_clock),
        cmocka_unit_test(structured_names_have_operators),
        cmocka_unit_test(names_of_all_ages_have_kernels),
        cmocka_unit_test(staging_has_no_operator),
        cmocka_unit_test(names_show_the_backend),
        cmocka_unit_test(damaged_names_give_less),
        cmocka_unit_test(long_lists_are_cut),
        cmocka_unit_test(calls_are_listed_in_order),
        cmocka_unit_test(tensors_come_from_the_payload),
        cmocka_unit_test(other_payloads_are_refused),
        cmocka_unit_test(no_damage_is_followed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
