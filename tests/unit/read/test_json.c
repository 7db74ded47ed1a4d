#include "support.h"

#include "base/status.h"
#include "base/text.h"
#include "read/json.h"
#include "read/read.h"

/* Supplies `step` bytes at a time, so that every token is cut at every place. */
typedef struct piece_source {
    const char *text;
    size_t left;
    size_t step;
    bool fails_at_end;
} piece_source;

static eti_status read_piece(void *context, void *buffer, size_t size, size_t *n, eti_error *err) {
    piece_source *source = context;
    *n = source->step < size ? source->step : size;
    if (*n > source->left)
        *n = source->left;
    if (*n == 0 && source->fails_at_end)
        return eti_fail(err, ETI_ERROR_READ, "the disk is gone");
    memcpy(buffer, source->text, *n);
    source->text += *n;
    source->left -= *n;
    return ETI_OK;
}

static eti_json_source pieces_of(piece_source *source) {
    return (eti_json_source){read_piece, source};
}

static eti_status skip_text(const char *text, eti_error *err) {
    eti_json json;
    eti__json_open_text(&json, eti__text_of(text));
    eti__json_skip(&json);
    return eti__json_close(&json, err);
}

static eti_status skip_pieces(const char *text, size_t step, eti_error *err) {
    piece_source source = {text, strlen(text), step, false};
    eti_json json;
    eti__json_open_stream(&json, pieces_of(&source));
    eti__json_skip(&json);
    return eti__json_close(&json, err);
}

/* ---- whole documents ------------------------------------------------------------------------- */

static void valid_documents_are_passed_over(void **state) {
    (void)state;
    static const char *const documents[] = {
        "null",
        "true",
        " false \r\n\t",
        "0",
        "-0",
        "-12.5e+3",
        "1E9",
        "123456789012345678901234567890",
        "NaN",
        "[Infinity, -Infinity]",
        "\"\"",
        "{}",
        "[]",
        "[[], {}, [[]]]",
        "{\"a\": [1, 2, {\"b\": null}], \"a\" : \"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\"}",
        "\"\\ud83d\\ude00 \\ud800 \\udc00 \\ud800\\u0041 \xc3\xa9 \xf0\x9f\x98\x80 \x7f\"",
    };
    eti_error err = ETI_ERROR_INIT;
    for (size_t i = 0; i < COUNT_OF(documents); i++) {
        assert_ok(skip_text(documents[i], &err));
        assert_ok(skip_pieces(documents[i], 1, &err));
        assert_ok(skip_pieces(documents[i], 7, &err));
    }
}

typedef struct bad_document {
    const char *text;
    const char *message;
} bad_document;

static const bad_document bad_documents[] = {
    {"", "byte 0: expected a value, found the end"},
    {"  ", "byte 2: expected a value, found the end"},
    {"{", "byte 1: expected a key in double quotes, found the end"},
    {"[", "byte 1: expected a value, found the end"},
    {"[1", "byte 2: expected ',' or ']', found the end"},
    {"[1,]", "byte 3: expected a value, found ']'"},
    {"[1 2]", "byte 3: expected ',' or ']', found '2'"},
    {"[1}", "byte 2: expected ',' or ']', found '}'"},
    {"{\"a\"}", "byte 4: expected ':', found '}'"},
    {"{\"a\" 1}", "byte 5: expected ':', found '1'"},
    {"{\"a\":1,}", "byte 7: expected a key in double quotes, found '}'"},
    {"{\"a\":1 \"b\":2}", "byte 7: expected ',' or '}', found '\"'"},
    {"{a:1}", "byte 1: expected a key in double quotes, found 'a'"},
    {"{\"a\":}", "byte 5: expected a value, found '}'"},
    {"1 2", "byte 2: expected nothing after the value, found '2'"},
    {"{}]", "byte 2: expected nothing after the value, found ']'"},
    {"tru", "byte 0: expected true"},
    {"nul ", "byte 0: expected null"},
    {"Inf", "byte 0: expected Infinity"},
    {"-NaN", "byte 1: expected a digit, found 'N'"},
    {"01", "byte 1: expected nothing after the value, found '1'"},
    {"-", "byte 1: expected a digit, found the end"},
    {"1.", "byte 2: expected a digit, found the end"},
    {"1e+", "byte 3: expected a digit, found the end"},
    {"+1", "byte 0: expected a value, found '+'"},
    {"\"abc", "byte 4: expected the closing quote of a string, found the end"},
    {"\"a\nb\"", "byte 2: expected the closing quote of a string, found the byte 0x0a"},
    {"\"\\x\"", "byte 2: expected one of \"\\/bfnrtu after a backslash, found 'x'"},
    {"\"\\", "byte 2: expected one of \"\\/bfnrtu after a backslash, found the end"},
    {"\"\\u12g4\"", "byte 1: expected four hexadecimal digits after \\u"},
    {"\"\\u12", "byte 1: expected four hexadecimal digits after \\u"},
    {"\"a\xff\"", "byte 2: expected UTF-8, found the byte 0xff"},
    {"\"\xc3\"", "byte 1: expected UTF-8, found the byte 0xc3"},
    {"\"\xed\xa0\x80\"", "byte 1: expected UTF-8, found the byte 0xed"},
    {"'a'", "byte 0: expected a value, found '''"},
    {"\xef\xbb\xbf{}", "byte 0: expected a value, found the byte 0xef"},
};

