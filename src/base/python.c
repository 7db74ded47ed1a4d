#include "base/python.h"

#include "base/python_unicode_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ==== python text ============================================================================= */

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

/* ==== python number =========================================================================== */

#define INT_DIGITS_MAX 4300 /* sys.int_info.default_max_str_digits */

/* Beyond it every number is zero or infinite, however many digits precede the exponent. */
#define EXPONENT_MAX ((int64_t)1 << 61)

typedef struct number_parts {
    bool negative;
    eti_text whole;    /* digits and underscores; may be empty */
    eti_text fraction; /* like `whole` */
    size_t n_fraction; /* number of digits in `fraction` */
    int64_t exponent;
} number_parts;

static void skip(eti_text *text, size_t size) {
    text->data += size;
    text->size -= size;
}

static bool skip_char(eti_text *text, char c) {
    if (text->size == 0 || *text->data != c)
        return false;
    skip(text, 1);
    return true;
}

/* Skips "+" or "-"; returns true for "-". */
static bool skip_sign(eti_text *text) {
    if (skip_char(text, '-'))
        return true;
    skip_char(text, '+');
    return false;
}

/* Skips digits, with single underscores between them, and returns the number of digits. */
static size_t skip_digits(eti_text *text) {
    size_t n = 0;
    while (text->size > 0 && eti__is_digit(*text->data)) {
        n++;
        skip(text, 1);
        if (text->size >= 2 && text->data[0] == '_' && eti__is_digit(text->data[1]))
            skip(text, 1);
    }
    return n;
}

bool eti__python_is_int(eti_text text) {
    text = eti__python_strip_number(text);
    skip_sign(&text);
    size_t n = skip_digits(&text);
    return n > 0 && n <= INT_DIGITS_MAX && text.size == 0;
}

/* Returns whether the text is `word`, which is in lower case, in any case. */
static bool equals_word(eti_text text, const char *word) {
    for (size_t i = 0; i < text.size; i++) {
        char c = text.data[i];
        if (c >= 'A' && c <= 'Z')
            c = (char)(c - 'A' + 'a');
        if (word[i] == '\0' || c != word[i])
            return false;
    }
    return word[text.size] == '\0';
}

static bool parse_word(eti_text text, double *out) {
    bool negative = skip_sign(&text);
    if (equals_word(text, "nan"))
        *out = NAN;
    else if (equals_word(text, "inf") || equals_word(text, "infinity"))
        *out = negative ? -INFINITY : INFINITY;
    else
        return false;
    return true;
}

/* Reads the digits after "e"; the number is clamped. */
static bool parse_exponent(eti_text *text, int64_t *out) {
    bool negative = skip_sign(text);
    eti_text digits = *text;
    if (skip_digits(text) == 0)
        return false;
    digits.size -= text->size;
    int64_t exponent = 0;
    for (size_t i = 0; i < digits.size; i++) {
        if (eti__is_digit(digits.data[i]) && exponent < EXPONENT_MAX / 10)
            exponent = exponent * 10 + (digits.data[i] - '0');
    }
    *out = negative ? -exponent : exponent;
    return true;
}

static bool parse_parts(eti_text text, number_parts *out) {
    *out = (number_parts){.negative = skip_sign(&text), .whole = text};
    size_t n_whole = skip_digits(&text);
    out->whole.size -= text.size;
    if (skip_char(&text, '.')) {
        out->fraction = text;
        out->n_fraction = skip_digits(&text);
        out->fraction.size -= text.size;
    }
    if (n_whole + out->n_fraction == 0)
        return false;
    if ((skip_char(&text, 'e') || skip_char(&text, 'E')) && !parse_exponent(&text, &out->exponent))
        return false;
    return text.size == 0;
}

static void add_digits(eti_buffer *out, eti_text text) {
    for (size_t i = 0; i < text.size; i++) {
        if (eti__is_digit(text.data[i]))
            eti__buffer_add_char(out, text.data[i]);
    }
}

/* Converts the parts with strtod(), which is given digits and an exponent but never a decimal point, because it expects
 * that of the locale. */
static bool convert(const number_parts *parts, double *out, eti_buffer *scratch) {
    scratch->size = 0;
    if (parts->negative)
        eti__buffer_add_char(scratch, '-');
    add_digits(scratch, parts->whole);
    add_digits(scratch, parts->fraction);
    eti__buffer_printf(scratch, "e%lld", (long long)(parts->exponent - (int64_t)parts->n_fraction));
    eti__buffer_add_char(scratch, '\0');
    if (scratch->failed)
        return false;
    *out = strtod(scratch->data, NULL);
    return true;
}

bool eti__python_float(eti_text text, double *out, eti_buffer *scratch) {
    text = eti__python_strip_number(text);
    number_parts parts;
    if (parse_parts(text, &parts))
        return convert(&parts, out, scratch);
    return parse_word(text, out);
}
