/*
 * sort.h - sorts an array with a comparison function that takes a context.
 */
#ifndef ETI_BASE_SORT_H
#define ETI_BASE_SORT_H

#include <stddef.h>

/* Returns a number below, equal to or above 0 if `a` comes before, with or after `b`. */
typedef int (*eti_comparison_function)(const void *a, const void *b, void *context);

/* Sorts `n` items of `size` bytes; the order of equal items is unspecified. `items` may be NULL if `n` is 0. */
void eti__sort(void *items, size_t n, size_t size, eti_comparison_function compare, void *context);

#endif