static void invalid_documents_are_refused_at_their_byte(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    for (size_t i = 0; i < COUNT_OF(bad_documents); i++) {
        const bad_document *bad = &bad_documents[i];
        assert_fails(skip_text(bad->text, &err), ETI_ERROR_MALFORMED, bad->message);
        assert_fails(skip_pieces(bad->text, 1, &err), ETI_ERROR_MALFORMED, bad->message);
    }
}

static eti_status skip_bytes(eti_text bytes, eti_error *err) {
    eti_json json;
    eti__json_open_text(&json, bytes);
    eti__json_skip(&json);
    return eti__json_close(&json, err);
}

/* NUL is a byte like any other, not the end. */
static void a_nul_is_no_end(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    assert_fails(skip_bytes((eti_text){"\0", 1}, &err), ETI_ERROR_MALFORMED,
                 "byte 0: expected a value, found the byte 0x00");
    assert_fails(skip_bytes((eti_text){"{}\0", 3}, &err), ETI_ERROR_MALFORMED,
                 "byte 2: expected nothing after the value, found the byte 0x00");
    assert_fails(skip_bytes((eti_text){"[1\0]", 4}, &err), ETI_ERROR_MALFORMED,
                 "byte 2: expected ',' or ']', found the byte 0x00");
    assert_fails(skip_bytes((eti_text){"\"a\0\"", 4}, &err), ETI_ERROR_MALFORMED,
                 "byte 2: expected the closing quote of a string, found the byte 0x00");
}

static void nesting_is_limited(void **state) {
    (void)state;
    char text[2 * ETI_JSON_MAX_DEPTH + 3];
    memset(text, '[', ETI_JSON_MAX_DEPTH);
    memset(text + ETI_JSON_MAX_DEPTH, ']', ETI_JSON_MAX_DEPTH);
    text[(size_t)2 * ETI_JSON_MAX_DEPTH] = '\0';
    eti_error err = ETI_ERROR_INIT;
    assert_ok(skip_text(text, &err));
    memset(text, '[', sizeof text);
    text[sizeof text - 1] = '\0';
    assert_fails(skip_text(text, &err), ETI_ERROR_LIMIT, "byte 256: nested deeper than 256 levels");
}

static void a_long_text_is_not_kept(void **state) {
    (void)state;
    const size_t size = 300000;
    char *text = malloc(size + 1);
    assert_non_null(text);
    memset(text, 'x', size);
    text[0] = text[size - 1] = '"';
    text[size] = '\0';
    text[size / 2] = '\\';
    text[size / 2 + 1] = 'n';
    eti_error err = ETI_ERROR_INIT;
    assert_ok(skip_text(text, &err));
    assert_ok(skip_pieces(text, 65536, &err));

    piece_source source = {text, size, 1000, false};
    eti_json json;
    eti_text value;
    eti__json_open_stream(&json, pieces_of(&source));
    assert_true(eti__json_read_string(&json, &value));
    assert_int_equal(value.size, size - 3);
    assert_int_equal(value.data[size / 2 - 1], '\n');
    assert_ok(eti__json_close(&json, &err));
    free(text);
}

