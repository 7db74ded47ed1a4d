#include "read/json.h"

#include "base/status.h"
#include "read/read.h"

#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ==== json window ============================================================================= */

#define ETI_EACH_BYTE(byte) (UINT64_C(0x0101010101010101) * (byte))

static bool refill_json(eti_json *json);

/* Returns the number of bytes that can be examined: at least `wanted`, unless the input ends earlier. */
static inline size_t look_ahead(eti_json *json, size_t wanted) {
    while (json->end - json->at < wanted && refill_json(json)) {
    }
    return json->end - json->at;
}

/* Returns the next byte, or -1 at the end. */
static inline int json_next_byte(eti_json *json) {
    if (json->at == json->end && !refill_json(json))
        return -1;
    return json->window[json->at];
}

/* Implements the general case of json_next_after_space(). */
static int skip_space(eti_json *json) {
    const uint64_t blanks = ETI_EACH_BYTE(' ');
    for (;;) {
        while (json->end - json->at >= sizeof blanks &&
               memcmp(json->window + json->at, &blanks, sizeof blanks) == 0)
            json->at += sizeof blanks;
        int byte = json_next_byte(json);
        if (byte != ' ' && byte != '\n' && byte != '\r' && byte != '\t')
            return byte;
        json->at++;
    }
}

/* Returns the next byte that is not white space, or -1. In most cases, there is no white space, or one blank. */
static inline int json_next_after_space(eti_json *json) {
    int byte = json_next_byte(json);
    if (byte > ' ')
        return byte;
    if (byte == ' ') {
        json->at++;
        byte = json_next_byte(json);
    }
    return byte > ' ' ? byte : skip_space(json);
}

#define WINDOW_BYTES ((size_t)64 << 10)

/* ---- errors ---------------------------------------------------------------------------------- */

void eti__json_fail(eti_json *json, eti_status status, const char *format, ...) {
    if (eti__json_failed(json))
        return;
    if (json->is_silent) {
        json->error.status = status;
        return;
    }
    char sentence[sizeof json->error.message];
    va_list arguments;
    va_start(arguments, format);
    eti__vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    unsigned long long offset = json->window_offset + json->at;
    (void)eti_fail(&json->error, status, "byte %llu: %s", offset, sentence);
}

void eti__json_fail_memory(eti_json *json) {
    if (!eti__json_failed(json))
        (void)eti_fail_memory(&json->error);
}

/* ---- the window ------------------------------------------------------------------------------ */

/* Clears everything except the list of open containers and the message, which are kilobytes without contents. */
static void clear(eti_json *json) {
    memset(json, 0, offsetof(eti_json, open));
    json->token = (eti_buffer){0};
    json->error.status = ETI_OK;
    json->error.message[0] = '\0';
}

void eti__json_open_text(eti_json *json, eti_text text) {
    clear(json);
    json->window = (const unsigned char *)(text.data ? text.data : "");
    json->end = text.size;
    json->exhausted = true;
}

void eti__json_open_stream(eti_json *json, eti_json_source source) {
    clear(json);
    json->window = (const unsigned char *)"";
    json->source = source;
    json->storage = malloc(WINDOW_BYTES);
    if (json->storage)
        json->window = json->storage;
    else
        eti__json_fail_memory(json);
}

/* Moves the unread bytes to the front and reads more after them. Returns false if no bytes came. */
static bool refill_json(eti_json *json) {
    if (json->exhausted || eti__json_failed(json))
        return false;
    size_t unread = json->end - json->at;
    memmove(json->storage, json->storage + json->at, unread);
    json->window_offset += json->at;
    json->at = 0;
    json->end = unread;

    size_t n = 0;
    eti_status status = json->source.read(json->source.context, json->storage + unread,
                                          WINDOW_BYTES - unread, &n, &json->error);
    if (status != ETI_OK) {
        json->error.status = status;
        return false;
    }
    json->end += n;
    json->exhausted = n == 0;
    return n > 0;
}

