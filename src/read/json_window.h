/*
 * json_window.h - the JSON reader, how it is opened, its errors, and the window that slides over its input:
 *
 *     |  read  | unread          |          not yet read from the source
 *     window   at                end
 *
 * Values are read with json.h. Declarations below the errors are for json.c and json_string.c only.
 */
#ifndef ETI_READ_JSON_WINDOW_H
#define ETI_READ_JSON_WINDOW_H

#include "base/text.h"

#define ETI_JSON_MAX_DEPTH 256

/* Stores up to `size` (> 0) bytes at `buffer` and their number in `*n`; 0 only at the end. */
typedef struct eti_json_source {
    eti_status (*read)(void *context, void *buffer, size_t size, size_t *n, eti_error *err);
    void *context;
} eti_json_source;

/* A reader; its fields are private. */
typedef struct eti_json {
    const unsigned char *window; /* the known part of the input */
    size_t at, end;              /* limits of the unread part of the window */
    uint64_t window_offset;      /* offset of the window's first byte in the input */
    unsigned char *storage;      /* window of a stream; NULL for text */
    eti_json_source source;
    bool refuses_nan; /* set after opening: NaN and Infinity are errors, as in the RFC */
    bool
        is_silent; /* set after opening: errors have no message, because making one takes longer than reading short texts */
    bool exhausted;                         /* the window ends at the end of the input */
    bool first;                             /* nothing of the innermost container was read yet */
    size_t depth;                           /* number of open containers */
    unsigned char open[ETI_JSON_MAX_DEPTH]; /* '{' or '[' for each */
    eti_buffer token;                       /* a text that is not one piece of the window */
    eti_error error;                        /* the first error; ETI_OK if none */
} eti_json;

/* Starts reading `text`, which must outlive the reader; always succeeds. */
void eti__json_open_text(eti_json *json, eti_text text);

/* Starts reading a stream. Running out of memory is reported like any other error. */
void eti__json_open_stream(eti_json *json, eti_json_source source);

/* Lets the caller report an error at the current position that the reader cannot know of. Keeps an earlier error. */
void eti__json_fail(eti_json *json, eti_status status, const char *format, ...) ETI_PRINTF(3, 4);

void eti__json_fail_memory(eti_json *json);

static inline bool eti__json_failed(const eti_json *json) {
    return json->error.status != ETI_OK;
}

#define ETI_EACH_BYTE(byte) (UINT64_C(0x0101010101010101) * (byte))

/* Moves the unread bytes to the front and reads more after them. Returns false if no bytes came. */
bool eti__json_refill(eti_json *json);

/* Reports the next byte as unexpected. Always returns false, so that callers can return the result. */
bool eti__json_fail_expected(eti_json *json, const char *expected);

/* Returns the number of bytes that can be examined: at least `wanted`, unless the input ends earlier. */
static inline size_t eti__json_look_ahead(eti_json *json, size_t wanted) {
    while (json->end - json->at < wanted && eti__json_refill(json)) {
    }
    return json->end - json->at;
}

/* Returns the next byte, or -1 at the end. */
static inline int eti__json_next_byte(eti_json *json) {
    if (json->at == json->end && !eti__json_refill(json))
        return -1;
    return json->window[json->at];
}

/* Implements the general case of eti__json_next_after_space(). */
int eti__json_skip_space(eti_json *json);

/* Returns the next byte that is not white space, or -1. In most cases, there is no white space, or one blank. */
static inline int eti__json_next_after_space(eti_json *json) {
    int byte = eti__json_next_byte(json);
    if (byte > ' ')
        return byte;
    if (byte == ' ') {
        json->at++;
        byte = eti__json_next_byte(json);
    }
    return byte > ' ' ? byte : eti__json_skip_space(json);
}

#endif
