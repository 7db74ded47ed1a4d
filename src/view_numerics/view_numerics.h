/*
 * view_numerics.h - views of compared tensors: numbers, gaps, findings.
 */
#ifndef ETI_VIEW_NUMERICS_VIEW_NUMERICS_H
#define ETI_VIEW_NUMERICS_VIEW_NUMERICS_H

#include "account/account.h"
#include "etinspect.h"
#include "numerics/numerics.h"
#include "places/places.h"

/* ==== failing ================================================================================= */
/* Selects the rows of a table for which an expression of --fail_on is true, and turns them into
 * findings like those of a gate, for formats such as junit and github. Finds also the rows for
 * which a missing metric leaves an expression undecided, so that they do not pass. */

typedef struct eti_failing {
    bool is_asked;   /* rows were tested: only rows that fail are shown */
    size_t *rows;    /* numbers of the rows that fail, in order */
    uint32_t *rules; /* per row: number of the first expression that is true */
    size_t n;
    size_t n_undecided, first_undecided; /* number of rows that are undecided, and the first row */
    uint32_t undecided_rule;             /* number of its first expression that is undecided */
    eti_text missing; /* its first column without a value that the expression needs; of the table */
} eti_failing;

/* ==== numerics view =========================================================================== */
/* The data from which the tables of numerics.c and numeric_gap.c are made. */

/* Tensors recorded on a side; nothing where the base is a file. */
typedef struct numerics_side {
    const eti_inspector *inspector; /* NULL: a file */
    eti_recorded recorded;
    eti_origins origins;
    eti_run_inputs inputs;
} numerics_side;

/* Compared part of an input. */
typedef struct numerics_input {
    size_t number;                   /* of the new side's */
    eti_run_input base_run, run;     /* tensors of the sides */
    eti_reference_points *reference; /* NULL: the base is an ETDump */
    eti_points base, newer;
    eti_matches matches;
    eti_differences differences;
} numerics_input;

/* Runs of the new side: those of the compared inputs, or all if the option run is "all". */
typedef struct numerics_runs {
    size_t n, n_compared;             /* n_compared have an output that was compared */
    const eti_recorded_tensor *first; /* a tensor of the first of the others; NULL: none */
} numerics_runs;

typedef struct numerics_view {
    const eti_numerics_options *options; /* while the report is made */
    numerics_side base, newer;
    /* The files from which the references borrow, as many as the options have; a folder is all zeros. NULL: none. */
    struct eti_file *files;
    size_t n_files;
    eti_reference_points *references;
    size_t n_references;
    eti_match_by by;
    bool is_each;           /* as in the options */
    numerics_input *inputs; /* one or more */
    size_t n_inputs;
    size_t n_base_left; /* number of runs of the base, or in names of the file, without a partner */
    numerics_runs runs;
    eti_joined_differences joined;
    eti_places places;
    eti_place *places_of; /* per row of `joined` */
    eti_failing failing;
} numerics_view;

/* ==== gaps ==================================================================================== */
/* Turns the rows of the view "numerics" into the gaps of nodes and Events, which other views look
 * up for their own rows.
 *
 * Compares the same values as numerics.c in the same way, so the numbers are equal. */

/* Starts as all zeros: nothing was requested. */
typedef struct eti_gaps {
    bool is_asked;
    eti_gap_of *of; /* whose texts live as long as `view` */
    size_t n;
    numerics_view *view;
} eti_gaps;

/* Compares the tensors that the inspector's runs recorded with options->reference; does nothing if there is no reference.
 * ETI_ERROR_USAGE: the reference is a bundled program, which has no results of operators; the statuses of
 * eti__numerics_report(). Free `out` in any case. */
eti_status eti__gaps_find(eti_gaps *out, const eti_inspector *inspector,
                          const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;

/* Does the same with the tensors that the runs of a base recorded, matched by options->match. */
eti_status eti__gaps_between(eti_gaps *out, const eti_inspector *base, const eti_inspector *newer,
                             const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;

/* Groups places, by numbers from 0. */
typedef struct eti_gap_grouping {
    uint32_t (*group_of)(const void *context, const eti_place *place);
    size_t (*count)(const void *context); /* number of groups, once all places are known */
    const void *context;
} eti_gap_grouping;

/* Returns the gap of each group, the worst of the outputs in the blocks that `options` choose; NULL: out of memory. The
 * caller frees it. */
eti_gap *eti__gaps_of_groups(const eti_gaps *gaps, eti_places *places,
                             const eti_view_options *options, const eti_gap_grouping *grouping);

/* Adds the number of compared outputs to the last section; nothing if that was not requested. ETI_ERROR_MEMORY. */
eti_status eti__gaps_note(const eti_gaps *gaps, eti_report *report, eti_error *err) ETI_WARN_UNUSED;

void eti__gaps_free(eti_gaps *gaps);

/* ==== numerics ================================================================================ */
/* The view "numerics": one row per recorded output of an operator, with its difference from the
 * output of a base: another run, or a file of tensors. */

/* Makes the report; `base` is NULL if options->reference is set. ETI_ERROR_USAGE: there is no base, or two, an option is
 * wrong, or there is no way to match points; ETI_ERROR_TOO_FEW: no point has a partner, fewer than options->min_compared
 * could be compared, or no expression of options->fail_on is true, but a run has no output that could be compared; the
 * statuses of eti__recorded_read() and of reading the file of tensors; ETI_ERROR_MEMORY. */
eti_status eti__numerics_report(eti_report **out, const eti_inspector *base,
                                const eti_inspector *newer, const eti_numerics_options *options,
                                eti_error *err) ETI_WARN_UNUSED;

#endif
