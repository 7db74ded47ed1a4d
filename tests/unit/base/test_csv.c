#include "table_text.h"

#include "support.h"

#include "base/csv.h"
#include "write/writer.h"

#include <csv.h>
#include <math.h>

/* ==== csv ===================================================================================== */
/*
 * Expected output follows RFC 4180; libcsv's own reader must read the same cells back.
 */

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

/* ==== csv table =============================================================================== */
/* Tests tables that people write: which lines are rows, and which line is named when one is wrong. */

static eti_error err;
static eti_arena arena;
static char taken[1000]; /* Writes "ORIGIN FIRST SECOND;" for each row; "-" for an absent field. */

static eti_status take(const eti_csv_table *table, const eti_text *fields, eti_text origin) {
    assert_ptr_equal(table->out, taken);
    size_t used = strlen(taken);
    eti_text first = fields[0].data ? fields[0] : eti__text_of("-");
    eti_text second = fields[1].data ? fields[1] : eti__text_of("-");
    snprintf(taken + used, sizeof taken - used, "%.*s %.*s %.*s;", ETI_TEXT_ARGS(origin),
             ETI_TEXT_ARGS(first), ETI_TEXT_ARGS(second));
    if (eti__text_is(first, "bad"))
        return eti_csv_table_fail(table, ETI_ERROR_USAGE, "%.*s is bad", ETI_TEXT_ARGS(first));
    return ETI_OK;
}

static eti_status check_header(const eti_csv_table *table, const eti_csv_record *header) {
    return header->n_fields > 3 ? eti_csv_table_fail(table, ETI_ERROR_DATA, "too wide") : ETI_OK;
}

static eti_status read_table(const char *text) {
    static const char *const columns[] = {"name", "note"};
    const eti_source source = {"list.csv", text, strlen(text)};
    eti_csv_table table = {.columns = columns,
                           .n_columns = 2,
                           .n_required = 1,
                           .max_size = 200,
                           .max_rows = 3,
                           .check_header = check_header,
                           .take = take,
                           .out = taken,
                           .arena = &arena,
                           .err = &err};
    taken[0] = '\0';
    eti_status status = eti__csv_table_read(&table, &source);
    eti__arena_free(&arena);
    return status;
}

static void assert_rows(const char *text, const char *expected) {
    assert_ok(read_table(text));
    assert_string_equal(taken, expected);
}

static void assert_refused(const char *text, eti_status status, const char *message) {
    assert_int_equal(read_table(text), status);
    assert_string_equal(err.message, message);
}

/* Otherwise one of them would count, without a word about the other. */
static void a_column_occurs_once(void **state) {
    (void)state;
    assert_refused("name,note,name\na,b,c\n", ETI_ERROR_MALFORMED,
                   "list.csv: line 1: the column name occurs twice");
    assert_refused("note,name,note\n", ETI_ERROR_MALFORMED,
                   "list.csv: line 1: the column note occurs twice");
}

static void empty_lines_and_comments_are_skipped(void **state) {
    (void)state;
    assert_rows("name,note\na,b\n", "list.csv:2 a b;");
    assert_rows("\xef\xbb\xbf# \"none\n\n \t\r\nname,note\r\na,b", "list.csv:5 a b;");
    assert_rows("name,note\n  # x\n\na,b\n#", "list.csv:4 a b;");
    assert_rows("name,note\n", "");
}

static void columns_stand_in_any_order(void **state) {
    (void)state;
    assert_rows("other,note,name\n1,b,a\n", "list.csv:2 a b;");
    assert_rows("name\na\nc,\n", "list.csv:2 a -;list.csv:3 c -;");
    assert_rows("note,name\n,a\n", "list.csv:2 a -;");
    assert_rows("name,note\na\n", "list.csv:2 a -;");
}

static void a_quoted_field_may_hold_commas_but_no_end_of_line(void **state) {
    (void)state;
    assert_rows("name,note\n\"a,b\",\"c\"\"d\"\n", "list.csv:2 a,b c\"d;");
    assert_rows("\"na\nme\",name\nx,a\n", "list.csv:3 a -;");
    assert_refused("name\n\"a\nb\"\n", ETI_ERROR_MALFORMED,
                   "list.csv: line 2: a field is not a single line of UTF-8 text");
}

static void further_fields_are_refused_unless_they_are_empty(void **state) {
    (void)state;
    assert_rows("name,note\na,b,\nc,,,\n", "list.csv:2 a b;list.csv:3 c -;");
    assert_rows("# one, two, three\nname,note\n#a,b,c\na,\"b,c\"\n", "list.csv:4 a b,c;");
    assert_refused("name,note\na,b,c\n", ETI_ERROR_MALFORMED,
                   "list.csv: line 2: 3 fields, but the header has 2: quote a field that contains "
                   "a comma, or name its column");
    assert_refused("name\na,,,c,\n", ETI_ERROR_MALFORMED,
                   "list.csv: line 2: 4 fields, but the header has 1: quote a field that contains "
                   "a comma, or name its column");
}

static void the_line_of_an_error_is_named(void **state) {
    (void)state;
    assert_refused(
        "", ETI_ERROR_MALFORMED,
        "list.csv: the file is empty: expected a line of column names, such as name,note");
    assert_refused(
        "#\nnote\n", ETI_ERROR_MALFORMED,
        "list.csv: line 2: there is no column name: expected the column names name,note, "
        "found note");
    assert_refused("name,note\na,b\n,b\n", ETI_ERROR_MALFORMED, "list.csv: line 3: name is empty");
    assert_refused("name\n\xff\n", ETI_ERROR_MALFORMED,
                   "list.csv: line 2: a field is not a single line of UTF-8 text");
    assert_refused("name\na\n\"b\n", ETI_ERROR_MALFORMED,
                   "list.csv: line 3: record 1 is not CSV: a quote is missing, or inside a field");
    assert_refused("name\na\rb\n", ETI_ERROR_MALFORMED, "list.csv: line 2: a quote inside a field");
    assert_refused("name,a,b,c\na\n", ETI_ERROR_DATA, "list.csv: line 1: too wide");
    assert_refused("name\na\nbad\nc\n", ETI_ERROR_USAGE, "list.csv: line 3: bad is bad");
    assert_string_equal(taken, "list.csv:2 a -;list.csv:3 bad -;");
}

static void sizes_are_limited(void **state) {
    (void)state;
    char large[202];
    assert_ok(read_table("name\na\na\na\n"));
    assert_refused("name\na\na\na\na\n", ETI_ERROR_LIMIT, "list.csv: line 5: more than 3 rows");
    memset(large, '\n', sizeof large);
    memcpy(large, "name", 4);
    large[200] = '\0';
    assert_ok(read_table(large));
    large[200] = '\n';
    large[201] = '\0';
    assert_refused(large, ETI_ERROR_LIMIT, "list.csv: more than 200 bytes");
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
        cmocka_unit_test(empty_lines_and_comments_are_skipped),
        cmocka_unit_test(a_column_occurs_once),
        cmocka_unit_test(columns_stand_in_any_order),
        cmocka_unit_test(a_quoted_field_may_hold_commas_but_no_end_of_line),
        cmocka_unit_test(further_fields_are_refused_unless_they_are_empty),
        cmocka_unit_test(the_line_of_an_error_is_named),
        cmocka_unit_test(sizes_are_limited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
