#include "support.h"

#include "format/crc32.h"

#include <zlib.h>

static void fill(unsigned char *bytes, size_t size) {
    uint64_t state = 1;
    for (size_t i = 0; i < size; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        bytes[i] = (unsigned char)(state >> 56);
    }
}

static void known_text_has_its_known_checksum(void **state) {
    (void)state;
    assert_int_equal(eti_crc32(0, "", 0), 0);
    assert_int_equal(eti_crc32(0, "123456789", 9), 0xcbf43926);
}

/* At all places within a block, as sums of the program and of zlib can differ in the ends only. */
static void every_length_has_the_checksum_of_zlib(void **state) {
    (void)state;
    unsigned char bytes[1100];
    fill(bytes, sizeof bytes);
    for (size_t first = 0; first < 64; first += 7) {
        for (size_t size = 0; size <= sizeof bytes - first; size++)
            assert_int_equal(eti_crc32(0, bytes + first, size), crc32_z(0, bytes + first, size));
    }
}

static void pieces_have_the_checksum_of_the_whole(void **state) {
    (void)state;
    unsigned char bytes[10000];
    fill(bytes, sizeof bytes);
    for (size_t piece = 1; piece < 700; piece += 13) {
        uint32_t crc = 0;
        for (size_t at = 0; at < sizeof bytes; at += piece) {
            size_t left = sizeof bytes - at;
            crc = eti_crc32(crc, bytes + at, left < piece ? left : piece);
        }
        assert_int_equal(crc, crc32_z(0, bytes, sizeof bytes));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_text_has_its_known_checksum),
        cmocka_unit_test(every_length_has_the_checksum_of_zlib),
        cmocka_unit_test(pieces_have_the_checksum_of_the_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
