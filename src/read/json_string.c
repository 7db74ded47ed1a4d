#include "read/json_string.h"

#include "base/status.h"

#include <string.h>

#define LONGEST_ESCAPE 12 /* bytes of a surrogate pair: \ud83d\ude00 */

/* Returns the value of four hexadecimal digits, or -1. */
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
    eti__buffer_add(out, bytes, n);
}

/* Reads an escape that begins with "\u", or the two of a surrogate pair. */
static bool read_unicode_escape(eti_json *json, bool keep) {
    size_t ahead = eti__json_look_ahead(json, LONGEST_ESCAPE);
    const unsigned char *text = json->window + json->at;
    int32_t first = ahead >= 6 ? hex4(text + 2) : -1;
    if (first < 0) {
        eti__json_fail(json, ETI_ERROR_MALFORMED, "expected four hexadecimal digits after \\u");
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

/* Returns the character that an escape stands for, or 0. */
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

/* Reads an escape; a backslash comes next. */
static bool read_escape(eti_json *json, bool keep) {
    int letter = eti__json_look_ahead(json, 2) < 2 ? -1 : json->window[json->at + 1];
    if (letter == 'u')
        return read_unicode_escape(json, keep);
    char meaning = escaped(letter);
    if (meaning == 0) {
        json->at++;
        return eti__json_fail_expected(json, "one of \"\\/bfnrtu after a backslash");
    }
    json->at += 2;
    if (keep)
        eti__buffer_add_char(&json->token, meaning);
    return true;
}

/* Reads non-ASCII characters: the valid UTF-8 up to the next ASCII byte, or as much as the window contains. A byte above
 * 0x7f comes next. */
static bool read_characters(eti_json *json, bool keep) {
    size_t ahead = eti__json_look_ahead(json, 4);
    const unsigned char *text = json->window + json->at;
    size_t run = 0;
    while (run < ahead && text[run] >= 0x80)
        run++;
    size_t valid = eti__text_valid_utf8((eti_text){(const char *)text, run});
    if (valid == 0) {
        eti__json_fail(json, ETI_ERROR_MALFORMED, "expected UTF-8, found the byte 0x%02x", text[0]);
        return false;
    }
    if (keep)
        eti__buffer_add(&json->token, text, valid);
    json->at += valid;
    return true;
}

/* Reads what ended a plain run inside a string: a special byte, or the end of the window. */
static bool read_special(eti_json *json, bool keep) {
    int byte = eti__json_next_byte(json);
    if (byte == '\\')
        return read_escape(json, keep);
    if (byte >= 0x80)
        return read_characters(json, keep);
    if (byte < 0x20)
        return eti__json_fail_expected(json, "the closing quote of a string");
    return true;
}

/* Returns the token, unless memory ran out, so that it is incomplete. */
static bool take_token(eti_json *json, eti_text *out) {
    if (json->token.failed) {
        eti__json_fail_memory(json);
        return false;
    }
    *out = eti__buffer_text(&json->token);
    return true;
}

size_t eti__json_long_plain_run(const unsigned char *bytes, size_t size) {
    enum { BLOCK = 64 };
    size_t n = 0;
    while (size - n >= BLOCK) {
        unsigned char special = 0;
        for (size_t i = 0; i < BLOCK; i++) {
            unsigned char byte = bytes[n + i];
            special |=
                (unsigned char)((byte < 0x20) | (byte >= 0x80) | (byte == '"') | (byte == '\\'));
        }
        if (special != 0)
            break;
        n += BLOCK;
    }
    return n;
}

bool eti__json_copy_to_token(eti_json *json, eti_text *text) {
    if (json->token.size == 0)
        eti__buffer_add_text(&json->token, *text);
    return take_token(json, text);
}

bool eti__json_take_parts(eti_json *json, bool keep, eti_text *out) {
    json->at++;
    for (;;) {
        const unsigned char *run = json->window + json->at;
        size_t size = eti__json_plain_run(run, json->end - json->at);
        json->at += size;
        bool closed = json->at < json->end && json->window[json->at] == '"';
        if (closed)
            json->at++;
        if (keep)
            eti__buffer_add(&json->token, run, size);
        if (keep && json->token.size > ETI_JSON_MAX_TEXT) {
            eti__json_fail(json, ETI_ERROR_LIMIT, "a string of more than %zu bytes",
                           ETI_JSON_MAX_TEXT);
            return false;
        }
        if (closed)
            return take_token(json, out);
        if (!read_special(json, keep))
            return false;
    }
}

/* ---- strings as streams ---------------------------------------------------------------------- */

void eti__json_text_open(eti_json_text *text, eti_json *json) {
    *text = (eti_json_text){.json = json};
    json->token.size = 0;
    if (eti__json_failed(json))
        return;
    if (eti__json_next_after_space(json) != '"') {
        (void)eti__json_fail_expected(json, "a string");
        return;
    }
    json->at++;
    text->is_open = true;
}

/* Copies decoded escapes from the token to `buffer`; those without room stay in the token. */
static size_t take_from_token(eti_json *json, unsigned char *buffer, size_t size) {
    size_t n = json->token.size < size ? json->token.size : size;
    if (n == 0)
        return 0;
    memcpy(buffer, json->token.data, n);
    memmove(json->token.data, json->token.data + n, json->token.size - n);
    json->token.size -= n;
    return n;
}

eti_status eti__json_text_read(void *context, void *buffer, size_t size, size_t *n,
                               eti_error *err) {
    eti_json_text *text = context;
    eti_json *json = text->json;
    unsigned char *out = buffer;
    *n = take_from_token(json, out, size);
    while (*n < size && text->is_open) {
        size_t left = json->end - json->at, room = size - *n;
        size_t run = eti__json_plain_run(json->window + json->at, left < room ? left : room);
        if (run > 0)
            memcpy(out + *n, json->window + json->at, run);
        json->at += run;
        *n += run;
        if (*n == size)
            break;
        left -= run;
        const unsigned char *next = json->window + json->at;
        char meaning;
        if (left > 0 && *next == '"') {
            json->at++;
            text->is_open = false;
        } else if (left > 1 && *next == '\\' && (meaning = escaped(next[1])) != 0) {
            out[(*n)++] = (unsigned char)
                meaning; /* the most common case for JSON inside JSON: needs no token */
            json->at += 2;
        } else if (!read_special(json, true)) {
            text->is_open = false;
            return eti_fail(err, json->error.status, "the string around it cannot be read");
        }
        *n += take_from_token(json, out + *n, size - *n);
    }
    if (json->token.failed)
        return eti_fail_memory(err);
    return ETI_OK;
}

void eti__json_text_close(eti_json_text *text) {
    unsigned char passed[4096];
    size_t n = 1;
    while (n > 0 && eti__json_text_read(text, passed, sizeof passed, &n, NULL) == ETI_OK) {
    }
    text->json->token.size = 0;
}
