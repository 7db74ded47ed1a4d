/* Reads events and payloads of the native backend; whatever the bytes, reading never fails a run. */
#include "damage.h"
#include "logged.h"
#include "program_files.h"
#include "support.h"

#define MODEL "testdata/backends/native_net/model.pte"

/* ==== native event ============================================================================ */

static void names_of_events_are_names_of_nodes(void **state) {
    (void)state;
    eti_arena arena = {0};
    eti_delegate_event event = read_logged(ETI_BACKEND_NATIVE, "aten_linear_default", "", &arena);
    assert_text(event.node, "aten_linear_default");
    assert_text(event.label, "aten_linear_default");
    assert_int_equal(event.role, ETI_DELEGATE_NODE);
    assert_int_equal(event.unit, ETI_UNIT_TICKS);
    assert_int_equal(event.clock, ETI_CLOCK_UNKNOWN);
    const eti_logged_event number = {.name = eti__text_of("3"), .has_id = true, .has_int_id = true};
    const eti_logged_event plain = {.name = eti__text_of("aten_linear_default")};
    assert_true(eti__delegate_event_read(&event, ETI_BACKEND_NATIVE, &number, &arena));
    assert_null(event.node.data);
    assert_true(eti__delegate_event_read(&event, ETI_BACKEND_NATIVE, &plain, &arena));
    assert_null(event.node.data);
    assert_int_equal(eti__backend_of_id(eti__text_of("NativeBackend")), ETI_BACKEND_NATIVE);
    eti__arena_free(&arena);
}

/* ==== native ================================================================================== */

static eti_text payload_of(const program_file *program, uint32_t delegate) {
    assert_true(delegate < program->pte.plans[0].n_delegates);
    return program->pte.plans[0].delegates[delegate].payload;
}

static void open_payload(program_file *program, uint32_t delegate, eti_native *out) {
    eti_error err = ETI_ERROR_INIT;
    open_program(program, MODEL, NULL);
    assert_ok(eti__native_read(out, &program->arena, payload_of(program, delegate), &err));
}

static eti_text link_of(const eti_native *payload, uint32_t node, uint32_t i) {
    assert_true(i < payload->nodes[node].n_inputs + payload->nodes[node].n_outputs);
    return payload->links[payload->nodes[node].first_link + i];
}

static void nodes_are_listed_in_order(void **state) {
    static const struct {
        const char *name, *op;
        uint32_t n_inputs, n_outputs;
    } nodes[] = {
        {"aten_linear_default", "aten.linear.default", 3, 1},
        {"aten_relu__default", "aten.relu_.default", 1, 1},
        {"aten_linear_default_1", "aten.linear.default", 3, 1},
        {"aten_add_tensor", "aten.add.Tensor", 2, 1},
        {"aten_split_with_sizes_copy_default", "aten.split_with_sizes_copy.default", 1, 2},
    };
    (void)state;
    program_file program;
    eti_native payload;
    open_payload(&program, 2, &payload);
    assert_int_equal(payload.n_nodes, COUNT_OF(nodes));
    for (uint32_t i = 0; i < COUNT_OF(nodes); i++) {
        assert_text(payload.nodes[i].name, nodes[i].name);
        assert_text(payload.nodes[i].op, nodes[i].op);
        assert_int_equal(payload.nodes[i].n_inputs, nodes[i].n_inputs);
        assert_int_equal(payload.nodes[i].n_outputs, nodes[i].n_outputs);
    }
    assert_text(link_of(&payload, 0, 0), "getitem_1");
    assert_text(link_of(&payload, 0, 1), "p_block_up_weight");
    assert_text(link_of(&payload, 3, 0), "aten_mean_dim");
    assert_text(link_of(&payload, 3, 1), "aten_linear_default_1");
    assert_text(link_of(&payload, 4, 2), "getitem_3");
    close_program(&program);
}

static void nodes_are_found_by_their_names_and_results(void **state) {
    (void)state;
    program_file program;
    eti_native payload;
    open_payload(&program, 2, &payload);
    assert_int_equal(eti__native_find(&payload, eti__text_of("aten_linear_default_1")), 2);
    assert_int_equal(eti__native_find(&payload, eti__text_of("getitem_3")), 4);
    assert_int_equal(eti__native_find(&payload, eti__text_of("getitem_1")), ETI_NATIVE_NONE);
    assert_int_equal(eti__native_find(&payload, eti__text_of("")), ETI_NATIVE_NONE);
    close_program(&program);
}

