#include "support.h"

#include "table_text.h"

#include "base/csv.h"
#include "write/writer.h"

#include <math.h>

/* ==== csv ===================================================================================== */

/* Joins fields with "|" and records with "/". */
static void assert_records(const char *data, size_t size, const char *expected) {
    eti_csv_file file;
    eti_error err = ETI_ERROR_INIT;
    char found[512] = "";
    size_t used = 0;
    assert_ok(eti__csv_read(&file, "a.csv", data, size, &err));
    for (size_t i = 0; i < file.n_records; i++) {
        for (size_t k = 0; k < file.records[i].n_fields; k++) {
            eti_text field = file.records[i].fields[k];
            used += (size_t)snprintf(found + used, sizeof found - used, "%s%.*s",
                                     k > 0 ? "|" : (i > 0 ? "/" : ""), (int)field.size, field.data);
        }
    }
    assert_string_equal(found, expected);
    eti__csv_free(&file);
}

static void assert_read(const char *data, const char *expected) {
    assert_records(data, strlen(data), expected);
}

static void records_are_read(void **state) {
    (void)state;
    assert_read("", "");
    assert_read("\n\n", "");
    assert_read("a", "a");
    assert_read("a,b\nc,d\n", "a|b/c|d");
    assert_read("a,b\r\nc,d\r\n", "a|b/c|d");
    assert_read("a,,\n,\n", "a||/|");
    assert_read("  a , b\t\n", "a|b");
    assert_read("\" a \",\"b,\"\"c\"\"\nd\"\n", " a |b,\"c\"\nd");
    assert_records("a\0b,c", 5, "a|c"); /* up to the NUL */
}

static void a_nul_is_part_of_a_field(void **state) {
    (void)state;
    eti_csv_file file;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__csv_read(&file, "a.csv", "a\0b,c", 5, &err));
    assert_int_equal(file.n_records, 1);
    assert_int_equal(file.records[0].n_fields, 2);
    assert_int_equal(file.records[0].fields[0].size, 3);
    eti__csv_free(&file);
}

static void assert_refused(const char *data, size_t size, eti_status status, const char *message) {
    eti_csv_file file;
    eti_error err = ETI_ERROR_INIT;
    assert_int_equal(eti__csv_read(&file, "a.csv", data, size, &err), status);
    assert_non_null(strstr(err.message, message));
    eti__csv_free(&file);
}

static void other_text_than_csv_is_refused(void **state) {
    (void)state;
    assert_refused("a\nb,\"c\n", 7, ETI_ERROR_MALFORMED, "a.csv: record 2 is not CSV");
    assert_refused("a\"b\n", 4, ETI_ERROR_MALFORMED, "record 1");
    assert_refused("\"a\"b\n", 5, ETI_ERROR_MALFORMED, "record 1");
    char commas[1001];
    memset(commas, ',', sizeof commas);
    assert_refused(commas, sizeof commas, ETI_ERROR_LIMIT, "record 1 has more than 1000 fields");
    size_t size = ((size_t)64 << 20) + 2;
    char *data = malloc(size);
    assert_non_null(data);
    memset(data, 'x', size);
    assert_refused(data, size, ETI_ERROR_LIMIT, "record 1 has a field of more than 67108864 bytes");
    free(data);
}

static void assert_csv_written(const char *field, const char *expected) {
    eti_buffer text = {0};
    eti__csv_add_field(&text, eti__text_of(field));
    assert_false(text.failed);
    assert_true(eti__text_is(eti__buffer_text(&text), expected));
    assert_read(expected, field);
    eti__buffer_free(&text);
}

static void fields_are_quoted_where_they_must_be(void **state) {
    (void)state;
    assert_csv_written("a", "a");
    assert_csv_written("a b", "a b");
    assert_csv_written(" a", "\" a\"");
    assert_csv_written("a\t", "\"a\t\"");
    assert_csv_written("a,b", "\"a,b\"");
    assert_csv_written("a\"b", "\"a\"\"b\"");
    assert_csv_written("a\nb", "\"a\nb\"");
    assert_csv_written("a\rb", "\"a\rb\"");
}

/* ==== tsv ===================================================================================== */
/*
 * The expected bytes were printed by pandas 3.1.1 and pasted here:
 *
 *     df = pandas.DataFrame(rows, columns=names, dtype=object)
 *     df.to_csv(file, sep="\t")
 *
 * where a list was passed as the text that it prints, and index=False without an index.
 */

