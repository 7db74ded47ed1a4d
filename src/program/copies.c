#include "program/copies.h"

#include "base/array.h"
#include "base/files.h"
#include "base/sort.h"
#include "base/status.h"
#include "base/text.h"

#include <stdlib.h>

#define BEGINNING ((size_t)4096)
#define PIECE                                                                                      \
    ((size_t)4 << 20) /* the memory of a mapped file is released after each piece of this size */

/* A text and its hash, once computed. */
typedef struct candidate {
    eti_text text;
    uint32_t number;
    uint64_t hash;
} candidate;

static int compare_candidates(const void *a, const void *b, void *context) {
    const candidate *left = a, *right = b;
    (void)context;
    if (left->text.size != right->text.size)
        return left->text.size < right->text.size ? -1 : 1;
    if (left->hash != right->hash)
        return left->hash < right->hash ? -1 : 1;
    return (left->number > right->number) - (left->number < right->number);
}

static uint64_t hash_beginning(eti_text text, uint64_t seed) {
    return eti__text_hash((eti_text){text.data, text.size < BEGINNING ? text.size : BEGINNING},
                          seed);
}

static uint64_t hash_all(eti_text text, uint64_t seed) {
    for (size_t at = 0, n; at < text.size; at += n) {
        n = text.size - at < PIECE ? text.size - at : PIECE;
        seed = eti__text_hash((eti_text){text.data + at, n}, seed);
        eti__file_leave(text.data + at, n);
    }
    return seed;
}

static bool is_equal(eti_text a, eti_text b) {
    bool equal = true;
    for (size_t at = 0, n; at < a.size && equal; at += n) {
        n = a.size - at < PIECE ? a.size - at : PIECE;
        equal = memcmp(a.data + at, b.data + at, n) == 0;
        eti__file_leave(a.data + at, n);
        eti__file_leave(b.data + at, n);
    }
    return equal;
}

typedef bool eti_is_same(const candidate *a, const candidate *b);

static bool has_same_size(const candidate *a, const candidate *b) {
    return a->text.size == b->text.size;
}

static bool has_same_hash(const candidate *a, const candidate *b) {
    return has_same_size(a, b) && a->hash == b->hash;
}

/* Returns the end of the run of candidates that are equal to the one at `begin`. */
static size_t find_end(const candidate *all, size_t n, size_t begin, eti_is_same *is_same) {
    size_t end = begin + 1;
    while (end < n && is_same(&all[begin], &all[end]))
        end++;
    return end;
}

/* Hashes the candidates that still have others like them, and sorts all again. */
static void narrow(candidate *all, size_t n, eti_is_same *is_same,
                   uint64_t (*hash)(eti_text text, uint64_t seed)) {
    uint64_t seed = eti__hash_seed();
    for (size_t i = 0, end; i < n; i = end) {
        end = find_end(all, n, i, is_same);
        for (size_t j = i; j < end && end - i > 1; j++)
            all[j].hash = hash(all[j].text, seed);
    }
    eti__sort(all, n, sizeof *all, compare_candidates, NULL);
}

eti_status eti__copies_find(uint32_t *copy_of, const eti_text *texts, size_t n, eti_error *err) {
    candidate *all = calloc(n + 1, sizeof *all);
    size_t n_all = 0;
    if (!all)
        return eti_fail_memory(err);
    for (size_t i = 0; i < n; i++) {
        copy_of[i] = ETI_NO_COPY;
        if (texts[i].size > 0)
            all[n_all++] = (candidate){.text = texts[i], .number = (uint32_t)i};
    }
    eti__sort(all, n_all, sizeof *all, compare_candidates, NULL);
    narrow(all, n_all, has_same_size, hash_beginning);
    narrow(all, n_all, has_same_hash, hash_all);
    for (size_t i = 0, end; i < n_all; i = end) {
        end = find_end(all, n_all, i, has_same_hash);
        for (size_t j = i + 1; j < end; j++) {
            if (is_equal(all[i].text, all[j].text))
                copy_of[all[j].number] = all[i].number;
        }
    }
    free(all);
    return ETI_OK;
}
