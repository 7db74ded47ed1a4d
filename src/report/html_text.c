#include "report/html_text.h"

#include "table/table.h"

#include <stdlib.h>

void eti__html_add_text(eti_buffer *out, eti_text text) {
    eti_buffer visible = {0};
    eti__add_visible(&visible, text, 0);
    if (visible.failed)
        out->failed = true;
    for (size_t at = 0; at < visible.size; at++) {
        char c = visible.data[at];
        const char *reference = c == '&'    ? "&amp;"
                                : c == '<'  ? "&lt;"
                                : c == '>'  ? "&gt;"
                                : c == '"'  ? "&quot;"
                                : c == '\'' ? "&#39;"
                                            : NULL;
        if (reference)
            eti__buffer_add_string(out, reference);
        else
            eti__buffer_add_char(out, c);
    }
    eti__buffer_free(&visible);
}

void eti__html_add_json(eti_buffer *out, eti_text json) {
    for (size_t at = 0; at < json.size;) {
        const char *found = memchr(json.data + at, '<', json.size - at);
        size_t n = found ? (size_t)(found - (json.data + at)) : json.size - at;
        eti__buffer_add(out, json.data + at, n);
        at += n;
        if (found) {
            eti__buffer_add_string(out, "\\u003c");
            at++;
        }
    }
}

static unsigned digit_value(char digit) {
    return (unsigned)(digit <= '9' ? digit - '0' : digit - 'a' + 10);
}

void eti__html_csp_hash(const void *data, size_t size, char out[ETI_CSP_HASH_SIZE + 1]) {
    static const char alphabet[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char digits[ETI_SHA256_DIGITS + 1];
    unsigned bytes[33] = {0}; /* 32, and one to fill the last group */
    eti__sha256(data, size, digits);
    for (size_t i = 0; i < 32; i++)
        bytes[i] = digit_value(digits[2 * i]) << 4 | digit_value(digits[2 * i + 1]);
    for (size_t i = 0; i < 7; i++)
        out[i] = "sha256-"[i];
    char *to = out + 7;
    for (size_t i = 0; i < 33; i += 3) {
        unsigned group = bytes[i] << 16 | bytes[i + 1] << 8 | bytes[i + 2];
        for (int shift = 18; shift >= 0; shift -= 6)
            *to++ = alphabet[group >> shift & 63];
    }
    to[-1] = '=';
    *to = '\0';
}
