/* Reads rows of many ETDumps through the functions of etinspect.h. */
#include "etinspect.h"
#include "support.h"

#include "table/table.h"

#define SMALL "testdata/small/run.etdp"
#define N_SMALL 17 /* rows of the dump */

static eti_request *make_request(const char *const *options) {
    eti_request *request;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti_request_new(&request, &err));
    for (; options && options[0]; options += 2)
        assert_ok(eti_request_set(request, options[0], options[1], &err));
    return request;
}

/* Makes rows of two ETDumps and, between them, a file that is not an ETDump. */
static eti_rows *make_rows(const char *const *options) {
    static const eti_source dumps[] = {{.path = SMALL},
                                       {.path = "device=a/x", .data = "damaged", .size = 7},
                                       {.path = "testdata/mlp/run.etdp"}};
    eti_request *request = make_request(options);
    eti_rows *rows;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti_rows_new(&rows, dumps, 3, request, &err));
    eti_request_free(request);
    assert_int_equal(eti_rows_dump_count(rows), 3);
    return rows;
}

static size_t find_column(const eti_table *table, const char *name) {
    for (size_t i = 0; i < eti_table_column_count(table); i++) {
        eti_text found = eti_table_column_name(table, i);
        if (found.size == strlen(name) && memcmp(found.data, name, found.size) == 0)
            return i;
    }
    fail_msg("no column %s", name);
    return 0;
}

/* ---- reading --------------------------------------------------------------------------------- */

static void the_reader_gives_a_table_for_each(void **state) {
    (void)state;
    static const char *const options[] = {"labels_from_path", "true", NULL};
    eti_rows *rows = make_rows(options);
    eti_rows_reader *reader;
    eti_table *tables[3], *end;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti_rows_reader_open(&reader, rows, &err));
    eti_rows_free(rows); /* the reader keeps them */
    for (size_t i = 0; i < 3; i++)
        assert_ok(eti_rows_reader_next(reader, &tables[i], &err));
    for (size_t i = 0; i < 2; i++) {
        assert_ok(eti_rows_reader_next(reader, &end, &err));
        assert_null(end);
    }
    assert_int_equal(eti_rows_reader_failed_count(reader), 1);
    eti_rows_reader_close(reader);
    assert_int_equal(eti_table_row_count(tables[0]), N_SMALL);
    assert_int_equal(eti_table_row_count(tables[1]), 1);
    for (size_t i = 0; i < 3; i++) {
        eti_table_reader *cells;
        assert_ok(eti_table_reader_open(&cells, tables[i], &err));
        const eti_cell *path = eti_table_reader_cell(cells, 0, 0);
        assert_text(eti_cell_as_text(path), i == 0   ? SMALL
                                            : i == 1 ? "device=a/x"
                                                     : "testdata/mlp/run.etdp");
        const eti_cell *device = eti_table_reader_cell(cells, 0, find_column(tables[i], "device"));
        const eti_cell *error = eti_table_reader_cell(cells, 0, find_column(tables[i], "error"));
        const eti_cell *elapsed =
            eti_table_reader_cell(cells, 0, find_column(tables[i], "elapsed"));
        assert_int_equal(eti_cell_kind_of(device), i == 1 ? ETI_CELL_TEXT : ETI_CELL_NONE);
        assert_int_equal(eti_cell_kind_of(error), i == 1 ? ETI_CELL_TEXT : ETI_CELL_NONE);
        assert_int_equal(eti_cell_kind_of(elapsed), i == 1 ? ETI_CELL_NONE : ETI_CELL_DOUBLE);
        eti_table_reader_close(cells);
        eti_table_free(tables[i]);
    }
}

