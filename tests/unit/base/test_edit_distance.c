/* Finds which names are close to a mistyped one. */
#include "base/edit_distance.h"

#include "base/text.h"
#include "support.h"

static size_t distance(const char *a, const char *b) {
    return eti__edit_distance(eti__text_of(a), eti__text_of(b));
}

static void edits_are_counted(void **state) {
    (void)state;
    assert_int_equal(distance("", ""), 0);
    assert_int_equal(distance("", "abc"), 3);
    assert_int_equal(distance("kitten", "sitting"), 3);
    assert_int_equal(distance("total", "Total"), 1);
    assert_int_equal(distance("top", "tpo"), 1);
    assert_int_equal(distance("abcd", "badc"), 2);
    assert_int_equal(distance("ca", "abc"), 3); /* no edit within a transposition */
    char longer[66] = {0};
    memset(longer, 'a', 65);
    assert_true(distance(longer, "a") == SIZE_MAX);
    longer[64] = '\0';
    assert_int_equal(distance(longer, "a"), 63);
}

static const char *nearest(const char *mistyped) {
    static const char *const names[] = {"op", "optype", "module", "backend", "json", "ndjson"};
    return eti__nearest_of(names, sizeof names / sizeof *names, eti__text_of(mistyped));
}

static void the_nearest_name_is_found(void **state) {
    (void)state;
    assert_string_equal(nearest("ops"), "op");
    assert_string_equal(nearest("modlue"), "module");
    assert_string_equal(nearest("JSON"), "json");
    assert_string_equal(nearest("jsn"), "json");
    assert_string_equal(nearest("Backends"), "backend");
}

static void other_names_are_not_near(void **state) {
    (void)state;
    assert_null(nearest(""));
    assert_null(nearest("o"));
    assert_null(nearest("jn"));
    assert_null(nearest("mdl"));
    assert_null(nearest("method"));
    char longer[66] = {0};
    memset(longer, 'a', 65);
    assert_null(nearest(longer));
}

static void only_a_nearer_name_replaces_one(void **state) {
    (void)state;
    size_t least = ETI_TOO_FAR;
    assert_true(eti__text_is_nearer(eti__text_of("tablet"), eti__text_of("tables"), &least));
    assert_int_equal(least, 1);
    assert_false(eti__text_is_nearer(eti__text_of("tabled"), eti__text_of("tables"), &least));
    assert_true(eti__text_is_nearer(eti__text_of("Tables"), eti__text_of("tables"), &least));
    assert_int_equal(least, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edits_are_counted),
        cmocka_unit_test(the_nearest_name_is_found),
        cmocka_unit_test(other_names_are_not_near),
        cmocka_unit_test(only_a_nearer_name_replaces_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
