#include "base/text.h"

#include "base/array.h"

#include "base/text_width_table.h"

#include <locale.h>
#include <regex.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__APPLE__)
#include <xlocale.h>
#endif

/* ==== c locale ================================================================================ */

/* The locale of this thread, and the one to which it returns. */
typedef struct visit {
    locale_t c;
    locale_t before;
} visit;

/* Switches this thread to the "C" locale. glibc and musl hold it ready: newlocale() allocates nothing and cannot fail. */
static visit enter_c_locale(void) {
    visit v = {.c = newlocale(LC_ALL_MASK, "C", (locale_t)0)};
    if (v.c)
        v.before = uselocale(v.c);
    return v;
}

static void leave_c_locale(visit v) {
    if (!v.c)
        return;
    uselocale(v.before);
    freelocale(v.c);
}

int eti__vsnprintf(char *out, size_t size, const char *format, va_list arguments) {
    visit v = enter_c_locale();
    int length = vsnprintf(out, size, format, arguments);
    leave_c_locale(v);
    return length;
}

int eti__snprintf(char *out, size_t size, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = eti__vsnprintf(out, size, format, arguments);
    va_end(arguments);
    return length;
}

double eti__strtod(const char *text, char **end) {
    visit v = enter_c_locale();
    double number = strtod(text, end);
    leave_c_locale(v);
    return number;
}

int eti__regcomp(regex_t *out, const char *pattern, int flags) {
    visit v = enter_c_locale();
    int code = regcomp(out, pattern, flags);
    leave_c_locale(v);
    return code;
}

/* ==== text ==================================================================================== */

#define SHORT_TEXT 128

int eti__text_compare(eti_text a, eti_text b) {
    size_t n = a.size < b.size ? a.size : b.size;
    int order = n > 0 ? memcmp(a.data, b.data, n) : 0;
    return order != 0 ? order : (a.size > b.size) - (a.size < b.size);
}

bool eti__text_is(eti_text text, const char *c_string) {
    return eti__text_equal(text, eti__text_of(c_string));
}

bool eti__text_begins_with(eti_text text, const char *c_string) {
    size_t size = strlen(c_string);
    return text.size >= size && memcmp(text.data, c_string, size) == 0;
}

bool eti__text_ends_with(eti_text text, const char *c_string) {
    size_t size = strlen(c_string);
    return text.size >= size && memcmp(text.data + text.size - size, c_string, size) == 0;
}

bool eti__text_take(eti_text *text, const char *prefix) {
    bool has_prefix = eti__text_begins_with(*text, prefix);
    if (has_prefix)
        *text = eti__text_from(*text, strlen(prefix));
    return has_prefix;
}

static bool is_trimmed(char c) {
    return eti__is_blank(c) || c == '\r';
}

eti_text eti__text_trim(eti_text text) {
    while (text.size > 0 && is_trimmed(*text.data))
        text = eti__text_from(text, 1);
    while (text.size > 0 && is_trimmed(text.data[text.size - 1]))
        text.size--;
    return text;
}

eti_text eti__text_skip_mark(eti_text text) {
    eti__text_take(&text, "\xef\xbb\xbf");
    return text;
}

/* memmem() builds tables before it searches, which takes longer than scanning a name. */
static bool short_text_contains(eti_text text, eti_text needle) {
    for (size_t at = 0; at + needle.size <= text.size; at++) {
        if (text.data[at] == needle.data[0] &&
            memcmp(text.data + at, needle.data, needle.size) == 0)
            return true;
    }
    return false;
}

eti_text eti__text_file_name(eti_text path) {
    size_t at = path.size;
    while (at > 0 && path.data[at - 1] != '/')
        at--;
    return eti__text_from(path, at);
}

bool eti__text_contains(eti_text text, eti_text needle) {
    if (needle.size == 0)
        return true;
    if (!text.data || !needle.data || text.size < needle.size)
        return false;
    if (text.size <= SHORT_TEXT)
        return short_text_contains(text, needle);
    return memmem(text.data, text.size, needle.data, needle.size) != NULL;
}

