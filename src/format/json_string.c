#include "format/json_window.h"

#include <string.h>

#define LONGEST_ESCAPE 12 /* bytes of a surrogate pair: \ud83d\ude00 */

#define EACH_BYTE(byte) (UINT64_C(0x0101010101010101) * (byte))

/* Not zero when one of the eight bytes ends a plain run: a quote, a backslash, a control character
 * or something that is not ASCII. */
static uint64_t special_bytes(uint64_t word) {
    uint64_t quote = word ^ EACH_BYTE('"');
    uint64_t backslash = word ^ EACH_BYTE('\\');
    uint64_t below = ((quote - EACH_BYTE(1)) & ~quote) | ((backslash - EACH_BYTE(1)) & ~backslash) |
                     ((word - EACH_BYTE(0x20)) & ~word);
    return (below | word) & EACH_BYTE(0x80);
}

static bool is_plain(unsigned char byte) {
    return byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';
}

static size_t plain_run(const unsigned char *bytes, size_t size) {
    size_t n = 0;
    uint64_t word;
    while (size - n >= sizeof word) {
        memcpy(&word, bytes + n, sizeof word);
        uint64_t special = special_bytes(word);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
        if (special != 0) /* its lowest bit is exact; borrows may have set higher ones */
            return n + (size_t)__builtin_ctzll(special) / 8;
#else
        if (special != 0)
            break;
#endif
        n += sizeof word;
    }
    while (n < size && is_plain(bytes[n]))
        n++;
    return n;
}

/* The value of four hexadecimal digits, or -1. */
static int32_t hex4(const unsigned char *digits) {
    int32_t value = 0;
    for (int i = 0; i < 4; i++) {
        unsigned char c = digits[i];
        int digit = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : -1;
        if (digit < 0)
            return -1;
        value = value * 16 + digit;
    }
    return value;
}

static void add_code_point(eti_buffer *out, uint32_t c) {
    unsigned char bytes[4];
    size_t n = 0;
    if (c < 0x80) {
        bytes[n++] = (unsigned char)c;
    } else if (c < 0x800) {
        bytes[n++] = (unsigned char)(0xc0 | c >> 6);
        bytes[n++] = (unsigned char)(0x80 | (c & 0x3f));
    } else if (c < 0x10000) {
        bytes[n++] = (unsigned char)(0xe0 | c >> 12);
        bytes[n++] = (unsigned char)(0x80 | (c >> 6 & 0x3f));
        bytes[n++] = (unsigned char)(0x80 | (c & 0x3f));
    } else {
        bytes[n++] = (unsigned char)(0xf0 | c >> 18);
        bytes[n++] = (unsigned char)(0x80 | (c >> 12 & 0x3f));
        bytes[n++] = (unsigned char)(0x80 | (c >> 6 & 0x3f));
        bytes[n++] = (unsigned char)(0x80 | (c & 0x3f));
    }
    eti_buffer_add(out, bytes, n);
}

/* At "\u": one escape, or the two of a surrogate pair. */
static bool read_unicode_escape(eti_json *json, bool keep) {
    size_t ahead = eti_json_look_ahead(json, LONGEST_ESCAPE);
    const unsigned char *text = json->window + json->at;
    int32_t first = ahead >= 6 ? hex4(text + 2) : -1;
    if (first < 0) {
        eti_json_fail(json, ETI_ERROR_MALFORMED, "expected four hexadecimal digits after \\u");
        return false;
    }
    uint32_t code_point = (uint32_t)first;
    size_t size = 6;
    if (first >= 0xd800 && first < 0xdc00 && ahead >= LONGEST_ESCAPE && text[6] == '\\' &&
        text[7] == 'u') {
        int32_t second = hex4(text + 8);
        if (second >= 0xdc00 && second < 0xe000) {
            code_point = 0x10000 + ((code_point - 0xd800) << 10) + ((uint32_t)second - 0xdc00);
            size = LONGEST_ESCAPE;
        }
    }
    json->at += size;
    if (code_point >= 0xd800 && code_point < 0xe000)
        code_point = 0xfffd;
    if (keep)
        add_code_point(&json->token, code_point);
    return true;
}

