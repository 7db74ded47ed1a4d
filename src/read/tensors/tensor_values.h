/*
 * tensor_values.h - the elements of a tensor: where they lie, in which order, and what each is. All readers of tensors make
 * these, whatever file they come from, and all writers of tensors take them.
 *
 * It owns nothing: names, sizes and strides live in an arena or where a caller put them, data in the file that was read or in
 * an arena.
 */
#ifndef ETI_READ_TENSORS_TENSOR_VALUES_H
#define ETI_READ_TENSORS_TENSOR_VALUES_H

#include "base/arena.h"
#include "read/scalar_type.h"

/* As many as torch and numpy have at most. */
#define ETI_TENSOR_MOST_DIMS 64

/* torch's number of complex64, which ExecuTorch does not have. */
#define ETI_COMPLEX64 9

/* Returns the type of elements by its number: that of scalar_type.h, or complex64. Never NULL. */
const eti_scalar_type *eti__element_type(int8_t scalar_type);

typedef struct eti_tensor_values {
    eti_text name;        /* in its file; absent: it has none */
    int8_t scalar_type;   /* ExecuTorch's number, of a type with a width; see scalar_type.h */
    uint32_t n_dims;      /* 0: a scalar, which has one element */
    const int64_t *sizes; /* n_dims of them, none below 0 */
    const int64_t
        *strides; /* n_dims of them, in elements, none below 0; 0: along it all elements are one */
    uint64_t n_elements; /* product of the sizes */
    const uint8_t *
        data; /* element [0, 0, ...], at any address; each element is little-endian. NULL: there are no
                               elements, or they were not read */
} eti_tensor_values;

/* Returns the number of bytes that the elements have when each is stored once. */
static inline uint64_t eti__tensor_values_size(const eti_tensor_values *values) {
    return values->n_elements * eti__element_type(values->scalar_type)->width;
}

/* Sets the number of elements to the product of the sizes, which are set already with their number, and the type. Returns why
 * there cannot be such a tensor; NULL: there can be one, and its size in bytes is below 2^63. */
const char *eti__tensor_values_count(eti_tensor_values *values);

/* Fills `strides`, n_dims of them, as if each element followed the one before: the last index changes first, or the first
 * where `is_fortran_order`. The sizes were counted. */
void eti__tensor_values_dense_strides(const eti_tensor_values *values, bool is_fortran_order,
                                      int64_t *strides);

/* Computes how many elements there are from the first to the last in memory, gaps included; 0 without elements. Returns
 * false where that is more than 2^63 bytes, or a stride is negative. The sizes were counted. */
bool eti__tensor_values_extent(const eti_tensor_values *values, uint64_t *n_elements);

/* Whether the elements lie one after the other, the last index changing first. */
bool eti__tensor_values_are_row_major(const eti_tensor_values *values);

/* Copies `n` elements, from number `first` on as the last index changes first, to `out`, one after the other. They exist,
 * and there is data. */
void eti__tensor_values_copy(const eti_tensor_values *values, uint64_t first, uint64_t n,
                             void *out);

#endif
