/*
 * meaning.h - what the settings of a request mean: the options of all rooms, with a place for each row of the catalogue.
 *
 * An option that several rooms read stands where the first of them reads it.
 */
#ifndef ETI_API_MEANING_H
#define ETI_API_MEANING_H

#include "account/options.h"
#include "compare/options.h"
#include "model/options.h"
#include "table/select/selection.h"
#include "write/options.h"

/* Arrays are malloc's, texts the arena's. */
typedef struct eti__texts {
    const char **values;
    size_t n, capacity;
} eti__texts;

typedef struct eti__sources {
    eti_source *values;
    size_t n, capacity;
} eti__sources;

typedef struct eti__labels {
    eti_label *values;
    size_t n, capacity;
} eti__labels;

typedef struct eti__scales {
    eti_delegate_time_scale *values;
    size_t n, capacity;
} eti__scales;

typedef struct eti__meaning {
    eti_options opening;
    eti_view_options view;
    eti_selection selection;
    eti_profile_options profile;
    eti_diff_options diff;
    eti_write_options write;
    const char *format;
    bool summarises; /* baselines */
    size_t n_runs;   /* noise: a side; 0: as many as there are */
    size_t now;      /* seconds since 1970; 0: not said */
    eti__sources etdumps, etrecord, debug_buffer, budgets, allowed;
    eti__texts modules, rules;
    eti__labels labels;
    eti__scales scales;
} eti__meaning;

#endif
