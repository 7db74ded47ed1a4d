/*
 * fuzz.h - shared by all fuzz targets: an expectation that is never compiled out, reading every byte of a text, and
 * splitting an input.
 *
 * A target is one file fuzz_<name>.c with LLVMFuzzerTestOneInput(); libFuzzer, AFL++ and replay.c
 * call it. It keeps nothing from one input to the next.
 */
#ifndef ETI_TESTS_FUZZ_H
#define ETI_TESTS_FUZZ_H

#include "base/files.h"
#include "base/text.h"
#include "etinspect.h"
#include "model/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the program, which reports a finding to the fuzzer. */
#define FUZZ_EXPECT(condition) ((condition) ? (void)0 : fuzz_fail(__FILE__, __LINE__, #condition))

_Noreturn static inline void fuzz_fail(const char *file, int line, const char *condition) {
    (void)fflush(stdout);
    fprintf(stderr, "%s:%d: expected: %s\n", file, line, condition);
    abort();
}

/* Marks loops over each byte of an output: their comparisons do not help a fuzzer, and take half of its time. */
#ifdef __clang__
#define FUZZ_NOT_TRACED __attribute__((no_sanitize("coverage")))
#else
#define FUZZ_NOT_TRACED
#endif

/* Sum that keeps reads from being optimised away, so that a sanitizer sees them. */
static volatile uint64_t fuzz_sum;

FUZZ_NOT_TRACED static inline void fuzz_touch_bytes(const void *data, size_t size) {
    const unsigned char *bytes = data;
    uint64_t sum = 0;
    for (size_t i = 0; i < size; i++)
        sum += bytes[i];
    fuzz_sum += sum;
}

static inline void fuzz_touch(eti_text text) {
    FUZZ_EXPECT(text.data || text.size == 0);
    fuzz_touch_bytes(text.data, text.size);
}

