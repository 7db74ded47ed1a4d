/* file_order.h - numbers of tests in the byte order of files, least significant byte first, on machines of any byte
 * order. */
#ifndef ETI_TESTS_FILE_ORDER_H
#define ETI_TESTS_FILE_ORDER_H

#include "base/bytes.h"

#include <stdlib.h>

/* Reverses the bytes of `n` numbers of `width` bytes in place. */
static inline void to_file_order(void *numbers, size_t n, size_t width) {
    uint8_t *bytes = numbers;
    for (size_t i = 0; i < n && !ETI_LIES_AS_IN_FILES; i++, bytes += width) {
        for (size_t low = 0, high = width - 1; low < high; low++, high--) {
            uint8_t byte = bytes[low];
            bytes[low] = bytes[high];
            bytes[high] = byte;
        }
    }
}

/* Returns the numbers themselves if they already have this order, otherwise a copy, which the 256th call after this one
 * frees. */
static inline const void *in_file_order(const void *numbers, size_t n, size_t width) {
    static void *copies[256];
    static size_t next;
    if (ETI_LIES_AS_IN_FILES || !numbers || width <= 1)
        return numbers;
    void **copy = &copies[next++ % (sizeof copies / sizeof *copies)];
    free(*copy);
    *copy = malloc(n * width + 1);
    if (!*copy)
        abort();
    memcpy(*copy, numbers, n * width);
    to_file_order(*copy, n, width);
    return *copy;
}

#endif
