#include "base/python_number.h"

#include "base/python_text.h"

#include <math.h>
#include <stdlib.h>

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
