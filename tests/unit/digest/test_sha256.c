/* Hashes bytes as FIPS 180-4 does, with the processor's instructions and with libmd. */
#include "support.h"

#include "digest/digest.h"

#include <sha2.h>
#include <stdbool.h>
#include <string.h>

/* Hashes a text by a way, all at once. */
static void hash_by(eti__sha256_blocks *by, const void *data, size_t size, char *digits) {
    eti__sha256_hash hash;
    eti__sha256_begin(&hash, by);
    eti__sha256_add(&hash, data, size);
    eti__sha256_end(&hash, digits);
}

static void check(const void *data, size_t size, const char *expected) {
    char digits[ETI_SHA256_DIGITS + 1];
    eti__sha256(data, size, digits);
    assert_string_equal(digits, expected);
    hash_by(eti__sha256_by_libmd, data, size, digits);
    assert_string_equal(digits, expected);
    hash_by(eti__sha256_fastest(), data, size, digits);
    assert_string_equal(digits, expected);
}

static void check_same(char byte, size_t size, const char *expected) {
    char *bytes = malloc(size);
    assert_non_null(bytes);
    memset(bytes, byte, size);
    check(bytes, size, expected);
    free(bytes);
}

/* The messages of NIST's examples for SHA-256, and the empty one. */
static void digests_are_those_of_the_standard(void **state) {
    (void)state;
    static const struct {
        const char *message, *digest;
    } known[] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
        {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
         "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
         "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"},
        {"\xbd", "68325720aabd7c82f30f554b313d0570c95accbb7dc4b5aae11204c08ffe732b"},
        {"\xc9\x8c\x8e\x55", "7abc22c0ae5af26ce93dbb94433a0e0b2e119d014f8e7f65bd56c61ccccd9504"},
    };
    for (size_t i = 0; i < COUNT_OF(known); i++)
        check(known[i].message, strlen(known[i].message), known[i].digest);
}

/* Around the lengths from which the padding takes another block. */
static void digests_of_equal_bytes_are_those_of_the_standard(void **state) {
    (void)state;
    check_same(0, 55, "02779466cdec163811d078815c633f21901413081449002f24aa3e80f0b88ef7");
    check_same(0, 56, "d4817aa5497628e7c77e6b606107042bbba3130888c5f47a375e6179be789fbb");
    check_same(0, 57, "65a16cb7861335d5ace3c60718b5052e44660726da4cd13bb745381b235a1785");
    check_same(0, 64, "f5a5fd42d16a20302798ef6ed309979b43003d2320d9f0e8ea9831a92759fb4b");
    check_same(0, 1000, "541b3e9daa09b20bf85fa273e5cbd3e80185aa4ec298e765db87742b70138a53");
    check_same('A', 1000, "c2e686823489ced2017f6059b8b239318b6364f6dcd835d0a519105a1eadd6e4");
    check_same('a', 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

/* Larger than a piece. */
static void pieces_are_joined(void **state) {
    (void)state;
    check_same(0, (4 << 20) + 3,
               "6ec7ee1f9dd1ff7ca5eac3e2c6abcf0250620ab9727a58d1a5c303f192f6b607");
}

static uint64_t state_of_random = 88172645463325252u;

static size_t random_below(size_t n) {
    state_of_random ^= state_of_random << 13;
    state_of_random ^= state_of_random >> 7;
    state_of_random ^= state_of_random << 17;
    return (size_t)(state_of_random >> 33) % n;
}

/* Beside libmd's own hash, which has a padding of its own. Begins at each offset from the 16 bytes of a register. */
static void ways_agree_at_every_length(void **state) {
    (void)state;
    uint8_t bytes[300 + 16];
    for (size_t size = 0; size <= 300; size++) {
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (uint8_t)random_below(256);
        const uint8_t *data = bytes + size % 16;
        char expected[ETI_SHA256_DIGITS + 1];
        assert_non_null(SHA256Data(data, size, expected));
        check(data, size, expected);
    }
}

/* Adds the bytes in pieces of any size, none included. */
static void add_randomly(eti__sha256_hash *hash, const uint8_t *data, size_t size) {
    size_t most = 1 + random_below(200);
    for (size_t at = 0, n; at < size; at += n) {
        n = random_below(most + 1);
        if (n > size - at)
            n = size - at;
        eti__sha256_add(hash, data + at, n);
    }
}

static void ways_agree_at_random_cuts(void **state) {
    (void)state;
    uint8_t bytes[1000];
    eti__sha256_blocks *const ways[] = {eti__sha256_by_libmd, eti__sha256_fastest()};
    for (size_t round = 0; round < 500; round++) {
        size_t size = random_below(sizeof bytes + 1);
        for (size_t i = 0; i < size; i++)
            bytes[i] = (uint8_t)random_below(256);
        char expected[ETI_SHA256_DIGITS + 1], digits[ETI_SHA256_DIGITS + 1];
        assert_non_null(SHA256Data(bytes, size, expected));
        for (size_t i = 0; i < COUNT_OF(ways); i++) {
            eti__sha256_hash hash;
            eti__sha256_begin(&hash, ways[i]);
            add_randomly(&hash, bytes, size);
            eti__sha256_end(&hash, digits);
            assert_string_equal(digits, expected);
        }
    }
}

/* Returns whether /proc/cpuinfo has this word among the flags of x86 or the features of ARM. */
static bool processor_lists(const char *word) {
    FILE *info = fopen("/proc/cpuinfo", "r");
    if (!info)
        return false;
    char line[8192];
    bool found = false;
    while (!found && fgets(line, sizeof line, info)) {
        if (strncmp(line, "flags", 5) != 0 && strncmp(line, "Features", 8) != 0)
            continue;
        for (char *at = strtok(line, " \t\n"); at && !found; at = strtok(NULL, " \t\n"))
            found = strcmp(at, word) == 0;
    }
    fclose(info);
    return found;
}

/* Without this, all tests would pass if the instructions were never used. QEMU and valgrind show programs another processor
 * than /proc does. */
static void instructions_are_used_where_the_processor_has_them(void **state) {
    (void)state;
    const char *runner = getenv("RUNNER");
    if (runner && (strncmp(runner, "qemu-", 5) == 0 || strncmp(runner, "valgrind", 8) == 0)) {
        print_message("# SKIP %.12s: /proc/cpuinfo is that of another processor\n", runner);
        skip();
    }
#if defined(__x86_64__)
    bool has = processor_lists("sha_ni") && processor_lists("sse4_1") && processor_lists("ssse3");
#else
    bool has = processor_lists("sha2");
#endif
    assert_int_equal(eti__sha256_fastest() != eti__sha256_by_libmd, has);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(digests_are_those_of_the_standard),
        cmocka_unit_test(digests_of_equal_bytes_are_those_of_the_standard),
        cmocka_unit_test(pieces_are_joined),
        cmocka_unit_test(ways_agree_at_every_length),
        cmocka_unit_test(ways_agree_at_random_cuts),
        cmocka_unit_test(instructions_are_used_where_the_processor_has_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
