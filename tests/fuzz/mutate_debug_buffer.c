/* Changes the dump or the debug buffer of an input of fuzz_debug_buffer.c. */
#include "mutate.h"

enum { DUMP = 0, BUFFER = 1, N_PARTS = 2 };

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed) {
    size_t part = seed % 4 == 0 ? BUFFER : DUMP;
    return mutate_part(data, size, max_size, 0, N_PARTS, part, mutate_bytes, seed);
}
