/*
 * options.h - options for opening an inspector.
 */
#ifndef ETI_MODEL_OPTIONS_H
#define ETI_MODEL_OPTIONS_H

#include "base/parallel.h"

/* The unit in which a delegate counts time. */
typedef struct eti_delegate_time_scale {
    const char *backend;  /* NULL: all delegates without an entry of their own */
    eti_time_scale scale; /* ETI_SCALE_CYCLES: shown unconverted, whatever the target scale */
} eti_delegate_time_scale;

typedef struct eti_options {
    eti_time_scale source_time_scale; /* of the stamps in the ETDump */
    eti_time_scale target_time_scale; /* of the statistics */
    const eti_delegate_time_scale *delegate_time_scales;
    size_t n_delegate_time_scales;
    bool exact_time;    /* subtract delegates' stamps before scaling them, not after */
    const char *method; /* method of the ETRecord; NULL: "forward", or else the first */
    /* graph of the ETRecord from which events get the Inspector's operators; NULL: the edge program of the method */
    const char *reference_graph;
    size_t n_threads; /* for large inputs; 0: one per processor. Results do not depend on it */
    /* cycles per second, to convert cycles to time; 0 if unknown */
    double clock_hz;
    /* Number of leading runs (the warm-up) to drop from each EventBlock with Method::execute. */
    size_t skip_first;
    /* Include warm-up runs in sums, shares and averages, because the user has chosen the runs. */
    bool keeps_warm_up;
    /* Skip recorded tensors and values, because runs may have had different inputs. */
    bool no_debug_data;
    /* Do not look inside delegates; for users who only want the Inspector's data. */
    bool no_attribution;
    eti_progress progress; /* of opening */
} eti_options;

/* Defaults of the Python Inspector: ns to ms. */
#define ETI_OPTIONS_DEFAULT                                                                        \
    { .target_time_scale = ETI_SCALE_MS }

/* Inputs of an inspector: at least one of an ETDump, an ETRecord and a program. */
typedef struct eti_inputs {
    const eti_source *etdumps; /* several count as one file with all their runs, in this order */
    size_t n_etdumps;
    const eti_source *etrecord;     /* NULL if there is none */
    struct eti_record *record;      /* used in its place if already open; NULL otherwise */
    const eti_source *debug_buffer; /* for all ETDumps, or for the first; NULL if there is none */
    const eti_source *more_debug_buffers; /* for the other ETDumps, in their order */
    size_t n_more_debug_buffers;          /* 0: one buffer is for all ETDumps */
    const eti_source *programs;           /* .pte or .bpte; the first is the program that ran */
    size_t n_programs;
    const eti_source *data; /* .ptd: weights outside the programs */
    size_t n_data;
} eti_inputs;

#endif
