/*
 * calls.h - calls to a writer of ETDumps as text, one per line, for C and C++.
 *
 *     filter GLOB BEGIN END          drops delegates' outputs with such a name or id
 *     tick N                         advances the clock by N
 *     bundled INDEX                  index of the input, from the next block on; -1: none
 *     block TEXT
 *     instruction CHAIN HANDLE
 *     start SLOT TEXT                the event is kept in the slot
 *     start_at SLOT TEXT CHAIN HANDLE
 *     end SLOT
 *     delegate_start SLOT TEXT ID
 *     delegate_end SLOT BYTES
 *     delegate_log TEXT ID START END BYTES
 *     allocator TEXT
 *     allocation ID SIZE
 *     value OUTPUT WHAT              of an operator; OUTPUT is 1 for one of the program
 *     delegate_value TEXT ID WHAT
 *
 * WHAT is `int N`, `double BITS`, `bool N`, or tensors, each as `tensor TYPE SIZES ORDER BYTES` with sizes
 * and the order of dimensions separated by commas; `list` before them makes them a list. A TEXT begins
 * with '=' and has %XX for bytes that are not visible ASCII; '-' is NULL. BYTES are hexadecimal after an 'x'. An ID of -1
 * means none.
 */
#ifndef TESTS_CAPTURE_CALLS_H
#define TESTS_CAPTURE_CALLS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LINE = 1 << 16, MOST_WORDS = 64, MOST_SLOTS = 64, MOST_RANK = 8, MOST_TENSORS = 4 };

/* A call, split into words. */
typedef struct call {
    char line[MOST_LINE];
    char *words[MOST_WORDS];
    size_t n_words;
} call;

static inline void fail_call(const call *c, const char *what) {
    fprintf(stderr, "calls: %s: %s\n", c->n_words ? c->words[0] : "empty line", what);
    exit(1);
}

/* Reads the next call; returns false at the end. */
static inline bool read_call(call *c, FILE *file) {
    if (!fgets(c->line, sizeof c->line, file))
        return false;
    c->n_words = 0;
    for (char *word = strtok(c->line, " \n"); word; word = strtok(NULL, " \n")) {
        if (c->n_words == MOST_WORDS)
            fail_call(c, "too many words");
        c->words[c->n_words++] = word;
    }
    if (c->n_words == 0)
        fail_call(c, "no call");
    return true;
}

static inline bool is_call(const call *c, const char *name) {
    return strcmp(c->words[0], name) == 0;
}

static inline char *word_at(const call *c, size_t i) {
    if (i >= c->n_words)
        fail_call(c, "words are missing");
    return c->words[i];
}

/* Parses a number: decimal, signed or unsigned, of 64 bits. */
static inline int64_t number_at(const call *c, size_t i) {
    const char *word = word_at(c, i);
    return *word == '-' ? (int64_t)strtoll(word, NULL, 10) : (int64_t)strtoull(word, NULL, 10);
}

static inline size_t slot_at(const call *c, size_t i) {
    int64_t slot = number_at(c, i);
    if (slot < 0 || slot >= MOST_SLOTS)
        fail_call(c, "no such slot");
    return (size_t)slot;
}

static inline unsigned hex_pair(const char *at) {
    char pair[3] = {at[0], at[1], '\0'};
    return (unsigned)strtoul(pair, NULL, 16);
}

/* Decodes a text in place; returns NULL for '-'. A word may be decoded only once. */
static inline const char *text_at(const call *c, size_t i) {
    char *word = word_at(c, i), *out = word;
    if (*word == '-')
        return NULL;
    for (const char *at = word + 1; *at; at++) {
        if (*at == '%' && at[1] && at[2]) {
            *out++ = (char)hex_pair(at + 1);
            at += 2;
        } else {
            *out++ = *at;
        }
    }
    *out = '\0';
    return word;
}

/* Decodes bytes in place. */
static inline uint8_t *bytes_at(const call *c, size_t i, size_t *size) {
    char *word = word_at(c, i);
    uint8_t *bytes = (uint8_t *)word;
    *size = strlen(word + 1) / 2;
    for (size_t k = 0; k < *size; k++)
        bytes[k] = (uint8_t)hex_pair(word + 1 + 2 * k);
    return bytes;
}

/* Reads a tensor from the words `tensor TYPE SIZES ORDER BYTES`, with the strides that follow from the order. */
typedef struct call_tensor {
    int type;
    size_t rank, size; /* bytes */
    int64_t sizes[MOST_RANK], strides[MOST_RANK];
    uint8_t order[MOST_RANK];
    uint8_t *data;
} call_tensor;

static inline size_t read_list(const call *c, const char *word, int64_t *out) {
    size_t n = 0;
    for (char *end; *word && *word != '.'; word = *end ? end + 1 : end) {
        if (n == MOST_RANK)
            fail_call(c, "too many sizes");
        out[n++] = strtoll(word, &end, 10);
    }
    return n;
}

static inline call_tensor tensor_at(const call *c, size_t i) {
    call_tensor tensor;
    int64_t order[MOST_RANK];
    int64_t stride = 1;
    tensor.type = (int)number_at(c, i + 1);
    tensor.rank = read_list(c, word_at(c, i + 2), tensor.sizes);
    if (read_list(c, word_at(c, i + 3), order) != tensor.rank)
        fail_call(c, "an order of other dimensions");
    for (size_t k = tensor.rank; k-- > 0;) {
        tensor.order[k] = (uint8_t)order[k];
        tensor.strides[order[k]] = stride;
        stride *= tensor.sizes[order[k]] > 1 ? tensor.sizes[order[k]] : 1;
    }
    tensor.data = bytes_at(c, i + 4, &tensor.size);
    return tensor;
}

/* Reads all tensors from word `i` on; returns their number. */
static inline size_t tensors_at(const call *c, size_t i, call_tensor *out) {
    size_t n = 0;
    for (; i < c->n_words; i += 5) {
        if (n == MOST_TENSORS)
            fail_call(c, "too many tensors");
        out[n++] = tensor_at(c, i);
    }
    return n;
}

static inline double double_at(const call *c, size_t i) {
    int64_t bits = number_at(c, i);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* ---- files ----------------------------------------------------------------------------------- */

static inline void write_bytes(const char *directory, const char *name, const char *suffix,
                               const void *data, size_t size) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.%s", directory, name, suffix);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0) {
        perror(path);
        exit(1);
    }
}

/* Stores the name of a file of calls without directory and suffix. */
static inline void name_of_calls(const char *path, char *out, size_t size) {
    const char *slash = strrchr(path, '/');
    snprintf(out, size, "%s", slash ? slash + 1 : path);
    char *dot = strrchr(out, '.');
    if (dot)
        *dot = '\0';
}

#endif
