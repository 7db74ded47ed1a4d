/*
 * options.h - options of opening an inspector.
 */
#ifndef ETI_MODEL_OPTIONS_H
#define ETI_MODEL_OPTIONS_H

#include "base/progress.h"

/* Delegates may count time in a unit of their own. */
typedef struct eti_delegate_time_scale {
    const char *backend;  /* NULL: every delegate without an entry of its own */
    eti_time_scale scale; /* ETI_SCALE_CYCLES: shown as counted, whatever the target scale */
} eti_delegate_time_scale;

typedef struct eti_options {
    eti_time_scale source_time_scale; /* of the stamps in the ETDump */
    eti_time_scale target_time_scale; /* of the statistics */
    const eti_delegate_time_scale *delegate_time_scales;
    size_t n_delegate_time_scales;
    bool exact_time;    /* subtract delegates' stamps before scaling them, not after */
    const char *method; /* of the ETRecord; NULL: "forward", or else the first */
    /* Graph of the ETRecord that gives events the Inspector's operators; NULL: the edge program of the method. */
    const char *reference_graph;
    size_t n_threads; /* for large inputs; 0: one per processor. Results do not depend on it */
    /* cycles per second, to convert a source scale of cycles to time; 0: unknown */
    double clock_hz;
    /* Number of first runs (the warm-up) to leave out of each EventBlock with Method::execute. */
    size_t skip_first;
    /* Keep the runs that warm up in sums, shares and averages: the user has chosen the runs. */
    bool keeps_warm_up;
    /* Skip recorded tensors and values, since runs may have had different inputs. */
    bool no_debug_data;
    /* Skip seeing through delegates, for those who only want what the Inspector has. */
    bool no_attribution;
    eti_progress progress; /* of opening */
} eti_options;

/* The defaults of the Python Inspector: ns to ms. */
#define ETI_OPTIONS_DEFAULT                                                                        \
    { .target_time_scale = ETI_SCALE_MS }

/* Inputs of an inspector: at least one ETDump, an ETRecord or a program. */
typedef struct eti_inputs {
    const eti_source *etdumps; /* several count as one file with all their runs, in this order */
    size_t n_etdumps;
    const eti_source *etrecord;           /* NULL: none */
    struct eti_record *record;            /* opened already, in its place; NULL: none */
    const eti_source *debug_buffer;       /* of all ETDumps, or of the first; NULL: none */
    const eti_source *more_debug_buffers; /* of the others, in their order */
    size_t n_more_debug_buffers;          /* 0: one is of all */
    const eti_source *programs;           /* .pte or .bpte; the first is the one that ran */
    size_t n_programs;
    const eti_source *data; /* .ptd: weights outside of the programs */
    size_t n_data;
} eti_inputs;

#endif