#define ONES 0x0101010101010101u /* a one in each of eight bytes */

/* Returns nonzero if one of the eight bytes of `word` equals the byte that `pattern` repeats eight times: that byte of
 * `without` is 0, and subtracting 1 borrows. */
static uint64_t find_byte(uint64_t word, uint64_t pattern) {
    uint64_t without = word ^ pattern;
    return (without - ONES) & ~without & (ONES << 7);
}

bool eti__text_has_any(eti_text text, const char bytes[4]) {
    const uint64_t a = ONES * (unsigned char)bytes[0], b = ONES * (unsigned char)bytes[1],
                   c = ONES * (unsigned char)bytes[2], d = ONES * (unsigned char)bytes[3];
    for (size_t at = 0; at < text.size; at += sizeof(uint64_t)) {
        uint64_t word = 0;
        size_t left = text.size - at;
        if (left >= sizeof word)
            memcpy(&word, text.data + at, sizeof word);
        else if (at > 0) /* the last eight, partly read before */
            memcpy(&word, text.data + text.size - sizeof word, sizeof word);
        else
            memcpy(&word, text.data, left);
        if (find_byte(word, a) | find_byte(word, b) | find_byte(word, c) | find_byte(word, d))
            return true;
    }
    return false;
}

uint64_t eti__text_hash(eti_text text, uint64_t seed) {
    if (!text.data)
        return eti__hash_mix(seed, UINT64_MAX);
    uint64_t hash = eti__hash_mix(seed, text.size);
    uint64_t other =
        hash; /* hash of every second word, so that neither multiplication waits for the other */
    uint64_t words[2] = {0};
    size_t i = 0;
    for (; text.size - i >= sizeof words; i += sizeof words) {
        memcpy(words, text.data + i, sizeof words);
        hash = eti__hash_mix(hash, words[0]);
        other = eti__hash_mix(other, words[1]);
    }
    if (i > 0)
        hash = eti__hash_mix(hash, other);
    for (; i < text.size; i += sizeof *words) {
        size_t left = text.size - i;
        words[0] = 0;
        memcpy(words, text.data + i, left < sizeof *words ? left : sizeof *words);
        hash = eti__hash_mix(hash, words[0]);
    }
    return hash;
}

/* Stores the number of bytes that follow `first`, and the range of the next one, which excludes overlong forms,
 * surrogates and everything above U+10FFFF. Returns false if `first` starts no character. */
static bool lead_of(unsigned char first, size_t *n_following, unsigned char *low,
                    unsigned char *high) {
    *low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    *high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    *n_following = first < 0x80 ? 0 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
    return first < 0x80 || (first >= 0xc2 && first <= 0xf4);
}

/* Returns the length of the first character of `bytes`; if it is not valid, the length of the part that could have begun
 * one, which counts as one bad character (as in Python and in the Unicode standard). */
static size_t measure_character(const unsigned char *bytes, size_t left, bool *is_valid) {
    size_t n_following;
    unsigned char low, high;
    *is_valid = false;
    if (!lead_of(bytes[0], &n_following, &low, &high))
        return 1;
    for (size_t i = 1; i <= n_following; i++) {
        if (i == left || bytes[i] < low || bytes[i] > high)
            return i;
        low = 0x80;
        high = 0xbf;
    }
    *is_valid = true;
    return 1 + n_following;
}

size_t eti__text_valid_utf8(eti_text text) {
    const unsigned char *bytes = (const unsigned char *)text.data;
    size_t at = 0;
    while (at < text.size) {
        size_t n_ascii = eti__text_count_ascii(text, at);
        if (n_ascii > 0) {
            at += n_ascii;
            continue;
        }
        bool is_valid;
        size_t length = measure_character(bytes + at, text.size - at, &is_valid);
        if (!is_valid)
            break;
        at += length;
    }
    return at;
}

