#include "support.h"

#include "base/csv.h"
#include "base/text.h"

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

static void assert_written(const char *field, const char *expected) {
    eti_buffer text = {0};
    eti__csv_add_field(&text, eti__text_of(field));
    assert_false(text.failed);
    assert_true(eti__text_is(eti__buffer_text(&text), expected));
    assert_read(expected, field);
    eti__buffer_free(&text);
}

static void fields_are_quoted_where_they_must_be(void **state) {
    (void)state;
    assert_written("a", "a");
    assert_written("a b", "a b");
    assert_written(" a", "\" a\"");
    assert_written("a\t", "\"a\t\"");
    assert_written("a,b", "\"a,b\"");
    assert_written("a\"b", "\"a\"\"b\"");
    assert_written("a\nb", "\"a\nb\"");
    assert_written("a\rb", "\"a\rb\"");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_are_read),
        cmocka_unit_test(a_nul_is_part_of_a_field),
        cmocka_unit_test(other_text_than_csv_is_refused),
        cmocka_unit_test(fields_are_quoted_where_they_must_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
