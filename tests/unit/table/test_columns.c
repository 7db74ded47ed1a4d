/* Tests tables described by columns: the table has what the columns describe. */
#include "support.h"
#include "table_text.h"

#include "table/table.h"

static eti_error err;

typedef struct thing {
    const char *name;
    double time;
    size_t n;
    bool has_n;
    unsigned *n_asked; /* number of times `n` was set */
} thing;

ETI_CELL_SETTER(thing, name, eti__string_cell(row->name))
ETI_CELL_SETTER(thing, time, eti__number_or_none(row->time))

static bool set_n(void *context, eti_cell *cell) {
    const thing *row = context;
    ++*row->n_asked;
    if (row->has_n)
        *cell = eti__count_cell(row->n);
    return true;
}

static bool set_nothing(void *context, eti_cell *cell) {
    (void)context;
    (void)cell;
    return false; /* simulates a lack of memory */
}

static const eti_column_spec specs[] = {
    {"name", ETI_TEXTS, false, "what it is called", set_name},
    {NULL, ETI_TEXTS, false, NULL, set_nothing},
    {"time", ETI_TIMES, false, NULL, set_time},
    {"n", ETI_COUNTS, true, NULL, set_n},
};

static void check_columns(const eti_table *table) {
    static const eti_column_type types[] = {ETI_TYPE_UTF8, ETI_TYPE_FLOAT64, ETI_TYPE_INT64};
    static const eti_column_kind kinds[] = {ETI_COLUMN_TEXT, ETI_COLUMN_TIME, ETI_COLUMN_COUNT};
    assert_int_equal(eti_table_column_count(table), 3); /* one column has no name */
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(eti_table_column_type(table, i), types[i]);
        assert_int_equal(eti_table_column_kind(table, i), kinds[i]);
        assert_int_equal(eti_table_column_is_extra(table, i), i == 2);
    }
    assert_text(eti_table_column_name(table, 0), "name");
    assert_text(eti_table_column_name(table, 1), "time (ms)");
    assert_string_equal(eti_table_column_help(table, 0), "what it is called");
    assert_null(eti_table_column_help(table, 1));
}

/* Reads the cells of a row, which stay valid until the next one is read. */
static const eti_cell *read_row(eti_row_reader *reader, size_t row) {
    const eti_cell *cells = eti__row_reader_read(reader, row);
    assert_false(reader->failed);
    return cells;
}

static void check_rows(const eti_table *table) {
    eti_row_reader reader;
    assert_true(eti__row_reader_open(&reader, table));
    const eti_cell *cells = read_row(&reader, 0);
    assert_text(cells[0].as_text, "a");
    assert_int_equal(cells[1].kind, ETI_CELL_DOUBLE);
    assert_bits(cells[1].as_double, 1.5);
    assert_int_equal(cells[2].kind, ETI_CELL_INT);
    assert_int_equal(cells[2].as_int, 7);
    cells = read_row(&reader, 1);
    assert_text(cells[0].as_text, "b");
    assert_int_equal(cells[1].kind, ETI_CELL_NONE);
    assert_int_equal(cells[2].kind, ETI_CELL_NONE);
    eti__row_reader_close(&reader);
}

static void rows_are_an_array(void **state) {
    (void)state;
    unsigned n_asked = 0;
    thing things[] = {{"a", 1.5, 7, true, &n_asked}, {"b", (double)NAN, 0, false, &n_asked}};
    eti_table *table;
    assert_ok(eti__columns_make_array(&table, specs, ETI_N_COLUMNS(specs), things, sizeof *things,
                                      COUNT_OF(things), "ms", &err));
    assert_int_equal(eti_table_row_count(table), 2);
    check_columns(table);
    check_rows(table);
    assert_int_equal(n_asked, 2);
    eti_table_free(table);
}

static void rows_are_stored(void **state) {
    (void)state;
    unsigned n_asked = 0;
    thing things[] = {{"a", 1.5, 7, true, &n_asked}, {"b", (double)NAN, 0, false, &n_asked}};
    eti_table *table;
    assert_ok(eti__columns_make(&table, specs, ETI_N_COLUMNS(specs), "ms", &err));
    for (size_t i = 0; i < COUNT_OF(things); i++)
        assert_ok(eti__columns_add_row(table, specs, ETI_N_COLUMNS(specs), &things[i], &err));
    check_columns(table);
    check_rows(table);
    eti_table_free(table);
}

static void cells_that_nobody_wants_are_not_made(void **state) {
    (void)state;
    static const bool wanted[] = {true, false, false};
    unsigned n_asked = 0;
    thing things[] = {{"a", 1.5, 7, true, &n_asked}};
    eti_table *table;
    eti_row_reader reader;
    assert_ok(eti__columns_make_array(&table, specs, ETI_N_COLUMNS(specs), things, sizeof *things,
                                      1, NULL, &err));
    assert_text(eti_table_column_name(table, 1), "time"); /* there is no unit */
    assert_true(eti__row_reader_open(&reader, table));
    reader.row.wanted = wanted;
    assert_text(read_row(&reader, 0)[0].as_text, "a");
    assert_int_equal(n_asked, 0);
    eti__row_reader_close(&reader);
    eti_table_free(table);
}

static void a_cell_that_cannot_be_made_fails(void **state) {
    (void)state;
    static const eti_column_spec failing[] = {{"x", ETI_TEXTS, false, NULL, set_nothing}};
    eti_table *table;
    eti_row_reader reader;
    thing one = {.name = "a"};
    assert_ok(eti__columns_make_array(&table, failing, 1, &one, sizeof one, 1, NULL, &err));
    assert_true(eti__row_reader_open(&reader, table));
    assert_int_equal(eti__row_reader_read(&reader, 0)[0].kind, ETI_CELL_NONE);
    assert_true(reader.failed);
    eti__row_reader_close(&reader);
    eti_table_free(table);
    assert_ok(eti__columns_make(&table, failing, 1, NULL, &err));
    assert_int_equal(eti__columns_add_row(table, failing, 1, &one, &err), ETI_ERROR_MEMORY);
    eti_table_free(table);
}

static void lists_are_as_python_prints_them(void **state) {
    (void)state;
    const struct {
        eti_cell cell;
        const char *expected;
    } examples[] = {
        {DOUBLES(0.1, 2), "[0.1, 2.0]"},
        {UINTS(UINT64_MAX), "[18446744073709551615]"},
        {INTS(-1, 2), "[-1, 2]"},
        {TEXTS({"a", 1}, {"it's", 4}), "['a', \"it's\"]"},
        {INT_LISTS(INT_LIST(1, 3, 64), {NULL, 0}, INT_LIST(-1)), "[[1, 3, 64], [], [-1]]"},
        {{.kind = ETI_CELL_INT_LISTS}, "[]"},
    };
    for (size_t i = 0; i < COUNT(examples); i++) {
        eti_buffer out = {0};
        assert_true(eti__cell_is_list(&examples[i].cell));
        eti__list_add(&out, &examples[i].cell);
        assert_true(eti__text_is(eti__buffer_text(&out), examples[i].expected));
        eti__buffer_free(&out);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_an_array),
        cmocka_unit_test(rows_are_stored),
        cmocka_unit_test(cells_that_nobody_wants_are_not_made),
        cmocka_unit_test(a_cell_that_cannot_be_made_fails),
        cmocka_unit_test(lists_are_as_python_prints_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
