/*
 * text.h - views of text that is owned elsewhere, and growable text.
 */
#ifndef ETI_BASE_TEXT_H
#define ETI_BASE_TEXT_H

#include "etinspect.h"

#include <assert.h>
#include <regex.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

/* ==== c locale ================================================================================ */
/* Formats and reads numbers as in the "C" locale, with a decimal point, whatever the locale of the
 * process; compiles patterns of bytes.
 *
 * A program that uses the library may have called setlocale(). Everywhere outside base/, numbers
 * that may have a fraction are formatted and read with these functions, or with those built on
 * them; tests/layout.sh checks this. */

/* Lets the compiler check a format against its arguments. */
#if defined(__GNUC__)
#define ETI_PRINTF(format_index, first_argument)                                                   \
    __attribute__((format(printf, format_index, first_argument)))
#else
#define ETI_PRINTF(format_index, first_argument)
#endif

/* Are vsnprintf(), snprintf() and strtod() in the "C" locale. */
int eti__vsnprintf(char *out, size_t size, const char *format, va_list arguments) ETI_PRINTF(3, 0);
int eti__snprintf(char *out, size_t size, const char *format, ...) ETI_PRINTF(3, 4);
double eti__strtod(const char *text, char **end);

/* Is regcomp() in the "C" locale, in which each byte is a character, so that texts need not be valid UTF-8. */
int eti__regcomp(regex_t *out, const char *pattern, int flags);

/* ==== text ==================================================================================== */

/* Returns a view of a C string; NULL gives the absent text. */
static inline eti_text eti__text_of(const char *c_string) {
    return (eti_text){c_string, c_string ? strlen(c_string) : 0};
}

/* Returns the text without its first `at` bytes, which are at most its size. Nothing is added to the data of an absent text,
 * because the sum of NULL and 0 is not defined. */
static inline eti_text eti__text_from(eti_text text, size_t at) {
    return at > 0 ? (eti_text){text.data + at, text.size - at} : text;
}

/* Returns whether both have the same bytes or both are absent. An absent text differs from an empty one. */
static inline bool eti__text_equal(eti_text a, eti_text b) {
    return a.size == b.size &&
           (a.data == b.data || (a.data && b.data && memcmp(a.data, b.data, a.size) == 0));
}

/* Returns a number below, equal to or above 0 if `a` comes before, with or after `b` in the order of their bytes. */
int eti__text_compare(eti_text a, eti_text b);

bool eti__text_is(eti_text text, const char *c_string);
bool eti__text_begins_with(eti_text text, const char *c_string);
bool eti__text_ends_with(eti_text text, const char *c_string);
/* Removes `prefix` from the beginning of the text. Returns false if the text begins otherwise. */
bool eti__text_take(eti_text *text, const char *prefix);

/* Returns the text without spaces, tabs and carriage returns at its ends. */
eti_text eti__text_trim(eti_text text);

/* Returns the text without the byte order mark of UTF-8 with which some editors begin a file. */
eti_text eti__text_skip_mark(eti_text text);

/* Returns whether `needle` occurs in `text`; an empty needle occurs everywhere. */
bool eti__text_contains(eti_text text, eti_text needle);

/* Returns whether `text` contains one of four bytes, none of them NUL. */
bool eti__text_has_any(eti_text text, const char bytes[4]);

static inline bool eti__is_blank(char c) {
    return c == ' ' || c == '\t';
}

static inline bool eti__is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* Returns the part of a path after its last slash; the whole path if it has none. */
eti_text eti__text_file_name(eti_text path);

/* Returns a hash of the bytes, mixed with `seed`; absent and empty text have different hashes. */
uint64_t eti__text_hash(eti_text text, uint64_t seed);

/* Returns the number of leading bytes of `text` that are valid UTF-8 (no overlong forms, no
 * surrogates, nothing above U+10FFFF); text.size if all are. */
size_t eti__text_valid_utf8(eti_text text);

/* Stops a debug build where a text that a writer gets is not UTF-8, because it was not repaired where it entered the model. */
#ifdef ETI_ARENA_DEBUG
#define ETI_EXPECT_UTF8(text) assert(eti__text_valid_utf8(text) == (text).size)
#else
#define ETI_EXPECT_UTF8(text) ((void)0)
#endif

/* Returns the number of bytes from `at` (< text.size) on that one look at 8 bytes shows to be ASCII: 8, all that are
 * left, or 0 (unknown). */
static inline size_t eti__text_count_ascii(eti_text text, size_t at) {
    uint64_t word;
    size_t left = text.size - at, n = left < sizeof word ? left : sizeof word;
    if (text.size < sizeof word)
        return 0;
    memcpy(&word, text.data + at + n - sizeof word, sizeof word); /* the last eight, near the end */
    return (word & 0x8080808080808080u) == 0 ? n : 0;
}

/* Decodes the character at `at` (< text.size) and returns its size in bytes. Bytes that begin a character but do not
 * complete it yield one U+FFFD, as in Python. */
size_t eti__text_decode(eti_text text, size_t at, uint32_t *code_point);

