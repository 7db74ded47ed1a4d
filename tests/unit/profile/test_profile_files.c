/* Recognizes files of the same process: by their bytes, or by SHA-256 where only that is known. */
#include "inspector_fixture.h"

#include "profile/profile.h"

/* printf x | sha256sum */
#define SHA256_OF_X "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"
#define SHA256_OF_Y "a1fce4363854ff888cff4b8e7875d600c2682390412a8cf79b37d0b11148b0fa"
#define KNOWN(file, bytes)                                                                         \
    { .name = {file, 1}, .size = sizeof bytes - 1, .data = bytes }
#define BY_DIGEST(file, n, digits)                                                                 \
    {                                                                                              \
        .name = {file, 1}, .size = n, .sha256 = { digits, 64 }                                     \
    }

/* Checks the names of the two files that are found; "": there are none. */
static void assert_same(eti_profile_file *files, size_t n, eti_profile_file *others,
                        size_t n_others, const char *first, const char *second) {
    const struct eti_profile profile = {.files = files, .n_files = n},
                             other = {.files = others, .n_files = n_others};
    const eti_profile_file *same[2];
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__profiles_find_same_file(&profile, others ? &other : NULL, same, &err));
    assert_int_equal(same[0] != NULL, *first != '\0');
    assert_int_equal(same[1] != NULL, *first != '\0');
    if (same[0] && same[1]) {
        assert_text(same[0]->name, first);
        assert_text(same[1]->name, second);
    }
}

static void the_same_bytes_are_the_same_file(void **state) {
    (void)state;
    static char copy[] = "xy"; /* in another place */
    eti_profile_file files[] = {KNOWN("a", "xy"),
                                KNOWN("b", "x"),
                                KNOWN("c", "zz"),
                                {.name = {"d", 1}, .size = 2, .data = copy}};
    assert_same(files, 3, NULL, 0, "", "");
    assert_same(files, 4, NULL, 0, "a", "d");
    assert_same(files, 2, files + 2, 2, "a", "d");
    assert_same(files + 2, 2, files, 2, "d", "a"); /* the file of the first profile comes first */
    assert_same(files, 1, files + 1, 2, "", "");
}

static void digests_stand_for_bytes(void **state) {
    (void)state;
    eti_profile_file files[] = {KNOWN("a", "x"), BY_DIGEST("b", 1, SHA256_OF_Y),
                                BY_DIGEST("c", 1, SHA256_OF_X), BY_DIGEST("d", 2, SHA256_OF_X)};
    assert_same(files, 2, NULL, 0, "", "");
    assert_same(files, 3, NULL, 0, "a", "c");
    assert_same(files, 1, files + 1, 1, "", "");
    assert_same(files, 1, files + 1, 3, "a", "c");
    assert_same(files + 3, 1, files, 2, "", ""); /* its size differs */
}

/* A name without bytes may stand for any file. */
static void unknown_files_are_no_file(void **state) {
    (void)state;
    eti_profile_file files[] = {{.name = {"a", 1}},
                                {.name = {"b", 1}},
                                {.name = {"c", 1}, .size = 3},
                                {.name = {"d", 1}, .size = 3}};
    assert_same(files, 4, NULL, 0, "", "");
    assert_same(files, 4, files, 4, "", "");
}

static void a_file_is_not_two_processes(void **state) {
    (void)state;
    eti_profile_file files[] = {KNOWN("a", "x"), KNOWN("b", "y"), KNOWN("c", "x")};
    struct eti_profile profile = {.files = files, .n_files = 2};
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__profile_check_files(&profile, &err));
    profile.n_files = 3;
    assert_fails(
        eti__profile_check_files(&profile, &err), ETI_ERROR_USAGE,
        "a and c are identical: the same dump is not a second process; give each file once");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_bytes_are_the_same_file),
        cmocka_unit_test(digests_stand_for_bytes),
        cmocka_unit_test(unknown_files_are_no_file),
        cmocka_unit_test(a_file_is_not_two_processes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
