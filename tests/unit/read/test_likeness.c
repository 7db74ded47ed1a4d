#include "support.h"

#include "read/likeness.h"

/* Copies the bytes into a block of exactly their size. */
static const char *likeness_of(const char *bytes, size_t size) {
    char *exact = malloc(size ? size : 1);
    assert_non_null(exact);
    memcpy(exact, bytes, size);
    const char *what = eti__likeness_of(exact, size);
    free(exact);
    return what;
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
    assert_null(likeness_of("", 0));
    assert_null(likeness_of("\1\0", 2));
    assert_null(likeness_of("\0\0\0", 3)); /* too short for recognition */
    assert_null(likeness_of("\x80\6\0", 3));
    assert_null(likeness_of(" \n\t", 3));
}

/* Cuts each of them everywhere; sanitizers detect reading past the end. */
static void no_byte_beyond_the_end_is_looked_at(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        for (size_t size = 0; size < cases[i].size; size++)
            (void)likeness_of(cases[i].bytes, size);
    }
}

static void only_other_zips_are_refused(void **state) {
    (void)state;
#define IS_OTHER(bytes) eti__is_other_zip(bytes, sizeof bytes - 1)
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
    eti_error err = ETI_ERROR_INIT;
    assert_fails(eti__fail_likeness(&err, "f", ETI_FILE_UNKNOWN, false, png, 6),
                 ETI_ERROR_MALFORMED, "f: a PNG image: give the ETDump");
    assert_fails(eti__fail_likeness(&err, "f", ETI_FILE_UNKNOWN, true, png, 6), ETI_ERROR_MALFORMED,
                 "f: a gzip file of a PNG image");
    assert_fails(eti__fail_likeness(&err, "f", ETI_FILE_ETDUMP, false, png, 6), ETI_ERROR_MALFORMED,
                 "f: expected an ETDump, found a PNG image");
    assert_fails(eti__fail_likeness(&err, "f", ETI_FILE_ETRECORD, false, png, 6),
                 ETI_ERROR_MALFORMED, "f: expected an ETRecord, found a PNG image; an ETRecord is");
    assert_fails(eti__fail_likeness(&err, "f", ETI_FILE_UNKNOWN, false, "\xc\0\0\0ET12", 8),
                 ETI_ERROR_MALFORMED,
                 "f: an ExecuTorch program (.pte), which contains no events: run");
    assert_fails(
        eti__fail_likeness(&err, "f", ETI_FILE_ETRECORD, false, "\xc\0\0\0ET12", 8),
        ETI_ERROR_MALFORMED,
        "f: expected an ETRecord, found a program (.pte): give it with --program_path; an");
    assert_fails(eti__fail_likeness(&err, "f", ETI_FILE_PROGRAM, false, png, 6),
                 ETI_ERROR_MALFORMED, "f: expected a program (.pte, .bpte), found a PNG image");
    assert_fails(eti__fail_likeness(&err, "f", ETI_FILE_PROGRAM, true, "PK\3\4", 4),
                 ETI_ERROR_MALFORMED, "found a gzip file of a ZIP such as an ETRecord");
    assert_fails(eti__fail_likeness(&err, "f", ETI_FILE_PROGRAM, false, "\xc\0\0\0FT01", 8),
                 ETI_ERROR_MALFORMED, "found a data file (.ptd): give it with --data");
    assert_fails(eti__fail_likeness(&err, "f", ETI_FILE_DATA, false, "", 0), ETI_ERROR_MALFORMED,
                 "f: expected a data file (.ptd), found an empty file");
    assert_fails(eti__fail_likeness(&err, "f", ETI_FILE_ETDUMP, false, "\1\0", 2),
                 ETI_ERROR_MALFORMED, "f: expected an ETDump, found a file that is neither");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats_are_recognized_by_their_first_bytes),
        cmocka_unit_test(unlike_names_are_not_guessed),
        cmocka_unit_test(no_byte_beyond_the_end_is_looked_at),
        cmocka_unit_test(only_other_zips_are_refused),
        cmocka_unit_test(messages_say_what_was_expected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
