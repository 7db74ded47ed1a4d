#include "support.h"

#include "write/range_map.h"

/* Checks the map of ranges, in `width` ASCII characters for the bytes [0, whole). */
static void assert_map(const char *expected, uint64_t whole, size_t width, size_t n,
                       const uint64_t *items) {
    const eti_cell cell = eti__list_cell(ETI_CELL_UINTS, items, n);
    eti_buffer out = {0};
    eti__add_range_map(&out, &cell, whole, width, true);
    eti__buffer_add_char(&out, '|');
    assert_text(eti__buffer_text(&out), expected);
    eti__buffer_free(&out);
}

#define RANGES(...)                                                                                \
    COUNT_OF(((uint64_t[]){__VA_ARGS__})), (uint64_t[]) {                                          \
        __VA_ARGS__                                                                                \
    }

static void darker_where_more_is_in_use(void **state) {
    (void)state;
    assert_map("####|", 16, 4, RANGES(0, 16));
    assert_map("#  #|", 16, 4, RANGES(0, 4, 12, 16));
    assert_map(".:+|", 18, 3, RANGES(0, 1, 6, 9, 13, 18));
    assert_map(" :|", 16, 4, RANGES(5, 6, 7, 8));
    assert_map("|", 16, 4, 0, NULL);
}

static void few_bytes_are_several_characters_wide(void **state) {
    (void)state;
    assert_map("####|", 2, 8, RANGES(0, 1));
    assert_map("    ####|", 2, 8, RANGES(1, 2));
}

static void large_numbers_do_not_overflow(void **state) {
    (void)state;
    assert_map("  ##|", UINT64_MAX, 4, RANGES(UINT64_MAX / 2, UINT64_MAX));
    assert_true(eti__ranges_end(&(eti_cell){.kind = ETI_CELL_UINTS}) == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(darker_where_more_is_in_use),
        cmocka_unit_test(few_bytes_are_several_characters_wide),
        cmocka_unit_test(large_numbers_do_not_overflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
