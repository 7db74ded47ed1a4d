/*
 * sort.h - sorts an array with a comparison that knows more than the two items.
 */
#ifndef ETI_BASE_SORT_H
#define ETI_BASE_SORT_H

#include <stddef.h>

/* Below 0, 0 or above 0 as `a` comes before, with or after `b`. */
typedef int (*eti_comparison_function)(const void *a, const void *b, void *context);

/* Sorts `n` items of `size` bytes; equal ones come in any order. `items` may be NULL where there are none. */
void eti__sort(void *items, size_t n, size_t size, eti_comparison_function compare, void *context);

#endif
