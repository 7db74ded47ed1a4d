/* Changes the options, or one part of an input of fuzz_numerics.c. */
#include "mutate.h"

enum { N_OPTIONS = 3, DUMP = 0, BUFFER = 1 };

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed) {
    unsigned choice = seed % 16;
    seed /= 16;
    if (choice == 0 || size < N_OPTIONS)
        return LLVMFuzzerMutate(data, size, max_size);
    if (choice == 1) { /* the kind stays */
        LLVMFuzzerMutate(data + 1, N_OPTIONS - 1, N_OPTIONS - 1);
        return size;
    }
    if (data[0] == 'd')
        return mutate_part(data, size, max_size, N_OPTIONS, 2, choice < 10 ? DUMP : BUFFER,
                           mutate_bytes, seed);
    return mutate_part(data, size, max_size, N_OPTIONS, 1, 0,
                       data[0] == 'r' ? mutate_zip : mutate_bytes, seed);
}
