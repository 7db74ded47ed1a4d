/*
 * elements.h - turns the elements of tensors into numbers.
 *
 * Quantized types count as the integers that they hold.
 */
#ifndef ETI_NUMERICS_NUMBERS_ELEMENTS_H
#define ETI_NUMERICS_NUMBERS_ELEMENTS_H

#include "read/tensors/tensor_values.h"

/* Number of elements that are processed together, so that they stay in the innermost cache. */
#define ETI_ELEMENTS_AT_ONCE 1024

/* A float in memory of any type, such as that of a file. */
typedef float eti_stored_float __attribute__((may_alias));

/* Whether elements of this type are numbers that can be read. */
bool eti__elements_are_readable(int8_t scalar_type);

/* Whether every number of the type is a float: half precision, and integers of 16 bits, too. */
bool eti__elements_fit_floats(int8_t scalar_type);

/* Converts `n` elements, one after the other at `bytes`, at any address. The type must be readable
 * and, if the function's name says so, fit. */
void eti__elements_as_doubles(int8_t scalar_type, const uint8_t *bytes, size_t n, double *out);
void eti__elements_as_floats(int8_t scalar_type, const uint8_t *bytes, size_t n, float *out);

/* Returns `n` elements of a type that fits as floats: the bytes themselves if they are floats,
 * otherwise `room`, to which they are converted. */
const eti_stored_float *eti__elements_in_floats(int8_t scalar_type, const uint8_t *bytes, size_t n,
                                                float *room);

/* Returns the address of the elements from number `first` on, one after the other. If they are not
 * adjacent in `values`, copies `n` of them, at most ETI_ELEMENTS_AT_ONCE, to `room`, which has 8
 * bytes for each. */
const uint8_t *eti__elements_at(const eti_tensor_values *values, bool is_dense, uint64_t first,
                                size_t n, uint8_t *room);

/* Whether the elements lie one after the other in some order: the strides are those of a dense tensor whose dimensions were
 * permuted. The sizes were counted. */
bool eti__elements_are_dense(const eti_tensor_values *values);

#endif
