/*
 * json.h - reads JSON (RFC 8259, UTF-8), from memory or piece by piece from a stream, and returns the values that its caller
 * requests, in file order.
 *
 * It builds no tree: a caller enters objects and arrays, takes the members it wants and skips the others, whose text is
 * checked but neither decoded nor kept. Memory depends not on the size of the input, but only on the longest text that is
 * taken. All repeated keys are reported, and the caller decides what they mean. Like Python's json, and unlike the RFC, it
 * accepts NaN, Infinity and -Infinity as numbers: exported programs contain them, in masks and in open ranges. A lone
 * surrogate (\ud800) becomes U+FFFD.
 *
 * Errors are kept in the reader: after the first one every call returns false, so that loops end, and eti__json_close()
 * reports it, for example as "byte 17: expected ',' or '}', found 'x'". The first byte is byte 0.
 *
 * A reader is opened with the functions of json_window.h, where the caller also reports its own errors.
 */
#ifndef ETI_READ_JSON_H
#define ETI_READ_JSON_H

#include "base/text.h"
#include "read/json_window.h"

#define ETI_JSON_MAX_SPELLING ((size_t)16 << 10)

typedef enum eti_json_kind {
    ETI_JSON_NONE, /* no value: something else comes next, or an error occurred before */
    ETI_JSON_NULL,
    ETI_JSON_BOOL,
    ETI_JSON_NUMBER,
    ETI_JSON_STRING,
    ETI_JSON_OBJECT,
    ETI_JSON_ARRAY,
} eti_json_kind;

/* Returns the kind of the next value without consuming it. */
eti_json_kind eti__json_peek(eti_json *json);

/* Enters the object or array that comes next; any other value is an error. */
bool eti__json_enter_object(eti_json *json);
bool eti__json_enter_array(eti_json *json);

/* Inside an object, returns true and the next key, whose value must then be taken or skipped; `key` is valid until the
 * next call. Returns false at the end of the object, which is then left, or after an error. */
bool eti__json_next_key(eti_json *json, eti_text *key);

/* Inside an array, returns true if a value follows, which must be taken or skipped; returns false at the end of the
 * array, which is then left, or after an error. */
bool eti__json_next_element(eti_json *json);

/* Take the next value; another kind is an error. A string is valid until the next call. */
bool eti__json_read_string(eti_json *json, eti_text *out);
/* Does the same, and replaces the contents of `spelling` by the string as it is spelled in the input, or by nothing if
 * that is longer than ETI_JSON_MAX_SPELLING. */
bool eti__json_read_spelled_string(eti_json *json, eti_text *out, eti_buffer *spelling);
/* Takes the next string if it is spelled like one that was read before, which costs a tenth of reading it. */
bool eti__json_take_spelled_string(eti_json *json, const eti_buffer *spelling);
bool eti__json_read_int64(eti_json *json, int64_t *out);
bool eti__json_read_uint64(eti_json *json, uint64_t *out);

/* Skips the next value after checking it. */
void eti__json_skip(eti_json *json);

/* Takes a null if it comes next. */
bool eti__json_take_null(eti_json *json);

/* Checks that only white space follows, releases the reader and returns its first error: ETI_ERROR_MALFORMED,
 * ETI_ERROR_LIMIT (depth, integers, long strings), ETI_ERROR_MEMORY, or the status of the source. */
eti_status eti__json_close(eti_json *json, eti_error *err) ETI_WARN_UNUSED;

#endif
