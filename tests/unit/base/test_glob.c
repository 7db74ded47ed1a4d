/* Tests patterns with * and ?. */
#include "support.h"

#include "base/glob.h"

static void test_matches(void **state) {
    (void)state;
    static const struct {
        const char *pattern, *name;
        bool fits;
    } cases[] = {
        {"", "", true},
        {"", "a", false},
        {"*", "", true},
        {"*", "abc", true},
        {"a*", "abc", true},
        {"*c", "abc", true},
        {"a*c", "abc", true},
        {"a*c", "ac", true},
        {"a*c", "acb", false},
        {"?", "", false},
        {"?", "a", true},
        {"?", "\xc3\xa4", true},
        {"a?c", "abc", true},
        {"a?c", "ac", false},
        {"*b*d*", "abcde", true},
        {"*ab", "aab", true},
        {"*aab", "aaab", true},
        {"**", "x", true},
        {"abc", "abcd", false},
        {"abcd", "abc", false},
        {"a.c", "abc", false},
        {"A*", "abc", false},
        {"*?", "\xc3\xa4", true},
        {"[a]", "a", false},
        {"*\xc3\xa4", "\xc3\xa4", true},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        if (eti__glob_match(eti__text_of(cases[i].pattern), eti__text_of(cases[i].name)) !=
            cases[i].fits)
            fail_msg("pattern '%s', name '%s'", cases[i].pattern, cases[i].name);
    }
    assert_false(eti__glob_match(eti__text_of("*"), (eti_text){NULL, 0}));
}

/* An exponential matcher would not finish this. */
static void test_many_stars(void **state) {
    (void)state;
    eti_buffer pattern = {0}, name = {0};
    eti__buffer_add_repeated(&pattern, "*a", 1000);
    eti__buffer_add_string(&pattern, "b");
    eti__buffer_add_repeated(&name, "a", 20000);
    assert_false(eti__glob_match(eti__buffer_text(&pattern), eti__buffer_text(&name)));
    eti__buffer_free(&pattern);
    eti__buffer_free(&name);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matches),
        cmocka_unit_test(test_many_stars),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
