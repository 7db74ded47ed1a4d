/*
 * etdump_comparison.h - whether our reader of ETDumps and FlatBuffers' own agree about some bytes.
 */
#ifndef ETI_TESTS_ETDUMP_COMPARISON_H
#define ETI_TESTS_ETDUMP_COMPARISON_H

#include "etdump_oracle.h"

#include "base/status.h"

typedef enum etdump_agreement {
    ETDUMP_BOTH_ACCEPT, /* and give the same values */
    ETDUMP_BOTH_REFUSE,
    ETDUMP_WE_ARE_STRICTER, /* for one of the reasons of etdump_oracle.h */
    ETDUMP_NOT_COMPARED,    /* one of the two stopped at its limit */
    ETDUMP_DISAGREE,
} etdump_agreement;

/* `why` is one line when they disagree, else "". */
etdump_agreement etdump_compare_readers(const uint8_t *data, size_t size, char why[256]);
/* The same with an oracle that was opened on these bytes. */
etdump_agreement etdump_compare_with(etdump_oracle *oracle, const uint8_t *data, size_t size,
                                     char why[256]);

#endif