static void a_mode_decides(void **state) {
    (void)state;
    static const char *const dropping[] = {"mode", "dropmalformed", NULL}, *const failing[] = {
                                                                               "mode", "failfast",
                                                                               NULL};
    eti_rows *rows = make_rows(dropping);
    eti_rows_reader *reader;
    eti_table *table;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti_rows_reader_open(&reader, rows, &err));
    for (size_t i = 0; i < 2; i++) {
        assert_ok(eti_rows_reader_next(reader, &table, &err));
        assert_true(eti_table_row_count(table) >= N_SMALL);
        eti_table_free(table);
    }
    assert_ok(eti_rows_reader_next(reader, &table, &err));
    assert_null(table);
    assert_int_equal(eti_rows_reader_failed_count(reader), 1);
    eti_rows_reader_close(reader);
    eti_rows_free(rows);

    rows = make_rows(failing);
    assert_ok(eti_rows_reader_open(&reader, rows, &err));
    assert_ok(eti_rows_reader_next(reader, &table, &err));
    eti_table_free(table);
    assert_fails(eti_rows_reader_next(reader, &table, &err), ETI_ERROR_MALFORMED, "device=a/x: ");
    assert_null(table);
    assert_ok(
        eti_rows_reader_next(reader, &table, &err)); /* the reader goes on if it is called again */
    eti_table_free(table);
    eti_rows_reader_close(reader);
    eti_rows_free(rows);
}

/* ---- options --------------------------------------------------------------------------------- */

static eti_status try_rows(const char *const *options, size_t n_dumps, eti_error *err) {
    static const eti_source dumps[] = {{.path = SMALL}};
    eti_request *request = make_request(options);
    eti_rows *rows = (eti_rows *)1;
    eti_status status = eti_rows_new(&rows, dumps, n_dumps, request, err);
    eti_request_free(request);
    if (status == ETI_OK)
        eti_rows_free(rows);
    else
        assert_null(rows);
    return status;
}

static void wrong_requests_fail_at_once(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    assert_fails(try_rows(NULL, 0, &err), ETI_ERROR_USAGE, "no ETDump was given");
    assert_fails(try_rows((const char *const[]){"sort", "elapsed", NULL}, 1, &err), ETI_ERROR_USAGE,
                 "sort: ");
    assert_fails(try_rows((const char *const[]){"top", "3", NULL}, 1, &err), ETI_ERROR_USAGE,
                 "top: ");
    assert_fails(try_rows((const char *const[]){"columns", "p50", NULL}, 1, &err), ETI_ERROR_USAGE,
                 "no column p50");
    assert_fails(try_rows((const char *const[]){"label", "block=1", NULL}, 1, &err),
                 ETI_ERROR_USAGE, "the label block");
    assert_fails(try_rows((const char *const[]){"filter", "elapsed >", NULL}, 1, &err),
                 ETI_ERROR_USAGE, "found the end");
    assert_int_equal(err.position, 10);
    assert_fails(try_rows((const char *const[]){"target_time_scale", "cycles", NULL}, 1, &err),
                 ETI_ERROR_USAGE, "cycles");
    assert_fails(try_rows((const char *const[]){"etrecord_path", SMALL, NULL}, 1, &err),
                 ETI_ERROR_MALFORMED, "ETRecord");
    assert_fails(try_rows((const char *const[]){"files_from", "missing", NULL}, 1, &err),
                 ETI_ERROR_READ, "missing");
    assert_ok(
        try_rows((const char *const[]){"columns", "p50", "granularity", "dump", NULL}, 1, &err));
    const eti_source nothing = {.path = NULL};
    eti_rows *rows;
    assert_fails(eti_rows_new(&rows, &nothing, 1, NULL, &err), ETI_ERROR_USAGE,
                 "neither a path nor data");
}

/* A filter may name hidden columns. */
static void columns_and_filters_choose(void **state) {
    (void)state;
    static const char *const options[] = {"columns", "elapsed,path", "filter",
                                          "run == 1 and block == \"Execute\"", NULL};
    eti_rows *rows = make_rows(options);
    eti_rows_reader *reader;
    eti_table *table;
    eti_error err = ETI_ERROR_INIT;
    assert_int_equal(eti_table_row_count(eti_rows_columns(rows)), 0);
    assert_int_equal(eti_table_column_count(eti_rows_columns(rows)), 2);
    assert_ok(eti_rows_reader_open(&reader, rows, &err));
    for (size_t i = 0; i < 3; i++) {
        static const size_t n_rows[] = {5, 1, 13};
        assert_ok(eti_rows_reader_next(reader, &table, &err));
        assert_int_equal(eti_table_row_count(table), n_rows[i]);
        assert_int_equal(eti_table_column_count(table), 2);
        assert_text(eti_table_column_name(table, 0), "elapsed");
        assert_text(eti_table_column_name(table, 1), "path");
        eti_table_free(table);
    }
    eti_rows_reader_close(reader);
    eti_rows_free(rows);
}