/* What the letter after a backslash stands for, or 0. */
static char escaped(int letter) {
    switch (letter) {
    case '"':
    case '\\':
    case '/':
        return (char)letter;
    case 'n':
        return '\n';
    case 't':
        return '\t';
    case 'r':
        return '\r';
    case 'b':
        return '\b';
    case 'f':
        return '\f';
    default:
        return 0;
    }
}

/* At a backslash. */
static bool read_escape(eti_json *json, bool keep) {
    int letter = eti_json_look_ahead(json, 2) < 2 ? -1 : json->window[json->at + 1];
    if (letter == 'u')
        return read_unicode_escape(json, keep);
    char meaning = escaped(letter);
    if (meaning == 0) {
        json->at++;
        return eti_json_fail_expected(json, "one of \"\\/bfnrtu after a backslash");
    }
    json->at += 2;
    if (keep)
        eti_buffer_add_char(&json->token, meaning);
    return true;
}

/* At a byte above 0x7f: the valid UTF-8 up to the next ASCII byte, or as much as the window has. */
static bool read_characters(eti_json *json, bool keep) {
    size_t ahead = eti_json_look_ahead(json, 4);
    const unsigned char *text = json->window + json->at;
    size_t run = 0;
    while (run < ahead && text[run] >= 0x80)
        run++;
    size_t valid = eti_text_valid_utf8((eti_text){(const char *)text, run});
    if (valid == 0) {
        eti_json_fail(json, ETI_ERROR_MALFORMED, "expected UTF-8, found the byte 0x%02x", text[0]);
        return false;
    }
    if (keep)
        eti_buffer_add(&json->token, text, valid);
    json->at += valid;
    return true;
}

/* At the byte that ended a plain run within a string, or at the end of the window. */
static bool read_special(eti_json *json, bool keep) {
    int byte = eti_json_next_byte(json);
    if (byte == '\\')
        return read_escape(json, keep);
    if (byte >= 0x80)
        return read_characters(json, keep);
    if (byte < 0x20)
        return eti_json_fail_expected(json, "the closing quote of a string");
    return true;
}

/* The token, unless memory ran out on the way: then it lacks some of the text. */
static bool take_token(eti_json *json, eti_text *out) {
    if (json->token.failed) {
        eti_json_fail_memory(json);
        return false;
    }
    *out = eti_buffer_text(&json->token);
    return true;
}

bool eti_json_copy_to_token(eti_json *json, eti_text *text) {
    if (json->token.size == 0)
        eti_buffer_add_text(&json->token, *text);
    return take_token(json, text);
}

/* At the opening quote. A text without escapes that lies within the window is returned as a view of
 * it. */
bool eti_json_take_string(eti_json *json, bool keep, eti_text *out) {
    json->at++;
    json->token.size = 0;
    for (;;) {
        const unsigned char *run = json->window + json->at;
        size_t size = plain_run(run, json->end - json->at);
        json->at += size;
        bool closed = json->at < json->end && json->window[json->at] == '"';
        if (closed)
            json->at++;
        if (closed && json->token.size == 0 && !json->token.failed) {
            *out = (eti_text){(const char *)run, size};
            return true;
        }
        if (keep)
            eti_buffer_add(&json->token, run, size);
        if (keep && json->token.size > ETI_JSON_MAX_TEXT) {
            eti_json_fail(json, ETI_ERROR_LIMIT, "a string of more than %zu bytes",
                          ETI_JSON_MAX_TEXT);
            return false;
        }
        if (closed)
            return take_token(json, out);
        if (!read_special(json, keep))
            return false;
    }
}
