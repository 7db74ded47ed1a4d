/* Tests labels of profiles that are made, merged and compared. */
#include "profile_fixture.h"

#include "compare/diff.h"

#define HEAD "etinspect-baseline,3,samples\ntime_scale,ns\n"
#define BLOCK "block,E,,1,0\nkernel,k,,k,,,,,,,,1\n"

static void labels_of_builds_and_machines_may_differ(void **state) {
    (void)state;
    static const char *const differ[] = {"commit",      "build",    "date",       "branch",
                                         "version",     "governor", "processors", "load_average",
                                         "temperature", "pairs",    "seed"};
    for (size_t i = 0; i < COUNT_OF(differ); i++)
        assert_true(eti__label_may_differ(differ[i]));
    assert_false(eti__label_may_differ("device"));
    assert_false(eti__label_may_differ("commits"));
}

/* commit may differ, and is then a label of the files. */
static void labels_that_all_have_are_kept(void **state) {
    (void)state;
    eti_profile *parts[] = {
        read_profile(HEAD "label,device,a\nlabel,board,x\nfile,a,,,commit=1,branch=m\n" BLOCK),
        read_profile(HEAD "label,board,x\nlabel,device,a\nfile,b,,,commit=2,branch=m\n" BLOCK)};
    eti_profile *whole;
    eti_error err = ETI_ERROR_INIT;
    static const char *const expected[][2] = {{"board", "x"}, {"branch", "m"}, {"device", "a"}};
    assert_ok(eti__profile_merge(&whole, (const eti_profile *const *)parts, 2, false, &err));
    assert_int_equal(whole->n_labels, COUNT_OF(expected));
    for (size_t i = 0; i < COUNT_OF(expected); i++) {
        assert_string_equal(whole->labels[i].key, expected[i][0]);
        assert_string_equal(whole->labels[i].value, expected[i][1]);
    }
    assert_string_equal(
        eti__find_label(whole->files[1].labels, whole->files[1].n_labels, "commit")->value, "2");
    eti_profile_free(whole);
    eti_profile_free(parts[0]);
    eti_profile_free(parts[1]);
}

static void assert_alike(const char *base_labels, const char *new_labels, const char *message) {
    char base_text[256], new_text[256];
    snprintf(base_text, sizeof base_text, HEAD "%sfile,a,,\n" BLOCK, base_labels);
    snprintf(new_text, sizeof new_text, HEAD "%sfile,b,,\n" BLOCK, new_labels);
    eti_profile *base = read_profile(base_text), *new_side = read_profile(new_text);
    eti_error err = ETI_ERROR_INIT;
    eti_status status = eti__profiles_check_alike(base, new_side, &err);
    if (message)
        assert_fails(status, ETI_ERROR_USAGE, message);
    else
        assert_ok(status);
    eti_profile_free(base);
    eti_profile_free(new_side);
}

static void entries_missing_on_a_side_are_a_difference(void **state) {
    (void)state;
    assert_alike("label,device,a\nlabel,commit,1\n", "label,device,a\nlabel,date,2\n", NULL);
    assert_alike("label,device,a\n", "label,device,b\n", "device a and b");
    assert_alike("label,device,a\nlabel,os,x y\nlabel,owner,O'Neil\nlabel,commit,1\n", "",
                 "lacks labels that a.csv has: if it was recorded under the same conditions, save "
                 "it again with label device=a label 'os=x y' label 'owner=O'\\''Neil'; or use "
                 "allow_unlike");
    assert_alike("label,device,a\n", "label,board,1\nlabel,device,a\n", "with label board=1;");
}

static void labels_must_be_texts_given_once(void **state) {
    (void)state;
    static const eti_label twice[] = {{"a", "1"}, {"b", "2"}, {"a", "3"}},
                           other[] = {{"a", "\xff"}};
    struct eti_profile *profile = eti__profile_new();
    eti_error err = ETI_ERROR_INIT;
    assert_fails(eti__profile_add_labels(profile, twice, 3, &err), ETI_ERROR_USAGE,
                 "the label a is given twice");
    profile->n_labels = 0;
    assert_fails(eti__profile_add_labels(profile, other, 1, &err), ETI_ERROR_USAGE, "is not UTF-8");
    eti_profile_free(profile);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_of_builds_and_machines_may_differ),
        cmocka_unit_test(labels_that_all_have_are_kept),
        cmocka_unit_test(entries_missing_on_a_side_are_a_difference),
        cmocka_unit_test(labels_must_be_texts_given_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