/* Reports the next byte as unexpected. Always returns false, so that callers can return the result. */
static bool fail_expected(eti_json *json, const char *expected) {
    int byte = json_next_byte(json);
    if (byte < 0)
        eti__json_fail(json, ETI_ERROR_MALFORMED, "expected %s, found the end", expected);
    else if (byte > 0x20 && byte < 0x7f)
        eti__json_fail(json, ETI_ERROR_MALFORMED, "expected %s, found '%c'", expected, byte);
    else
        eti__json_fail(json, ETI_ERROR_MALFORMED, "expected %s, found the byte 0x%02x", expected,
                       (unsigned)byte);
    return false;
}

/* ==== json string ============================================================================= */

/* Largest size of a string that is taken from a stream; a skipped one may be longer. */
#define ETI_JSON_MAX_TEXT ((size_t)1 << 20)

/* Returns nonzero if one of the eight bytes ends a plain run: a quote, a backslash, a control character or a byte that is
 * not ASCII. */
static inline uint64_t json_special_bytes(uint64_t word) {
    uint64_t quote = word ^ ETI_EACH_BYTE('"');
    uint64_t backslash = word ^ ETI_EACH_BYTE('\\');
    uint64_t below = ((quote - ETI_EACH_BYTE(1)) & ~quote) |
                     ((backslash - ETI_EACH_BYTE(1)) & ~backslash) |
                     ((word - ETI_EACH_BYTE(0x20)) & ~word);
    return (below | word) & ETI_EACH_BYTE(0x80);
}

static inline bool json_is_plain(unsigned char byte) {
    return byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';
}

#define ETI_JSON_SHORT_RUN 64

/* Returns the same number for a string that is known to be long, in blocks that compilers can vectorize. */
static size_t json_long_plain_run(const unsigned char *bytes, size_t size) {
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

/* Returns the number of leading bytes that stand for themselves in a string. */
static inline size_t json_plain_run(const unsigned char *bytes, size_t size) {
    size_t n = 0;
    uint64_t word;
    while (size - n >= sizeof word) {
        if (n == ETI_JSON_SHORT_RUN)
            n += json_long_plain_run(bytes + n, size - n);
        if (size - n < sizeof word)
            break;
        memcpy(&word, bytes + n, sizeof word);
        uint64_t special = json_special_bytes(word);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
        if (special != 0) /* its lowest set bit is exact; higher ones may come from borrows */
            return n + (size_t)__builtin_ctzll(special) / 8;
#else
        if (special != 0)
            break;
#endif
        n += sizeof word;
    }
    while (n < size && json_is_plain(bytes[n]))
        n++;
    return n;
}

static bool take_parts(eti_json *json, bool keep, eti_text *out);

/* Takes the string whose opening quote comes next. Without `keep`, it is only checked, and `*out` is meaningless; with
 * it, `*out` is a view of the window if the window contains the whole text and this has no escapes, and otherwise a view
 * of the token. */
static inline bool take_text(eti_json *json, bool keep, eti_text *out) {
    const unsigned char *text = json->window + json->at + 1;
    size_t left = json->end - json->at - 1;
    size_t size = json_plain_run(text, left);
    json->token.size = 0;
    if (size == left || text[size] != '"')
        return take_parts(json, keep, out);
    json->at += size + 2;
    *out = (eti_text){(const char *)text, size};
    return true;
}

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
    size_t ahead = look_ahead(json, LONGEST_ESCAPE);
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
    int letter = look_ahead(json, 2) < 2 ? -1 : json->window[json->at + 1];
    if (letter == 'u')
        return read_unicode_escape(json, keep);
    char meaning = escaped(letter);
    if (meaning == 0) {
        json->at++;
        return fail_expected(json, "one of \"\\/bfnrtu after a backslash");
    }
    json->at += 2;
    if (keep)
        eti__buffer_add_char(&json->token, meaning);
    return true;
}

/* Reads non-ASCII characters: the valid UTF-8 up to the next ASCII byte, or as much as the window contains. A byte above
 * 0x7f comes next. */