/* ---- values ---------------------------------------------------------------------------------- */

static void strings_are_decoded(void **state) {
    (void)state;
    static const struct {
        const char *json, *text;
    } cases[] = {
        {"\"\"", ""},
        {"\"plain text\"", "plain text"},
        {"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\b\f\n\r\t"},
        {"\"a\\u00e9b\\u20ac\\u0041\"", "a\xc3\xa9"
                                        "b\xe2\x82\xac"
                                        "A"},
        {"\"\\ud83d\\ude00\\uD83D\\uDE00\"", "\xf0\x9f\x98\x80\xf0\x9f\x98\x80"},
        {"\"\\ud800x\\udc00\\ud800\\u0042\"", "\xef\xbf\xbdx\xef\xbf\xbd\xef\xbf\xbd"
                                              "B"},
        /* the first and the last surrogate of each kind, and their neighbours */
        {"\"\\ud800\\udc00\\udbff\\udfff\"", "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf"},
        {"\"\\ud7ff\\ue000\"", "\xed\x9f\xbf\xee\x80\x80"},
        {"\"\\ud7ff\\udc00\"", "\xed\x9f\xbf\xef\xbf\xbd"},
        {"\"\\ud800\\udbff\"", "\xef\xbf\xbd\xef\xbf\xbd"},
        {"\"\\udbff\\ue000\"", "\xef\xbf\xbd\xee\x80\x80"},
        {"\"\\udc00\\udc00\\udfff\\udfff\"", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
        {"\"na\xc3\xafve \xe2\x82\xac\"", "na\xc3\xafve \xe2\x82\xac"},
    };
    eti_error err = ETI_ERROR_INIT;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        for (size_t step = 0; step < 20; step++) {
            piece_source source = {cases[i].json, strlen(cases[i].json), step, false};
            eti_json json;
            eti_text text;
            if (step == 0)
                eti__json_open_text(&json, eti__text_of(cases[i].json));
            else
                eti__json_open_stream(&json, pieces_of(&source));
            assert_true(eti__json_read_string(&json, &text));
            assert_text(text, cases[i].text);
            assert_ok(eti__json_close(&json, &err));
        }
    }
}

static eti_status read_int64(const char *text, int64_t *out, eti_error *err) {
    eti_json json;
    eti__json_open_text(&json, eti__text_of(text));
    (void)eti__json_read_int64(&json, out);
    return eti__json_close(&json, err);
}

static eti_status read_uint64(const char *text, uint64_t *out, eti_error *err) {
    eti_json json;
    eti__json_open_text(&json, eti__text_of(text));
    (void)eti__json_read_uint64(&json, out);
    return eti__json_close(&json, err);
}

static void integers_have_64_bits(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    int64_t i;
    uint64_t u;
    assert_ok(read_int64("-9223372036854775808", &i, &err));
    assert_true(i == INT64_MIN);
    assert_ok(read_int64("9223372036854775807", &i, &err));
    assert_true(i == INT64_MAX);
    assert_ok(read_int64("-0", &i, &err));
    assert_true(i == 0);
    assert_ok(read_uint64("18446744073709551615", &u, &err));
    assert_true(u == UINT64_MAX);
    assert_fails(read_int64("9223372036854775808", &i, &err), ETI_ERROR_LIMIT, "out of range");
    assert_fails(read_uint64("18446744073709551616", &u, &err), ETI_ERROR_LIMIT, "out of range");
    assert_fails(read_uint64("-1", &u, &err), ETI_ERROR_LIMIT, "out of range");
    assert_fails(read_int64("1.0", &i, &err), ETI_ERROR_MALFORMED, "found a fraction");
    assert_fails(read_int64("NaN", &i, &err), ETI_ERROR_MALFORMED, "found a fraction");
    assert_fails(read_int64("\"1\"", &i, &err), ETI_ERROR_MALFORMED,
                 "byte 0: expected an integer, found '\"'");
    assert_fails(read_int64("true", &i, &err), ETI_ERROR_MALFORMED, "expected an integer");
}