static bool continues_character(char byte) {
    return ((unsigned char)byte & 0xc0) == 0x80;
}

size_t eti__text_cut_size(eti_text text, size_t most) {
    if (text.size <= most)
        return text.size;
    size_t size = most; /* a character has at most three bytes after the first */
    while (size > 0 && most - size < 3 && continues_character(text.data[size]))
        size--;
    return size;
}

size_t eti__text_decode(eti_text text, size_t at, uint32_t *code_point) {
    const unsigned char *bytes = (const unsigned char *)text.data + at;
    bool is_valid;
    if (bytes[0] < 0x80) {
        *code_point = bytes[0];
        return 1;
    }
    size_t length = measure_character(bytes, text.size - at, &is_valid);
    if (!is_valid) {
        *code_point = 0xfffd;
        return length;
    }
    switch (length) {
    case 2:
        *code_point = (uint32_t)(bytes[0] & 0x1f) << 6 | (bytes[1] & 0x3f);
        return 2;
    case 3:
        *code_point = (uint32_t)(bytes[0] & 0x0f) << 12 | (uint32_t)(bytes[1] & 0x3f) << 6 |
                      (bytes[2] & 0x3f);
        return 3;
    default:
        *code_point = (uint32_t)(bytes[0] & 0x07) << 18 | (uint32_t)(bytes[1] & 0x3f) << 12 |
                      (uint32_t)(bytes[2] & 0x3f) << 6 | (bytes[3] & 0x3f);
        return 4;
    }
}

bool eti__is_in_ranges(uint32_t code_point, const uint32_t (*ranges)[2], size_t n) {
    size_t low = 0;
    while (n > 0) {
        size_t half = n / 2;
        if (code_point > ranges[low + half][1]) {
            low += half + 1;
            n -= half + 1;
        } else if (code_point >= ranges[low + half][0]) {
            return true;
        } else {
            n = half;
        }
    }
    return false;
}

bool eti__is_control(uint32_t code_point) {
    static const struct {
        uint32_t first, last;
    } ranges[] = {
        {0, 0x1f},        {0x7f, 0x9f},     /* C0, DEL and C1 */
        {0x61c, 0x61c},   {0x200e, 0x200f}, /* directional marks */
        {0x202a, 0x202e}, {0x2066, 0x2069}, /* embeddings, overrides, isolates */
    };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        if (code_point >= ranges[i].first && code_point <= ranges[i].last)
            return true;
    }
    return false;
}

bool eti__begins_command(eti_text text, size_t at, bool begins_line) {
    size_t end = at + 2;
    if (text.size < end || text.data[at] != text.data[at + 1])
        return false;
    if (text.data[at] == ':')
        return begins_line;
    while (end < text.size && end - at < 2 + ETI_MOST_OF_COMMAND &&
           (unsigned)((text.data[end] | 0x20) - 'a') < 26)
        end++;
    return text.data[at] == '#' && end < text.size && text.data[end] == '[';
}

bool eti__leaves_line_blank(bool is_blank, uint32_t code_point) {
    static const uint32_t spaces[][2] = {{0x09, 0x0d},     {0x20, 0x20},     {0x85, 0x85},
                                         {0xa0, 0xa0},     {0x1680, 0x1680}, {0x2000, 0x200a},
                                         {0x2028, 0x2029}, {0x202f, 0x202f}, {0x205f, 0x205f},
                                         {0x3000, 0x3000}, {0xfeff, 0xfeff}};
    if (code_point == '\n' || code_point == '\r')
        return true;
    return is_blank && eti__is_in_ranges(code_point, spaces, sizeof spaces / sizeof *spaces);
}