static bool read_characters(eti_json *json, bool keep) {
    size_t ahead = look_ahead(json, 4);
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
    int byte = json_next_byte(json);
    if (byte == '\\')
        return read_escape(json, keep);
    if (byte >= 0x80)
        return read_characters(json, keep);
    if (byte < 0x20)
        return fail_expected(json, "the closing quote of a string");
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

/* Makes `text`, the last string taken, independent of the window, which a refill overwrites. */
static bool copy_to_token(eti_json *json, eti_text *text) {
    if (json->token.size == 0)
        eti__buffer_add_text(&json->token, *text);
    return take_token(json, text);
}

/* Implements the general case of take_text(). */
static bool take_parts(eti_json *json, bool keep, eti_text *out) {
    json->at++;
    for (;;) {
        const unsigned char *run = json->window + json->at;
        size_t size = json_plain_run(run, json->end - json->at);
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
    if (json_next_after_space(json) != '"') {
        (void)fail_expected(json, "a string");
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
        size_t run = json_plain_run(json->window + json->at, left < room ? left : room);
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

/* ==== json ==================================================================================== */

/*
 * No library is used, for these reasons: measured on a 51 MB graph and on 57 MB with one 48 MB base64 text (reading and
 * summing the bytes: 0.02 s), jansson 2.14 takes 1.1 s / 1.0 s and 7.7x / 4.7x the file's size in memory, json-c 0.16 takes
 * 1.3 s / 0.5 s and 13.9x / 6.9x, yajl 2.1 in pieces takes 0.12 s / 1.9 s and 1.0x / 1.9x; this reader takes 0.05 s / 0.03 s
 * and 1.0x. jansson and yajl reject the -Infinity that every masked attention exports, and yajl crashes when memory runs
 * out.
 */

/* ---- numbers and words ----------------------------------------------------------------------- */

typedef struct number {
    bool negative;
    bool is_integer;
    bool overflow; /* an integer whose magnitude needs more than 64 bits */
    uint64_t magnitude;
} number;

/* Reads one or more digits. */
static bool read_digits(eti_json *json, number *out) {
    int byte = json_next_byte(json);
    if (byte < '0' || byte > '9')
        return fail_expected(json, "a digit");
    for (; byte >= '0' && byte <= '9'; byte = json_next_byte(json)) {
        uint64_t digit = (uint64_t)(byte - '0');
        if (out->magnitude > (UINT64_MAX - digit) / 10)
            out->overflow = true;
        else
            out->magnitude = out->magnitude * 10 + digit;
        json->at++;
    }
    return true;
}

static bool read_word(eti_json *json, const char *word) {
    size_t size = strlen(word);
    if (look_ahead(json, size) < size || memcmp(json->window + json->at, word, size) != 0) {
        eti__json_fail(json, ETI_ERROR_MALFORMED, "expected %s", word);
        return false;
    }
    json->at += size;
    return true;
}

static bool read_number(eti_json *json, number *out) {
    *out = (number){.is_integer = true};
    if (json_next_byte(json) == '-') {
        out->negative = true;
        json->at++;
    }
    int byte = json_next_byte(json);
    if (!json->refuses_nan && (byte == 'I' || (byte == 'N' && !out->negative))) {
        out->is_integer = false;
        return read_word(json, byte == 'I' ? "Infinity" : "NaN");
    }
    if (byte == '0')
        json->at++;
    else if (!read_digits(json, out))
        return false;

    number ignored = {0};
    if (json_next_byte(json) == '.') {
        out->is_integer = false;
        json->at++;
        if (!read_digits(json, &ignored))
            return false;
    }
    byte = json_next_byte(json);
    if (byte != 'e' && byte != 'E')
        return true;
    out->is_integer = false;
    json->at++;
    byte = json_next_byte(json);
    if (byte == '+' || byte == '-')
        json->at++;
    return read_digits(json, &ignored);
}

/* Skips a number. Most have a few digits and end inside the window. */
static bool skip_number(eti_json *json) {
    const unsigned char *digits = json->window + json->at;
    size_t left = json->end - json->at, n = 0;
    while (n < left && digits[n] >= '0' && digits[n] <= '9')
        n++;
    bool is_integer = n > 0 && n < left && digits[n] != '.' && (digits[n] | 0x20) != 'e';
    number ignored;
    if (!is_integer || (digits[0] == '0' && n > 1))
        return read_number(json, &ignored);
    json->at += n;
    return true;
}

/* ---- values ---------------------------------------------------------------------------------- */

static eti_json_kind kind_of(int byte) {
    static const unsigned char kinds[UCHAR_MAX + 1] = {
        ['{'] = ETI_JSON_OBJECT, ['['] = ETI_JSON_ARRAY,  ['"'] = ETI_JSON_STRING,
        ['t'] = ETI_JSON_BOOL,   ['f'] = ETI_JSON_BOOL,   ['n'] = ETI_JSON_NULL,
        ['-'] = ETI_JSON_NUMBER, ['I'] = ETI_JSON_NUMBER, ['N'] = ETI_JSON_NUMBER,
        ['0'] = ETI_JSON_NUMBER, ['1'] = ETI_JSON_NUMBER, ['2'] = ETI_JSON_NUMBER,
        ['3'] = ETI_JSON_NUMBER, ['4'] = ETI_JSON_NUMBER, ['5'] = ETI_JSON_NUMBER,
        ['6'] = ETI_JSON_NUMBER, ['7'] = ETI_JSON_NUMBER, ['8'] = ETI_JSON_NUMBER,
        ['9'] = ETI_JSON_NUMBER,
    };
    return byte < 0 ? ETI_JSON_NONE : (eti_json_kind)kinds[byte];
}

eti_json_kind eti__json_peek(eti_json *json) {
    if (eti__json_failed(json))
        return ETI_JSON_NONE;
    return kind_of(json_next_after_space(json));
}

/* Returns whether a value of `kind` comes next; otherwise reports an error. */
static bool expect_kind(eti_json *json, eti_json_kind kind, const char *expected) {
    if (eti__json_peek(json) == kind)
        return true;
    if (!eti__json_failed(json))
        fail_expected(json, expected);
    return false;
}

/* Enters a container; the opening bracket comes next. */
static bool enter(eti_json *json) {
    if (json->depth == ETI_JSON_MAX_DEPTH) {
        eti__json_fail(json, ETI_ERROR_LIMIT, "nested deeper than %d levels", ETI_JSON_MAX_DEPTH);
        return false;
    }
    json->open[json->depth++] = json->window[json->at++];
    json->first = true;
    return true;
}

static bool leave(eti_json *json) {
    json->at++;
    json->depth--;
    json->first = false;
    return false;
}

bool eti__json_enter_object(eti_json *json) {
    return expect_kind(json, ETI_JSON_OBJECT, "an object ('{')") && enter(json);
}

bool eti__json_enter_array(eti_json *json) {
    return expect_kind(json, ETI_JSON_ARRAY, "an array ('[')") && enter(json);
}

/* Reads the comma before every member or element except the first; returns false if the container ends here. */
static bool next_item(eti_json *json, int closing, const char *expected) {
    if (eti__json_failed(json))
        return false;
    int byte = json_next_after_space(json);
    if (byte == closing)
        return leave(json);
    if (!json->first) {
        if (byte != ',')
            return fail_expected(json, expected);
        json->at++;
        (void)json_next_after_space(json);
    }
    json->first = false;
    return true;
}

static bool next_key(eti_json *json, bool keep, eti_text *key) {
    if (!next_item(json, '}', "',' or '}'"))
        return false;
    if (json_next_byte(json) != '"')
        return fail_expected(json, "a key in double quotes");
    if (!take_text(json, keep, key))
        return false;
    bool colon_is_next = json->at < json->end && json->window[json->at] == ':';
    if (!colon_is_next && keep && !copy_to_token(json, key))
        return false;
    if (!colon_is_next && json_next_after_space(json) != ':')
        return fail_expected(json, "':'");
    json->at++;
    return true;
}

bool eti__json_next_key(eti_json *json, eti_text *key) {
    *key = (eti_text){"", 0};
    return next_key(json, true, key);
}

bool eti__json_next_element(eti_json *json) {
    return next_item(json, ']', "',' or ']'");
}

bool eti__json_read_string(eti_json *json, eti_text *out) {
    *out = (eti_text){"", 0};
    return expect_kind(json, ETI_JSON_STRING, "a string") && take_text(json, true, out);
}

bool eti__json_read_spelled_string(eti_json *json, eti_text *out, eti_buffer *spelling) {
    spelling->size = 0;
    if (eti__json_peek(json) != ETI_JSON_STRING)
        return eti__json_read_string(json, out); /* this reports the error */
    uint64_t start = json->window_offset + json->at;
    if (!eti__json_read_string(json, out))
        return false;
    /* The beginning of a string that did not fit into the window is lost. */
    uint64_t size = json->window_offset + json->at - start;
    if (start >= json->window_offset && size <= ETI_JSON_MAX_SPELLING)
        eti__buffer_add(spelling, json->window + json->at - size, (size_t)size);
    if (spelling->failed)
        eti__json_fail_memory(json);
    return !spelling->failed;
}

bool eti__json_take_spelled_string(eti_json *json, const eti_buffer *spelling) {
    size_t size = spelling->size;
    if (size == 0 || eti__json_peek(json) != ETI_JSON_STRING || look_ahead(json, size) < size ||
        memcmp(json->window + json->at, spelling->data, size) != 0)
        return false;
    json->at += size;
    return true;
}

/* Reads an integer within the given limits. */
static bool read_integer(eti_json *json, uint64_t largest, uint64_t largest_negated, number *out) {
    if (!expect_kind(json, ETI_JSON_NUMBER, "an integer") || !read_number(json, out))
        return false;
    if (!out->is_integer) {
        eti__json_fail(json, ETI_ERROR_MALFORMED, "expected an integer, found a fraction");
        return false;
    }
    if (out->overflow || out->magnitude > (out->negative ? largest_negated : largest)) {
        eti__json_fail(json, ETI_ERROR_LIMIT, "the integer that ends here is out of range");
        return false;
    }
    return true;
}

bool eti__json_read_int64(eti_json *json, int64_t *out) {
    number value;
    *out = 0;
    if (!read_integer(json, INT64_MAX, (uint64_t)INT64_MAX + 1, &value))
        return false;
    uint64_t bits = value.negative ? 0 - value.magnitude : value.magnitude;
    memcpy(out, &bits, sizeof *out);
    return true;
}

bool eti__json_read_uint64(eti_json *json, uint64_t *out) {
    number value;
    *out = 0;
    if (!read_integer(json, UINT64_MAX, 0, &value))
        return false;
    *out = value.magnitude;
    return true;
}

bool eti__json_take_null(eti_json *json) {
    return eti__json_peek(json) == ETI_JSON_NULL && read_word(json, "null");
}

/* Skips a value that is not a container, or enters one. */
static bool skip_part(eti_json *json) {
    eti_text ignored;
    int byte = json_next_after_space(json);
    switch (kind_of(byte)) {
    case ETI_JSON_OBJECT:
    case ETI_JSON_ARRAY:
        return enter(json);
    case ETI_JSON_STRING:
        return take_text(json, false, &ignored);
    case ETI_JSON_NUMBER:
        return skip_number(json);
    case ETI_JSON_BOOL:
        return read_word(json, byte == 't' ? "true" : "false");
    case ETI_JSON_NULL:
        return read_word(json, "null");
    case ETI_JSON_NONE:
        break;
    }
    return fail_expected(json, "a value");
}

void eti__json_skip(eti_json *json) {
    const size_t outside = json->depth;
    if (eti__json_failed(json) || !skip_part(json))
        return;
    while (json->depth > outside) {
        eti_text ignored;
        bool more = json->open[json->depth - 1] == '{' ? next_key(json, false, &ignored)
                                                       : eti__json_next_element(json);
        if (more)
            more = skip_part(json);
        if (!more && eti__json_failed(json))
            return;
    }
}

eti_status eti__json_close(eti_json *json, eti_error *err) {
    if (json->token.failed)
        eti__json_fail_memory(json);
    if (!eti__json_failed(json) && json_next_after_space(json) >= 0)
        fail_expected(json, "nothing after the value");
    eti__buffer_free(&json->token);
    free(json->storage);
    json->storage = NULL;
    if (eti__json_failed(json) && err)
        eti__error_copy(err, &json->error);
    return json->error.status;
}