/* Returns whether the character is in one of `n` ascending ranges {first, last}. */
bool eti__is_in_ranges(uint32_t code_point, const uint32_t (*ranges)[2], size_t n);

/* Returns whether a terminal acts on the character instead of showing it: C0, DEL, C1, and the marks that change the
 * direction of text. */
bool eti__is_control(uint32_t code_point);

/* Returns whether a CI runner may take the text at `at` for one of its commands: "##", at most ETI_MOST_OF_COMMAND letters
 * and "[" anywhere in a line (##[group], ##vso[, ##teamcity[), or "::" at the start of a line; `begins_line`: only white
 * space stands before it. Runners ignore case. */
#define ETI_MOST_OF_COMMAND 16
bool eti__begins_command(eti_text text, size_t at, bool begins_line);

/* Returns whether only white space stands in the line after the character, if only white space stood before it. Runners
 * trim the white space of Unicode. */
bool eti__leaves_line_blank(bool is_blank, uint32_t code_point);

/* Writes `value` in decimal so that it ends before `end`; returns where it begins, at most 20 bytes before `end`. */
char *eti__write_u64(char *end, uint64_t value);

/* Returns the size of the longest beginning of the text that is at most `most` bytes and cuts no character. */
size_t eti__text_cut_size(eti_text text, size_t most);

/* Arguments for printf's "%.*s", cut to a length that is suitable for a message. Data must not be cut: add it to a buffer. */
#define ETI_TEXT_ARGS(text) (int)eti__text_cut_size(text, 200), (text).data ? (text).data : ""

/* Growable text. Starts as all zeros. If memory runs out, the text is no longer changed and `failed` is set, so that
 * callers need to check only once, at the end. */
typedef struct eti_buffer {
    char *data; /* not NUL-terminated */
    size_t size;
    size_t capacity;
    bool failed;
} eti_buffer;

/* Makes room for `more` bytes at the end; returns false, with `failed` set, if memory runs out. */
bool eti__buffer_grow(eti_buffer *buffer, size_t more);
static inline bool eti__buffer_reserve(eti_buffer *buffer, size_t more) {
    bool has_room = more <= buffer->capacity - buffer->size && !buffer->failed;
    return has_room || eti__buffer_grow(buffer, more);
}

static inline void eti__buffer_add(eti_buffer *buffer, const void *data, size_t size) {
    if (size == 0 || !eti__buffer_reserve(buffer, size) || !buffer->data)
        return;
    memcpy(buffer->data + buffer->size, data, size);
    buffer->size += size;
}

static inline void eti__buffer_add_char(eti_buffer *buffer, char byte) {
    eti__buffer_add(buffer, &byte, 1);
}

/* Appends a number in decimal. */
void eti__buffer_add_u64(eti_buffer *buffer, uint64_t value);
void eti__buffer_add_i64(eti_buffer *buffer, int64_t value);
/* Appends the sizes of a tensor, such as "[2, 3]". */
void eti__buffer_add_sizes(eti_buffer *buffer, const int64_t *sizes, size_t n);
void eti__buffer_add_text(eti_buffer *buffer, eti_text text);
/* Appends a text; in one that is not UTF-8, each invalid sequence of bytes, as in Python, and each NUL becomes U+FFFD. */
void eti__buffer_add_utf8(eti_buffer *buffer, eti_text text);
void eti__buffer_add_string(eti_buffer *buffer, const char *c_string);
/* Appends a text of at most `most` bytes; of a longer one its beginning, without a part of a character, and "...". */
void eti__buffer_add_cut(eti_buffer *buffer, eti_text text, size_t most);
void eti__buffer_add_repeated(eti_buffer *buffer, const char *c_string, size_t times);
/* Appends formatted text, with the decimal point of the "C" locale. */
void eti__buffer_printf(eti_buffer *buffer, const char *format, ...) ETI_PRINTF(2, 3);
eti_text eti__buffer_text(const eti_buffer *buffer);
void eti__buffer_free(eti_buffer *buffer);

/* ==== label =================================================================================== */
/* A key and value that the user attaches to a report or a profile, such as device or build. */

typedef struct eti_label {
    const char *key;
    const char *value;
} eti_label;

/* ==== text width ============================================================================== */
/* The number of terminal columns that a text takes, and text shortened to fit.
 *
 * East Asian wide characters take two columns, combining marks none; bytes that are not UTF-8 take
 * the width of the U+FFFD that is shown for them. The caller handles control characters. */

/* Returns 0, 1 or 2. */
size_t eti__character_width(uint32_t code_point);

size_t eti__text_width(eti_text text);

/* Appends `text` if it is at most `width` columns wide, and otherwise its beginning and its end with `gap` between them,
 * at most `width` columns in total. The end is kept because it distinguishes names as often as the beginning; the number of
 * a call, "#19", is kept whole if there is room for it. */
void eti__add_folded(eti_buffer *out, eti_text text, size_t width, const char *gap);

/* Does the same for a path, of which only the end is kept, after `gap`: its file and line distinguish it. */
void eti__add_folded_path(eti_buffer *out, eti_text path, size_t width, const char *gap);

#endif
