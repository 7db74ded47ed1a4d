/* Compares nesting with its definition, which assigns every tick to one interval. */
#include "support.h"

#include "account/nesting.h"

#define MOST 14
#define TICKS 24

/* Uses its own generator so that failures repeat. */
static uint64_t state_of_random = 88172645463325252u;

static uint32_t random_below(uint32_t n) {
    state_of_random ^= state_of_random << 13;
    state_of_random ^= state_of_random >> 7;
    state_of_random ^= state_of_random << 17;
    return (uint32_t)(state_of_random >> 33) % n;
}

/* ---- the definition -------------------------------------------------------------------------- */

static bool is_before(const eti_nesting *x, size_t a, size_t b) {
    if (x->start[a] != x->start[b])
        return x->start[a] < x->start[b];
    if (x->end[a] != x->end[b])
        return x->end[a] > x->end[b];
    return a > b;
}

/* Returns the latest interval that contains `inner`; one that only touches it is a last resort, the earliest first. */
static uint32_t parent_by_definition(const eti_nesting *x, size_t inner) {
    uint32_t latest = ETI_NO_PARENT, touching = ETI_NO_PARENT;
    for (uint32_t i = 0; i < x->n; i++) {
        if (i == inner || !is_before(x, i, inner) || x->end[i] < x->end[inner])
            continue;
        if (x->end[i] == x->start[inner] && x->start[i] < x->start[inner]) {
            if (touching == ETI_NO_PARENT || is_before(x, i, touching))
                touching = i;
        } else if (latest == ETI_NO_PARENT || is_before(x, latest, i)) {
            latest = i;
        }
    }
    return latest != ETI_NO_PARENT ? latest : touching;
}

static uint32_t root_of(const eti_nesting *x, uint32_t i) {
    while (x->parent[i] != ETI_NO_PARENT)
        i = x->parent[i];
    return i;
}

/* Counts the ticks at which the interval is the latest open one in its tree. */
static uint64_t self_by_definition(const eti_nesting *x, uint32_t i) {
    uint64_t ticks = 0;
    for (uint64_t t = x->start[i]; t < x->end[i]; t++) {
        bool is_latest = true;
        for (uint32_t j = 0; j < x->n; j++) {
            bool is_open = x->start[j] <= t && t < x->end[j];
            if (j != i && is_open && is_before(x, i, j) && root_of(x, j) == root_of(x, i))
                is_latest = false;
        }
        ticks += is_latest;
    }
    return ticks;
}

static void assert_as_defined(const eti_nesting *x) {
    uint64_t sums[MOST] = {0};
    for (uint32_t i = 0; i < x->n; i++)
        sums[root_of(x, i)] += x->self[i];
    for (uint32_t i = 0; i < x->n; i++) {
        assert_int_equal(x->parent[i], parent_by_definition(x, i));
        assert_int_equal(x->self[i], self_by_definition(x, i));
        if (x->parent[i] == ETI_NO_PARENT)
            assert_int_equal(sums[i], x->end[i] - x->start[i]);
    }
}

/* ---- tests ----------------------------------------------------------------------------------- */

static eti_nesting nesting_of(const uint64_t (*intervals)[2], size_t n) {
    eti_nesting x;
    assert_int_equal(eti__nesting_init(&x, n, NULL), ETI_OK);
    for (size_t i = 0; i < n; i++) {
        x.start[i] = intervals[i][0];
        x.end[i] = intervals[i][1];
    }
    eti__nesting_find(&x);
    return x;
}

static void events_inside_are_subtracted(void **state) {
    (void)state;
    /* recorded as they end: kernel, call, kernel, call, execute */
    const uint64_t intervals[][2] = {{12, 18}, {11, 20}, {31, 39}, {30, 40}, {10, 50}};
    eti_nesting x = nesting_of(intervals, 5);
    const uint32_t parents[] = {1, 4, 3, 4, ETI_NO_PARENT};
    const uint64_t own[] = {6, 3, 8, 2, 21};
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(x.parent[i], parents[i]);
        assert_int_equal(x.self[i], own[i]);
    }
    assert_int_equal(x.n_overlaps, 0);
    eti__nesting_free(&x);
}