char *eti__write_u64(char *end, uint64_t value) {
    static const char pairs[] =
        "0001020304050607080910111213141516171819202122232425262728293031323334"
        "3536373839404142434445464748495051525354555657585960616263646566676869"
        "707172737475767778798081828384858687888990919293949596979899";
    while (value >= 100) {
        end -= 2;
        memcpy(end, pairs + value % 100 * 2, 2);
        value /= 100;
    }
    if (value < 10) {
        *--end = (char)('0' + value);
        return end;
    }
    end -= 2;
    memcpy(end, pairs + value * 2, 2);
    return end;
}

bool eti__buffer_grow(eti_buffer *buffer, size_t more) {
    if (buffer->failed)
        return false;
    size_t capacity = buffer->capacity ? buffer->capacity : 256;
    while (capacity - buffer->size < more && capacity <= SIZE_MAX / 2)
        capacity *= 2;
    char *grown = capacity - buffer->size < more ? NULL : realloc(buffer->data, capacity);
    if (!grown) {
        buffer->failed = true;
        return false;
    }
    buffer->data = grown;
    buffer->capacity = capacity;
    return true;
}

void eti__buffer_add_u64(eti_buffer *buffer, uint64_t value) {
    char digits[20];
    char *end = digits + sizeof digits;
    const char *first = eti__write_u64(end, value);
    eti__buffer_add(buffer, first, (size_t)(end - first));
}