static inline bool fuzz_same_text(eti_text a, eti_text b) {
    return !a.data == !b.data && a.size == b.size &&
           (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

/* ---- characters, decoded independently of src/base ------------------------------------------- */

/* Returns the size of the character at `at`; 0 if there is none in UTF-8, and then `code_point` is unchanged. */
FUZZ_NOT_TRACED static inline size_t fuzz_character(eti_text text, size_t at,
                                                    uint32_t *code_point) {
    const unsigned char *bytes = (const unsigned char *)text.data + at;
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t size = bytes[0] < 0x80             ? 1
                  : (bytes[0] & 0xe0) == 0xc0 ? 2
                  : (bytes[0] & 0xf0) == 0xe0 ? 3
                  : (bytes[0] & 0xf8) == 0xf0 ? 4
                                              : 0;
    if (size == 0 || size > text.size - at)
        return 0;
    uint32_t value = size == 1 ? bytes[0] : bytes[0] & (0x7fu >> size);
    for (size_t i = 1; i < size; i++) {
        if ((bytes[i] & 0xc0) != 0x80)
            return 0;
        value = value << 6 | (bytes[i] & 0x3f);
    }
    if (value < least[size] || value > 0x10ffff || (value >= 0xd800 && value < 0xe000))
        return 0;
    *code_point = value;
    return size;
}

/* Returns whether the text is valid UTF-8; stores the number of characters in `*n`, unless NULL. */
FUZZ_NOT_TRACED static inline bool fuzz_is_utf8(eti_text text, size_t *n) {
    size_t characters = 0;
    for (size_t at = 0; at < text.size; characters++) {
        uint32_t ignored;
        size_t size = fuzz_character(text, at, &ignored);
        if (size == 0)
            return false;
        at += size;
    }
    if (n)
        *n = characters;
    return true;
}

/* Returns whether it is C0, DEL, C1, or a character that changes the direction of text. */
FUZZ_NOT_TRACED static inline bool fuzz_is_control(uint32_t c) {
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x61c || c == 0x200e || c == 0x200f ||
           (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

/* Returns whether a terminal would interpret anything in `text`, except `allowed`. */
FUZZ_NOT_TRACED static inline bool fuzz_has_control(eti_text text, uint32_t allowed) {
    for (size_t at = 0; at < text.size;) {
        uint32_t c = 0xfffd;
        size_t size = fuzz_character(text, at, &c);
        if (c != allowed && fuzz_is_control(c))
            return true;
        at += size ? size : 1;
    }
    return false;
}

/* Expects that a failure's message is one line without commands to a terminal. */
static inline void fuzz_expect_message(const char *message) {
    eti_text text = {message, strlen(message)};
    FUZZ_EXPECT(text.size > 0);
    FUZZ_EXPECT(fuzz_is_utf8(text, NULL));
    FUZZ_EXPECT(!fuzz_has_control(text, 0xfffd));
}

static inline void fuzz_expect_error(eti_status status, const eti_error *err) {
    FUZZ_EXPECT(status != ETI_OK && status == err->status);
    FUZZ_EXPECT(status != ETI_ERROR_MEMORY); /* no input requests this much */
    fuzz_expect_message(err->message);
}

/* ---- splitting an input ---------------------------------------------------------------------- */

/* Rest of the input; at its end zeros and empty pieces are read. */
typedef struct fuzz_input {
    const uint8_t *data;
    size_t size;
} fuzz_input;

/* Takes up to `size` bytes. */
static inline eti_text fuzz_take(fuzz_input *input, size_t size) {
    size = size < input->size ? size : input->size;
    eti_text taken = {(const char *)input->data, size};
    if (size > 0) {
        input->data += size;
        input->size -= size;
    }
    return taken.data ? taken : (eti_text){"", 0};
}

/* Takes a little-endian number of up to 8 bytes. */
static inline uint64_t fuzz_take_number(fuzz_input *input, size_t width) {
    eti_text bytes = fuzz_take(input, width);
    uint64_t number = 0;
    for (size_t i = 0; i < bytes.size; i++)
        number |= (uint64_t)(unsigned char)bytes.data[i] << (8 * i);
    return number;
}

static inline eti_text fuzz_take_rest(fuzz_input *input) {
    return fuzz_take(input, input->size);
}

/* Makes an input of the library from bytes, which are copied so that a sanitizer knows their end. The caller frees the
 * copy. */
static inline eti_source fuzz_source(const char *path, eti_text bytes) {
    uint8_t *copy = malloc(bytes.size ? bytes.size : 1);
    FUZZ_EXPECT(copy);
    if (bytes.size > 0)
        memcpy(copy, bytes.data, bytes.size);
    return (eti_source){path, copy, bytes.size};
}

static inline void fuzz_source_free(eti_source source) {
    free((void *)source.data);
}

/* Default options with one thread: starting more takes longer than reading a small input. */
static const eti_options fuzz_options = {.target_time_scale = ETI_SCALE_MS, .n_threads = 1};

/* ---- output ---------------------------------------------------------------------------------- */

/* Implements eti_write_function; the context is an eti_buffer. */
static inline bool fuzz_keep(void *context, const void *data, size_t size) {
    eti__buffer_add(context, data, size);
    FUZZ_EXPECT(!((eti_buffer *)context)->failed);
    return true;
}

static inline bool fuzz_same_bytes(const eti_buffer *a, const eti_buffer *b) {
    return a->size == b->size && (a->size == 0 || memcmp(a->data, b->data, a->size) == 0);
}

/* ---- constant files -------------------------------------------------------------------------- */

/* Reads a file of testdata once; the fuzzers run at the top. */
static inline eti_source fuzz_file(const char *path) {
    static eti_file *file;
    if (!file)
        FUZZ_EXPECT(eti_file_open(&file, path, NULL) == ETI_OK);
    return eti_file_source(file);
}

#endif
