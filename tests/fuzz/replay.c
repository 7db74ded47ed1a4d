/*
 * replay.c - runs a fuzz target once on each of the given files, for compilers without libFuzzer:
 * the corpus in `make check`.
 */

#include "fuzz.h"

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        struct eti_file file; /* not decompressed, even if it is compressed */
        eti_error err = ETI_ERROR_INIT;
        if (eti__file_open_source(&file, &(eti_source){.path = argv[i]}, &err) != ETI_OK) {
            fprintf(stderr, "%s\n", err.message);
            return 1;
        }
        /* A mapped file has readable bytes after its end, a copy has not. */
        eti_source source = fuzz_source(argv[i], (eti_text){(const char *)file.data, file.size});
        eti__file_release(&file);
        LLVMFuzzerTestOneInput(source.data, source.size);
        fuzz_source_free(source);
    }
    printf("replayed %d files\n", argc - 1);
    return 0;
}
