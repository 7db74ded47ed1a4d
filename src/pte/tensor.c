#include "pte/tensor.h"

#include "tensors/tensors.h"

/* Computes the number of bytes. Returns why the sizes are impossible; NULL if they are possible. */
static const char *count_bytes(eti_pte_tensor *tensor) {
    uint64_t n = eti__scalar_type(tensor->scalar_type)->width;
    bool is_empty = false, is_known = n > 0 && tensor->dynamism != ETI_PTE_UNBOUND;
    for (uint32_t i = 0; i < tensor->n_dims; i++) {
        if (tensor->sizes[i] < 0)
            return "a size is negative";
        is_empty = is_empty || tensor->sizes[i] == 0;
    }
    for (uint32_t i = 0; i < tensor->n_dims && !is_empty; i++) {
        if (__builtin_mul_overflow(n, (uint64_t)tensor->sizes[i], &n) || n > INT64_MAX)
            return "their product is too large for any memory";
    }
    tensor->n_bytes = !is_known ? ETI_PTE_UNKNOWN_SIZE : is_empty ? 0 : n;
    return NULL;
}

eti_status eti__tensor_read_shape(eti_pte_tensor *out, eti_arena *arena, const eti_flatbuf *buffer,
                                  eti_vector sizes, eti_text dim_order, const char **field,
                                  const char **wrong) {
    int32_t *copy = eti__arena_alloc(arena, sizes.count, sizeof *copy);
    if (!copy)
        return ETI_ERROR_MEMORY;
    for (uint32_t i = 0; i < sizes.count; i++)
        copy[i] = eti__flatbuf_vector_i32(buffer, sizes, i);
    out->sizes = copy;
    out->n_dims = sizes.count;
    *field = "sizes";
    *wrong = count_bytes(out);
    if (*wrong)
        return ETI_ERROR_MALFORMED;
    *field = "dim_order";
    *wrong = "has a different length from the sizes";
    if (dim_order.size != sizes.count && dim_order.size > 0)
        return ETI_ERROR_MALFORMED;
    *wrong = "names a dimension that does not exist";
    for (size_t i = 0; i < dim_order.size; i++) {
        if ((uint8_t)dim_order.data[i] >= sizes.count)
            return ETI_ERROR_MALFORMED;
    }
    out->dim_order = dim_order.size > 0 ? (const uint8_t *)dim_order.data : NULL;
    return ETI_OK;
}
