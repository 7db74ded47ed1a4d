/*
 * json_window.h - what json.c and json_string.c share: the window that slides over the input. Not
 * for others.
 */
#ifndef ETI_READ_JSON_WINDOW_H
#define ETI_READ_JSON_WINDOW_H

#include "read/json.h"

#define ETI_EACH_BYTE(byte) (UINT64_C(0x0101010101010101) * (byte))

/* Reads more behind what is unread, which moves to the front. False when nothing came. */
bool eti_json_refill(eti_json *json);

/* Reports what comes next as unexpected. Always false, so that callers can return it. */
bool eti_json_fail_expected(eti_json *json, const char *expected);

/* The general case of eti_json_take_string(). */
bool eti_json_take_parts(eti_json *json, bool keep, eti_text *out);

/* Makes `text`, the last string that was taken, independent of the window, which a refill
 * overwrites. */
bool eti_json_copy_to_token(eti_json *json, eti_text *text);

/* The number of bytes that can be looked at: at least `wanted`, unless the input ends before. */
static inline size_t eti_json_look_ahead(eti_json *json, size_t wanted) {
    while (json->end - json->at < wanted && eti_json_refill(json)) {
    }
    return json->end - json->at;
}

/* The next byte, or -1 at the end. */
static inline int eti_json_next_byte(eti_json *json) {
    if (json->at == json->end && !eti_json_refill(json))
        return -1;
    return json->window[json->at];
}

/* The general case of eti_json_next_after_space(). */
int eti_json_skip_space(eti_json *json);

/* The next byte that is no white space, or -1. Mostly there is none, or one blank. */
static inline int eti_json_next_after_space(eti_json *json) {
    int byte = eti_json_next_byte(json);
    if (byte > ' ')
        return byte;
    if (byte == ' ') {
        json->at++;
        byte = eti_json_next_byte(json);
    }
    return byte > ' ' ? byte : eti_json_skip_space(json);
}

/* Not zero when one of the eight bytes ends a plain run: a quote, a backslash, a control character
 * or something that is not ASCII. */
static inline uint64_t eti_json_special_bytes(uint64_t word) {
    uint64_t quote = word ^ ETI_EACH_BYTE('"');
    uint64_t backslash = word ^ ETI_EACH_BYTE('\\');
    uint64_t below = ((quote - ETI_EACH_BYTE(1)) & ~quote) |
                     ((backslash - ETI_EACH_BYTE(1)) & ~backslash) |
                     ((word - ETI_EACH_BYTE(0x20)) & ~word);
    return (below | word) & ETI_EACH_BYTE(0x80);
}

static inline bool eti_json_is_plain(unsigned char byte) {
    return byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';
}

/* The number of leading bytes that stand for themselves in a string. */
static inline size_t eti_json_plain_run(const unsigned char *bytes, size_t size) {
    size_t n = 0;
    uint64_t word;
    while (size - n >= sizeof word) {
        memcpy(&word, bytes + n, sizeof word);
        uint64_t special = eti_json_special_bytes(word);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
        if (special != 0) /* its lowest bit is exact; borrows may have set higher ones */
            return n + (size_t)__builtin_ctzll(special) / 8;
#else
        if (special != 0)
            break;
#endif
        n += sizeof word;
    }
    while (n < size && eti_json_is_plain(bytes[n]))
        n++;
    return n;
}

/* Takes the string whose opening quote comes next. Without `keep` it is only checked, and `*out` is
 * of no use; with it, `*out` is a view of the window, where a text without escapes lies in there as a whole,
 * or of the token. */
static inline bool eti_json_take_string(eti_json *json, bool keep, eti_text *out) {
    const unsigned char *text = json->window + json->at + 1;
    size_t left = json->end - json->at - 1;
    size_t size = eti_json_plain_run(text, left);
    json->token.size = 0;
    if (size == left || text[size] != '"')
        return eti_json_take_parts(json, keep, out);
    json->at += size + 2;
    *out = (eti_text){(const char *)text, size};
    return true;
}

#endif