/* The lists of tensors of a concatenation are its inputs. */
static void lists_are_inputs(void **state) {
    (void)state;
    program_file program;
    eti_native payload;
    open_payload(&program, 3, &payload);
    assert_text(payload.nodes[0].op, "aten.cat.default");
    assert_int_equal(payload.nodes[0].n_inputs, 2);
    assert_text(link_of(&payload, 0, 0), "getitem_3");
    assert_text(link_of(&payload, 0, 1), "getitem_2");
    close_program(&program);
}

static void constants_have_keys(void **state) {
    (void)state;
    program_file program;
    eti_native payload;
    open_payload(&program, 2, &payload);
    assert_int_equal(payload.n_constants, 4);
    assert_int_equal(payload.n_keys, 4);
    const eti_native_constant *weight =
        eti__native_constant_of(&payload, eti__text_of("p_block_down_weight"));
    assert_non_null(weight);
    assert_text(weight->keys[0], "block.down.weight");
    assert_int_equal(weight->keys[1].size, 0);
    assert_null(eti__native_constant_of(&payload, eti__text_of("aten_mean_dim")));
    uint64_t sum = 0;
    for (uint32_t i = 0; i < payload.n_keys; i++)
        sum += payload.keys[i].n_bytes;
    assert_int_equal(sum, (16 * 8 + 16 + 8 * 16 + 8) * sizeof(float));
    close_program(&program);
}

static void check_refused(const char *bytes, size_t size, const char *message) {
    eti_arena arena = {0};
    eti_error err = ETI_ERROR_INIT;
    eti_native payload;
    assert_int_equal(eti__native_read(&payload, &arena, (eti_text){bytes, size}, &err),
                     ETI_ERROR_MALFORMED);
    if (!strstr(err.message, message))
        fail_msg("expected %s, found %s", message, err.message);
    eti__arena_free(&arena);
}

static void other_payloads_are_refused(void **state) {
    /* a root without fields, and one with a list of one method, which has no graph */
    static const char empty[] = "\x0c\0\0\0NPTG\4\0\4\0\4\0\0\0";
    static const char bare[] = "\x10\0\0\0NPTG\x08\0\x08\0\0\0\4\0"
                               "\x08\0\0\0\4\0\0\0\1\0\0\0\x08\0\0\0\4\0\4\0\4\0\0\0";
    (void)state;
    check_refused("", 0, "not a payload of the native backend");
    check_refused("\0\0\0\0VK00", 8, "not a payload of the native backend");
    check_refused(empty, sizeof empty - 1, "the payload has no method");
    check_refused(bare, sizeof bare - 1, "the method of the payload has no graph");
}

static void try_payload(void *context, const uint8_t *data, size_t size) {
    eti_arena arena = {0};
    eti_error err = ETI_ERROR_INIT;
    eti_native payload;
    (void)context;
    eti_status status =
        eti__native_read(&payload, &arena, (eti_text){(const char *)data, size}, &err);
    assert_true(status == ETI_OK || status == ETI_ERROR_MALFORMED || status == ETI_ERROR_LIMIT);
    for (uint32_t i = 0; status == ETI_OK && i < payload.n_nodes; i++) {
        uint32_t found = eti__native_find(&payload, payload.nodes[i].name);
        assert_true(found == ETI_NATIVE_NONE || found < payload.n_nodes);
    }
    eti__arena_free(&arena);
}

/* Sanitizers watch. */
static void no_damage_is_followed(void **state) {
    (void)state;
    program_file program;
    open_program(&program, MODEL, NULL);
    eti_text payload = payload_of(&program, 3);
    prepare_for_many_readings();
    cut_everywhere((const uint8_t *)payload.data, payload.size, try_payload, NULL);
    flip_everywhere((const uint8_t *)payload.data, payload.size, try_payload, NULL);
    close_program(&program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_of_events_are_names_of_nodes),
        cmocka_unit_test(nodes_are_listed_in_order),
        cmocka_unit_test(nodes_are_found_by_their_names_and_results),
        cmocka_unit_test(lists_are_inputs),
        cmocka_unit_test(constants_have_keys),
        cmocka_unit_test(other_payloads_are_refused),
        cmocka_unit_test(no_damage_is_followed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
