/*
 * numerics_view.h - the data from which the tables of numerics.c and numeric_gap.c are made.
 */
#ifndef ETI_VIEW_NUMERICS_NUMERICS_VIEW_H
#define ETI_VIEW_NUMERICS_NUMERICS_VIEW_H

#include "base/files.h"
#include "model/model.h"
#include "numerics/numerics.h"
#include "places/places.h"
#include "table/table.h"
#include "view_numerics/failing.h"

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

/* Returns the loader of the elements of the base. */
static inline eti_element_loader eti__numerics_loader(const numerics_input *input) {
    return (eti_element_loader){eti__reference_points_load, input->reference};
}

/* Returns the name of an output: that of its Event, or a name for outputs of the run. */
eti_text eti__numerics_name(const eti_point *point);

/* Compares the tensors that the runs of `newer` recorded with those of `base`, or, if `base` is NULL, with the references.
 * Takes over the files of the references, which have no data if the reference is a folder. Keeps `options`. Returns the
 * statuses of eti__numerics_report(); after a failure there is nothing to free. */
eti_status eti__numerics_view_make(numerics_view **out, const eti_inspector *base,
                                   const eti_inspector *newer, const eti_numerics_options *options,
                                   struct eti_file **files, eti_error *err) ETI_WARN_UNUSED;
/* Pairs the inputs of both sides and compares them: comparing.c. Returns the statuses of eti__numerics_report(). */
eti_status eti__numerics_compare(numerics_view *view, eti_error *err) ETI_WARN_UNUSED;

void eti__numerics_view_free(numerics_view *view);

/* Adds the number of compared outputs to the last section of the report. ETI_ERROR_MEMORY. */
eti_status eti__numerics_note_compared(eti_report *report, const numerics_view *view,
                                       eti_error *err) ETI_WARN_UNUSED;

#endif
