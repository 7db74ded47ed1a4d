/* Several threads read the rows of a table. */
#include "table/rows.h"

#include "support.h"
#include "table_text.h"

#define LARGE_BYTES 700000 /* bytes of a row: more than a thread collects */

/* Rows of one text, large ones if `any_large`; row 5 cannot be made if `failing`. */
typedef struct rows_of {
    bool any_large, failing;
} rows_of;

static bool make_row(const void *context, size_t row, eti_row *out) {
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

static eti_table *new_table(rows_of *rows, size_t n_rows, size_t n_threads) {
    const eti_column column = {.name = {"text", 4}};
    eti_table *table;
    assert_int_equal(eti__table_new_made(&table, &column, 1, n_rows,
                                         (eti_row_source){make_row, keep_rows, rows}, NULL),
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
            eti_table *table = new_table(&rows, counts[c], 1);
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
        eti_table *table = new_table(&rows, 100, n_threads);
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
    eti_table *table = new_table(&rows, 10000, 2);
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
        cmocka_unit_test(text_is_the_same_whatever_the_number_of_threads),
        cmocka_unit_test(a_row_that_cannot_be_made_is_reported),
        cmocka_unit_test(rows_end_when_nobody_takes_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
