/* The expected texts were written by hand, with escapes as in RFC 8259, section 7. */
#include "base/json_writer.h"
#include "base/text.h"
#include "locale_fixture.h"

#include <math.h>

static const eti_json_style styles[] = {ETI_JSON_SPACED, ETI_JSON_COMPACT};

/* ---- strings and numbers --------------------------------------------------------------------- */

static void assert_string(eti_text text, const char *expected) {
    eti_buffer out = {0};
    eti__json_add_string(&out, text);
    assert_text(eti__buffer_text(&out), expected);
    eti__buffer_free(&out);
}

#define ASSERT_STRING(literal, expected)                                                           \
    assert_string((eti_text){literal, sizeof(literal) - 1}, expected)

static void strings_are_escaped(void **state) {
    (void)state;
    assert_string((eti_text){NULL, 0}, "null");
    ASSERT_STRING("", "\"\"");
    ASSERT_STRING("plain /", "\"plain /\"");
    ASSERT_STRING("\"\\\b\f\n\r\t", "\"\\\"\\\\\\b\\f\\n\\r\\t\"");
    ASSERT_STRING("a\0\x01\x1f", "\"a\\u0000\\u0001\\u001f\"");
    ASSERT_STRING("\x7f\xc2\x85", "\"\\u007f\\u0085\"");
    /* reverses text; ends a line */
    ASSERT_STRING("\xe2\x80\xae\xe2\x80\xa8", "\"\\u202e\\u2028\"");
    ASSERT_STRING("#12 ##vso[a]###[b", "\"#12 \\u0023#vso[a]#\\u0023#[b\"");
    ASSERT_STRING("é中\xf0\x9f\x98\x80", "\"é中\xf0\x9f\x98\x80\"");
    ASSERT_STRING("plain, then \" and plain", "\"plain, then \\\" and plain\"");
}

