/*
 * program_comparison.h - compares the verdicts of this library's verifier and FlatBuffers' own about the metadata of a
 * program, a bundle or a data file.
 */
#ifndef ETI_TESTS_PROGRAM_COMPARISON_H
#define ETI_TESTS_PROGRAM_COMPARISON_H

#include "program_oracle.h"

typedef enum program_agreement {
    PROGRAM_BOTH_ACCEPT,
    PROGRAM_BOTH_REFUSE,
    PROGRAM_WE_ARE_STRICTER, /* about numbers that the library never reads */
    PROGRAM_NOT_COMPARED, /* no identifier, a header that points outside, or the library's limit of work */
    PROGRAM_DISAGREE,
} program_agreement;

/* `why` is this library's message if they disagree, else "". */
program_agreement program_compare(const uint8_t *data, size_t size, char why[256]);

#endif