static void the_next_value_can_be_looked_at(void **state) {
    (void)state;
    static const struct {
        const char *json;
        eti_json_kind kind;
    } cases[] = {
        {" null", ETI_JSON_NULL},      {"\ttrue", ETI_JSON_BOOL}, {"\n-1", ETI_JSON_NUMBER},
        {"NaN", ETI_JSON_NUMBER},      {"\"\"", ETI_JSON_STRING}, {"{", ETI_JSON_OBJECT},
        {"[", ETI_JSON_ARRAY},         {"", ETI_JSON_NONE},       {"]", ETI_JSON_NONE},
        {"Infinity", ETI_JSON_NUMBER},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        eti_json json;
        eti__json_open_text(&json, eti__text_of(cases[i].json));
        assert_int_equal(eti__json_peek(&json), cases[i].kind);
        eti_status status = eti__json_close(&json, NULL); /* an unread value is an error */
        assert_true(status == ETI_OK || status == ETI_ERROR_MALFORMED);
    }
}

/* ---- containers ------------------------------------------------------------------------------ */

/* {"a": [1, 2], "skipped": {…}, "n": null, "b": "x"} */
static void read_members(eti_json *json) {
    eti_text key;
    eti_text text;
    int64_t number;
    assert_true(eti__json_enter_object(json));
    assert_true(eti__json_next_key(json, &key));
    assert_text(key, "a");
    assert_true(eti__json_enter_array(json));
    for (int64_t i = 1; i <= 2; i++) {
        assert_true(eti__json_next_element(json));
        assert_true(eti__json_read_int64(json, &number));
        assert_true(number == i);
    }
    assert_false(eti__json_next_element(json));
    assert_true(eti__json_next_key(json, &key));
    assert_text(key, "skipped");
    eti__json_skip(json);
    assert_true(eti__json_next_key(json, &key));
    assert_text(key, "n");
    assert_true(eti__json_take_null(json));
    assert_true(eti__json_next_key(json, &key));
    assert_text(key, "b");
    assert_false(eti__json_take_null(json));
    assert_true(eti__json_read_string(json, &text));
    assert_text(text, "x");
    assert_false(eti__json_next_key(json, &key));
}

static void members_come_in_file_order(void **state) {
    (void)state;
    const char *text = " { \"a\" : [ 1 , 2 ] , \"skipped\": {\"a\": [{}, \"]\"]}, \"n\":null,\n"
                       "\"b\"   :\"x\" } ";
    eti_error err = ETI_ERROR_INIT;
    for (size_t step = 1; step < 90; step++) {
        piece_source source = {text, strlen(text), step, false};
        eti_json json;
        eti__json_open_stream(&json, pieces_of(&source));
        read_members(&json);
        assert_ok(eti__json_close(&json, &err));
    }
}

/* Reads the next string; returns whether it was the previous one, in the same spelling. */
static bool read_spelled(eti_json *json, eti_buffer *spelling, eti_text *text) {
    if (eti__json_take_spelled_string(json, spelling))
        return true;
    assert_true(eti__json_read_spelled_string(json, text, spelling));
    return false;
}

