/*
 * json_window.h - what json.c and json_string.c share: the window that slides over the input. Not
 * for others.
 */
#ifndef ETI_FORMAT_JSON_WINDOW_H
#define ETI_FORMAT_JSON_WINDOW_H

#include "format/json.h"

/* Reads more behind what is unread, which moves to the front. False when nothing came. */
bool eti_json_refill(eti_json *json);

/* Reports what comes next as unexpected. Always false, so that callers can return it. */
bool eti_json_fail_expected(eti_json *json, const char *expected);

/* Takes the string whose opening quote comes next. Without `keep` it is only checked, and `*out` is
 * of no use; with it, `*out` is a view of the window or of the token. */
bool eti_json_take_string(eti_json *json, bool keep, eti_text *out);

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

static inline int eti_json_next_after_space(eti_json *json) {
    int byte = eti_json_next_byte(json);
    while (byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t') {
        json->at++;
        byte = eti_json_next_byte(json);
    }
    return byte;
}

#endif
