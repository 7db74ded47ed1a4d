/*
 * synthetic.h - decides from the time stamps of delegated Events whether a clock produced them.
 *
 * Only the first runs of each block are examined, per backend. Fewer than four samples are not judged.
 */
#ifndef ETI_ACCOUNT_SYNTHETIC_H
#define ETI_ACCOUNT_SYNTHETIC_H

#include "base/intern.h"
#include "model/model.h"

/* The time stamps of one backend. Lengths are in ticks of its own scale. */
typedef struct eti_delegate_stamps {
    eti_text backend; /* "" if unknown; borrowed from the inspector */
    uint64_t n_events, n_samples,
        n_pairs; /* number of pairs: an Event and the previous one in the same call */
    uint64_t first_length, step; /* step: greatest common divisor of lengths */
    bool lengths_differ, runs_differ, has_gaps;
    size_t most_runs;
} eti_delegate_stamps;

/* The reason why times look synthetic: the first one that applies. */
typedef enum eti_synthetic_sign {
    ETI_SYNTHETIC_NOT,
    /* All Events take equally long: the times carry no information. */
    ETI_SYNTHETIC_ALIKE,
    /* Each Event takes equally long in at least three runs, though two Events differ: the times
     * were estimated or computed. */
    ETI_SYNTHETIC_CONSTANT,
    /* Each Event starts where the previous one in the same call ends, and takes a multiple of the same step of at
     * least 100 ticks: the delegate reported durations, in steps of its own, which were placed end to end. */
    ETI_SYNTHETIC_STEPS,
} eti_synthetic_sign;

/* Initialize to all zeros. */
typedef struct eti_synthetic {
    ETI_INTERN_OF(eti_delegate_stamps) stamps; /* per backend */
    eti_pointer_table by_backend;
} eti_synthetic;

/* Examines a block. Returns false if memory runs out. */
bool eti__synthetic_add(eti_synthetic *synthetic, const eti_event_block *block);
eti_synthetic_sign eti__synthetic_judge(const eti_delegate_stamps *stamps);
void eti__synthetic_free(eti_synthetic *synthetic);

#endif