/* ---- lives ----------------------------------------------------------------------------------- */

static void count_up(void *context) {
    ++*(int *)context;
}

static bool ignore_output(void *context, const void *data, size_t size) {
    (void)context, (void)data, (void)size;
    return true;
}

/* Bytes in memory must stay until the last table, stream or report is freed. */
static void everything_keeps_the_rows(void **state) {
    (void)state;
    int n_freed = 0;
    eti_rows *rows = make_rows(NULL);
    eti_rows_reader *reader;
    eti_table *table;
    eti_report *report;
    struct ArrowArrayStream stream;
    eti_error err = ETI_ERROR_INIT;
    eti_rows_on_free(rows, count_up, &n_freed);
    assert_ok(eti_rows_reader_open(&reader, rows, &err));
    assert_ok(eti_rows_reader_next(reader, &table, &err));
    assert_ok(eti_rows_arrow_stream(&stream, rows, &err));
    assert_ok(eti_rows_report(&report, rows, &err));
    assert_ok(eti_report_write(report, "ndjson", NULL, ignore_output, NULL, &err));
    assert_int_equal(eti_rows_failed_count(rows), 1);
    assert_fails(eti_report_write(report, "markdown", NULL, ignore_output, NULL, &err),
                 ETI_ERROR_USAGE, "all rows at once");
    assert_fails(eti_report_select(report, NULL, &err), ETI_ERROR_USAGE,
                 "select them in the request");
    eti_rows_free(rows);
    eti_rows_reader_close(reader);
    stream.release(&stream);
    eti_report_free(report);
    assert_int_equal(n_freed, 0);
    eti_table_free(table);
    assert_int_equal(n_freed, 1);
    eti_rows_free(NULL);
    eti_rows_reader_close(NULL);
}

/* ---- Arrow ----------------------------------------------------------------------------------- */

static void batches_have_rows_of_several_dumps(void **state) {
    (void)state;
    eti_rows *rows = make_rows(NULL);
    struct ArrowArrayStream stream;
    struct ArrowArray batch;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti_rows_arrow_stream(&stream, rows, &err));
    eti_rows_free(rows);
    assert_int_equal(stream.get_next(&stream, &batch), 0);
    assert_int_equal(batch.length, N_SMALL + 1 + 262);
    const struct ArrowArray *path = batch.children[0], *run = batch.children[10],
                            *elapsed = batch.children[12];
    const int32_t *ends = path->buffers[1], *runs = run->buffers[1];
    assert_memory_equal((const char *)path->buffers[2] + ends[N_SMALL], "device=a/x", 10);
    assert_int_equal(path->null_count, 0);
    assert_int_equal(elapsed->null_count, 1);
    const uint8_t *bits = elapsed->buffers[0];
    for (size_t i = 0; i < (size_t)batch.length; i++)
        assert_int_equal(bits[i / 8] >> i % 8 & 1, i != N_SMALL);
    for (int i = 0; i < 3; i++) /* the events from the third on are those of the three runs */
        assert_int_equal(runs[2 + i], i);
    batch.release(&batch);
    assert_int_equal(stream.get_next(&stream, &batch), 0);
    assert_null(batch.release);
    stream.release(&stream);
}

static void a_stream_fails_with_the_reason(void **state) {
    (void)state;
    static const char *const failing[] = {"mode", "failfast", NULL};
    eti_rows *rows = make_rows(failing);
    struct ArrowArrayStream stream;
    struct ArrowArray batch;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti_rows_arrow_stream(&stream, rows, &err));
    for (int i = 0; i < 2; i++) { /* it does not go on either */
        assert_int_not_equal(stream.get_next(&stream, &batch), 0);
        assert_null(batch.release);
        assert_non_null(strstr(stream.get_last_error(&stream), "device=a/x: expected an ETDump"));
    }
    stream.release(&stream);
    eti_rows_free(rows);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_reader_gives_a_table_for_each),
        cmocka_unit_test(a_mode_decides),
        cmocka_unit_test(wrong_requests_fail_at_once),
        cmocka_unit_test(columns_and_filters_choose),
        cmocka_unit_test(everything_keeps_the_rows),
        cmocka_unit_test(batches_have_rows_of_several_dumps),
        cmocka_unit_test(a_stream_fails_with_the_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
