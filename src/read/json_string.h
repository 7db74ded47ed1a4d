/*
 * json_string.h - takes strings from a JSON reader's window, for json.c only, and reads long strings as streams.
 */
#ifndef ETI_READ_JSON_STRING_H
#define ETI_READ_JSON_STRING_H

#include "etinspect.h"
#include "read/json_window.h"

/* Largest size of a string that is taken from a stream; a skipped one may be longer. */
#define ETI_JSON_MAX_TEXT ((size_t)1 << 20)

/* Implements the general case of eti__json_take_string(). */
bool eti__json_take_parts(eti_json *json, bool keep, eti_text *out);

/* Makes `text`, the last string taken, independent of the window, which a refill overwrites. */
bool eti__json_copy_to_token(eti_json *json, eti_text *text);

/* Returns nonzero if one of the eight bytes ends a plain run: a quote, a backslash, a control character or a byte that is
 * not ASCII. */
static inline uint64_t eti__json_special_bytes(uint64_t word) {
    uint64_t quote = word ^ ETI_EACH_BYTE('"');
    uint64_t backslash = word ^ ETI_EACH_BYTE('\\');
    uint64_t below = ((quote - ETI_EACH_BYTE(1)) & ~quote) |
                     ((backslash - ETI_EACH_BYTE(1)) & ~backslash) |
                     ((word - ETI_EACH_BYTE(0x20)) & ~word);
    return (below | word) & ETI_EACH_BYTE(0x80);
}

static inline bool eti__json_is_plain(unsigned char byte) {
    return byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';
}

/* Returns the same number for a string that is known to be long, in blocks that compilers can vectorize. */
size_t eti__json_long_plain_run(const unsigned char *bytes, size_t size);

#define ETI_JSON_SHORT_RUN 64

/* Returns the number of leading bytes that stand for themselves in a string. */
static inline size_t eti__json_plain_run(const unsigned char *bytes, size_t size) {
    size_t n = 0;
    uint64_t word;
    while (size - n >= sizeof word) {
        if (n == ETI_JSON_SHORT_RUN)
            n += eti__json_long_plain_run(bytes + n, size - n);
        if (size - n < sizeof word)
            break;
        memcpy(&word, bytes + n, sizeof word);
        uint64_t special = eti__json_special_bytes(word);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
        if (special != 0) /* its lowest set bit is exact; higher ones may come from borrows */
            return n + (size_t)__builtin_ctzll(special) / 8;
#else
        if (special != 0)
            break;
#endif
        n += sizeof word;
    }
    while (n < size && eti__json_is_plain(bytes[n]))
        n++;
    return n;
}

/* Takes the string whose opening quote comes next. Without `keep`, it is only checked, and `*out` is meaningless; with
 * it, `*out` is a view of the window if the window contains the whole text and this has no escapes, and otherwise a view
 * of the token. */
static inline bool eti__json_take_string(eti_json *json, bool keep, eti_text *out) {
    const unsigned char *text = json->window + json->at + 1;
    size_t left = json->end - json->at - 1;
    size_t size = eti__json_plain_run(text, left);
    json->token.size = 0;
    if (size == left || text[size] != '"')
        return eti__json_take_parts(json, keep, out);
    json->at += size + 2;
    *out = (eti_text){(const char *)text, size};
    return true;
}

/* A string whose text is read as a stream, whatever its length. */
typedef struct eti_json_text {
    eti_json *json;
    bool is_open; /* the closing quote was not reached yet */
} eti_json_text;

/* Starts reading the next string; any other value is an error of the reader. */
void eti__json_text_open(eti_json_text *text, eti_json *json);

/* Returns the text as the source of another reader, whose context is an eti_json_text. */
eti_status eti__json_text_read(void *context, void *buffer, size_t size, size_t *n, eti_error *err);

/* Skips the rest of the string. */
void eti__json_text_close(eti_json_text *text);

#endif
