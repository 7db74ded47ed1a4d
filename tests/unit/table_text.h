/* table_text.h - tables made from literals, and the output of a writer for them, for tests of writers. */
#ifndef ETI_TESTS_UNIT_TABLE_TEXT_H
#define ETI_TESTS_UNIT_TABLE_TEXT_H

/* cmocka.h needs these */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/output.h"
#include "base/text.h"
#include "table/table.h"
#include "write/write.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

#define NO_CELL                                                                                    \
    { .kind = ETI_CELL_NONE }
#define NAN_CELL                                                                                   \
    { .kind = ETI_CELL_NAN }
#define BOOL(value)                                                                                \
    { .kind = ETI_CELL_BOOL, .as_bool = (value) }
#define INT(value)                                                                                 \
    { .kind = ETI_CELL_INT, .as_int = (value) }
#define DOUBLE(value)                                                                              \
    { .kind = ETI_CELL_DOUBLE, .as_double = (value) }
/* Cells of literals, which may hold NULs. */
#define TEXT(literal)                                                                              \
    {                                                                                              \
        .kind = ETI_CELL_TEXT, .as_text = { literal, sizeof(literal) - 1 }                         \
    }
#define LIST(literal)                                                                              \
    {                                                                                              \
        .kind = ETI_CELL_LIST, .as_text = { literal, sizeof(literal) - 1 }                         \
    }

/* Cells of lists of numbers or texts. */
#define DOUBLES(...)                                                                               \
    {                                                                                              \
        .kind = ETI_CELL_DOUBLES, .items = (const double[]){__VA_ARGS__},                          \
        .n_items = COUNT(((const double[]){__VA_ARGS__}))                                          \
    }
#define UINTS(...)                                                                                 \
    {                                                                                              \
        .kind = ETI_CELL_UINTS, .items = (const uint64_t[]){__VA_ARGS__},                          \
        .n_items = COUNT(((const uint64_t[]){__VA_ARGS__}))                                        \
    }
#define INTS(...)                                                                                  \
    {                                                                                              \
        .kind = ETI_CELL_INTS, .items = (const int64_t[]){__VA_ARGS__},                            \
        .n_items = COUNT(((const int64_t[]){__VA_ARGS__}))                                         \
    }
#define TEXTS(...)                                                                                 \
    {                                                                                              \
        .kind = ETI_CELL_TEXTS, .items = (const eti_text[]){__VA_ARGS__},                          \
        .n_items = COUNT(((const eti_text[]){__VA_ARGS__}))                                        \
    }
#define INT_LIST(...)                                                                              \
    { .items = (const int64_t[]){__VA_ARGS__}, .n = COUNT(((const int64_t[]){__VA_ARGS__})) }
#define INT_LISTS(...)                                                                             \
    {                                                                                              \
        .kind = ETI_CELL_INT_LISTS, .items = (const eti_int_list[]){__VA_ARGS__},                  \
        .n_items = COUNT(((const eti_int_list[]){__VA_ARGS__}))                                    \
    }

/* Makes a table. `names` ends with NULL; `cells` are in row order. */
static inline eti_table *make_table(bool index_column, const char *const *names,
                                    const eti_cell *cells, size_t n_cells) {
    eti_column columns[16] = {{.kind = ETI_COLUMN_TEXT}};
    size_t n = 0;
    for (; names[n]; n++)
        columns[n].name = eti__text_of(names[n]);
    eti_table *table;
    assert_int_equal(eti__table_new(&table, columns, n, NULL), ETI_OK);
    table->index_column = index_column;
    for (size_t i = 0; i < n_cells; i += n) {
        eti_cell *row = eti__table_add_row(table);
        assert_non_null(row);
        for (size_t column = 0; column < n; column++)
            row[column] = cells[i + column];
    }
    return table;
}

static inline bool keep_output(void *context, const void *data, size_t size) {
    eti__buffer_add(context, data, size);
    return true;
}

/* Writes and frees `table`, and compares the output; the number of threads must not matter. */
static inline void assert_written(const eti_writer *writer, eti_table *table,
                                  const char *expected) {
    for (size_t n_threads = 1; n_threads <= 3; n_threads++) {
        eti_buffer buffer = {0};
        eti_output *output;
        table->n_threads = n_threads;
        assert_int_equal(eti__output_open_function(&output, keep_output, &buffer, NULL), ETI_OK);
        assert_int_equal(writer->write_table(table,
                                             &(const eti_write_options)ETI_WRITE_OPTIONS_DEFAULT,
                                             output, NULL),
                         ETI_OK);
        assert_int_equal(eti__output_commit(output, NULL), ETI_OK);
        eti__buffer_add_char(&buffer, '\0');
        assert_string_equal(buffer.data, expected);
        eti__buffer_free(&buffer);
    }
    eti_table_free(table);
}

/* Writes the index column, unless INDEX is false. */
#define ASSERT_WRITTEN(writer, index, names, cells, expected)                                      \
    assert_written(writer, make_table(index, names, cells, COUNT(cells)), expected)

#endif
