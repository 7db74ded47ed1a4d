/*
 * array.h - memory owned by malloc(), and growable arrays in it.
 */
#ifndef ETI_BASE_ARRAY_H
#define ETI_BASE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Does what realloc() does, but uses huge pages for large memory: the kernel provides these faster, and the processor
 * needs fewer look-ups to translate an address in them. */
void *eti__realloc(void *memory, size_t size);

/* Makes room for `needed` elements: returns `array` or its new address, and updates `capacity`. Returns NULL if memory
 * runs out or sizes overflow; the caller then still owns the old array. */
void *eti__array_grow(void *array, size_t *capacity, size_t needed, size_t element_size);

/* Grows `array` (an lvalue) to hold `needed` elements; false: out of memory. */
#define ETI_GROW(array, capacity, needed)                                                          \
    (((array) && (needed) <= (capacity)) ||                                                        \
     eti__array_grow_at(&(array),                                                                  \
                        eti__array_grow((array), &(capacity), (needed), sizeof *(array))))

/* Returns the index of the last of `n` ascending numbers that is no greater than `value`; 0 if all are greater. */
size_t eti__last_not_above(const size_t *numbers, size_t n, size_t value);

/* Stores `grown` in the pointer at `place` unless it is NULL. */
bool eti__array_grow_at(void *place, void *grown);

#endif
