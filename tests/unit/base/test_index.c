#include "support.h"

#include "base/index.h"

#include <pthread.h>

typedef struct count {
    uint32_t item;
    size_t *n;
} count;

/* Counts the item, and asks for all others too. */
static bool count_item(const void *wanted, uint32_t item) {
    const count *of = wanted;
    *of->n += of->item == item;
    return false;
}

/* Returns how often `item` is among the items that `hash` finds. */
static size_t count_found(const eti_index *index, uint64_t hash, uint32_t item) {
    size_t n = 0;
    count of = {item, &n};
    assert_int_equal(eti__index_find(index, hash, count_item, &of), ETI_INDEX_END);
    return n;
}

static bool is_item(const void *wanted, uint32_t item) {
    return *(const uint32_t *)wanted == item;
}

static void an_empty_index_finds_nothing(void **state) {
    (void)state;
    eti_index index = {0};
    const uint32_t any = 0;
    assert_int_equal(eti__index_find(&index, 42, is_item, &any), ETI_INDEX_END);
    assert_true(eti__index_reset(&index, 100));
    assert_int_equal(eti__index_find(&index, 42, is_item, &any), ETI_INDEX_END);
    eti__index_free(&index);
}

static void every_item_is_found_once_by_its_hash(void **state) {
    (void)state;
    eti_index index = {0};
    for (uint32_t i = 0; i < 20000; i++)
        assert_true(eti__index_add(&index, eti__hash_mix(7, i), i));
    assert_int_equal(index.n_items, 20000);
    for (uint32_t i = 0; i < 20000; i++)
        assert_int_equal(count_found(&index, eti__hash_mix(7, i), i), 1);
    eti__index_free(&index);
}

static void equal_hashes_are_all_reported(void **state) {
    (void)state;
    eti_index index = {0};
    for (uint32_t i = 0; i < 1000; i++)
        assert_true(eti__index_add(&index, 0xdeadbeef00000000u, i));
    for (uint32_t i = 0; i < 1000; i++) {
        assert_int_equal(count_found(&index, 0xdeadbeef00000000u, i), 1);
        assert_int_equal(eti__index_find(&index, 0xdeadbeef00000000u, is_item, &i), i);
    }
    assert_int_equal(count_found(&index, 0x1234567800000000u, 0), 0);
    eti__index_free(&index);
}

static void a_full_row_of_slots_wraps_around(void **state) {
    (void)state;
    eti_index index = {0};
    uint64_t last_slot = 1;
    assert_true(eti__index_reset(&index, 0));
    while ((eti__short_hash(last_slot) & index.mask) != index.mask)
        last_slot++;
    for (uint32_t i = 0; i < 8; i++)
        assert_true(eti__index_add(&index, last_slot, i));
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(count_found(&index, last_slot, i), 1);
    eti__index_free(&index);
}

/* Returns the number of slots passed while finding all of `n` keys that count up. */
static size_t count_passed(uint64_t seed, uint64_t first, uint64_t step, uint32_t n) {
    eti_index index = {0};
    size_t n_passed = 0;
    for (uint32_t i = 0; i < n; i++)
        assert_true(eti__index_add(&index, eti__hash_mix(seed, first + i * step), i));
    for (uint32_t i = 0; i < n; i++) {
        size_t at = eti__short_hash(eti__hash_mix(seed, first + i * step)) & index.mask;
        for (; index.slots[at].item != i + 1; at = (at + 1) & index.mask)
            n_passed++;
    }
    eti__index_free(&index);
    return n_passed;
}

static void consecutive_keys_do_not_cluster(void **state) {
    (void)state;
    static const uint64_t steps[] = {1, 8, 16, 24, 64, 100};
    uint64_t seed = 1;
    for (size_t i = 0; i < 300; i++) {
        seed = eti__hash_mix(seed, i);
        assert_in_range(count_passed(seed, 0x7f1234560000u, steps[i % COUNT_OF(steps)], 3000), 0,
                        2 * 3000);
    }
}

static void reset_empties(void **state) {
    (void)state;
    eti_index index = {0};
    assert_true(eti__index_reset(&index, 1000));
    for (uint32_t i = 0; i < 1000; i++)
        assert_true(eti__index_add(&index, eti__hash_mix(1, i), i));
    assert_true(eti__index_reset(&index, 3));
    assert_int_equal(index.n_items, 0);
    for (uint32_t i = 0; i < 1000; i++)
        assert_int_equal(count_found(&index, eti__hash_mix(1, i), i), 0);
    for (uint32_t i = 0; i < 50; i++)
        assert_true(eti__index_add(&index, eti__hash_mix(2, i), i));
    for (uint32_t i = 0; i < 50; i++)
        assert_int_equal(count_found(&index, eti__hash_mix(2, i), i), 1);
    eti__index_free(&index);
}

static void mixing_depends_on_order_and_value(void **state) {
    (void)state;
    assert_true(eti__hash_mix(1, 2) != eti__hash_mix(2, 1));
    assert_true(eti__hash_mix(0, 0) != eti__hash_mix(0, 1));
    assert_true(eti__hash_mix(5, 9) == eti__hash_mix(5, 9));
}

/* The constant is the one that values are mixed with: its product with any seed used to be 0. */
static void no_value_leaves_a_hash_as_it_is(void **state) {
    (void)state;
    const uint64_t constant = 0xd6e8feb86659fd93u;
    for (uint64_t seed = 1; seed < 1000; seed++)
        assert_true(eti__hash_mix(eti__hash_mix(0, seed), constant) != eti__hash_mix(0, seed));
}

static void *draw_seed(void *out) {
    *(uint64_t *)out = eti__hash_seed();
    return NULL;
}

static void seeds_cannot_be_foreseen(void **state) {
    (void)state;
    uint64_t elsewhere = 0;
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, draw_seed, &elsewhere), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_true(eti__hash_seed() != elsewhere);
    assert_true(eti__hash_seed() == eti__hash_seed());
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_index_finds_nothing),
        cmocka_unit_test(every_item_is_found_once_by_its_hash),
        cmocka_unit_test(equal_hashes_are_all_reported),
        cmocka_unit_test(a_full_row_of_slots_wraps_around),
        cmocka_unit_test(consecutive_keys_do_not_cluster),
        cmocka_unit_test(reset_empties),
        cmocka_unit_test(mixing_depends_on_order_and_value),
        cmocka_unit_test(no_value_leaves_a_hash_as_it_is),
        cmocka_unit_test(seeds_cannot_be_foreseen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
