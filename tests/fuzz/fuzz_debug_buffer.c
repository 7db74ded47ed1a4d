/*
 * fuzz_debug_buffer.c - the input is a byte that says how long the debug buffer is, in parts of the
 * whole, and an ETDump: tensors lead inside and outside of the buffer.
 */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const uint8_t bytes[1 << 16];
    if (size < 1)
        return 0;
    eti_source buffer = {"fuzz.bin", bytes, sizeof bytes / 255 * data[0]};
    eti_source dump = {"fuzz.etdp", data + 1, size - 1};
    fuzz_inspect((eti_inputs){.etdumps = &dump, .n_etdumps = 1, .debug_buffer = &buffer});
    return 0;
}
