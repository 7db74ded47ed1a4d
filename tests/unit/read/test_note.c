#include "support.h"

#include "read/read.h"

static void expect(const eti_buffer *dump, const char *clock) {
    eti_dump_note note;
    eti__dump_note_read(&note, dump->data, dump->size);
    assert_int_equal(note.is_present, clock != NULL);
    if (clock)
        assert_string_equal(note.clock, clock);
}

static void what_is_added_is_read(void **state) {
    (void)state;
    const char json[] = "{\"version\":1,\"clock\":\"cpu\",\"program_sha256\":\"0a\",\"more\":[1]}";
    eti_buffer dump = {0};
    eti_dump_note note;
    eti__buffer_add_string(&dump, "bytes of a dump");
    expect(&dump, NULL);
    assert_true(eti__dump_note_add(&dump, eti__text_of(json)));
    expect(&dump, "cpu");
    eti__dump_note_read(&note, dump.data, dump.size);
    assert_string_equal(note.program_sha256, "0a");
    assert_int_equal(note.json.size, strlen(json));
    eti__buffer_free(&dump);
}

static bool add_member(void *context, eti_text name, eti_text value) {
    eti__buffer_printf(context, "%.*s=%.*s;", ETI_TEXT_ARGS(name), ETI_TEXT_ARGS(value));
    if (!value.data)
        eti__buffer_add_string(context, "(null);");
    return !eti__text_is(name, "last");
}

static void members(void **state) {
    (void)state;
    eti_buffer dump = {0}, seen = {0};
    eti_dump_note note;
    assert_true(eti__dump_note_add(
        &dump,
        eti__text_of("{\"a\":\"x\\ty\", \"b\" : 25 ,\"c\":null,\"d\":[1, {\"e\":2}],\"last\":true,"
                     "\"more\":1}")));
    eti__dump_note_read(&note, dump.data, dump.size);
    assert_false(eti__dump_note_each(&note, add_member, &seen));
    eti__buffer_add_char(&seen, '\0');
    assert_string_equal(seen.data, "a=x\ty;b=25;c=;(null);d=[1, {\"e\":2}];last=true;");
    eti__buffer_free(&seen);
    eti__buffer_free(&dump);
}

/* Cuts the note at every length, and flips every bit: none is read beyond the bytes, and a damaged note has a reason or is
 * not recognized. */
static void damage(void **state) {
    (void)state;
    eti_buffer dump = {0};
    assert_true(eti__dump_note_add(&dump, eti__text_of("{\"clock\":\"cpu\"}")));
    for (size_t size = 0; size < dump.size; size++) {
        eti_dump_note note;
        char *copy = test_malloc(size + 1);
        memcpy(copy, dump.data, size);
        eti__dump_note_read(&note, copy, size);
        assert_false(note.is_present);
        assert_string_equal(note.fault, "");
        test_free(copy);
    }
    for (size_t bit = 0; bit < 8 * dump.size; bit++) {
        eti_dump_note note;
        dump.data[bit / 8] ^= (char)(1 << bit % 8);
        eti__dump_note_read(&note, dump.data, dump.size);
        bool is_magic = bit / 8 >= dump.size - 8,
             is_length = !is_magic && bit / 8 >= dump.size - 12;
        assert_true(!is_magic || (!note.is_present && !note.fault[0]));
        assert_true(!is_length || (!note.is_present && note.fault[0]));
        assert_false(note.is_present && note.fault[0]);
        dump.data[bit / 8] ^= (char)(1 << bit % 8);
    }
    eti__buffer_free(&dump);
}

static void clocks_of_several_dumps(void **state) {
    (void)state;
    eti_etdump dumps[3] = {{.file_name = "a"}, {.file_name = "b"}, {.file_name = "c"}};
    assert_null(eti__etdumps_clock(dumps, 3));
    assert_null(eti__etdumps_clock(dumps, 0));
    dumps[1].note = (eti_dump_note){.is_present = true, .clock = "wall"};
    assert_string_equal(eti__etdumps_clock(dumps, 3), "wall");
    dumps[2].note = (eti_dump_note){.is_present = true, .clock = "cpu"};
    assert_string_equal(eti__etdumps_clock(dumps, 3), "mixed");
    assert_string_equal(eti__etdumps_clock(dumps + 2, 1), "cpu");
    assert_string_equal(eti__clock_text("wall"), "elapsed time");
    assert_string_equal(eti__clock_text("cycles"), "cycles");
}

static void too_long(void **state) {
    (void)state;
    eti_buffer dump = {0};
    char *text = test_malloc(65537);
    memset(text, ' ', 65537);
    assert_false(eti__dump_note_add(&dump, (eti_text){text, 65537}));
    assert_int_equal(dump.size, 0);
    test_free(text);
    eti__buffer_free(&dump);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_added_is_read),
        cmocka_unit_test(members),
        cmocka_unit_test(damage),
        cmocka_unit_test(clocks_of_several_dumps),
        cmocka_unit_test(too_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
