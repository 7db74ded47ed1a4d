/* program_bytes.h - finds the bytes of tensors in the segments of programs and data files, as the runtime does. */
#ifndef ETI_TESTS_PROGRAM_BYTES_H
#define ETI_TESTS_PROGRAM_BYTES_H

#include "pte/pte.h"

static inline eti_text slot_bytes(const eti_pte *pte, const eti_pte_slots *slots,
                                  const eti_pte_tensor *tensor) {
    eti_text segment = eti__pte_segment_bytes(pte, slots->segment);
    return (eti_text){segment.data + slots->offsets[tensor->data_buffer_idx],
                      (size_t)tensor->n_bytes};
}

/* Returns the bytes of a constant tensor; absent if it is not a constant of this file, or its size is unknown. */
static inline eti_text constant_bytes(const eti_pte *pte, const eti_pte_tensor *tensor) {
    if (tensor->data_buffer_idx == 0 || tensor->is_planned || tensor->is_external ||
        tensor->n_bytes == ETI_PTE_UNKNOWN_SIZE)
        return (eti_text){NULL, 0};
    if (pte->has_constant_segment)
        return slot_bytes(pte, &pte->constants, tensor);
    return (eti_text){pte->inline_constants[tensor->data_buffer_idx].data, (size_t)tensor->n_bytes};
}

/* Returns the bytes that a planned tensor has when its method is loaded; absent if this file has none, or their size is
 * unknown. */
static inline eti_text initial_bytes(const eti_pte *pte, const eti_pte_tensor *tensor) {
    return tensor->has_initial_data && tensor->n_bytes != ETI_PTE_UNKNOWN_SIZE
               ? slot_bytes(pte, &pte->mutable_data[tensor->mutable_data], tensor)
               : (eti_text){NULL, 0};
}

/* Returns the bytes of an entry of a data file. */
static inline eti_text entry_bytes(const eti_ptd *ptd, const eti_ptd_entry *entry) {
    const eti_pte_segment *segment = &ptd->segments[entry->segment];
    return (eti_text){(const char *)ptd->file->data + segment->offset, (size_t)segment->size};
}

#endif
