#include "support.h"

#include "base/array.h"

#include <pthread.h>

/* ==== array =================================================================================== */

static void growing_keeps_the_elements(void **state) {
    (void)state;
    uint64_t *values = NULL;
    size_t capacity = 0;
    for (size_t n = 0; n < 5000; n++) {
        assert_true(ETI_GROW(values, capacity, n + 1));
        assert_true(capacity > n);
        values[n] = n * n;
    }
    for (size_t n = 0; n < 5000; n++)
        assert_int_equal(values[n], n * n);
    free(values);
}

static void room_that_is_there_is_used(void **state) {
    (void)state;
    int *values = NULL;
    size_t capacity = 0;
    assert_true(ETI_GROW(values, capacity, 10));
    int *before = values;
    size_t capacity_before = capacity;
    assert_true(ETI_GROW(values, capacity, capacity));
    assert_ptr_equal(values, before);
    assert_int_equal(capacity, capacity_before);
    free(values);
}

static void a_large_step_is_made_at_once(void **state) {
    (void)state;
    char *bytes = NULL;
    size_t capacity = 0;
    assert_true(ETI_GROW(bytes, capacity, 100000));
    assert_true(capacity >= 100000);
    memset(bytes, 1, capacity);
    free(bytes);
}

static void sizes_that_overflow_fail_and_leave_the_array(void **state) {
    (void)state;
    uint64_t *values = NULL;
    size_t capacity = 0;
    assert_true(ETI_GROW(values, capacity, 1));
    values[0] = 7;
    size_t capacity_before = capacity;
    assert_false(ETI_GROW(values, capacity, SIZE_MAX));
    assert_false(ETI_GROW(values, capacity, SIZE_MAX / 8));
    assert_int_equal(capacity, capacity_before);
    assert_int_equal(values[0], 7);
    free(values);
}

/* ==== index =================================================================================== */

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

/* ==== near index ============================================================================== */

/* Returns how often `item` is found. */
static size_t count_near_found(const eti_near_index *index, uint32_t place, uint64_t hash,
                               uint32_t item) {
    size_t n = 0;
    count of = {item, &n};
    assert_int_equal(eti__near_index_find(index, place, hash, count_item, &of), ETI_INDEX_END);
    return n;
}

static uint64_t hash_of(uint32_t i) {
    return eti__hash_mix(7, i);
}

/* Items in order, backwards, far apart, all at the places of others, and all at one place. */
static const struct {
    uint32_t factor, offset;
} orders[] = {{1, 0}, {UINT32_MAX, 5}, {0x9e3779b1u, 1}, {1u << 20, 3}, {0, UINT32_MAX}};
#define N_ORDERS (sizeof orders / sizeof *orders)

static uint32_t place_of(size_t order, uint32_t i) {
    return i * orders[order].factor + orders[order].offset;
}

static void every_item_is_found_once_wherever_its_place_is(void **state) {
    (void)state;
    eti_near_index index = {0};
    for (size_t order = 0; order < N_ORDERS; order++) {
        assert_true(eti__near_index_reset(&index, order % 2 ? 5000 : 0));
        for (uint32_t i = 0; i < 5000; i++) {
            assert_int_equal(count_near_found(&index, place_of(order, i), hash_of(i), i), 0);
            assert_true(eti__near_index_add(&index, place_of(order, i), hash_of(i)));
        }
        for (uint32_t i = 0; i < 5000; i++)
            assert_int_equal(count_near_found(&index, place_of(order, i), hash_of(i), i), 1);
        assert_int_equal(index.n_items, 5000);
    }
    eti__near_index_free(&index);
}

static void equal_items_are_all_found(void **state) {
    (void)state;
    eti_near_index index = {0};
    assert_true(eti__near_index_reset(&index, 3));
    for (uint32_t i = 0; i < 100; i++)
        assert_true(eti__near_index_add(&index, 42, hash_of(1)));
    for (uint32_t i = 0; i < 100; i++)
        assert_int_equal(count_near_found(&index, 42, hash_of(1), i), 1);
    assert_int_equal(count_near_found(&index, 42, hash_of(2), 0), 0);
    eti__near_index_free(&index);
}

static void reset_empties_in_near(void **state) {
    (void)state;
    eti_near_index index = {0};
    assert_true(eti__near_index_reset(&index, 1000));
    for (uint32_t i = 0; i < 1000; i++)
        assert_true(eti__near_index_add(&index, i % 10, hash_of(i)));
    assert_true(eti__near_index_reset(&index, 3));
    for (uint32_t i = 0; i < 1000; i++)
        assert_int_equal(count_near_found(&index, i % 10, hash_of(i), i), 0);
    assert_true(eti__near_index_add(&index, 3, hash_of(3)));
    assert_int_equal(count_near_found(&index, 3, hash_of(3), 0), 1);
    eti__near_index_free(&index);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(growing_keeps_the_elements),
        cmocka_unit_test(room_that_is_there_is_used),
        cmocka_unit_test(a_large_step_is_made_at_once),
        cmocka_unit_test(sizes_that_overflow_fail_and_leave_the_array),
        cmocka_unit_test(an_empty_index_finds_nothing),
        cmocka_unit_test(every_item_is_found_once_by_its_hash),
        cmocka_unit_test(equal_hashes_are_all_reported),
        cmocka_unit_test(a_full_row_of_slots_wraps_around),
        cmocka_unit_test(consecutive_keys_do_not_cluster),
        cmocka_unit_test(reset_empties),
        cmocka_unit_test(mixing_depends_on_order_and_value),
        cmocka_unit_test(no_value_leaves_a_hash_as_it_is),
        cmocka_unit_test(seeds_cannot_be_foreseen),
        cmocka_unit_test(every_item_is_found_once_wherever_its_place_is),
        cmocka_unit_test(equal_items_are_all_found),
        cmocka_unit_test(reset_empties_in_near),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
