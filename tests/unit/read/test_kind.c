#include "support.h"

static void files_are_recognized_by_their_identifiers(void **state) {
    (void)state;
    static const struct {
        const char *bytes;
        size_t size;
        eti_file_kind kind;
    } cases[] = {
        {"", 0, ETI_FILE_EMPTY},
        {"....", 4, ETI_FILE_UNKNOWN},
        {"\x10\0\0\0\x0c\0\0\0ED00", 12, ETI_FILE_ETDUMP},
        {"\x0c\0\0\0ED00", 8, ETI_FILE_ETDUMP},
        {"\x0c\0\0\0ED0", 7, ETI_FILE_UNKNOWN},
        {"\x0c\0\0\0ED01", 8, ETI_FILE_UNKNOWN},
        {"PK\3\4", 4, ETI_FILE_ETRECORD},
        {"PK\5\6", 4, ETI_FILE_ETRECORD},
        {"PK\3", 3, ETI_FILE_UNKNOWN},
        {"\x0c\0\0\0ET12", 8, ETI_FILE_PROGRAM},
        {"\x0c\0\0\0BP08", 8, ETI_FILE_BUNDLED_PROGRAM},
        {"\x0c\0\0\0ET13", 8, ETI_FILE_PROGRAM},
        {"\x0c\0\0\0ETxy", 8, ETI_FILE_UNKNOWN},
        {"\x0c\0\0\0ET1", 7, ETI_FILE_UNKNOWN},
        {"ED00", 4, ETI_FILE_UNKNOWN},
        {"\0", 1, ETI_FILE_UNKNOWN},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_int_equal(eti_file_kind_of(cases[i].bytes, cases[i].size), cases[i].kind);
}

static void no_byte_beyond_the_end_is_looked_at(void **state) {
    (void)state;
    for (size_t size = 0; size <= 12; size++) {
        char *exact = malloc(size + !size);
        assert_non_null(exact);
        memset(exact, 0, size);
        assert_int_equal(eti_file_kind_of(exact, size), size ? ETI_FILE_UNKNOWN : ETI_FILE_EMPTY);
        free(exact);
    }
}

static void every_kind_says_what_it_is(void **state) {
    (void)state;
    for (int kind = ETI_FILE_UNKNOWN; kind <= ETI_FILE_BUNDLED_PROGRAM; kind++)
        assert_true(strlen(eti_file_kind_text((eti_file_kind)kind)) > 0);
    assert_non_null(strstr(eti_file_kind_text(ETI_FILE_EMPTY), "EXECUTORCH_ENABLE_EVENT_TRACER"));
    assert_non_null(strstr(eti_file_kind_text(ETI_FILE_PROGRAM), ".pte"));
    assert_non_null(strstr(eti_file_kind_text(ETI_FILE_BUNDLED_PROGRAM), ".bpte"));
    assert_non_null(strstr(eti_file_kind_text(ETI_FILE_UNKNOWN), "--debug_buffer_path"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_recognized_by_their_identifiers),
        cmocka_unit_test(no_byte_beyond_the_end_is_looked_at),
        cmocka_unit_test(every_kind_says_what_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