static void a_string_is_taken_again_by_its_spelling(void **state) {
    (void)state;
    static const struct {
        const char *spelling, *text;
        bool again;
    } cases[] = {
        {"\"a\\n\\\"b\"", "a\n\"b", false},
        {"\"a\\n\\\"b\"", "a\n\"b", true},
        {"\"a\\n\\\"b\" ", "a\n\"b", true},
        {"\"a\\u000a\\\"b\"", "a\n\"b", false},
        {"\"a\\n\\\"bc\"", "a\n\"bc", false},
        {" \"a\\n\\\"bc\"", "a\n\"bc", true},
        {"\"a\"", "a", false},
        {"\"\"", "", false},
        {"\"\"", "", true},
        {"\"\xc3\xa9\"", "\xc3\xa9", false},
        {"\"\xc3\xa9\"", "\xc3\xa9", true},
    };
    eti_buffer document = {0};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        eti__buffer_add_string(&document, i ? "," : "[");
        eti__buffer_add_string(&document, cases[i].spelling);
    }
    eti__buffer_add_string(&document, "]");
    eti__buffer_add_char(&document, '\0');
    for (size_t step = 1; step <= document.size; step++) {
        piece_source source = {document.data, document.size - 1, step, false};
        eti_buffer spelling = {0};
        eti_json json;
        eti_error err = ETI_ERROR_INIT;
        eti_text text;
        eti__json_open_stream(&json, pieces_of(&source));
        assert_true(eti__json_enter_array(&json));
        for (size_t i = 0; i < COUNT_OF(cases); i++) {
            assert_true(eti__json_next_element(&json));
            bool again = read_spelled(&json, &spelling, &text);
            if (!again)
                assert_text(text, cases[i].text);
            if (again || step == document.size) /* a string that was cut is read again */
                assert_int_equal(again, cases[i].again);
        }
        assert_false(eti__json_next_element(&json));
        assert_ok(eti__json_close(&json, &err));
        eti__buffer_free(&spelling);
    }
    eti__buffer_free(&document);
}

static void the_spelling_of_a_long_string_is_not_kept(void **state) {
    (void)state;
    eti_buffer document = {0};
    eti__buffer_add_string(&document, "[");
    for (int i = 0; i < 3; i++) {
        eti__buffer_add_string(&document, i ? ",\"" : "\"");
        eti__buffer_add_repeated(&document, "x", ETI_JSON_MAX_SPELLING - 1 + (i == 0 ? 0 : 1));
        eti__buffer_add_string(&document, "\"");
    }
    eti__buffer_add_string(&document, "]");
    eti_buffer spelling = {0};
    eti_json json;
    eti_error err = ETI_ERROR_INIT;
    eti_text text;
    eti__json_open_text(&json, eti__buffer_text(&document));
    assert_true(eti__json_enter_array(&json));
    for (int i = 0; i < 3; i++) {
        assert_true(eti__json_next_element(&json));
        assert_false(read_spelled(&json, &spelling, &text));
        assert_int_equal(spelling.size, 0);
    }
    assert_false(eti__json_next_element(&json));
    assert_ok(eti__json_close(&json, &err));
    eti__buffer_free(&spelling);
    eti__buffer_free(&document);
}

