#include "table_cell.h"

#include "support.h"

#include "table_text.h"

#include "table/parts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* ==== table =================================================================================== */
/* cmocka.h needs these */

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

/* ==== reader ================================================================================== */
/* Reads cells one by one, and whole columns. */

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

static eti_table *new_read_table(size_t *n_made) {
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
    eti_table *table = new_read_table(NULL);
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
    eti_table *table = new_read_table(NULL);
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
    readers r = {.table = new_read_table(NULL)};
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
    eti_table *table = new_read_table(&n_made);
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
    eti_table *table = new_read_table(NULL);
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

/* ==== rows ==================================================================================== */
/* Several threads read the rows of a table. */

#define LARGE_BYTES 700000 /* bytes of a row: more than a thread collects */

/* Rows of one text, large ones if `any_large`; row 5 cannot be made if `failing`. */
typedef struct rows_of {
    bool any_large, failing;
} rows_of;

static bool make_rows_row(const void *context, size_t row, eti_row *out) {
    const rows_of *rows = context;
    size_t size = row % 13;
    if (rows->any_large && row % 5 == 2)
        size = LARGE_BYTES + row;
    for (size_t i = 0; i < size; i++)
        eti__buffer_add_char(&out->scratch, (char)('a' + (row + i) % 26));
    out->cells[0].kind = ETI_CELL_TEXT;
    return !(rows->failing && row == 5) && eti__row_take_text(out, &out->cells[0].as_text);
}

static void keep_rows(void *context) {
    (void)context;
}

static eti_table *new_rows_table(rows_of *rows, size_t n_rows, size_t n_threads) {
    const eti_column column = {.name = {"text", 4}};
    eti_table *table;
    assert_int_equal(eti__table_new_made(&table, &column, 1, n_rows,
                                         (eti_row_source){make_rows_row, keep_rows, rows}, NULL),
                     ETI_OK);
    table->n_threads = n_threads;
    return table;
}

/* Rows that a thread saw. */
typedef struct seen {
    size_t n_rows, next;
    bool is_in_order;
} seen;

static void take(void *state, size_t row, const eti_cell *cells, eti_buffer *out) {
    seen *own = state;
    own->is_in_order = own->is_in_order && row >= own->next;
    own->next = row + 1;
    own->n_rows++;
    eti__buffer_printf(out, "%zu ", row);
    eti__buffer_add_text(out, cells[0].as_text);
    eti__buffer_add_char(out, '\n');
}

static eti_buffer text_of(const eti_table *table) {
    seen states[8] = {{0}};
    eti_buffer text = {0};
    eti_output *output;
    size_t n = eti__rows_thread_count(table), n_rows = 0;
    assert_in_range(n, 1, COUNT_OF(states));
    for (size_t i = 0; i < n; i++)
        states[i].is_in_order = true;
    assert_int_equal(eti__output_open_function(&output, keep_output, &text, NULL), ETI_OK);
    assert_true(eti__rows_each(table, take, states, sizeof *states, output));
    assert_int_equal(eti__output_commit(output, NULL), ETI_OK);
    for (size_t i = 0; i < n; i++) {
        assert_true(states[i].is_in_order);
        n_rows += states[i].n_rows;
    }
    assert_int_equal(n_rows, table->n_rows);
    return text;
}

static void text_is_the_same_whatever_the_number_of_threads(void **state) {
    (void)state;
    static const size_t counts[] = {0, 1, 2, 3, 50, 20000};
    for (int any_large = 0; any_large < 2; any_large++) {
        for (size_t c = 0; c < COUNT_OF(counts) - (size_t)any_large; c++) {
            rows_of rows = {.any_large = any_large};
            eti_table *table = new_rows_table(&rows, counts[c], 1);
            eti_buffer expected = text_of(table);
            for (size_t n_threads = 2; n_threads <= 5; n_threads++) {
                table->n_threads = n_threads;
                eti_buffer text = text_of(table);
                assert_int_equal(text.size, expected.size);
                assert_true(text.size == 0 || memcmp(text.data, expected.data, text.size) == 0);
                eti__buffer_free(&text);
            }
            eti__buffer_free(&expected);
            eti_table_free(table);
        }
    }
}

static void a_row_that_cannot_be_made_is_reported(void **state) {
    (void)state;
    rows_of rows = {.failing = true};
    for (size_t n_threads = 1; n_threads <= 3; n_threads++) {
        eti_table *table = new_rows_table(&rows, 100, n_threads);
        seen states[3] = {{0}};
        eti_buffer text = {0};
        eti_output *output;
        assert_int_equal(eti__output_open_function(&output, keep_output, &text, NULL), ETI_OK);
        assert_false(eti__rows_each(table, take, states, sizeof *states, output));
        eti__output_discard(output);
        eti__buffer_free(&text);
        eti_table_free(table);
    }
}

static bool refuse(void *context, const void *data, size_t size) {
    (void)context;
    (void)data;
    (void)size;
    return false;
}

static void rows_end_when_nobody_takes_them(void **state) {
    (void)state;
    rows_of rows = {.any_large = true};
    eti_table *table = new_rows_table(&rows, 10000, 2);
    seen states[2] = {{0}};
    eti_output *output;
    assert_int_equal(eti__output_open_function(&output, refuse, NULL, NULL), ETI_OK);
    assert_true(eti__rows_each(table, take, states, sizeof *states, output));
    assert_int_equal(eti__output_commit(output, NULL), ETI_ERROR_WRITE);
    assert_in_range(states[0].n_rows + states[1].n_rows, 1, 100);
    eti_table_free(table);
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
        cmocka_unit_test(readers_do_not_see_each_other),
        cmocka_unit_test(outside_there_is_nothing),
        cmocka_unit_test(threads_read_one_table),
        cmocka_unit_test(a_cell_has_the_value_of_its_kind_only),
        cmocka_unit_test(a_column_is_read_at_once),
        cmocka_unit_test(missing_rows_and_columns_are_refused),
        cmocka_unit_test(a_stamp_is_read_exactly_or_not),
        cmocka_unit_test(text_is_the_same_whatever_the_number_of_threads),
        cmocka_unit_test(a_row_that_cannot_be_made_is_reported),
        cmocka_unit_test(rows_end_when_nobody_takes_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
