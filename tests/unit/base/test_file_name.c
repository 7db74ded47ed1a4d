/* Makes file names of any texts, and the texts of file names. */
#include "base/file_name.h"

#include "support.h"

static void expect_name(const char *text, size_t size, const char *name) {
    eti_buffer found = {0}, back = {0};
    eti__file_name_add(&found, (eti_text){text, size});
    eti__file_name_add_text(&back, eti__buffer_text(&found));
    if (size > 0) {
        assert_text(eti__buffer_text(&found), name);
        assert_int_equal(back.size, size);
        assert_memory_equal(back.data, text, size);
    }
    eti__buffer_free(&found);
    eti__buffer_free(&back);
}

static void names_lead_nowhere_else(void **state) {
    (void)state;
    expect_name("forward.0/3:add.out#0", 21, "forward.0%2F3:add.out#0");
    expect_name("../../etc", 9, "%2E.%2F..%2Fetc");
    expect_name("..", 2, "%2E.");
    expect_name(" a b", 4, "%20a b");
    expect_name("a\0b\n\x7f\\", 6, "a%00b%0A%7F%5C");
    expect_name("100%", 4, "100%25");
    expect_name("\xc3\xbc[1]", 5, "\xc3\xbc[1]");
    expect_name("", 0, "");
}

static void other_names_stand_for_themselves(void **state) {
    (void)state;
    static const char *const names[] = {"%", "%2", "%zz", "a%", "100% of it"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        eti_buffer text = {0};
        eti__file_name_add_text(&text, eti__text_of(names[i]));
        assert_text(eti__buffer_text(&text), names[i]);
        eti__buffer_free(&text);
    }
    eti_buffer text = {0};
    eti__file_name_add_text(&text, eti__text_of("%2f%2F"));
    assert_text(eti__buffer_text(&text), "//");
    eti__buffer_free(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_lead_nowhere_else),
        cmocka_unit_test(other_names_stand_for_themselves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
