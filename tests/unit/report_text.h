/* report_text.h - reports made from literals, and their text in a format, for tests of formats that write whole reports. */
#ifndef ETI_TESTS_UNIT_REPORT_TEXT_H
#define ETI_TESTS_UNIT_REPORT_TEXT_H

#include "base/text.h"
#include "table/table.h"
#include "table_text.h"
#include "write/write.h"

#include "support.h"

/* Makes a table of these columns; `cells` are in row order. */
static inline eti_table *make_typed_table(const eti_column *columns, size_t n,
                                          const eti_cell *cells, size_t n_cells) {
    eti_table *table;
    assert_int_equal(eti__table_new(&table, columns, n, NULL), ETI_OK);
    for (size_t i = 0; i < n_cells; i += n) {
        eti_cell *row = eti__table_add_row(table);
        assert_non_null(row);
        memcpy(row, cells + i, n * sizeof *row);
    }
    return table;
}

/* Makes a report in milliseconds with one section, "things". */
static inline eti_report *make_report(const eti_column *columns, size_t n, const eti_cell *cells,
                                      size_t n_cells) {
    eti_error err = ETI_ERROR_INIT;
    eti_report *report;
    assert_ok(eti__report_new(&report, "example", ETI_SCALE_MS, &err));
    eti_table *table = make_typed_table(columns, n, cells, n_cells);
    assert_ok(eti__report_add(report, "things", NULL, table, &err));
    return report;
}

/* Returns the report in a format; the caller frees it. */
static inline eti_buffer write_to_buffer(const eti_report *report, const char *format,
                                         const eti_write_options *options) {
    eti_error err = ETI_ERROR_INIT;
    eti_buffer buffer = {0};
    assert_ok(eti__report_write(report, format, options, keep_output, &buffer, &err));
    return buffer;
}

static inline void assert_report(const eti_report *report, const char *format,
                                 const eti_write_options *options, const char *expected) {
    eti_buffer buffer = write_to_buffer(report, format, options);
    eti__buffer_add_char(&buffer, '\0');
    assert_string_equal(buffer.data, expected);
    eti__buffer_free(&buffer);
}

#endif
