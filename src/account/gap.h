/*
 * gap.h - how far results differ from those of a reference: of one result, or the worst of several.
 *
 * numerics/differences.h computes the values; nodes, modules and lines of source share this struct.
 */
#ifndef ETI_ACCOUNT_GAP_H
#define ETI_ACCOUNT_GAP_H

#include "etrecord/etrecord.h"
#include "model/model.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#define ETI_MOST_DROP 150.0 /* largest finite drop, in dB */

typedef struct eti_gap {
    bool is_known;    /* a result was compared; otherwise all other members are 0 */
    double snr;       /* lowest signal-to-noise ratio, in dB; NaN if no result has one */
    double snr_drop;  /* largest loss of an operator itself, in dB; NaN if unknown */
    double max_abs;   /* greatest difference of two elements; NaN if no pair is finite */
    uint64_t nan_new; /* largest number of new NaN elements in a result */
} eti_gap;

/* An operator's output that was compared. Unknown members are NULL or absent. */
typedef struct eti_gap_of {
    eti_gap gap;
    const eti_event_block *block; /* block of the event on the new side */
    const eti_event *event;
    const eti_graph_node *node;  /* node in the inspector */
    const eti_event *base_event; /* NULL also if the base is a file */
    eti_text source_node;        /* node of the exported program */
    eti_text module;             /* innermost module */
    eti_text file;               /* file of the model's source */
    uint32_t line;               /* line in `file` */
} eti_gap_of;

/* Sets `gap`, initially all zeros, to the worse of both in each member. */
static inline void eti__gap_join(eti_gap *gap, const eti_gap *joined) {
    if (!joined->is_known)
        return;
    if (!gap->is_known) {
        *gap = *joined;
        return;
    }
    gap->snr = fmin(gap->snr, joined->snr); /* fmin() ignores NaN */
    gap->snr_drop = fmax(gap->snr_drop, joined->snr_drop);
    gap->max_abs = fmax(gap->max_abs, joined->max_abs);
    if (joined->nan_new > gap->nan_new)
        gap->nan_new = joined->nan_new;
}

#endif
