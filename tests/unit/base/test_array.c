#include "support.h"

#include "base/array.h"

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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(growing_keeps_the_elements),
        cmocka_unit_test(room_that_is_there_is_used),
        cmocka_unit_test(a_large_step_is_made_at_once),
        cmocka_unit_test(sizes_that_overflow_fail_and_leave_the_array),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
