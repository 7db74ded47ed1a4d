/* Each payload is read once, and each one that cannot be read is counted once. */
#include "payload_builder.h"
#include "support.h"

#include "places/payloads.h"

static const eti_xnnpack *find(eti_payloads *payloads, const char *backend, eti_text bytes) {
    const eti_xnnpack *found;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__payloads_find(payloads, eti__text_of(backend), bytes, &found, &err));
    return found;
}

static void each_is_read_once(void **state) {
    (void)state;
    const payload_node nodes[] = {XNODE(TANH, 7), XNODE(ADD, 8)};
    eti_arena arena = {0};
    eti_payloads payloads = {.arena = &arena};
    builder b = {0};
    finish_payload(&b, nodes, COUNT_OF(nodes));
    const eti_text bytes = {(const char *)b.file.data, b.file.size};
    const eti_xnnpack *graph = find(&payloads, "XnnpackBackend", bytes);
    assert_non_null(graph);
    const eti_xnnpack_node *read = graph->nodes;
    assert_int_equal(graph->n_nodes, 2);
    assert_int_equal(read[1].kind, ETI_XNNPACK_ADD);
    assert_int_equal(read[1].debug_handle, 8);
    assert_ptr_equal(find(&payloads, "XnnpackBackend", bytes)->nodes, read);
    assert_int_equal(payloads.n_damaged + payloads.n_foreign, 0);
    eti__payloads_free(&payloads);
    eti__arena_free(&arena);
    builder_free(&b);
}

static void unreadable_tensors_are_counted(void **state) {
    (void)state;
    static const char text[] = "this is the payload of no delegate";
    eti_arena arena = {0};
    eti_payloads payloads = {.arena = &arena};
    for (int i = 0; i < 2; i++) {
        assert_null(find(&payloads, "XnnpackBackend", (eti_text){text, 20}));
        assert_null(find(&payloads, "XnnpackBackend", (eti_text){text, 10}));
        assert_null(find(&payloads, "OtherBackend", (eti_text){text + 1, 10}));
    }
    assert_int_equal(payloads.n_damaged, 2);
    assert_int_equal(payloads.n_foreign, 1);
    assert_text(payloads.backend, "OtherBackend");
    assert_non_null(strstr(payloads.damage.message, "not a payload of XNNPACK"));
    eti__payloads_free(&payloads);
    eti__arena_free(&arena);
}

/* The first failure gives the reason. */
static void the_first_damage_is_kept(void **state) {
    (void)state;
    static const char cut[] = "\0\0\0\0XH00\36\0\0", text[] = "no payload";
    eti_arena arena = {0};
    eti_payloads payloads = {.arena = &arena};
    assert_null(find(&payloads, "XnnpackBackend", (eti_text){cut, 11}));
    assert_null(find(&payloads, "XnnpackBackend", (eti_text){text, 10}));
    assert_int_equal(payloads.n_damaged, 2);
    assert_non_null(strstr(payloads.damage.message, "11 bytes, too few for its header"));
    eti__payloads_free(&payloads);
    eti__arena_free(&arena);
}

static void only_one_backend_is_readable(void **state) {
    (void)state;
    assert_true(eti__is_xnnpack(eti__text_of("XnnpackBackend")));
    assert_false(eti__is_xnnpack(eti__text_of("XnnpackBackend2")));
    assert_false(eti__is_xnnpack(eti__text_of("Xnnpack")));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_is_read_once),
        cmocka_unit_test(unreadable_tensors_are_counted),
        cmocka_unit_test(the_first_damage_is_kept),
        cmocka_unit_test(only_one_backend_is_readable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
