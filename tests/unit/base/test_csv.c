/*
 * Expected output follows RFC 4180; libcsv's own reader must read the same cells back.
 */
#include "table_text.h"

#include <csv.h>
#include <math.h>

static void test_example(void **state) {
    (void)state;
    static const char *const names[] = {
        "event_name", "p10 (ms)", "op_types", "is_delegated_op", "delegate_backend_name", NULL};
    static const eti_cell cells[] = {
        TEXT("addmm.out"), DOUBLE(1.52), LIST("['a', 'b']"), BOOL(false), NO_CELL,
        TEXT("relu.out"),  DOUBLE(12),   LIST("[]"),         BOOL(true),  TEXT("XnnpackBackend"),
    };
    ASSERT_WRITTEN(&eti__writer_csv, false, names, cells,
                   "event_name,p10 (ms),op_types,is_delegated_op,delegate_backend_name\r\n"
                   "addmm.out,1.52,\"['a', 'b']\",False,\r\n"
                   "relu.out,12.0,[],True,XnnpackBackend\r\n");
}

static void test_there_is_no_index_column(void **state) {
    (void)state;
    static const char *const names[] = {"a", "b", NULL};
    static const eti_cell cells[] = {INT(1), INT(-2)};
    ASSERT_WRITTEN(&eti__writer_csv, true, names, cells, "a,b\r\n1,-2\r\n");
}

static void test_missing_numbers_are_empty(void **state) {
    (void)state;
    static const char *const names[] = {"a", "b", "c", "d", NULL};
    static const eti_cell cells[] = {NO_CELL, NAN_CELL, DOUBLE(NAN), DOUBLE(-INFINITY)};
    ASSERT_WRITTEN(&eti__writer_csv, true, names, cells, "a,b,c,d\r\n,,,-inf\r\n");
}

static void test_quotes(void **state) {
    (void)state;
    static const char *const names[] = {"a,b", "say \"x\"", "plain text", NULL};
    static const eti_cell cells[] = {
        TEXT("1,2"),
        TEXT("\""),
        TEXT("'"),
        TEXT("line\nfeed"),
        TEXT("carriage\rreturn"),
        TEXT("tab\t."),
        TEXT(" leading"),
        TEXT("trailing "),
        TEXT("\ttab"),
    };
    ASSERT_WRITTEN(&eti__writer_csv, true, names, cells,
                   "\"a,b\",\"say \"\"x\"\"\",plain text\r\n"
                   "\"1,2\",\"\"\"\",'\r\n"
                   "\"line\nfeed\",\"carriage\rreturn\",tab\t.\r\n"
                   "\" leading\",\"trailing \",\"\ttab\"\r\n");
}

static void test_a_lone_empty_field_is_quoted(void **state) {
    (void)state;
    static const char *const names[] = {"x", NULL};
    static const eti_cell cells[] = {NO_CELL, TEXT("a")};
    ASSERT_WRITTEN(&eti__writer_csv, true, names, cells, "x\r\n\"\"\r\na\r\n");
}

static void test_no_rows(void **state) {
    (void)state;
    static const char *const names[] = {"a", "b", NULL};
    assert_written(&eti__writer_csv, make_table(true, names, NULL, 0), "a,b\r\n");
}

/* Ends fields with U+001F and records with U+001E, which no example contains. */
static void keep_field(void *field, size_t size, void *buffer) {
    eti__buffer_add(buffer, field, size);
    eti__buffer_add_char(buffer, 0x1f);
}

static void keep_record(int terminator, void *buffer) {
    (void)terminator;
    eti__buffer_add_char(buffer, 0x1e);
}

static void test_libcsv_reads_it_back(void **state) {
    (void)state;
    static const char *const names[] = {"a", "b", NULL};
    static const eti_cell cells[] = {
        TEXT("\"x\", \"\""), TEXT(" \r\n "), TEXT("nul\0nul"), TEXT(","), TEXT(""), TEXT("\"\""),
    };
    static const char expected[] =
        "a\37b\37\36\"x\", \"\"\37 \r\n \37\36nul\0nul\37,\37\36\37\"\"\37\36";
    eti_table *table = make_table(false, names, cells, COUNT(cells));
    eti_buffer written = {0};
    eti_output *output;
    assert_int_equal(eti__output_open_function(&output, keep_output, &written, NULL), ETI_OK);
    assert_int_equal(eti__writer_csv.write_table(
                         table, &(const eti_write_options)ETI_WRITE_OPTIONS_DEFAULT, output, NULL),
                     ETI_OK);
    assert_int_equal(eti__output_commit(output, NULL), ETI_OK);

    eti_buffer fields = {0};
    struct csv_parser parser;
    assert_int_equal(csv_init(&parser, CSV_STRICT), 0);
    assert_int_equal(
        csv_parse(&parser, written.data, written.size, keep_field, keep_record, &fields),
        written.size);
    csv_fini(&parser, keep_field, keep_record, &fields);
    csv_free(&parser);
    assert_true(
        eti__text_equal(eti__buffer_text(&fields), (eti_text){expected, sizeof expected - 1}));
    eti__buffer_free(&fields);
    eti__buffer_free(&written);
    eti_table_free(table);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_example),
        cmocka_unit_test(test_there_is_no_index_column),
        cmocka_unit_test(test_missing_numbers_are_empty),
        cmocka_unit_test(test_quotes),
        cmocka_unit_test(test_a_lone_empty_field_is_quoted),
        cmocka_unit_test(test_no_rows),
        cmocka_unit_test(test_libcsv_reads_it_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
