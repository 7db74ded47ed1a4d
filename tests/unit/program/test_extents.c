/* Compares random extents with assigning one byte after the other. */
#include "plan_fixture.h"

#include "program/extents.h"

#define BYTES 60
#define N 12

/* Returns the extent that owns a byte, descending from one that contains it: of the extents inside, the one that begins
 * first. */
static uint32_t find_owner_in(const eti_extent *extents, uint32_t n, uint32_t holder,
                              uint64_t byte) {
    uint32_t best = holder;
    for (uint32_t i = 0; i < n; i++) {
        bool holds =
            extents[i].holder == holder && extents[i].begin <= byte && byte < extents[i].end;
        if (holds && (best == holder || extents[i].begin < extents[best].begin))
            best = i;
    }
    return best == holder ? holder : find_owner_in(extents, n, best, byte);
}

static void each_byte_belongs_to_one(void **state) {
    (void)state;
    uint64_t seed = 5;
    for (int round = 0; round < 3000; round++) {
        eti_extent extents[N], shared[N];
        uint64_t expected[N] = {0}, sum = 0;
        eti_error err = ETI_ERROR_INIT;
        uint32_t n = 1 + draw(&seed, N);
        for (uint32_t i = 0; i < n; i++) {
            uint64_t begin = draw(&seed, BYTES);
            extents[i] = (eti_extent){begin, begin + draw(&seed, BYTES), i ? draw(&seed, i) : 0, 0};
        }
        extents[0] = (eti_extent){0, BYTES, ETI_NO_HOLDER, 0};
        memcpy(shared, extents, sizeof shared);
        assert_ok(eti__extents_share(shared, n, &err));
        for (uint64_t byte = 0; byte < BYTES; byte++)
            expected[find_owner_in(extents, n, 0, byte)]++;
        for (uint32_t i = 0; i < n; i++) {
            assert_int_equal(shared[i].bytes, expected[i]);
            sum += shared[i].bytes;
        }
        assert_int_equal(sum, BYTES);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_byte_belongs_to_one)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
