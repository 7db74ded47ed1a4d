/*
 * fuzz_etdump.c - the input is an ETDump: it is opened, walked and printed in every format.
 */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    eti_source dump = {"fuzz.etdp", size ? data : (const uint8_t *)"", size};
    fuzz_inspect((eti_inputs){.etdumps = &dump, .n_etdumps = 1});
    return 0;
}
