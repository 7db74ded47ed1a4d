/*
 * json_input.h - gives JSON to its readers once as one text and once piece by piece, for the fuzz
 * targets that expect both to say the same.
 */
#ifndef ETI_TESTS_FUZZ_JSON_INPUT_H
#define ETI_TESTS_FUZZ_JSON_INPUT_H

#include "read/json.h"

#include "fuzz.h"

typedef struct json_pieces {
    eti_text rest;
    size_t piece; /* bytes, > 0 */
} json_pieces;

static inline eti_status json_read_piece(void *context, void *buffer, size_t size, size_t *n,
                                         eti_error *err) {
    json_pieces *pieces = context;
    (void)err;
    *n = pieces->piece < size ? pieces->piece : size;
    *n = *n < pieces->rest.size ? *n : pieces->rest.size;
    if (*n > 0)
        memcpy(buffer, pieces->rest.data, *n);
    pieces->rest.data += *n;
    pieces->rest.size -= *n;
    return ETI_OK;
}

/* Whether the readers' own check takes `text`, of which no value is asked. */
static inline bool json_is_well_formed(eti_text text) {
    eti_json json;
    eti__json_open_text(&json, text);
    eti__json_skip(&json);
    return eti__json_close(&json, NULL) == ETI_OK;
}

#endif