/* A cut string, and a value that is not a string, are not accepted as the previous one, and reading them fails. */
static void only_a_whole_string_is_taken_by_its_spelling(void **state) {
    (void)state;
    static const struct {
        const char *second, *message;
    } cases[] = {
        {"\"ab", "byte 10: expected the closing quote of a string, found the end"},
        {"7", "byte 7: expected a string, found '7'"},
        {"", "byte 7: expected a string, found the end"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char document[32];
        snprintf(document, sizeof document, "[\"abc\",%s", cases[i].second);
        eti_buffer spelling = {0};
        eti_json json;
        eti_error err = ETI_ERROR_INIT;
        eti_text text;
        eti__json_open_text(&json, eti__text_of(document));
        assert_true(eti__json_enter_array(&json));
        assert_true(eti__json_next_element(&json));
        assert_false(read_spelled(&json, &spelling, &text));
        assert_true(eti__json_next_element(&json));
        assert_false(eti__json_take_spelled_string(&json, &spelling));
        assert_false(eti__json_read_spelled_string(&json, &text, &spelling));
        assert_false(eti__json_take_spelled_string(&json, &spelling));
        assert_fails(eti__json_close(&json, &err), ETI_ERROR_MALFORMED, cases[i].message);
        eti__buffer_free(&spelling);
    }
}

static void the_first_error_stays(void **state) {
    (void)state;
    eti_json json;
    eti_error err = ETI_ERROR_INIT;
    eti_text key;
    int64_t number;
    eti__json_open_text(&json, eti__text_of("{\"a\": 1}"));
    assert_true(eti__json_enter_object(&json));
    assert_true(eti__json_next_key(&json, &key));
    assert_false(eti__json_enter_array(&json));
    assert_true(eti__json_failed(&json));
    eti__json_fail(&json, ETI_ERROR_DATA, "too late");
    assert_false(eti__json_read_int64(&json, &number));
    assert_false(eti__json_next_key(&json, &key));
    assert_false(eti__json_next_element(&json));
    eti__json_skip(&json);
    assert_fails(eti__json_close(&json, &err), ETI_ERROR_MALFORMED,
                 "byte 6: expected an array ('['), found '1'");
}

static void errors_of_the_caller_have_the_position(void **state) {
    (void)state;
    eti_json json;
    eti_error err = ETI_ERROR_INIT;
    eti__json_open_text(&json, eti__text_of("[]"));
    eti__json_skip(&json);
    eti__json_fail(&json, ETI_ERROR_DATA, "expected %d elements", 3);
    assert_fails(eti__json_close(&json, &err), ETI_ERROR_DATA, "byte 2: expected 3 elements");
}

/* A text with a missing part must not pass for the whole. */
static void no_text_is_short_of_memory(void **state) {
    (void)state;
    static const char *const documents[] = {"\"abc\\nlast run\"", "\"\\n\"", "\"\\u00e9x\"",
                                            "\"caf\xc3\xa9 au lait\""};
    for (size_t i = 0; i < COUNT_OF(documents); i++) {
        eti_json json;
        eti_error err = ETI_ERROR_INIT;
        eti_text text;
        eti__json_open_text(&json, eti__text_of(documents[i]));
        json.token.failed = true; /* as a failed first allocation leaves it */
        assert_false(eti__json_read_string(&json, &text));
        assert_text(text, "");
        assert_true(eti__json_failed(&json));
        assert_fails(eti__json_close(&json, &err), ETI_ERROR_MEMORY, "out of memory");
    }

    eti_json json;
    eti_error err = ETI_ERROR_INIT;
    eti_text key;
    eti__json_open_text(&json, eti__text_of("{\"a\\tb\": 1}"));
    json.token.failed = true;
    assert_true(eti__json_enter_object(&json));
    assert_false(eti__json_next_key(&json, &key));
    assert_fails(eti__json_close(&json, &err), ETI_ERROR_MEMORY, "out of memory");

    eti__json_open_text(&json, eti__text_of("1"));
    eti__json_skip(&json);
    json.token.failed = true;
    assert_fails(eti__json_close(&json, &err), ETI_ERROR_MEMORY, "out of memory");
}

static void errors_of_the_source_pass_through(void **state) {
    (void)state;
    piece_source source = {"[1, 2", 5, 2, true};
    eti_json json;
    eti_error err = ETI_ERROR_INIT;
    eti__json_open_stream(&json, pieces_of(&source));
    eti__json_skip(&json);
    assert_fails(eti__json_close(&json, &err), ETI_ERROR_READ, "the disk is gone");
}

/* Reads the member of `{"k…": "v…"}`, with keys and values of these sizes. */
static eti_status take_member(size_t key_size, size_t value_size, eti_error *err) {
    eti_buffer text = {0};
    eti__buffer_add_string(&text, "{\"");
    eti__buffer_add_repeated(&text, "k", key_size);
    eti__buffer_add_string(&text, "\": \"");
    eti__buffer_add_repeated(&text, "v", value_size);
    eti__buffer_add_string(&text, "\"}");
    piece_source source = {text.data, text.size, 4096, false};
    eti_json json;
    eti__json_open_stream(&json, pieces_of(&source));
    eti_text key, value;
    (void)eti__json_enter_object(&json);
    if (eti__json_next_key(&json, &key) && eti__json_read_string(&json, &value))
        assert_int_equal(value.size, value_size);
    (void)eti__json_next_key(&json, &key);
    eti_status status = eti__json_close(&json, err);
    eti__buffer_free(&text);
    return status;
}

static void long_strings_are_not_taken(void **state) {
    (void)state;
    const size_t most = 1048576;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(take_member(most, most, &err));
    assert_fails(take_member(most + 1, 1, &err), ETI_ERROR_LIMIT,
                 "a string of more than 1048576 bytes");
    assert_fails(take_member(1, most + 1, &err), ETI_ERROR_LIMIT,
                 "a string of more than 1048576 bytes");
}

/* A byte with a special meaning is found at any place of a string, long or short. */
static void every_place_of_a_long_string_is_checked(void **state) {
    (void)state;
    static const char specials[] = {'\n', '"', '\\', '\x1f', '\xff'};
    char text[301], expected[80];
    eti_error err = ETI_ERROR_INIT;
    for (size_t place = 1; place < 298; place++) {
        for (size_t i = 0; i < sizeof specials; i++) {
            memset(text, 'x', 300);
            text[0] = '"';
            text[299] = '"';
            text[300] = 0;
            text[place] = specials[i];
            size_t reported = specials[i] == '"' || specials[i] == '\\' ? place + 1 : place;
            snprintf(expected, sizeof expected, "byte %zu: ", reported);
            assert_int_equal(skip_text(text, &err), ETI_ERROR_MALFORMED);
            assert_memory_equal(err.message, expected, strlen(expected));
        }
    }
}

/* ---- streams of strings ---------------------------------------------------------------------- */

/* Writes `text` as a JSON string. */
static void spell(const char *text, char *out) {
    *out++ = '"';
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            *out++ = '\\';
        *out++ = *text;
    }
    memcpy(out, "\"", 2);
}

