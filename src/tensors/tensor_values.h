/*
 * tensor_values.h - the elements of a tensor: their places, their order and their type. All readers of tensors produce
 * these, whatever the file, and all writers of tensors take them.
 *
 * It owns nothing: names, sizes and strides live in an arena or in the caller's memory, data in the file that was read or in
 * an arena.
 */
#ifndef ETI_TENSORS_TENSOR_VALUES_H
#define ETI_TENSORS_TENSOR_VALUES_H

#include "etinspect.h"
#include "tensors/scalar_type.h"

/* Largest number of dimensions in torch and numpy. */
#define ETI_TENSOR_MOST_DIMS 64

/* torch's number for complex64, which ExecuTorch does not have. */
#define ETI_COMPLEX64 9

/* Returns the type of elements by its number, which is that of scalar_type.h or complex64. Never NULL. */
const eti_scalar_type *eti__element_type(int8_t scalar_type);

typedef struct eti_tensor_values {
    eti_text name;        /* name in its file; absent if it has none */
    int8_t scalar_type;   /* ExecuTorch's number of a type with a width; see scalar_type.h */
    uint32_t n_dims;      /* 0 for a scalar, which has one element */
    const int64_t *sizes; /* n_dims of them, none negative */
    const int64_t *
        strides; /* n_dims of them, in elements, none negative; 0: all elements along the dimension are the same */
    uint64_t n_elements; /* product of the sizes */
    const uint8_t *
        data; /* element [0, 0, ...], unaligned; elements are little-endian. NULL if there are none, or they were not read */
} eti_tensor_values;

/* Returns the number of bytes of all elements if each is stored once. */
static inline uint64_t eti__tensor_values_size(const eti_tensor_values *values) {
    return values->n_elements * eti__element_type(values->scalar_type)->width;
}

/* Sets the number of elements to the product of the sizes; sizes, n_dims and type must be set. Returns why such a tensor
 * is impossible; NULL if it is possible, and its size in bytes is below 2^63. */
const char *eti__tensor_values_count(eti_tensor_values *values);

/* Returns whether two tensors have the same number of dimensions and the same sizes. */
bool eti__sizes_equal(const int64_t *a, size_t n_a, const int64_t *b, size_t n_b);

/* Computes `strides`, n_dims of them, for elements without gaps: the last index changes fastest, or the first if
 * `is_fortran_order`. The elements must have been counted. */
void eti__tensor_values_dense_strides(const eti_tensor_values *values, bool is_fortran_order,
                                      int64_t *strides);

/* Computes the number of elements from the first to the last in memory, gaps included; 0 without elements. Returns false
 * if that is more than 2^63 bytes, or a stride is negative. The elements must have been counted. */
bool eti__tensor_values_extent(const eti_tensor_values *values, uint64_t *n_elements);

/* Returns whether the elements are stored without gaps, with the last index changing fastest. */
bool eti__tensor_values_are_row_major(const eti_tensor_values *values);

/* Copies `n` elements, from number `first` on (with the last index changing fastest), to `out`, without gaps. They must
 * exist, and the tensor must have data. */
void eti__tensor_values_copy(const eti_tensor_values *values, uint64_t first, uint64_t n,
                             void *out);

#endif
