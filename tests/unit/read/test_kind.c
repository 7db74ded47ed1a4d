#include "support.h"

#include "read/kind.h"

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

/* ---- files of other kinds --------------------------------------------------------------------- */

static eti_error err = ETI_ERROR_INIT;

static eti_status fail_as(eti_file_kind expected, bool is_unpacked, const char *bytes,
                          size_t size) {
    const eti_beginning b = {"f", bytes, size, eti_file_kind_of(bytes, size), is_unpacked};
    return eti__fail_likeness(&err, &b, expected);
}

/* Returns the description of the bytes, which are copied into a block of exactly their size; NULL: there is none. */
static const char *likeness_of(const char *bytes, size_t size) {
    static const char before[] = "f: expected a program (.pte, .bpte), found ";
    char *exact = malloc(size ? size : 1);
    assert_non_null(exact);
    memcpy(exact, bytes, size);
    assert_int_equal(fail_as(ETI_FILE_PROGRAM, false, exact, size), ETI_ERROR_MALFORMED);
    free(exact);
    assert_memory_equal(err.message, before, sizeof before - 1);
    const char *what = err.message + sizeof before - 1;
    return strcmp(what, "a file of another kind") != 0 ? what : NULL;
}

#define ZIP "PK\3\4\24\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"

static const struct {
    const char *bytes;
    size_t size;
    const char *part;
} cases[] = {
#define CASE(bytes, part)                                                                          \
    { bytes, sizeof bytes - 1, part }
    CASE("\x1c\0\0\0TFL3", "TensorFlow Lite"),
    CASE("SQLite format 3\0\x10\0", "SQLite"),
    CASE("version https://git-lfs.github.com/spec/v1\n", "Git LFS pointer"),
    CASE("\x80\2}q\0.", "pickle"),
    CASE("\x80\5]\x94.", "pickle"),
    CASE("\x40\0\0\0\0\0\0\0{\"a\":", "safetensors"),
    CASE("\x93NUMPY\1\0", "NumPy"),
    CASE("\x7f"
         "ELF\2\1",
         "ELF"),
    CASE("\x89PNG\r\n\x1a\n", "PNG"),
    CASE("\xff\xd8\xff\xe0", "JPEG"),
    CASE("\0\0\0\x20"
         "ftypisom",
         "MP4"),
    CASE("\x1f\x8b\x08\0", "gzip"),
    CASE("\xfd"
         "7zXZ\0\0",
         "xz"),
    CASE("\x28\xb5\x2f\xfd\4", "zstd"),
    CASE("BZh91AY&SY", "bzip2"),
    CASE(ZIP "\x10\0\0\0weights/data.pkl", "PyTorch"),
    CASE(ZIP "\x08\0\0\0m/data/w", "PyTorch"),
    CASE(ZIP "\x05\0\0\0a.npy", "NumPy"),
    CASE("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", "zeros"),
    CASE(" \n{\"traceEvents\": []}", "a trace in JSON"),
    CASE("[{}]", "JSON"),
    CASE("<!DOCTYPE HTML>", "HTML"),
    CASE("<?xml version=\"1.0\"?>", "XML"),
    CASE("[0.000000] booting", "JSON"), /* judged only by its first byte */
    CASE("boot: 12 MB", "#[RUN THIS]"),
#undef CASE
};

static void formats_are_recognized_by_their_first_bytes(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const char *what = likeness_of(cases[i].bytes, cases[i].size);
        if (!what || !strstr(what, cases[i].part))
            fail_msg("case %zu: expected %s, found %s", i, cases[i].part, what ? what : "nothing");
    }
}

static void unlike_names_are_not_guessed(void **state) {
    (void)state;
    assert_null(likeness_of("\1\0", 2));
    assert_null(likeness_of("\0\0\0", 3)); /* too short for recognition */
    assert_null(likeness_of("\x80\6\0", 3));
    assert_null(likeness_of(" \n\t", 3));
}

/* Cuts each of them everywhere; sanitizers detect reading past the end. */
static void no_byte_beyond_the_end_is_described(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        for (size_t size = 0; size < cases[i].size; size++)
            (void)likeness_of(cases[i].bytes, size);
    }
}

static void only_other_zips_are_refused(void **state) {
    (void)state;
#define IS_OTHER(bytes) eti__kind_is_other_zip(bytes, sizeof bytes - 1)
    assert_true(IS_OTHER(ZIP "\x10\0\0\0weights/data.pkl"));
    assert_false(IS_OTHER(ZIP "\x0b\0\0\0ETRECORD_V0"));
    assert_false(IS_OTHER(ZIP "\x0a\0\0\0graph/data"));
    assert_false(IS_OTHER(ZIP "\x10\0\0\0weights/data.pk")); /* cut */
    assert_false(IS_OTHER("PK\5\6"));
#undef IS_OTHER
}

static void messages_say_what_was_expected(void **state) {
    (void)state;
    static const char png[] = "\x89PNG\r\n";
    assert_fails(fail_as(ETI_FILE_UNKNOWN, false, png, 6), ETI_ERROR_MALFORMED,
                 "f: a PNG image: give the ETDump");
    assert_fails(fail_as(ETI_FILE_UNKNOWN, true, png, 6), ETI_ERROR_MALFORMED,
                 "f: a gzip file of a PNG image");
    assert_fails(fail_as(ETI_FILE_ETDUMP, false, png, 6), ETI_ERROR_MALFORMED,
                 "f: expected an ETDump, found a PNG image");
    assert_fails(fail_as(ETI_FILE_ETRECORD, false, png, 6), ETI_ERROR_MALFORMED,
                 "f: expected an ETRecord, found a PNG image; an ETRecord is");
    assert_fails(fail_as(ETI_FILE_UNKNOWN, false, "\xc\0\0\0ET12", 8), ETI_ERROR_MALFORMED,
                 "f: an ExecuTorch program (.pte), which contains no events: run");
    assert_fails(
        fail_as(ETI_FILE_ETRECORD, false, "\xc\0\0\0ET12", 8), ETI_ERROR_MALFORMED,
        "f: expected an ETRecord, found a program (.pte): give it with --program_path; an");
    assert_fails(fail_as(ETI_FILE_PROGRAM, false, png, 6), ETI_ERROR_MALFORMED,
                 "f: expected a program (.pte, .bpte), found a PNG image");
    assert_fails(fail_as(ETI_FILE_PROGRAM, true, "PK\3\4", 4), ETI_ERROR_MALFORMED,
                 "found a gzip file of a ZIP such as an ETRecord");
    assert_fails(fail_as(ETI_FILE_PROGRAM, false, "\xc\0\0\0FT01", 8), ETI_ERROR_MALFORMED,
                 "found a data file (.ptd): give it with --data");
    assert_fails(fail_as(ETI_FILE_DATA, false, "", 0), ETI_ERROR_MALFORMED,
                 "f: expected a data file (.ptd), found an empty file");
    assert_fails(fail_as(ETI_FILE_ETDUMP, false, "\1\0", 2), ETI_ERROR_MALFORMED,
                 "f: expected an ETDump, found a file that is neither");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_recognized_by_their_identifiers),
        cmocka_unit_test(no_byte_beyond_the_end_is_looked_at),
        cmocka_unit_test(every_kind_says_what_it_is),
        cmocka_unit_test(formats_are_recognized_by_their_first_bytes),
        cmocka_unit_test(unlike_names_are_not_guessed),
        cmocka_unit_test(no_byte_beyond_the_end_is_described),
        cmocka_unit_test(only_other_zips_are_refused),
        cmocka_unit_test(messages_say_what_was_expected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