/* The input and the output may be cut anywhere. */
static void a_document_within_a_string_is_streamed(void **state) {
    (void)state;
    static const char inner[] =
        "{\"a\": \"b\\\"c\\\\d\", \"long\": "
        "\"0123456789012345678901234567890123456789012345678901234567890123456789"
        "0123456789012345678901234567890123456789012345678901234567890123456789\"}";
    char spelled[2 * sizeof inner + 3], read[sizeof inner];
    eti_error err = ETI_ERROR_INIT;
    spell(inner, spelled);
    for (size_t in = 1; in < 80; in++) {
        for (size_t out = 1; out < 80; out++) {
            piece_source source = {spelled, strlen(spelled), in, false};
            eti_json json;
            eti_json_text text;
            size_t size = 0, n = 1;
            eti__json_open_stream(&json, pieces_of(&source));
            eti__json_text_open(&text, &json);
            while (n > 0) {
                size_t room = sizeof read - size;
                assert_ok(
                    eti__json_text_read(&text, read + size, out < room ? out : room, &n, &err));
                size += n;
            }
            eti__json_text_close(&text);
            assert_ok(eti__json_close(&json, &err));
            assert_int_equal(size, sizeof inner - 1);
            assert_memory_equal(read, inner, size);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(valid_documents_are_passed_over),
        cmocka_unit_test(invalid_documents_are_refused_at_their_byte),
        cmocka_unit_test(a_nul_is_no_end),
        cmocka_unit_test(nesting_is_limited),
        cmocka_unit_test(a_long_text_is_not_kept),
        cmocka_unit_test(strings_are_decoded),
        cmocka_unit_test(long_strings_are_not_taken),
        cmocka_unit_test(integers_have_64_bits),
        cmocka_unit_test(the_next_value_can_be_looked_at),
        cmocka_unit_test(members_come_in_file_order),
        cmocka_unit_test(a_string_is_taken_again_by_its_spelling),
        cmocka_unit_test(the_spelling_of_a_long_string_is_not_kept),
        cmocka_unit_test(only_a_whole_string_is_taken_by_its_spelling),
        cmocka_unit_test(the_first_error_stays),
        cmocka_unit_test(errors_of_the_caller_have_the_position),
        cmocka_unit_test(no_text_is_short_of_memory),
        cmocka_unit_test(errors_of_the_source_pass_through),
        cmocka_unit_test(every_place_of_a_long_string_is_checked),
        cmocka_unit_test(a_document_within_a_string_is_streamed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
