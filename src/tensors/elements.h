/*
 * elements.h - turns the elements of tensors into numbers. Elements of quantized types count as the
 * integers that they hold.
 */
#ifndef ETI_TENSORS_ELEMENTS_H
#define ETI_TENSORS_ELEMENTS_H

#include "tensors/tensor_values.h"

/* Number of elements that are processed together, so that they stay in the innermost cache. */
#define ETI_ELEMENTS_AT_ONCE 1024

/* A float in memory of any type, such as the contents of a file. */
typedef float eti_stored_float __attribute__((may_alias));

/* Returns whether elements of this type are numbers that can be read. */
bool eti__elements_are_readable(int8_t scalar_type);

/* Returns whether every number of the type can be stored in a float, which includes half precision and 16-bit
 * integers. */
bool eti__elements_fit_floats(int8_t scalar_type);

/* Convert `n` consecutive elements at `bytes`, which may be any address. The type must be readable and, if the
 * function's name says so, fit floats. */
void eti__elements_as_doubles(int8_t scalar_type, const uint8_t *bytes, size_t n, double *out);
void eti__elements_as_floats(int8_t scalar_type, const uint8_t *bytes, size_t n, float *out);

/* Returns `n` elements, of a type that fits floats, as floats: the bytes themselves if they are floats; otherwise
 * converts them into `room` and returns that. */
const eti_stored_float *eti__elements_in_floats(int8_t scalar_type, const uint8_t *bytes, size_t n,
                                                float *room);

/* Returns the address of consecutive elements from number `first` on. If they are not adjacent in `values`, copies
 * `n` of them, at most ETI_ELEMENTS_AT_ONCE, to `room`, which has 8 bytes for each. */
const uint8_t *eti__elements_at(const eti_tensor_values *values, bool is_dense, uint64_t first,
                                size_t n, uint8_t *room);

/* Returns whether the elements are contiguous in some order: the strides are those of a dense tensor with permuted
 * dimensions. The sizes must have been checked. */
bool eti__elements_are_dense(const eti_tensor_values *values);

#endif
