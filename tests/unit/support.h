/* support.h - needed by most unit tests: cmocka and a few assertions about text, errors and bits. */
#ifndef ETI_TESTS_SUPPORT_H
#define ETI_TESTS_SUPPORT_H

#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "etinspect.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

/* Returns the command that runs programs of another architecture here, "qemu-s390x ...", or "". */
static inline const char *emulator(void) {
    const char *runner = getenv("RUNNER");
    return runner && strncmp(runner, "qemu-", 5) == 0 ? runner : "";
}

/* Skips the rest of a test that an emulator cannot run. */
static inline void skip_under_emulator(const char *why) {
    if (*emulator() == '\0')
        return;
    print_message("# SKIP %.12s: %s\n", emulator(), why);
    skip();
}

/* Skips the rest of a test of sums that are exact, or do not overflow, only where a long double has more bits than a
 * double, which it has not on 32-bit Arm and macOS. */
static inline void skip_without_wide_floats(void) {
    if (LDBL_MANT_DIG > DBL_MANT_DIG)
        return;
    print_message("# SKIP long doubles are doubles here:\n");
    skip();
}

/* Checks that the text is present and is `expected`. */
#define assert_text(text, expected) assert_text_at((text), (expected), __FILE__, __LINE__)

static inline void assert_text_at(eti_text text, const char *expected, const char *file, int line) {
    if (text.data && text.size == strlen(expected) && memcmp(text.data, expected, text.size) == 0)
        return;
    print_error("%s:%d: expected \"%s\", found %s\"%.*s\"\n", file, line, expected,
                text.data ? "" : "absent ", (int)text.size, text.data ? text.data : "");
    _fail(file, line);
}

#define assert_absent(text) assert_null((text).data)

/* Checks that the call succeeds; otherwise shows its message. */
#define assert_ok(call) assert_ok_at((call), &err, __FILE__, __LINE__)

static inline void assert_ok_at(eti_status status, const eti_error *err, const char *file,
                                int line) {
    if (status == ETI_OK)
        return;
    print_error("%s:%d: %s: %s\n", file, line, eti_status_text(status), err->message);
    _fail(file, line);
}

/* Checks that the call fails with this status, and that its message contains `part`. */
#define assert_fails(call, expected, part)                                                         \
    assert_fails_at((call), (expected), (part), &err, __FILE__, __LINE__)

static inline void assert_fails_at(eti_status status, eti_status expected, const char *part,
                                   const eti_error *err, const char *file, int line) {
    if (status == expected && err->status == expected && strstr(err->message, part))
        return;
    print_error("%s:%d: expected \"%s\" with \"%s\", found \"%s\" with \"%s\"\n", file, line,
                eti_status_text(expected), part, eti_status_text(status),
                status == ETI_OK ? "" : err->message);
    _fail(file, line);
}

/* Checks that two doubles are equal to the last bit. */
#define assert_bits(found, expected) assert_bits_at((found), (expected), __FILE__, __LINE__)

static inline void assert_bits_at(double found, double expected, const char *file, int line) {
    if (memcmp(&found, &expected, sizeof found) == 0)
        return;
    print_error("%s:%d: expected %a (%.17g), found %a (%.17g)\n", file, line, expected, expected,
                found, found);
    _fail(file, line);
}

/* Returns a whole file in memory; the test fails if it cannot be read. */
static inline uint8_t *read_whole_file(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("%s: cannot open", path);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    uint8_t *bytes = malloc(*size + 1);
    if (!bytes || fread(bytes, 1, *size, file) != *size)
        fail_msg("%s: cannot read", path);
    fclose(file);
    return bytes;
}

#endif
