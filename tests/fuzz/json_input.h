/*
 * json_input.h - passes JSON to its readers as one text and piece by piece, for the fuzz targets that expect the same
 * result from both.
 */
#ifndef ETI_TESTS_FUZZ_JSON_INPUT_H
#define ETI_TESTS_FUZZ_JSON_INPUT_H

#include "read/read.h"

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

/* Returns whether the reader's own check accepts `text`, of which no value is read. */
static inline bool json_is_well_formed(eti_text text) {
    eti_json json;
    eti__json_open_text(&json, text);
    eti__json_skip(&json);
    return eti__json_close(&json, NULL) == ETI_OK;
}

#endif
