/*
 * etdump_comparison.h - compares the verdicts and values of this library's reader of ETDumps with those of FlatBuffers'
 * own.
 */
#ifndef ETI_TESTS_ETDUMP_COMPARISON_H
#define ETI_TESTS_ETDUMP_COMPARISON_H

#include "etdump_oracle.h"

typedef enum etdump_agreement {
    ETDUMP_BOTH_ACCEPT, /* with the same values */
    ETDUMP_BOTH_REFUSE,
    ETDUMP_WE_ARE_STRICTER, /* for one of the reasons of etdump_oracle.h */
    ETDUMP_NOT_COMPARED,    /* one of the two reached its limit */
    ETDUMP_DISAGREE,
} etdump_agreement;

/* `why` is one line if they disagree, else "". */
etdump_agreement etdump_compare_readers(const uint8_t *data, size_t size, char why[256]);
/* Does the same with an oracle that was opened on these bytes. */
etdump_agreement etdump_compare_with(etdump_oracle *oracle, const uint8_t *data, size_t size,
                                     char why[256]);

#endif
