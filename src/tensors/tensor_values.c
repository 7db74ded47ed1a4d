#include "tensors/tensor_values.h"

#include <string.h>

const eti_scalar_type *eti__element_type(int8_t scalar_type) {
    static const eti_scalar_type complex64 = {"complex64", 8, false, ETI_ELEMENT_UNREADABLE};
    return scalar_type == ETI_COMPLEX64 ? &complex64 : eti__scalar_type(scalar_type);
}

const char *eti__tensor_values_count(eti_tensor_values *values) {
    uint64_t product = 1, width = eti__element_type(values->scalar_type)->width;
    bool is_empty = false;
    if (values->n_dims > ETI_TENSOR_MOST_DIMS)
        return "it has more than 64 dimensions";
    for (uint32_t i = 0; i < values->n_dims; i++) {
        int64_t size = values->sizes[i];
        if (size < 0)
            return "a size is negative";
        is_empty = is_empty || size == 0;
        if (size > 0 && __builtin_mul_overflow(product, (uint64_t)size, &product))
            return "the product of its sizes is too large for any memory";
    }
    if (product > INT64_MAX / (width > 0 ? width : 1))
        return "the product of its sizes is too large for any memory";
    values->n_elements = is_empty ? 0 : product;
    return NULL;
}

bool eti__sizes_equal(const int64_t *a, size_t n_a, const int64_t *b, size_t n_b) {
    return n_a == n_b && (n_a == 0 || memcmp(a, b, n_a * sizeof *a) == 0);
}

void eti__tensor_values_dense_strides(const eti_tensor_values *values, bool is_fortran_order,
                                      int64_t *strides) {
    int64_t stride = 1;
    for (uint32_t i = 0; i < values->n_dims; i++) {
        uint32_t at = is_fortran_order ? i : values->n_dims - 1 - i;
        strides[at] = stride;
        if (values->sizes[at] > 0) /* the product of these cannot overflow */
            stride *= values->sizes[at];
    }
}

bool eti__tensor_values_extent(const eti_tensor_values *values, uint64_t *n_elements) {
    uint64_t last = 0, width = eti__element_type(values->scalar_type)->width;
    *n_elements = 0;
    for (uint32_t i = 0; i < values->n_dims; i++) {
        uint64_t reach;
        if (values->strides[i] < 0)
            return false;
        if (values->n_elements == 0)
            continue;
        if (__builtin_mul_overflow((uint64_t)values->sizes[i] - 1, (uint64_t)values->strides[i],
                                   &reach) ||
            __builtin_add_overflow(last, reach, &last))
            return false;
    }
    if (last >= INT64_MAX / (width > 0 ? width : 1))
        return false;
    *n_elements = values->n_elements > 0 ? last + 1 : 0;
    return true;
}

bool eti__tensor_values_are_row_major(const eti_tensor_values *values) {
    int64_t stride = 1;
    if (values->n_elements == 0)
        return true;
    for (uint32_t i = values->n_dims; i-- > 0;) {
        if (values->sizes[i] == 1) /* its stride is never used */
            continue;
        if (values->strides[i] != stride)
            return false;
        stride *= values->sizes[i];
    }
    return true;
}

/* ---- copying --------------------------------------------------------------------------------- */

/* Copies `n` elements of WIDTH bytes that are `step` bytes apart. */
#define COPY_APART(WIDTH)                                                                          \
    for (uint64_t i = 0; i < n; i++) {                                                             \
        memcpy(out, from, WIDTH);                                                                  \
        out += (WIDTH);                                                                            \
        from += step;                                                                              \
    }

static void copy_apart(uint8_t *out, const uint8_t *from, uint64_t step, uint64_t n, size_t width) {
    if (step == width) {
        memcpy(out, from, (size_t)n * width);
        return;
    }
    switch (width) {
    case 1:
        COPY_APART(1) break;
    case 2:
        COPY_APART(2) break;
    case 4:
        COPY_APART(4) break;
    case 8:
        COPY_APART(8) break;
    default:
        COPY_APART(width)
    }
}

/* Stores the index of element number `first` in `index`, and returns the element's distance from the beginning of the
 * data, in elements. */
static uint64_t find_index(const eti_tensor_values *values, uint64_t first, int64_t *index) {
    uint64_t distance = 0;
    for (uint32_t i = values->n_dims; i-- > 0;) {
        uint64_t size = (uint64_t)values->sizes[i];
        index[i] = (int64_t)(first % size);
        distance += (uint64_t)index[i] * (uint64_t)values->strides[i];
        first /= size;
    }
    return distance;
}

/* Moves from the end of a row to the next one. Returns the new distance. */
static uint64_t next_row(const eti_tensor_values *values, int64_t *index) {
    uint64_t distance = 0;
    uint32_t last = values->n_dims - 1;
    index[last] = 0;
    for (uint32_t i = last; i-- > 0;) {
        if (++index[i] < values->sizes[i])
            break;
        index[i] = 0;
    }
    for (uint32_t i = 0; i < last; i++)
        distance += (uint64_t)index[i] * (uint64_t)values->strides[i];
    return distance;
}

void eti__tensor_values_copy(const eti_tensor_values *values, uint64_t first, uint64_t n,
                             void *out) {
    size_t width = eti__element_type(values->scalar_type)->width;
    uint8_t *to = out;
    int64_t index[ETI_TENSOR_MOST_DIMS] = {0};
    if (n == 0)
        return;
    if (values->n_dims == 0 || eti__tensor_values_are_row_major(values)) {
        memcpy(to, values->data + first * width, (size_t)n * width);
        return;
    }
    uint32_t last = values->n_dims - 1;
    uint64_t row_step = (uint64_t)values->strides[last] * width;
    for (uint64_t distance = find_index(values, first, index);;) {
        uint64_t left = (uint64_t)(values->sizes[last] - index[last]);
        uint64_t taken = left < n ? left : n;
        copy_apart(to, values->data + distance * width, row_step, taken, width);
        n -= taken;
        if (n == 0)
            return;
        to += taken * width;
        distance = next_row(values, index);
    }
}
