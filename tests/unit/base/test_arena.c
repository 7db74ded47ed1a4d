#include "support.h"

#include "base/arena.h"

static void allocations_are_apart(void **state) {
    (void)state;
    eti_arena arena = {0};
    unsigned char *pieces[200];
    for (size_t i = 0; i < COUNT_OF(pieces); i++) {
        pieces[i] = eti__arena_alloc(&arena, i + 1, 3);
        assert_non_null(pieces[i]);
        memset(pieces[i], (int)i, (i + 1) * 3);
    }
    for (size_t i = 0; i < COUNT_OF(pieces); i++) {
        for (size_t j = 0; j < (i + 1) * 3; j++)
            assert_int_equal(pieces[i][j], i);
    }
    eti__arena_free(&arena);
}

static void allocations_are_aligned_for_their_type(void **state) {
    (void)state;
    static const size_t sizes[] = {1, 2, 3, 4, 6, 8, 12, 16, 20, 24, 40, 56};
    static const size_t alignments[] = {1, 2, 1, 4, 2, 8, 4, 8, 4, 8, 8, 8};
    eti_arena arena = {0};
    for (size_t count = 1; count < 100; count++) {
        for (size_t i = 0; i < COUNT_OF(sizes); i++) {
            unsigned char *piece = eti__arena_alloc(&arena, count, sizes[i]);
            assert_non_null(piece);
            assert_int_equal((uintptr_t)piece % alignments[i], 0);
            memset(piece, 1, count * sizes[i]);
        }
    }
    eti__arena_free(&arena);
}

static void large_and_small_allocations_mix(void **state) {
    (void)state;
    eti_arena arena = {0};
    const size_t sizes[] = {5u << 20, 16, 1 << 16, 100, 3u << 20, 1, 1 << 14, 4097};
    unsigned char *pieces[COUNT_OF(sizes)];
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        pieces[i] = eti__arena_alloc(&arena, sizes[i], 1);
        assert_non_null(pieces[i]);
        memset(pieces[i], (int)i + 1, sizes[i]);
    }
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        assert_int_equal(pieces[i][0], i + 1);
        assert_int_equal(pieces[i][sizes[i] - 1], i + 1);
    }
    eti__arena_free(&arena);
}

static void products_that_overflow_give_null(void **state) {
    (void)state;
    eti_arena arena = {0};
    assert_null(eti__arena_alloc(&arena, SIZE_MAX, 2));
    assert_null(eti__arena_alloc(&arena, SIZE_MAX / 8 + 2, 8));
    assert_null(eti__arena_alloc(&arena, SIZE_MAX, 1));
    assert_null(eti__arena_alloc(&arena, SIZE_MAX - 8, 1));
    assert_null(eti__arena_alloc_zero(&arena, SIZE_MAX / 2, 4));
    eti__arena_free(&arena);
}

static void nothing_gives_a_pointer(void **state) {
    (void)state;
    eti_arena arena = {0};
    assert_non_null(eti__arena_alloc(&arena, 0, 8));
    assert_non_null(eti__arena_alloc(&arena, 8, 0));
    assert_non_null(eti__arena_alloc_zero(&arena, 0, 0));
    eti__arena_free(&arena);
}

static void zeroed_memory_is_zero(void **state) {
    (void)state;
    eti_arena arena = {0};
    for (int round = 0; round < 50; round++) {
        unsigned char *bytes = eti__arena_alloc_zero(&arena, 100, 7);
        for (size_t i = 0; i < 700; i++)
            assert_int_equal(bytes[i], 0);
        memset(bytes, 0xff, 700);
    }
    eti__arena_free(&arena);
}

static void copied_text_is_independent(void **state) {
    (void)state;
    eti_arena arena = {0};
    char name[] = "a\0b";
    eti_text copy;
    assert_true(eti__arena_copy_text(&arena, (eti_text){name, 3}, &copy));
    name[0] = 'x';
    assert_int_equal(copy.size, 3);
    assert_memory_equal(copy.data, "a\0b", 3);
    eti__arena_free(&arena);
}

static void absent_and_empty_text_stay_what_they_are(void **state) {
    (void)state;
    eti_arena arena = {0};
    eti_text copy;
    assert_true(eti__arena_copy_text(&arena, (eti_text){NULL, 0}, &copy));
    assert_null(copy.data);
    assert_true(eti__arena_copy_text(&arena, (eti_text){"", 0}, &copy));
    assert_non_null(copy.data);
    assert_int_equal(copy.size, 0);
    eti__arena_free(&arena);
}

static void joined_arenas_are_one(void **state) {
    (void)state;
    eti_arena arena = {0}, other = {0};
    eti__arena_join(&arena, &other);
    assert_null(arena.newest);
    char *first = eti__arena_alloc(&other, 100, 1);
    for (size_t i = 0; i < 50; i++)
        assert_non_null(eti__arena_alloc(&other, 1000, i + 1));
    memset(first, 'a', 100);
    eti__arena_join(&arena, &other); /* `other` is empty */
    assert_null(other.newest);
    char *second = eti__arena_alloc(&other, 100, 1);
    memset(second, 'b', 100);
    char *third = eti__arena_alloc(&arena, 100, 1);
    memset(third, 'c', 100);
    eti__arena_join(&arena, &other); /* `other` is not empty */
    for (size_t i = 0; i < 100; i++)
        assert_true(first[i] == 'a' && second[i] == 'b' && third[i] == 'c');
    assert_non_null(eti__arena_alloc(&arena, 100, 1));
    eti__arena_free(&arena); /* a sanitizer reports any leak */
}

static void a_freed_arena_is_as_new(void **state) {
    (void)state;
    eti_arena arena = {0};
    eti__arena_free(&arena);
    assert_non_null(eti__arena_alloc(&arena, 10, 10));
    eti__arena_free(&arena);
    assert_null(arena.newest);
    assert_non_null(eti__arena_alloc(&arena, 10, 10));
    eti__arena_free(&arena);
    eti__arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(allocations_are_apart),
        cmocka_unit_test(allocations_are_aligned_for_their_type),
        cmocka_unit_test(large_and_small_allocations_mix),
        cmocka_unit_test(products_that_overflow_give_null),
        cmocka_unit_test(nothing_gives_a_pointer),
        cmocka_unit_test(zeroed_memory_is_zero),
        cmocka_unit_test(copied_text_is_independent),
        cmocka_unit_test(absent_and_empty_text_stay_what_they_are),
        cmocka_unit_test(joined_arenas_are_one),
        cmocka_unit_test(a_freed_arena_is_as_new),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
