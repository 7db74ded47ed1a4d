/*
 * tensor.c - how many bytes the contents of a tensor have.
 */
#include "capture/capture.h"

uint32_t etc__element_size(int32_t scalar_type) {
    static const uint8_t sizes[] = {1, 1, 2, 4, 8, 2, 4, 8, 0, 0, 0, 1, 1, 1, 4,
                                    2, 0, 0, 0, 0, 0, 0, 2, 1, 1, 1, 1, 2, 4, 8};
    return scalar_type >= 0 && (size_t)scalar_type < sizeof sizes ? sizes[scalar_type] : 0;
}

uint64_t etc__tensor_bytes(const etc_tensor_record *tensor) {
    uint64_t bytes = etc__element_size(tensor->scalar_type);
    for (uint32_t i = 0; i < tensor->rank; i++)
        bytes *= (uint64_t)etc__tensor_sizes(tensor)[i];
    return bytes;
}
