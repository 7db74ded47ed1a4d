/*
 * json.h - turns JSON (RFC 8259, UTF-8), from memory or piece by piece from a stream, into the
 * values its caller asks for, in file order.
 *
 * It builds no tree: a caller enters objects and arrays, takes the members it wants and passes over
 * the others, whose text is checked but neither decoded nor kept. Memory does not grow with the
 * input, only with the longest text that is taken. Repeated keys are all reported; what they mean
 * is the caller's. As Python's json, and unlike the RFC, it takes NaN, Infinity and -Infinity for
 * numbers: exported programs contain them, in masks and in open ranges. A lone surrogate (\ud800)
 * becomes U+FFFD.
 *
 * Errors are kept in the reader: after the first one every call returns false, so that loops end,
 * and eti__json_close() reports it as "byte 17: expected ',' or '}', found 'x'". The first byte is
 * byte 0.
 *
 * A reader is opened with the functions of json_window.h, where the caller also reports its own errors.
 */
#ifndef ETI_READ_JSON_H
#define ETI_READ_JSON_H

#include "read/json_window.h"

#define ETI_JSON_MAX_SPELLING ((size_t)16 << 10)

typedef enum eti_json_kind {
    ETI_JSON_NONE, /* no value: something else is there, or an error came before */
    ETI_JSON_NULL,
    ETI_JSON_BOOL,
    ETI_JSON_NUMBER,
    ETI_JSON_STRING,
    ETI_JSON_OBJECT,
    ETI_JSON_ARRAY,
} eti_json_kind;

/* Returns the kind of the next value; nothing is consumed. */
eti_json_kind eti__json_peek(eti_json *json);

/* Enters the object or array that comes next; anything else is an error. */
bool eti__json_enter_object(eti_json *json);
bool eti__json_enter_array(eti_json *json);

/* Within an object: true with the next key, its value must then be taken or skipped; `key` is valid
 * until the next call. False once the object is left, or after an error. */
bool eti__json_next_key(eti_json *json, eti_text *key);

/* Within an array: true when a value follows, which must be taken or skipped; false once it is
 * left. */
bool eti__json_next_element(eti_json *json);

/* Take the value that comes next; another kind is an error. A string is valid until the next
 * call. */
bool eti__json_read_string(eti_json *json, eti_text *out);
/* The same, and keeps in `spelling`, instead of what it held, how the input writes the string; nothing when
 * that is longer than ETI_JSON_MAX_SPELLING. */
bool eti__json_read_spelled_string(eti_json *json, eti_text *out, eti_buffer *spelling);
/* Takes the string that comes next if it is written like one that was read before, which costs a tenth of
 * reading it. */
bool eti__json_take_spelled_string(eti_json *json, const eti_buffer *spelling);
bool eti__json_read_int64(eti_json *json, int64_t *out);
bool eti__json_read_uint64(eti_json *json, uint64_t *out);

/* Passes over the value that comes next, checking it. */
void eti__json_skip(eti_json *json);

/* Takes a null when one comes next. */
bool eti__json_take_null(eti_json *json);

/* Expects only white space up to the end, releases the reader and returns its first error:
 * ETI_ERROR_MALFORMED, ETI_ERROR_LIMIT (depth, integers, long strings), ETI_ERROR_MEMORY, or what the source
 * returned. */
eti_status eti__json_close(eti_json *json, eti_error *err) ETI_WARN_UNUSED;

#endif