/* Uses the example of the format's specification. */
static void test_example(void **state) {
    (void)state;
    static const char *const names[] = {"event_block_name",
                                        "event_name",
                                        "p10 (ms)",
                                        "max (ms)",
                                        "op_types",
                                        "is_delegated_op",
                                        "delegate_backend_name",
                                        "start_time",
                                        NULL};
    static const eti_cell cells[] = {
        TEXT("Execute"),
        TEXT("addmm.out"),
        DOUBLE(1.52),
        DOUBLE(1.7),
        LIST("['aten.permute_copy.default', 'aten.addmm.default']"),
        BOOL(false),
        NO_CELL,
        LIST("[0, 0]"),
        TEXT("Execute"),
        TEXT("relu.out"),
        DOUBLE(1.2258966),
        DOUBLE(12.0),
        LIST("[]"),
        BOOL(true),
        TEXT("XnnpackBackend"),
        LIST("[5, 5]"),
    };
    ASSERT_WRITTEN(&eti__writer_tsv, true, names, cells,
                   "\tevent_block_name\tevent_name\tp10 (ms)\tmax "
                   "(ms)\top_types\tis_delegated_op\tdelegate_backend_name\tstart_time\n"
                   "0\tExecute\taddmm.out\t1.52\t1.7\t['aten.permute_copy.default', "
                   "'aten.addmm.default']\tFalse\t\t[0, 0]\n"
                   "1\tExecute\trelu.out\t1.2258966\t12.0\t[]\tTrue\tXnnpackBackend\t[5, 5]\n");
}

static void test_numbers(void **state) {
    (void)state;
    static const char *const names[] = {"double", "int", NULL};
    static const eti_cell cells[] = {
        DOUBLE(1e+16),  INT(0),         DOUBLE(1e-05),
        INT(INT64_MIN), DOUBLE(0.0001), INT(9223372036854775807),
        DOUBLE(-0.0),   INT(7),         DOUBLE(INFINITY),
        NO_CELL,        NAN_CELL,       NO_CELL,
        NO_CELL,        NO_CELL,
    };
    ASSERT_WRITTEN(&eti__writer_tsv, true, names, cells,
                   "\tdouble\tint\n"
                   "0\t1e+16\t0\n"
                   "1\t1e-05\t-9223372036854775808\n"
                   "2\t0.0001\t9223372036854775807\n"
                   "3\t-0.0\t7\n"
                   "4\tinf\t\n"
                   "5\t\t\n"
                   "6\t\t\n");
}

static void test_quotes(void **state) {
    (void)state;
    static const char *const names[] = {"a\tb", "say \"x\"", "plain", NULL};
    static const eti_cell cells[] = {
        TEXT("tab\there"),        TEXT("\""),    TEXT("\"\""),          TEXT("line\nfeed"),
        TEXT("carriage\rreturn"), TEXT(", ' ;"), TEXT(" not trimmed "), TEXT("00012"),
        TEXT("trailing\t"),
    };
    ASSERT_WRITTEN(&eti__writer_tsv, true, names, cells,
                   "\t\"a\tb\"\t\"say \"\"x\"\"\"\tplain\n"
                   "0\t\"tab\there\"\t\"\"\"\"\t\"\"\"\"\"\"\n"
                   "1\t\"line\n"
                   "feed\"\tcarriage\rreturn\t, ' ;\n"
                   "2\t not trimmed \t00012\t\"trailing\t\"\n");
}

static void test_no_rows(void **state) {
    (void)state;
    static const char *const names[] = {"event_name", "p10 (ms)", NULL};
    eti_table *table = make_table(true, names, NULL, 0);
    assert_written(&eti__writer_tsv, table, "\tevent_name\tp10 (ms)\n");
}

static void test_no_rows_and_no_index(void **state) {
    (void)state;
    static const char *const names[] = {"event_name", "p10 (ms)", NULL};
    eti_table *table = make_table(false, names, NULL, 0);
    assert_written(&eti__writer_tsv, table, "event_name\tp10 (ms)\n");
}

static void test_no_index(void **state) {
    (void)state;
    static const char *const names[] = {"module", "total", NULL};
    static const eti_cell cells[] = {
        TEXT("fc"),
        DOUBLE(1.5),
        TEXT("conv"),
        NO_CELL,
    };
    ASSERT_WRITTEN(&eti__writer_tsv, false, names, cells,
                   "module\ttotal\n"
                   "fc\t1.5\n"
                   "conv\t\n");
}

static void test_a_lone_empty_field(void **state) {
    (void)state;
    static const char *const names[] = {"x", NULL};
    static const eti_cell cells[] = {
        NO_CELL,
        TEXT("a"),
    };
    ASSERT_WRITTEN(&eti__writer_tsv, false, names, cells,
                   "x\n"
                   "\"\"\n"
                   "a\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_are_read),
        cmocka_unit_test(a_nul_is_part_of_a_field),
        cmocka_unit_test(other_text_than_csv_is_refused),
        cmocka_unit_test(fields_are_quoted_where_they_must_be),
        cmocka_unit_test(test_example),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_quotes),
        cmocka_unit_test(test_no_rows),
        cmocka_unit_test(test_no_rows_and_no_index),
        cmocka_unit_test(test_no_index),
        cmocka_unit_test(test_a_lone_empty_field),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
