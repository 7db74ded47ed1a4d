/*
 * array.h - memory that malloc owns, and arrays in it that grow.
 */
#ifndef ETI_BASE_ARRAY_H
#define ETI_BASE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* realloc(), in huge pages where they fill some: those are made quickly, and the processor finds its way among
 * them without a table in memory. */
void *eti__realloc(void *memory, size_t size);

/* Makes room for `needed` elements: returns `array` or what it was moved to, and updates
 * `capacity`. NULL when memory is out or sizes overflow; the old array is then still there and
 * still the caller's. */
void *eti__array_grow(void *array, size_t *capacity, size_t needed, size_t element_size);

/* Grows `array` (an lvalue) to hold `needed` elements; false when memory is out. */
#define ETI_GROW(array, capacity, needed)                                                          \
    (((array) && (needed) <= (capacity)) ||                                                        \
     eti__array_grow_at(&(array),                                                                  \
                        eti__array_grow((array), &(capacity), (needed), sizeof *(array))))

/* Returns the index of the last of `n` ascending numbers that is not above `value`; 0 where all are. */
size_t eti__last_not_above(const size_t *numbers, size_t n, size_t value);

/* Stores `grown` in the pointer at `place` unless it is NULL. */
bool eti__array_grow_at(void *place, void *grown);

#endif
