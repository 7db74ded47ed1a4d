/* Compares planned tensors of two exports: numbers of values differ, so places are compared. */
#include "compare/moved_tensors.h"

#include "plan_fixture.h"

static plan_fixture base, new_side;

/* x -> add -> y at `offset`, and y -> view-like copy -> z. */
static void make_plan(plan_fixture *f, uint64_t offset, int32_t bytes, int n_unused_values) {
    start_plan(f);
    for (int i = 0; i < n_unused_values; i++)
        add_number(f, i);
    int32_t x = add_tensor(f, 0, 16), y = add_tensor(f, offset, bytes), z = add_tensor(f, 64, 16);
    add_input(f, x);
    add_output(f, z);
    add_kernel(f, ADD, x, y, y);
    add_kernel(f, ADD, y, z, z);
    find_lives(f);
}

static eti_report *report;

static eti_table *compare(void) {
    eti_error err = ETI_ERROR_INIT;
    eti_table *table;
    assert_ok(eti__report_new(&report, "diff", ETI_SCALE_MS, &err));
    assert_ok(eti__moved_tensors_begin(&table, report, &err));
    assert_ok(eti__moved_tensors_add(table, eti__text_of("forward"), &base.arenas, &new_side.arenas,
                                     &err));
    return table;
}

static const eti_cell *cell_at(const eti_table *table, size_t row, const char *name) {
    for (size_t i = 0; i < table->n_columns; i++) {
        if (eti__text_is(table->columns[i].name, name))
            return &table->cells[row * table->n_columns + i];
    }
    fail_msg("no column %s", name);
    return NULL;
}

static void end(void) {
    eti_report_free(report);
    end_plan(&base);
    end_plan(&new_side);
}

static void places_count_and_not_numbers(void **state) {
    (void)state;
    make_plan(&base, 16, 16, 0);
    make_plan(&new_side, 16, 16, 5);
    assert_int_equal(compare()->n_rows, 0);
    end();
}

static void another_offset_is_a_move(void **state) {
    (void)state;
    make_plan(&base, 16, 16, 0);
    make_plan(&new_side, 32, 16, 0);
    eti_table *table = compare();
    assert_int_equal(table->n_rows, 1);
    assert_text(cell_at(table, 0, "verdict")->as_text, "moved");
    assert_text(cell_at(table, 0, "tensor")->as_text, "aten::add.out");
    assert_int_equal(cell_at(table, 0, "base_offset")->as_int, 16);
    assert_int_equal(cell_at(table, 0, "new_offset")->as_int, 32);
    end();
}

static void another_shape_is_another_tensor(void **state) {
    (void)state;
    make_plan(&base, 16, 16, 0);
    make_plan(&new_side, 16, 12, 0);
    eti_table *table = compare();
    assert_int_equal(table->n_rows, 2);
    assert_text(cell_at(table, 0, "verdict")->as_text, "gone");
    assert_int_equal(cell_at(table, 0, "new_offset")->kind, ETI_CELL_NONE);
    assert_text(cell_at(table, 1, "verdict")->as_text, "new");
    assert_text(cell_at(table, 1, "shape")->as_text, "[12]");
    end();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_count_and_not_numbers),
        cmocka_unit_test(another_offset_is_a_move),
        cmocka_unit_test(another_shape_is_another_tensor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
