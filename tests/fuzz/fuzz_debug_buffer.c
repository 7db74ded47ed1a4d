/*
 * fuzz_debug_buffer.c - the input is the size of an ETDump (4 bytes), the dump, and a debug buffer:
 * tensors lead inside and outside of the buffer, and runs are compared by what is in it.
 */
#include "model/inspector.h"
#include "walk.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input input = {data, size};
    size_t dump_size = (size_t)fuzz_take_number(&input, 4);
    eti_source dump = fuzz_source("fuzz.etdp", fuzz_take(&input, dump_size));
    eti_source buffer = fuzz_source("fuzz.bin", fuzz_take_rest(&input));
    eti_inputs inputs = {.etdumps = &dump, .n_etdumps = 1, .debug_buffer = &buffer};
    fuzz_inspect(&inputs, &fuzz_options, NULL);
    fuzz_source_free(dump);
    fuzz_source_free(buffer);
    return 0;
}
