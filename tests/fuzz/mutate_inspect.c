/* Changes the options, or one part of an input of fuzz_inspect.c. */
#include "mutate.h"

enum { N_OPTIONS = 4, DUMP = 0, RECORD = 1, BUFFER = 2, N_PARTS = 3 };

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed) {
    unsigned kind = seed % 16;
    seed /= 16;
    if (kind == 0)
        return LLVMFuzzerMutate(data, size, max_size);
    if (kind <= 2 && size >= N_OPTIONS) {
        LLVMFuzzerMutate(data, N_OPTIONS, N_OPTIONS);
        return size;
    }
    if (kind <= 8)
        return mutate_part(data, size, max_size, N_OPTIONS, N_PARTS, DUMP, mutate_bytes, seed);
    if (kind <= 13)
        return mutate_part(data, size, max_size, N_OPTIONS, N_PARTS, RECORD, mutate_zip, seed);
    return mutate_part(data, size, max_size, N_OPTIONS, N_PARTS, BUFFER, mutate_bytes, seed);
}