void eti__buffer_add_i64(eti_buffer *buffer, int64_t value) {
    if (value < 0)
        eti__buffer_add_char(buffer, '-');
    eti__buffer_add_u64(buffer, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

void eti__buffer_add_sizes(eti_buffer *buffer, const int64_t *sizes, size_t n) {
    eti__buffer_add_char(buffer, '[');
    for (size_t i = 0; i < n; i++) {
        eti__buffer_add_string(buffer, i > 0 ? ", " : "");
        eti__buffer_add_i64(buffer, sizes[i]);
    }
    eti__buffer_add_char(buffer, ']');
}

void eti__buffer_add_text(eti_buffer *buffer, eti_text text) {
    eti__buffer_add(buffer, text.data, text.size);
}

void eti__buffer_add_utf8(eti_buffer *buffer, eti_text text) {
    if (eti__text_valid_utf8(text) == text.size) {
        eti__buffer_add_text(buffer, text);
        return;
    }
    for (size_t at = 0; at < text.size;) {
        uint32_t character;
        size_t size = eti__text_decode(text, at, &character);
        if (character == 0 || character == 0xfffd)
            eti__buffer_add_text(buffer, (eti_text){"\xef\xbf\xbd", 3});
        else
            eti__buffer_add(buffer, text.data + at, size);
        at += size;
    }
}

void eti__buffer_add_string(eti_buffer *buffer, const char *c_string) {
    eti__buffer_add(buffer, c_string, strlen(c_string));
}

void eti__buffer_add_cut(eti_buffer *buffer, eti_text text, size_t most) {
    size_t size = eti__text_cut_size(text, most);
    eti__buffer_add(buffer, text.data, size);
    if (size < text.size)
        eti__buffer_add_string(buffer, "...");
}

/* Appends the text repeatedly by doubling, because a line of a table may be megabytes wide. */
void eti__buffer_add_repeated(eti_buffer *buffer, const char *c_string, size_t times) {
    eti_text text = eti__text_of(c_string);
    size_t total;
    if (__builtin_mul_overflow(text.size, times, &total))
        buffer->failed = true;
    if (buffer->failed || total == 0 || !eti__buffer_reserve(buffer, total))
        return;
    char *start = buffer->data + buffer->size;
    memcpy(start, text.data, text.size);
    for (size_t done = text.size, n; done < total; done += n) {
        n = done < total - done ? done : total - done;
        memcpy(start + done, start, n);
    }
    buffer->size += total;
}

void eti__buffer_printf(eti_buffer *buffer, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = eti__vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0 || !eti__buffer_reserve(buffer, (size_t)length + 1))
        return;
    va_start(arguments, format);
    eti__vsnprintf(buffer->data + buffer->size, (size_t)length + 1, format, arguments);
    va_end(arguments);
    buffer->size += (size_t)length;
}

eti_text eti__buffer_text(const eti_buffer *buffer) {
    return (eti_text){buffer->data ? buffer->data : "", buffer->size};
}

void eti__buffer_free(eti_buffer *buffer) {
    free(buffer->data);
    *buffer = (eti_buffer){0};
}

/* ==== text width ============================================================================== */

#define FIRST_ODD_WIDTH 0xad /* all characters below it take one column */

#define IS_IN(code_point, ranges)                                                                  \
    eti__is_in_ranges((code_point), (ranges), sizeof(ranges) / sizeof *(ranges))

size_t eti__character_width(uint32_t code_point) {
    if (code_point <= FIRST_ODD_WIDTH)
        return 1;
    if (IS_IN(code_point, eti_takes_no_column))
        return 0;
    return IS_IN(code_point, eti_takes_two_columns) ? 2 : 1;
}

size_t eti__text_width(eti_text text) {
    size_t at = 0;
    while (at < text.size && (unsigned char)text.data[at] < 0x80)
        at++;
    size_t width = at;
    while (at < text.size) {
        uint32_t character;
        at += eti__text_decode(text, at, &character);
        width += eti__character_width(character);
    }
    return width;
}

/* Returns the number of bytes at the start of `text` that take at most `width` columns, including all marks that combine
 * with the last character. */
static size_t start_size(eti_text text, size_t width) {
    size_t at = 0;
    while (at < text.size) {
        uint32_t character;
        size_t size = eti__text_decode(text, at, &character);
        size_t columns = eti__character_width(character);
        if (columns > width)
            break;
        width -= columns;
        at += size;
    }
    return at;
}

/* Returns where the longest end of `text` (`total` columns wide) that takes at most `width` columns begins; never at a
 * combining mark, which would lack its character. */
static size_t end_start(eti_text text, size_t total, size_t width) {
    size_t at = 0;
    while (at < text.size) {
        uint32_t character;
        size_t size = eti__text_decode(text, at, &character);
        size_t columns = eti__character_width(character);
        if (total <= width && columns > 0)
            break;
        total -= columns;
        at += size;
    }
    return at;
}

/* Returns the width of the number of a call at the end of a name, such as "#19"; 0: the name has none. */
static size_t call_number_width(eti_text name) {
    size_t at = name.size;
    while (at > 0 && eti__is_digit(name.data[at - 1]))
        at--;
    bool has_number = at > 0 && at < name.size && name.data[at - 1] == '#';
    return has_number ? name.size - at + 1 : 0;
}

void eti__add_folded(eti_buffer *out, eti_text text, size_t width, const char *gap) {
    size_t total = eti__text_width(text);
    if (total <= width) {
        eti__buffer_add_text(out, text);
        return;
    }
    eti_text mark = eti__text_of(gap);
    size_t gap_width = eti__text_width(mark);
    if (width <= gap_width) { /* no room for both sides */
        eti__buffer_add(out, text.data, start_size(text, width));
        return;
    }
    size_t room = width - gap_width, number = call_number_width(text);
    size_t of_end = number > room / 2 && number < room ? number : room / 2;
    size_t end = end_start(text, total, of_end);
    eti__buffer_add(out, text.data, start_size(text, room - of_end));
    eti__buffer_add_text(out, mark);
    eti__buffer_add(out, text.data + end, text.size - end);
}

void eti__add_folded_path(eti_buffer *out, eti_text path, size_t width, const char *gap) {
    size_t total = eti__text_width(path);
    size_t gap_width = eti__text_width(eti__text_of(gap));
    bool has_gap = total > width && width > gap_width;
    size_t end = total > width ? end_start(path, total, has_gap ? width - gap_width : width) : 0;
    eti__buffer_add_string(out, has_gap ? gap : "");
    eti__buffer_add(out, path.data + end, path.size - end);
}
