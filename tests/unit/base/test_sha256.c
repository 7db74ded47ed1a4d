/* Hashes bytes as sha256sum does. */
#include "support.h"

#include "base/sha256.h"

#include <string.h>

static void digits_are_those_of_sha256sum(void **state) {
    (void)state;
    char digits[ETI_SHA256_DIGITS + 1];
    eti__sha256("", 0, digits);
    assert_string_equal(digits, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    eti__sha256("abc", 3, digits);
    assert_string_equal(digits, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

/* Larger than a piece. */
static void pieces_are_joined(void **state) {
    (void)state;
    enum { SIZE = (4 << 20) + 3 };
    char digits[ETI_SHA256_DIGITS + 1];
    char *zeros = calloc(SIZE, 1);
    assert_non_null(zeros);
    eti__sha256(zeros, SIZE, digits);
    assert_string_equal(digits, "6ec7ee1f9dd1ff7ca5eac3e2c6abcf0250620ab9727a58d1a5c303f192f6b607");
    free(zeros);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(digits_are_those_of_sha256sum),
        cmocka_unit_test(pieces_are_joined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
