/*
 * tensor.c - computes the size of a tensor's contents, and finds the tensors that have contents.
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

const etc_tensor_record *etc__next_contents(etc_tensor_cursor *cursor) {
    for (;;) {
        while (cursor->n_left) {
            const etc_tensor_record *tensor = cursor->next;
            cursor->next = etc__next_tensor(tensor);
            cursor->n_left--;
            if (tensor->offset >= 0)
                return tensor;
        }
        const uint32_t *record = etc__next_record(&cursor->records);
        if (!record)
            return NULL;
        const etc_value_record *value = (const etc_value_record *)(const void *)record;
        if (etc__record_kind(record) == ETC_RECORD_VALUE && value->type >= ETC_VALUE_TENSOR) {
            cursor->next = (const etc_tensor_record *)(const void *)(value + 1);
            cursor->n_left = value->bits;
        }
    }
}
