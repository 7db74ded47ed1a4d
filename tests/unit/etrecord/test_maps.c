#include "support.h"

#include "base/text.h"
#include "etrecord/etrecord.h"
#include "etrecord/maps.h"

static void an_id_is_written_as_python_writes_it(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool is_id;
        int32_t id;
    } cases[] = {
        {"0", true, 0},
        {"7", true, 7},
        {"10", true, 10},
        {"-1", true, -1},
        {"-10", true, -10},
        {"2147483647", true, INT32_MAX},
        {"-2147483648", true, INT32_MIN},
        {"2147483648", false, 0},
        {"-2147483649", false, 0},
        {"9999999999", false, 0},
        {"99999999999999999999", false, 0},
        {"", false, 0},
        {"-", false, 0},
        {"-0", false, 0},
        {"00", false, 0},
        {"07", false, 0},
        {"-07", false, 0},
        {"+7", false, 0},
        {" 7", false, 0},
        {"7 ", false, 0},
        {"1_0", false, 0},
        {"7a", false, 0},
        {"x", false, 0},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        int32_t id = 0;
        bool is_id = eti__id_parse(eti__text_of(cases[i].text), &id);
        if (is_id != cases[i].is_id)
            fail_msg("\"%s\" is %san id", cases[i].text, is_id ? "" : "not ");
        if (is_id)
            assert_int_equal(id, cases[i].id);
    }
}

/* Adds texts in turn; equal ones get the number of the first. */
static void expect_numbers(const int32_t *ids, const uint32_t *numbers, size_t n) {
    eti_id_table table = {0};
    uint32_t number;
    for (size_t i = 0; i < n; i++) {
        bool is_new = true;
        for (size_t j = 0; j < i; j++)
            is_new = is_new && ids[j] != ids[i];
        assert_int_equal(eti__id_table_find(&table, ids[i], &number), !is_new);
        assert_true(eti__id_table_add(&table, ids[i], &number));
        assert_int_equal(number, numbers[i]);
        for (size_t j = 0; j <= i; j++) {
            assert_true(eti__id_table_find(&table, ids[j], &number));
            assert_int_equal(number, numbers[j]);
        }
        assert_false(eti__id_table_find(&table, 1000, &number));
        assert_false(eti__id_table_find(&table, -1000, &number));
        assert_false(eti__id_table_find(&table, 4, &number));
    }
    eti__id_table_free(&table);
}

static void ids_in_order_are_found(void **state) {
    (void)state;
    const int32_t dense[] = {0, 1, 2, 3, 5, 6, 7};
    const int32_t sparse[] = {INT32_MIN, -7, 0, 1, 9, 100, INT32_MAX};
    const uint32_t numbers[] = {0, 1, 2, 3, 4, 5, 6};
    expect_numbers(dense, numbers, COUNT_OF(dense));
    expect_numbers(sparse, numbers, COUNT_OF(sparse));
}

static void ids_out_of_order_are_found(void **state) {
    (void)state;
    const int32_t ids[] = {3, 5, 5, 3, 1, 5, 2, 9, -1, 1, 9};
    const uint32_t numbers[] = {0, 1, 1, 0, 2, 1, 3, 4, 5, 2, 4};
    expect_numbers(ids, numbers, COUNT_OF(ids));
}

static void many_ids_are_found(void **state) {
    (void)state;
    eti_id_table table = {0};
    uint32_t number;
    for (int32_t i = 0; i < 20000; i++) {
        assert_true(eti__id_table_add(&table, i < 10000 ? 3 * i : -i, &number));
        assert_int_equal(number, i);
    }
    assert_int_equal(table.count, 20000);
    for (int32_t i = 0; i < 20000; i++) {
        assert_true(eti__id_table_find(&table, i < 10000 ? 3 * i : -i, &number));
        assert_int_equal(number, i);
        assert_false(eti__id_table_find(&table, 3 * i + 1, &number));
    }
    eti__id_table_free(&table);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_id_is_written_as_python_writes_it),
        cmocka_unit_test(ids_in_order_are_found),
        cmocka_unit_test(ids_out_of_order_are_found),
        cmocka_unit_test(many_ids_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
