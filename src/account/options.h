/*
 * options.h - what a view shows, and how its columns are named.
 */
#ifndef ETI_ACCOUNT_OPTIONS_H
#define ETI_ACCOUNT_OPTIONS_H

#include "model/metadata.h"

typedef struct eti_table_options {
    bool include_units; /* in the names of the statistics' columns */
    bool include_delegate_debug_data;
    eti_metadata_form delegate_metadata;
} eti_table_options;

#define ETI_TABLE_OPTIONS_DEFAULT                                                                  \
    { .include_units = true }

typedef struct eti_view_options {
    eti_table_options table;
    const char *block;          /* only EventBlocks of this name; NULL or "all": all */
    const char *const *modules; /* "modules": names, as eti_inspector_modules_table() takes them */
    size_t n_modules;
    bool samples; /* every single time too, not only what they are like */
    /* "groups": op (also NULL), backend, module, module:DEPTH, source, block or method */
    const char *group;
    size_t depth;            /* "tree": levels below the model; 0: all */
    double fold;             /* "tree": modules of a smaller share than this are one row together */
    bool lines;              /* "tree": drawn; otherwise modules have whole names */
    size_t context;          /* "source": lines around those that have times */
    const char *source_root; /* "source": where the files are; NULL: where the traces say */
    const char *graph;       /* "graph", "ops": NULL: the edge program of the method */
    size_t top;              /* "summary": operators that are listed; 0: 10 */
    bool split_variants;     /* "summary": an operator apart by the names of its kernels */
    bool per_event;          /* "runs": a row for every event of a run */
} eti_view_options;

#define ETI_VIEW_OPTIONS_DEFAULT                                                                   \
    { .table = ETI_TABLE_OPTIONS_DEFAULT, .fold = 0.005, .context = 2 }

#endif
