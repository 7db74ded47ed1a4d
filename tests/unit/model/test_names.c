/* Names that are not UTF-8 are made readable. */
#include "model/names.h"

#include "inspector_fixture.h"

#define REPLACEMENT "\xef\xbf\xbd"

static void assert_text_is(eti_text text, const char *expected) {
    assert_int_equal(text.size, strlen(expected));
    assert_memory_equal(text.data, expected, text.size);
}

static void names_of_blocks_events_and_delegate_ids_are_repaired(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(
        &s,
        DUMP(b, RUN(b,
                    "Ex\xf0"
                    "cute",
                    TIMED(b, .name = "op\xff", .instruction_id = SOME(1)),
                    TIMED(b, .name = "", .instruction_id = SOME(2), .delegate_id_str = "\xc3"))),
        NULL);
    const eti_event_block *block = eti_inspector_block(s.inspector, 0);
    assert_text_is(eti_event_block_name(block), "Ex" REPLACEMENT "cute");
    assert_text_is(eti_event_name(eti_event_block_event(block, 0)), "op" REPLACEMENT);
    const eti_event *delegated = eti_event_block_event(block, 1);
    assert_text_is(eti_event_name(delegated), REPLACEMENT);
    assert_text_is(eti_event_delegate_debug_identifier(delegated).string_id, REPLACEMENT);
    close_session(&s);
}

/* Bytes are counted as Python's bytes.decode(errors="replace") counts them. */
static void each_run_of_bytes_that_is_no_character_becomes_one(void **state) {
    (void)state;
    static const struct {
        const char *found, *repaired;
    } cases[] = {
        {"\xf0\x9f\x98"
         "a",
         REPLACEMENT "a"},
        {"\xed\xa0\x80", REPLACEMENT REPLACEMENT REPLACEMENT},
        {"\xc3\xbc\xc3", "\xc3\xbc" REPLACEMENT},
        {"12345678\x80"
         "87654321",
         "12345678" REPLACEMENT "87654321"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        session s = {0};
        builder *b = &s.b;
        open_session(&s, DUMP(b, RUN(b, "r", TIMED(b, .name = cases[i].found))), NULL);
        assert_text_is(
            eti_event_name(eti_event_block_event(eti_inspector_block(s.inspector, 0), 0)),
            cases[i].repaired);
        close_session(&s);
    }
}

/* Runs are equal only if their bytes are. */
static void names_that_only_look_the_same_stay_apart(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(
        &s,
        DUMP(b, RUN(b, "r\xfe", TIMED(b, .name = "op")), RUN(b, "r\xff", TIMED(b, .name = "op"))),
        NULL);
    assert_int_equal(eti_inspector_block_count(s.inspector), 2);
    close_session(&s);
}

static void repaired_names_are_reported(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(&s, DUMP(b, RUN(b, "r", TIMED(b, .name = "op\xff"))), NULL);
    bool is_reported = false;
    for (size_t i = 0; i < eti_inspector_note_count(s.inspector); i++) {
        is_reported = is_reported ||
                      (eti_inspector_note_kind(s.inspector, i) == ETI_NOTE_WARNING &&
                       eti__text_contains(eti_inspector_note_text(s.inspector, i),
                                          eti__text_of("1 name in the ETDump is not valid UTF-8")));
    }
    assert_true(is_reported);
    close_session(&s);
}

static void overlapping_names_are_limited(void **state) {
    (void)state;
    char bytes[] = "\xff\xff\xff\xff";
    eti_event events[] = {{.name = {bytes, 4}}, {.name = {bytes, 4}}, {.name = {bytes + 1, 3}}};
    eti_event_block block = {.name = {"", 0}, .events = events, .n_events = 3};
    eti_blocks blocks = {.blocks = &block, .n_blocks = 1, .has_broken_names = true};
    eti_arena arena = {0};
    size_t n;
    eti_error err = ETI_ERROR_INIT;
    assert_fails(eti__names_repair(&blocks, &arena, 20, &n, &err), ETI_ERROR_LIMIT, "overlap");
    eti__arena_free(&arena);

    events[0].name = events[1].name = (eti_text){bytes, 4};
    events[2].name = (eti_text){bytes + 1, 3};
    assert_ok(eti__names_repair(&blocks, &arena, 21, &n, &err));
    assert_int_equal(n, 2); /* the first two are the same name */
    assert_ptr_equal(events[0].name.data, events[1].name.data);
    eti__arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_of_blocks_events_and_delegate_ids_are_repaired),
        cmocka_unit_test(each_run_of_bytes_that_is_no_character_becomes_one),
        cmocka_unit_test(names_that_only_look_the_same_stay_apart),
        cmocka_unit_test(repaired_names_are_reported),
        cmocka_unit_test(overlapping_names_are_limited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
