#include "table_text.h"

#include "table/cell_text.h"

#include <math.h>

static void assert_text(eti_cell cell, const char *expected) {
    eti_number_text number = {.size = 0};
    eti_text text = eti__cell_text(&cell, &number);
    assert_non_null(text.data);
    assert_true(eti__text_is(text, expected));
}

static void test_every_kind(void **state) {
    (void)state;
    assert_text((eti_cell)NO_CELL, "");
    assert_text((eti_cell)NAN_CELL, "");
    assert_text((eti_cell)BOOL(true), "True");
    assert_text((eti_cell)BOOL(false), "False");
    assert_text((eti_cell)DOUBLE(12), "12.0");
    assert_text((eti_cell)DOUBLE(NAN), "");
    assert_text((eti_cell)DOUBLE(-INFINITY), "-inf");
    assert_text((eti_cell)TEXT(" text "), " text ");
    assert_text((eti_cell)LIST("[5, 5]"), "[5, 5]");
    assert_text((eti_cell){.kind = ETI_CELL_TEXT}, "");
}

static void test_integers(void **state) {
    (void)state;
    assert_text((eti_cell)INT(0), "0");
    assert_text((eti_cell)INT(-10), "-10");
    assert_text((eti_cell)INT(INT64_MAX), "9223372036854775807");
    assert_text((eti_cell)INT(INT64_MIN), "-9223372036854775808");
}

static void test_nan(void **state) {
    (void)state;
    assert_true(eti__cell_is_nan(&(eti_cell)NAN_CELL));
    assert_true(eti__cell_is_nan(&(eti_cell)DOUBLE(NAN)));
    assert_false(eti__cell_is_nan(&(eti_cell)DOUBLE(INFINITY)));
    assert_false(eti__cell_is_nan(&(eti_cell)NO_CELL));
    assert_false(eti__cell_is_nan(&(eti_cell)TEXT("nan")));
}

static void test_json(void **state) {
    (void)state;
    const eti_text listed[] = {{"a", 1}, {"b", 1}};
    eti_cell text_of_list = LIST("['a' ... (2 total)");
    text_of_list.items = listed;
    text_of_list.n_items = 2;
    const struct {
        eti_cell cell;
        const char *expected;
    } examples[] = {
        {NO_CELL, "null"},
        {NAN_CELL, "null"},
        {BOOL(true), "true"},
        {BOOL(false), "false"},
        {INT(INT64_MIN), "-9223372036854775808"},
        {INT(INT64_MAX), "9223372036854775807"},
        {DOUBLE(0.1), "0.1"},
        {DOUBLE(-0.0), "-0.0"},
        {DOUBLE(5e-324), "5e-324"},
        {DOUBLE(1e22), "1e+22"},
        {DOUBLE(0.1 + 0.2), "0.30000000000000004"},
        {DOUBLE(NAN), "null"},
        {DOUBLE(INFINITY), "null"},
        {TEXT("a\"b"), "\"a\\\"b\""},
        {LIST("[1, 2]"), "\"[1, 2]\""},
        {text_of_list, "[\"a\", \"b\"]"},
        {DOUBLES(1.5, NAN, 2), "[1.5, null, 2.0]"},
        {UINTS(0, UINT64_MAX), "[0, 18446744073709551615]"},
        {INTS(-1, INT64_MIN), "[-1, -9223372036854775808]"},
        {TEXTS({"a", 1}, {"\n", 1}, {NULL, 0}), "[\"a\", \"\\n\", null]"},
        {{.kind = ETI_CELL_TEXTS}, "[]"},
    };
    for (size_t i = 0; i < COUNT(examples); i++) {
        eti_buffer out = {0};
        eti__cell_add_json(&out, &examples[i].cell);
        assert_true(eti__text_is(eti__buffer_text(&out), examples[i].expected));
        eti__buffer_free(&out);
    }
}

/* In a compact array, too, lists have blanks: they are values of the table. */
static void test_json_values(void **state) {
    (void)state;
    const eti_cell values[] = {INT(1), DOUBLES(1, 2), NO_CELL};
    eti_buffer out = {0};
    eti_json_writer json = eti__json_writer(&out, ETI_JSON_COMPACT);
    eti__json_open_array(&json);
    for (size_t i = 0; i < COUNT(values); i++)
        eti__json_add_cell(&json, &values[i]);
    eti__json_close_level(&json);
    assert_true(eti__text_is(eti__buffer_text(&out), "[1,[1.0, 2.0],null]"));
    eti__buffer_free(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_kind),  cmocka_unit_test(test_integers),
        cmocka_unit_test(test_nan),         cmocka_unit_test(test_json),
        cmocka_unit_test(test_json_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
