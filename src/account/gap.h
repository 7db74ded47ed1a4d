/*
 * gap.h - how far results are from those of a reference: one result, or the worst of several.
 *
 * numerics/differences.h finds the numbers; nodes, modules and lines of source share this struct.
 */
#ifndef ETI_ACCOUNT_GAP_H
#define ETI_ACCOUNT_GAP_H

#include "model/inspector.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#define ETI_MOST_DROP 150.0 /* dB: of results that are finite */

typedef struct eti_gap {
    bool is_known;    /* a result was compared; all others are 0 otherwise */
    double snr;       /* signal to noise in dB, the lowest; NaN: none has any */
    double snr_drop;  /* dB that an operator loses itself, the most; NaN: unknown */
    double max_abs;   /* greatest difference of two elements; NaN: no pair of them is finite */
    uint64_t nan_new; /* number of NaN in a result, the most */
} eti_gap;

/* An output of an operator that was compared. What is not known is NULL or absent. */
typedef struct eti_gap_of {
    eti_gap gap;
    const eti_event_block *block; /* all of the new side */
    const eti_event *event;
    const eti_graph_node *node;  /* of the inspector */
    const eti_event *base_event; /* NULL where the base is a file, too */
    eti_text source_node;        /* of the exported program */
    eti_text module;             /* innermost */
    eti_text file;               /* of the model's source */
    uint32_t line;               /* of `file` */
} eti_gap_of;

/* Makes `gap`, at first all zeros, the worst of both. */
static inline void eti__gap_join(eti_gap *gap, const eti_gap *joined) {
    if (!joined->is_known)
        return;
    if (!gap->is_known) {
        *gap = *joined;
        return;
    }
    gap->snr = fmin(gap->snr, joined->snr); /* which pass over NaN */
    gap->snr_drop = fmax(gap->snr_drop, joined->snr_drop);
    gap->max_abs = fmax(gap->max_abs, joined->max_abs);
    if (joined->nan_new > gap->nan_new)
        gap->nan_new = joined->nan_new;
}

#endif
