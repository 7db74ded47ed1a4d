/*
 * sort.h - sorts an array by a comparison function that takes a context.
 */
#ifndef ETI_BASE_SORT_H
#define ETI_BASE_SORT_H

#include <stddef.h>

/* Returns a number below 0, 0 or above 0 if `a` comes before, with or after `b`. */
typedef int (*eti_comparison_function)(const void *a, const void *b, void *context);

/* Sorts `n` items of `size` bytes; equal items come in any order. `items` may be NULL if `n` is 0. */
void eti__sort(void *items, size_t n, size_t size, eti_comparison_function compare, void *context);

#endif
