/* The hashes were made by openssl and base64 from the same bytes. */
#include "support.h"

#include "report/html_text.h"

static void check_text(const char *text, size_t size, const char *expected) {
    eti_buffer out = {0};
    eti__html_add_text(&out, (eti_text){text, size});
    assert_text(eti__buffer_text(&out), expected);
    eti__buffer_free(&out);
}

#define CHECK_TEXT(text, expected) check_text(text, sizeof(text) - 1, expected)

static void markup_becomes_references(void **state) {
    (void)state;
    CHECK_TEXT("a.b", "a.b");
    CHECK_TEXT("</title><img src=x onerror='a(\"b\")'>&amp;",
               "&lt;/title&gt;&lt;img src=x onerror=&#39;a(&quot;b&quot;)&#39;&gt;&amp;amp;");
    CHECK_TEXT("two\nlines", "two\nlines");
}

static void what_acts_is_spelled_out(void **state) {
    (void)state;
    CHECK_TEXT("a\xe2\x80\xae"
               "b\x1b[0m",
               "a\\u202eb\\x1b[0m");
    CHECK_TEXT("a\0b", "a\\x00b");
    CHECK_TEXT("\xff\xc3\xa9", "\xef\xbf\xbd\xc3\xa9");
}

static void json_ends_no_element(void **state) {
    (void)state;
    eti_buffer out = {0};
    eti__html_add_json(&out, eti__text_of("{\"</script><!--\": \"<\"}"));
    assert_text(eti__buffer_text(&out), "{\"\\u003c/script>\\u003c!--\": \"\\u003c\"}");
    eti__buffer_free(&out);
}

static void hashes_are_those_of_a_policy(void **state) {
    (void)state;
    char hash[ETI_CSP_HASH_SIZE + 1];
    eti__html_csp_hash("", 0, hash);
    assert_string_equal(hash, "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
    eti__html_csp_hash("alert(1)", 8, hash);
    assert_string_equal(hash, "sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI=");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(markup_becomes_references),
        cmocka_unit_test(what_acts_is_spelled_out),
        cmocka_unit_test(json_ends_no_element),
        cmocka_unit_test(hashes_are_those_of_a_policy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
