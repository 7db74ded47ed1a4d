/*
 * run_labels.h - the methods of runs, as labelled by the user.
 */
#ifndef ETI_MODEL_RUN_LABELS_H
#define ETI_MODEL_RUN_LABELS_H

#include "model/model.h"

/* A block after the split. */
typedef struct eti_labelled_block {
    size_t from;   /* number of the block before the split */
    size_t method; /* the label: index in inspector->methods; ETI_NO_METHOD: no label */
} eti_labelled_block;

/* Splits each block for which several methods fit by the labels of its runs: each part has the runs with one label, in
 * their order. The k-th label is that of the k-th run, in the order of recording, of the runs that an ETDump has in these
 * blocks. `fits` has the methods that fit each block, as sets of bits for inspector->methods. The caller frees `*out`, with
 * one item per block after the split. Adds a note on labels without a run. ETI_ERROR_USAGE: a label is no method, or does
 * not fit the block of its run, or there are fewer labels than runs; ETI_ERROR_MEMORY. */
eti_status eti__run_labels_split(eti_inspector *inspector, const uint64_t *fits,
                                 eti_labelled_block **out, eti_error *err) ETI_WARN_UNUSED;

#endif