static void of_equal_intervals_the_later_recorded_is_outside(void **state) {
    (void)state;
    const uint64_t intervals[][2] = {{5, 9}, {5, 9}, {5, 9}};
    eti_nesting x = nesting_of(intervals, 3);
    assert_int_equal(x.parent[0], 1);
    assert_int_equal(x.parent[1], 2);
    assert_int_equal(x.parent[2], ETI_NO_PARENT);
    assert_int_equal(x.self[0], 4);
    assert_int_equal(x.self[1] + x.self[2], 0);
    eti__nesting_free(&x);
}

static void empty_slices_are_not_inside_slices_that_end_there(void **state) {
    (void)state;
    const uint64_t intervals[][2] = {{2, 5}, {5, 5}, {10, 10}, {0, 10}};
    eti_nesting x = nesting_of(intervals, 4);
    assert_int_equal(x.parent[0], 3);
    assert_int_equal(x.parent[1], 3);
    assert_int_equal(x.parent[2], 3);
    assert_int_equal(x.self[3], 7);
    eti__nesting_free(&x);
}

static void partial_overlaps_count_for_the_later_event(void **state) {
    (void)state;
    const uint64_t intervals[][2] = {{1, 8}, {0, 8}, {2, 10}, {0, 20}, {15, 30}, {16, 18}};
    eti_nesting x = nesting_of(intervals, 6);
    const uint64_t own[] = {1, 1, 8, 10, 13, 2};
    const uint32_t parents[] = {1, 3, 3, ETI_NO_PARENT, ETI_NO_PARENT, 4};
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(x.self[i], own[i]);
        assert_int_equal(x.parent[i], parents[i]);
    }
    assert_int_equal(x.n_overlaps, 2);
    assert_int_equal(x.overlaps[0], 1);
    assert_int_equal(x.overlaps[1], 0);
    eti__nesting_free(&x);
}

static void the_largest_stamps_do_not_overflow(void **state) {
    (void)state;
    const uint64_t intervals[][2] = {{UINT64_MAX, UINT64_MAX}, {1, UINT64_MAX}, {0, UINT64_MAX}};
    eti_nesting x = nesting_of(intervals, 3);
    assert_true(x.self[0] == 0 && x.self[1] == UINT64_MAX - 1 && x.self[2] == 1);
    eti__nesting_free(&x);
}

static void nothing_is_nested_in_nothing(void **state) {
    (void)state;
    eti_nesting x = nesting_of(NULL, 0);
    assert_int_equal(x.n_overlaps, 0);
    eti__nesting_free(&x);
}

/* Computes several in a row with the same arrays, as for runs. */
static void random_intervals_nest_as_defined(void **state) {
    (void)state;
    for (size_t n = 1; n <= MOST; n++) {
        eti_nesting x;
        assert_int_equal(eti__nesting_init(&x, n, NULL), ETI_OK);
        for (int round = 0; round < 600; round++) {
            uint32_t longest = 1 + random_below(TICKS);
            for (size_t i = 0; i < n; i++) {
                x.start[i] = random_below(TICKS);
                x.end[i] = x.start[i] + random_below(longest);
            }
            eti__nesting_find(&x);
            assert_as_defined(&x);
        }
        eti__nesting_free(&x);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_inside_are_subtracted),
        cmocka_unit_test(of_equal_intervals_the_later_recorded_is_outside),
        cmocka_unit_test(empty_slices_are_not_inside_slices_that_end_there),
        cmocka_unit_test(partial_overlaps_count_for_the_later_event),
        cmocka_unit_test(the_largest_stamps_do_not_overflow),
        cmocka_unit_test(nothing_is_nested_in_nothing),
        cmocka_unit_test(random_intervals_nest_as_defined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
