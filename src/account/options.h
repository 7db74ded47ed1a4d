/*
 * model/model.h - options of views and of their column names.
 */
#ifndef ETI_ACCOUNT_OPTIONS_H
#define ETI_ACCOUNT_OPTIONS_H

#include "base/numbers.h"
#include "model/model.h"

typedef struct eti_table_options {
    bool include_units; /* add units to the names of the statistics' columns */
    bool include_delegate_debug_data;
    eti_metadata_form delegate_metadata;
} eti_table_options;

#define ETI_TABLE_OPTIONS_DEFAULT                                                                  \
    { .include_units = true }

#define ETI_NO_INSTRUCTION_ASKED SIZE_MAX

/* Details of the slices of a trace. */
typedef enum eti_slice_args {
    ETI_ARGS_NONE,
    ETI_ARGS_SHORT,
    ETI_ARGS_FULL,
} eti_slice_args;

typedef struct eti_view_options {
    eti_table_options table;
    const char *block;           /* only EventBlocks with this name; NULL or "all": all */
    const eti_event_block *like; /* only EventBlocks with the method of this one; NULL: all */
    const eti_wide *whole;       /* ticks that shares refer to; NULL: the ticks of all groups */
    /* "modules": names, in the form that eti_inspector_modules_table() accepts */
    const char *const *modules;
    size_t n_modules;
    bool samples; /* also list every sample, not only the statistics */
    /* "groups": op (also NULL), backend, module, module:DEPTH, source, block or method */
    const char *group;
    size_t depth;            /* "tree": levels below the model; 0: all */
    double fold;             /* "tree": modules with a smaller share are folded into one row */
    bool folds_layers;       /* "tree": modules that differ by a number are one row */
    bool lines;              /* "tree": draw lines; otherwise modules have full names */
    size_t context;          /* "source": number of lines shown around those with times */
    const char *source_root; /* "source": folder of the files; NULL: as in the stack traces */
    bool shows_files;        /* "source": print the text of files, not only lines with times */
    bool lists_all;          /* "graph": also list a row for each input in tables for people */
    const char *graph;   /* "graph", "ops": name of a graph; NULL: the edge program of the method */
    size_t top;          /* "summary": number of operators listed; 0: 10 */
    bool split_variants; /* "summary": split operators by the names of their kernels */
    bool per_block;      /* "groups": each EventBlock has groups of its own */
    bool kernels;        /* "ops": split operators by their kernels */
    bool emits_ops;      /* "ops" of programs: write a list for a selective build */
    /* "ops" of programs: operators that a build contains; NULL: unknown */
    const eti_source *available;
    size_t at;         /* "memory": an instruction; ETI_NO_INSTRUCTION_ASKED: no instruction */
    bool map;          /* "memory": draw the bytes in use */
    bool sha256;       /* "size": hash the bytes of each row */
    bool per_event;    /* "runs": one row per Event of a run */
    bool debug_events; /* "trace": write an instant for each debug event */
    /* "trace": draw arrows from delegate calls to the events that they logged on other tracks */
    bool flows;
    /* "tensors": number of a run, or "all"; NULL: the first run that recorded tensors */
    const char *run;
    /* "graph", "tree", "source": reference of results; NULL: no reference */
    const eti_source *reference;
    const char *match;   /* how the results are paired, see numerics/options.h */
    const char *runs;    /* "trace": numbers of runs in their blocks, "0,5-7"; NULL: all */
    unsigned trace_time; /* "trace": 0: times as recorded, 1: every run starts at 0 */
    unsigned args;       /* "trace": an eti_slice_args */
} eti_view_options;

#define ETI_VIEW_OPTIONS_DEFAULT                                                                   \
    {                                                                                              \
        .table = ETI_TABLE_OPTIONS_DEFAULT, .fold = 0.005, .context = 2,                           \
        .at = ETI_NO_INSTRUCTION_ASKED, .args = ETI_ARGS_SHORT                                     \
    }

#endif
