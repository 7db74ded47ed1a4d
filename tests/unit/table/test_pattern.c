/* Patterns of filters: long texts are read once, with the results of regexec(), which searches them. */
#include "support.h"

#include "base/text.h"
#include "table/pattern.h"

#define LONG 300 /* bytes, more than are searched */

static bool matches(const char *source, eti_text text) {
    char reason[ETI_PATTERN_REASON];
    eti_pattern pattern;
    bool found;
    if (eti__pattern_compile(&pattern, eti__text_of(source), false, reason) != ETI_OK)
        fail_msg("%s: %s", source, reason);
    assert_int_equal(eti__pattern_test(&pattern, text, &found), ETI_OK);
    eti__pattern_free(&pattern);
    return found;
}

/* Returns whether regexec() finds the pattern. */
static bool is_found(const char *source, const char *text) {
    regex_t compiled;
    assert_int_equal(regcomp(&compiled, source, REG_EXTENDED | REG_NOSUB), 0);
    bool found = regexec(&compiled, text, 0, NULL, 0) == 0;
    regfree(&compiled);
    return found;
}

static void long_texts_match_as_short_ones(void **state) {
    (void)state;
    static const char *const sources[] = {
        "",        "conv",      "^conv",        "conv$",       "^conv$",      "a|b",
        "a|^b|c$", "(^|x)conv", "c.*t",         "conv.{3}out", "(co|nv)+x",   "[^c]o",
        "\\.",     "x{2}$",     "()",           "(a|)b",       "x*",          "\xc3\xa9",
        "^.",      "\n",        "o\\b",         "\\<out",      "[[:digit:]]", "^$",
        "v\xff",   "a||b",      "(conv|relu)$", "x\\$",        "\\bx",        "x(y|$)",
    };
    static const char *const ends[] = {
        "conv", "conv.out", "convabcout", "out",    "a",   "b",
        "b\n",  "\xc3\xa9", "v\377a",     "a|()^b", "x 1",
    };
    char text[LONG + 16];
    for (size_t i = 0; i < COUNT_OF(sources); i++) {
        for (size_t k = 0; k < COUNT_OF(ends) * 4; k++) {
            size_t filled = k % 2 ? LONG : 0;
            size_t before = k / 2 % 2 ? filled : 0;
            memset(text, 'x', sizeof text);
            size_t size = strlen(ends[k / 4]);
            memcpy(text + before, ends[k / 4], size);
            size = before == filled ? before + size : filled;
            text[size] = '\0';
            if (matches(sources[i], (eti_text){text, size}) != is_found(sources[i], text))
                fail_msg("%s in %s", sources[i], text);
        }
    }
}

static void case_is_ignored_in_long_texts(void **state) {
    (void)state;
    char text[LONG + 5];
    memset(text, 'x', LONG);
    memcpy(text + LONG, "CONV", 5);
    const eti_text long_text = {text, LONG + 4};
    assert_true(matches("(?i)xconv$", long_text));
    assert_false(matches("xconv$", long_text));
}

static void work_is_bounded(void **state) {
    (void)state;
    char reason[ETI_PATTERN_REASON];
    const size_t size = (size_t)1 << 20;
    eti_pattern pattern;
    bool found;
    char *text = calloc(size + 1, 1);
    assert_non_null(text);
    memset(text, 'c', size);
    assert_int_equal(eti__pattern_compile(&pattern, eti__text_of("c.{200}Q"), false, reason),
                     ETI_OK);
    assert_int_equal(pattern.n_states, 1600);
    assert_int_equal(eti__pattern_test(&pattern, (eti_text){text, size}, &found), ETI_ERROR_LIMIT);
    assert_false(found);
    /* the sets of states are freed before there are more than a text may have */
    const eti_text part = {text + size - 30000, 30000};
    const uint64_t work = 1600 * UINT64_C(30000);
    assert_int_equal(eti__pattern_test(&pattern, part, &found), ETI_OK);
    assert_int_equal(pattern.spent, work);
    assert_int_equal(eti__pattern_test(&pattern, part, &found), ETI_OK);
    assert_int_equal(pattern.spent, work);
    assert_int_equal(eti__pattern_test(&pattern, (eti_text){text + size - 1000, 1000}, &found),
                     ETI_OK);
    assert_int_equal(pattern.spent, work + 1600 * UINT64_C(1000));
    eti__pattern_free(&pattern);
    /* a text that must be searched, in quadratic time */
    text[size - 1] = '\n';
    assert_int_equal(eti__pattern_compile(&pattern, eti__text_of("a|^b"), false, reason), ETI_OK);
    assert_int_equal(eti__pattern_test(&pattern, (eti_text){text, size}, &found), ETI_ERROR_LIMIT);
    eti__pattern_free(&pattern);
    free(text);
}

/* A search would start anew at each of the 1000000 bytes, and take hours. */
static void long_texts_are_read_once(void **state) {
    (void)state;
    const size_t n = 250000;
    char *text = calloc(n, 4);
    assert_non_null(text);
    for (size_t i = 0; i < n; i++)
        memcpy(text + 4 * i, "conv", 4);
    text[4 * n - 1] = '\0';
    assert_false(matches("conv.*out", (eti_text){text, 4 * n - 1}));
    assert_false(matches("softmax|conv.*out$", (eti_text){text, 4 * n - 1}));
    assert_false(matches("(conv|relu)+x", (eti_text){text, 4 * n - 1}));
    free(text);
}

static void patterns_that_cannot_be_compiled_have_a_reason(void **state) {
    (void)state;
    static const char *const bad[] = {"a)|(b", "(", "a{65537}", "(a)\\1", "[a", "a\\"};
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        char reason[ETI_PATTERN_REASON] = "";
        eti_pattern pattern;
        assert_int_equal(eti__pattern_compile(&pattern, eti__text_of(bad[i]), false, reason),
                         ETI_ERROR_USAGE);
        assert_memory_equal(reason, "this ", 5);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_texts_match_as_short_ones),
        cmocka_unit_test(case_is_ignored_in_long_texts),
        cmocka_unit_test(work_is_bounded),
        cmocka_unit_test(long_texts_are_read_once),
        cmocka_unit_test(patterns_that_cannot_be_compiled_have_a_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