static void other_bytes_are_replaced(void **state) {
    (void)state;
    /* a stray byte, a cut character, an overlong one, a surrogate */
    ASSERT_STRING("a\xff", "\"a\xef\xbf\xbd\"");
    ASSERT_STRING("\xe4\xb8", "\"\xef\xbf\xbd\"");
    ASSERT_STRING("\xc0\xaf", "\"\xef\xbf\xbd\xef\xbf\xbd\"");
    ASSERT_STRING("\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
}

static void keys_are_escaped(void **state) {
    (void)state;
    eti_buffer out = {0};
    eti_json_writer json = eti__json_writer(&out, ETI_JSON_SPACED);
    eti__json_add_key(&json, "a\"b");
    eti__json_add_null(&json);
    eti__json_add_key_text(&json, (eti_text){"c\0d", 3});
    eti__json_add_null(&json);
    assert_text(eti__buffer_text(&out), "\"a\\\"b\": null, \"c\\u0000d\": null");
    eti__buffer_free(&out);
}

/* Adds values of each kind. */
static void add_values(eti_json_writer *json) {
    eti__json_add_text(json, eti__text_of("a"));
    eti__json_add_text(json, eti__text_of(NULL));
    eti__json_add_u64(json, 0);
    eti__json_add_u64(json, UINT64_MAX);
    eti__json_add_i64(json, INT64_MIN);
    eti__json_add_i64(json, INT64_MAX);
    eti__json_add_bool(json, true);
    eti__json_add_bool(json, false);
    eti__json_add_null(json);
    eti__json_add_raw(json, eti__text_of("{}"));
}

static void values_of_each_kind(void **state) {
    (void)state;
    eti_buffer out = {0};
    eti_json_writer json = eti__json_writer(&out, ETI_JSON_COMPACT);
    add_values(&json);
    assert_text(eti__buffer_text(&out), "\"a\",null,0,18446744073709551615,-9223372036854775808,"
                                        "9223372036854775807,true,false,null,{}");
    eti__buffer_free(&out);
}

static void assert_double(double value, const char *expected) {
    eti_buffer out = {0}, number = {0};
    eti_json_writer json = eti__json_writer(&out, ETI_JSON_SPACED);
    eti__json_add_double(&json, value);
    eti__json_add_number(&number, value);
    assert_text(eti__buffer_text(&out), expected);
    assert_text(eti__buffer_text(&number), expected);
    eti__buffer_free(&out);
    eti__buffer_free(&number);
}

static void doubles_are_exact_or_strings(void **state) {
    (void)state;
    assert_double(0.1, "0.1");
    assert_double(0.1 + 0.2, "0.30000000000000004");
    assert_double(-0.0, "-0.0");
    assert_double(12, "12.0");
    assert_double(5e-324, "5e-324");
    assert_double(1e22, "1e+22");
    assert_double((double)NAN, "\"NaN\"");
    assert_double(-(double)NAN, "\"NaN\"");
    assert_double((double)INFINITY, "\"Infinity\"");
    assert_double(-(double)INFINITY, "\"-Infinity\"");
}

static void a_decimal_comma_changes_nothing(void **state) {
    enter_comma_locale();
    doubles_are_exact_or_strings(state);
    values_of_each_kind(state);
}

/* ---- levels ---------------------------------------------------------------------------------- */

/* Adds an object with an empty object, an empty array, and arrays in an array. */
static void add_nested(eti_json_writer *json) {
    eti__json_open_object(json);
    eti__json_add_member(json, "a", eti__text_of("x"));
    eti__json_add_key(json, "b");
    eti__json_open_object(json);
    eti__json_close_level(json);
    eti__json_add_key(json, "c");
    eti__json_open_array(json);
    eti__json_close_level(json);
    eti__json_add_key(json, "d");
    eti__json_open_array(json);
    for (uint64_t i = 0; i < 2; i++) {
        eti__json_open_array(json);
        eti__json_add_u64(json, i);
        eti__json_add_u64(json, i + 1);
        eti__json_close_level(json);
    }
    eti__json_close_level(json);
    eti__json_add_u64_member(json, "e", 5);
    eti__json_close_level(json);
}

static void each_style_has_its_blanks(void **state) {
    (void)state;
    static const char *const expected[] = {
        "{\"a\": \"x\", \"b\": {}, \"c\": [], \"d\": [[0, 1], [1, 2]], \"e\": 5}",
        "{\"a\":\"x\",\"b\":{},\"c\":[],\"d\":[[0,1],[1,2]],\"e\":5}"};
    for (size_t i = 0; i < COUNT_OF(styles); i++) {
        eti_buffer out = {0};
        eti_json_writer json = eti__json_writer(&out, styles[i]);
        add_nested(&json);
        assert_text(eti__buffer_text(&out), expected[i]);
        assert_int_equal(json.n_open, 0);
        eti__buffer_free(&out);
    }
}

/* Arrays in a compact array are compact, too; behind it the document is spaced again. */
static void compact_arrays_in_a_spaced_document(void **state) {
    (void)state;
    eti_buffer out = {0};
    eti_json_writer json = eti__json_writer(&out, ETI_JSON_SPACED);
    eti__json_open_object(&json);
    eti__json_add_key(&json, "columns");
    eti__json_open_compact_array(&json);
    eti__json_add_u64(&json, 1);
    eti__json_open_array(&json);
    eti__json_add_u64(&json, 2);
    eti__json_add_u64(&json, 3);
    eti__json_close_level(&json);
    eti__json_close_level(&json);
    eti__json_add_u64_member(&json, "n", 2);
    eti__json_close_level(&json);
    assert_text(eti__buffer_text(&out), "{\"columns\": [1,[2,3]], \"n\": 2}");
    eti__buffer_free(&out);
}

/* Opens arrays and objects in turn, each behind a value; returns their text, which the caller frees. */
static eti_buffer nest(size_t n, eti_json_style style) {
    eti_buffer out = {0};
    eti_json_writer json = eti__json_writer(&out, style);
    for (size_t i = 0; i < n; i++) {
        if (i % 2 == 0) {
            eti__json_open_array(&json);
            eti__json_add_u64(&json, i);
        } else {
            eti__json_open_object(&json);
            eti__json_add_u64_member(&json, "n", i);
            eti__json_add_key(&json, "in");
        }
    }
    if (n % 2 == 0)
        eti__json_add_null(&json);
    for (size_t i = 0; i < n; i++)
        eti__json_close_level(&json);
    return out;
}

static void all_levels_can_be_open(void **state) {
    (void)state;
    for (size_t k = 0; k < COUNT_OF(styles); k++) {
        const char *comma = styles[k] == ETI_JSON_SPACED ? ", " : ",";
        const char *colon = styles[k] == ETI_JSON_SPACED ? ": " : ":";
        eti_buffer expected = {0}, out = nest(ETI_MOST_JSON_BRACKETS, styles[k]);
        for (size_t i = 0; i < ETI_MOST_JSON_BRACKETS; i++) {
            if (i % 2 == 0)
                eti__buffer_printf(&expected, "[%zu", i);
            else
                eti__buffer_printf(&expected, "%s{\"n\"%s%zu%s\"in\"%s", comma, colon, i, comma,
                                   colon);
        }
        for (size_t i = ETI_MOST_JSON_BRACKETS; i-- > 0;)
            eti__buffer_add_char(&expected, i % 2 == 0 ? ']' : '}');
        eti__buffer_add_char(&expected, '\0');
        assert_false(out.failed);
        assert_text(eti__buffer_text(&out), expected.data);
        eti__buffer_free(&expected);
        eti__buffer_free(&out);
    }
}

static void deeper_levels_fail(void **state) {
    (void)state;
    for (size_t n = ETI_MOST_JSON_BRACKETS + 1; n < ETI_MOST_JSON_BRACKETS + 4; n++) {
        eti_buffer out = nest(n, ETI_JSON_SPACED);
        assert_true(out.failed);
        eti__buffer_free(&out);
    }
}

static void closing_too_often_fails(void **state) {
    (void)state;
    eti_buffer out = {0};
    eti_json_writer json = eti__json_writer(&out, ETI_JSON_SPACED);
    eti__json_open_array(&json);
    eti__json_close_level(&json);
    assert_false(out.failed);
    eti__json_close_level(&json);
    assert_true(out.failed);
    eti__buffer_free(&out);
}

/* ---- lines ----------------------------------------------------------------------------------- */

static void lines_begin_where_they_are_asked_for(void **state) {
    (void)state;
    static const char *const expected[] = {"{\n\"a\": [\n  1,\n  2, 3\n],\n\"b\": null}",
                                           "{\n\"a\":[\n  1,\n  2,3\n],\n\"b\":null}"};
    for (size_t i = 0; i < COUNT_OF(styles); i++) {
        eti_buffer out = {0};
        eti_json_writer json = eti__json_writer(&out, styles[i]);
        eti__json_open_object(&json);
        eti__json_add_line(&json, 0);
        eti__json_add_key(&json, "a");
        eti__json_open_array(&json);
        eti__json_add_line(&json, 2);
        eti__json_add_u64(&json, 1);
        eti__json_add_line(&json, 2);
        eti__json_add_u64(&json, 2);
        eti__json_add_u64(&json, 3);
        eti__json_add_line(&json, 0);
        eti__json_close_level(&json);
        eti__json_add_line(&json, 0);
        eti__json_add_key(&json, "b");
        eti__json_add_null(&json);
        eti__json_close_level(&json);
        assert_text(eti__buffer_text(&out), expected[i]);
        eti__buffer_free(&out);
    }
}

/* ---- parts ----------------------------------------------------------------------------------- */

/* The caller may empty the buffer between two calls: the writer knows that values came before. */
static void an_emptied_buffer_continues(void **state) {
    (void)state;
    eti_buffer out = {0};
    eti_json_writer json = eti__json_writer(&out, ETI_JSON_SPACED);
    eti__json_open_array(&json);
    eti__json_add_u64(&json, 1);
    assert_text(eti__buffer_text(&out), "[1");
    out.size = 0;
    eti__json_add_u64(&json, 2);
    eti__json_close_level(&json);
    assert_text(eti__buffer_text(&out), ", 2]");
    eti__buffer_free(&out);
}

/* Members made elsewhere are added as they are; a part without members leaves no comma. */
static void parts_are_added_as_they_are(void **state) {
    (void)state;
    eti_buffer part = {0}, out = {0};
    eti_json_writer members = eti__json_writer(&part, ETI_JSON_COMPACT);
    eti__json_add_u64_member(&members, "a", 1);
    eti__json_add_u64_member(&members, "b", 2);
    assert_text(eti__buffer_text(&part), "\"a\":1,\"b\":2");
    eti_json_writer json = eti__json_writer(&out, ETI_JSON_COMPACT);
    eti__json_open_object(&json);
    eti__json_add_raw(&json, (eti_text){NULL, 0});
    eti__json_add_raw(&json, eti__buffer_text(&part));
    eti__json_add_raw(&json, (eti_text){"", 0});
    eti__json_add_u64_member(&json, "c", 3);
    eti__json_close_level(&json);
    assert_text(eti__buffer_text(&out), "{\"a\":1,\"b\":2,\"c\":3}");
    eti__buffer_free(&part);
    eti__buffer_free(&out);
}

static void a_caller_may_append_a_value_itself(void **state) {
    (void)state;
    eti_buffer out = {0};
    eti_json_writer json = eti__json_writer(&out, ETI_JSON_SPACED);
    eti__json_open_object(&json);
    for (size_t i = 0; i < 2; i++) {
        eti__json_add_key(&json, i == 0 ? "a" : "b");
        eti__json_begin_value(&json);
        eti__buffer_add_string(&out, "1.50");
    }
    eti__json_close_level(&json);
    assert_text(eti__buffer_text(&out), "{\"a\": 1.50, \"b\": 1.50}");
    eti__buffer_free(&out);
}

/* A member without a value is taken back with the copy of the writer that was made before it. */
static void a_copy_continues_where_it_was_made(void **state) {
    (void)state;
    eti_buffer out = {0};
    eti_json_writer json = eti__json_writer(&out, ETI_JSON_SPACED);
    eti__json_open_object(&json);
    const eti_json_writer before = json;
    size_t size = out.size;
    eti__json_add_line(&json, 0);
    eti__json_add_key(&json, "nothing");
    json = before;
    out.size = size;
    eti__json_add_u64_member(&json, "a", 1);
    eti__json_close_level(&json);
    assert_text(eti__buffer_text(&out), "{\"a\": 1}");
    eti__buffer_free(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strings_are_escaped),
        cmocka_unit_test(other_bytes_are_replaced),
        cmocka_unit_test(keys_are_escaped),
        cmocka_unit_test(values_of_each_kind),
        cmocka_unit_test(doubles_are_exact_or_strings),
        cmocka_unit_test_teardown(a_decimal_comma_changes_nothing, leave_comma_locale),
        cmocka_unit_test(each_style_has_its_blanks),
        cmocka_unit_test(compact_arrays_in_a_spaced_document),
        cmocka_unit_test(all_levels_can_be_open),
        cmocka_unit_test(deeper_levels_fail),
        cmocka_unit_test(closing_too_often_fails),
        cmocka_unit_test(lines_begin_where_they_are_asked_for),
        cmocka_unit_test(an_emptied_buffer_continues),
        cmocka_unit_test(parts_are_added_as_they_are),
        cmocka_unit_test(a_caller_may_append_a_value_itself),
        cmocka_unit_test(a_copy_continues_where_it_was_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
