#include "support.h"

#include "base/near_index.h"

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

/* Returns how often `item` is found. */
static size_t count_found(const eti_near_index *index, uint32_t place, uint64_t hash,
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
            assert_int_equal(count_found(&index, place_of(order, i), hash_of(i), i), 0);
            assert_true(eti__near_index_add(&index, place_of(order, i), hash_of(i)));
        }
        for (uint32_t i = 0; i < 5000; i++)
            assert_int_equal(count_found(&index, place_of(order, i), hash_of(i), i), 1);
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
        assert_int_equal(count_found(&index, 42, hash_of(1), i), 1);
    assert_int_equal(count_found(&index, 42, hash_of(2), 0), 0);
    eti__near_index_free(&index);
}

static void reset_empties(void **state) {
    (void)state;
    eti_near_index index = {0};
    assert_true(eti__near_index_reset(&index, 1000));
    for (uint32_t i = 0; i < 1000; i++)
        assert_true(eti__near_index_add(&index, i % 10, hash_of(i)));
    assert_true(eti__near_index_reset(&index, 3));
    for (uint32_t i = 0; i < 1000; i++)
        assert_int_equal(count_found(&index, i % 10, hash_of(i), i), 0);
    assert_true(eti__near_index_add(&index, 3, hash_of(3)));
    assert_int_equal(count_found(&index, 3, hash_of(3), 0), 1);
    eti__near_index_free(&index);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_item_is_found_once_wherever_its_place_is),
        cmocka_unit_test(equal_items_are_all_found),
        cmocka_unit_test(reset_empties),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
