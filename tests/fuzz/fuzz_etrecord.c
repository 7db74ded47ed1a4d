/*
 * fuzz_etrecord.c - the input is an ETRecord: it is opened beside a dump whose events have the
 * first instruction ids, so that maps and graph are used.
 */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    eti_source record = {"fuzz.etrecord", size ? data : (const uint8_t *)"", size};
    eti_source dump = fuzz_file("testdata/delegate-ids/run.etdp");
    fuzz_inspect((eti_inputs){.etdumps = &dump, .n_etdumps = 1, .etrecord = &record});
    return 0;
}
