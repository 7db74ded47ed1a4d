#include "support.h"

#include "read/read.h"

/* Reads counters and writes them as "name|unit|value, ", and ! where metadata have another form. */
static void assert_counted(const char *metadata, const char *expected) {
    char out[256] = "";
    size_t n = 0;
    eti_counted counted;
    eti_counter counter;
    char *copy = strdup(metadata); /* exact size, for sanitizers */
    assert_non_null(copy);
    if (!eti__counted_begin(&counted, (eti_text){copy, strlen(copy)}))
        n += (size_t)snprintf(out, sizeof out, "!");
    else
        while (eti__counted_next(&counted, &counter))
            n += (size_t)snprintf(out + n, sizeof out - n, "%.*s|%.*s|%lld, ",
                                  ETI_TEXT_ARGS(counter.name), ETI_TEXT_ARGS(counter.unit),
                                  (long long)counter.value);
    assert_string_equal(out, expected);
    free(copy);
}

static void counters_have_names_units_and_values(void **state) {
    (void)state;
    assert_counted("etcapture: cycles=1200; energy [uJ]=-3", "cycles||1200, energy|uJ|-3, ");
    assert_counted("etcapture mark: a=b=1", "a=b||1, ");
    assert_counted("etcapture: x=9223372036854775807; y=-9223372036854775808",
                   "x||9223372036854775807, y||-9223372036854775808, ");
    assert_counted("etcapture: [u]=1; a []=2; a[u]=3; a [b [c]=4; a] b]=5",
                   "[u]||1, a []||2, a[u]||3, a [b|c|4, a] b]||5, ");
    assert_counted("etcapture: ", "");
}

static void marks_are_known(void **state) {
    (void)state;
    eti_counted counted;
    assert_true(eti__counted_begin(&counted, eti__text_of("etcapture mark: ")));
    assert_true(counted.is_mark);
    assert_true(eti__counted_begin(&counted, eti__text_of("etcapture: ")));
    assert_false(counted.is_mark);
}

static void damaged_counters_end_the_list(void **state) {
    (void)state;
    assert_counted("", "!");
    assert_counted("etcapture", "!");
    assert_counted("etcapture:", "!");
    assert_counted("{\"a\": 1}", "!");
    assert_counted("etcapture: a=1; b; c=2", "a||1, ");
    assert_counted("etcapture: a=1;", "a||1, ");
    assert_counted("etcapture: a=9223372036854775808", "");
    assert_counted("etcapture: a=-9223372036854775809", "");
    assert_counted("etcapture: a=", "");
    assert_counted("etcapture: a=-", "");
    assert_counted("etcapture: =1", "");
    assert_counted("etcapture: a=1x", "");
    assert_counted("etcapture: a=18446744073709551617", "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counters_have_names_units_and_values),
        cmocka_unit_test(marks_are_known),
        cmocka_unit_test(damaged_counters_end_the_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
