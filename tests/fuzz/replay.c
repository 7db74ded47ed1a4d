/*
 * replay.c - runs a fuzz target on the files named, for compilers without libFuzzer: the regression
 * corpus in `make check`.
 */
#include "fuzz.h"

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        eti_file *file;
        eti_error err;
        if (eti_file_open(&file, argv[i], &err) != ETI_OK) {
            fprintf(stderr, "%s\n", err.message);
            return 1;
        }
        eti_source source = eti_file_source(file);
        LLVMFuzzerTestOneInput(source.data, source.size);
        eti_file_close(file);
    }
    printf("replayed %d files\n", argc - 1);
    return 0;
}
