#include "mutate.h"

#include <stdlib.h>
#include <string.h>

static size_t load_size(const uint8_t *at) {
    return (size_t)at[0] | (size_t)at[1] << 8 | (size_t)at[2] << 16 | (size_t)at[3] << 24;
}

static void store_size(uint8_t *at, size_t size) {
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(size >> (8 * i));
}

/* Finds the beginning and the end of the part, as the targets do: a part missing at the end is empty. */
static void find_part(const uint8_t *data, size_t size, size_t n_options, size_t n_parts,
                      size_t part, size_t *begin, size_t *end) {
    *begin = n_options + 4 * (n_parts - 1);
    for (size_t i = 0;; i++) {
        size_t left = size - *begin;
        size_t wanted = i + 1 < n_parts ? load_size(data + n_options + 4 * i) : left;
        *end = *begin + (wanted < left ? wanted : left);
        if (i == part)
            return;
        *begin = *end;
    }
}

size_t mutate_bytes(uint8_t *data, size_t size, size_t max_size, unsigned seed) {
    (void)seed;
    return LLVMFuzzerMutate(data, size, max_size);
}

size_t mutate_part(uint8_t *data, size_t size, size_t max_size, size_t n_options, size_t n_parts,
                   size_t part, mutator mutate, unsigned seed) {
    if (size > max_size || size < n_options + 4 * (n_parts - 1))
        return LLVMFuzzerMutate(data, size, max_size);
    size_t begin, end;
    find_part(data, size, n_options, n_parts, part, &begin, &end);
    size_t room = max_size - size + (end - begin);
    uint8_t *copy = malloc(room + 1);
    if (!copy)
        return size;
    memcpy(copy, data + begin, end - begin);
    size_t new_size = mutate(copy, end - begin, room, seed);
    memmove(data + begin + new_size, data + end, size - end);
    memcpy(data + begin, copy, new_size);
    free(copy);
    if (part + 1 < n_parts)
        store_size(data + n_options + 4 * part, new_size);
    return size - (end - begin) + new_size;
}
