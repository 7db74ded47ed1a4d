/*
 * synthetic.h - finds out from the stamps of delegates' events whether a clock gave them.
 *
 * Of each backend the first runs of each block are looked at. Fewer than four samples say nothing.
 */
#ifndef ETI_ACCOUNT_SYNTHETIC_H
#define ETI_ACCOUNT_SYNTHETIC_H

#include "base/shared_texts.h"
#include "model/inspector.h"

/* The stamps of one backend. Lengths are ticks of its own scale. */
typedef struct eti_delegate_stamps {
    eti_text backend; /* "" where it is not known; borrowed from the inspector */
    uint64_t n_events, n_samples,
        n_pairs;                 /* pairs: an event and the one before it in the same call */
    uint64_t first_length, step; /* step: greatest common divisor of lengths */
    bool lengths_differ, runs_differ, has_gaps;
    size_t most_runs;
} eti_delegate_stamps;

/* Why times look synthetic: the first that holds. */
typedef enum eti_synthetic_sign {
    ETI_SYNTHETIC_NOT,
    /* Each event takes the same: the times stand for nothing but the events themselves. */
    ETI_SYNTHETIC_ALIKE,
    /* Each event takes the same in all of at least three runs, though there are two that differ: the times were
     * estimated or computed. */
    ETI_SYNTHETIC_CONSTANT,
    /* Each event starts where the one before it in the same call ends, and takes a multiple of the same step of at
     * least 100 ticks: the delegate gave lengths, in steps of its own, and somebody laid them out. */
    ETI_SYNTHETIC_STEPS,
} eti_synthetic_sign;

/* Starts as all zeros. */
typedef struct eti_synthetic {
    ETI_INTERN_OF(eti_delegate_stamps) stamps; /* per backend */
    eti_pointer_table by_backend;
} eti_synthetic;

/* Looks at a block; false when memory is out. */
bool eti__synthetic_add(eti_synthetic *synthetic, const eti_event_block *block);
eti_synthetic_sign eti__synthetic_judge(const eti_delegate_stamps *stamps);
void eti__synthetic_free(eti_synthetic *synthetic);

#endif
