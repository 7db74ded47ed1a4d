/* Reads cells one by one, and whole columns. */
#include "support.h"

#include "base/parallel.h"
#include "table/table.h"

#define N_ROWS 1000

/* Row: its number as a text in the row's memory, as an integer, halved, and whether it is odd; every tenth row has none. */
static bool make_row(const void *context, size_t row, eti_row *out) {
    size_t *n_made = (size_t *)(uintptr_t)context;
    const bool *wanted = out->wanted;
    if (n_made)
        ++*n_made;
    if (row % 10 == 9)
        return true;
    if (!wanted || wanted[0]) {
        eti__buffer_printf(&out->scratch, "%zu", row);
        out->cells[0].kind = ETI_CELL_TEXT;
        if (!eti__row_take_text(out, &out->cells[0].as_text))
            return false;
    }
    out->cells[1] = eti__int_cell((int64_t)row);
    out->cells[2] = eti__double_cell((double)row / 2);
    out->cells[3] = eti__bool_cell(row % 2 == 1);
    out->cells[4] = eti__count_cell(row > 0 ? UINT64_MAX : 0);
    return true;
}

static void free_nothing(void *context) {
    (void)context;
}

static eti_table *new_table(size_t *n_made) {
    static const eti_column columns[] = {
        {.name = {"text", 4}, .type = ETI_TYPE_UTF8},
        {.name = {"n", 1}, .type = ETI_TYPE_INT64},
        {.name = {"half", 4}, .type = ETI_TYPE_FLOAT64},
        {.name = {"odd", 3}, .type = ETI_TYPE_BOOL},
        {.name = {"stamp", 5}, .type = ETI_TYPE_UINT64},
        {.name = {"list", 4}, .type = ETI_TYPE_LIST_INT64},
    };
    const eti_row_source source = {.make = make_row, .free = free_nothing, .context = n_made};
    eti_table *table;
    assert_int_equal(eti__table_new_made(&table, columns, 6, N_ROWS, source, NULL), ETI_OK);
    return table;
}

static eti_table_reader *open_reader(const eti_table *table) {
    eti_table_reader *reader;
    assert_int_equal(eti_table_reader_open(&reader, table, NULL), ETI_OK);
    return reader;
}

static void readers_do_not_see_each_other(void **state) {
    (void)state;
    eti_table *table = new_table(NULL);
    eti_table_reader *first = open_reader(table), *second = open_reader(table);
    const eti_cell *seven = eti_table_reader_cell(first, 7, 0);
    const eti_cell *eight = eti_table_reader_cell(second, 8, 0);
    assert_text(eti_cell_as_text(seven), "7");
    assert_text(eti_cell_as_text(eight), "8");
    assert_text(eti_cell_as_text(eti_table_reader_cell(second, 700, 0)), "700");
    assert_text(eti_cell_as_text(seven), "7");
    assert_true(eti_cell_as_int(eti_table_reader_cell(first, 7, 1)) == 7);
    assert_text(eti_cell_as_text(seven), "7"); /* a different cell of the row was read */
    eti_table_reader_close(first);
    eti_table_reader_close(second);
    eti_table_free(table);
}

static void outside_there_is_nothing(void **state) {
    (void)state;
    eti_table *table = new_table(NULL);
    eti_table_reader *reader = open_reader(table);
    assert_null(eti_table_reader_cell(reader, N_ROWS, 0));
    assert_null(eti_table_reader_cell(reader, 0, 6));
    assert_null(eti_table_reader_cell(reader, SIZE_MAX, SIZE_MAX));
    assert_non_null(eti_table_reader_cell(reader, N_ROWS - 1, 5));
    eti_table_reader_close(reader);
    eti_table_reader_close(NULL);
    eti_table_free(table);
}

typedef struct readers {
    const eti_table *table;
    size_t n_wrong[ETI_MAX_THREADS];
} readers;

static void read_backwards(void *context, size_t i) {
    readers *r = context;
    eti_table_reader *reader = open_reader(r->table);
    for (size_t row = N_ROWS; row-- > 0;) {
        char expected[32];
        snprintf(expected, sizeof expected, "%zu", row);
        eti_text found = eti_cell_as_text(eti_table_reader_cell(reader, row, 0));
        r->n_wrong[i] += row % 10 == 9 ? found.data != NULL : !eti__text_is(found, expected);
    }
    eti_table_reader_close(reader);
}

static void threads_read_one_table(void **state) {
    (void)state;
    readers r = {.table = new_table(NULL)};
    eti__parallel(4, read_backwards, &r);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(r.n_wrong[i], 0);
    eti_table_free((eti_table *)(uintptr_t)r.table);
}

/* ---- cells ----------------------------------------------------------------------------------- */

