/*
 * method_fit.h - compares a method of the inputs with the events of a block.
 */
#ifndef ETI_MODEL_METHOD_FIT_H
#define ETI_MODEL_METHOD_FIT_H

#include "model/inspector.h"
#include "pte/pte.h"

/* Measures how well a method fits the events of a block. */
typedef struct eti_method_fit {
    uint64_t n_compared,
        n_unlike;        /* number of events, and of those without a matching instruction */
    uint64_t n_contrary; /* of these, kernels where the ETRecord has a delegate call */
    uint64_t n_missing;  /* instructions without an event */
} eti_method_fit;

/* Compares the events with the instructions of the program. False: out of memory. */
bool eti__fit_plan(const eti_event_block *block, const eti_pte_plan *plan, eti_method_fit *out);

/* Compares the events with the instructions of a method in the ETRecord. False: out of memory. */
bool eti__fit_record(const eti_inspector *inspector, const eti_event_block *block, size_t method,
                     eti_method_fit *out);

/* Compares the instructions that the ETRecord has for a method with those of the program; if the method has no jumps,
 * also vice versa. */
void eti__fit_files(const eti_inspector *inspector, const eti_method *method, eti_method_fit *out);

/* Number of bytes of operator names to compare: enough for any real record, and for a clear result. */
#define ETI_NAMES_COMPARED ((size_t)8 << 20)

/* Returns the number of the block's kernels whose names contradict their known operators, and adds the number of compared
 * kernels to `*n_compared`. `*left`, initially ETI_NAMES_COMPARED, limits the work. */
uint64_t eti__count_unlike_kernels(const eti_event_block *block, size_t *left,
                                   uint64_t *n_compared);

#endif
