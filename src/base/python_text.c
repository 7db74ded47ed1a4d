#include "base/python_text.h"

#include "base/python_unicode_table.h"

#include <string.h>

bool eti__python_is_printable(uint32_t code_point) {
    if (code_point <= 0xa0)
        return code_point >= ' ' && code_point < 0x7f;
    return !eti__is_in_ranges(code_point, eti_python_not_printable,
                              sizeof eti_python_not_printable / sizeof *eti_python_not_printable);
}

bool eti__python_is_space(uint32_t code_point) {
    if (code_point < 0x80)
        return code_point == ' ' || (code_point >= '\t' && code_point <= '\r') ||
               (code_point >= 0x1c && code_point <= 0x1f);
    return code_point == 0x85 || code_point == 0xa0 || code_point == 0x1680 ||
           (code_point >= 0x2000 && code_point <= 0x200a) || code_point == 0x2028 ||
           code_point == 0x2029 || code_point == 0x202f || code_point == 0x205f ||
           code_point == 0x3000;
}

static bool is_number_space(uint32_t code_point) {
    return eti__python_is_space(code_point) && !(code_point >= 0x1c && code_point <= 0x1f);
}

/* Decodes the character that ends before `end` (> 0); returns where it begins. */
static size_t decode_backwards(eti_text text, size_t end, uint32_t *code_point) {
    size_t at = end - 1;
    while (at > 0 && end - at < 4 && ((unsigned char)text.data[at] & 0xc0) == 0x80)
        at--;
    if (at + eti__text_decode(text, at, code_point) == end)
        return at;
    *code_point = 0xfffd;
    return end - 1;
}

static bool is_visible_ascii(char c) {
    return c > ' ' && c < 0x7f;
}

static eti_text strip(eti_text text, bool (*is_space)(uint32_t)) {
    uint32_t code_point;
    if (text.size > 0 && is_visible_ascii(text.data[0]) &&
        is_visible_ascii(text.data[text.size - 1]))
        return text;
    while (text.size > 0) {
        size_t size = eti__text_decode(text, 0, &code_point);
        if (!is_space(code_point))
            break;
        text.data += size;
        text.size -= size;
    }
    while (text.size > 0) {
        size_t at = decode_backwards(text, text.size, &code_point);
        if (!is_space(code_point))
            break;
        text.size = at;
    }
    return text;
}

eti_text eti__python_strip(eti_text text) {
    return strip(text, eti__python_is_space);
}

eti_text eti__python_strip_number(eti_text text) {
    return strip(text, is_number_space);
}

/* Chooses single quotes, as Python does, unless only double quotes avoid escapes. */
static char choose_quote(eti_text text) {
    if (text.size == 0 || !memchr(text.data, '\'', text.size))
        return '\'';
    return memchr(text.data, '"', text.size) ? '\'' : '"';
}

static void add_hex(eti_buffer *out, char kind, uint32_t value, int n_digits) {
    char text[10] = {'\\', kind};
    for (int i = 0; i < n_digits; i++)
        text[2 + i] = "0123456789abcdef"[value >> 4 * (n_digits - 1 - i) & 0xf];
    eti__buffer_add(out, text, (size_t)n_digits + 2);
}

/* Returns the letter after the backslash in \\, \', \t and the like; 0 if `c` has no two-character escape. */
static char short_escape(uint32_t c, char quote) {
    if (c == '\\' || c == (unsigned char)quote)
        return (char)c;
    if (c == '\t')
        return 't';
    if (c == '\n')
        return 'n';
    return c == '\r' ? 'r' : 0;
}

static bool add_short_escape(eti_buffer *out, uint32_t c, char quote) {
    char letter = short_escape(c, quote);
    if (letter == 0)
        return false;
    eti__buffer_add(out, (char[]){'\\', letter}, 2);
    return true;
}

static void add_long_escape(eti_buffer *out, uint32_t code_point) {
    if (code_point <= 0xff)
        add_hex(out, 'x', code_point, 2);
    else if (code_point <= 0xffff)
        add_hex(out, 'u', code_point, 4);
    else
        add_hex(out, 'U', code_point, 8);
}

/* Returns the number of bytes from `at` on that repr() leaves unchanged because they are plain ASCII. */
static size_t plain_length(eti_text text, size_t at, char quote) {
    size_t end = at;
    while (end < text.size && text.data[end] >= ' ' && text.data[end] < 0x7f &&
           text.data[end] != '\\' && text.data[end] != quote)
        end++;
    return end - at;
}

/* Appends the character at `at`, which is not plain; returns its size. */
static size_t add_character(eti_buffer *out, eti_text text, size_t at, char quote) {
    uint32_t code_point;
    size_t size = eti__text_decode(text, at, &code_point);
    if (add_short_escape(out, code_point, quote))
        return size;
    if (code_point == 0xfffd)
        eti__buffer_add(out, "\xef\xbf\xbd", 3); /* also for bytes that are not UTF-8 */
    else if (!eti__python_is_printable(code_point))
        add_long_escape(out, code_point);
    else
        eti__buffer_add(out, text.data + at, size);
    return size;
}

void eti__python_add_str(eti_buffer *out, eti_text text) {
    char quote = choose_quote(text);
    eti__buffer_add_char(out, quote);
    for (size_t at = 0; at < text.size;) {
        size_t plain = plain_length(text, at, quote);
        eti__buffer_add(out, text.data + at, plain);
        at += plain;
        if (at < text.size)
            at += add_character(out, text, at, quote);
    }
    eti__buffer_add_char(out, quote);
}

/* Writes the escaped form of `byte` to `to` and returns its size, at most 4. */
static size_t escape_byte(char *to, unsigned char byte, char quote) {
    char letter = short_escape(byte, quote);
    if (letter == 0 && byte >= ' ' && byte < 0x7f) {
        to[0] = (char)byte;
        return 1;
    }
    to[0] = '\\';
    if (letter != 0) {
        to[1] = letter;
        return 2;
    }
    to[1] = 'x';
    to[2] = "0123456789abcdef"[byte >> 4];
    to[3] = "0123456789abcdef"[byte & 0xf];
    return 4;
}

void eti__python_add_bytes(eti_buffer *out, eti_text bytes) {
    char quote = choose_quote(bytes);
    char piece[256];
    size_t used = 0;
    eti__buffer_add_char(out, 'b');
    eti__buffer_add_char(out, quote);
    for (size_t i = 0; i < bytes.size; i++) {
        used += escape_byte(piece + used, (unsigned char)bytes.data[i], quote);
        if (used > sizeof piece - 4) {
            eti__buffer_add(out, piece, used);
            used = 0;
        }
    }
    eti__buffer_add(out, piece, used);
    eti__buffer_add_char(out, quote);
}