static void a_cell_has_the_value_of_its_kind_only(void **state) {
    (void)state;
    static const double numbers[] = {1, 2};
    const eti_text text = {"t", 1};
    const eti_cell cells[] = {
        {.kind = ETI_CELL_NONE}, eti__bool_cell(true),
        eti__int_cell(-3),       eti__double_cell(0.5),
        eti__text_cell(text),    {.kind = ETI_CELL_LIST, .as_text = text},
        {.kind = ETI_CELL_NAN},  eti__list_cell(ETI_CELL_DOUBLES, numbers, 2),
    };
    for (size_t i = 0; i < COUNT_OF(cells); i++) {
        const eti_cell *cell = &cells[i];
        eti_cell_kind kind = eti_cell_kind_of(cell);
        bool has_text = kind == ETI_CELL_TEXT || kind == ETI_CELL_LIST;
        assert_int_equal(eti_cell_as_bool(cell), kind == ETI_CELL_BOOL);
        assert_int_equal(eti_cell_as_int(cell), kind == ETI_CELL_INT ? -3 : 0);
        assert_int_equal(isnan(eti_cell_as_double(cell)) != 0,
                         kind != ETI_CELL_DOUBLE && kind != ETI_CELL_INT);
        assert_int_equal(eti_cell_as_text(cell).data != NULL, has_text);
        assert_int_equal(eti_cell_item_count(cell), kind == ETI_CELL_DOUBLES ? 2 : 0);
        assert_ptr_equal(eti_cell_items(cell), kind == ETI_CELL_DOUBLES ? numbers : NULL);
    }
}

/* ---- whole columns --------------------------------------------------------------------------- */

static void a_column_is_read_at_once(void **state) {
    (void)state;
    size_t n_made = 0;
    eti_table *table = new_table(&n_made);
    double doubles[20];
    int64_t ints[20];
    bool is_valid[20];
    assert_int_equal(eti_table_read_doubles(table, 2, 5, 20, doubles, is_valid, NULL), ETI_OK);
    assert_int_equal(n_made, 20);
    for (size_t i = 0; i < 20; i++) {
        assert_int_equal(is_valid[i], (5 + i) % 10 != 9);
        assert_true(is_valid[i] ? doubles[i] == (double)(5 + i) / 2 : isnan(doubles[i]) != 0);
    }
    assert_int_equal(eti_table_read_ints(table, 1, 985, 15, ints, is_valid, NULL), ETI_OK);
    for (size_t i = 0; i < 15; i++)
        assert_true(ints[i] == ((985 + i) % 10 == 9 ? 0 : (int64_t)(985 + i)));
    assert_int_equal(eti_table_read_ints(table, 3, 0, 2, ints, NULL, NULL), ETI_OK);
    assert_true(ints[0] == 0 && ints[1] == 1);
    assert_int_equal(eti_table_read_doubles(table, 4, 1, 1, doubles, NULL, NULL), ETI_OK);
    assert_true(doubles[0] == 18446744073709551616.0);
    assert_int_equal(eti_table_read_doubles(table, 2, N_ROWS, 0, NULL, NULL, NULL), ETI_OK);
    eti_table_free(table);
}

static void missing_rows_and_columns_are_refused(void **state) {
    (void)state;
    eti_table *table = new_table(NULL);
    double doubles[2];
    int64_t ints[2];
    eti_error err = ETI_ERROR_INIT;
    static const size_t no_doubles[] = {0, 3, 5}, no_ints[] = {0, 2, 4, 5};
    for (size_t i = 0; i < COUNT_OF(no_doubles); i++)
        assert_fails(eti_table_read_doubles(table, no_doubles[i], 0, 2, doubles, NULL, &err),
                     ETI_ERROR_USAGE, "does not have a type that can be read as double");
    for (size_t i = 0; i < COUNT_OF(no_ints); i++)
        assert_fails(eti_table_read_ints(table, no_ints[i], 0, 2, ints, NULL, &err),
                     ETI_ERROR_USAGE, "does not have a type that can be read as int64_t");
    assert_fails(eti_table_read_doubles(table, 6, 0, 2, doubles, NULL, &err), ETI_ERROR_USAGE,
                 "the table has 6 columns: there is no column 6");
    assert_fails(eti_table_read_doubles(table, 2, N_ROWS - 1, 2, doubles, NULL, &err),
                 ETI_ERROR_USAGE, "the table has 1000 rows: there are no 2 rows from row 999");
    assert_fails(eti_table_read_doubles(table, 2, SIZE_MAX, 2, doubles, NULL, &err),
                 ETI_ERROR_USAGE, "the table has 1000 rows");
    assert_fails(eti_table_read_doubles(table, 2, 2, SIZE_MAX, doubles, NULL, &err),
                 ETI_ERROR_USAGE, "the table has 1000 rows");
    eti_table_free(table);
}

static void a_stamp_is_read_exactly_or_not(void **state) {
    (void)state;
    uint64_t value;
    const eti_cell most = eti__int_cell(INT64_MAX), negative = eti__int_cell(-1),
                   large = eti__count_cell(UINT64_C(1) << 63), last = eti__count_cell(UINT64_MAX),
                   beyond = eti__double_cell(0x1.0001p64);
    assert_true(eti__cell_read_uint(&most, &value) && value == INT64_MAX);
    assert_true(eti__cell_read_uint(&large, &value) && value == UINT64_C(1) << 63);
    assert_true(eti__cell_read_uint(&last, &value) && value == UINT64_MAX);
    assert_false(eti__cell_read_uint(&negative, &value) || value != 0);
    assert_false(eti__cell_read_uint(&beyond, &value) || value != 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(readers_do_not_see_each_other),
        cmocka_unit_test(outside_there_is_nothing),
        cmocka_unit_test(threads_read_one_table),
        cmocka_unit_test(a_cell_has_the_value_of_its_kind_only),
        cmocka_unit_test(a_column_is_read_at_once),
        cmocka_unit_test(missing_rows_and_columns_are_refused),
        cmocka_unit_test(a_stamp_is_read_exactly_or_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
