#include "support.h"

#include "rollup/parts.h"
#include "view_events/group_row.h"

#include <math.h>

static const uint64_t sums[] = {40, 10, 60};

/* One block of three runs; a unit of time is 10 ticks. The second group has no events in any run. */
static const eti_rollup rollup = {
    .groups =
        (eti_group[]){
            {.total = {0, 110}, .n_events = 2, .n_calls = 6, .n_runs = 3, .newest_block = 0},
            {.newest_block = ETI_NO_GROUP},
        },
    .n_groups = 2,
    .parts = (eti_group_part[]){{.next = ETI_NO_GROUP, .n_runs = 3, .first_sum = 0}},
    .n_parts = 1,
    .sums = (uint64_t *)sums,
    .n_sums = 3,
    .whole = {0, 220},
    .factor = 10,
    .runs = {.n = 3},
    .most_runs = 3,
};

typedef bool set_function(void *row, eti_cell *cell);

static set_function *const counts_and_times[] = {eti__set_group_events, eti__set_group_calls,
                                                 eti__set_group_total, eti__set_group_share};
static set_function *const statistics[] = {eti__set_group_p50, eti__set_group_avg,
                                           eti__set_group_min, eti__set_group_max};

static eti_cell cell_of(eti_group_row *row, set_function *set) {
    eti_cell cell = {.kind = ETI_CELL_NONE};
    assert_true(set(row, &cell));
    return cell;
}

static void assert_number(eti_cell cell, eti_cell_kind kind, double expected) {
    assert_int_equal(cell.kind, kind);
    assert_true(fabs((kind == ETI_CELL_INT ? (double)cell.as_int : cell.as_double) - expected) <
                1e-12);
}

static void a_group_has_all_cells(void **state) {
    (void)state;
    static const double expected[] = {2, 6, 11, 0.5}, of_sums[] = {4, 110 / 30.0, 1, 6};
    eti_arena arena = {0};
    eti_group_row row = eti__group_row_of(&rollup, &rollup.groups[0], &arena);
    for (size_t i = 0; i < 4; i++) {
        assert_number(cell_of(&row, counts_and_times[i]), i < 2 ? ETI_CELL_INT : ETI_CELL_DOUBLE,
                      expected[i]);
        assert_false(row.is_summarized);
    }
    for (size_t i = 0; i < 4; i++)
        assert_number(cell_of(&row, statistics[i]), ETI_CELL_DOUBLE, of_sums[i]);
    eti__arena_free(&arena);
}

static void sums_are_summarized_once(void **state) {
    (void)state;
    eti_arena arena = {0};
    eti_group_row row = eti__group_row_of(&rollup, &rollup.groups[0], &arena);
    assert_number(cell_of(&row, eti__set_group_max), ETI_CELL_DOUBLE, 6);
    assert_true(row.is_summarized);
    row.times.min = 77;
    assert_number(cell_of(&row, eti__set_group_min), ETI_CELL_DOUBLE, 77);
    eti__arena_free(&arena);
}

static void a_group_without_runs_has_no_statistics(void **state) {
    (void)state;
    eti_group_row row = eti__group_row_of(&rollup, &rollup.groups[1], NULL);
    for (size_t i = 0; i < 4; i++) {
        assert_number(cell_of(&row, counts_and_times[i]), i < 2 ? ETI_CELL_INT : ETI_CELL_DOUBLE,
                      0);
        assert_int_equal(cell_of(&row, statistics[i]).kind, ETI_CELL_NONE);
    }
}

static void a_row_without_a_group_has_none_of_the_cells(void **state) {
    (void)state;
    eti_group_row row = eti__group_row_of(&rollup, NULL, NULL);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(cell_of(&row, counts_and_times[i]).kind, ETI_CELL_NONE);
        assert_int_equal(cell_of(&row, statistics[i]).kind, ETI_CELL_NONE);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_group_has_all_cells),
        cmocka_unit_test(sums_are_summarized_once),
        cmocka_unit_test(a_group_without_runs_has_no_statistics),
        cmocka_unit_test(a_row_without_a_group_has_none_of_the_cells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
