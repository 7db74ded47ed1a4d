/* Uses the delegate_map of a record only if it holds debug handles, and only for identifiers that are its keys. */
#include "record_builder.h"
#include "support.h"

#include "base/text.h"
#include "inside/inside.h"

typedef struct session {
    record_builder builder;
    eti_arena arena;
    eti_etrecord *record;
    eti_recorded_nodes recorded;
} session;

static void open_record(session *s, const char *handles, const char *delegates) {
    eti_error err = ETI_ERROR_INIT;
    *s = (session){.record = NULL};
    make_record(&s->builder, &(record_spec){.handles = handles, .delegates = delegates});
    assert_ok(eti__etrecord_open(&s->record, &s->arena, &s->builder.file, &err));
}

static void close_record(session *s) {
    eti__recorded_nodes_free(&s->recorded);
    eti__etrecord_close(s->record);
    eti__arena_free(&s->arena);
    free_record(&s->builder);
}

static const eti_delegate_call *map_of(session *s, int32_t instruction) {
    const eti_delegate_call *map;
    assert_true(eti__recorded_map_find(&s->recorded, s->record, 0, instruction, &map));
    return map;
}

/* Checks the first handle for an identifier and how it was found, such as "recorded 7". */
static void check(session *s, const char *identifier, bool is_string, const char *expected) {
    const eti_event event = {
        .name = eti__text_of(identifier),
        .delegate_id_kind = (uint8_t)(is_string ? ETI_DELEGATE_ID_STRING : ETI_DELEGATE_ID_INT)};
    const eti_delegate_call *map = map_of(s, 0);
    eti_attribution attribution;
    eti_buffer text = {0};
    assert_non_null(map);
    const eti_delegate_entry *entry =
        eti__recorded_entry_find(&s->recorded, map, &event, &attribution);
    if (entry) {
        eti__buffer_add_text(&text, eti__attribution_name((uint8_t)attribution));
        eti__buffer_printf(&text, " %d", (int)entry->handles.handles[0]);
    }
    assert_text(eti__buffer_text(&text), expected);
    eti__buffer_free(&text);
}

static void keys_are_recorded(void **state) {
    (void)state;
    session s;
    open_record(&s, "{\"0\": [1, 2, 3, 4]}",
                "{\"0\": {\"name\": \"MyBackend\", \"delegate_map\": "
                "{\"12\": [1], \"1\": [2], \"mul\": [3], \"empty\": []}}}");
    check(&s, "mul", true, "recorded 3");
    check(&s, "12", false, "recorded 1");
    check(&s, "1", false, "recorded 2");
    check(&s, "empty", true, "");
    check(&s, "121", false, "");
    close_record(&s);
}

static void parts_of_identifiers_are_inferred(void **state) {
    (void)state;
    session s;
    open_record(&s, "{\"0\": [1, 2, 3]}",
                "{\"0\": {\"name\": \"MyBackend\", \"delegate_map\": "
                "{\"1\": [1], \"mul\": [2], \"add\": [3]}}}");
    check(&s, "mul_1", true, "inferred 2"); /* a number is no part */
    check(&s, "addmul", true, "");          /* two keys */
    check(&s, "sub_1", true, "");
    check(&s, "mul_1", false, "");
    close_record(&s);
}

static void maps_with_other_numbers_are_not_used(void **state) {
    (void)state;
    session s;
    open_record(&s, "{\"0\": [1, 2], \"1\": [3]}",
                "{\"0\": {\"name\": \"MyBackend\", \"delegate_map\": {\"0\": [1], \"1\": [3]}}, "
                "\"1\": {\"name\": \"VulkanBackend\", \"delegate_map\": {\"0\": [3]}}, "
                "\"2\": {\"name\": \"MyBackend\", \"delegate_map\": {\"0\": [3]}}}");
    assert_null(map_of(&s, 0));
    assert_null(map_of(&s, 0));
    assert_null(map_of(&s, 1)); /* whatever its numbers */
    assert_null(map_of(&s, 2)); /* no handles are listed */
    assert_null(map_of(&s, 3)); /* no map */
    const eti_delegate_call *map;
    assert_true(eti__recorded_map_find(&s.recorded, s.record, ETI_NO_METHOD, 0, &map));
    assert_null(map);
    assert_int_equal(s.recorded.maps.count, 3);
    assert_false(s.recorded.maps.items[0].is_used);
    close_record(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_are_recorded),
        cmocka_unit_test(parts_of_identifiers_are_inferred),
        cmocka_unit_test(maps_with_other_numbers_are_not_used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
