/* cmocka.h needs these */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "table_cell.h"

static eti_table *new_table(void) {
    const eti_column columns[] = {{.name = {"first", 5}},
                                  {.name = {"se\0cond", 7}, .kind = ETI_COLUMN_TIME},
                                  {.name = {NULL, 0}, .is_extra = true}};
    eti_table *table = NULL;
    assert_int_equal(eti__table_new(&table, columns, 3, NULL), ETI_OK);
    assert_non_null(table);
    return table;
}

static void test_new_table_is_empty(void **state) {
    (void)state;
    eti_table *table = new_table();
    assert_int_equal(eti_table_row_count(table), 0);
    assert_int_equal(eti_table_column_count(table), 3);
    assert_false(table->index_column);
    eti_table_free(table);
}

static void test_names_are_copied(void **state) {
    (void)state;
    char name[] = "name";
    eti_table *table;
    assert_int_equal(eti__table_new(&table, &(eti_column){.name = {name, 4}}, 1, NULL), ETI_OK);
    name[0] = 'X';
    assert_true(eti__text_is(eti_table_column_name(table, 0), "name"));
    eti_table_free(table);
}

static void test_names_of_any_bytes(void **state) {
    (void)state;
    eti_table *table = new_table();
    assert_true(eti__text_equal(eti_table_column_name(table, 1), (eti_text){"se\0cond", 7}));
    assert_true(eti__text_is(eti_table_column_name(table, 2), ""));
    eti_table_free(table);
}

static void test_new_cells_are_none(void **state) {
    (void)state;
    eti_table *table = new_table();
    for (size_t i = 0; i < 100; i++) {
        eti_cell *row = eti__table_add_row(table);
        assert_non_null(row);
        for (size_t column = 0; column < 3; column++) {
            assert_int_equal(row[column].kind, ETI_CELL_NONE);
            row[column] = (eti_cell){.kind = ETI_CELL_INT, .as_int = 7};
        }
    }
    eti_table_free(table);
}

static void test_growing_keeps_the_rows(void **state) {
    (void)state;
    eti_table *table = new_table();
    for (int64_t i = 0; i < 1000; i++)
        eti__table_add_row(table)[1] = (eti_cell){.kind = ETI_CELL_INT, .as_int = i};
    assert_int_equal(eti_table_row_count(table), 1000);
    for (size_t i = 0; i < 1000; i++) {
        assert_int_equal(table_cell(table, i, 1).as_int, i);
        assert_int_equal(table_cell(table, i, 2).kind, ETI_CELL_NONE);
    }
    eti_table_free(table);
}

static void test_outside_there_is_nothing(void **state) {
    (void)state;
    eti_table *table = new_table();
    eti__table_add_row(table)[0] = (eti_cell){.kind = ETI_CELL_BOOL, .as_bool = true};
    assert_int_equal(table_cell(table, 1, 0).kind, ETI_CELL_NONE);
    assert_int_equal(table_cell(table, 0, 3).kind, ETI_CELL_NONE);
    assert_int_equal(table_cell(table, SIZE_MAX, SIZE_MAX).kind, ETI_CELL_NONE);
    for (size_t past = 3; past; past = past == 3 ? SIZE_MAX : 0) {
        assert_null(eti_table_column_name(table, past).data);
        assert_int_equal(eti_table_column_kind(table, past), ETI_COLUMN_TEXT);
        assert_int_equal(eti_table_column_type(table, past), ETI_TYPE_UTF8);
        assert_false(eti_table_column_is_extra(table, past));
        assert_null(eti_table_column_help(table, past));
    }
    assert_string_equal(eti_column_kind_name(ETI_COLUMN_CHANGE), "change");
    assert_string_equal(eti_column_kind_name(ETI_COLUMN_MARK), "mark");
    assert_string_equal(eti_column_kind_name(ETI_COLUMN_SERIES), "series");
    assert_string_equal(eti_column_kind_name(ETI_COLUMN_UNIT), "unit");
    assert_string_equal(eti_column_kind_name(ETI_COLUMN_RANGES), "ranges");
    assert_null(eti_column_kind_name((eti_column_kind)(ETI_COLUMN_RANGES + 1)));
    assert_null(eti_column_kind_name((eti_column_kind)-1));
    eti_table_free(table);
}

static void test_owned_text(void **state) {
    (void)state;
    eti_table *table = new_table();
    char bytes[] = "text";
    eti_text owned;
    assert_true(eti__table_own_text(table, (eti_text){bytes, 4}, &owned));
    bytes[0] = 'X';
    assert_true(eti__text_is(owned, "text"));
    eti_table_free(table);
}

static void test_owned_text_is_utf8(void **state) {
    (void)state;
    eti_table *table = new_table();
    eti_text owned;
    assert_true(eti__table_own_text(table, eti__text_of("a\xff\xfe\xc3\xa9\xe2\x82."), &owned));
    assert_true(eti__text_is(owned, "a\xef\xbf\xbd\xef\xbf\xbd\xc3\xa9\xef\xbf\xbd."));
    assert_true(eti__table_own_text(table, (eti_text){NULL, 0}, &owned));
    assert_null(owned.data);
    eti_table_free(table);
}

static void test_no_columns(void **state) {
    (void)state;
    eti_table *table;
    assert_int_equal(eti__table_new(&table, NULL, 0, NULL), ETI_OK);
    assert_non_null(eti__table_add_row(table));
    assert_int_equal(eti_table_row_count(table), 1);
    assert_int_equal(eti_table_column_count(table), 0);
    eti_table_free(table);
}

static void test_too_many_columns(void **state) {
    (void)state;
    eti_column column = {.name = {"x", 1}};
    eti_table *table = (eti_table *)&column; /* the pointer must become NULL */
    eti_error err = ETI_ERROR_INIT;
    assert_int_equal(eti__table_new(&table, &column, SIZE_MAX / 2, &err), ETI_ERROR_MEMORY);
    assert_int_equal(err.status, ETI_ERROR_MEMORY);
    assert_null(table);
}

static void test_freeing_nothing(void **state) {
    (void)state;
    eti_table_free(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_new_table_is_empty),
        cmocka_unit_test(test_names_are_copied),
        cmocka_unit_test(test_names_of_any_bytes),
        cmocka_unit_test(test_new_cells_are_none),
        cmocka_unit_test(test_growing_keeps_the_rows),
        cmocka_unit_test(test_outside_there_is_nothing),
        cmocka_unit_test(test_owned_text),
        cmocka_unit_test(test_owned_text_is_utf8),
        cmocka_unit_test(test_no_columns),
        cmocka_unit_test(test_too_many_columns),
        cmocka_unit_test(test_freeing_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
