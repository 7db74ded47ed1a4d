/*
 * groups.h - turns EventBlocks into the time of their ops, kernels, backends, compute units, modules,
 * source lines, blocks or methods.
 */
#ifndef ETI_VIEW_GROUPS_H
#define ETI_VIEW_GROUPS_H

#include "account/account.h"
#include "etinspect.h"
#include "rollup/rollup.h"
#include "table/table.h"

/* ==== groups ================================================================================== */

/* Makes the view "groups": one row per group of options->group, the most expensive first. ETI_ERROR_USAGE: there is no such
 * grouping. */
eti_status eti__view_groups(eti_report *report, const eti_inspector *inspector,
                            const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;

/* Adds the same rows as a section with another name, which is static. With options->per_block, for
 * databases, each row has its block and its rank in the block. */
eti_status eti__view_add_groups(eti_report *report, const char *name,
                                const eti_inspector *inspector, const eti_view_options *options,
                                eti_error *err) ETI_WARN_UNUSED;

/* ==== attributed ============================================================================== */

/* Adds the share of the logged time of delegates that is attributed to nodes of the model, and how
 * these were found; nothing if there are none. ETI_ERROR_MEMORY. */
eti_status eti__overview_note_attribution(eti_report *report, const eti_overview *data,
                                          eti_error *err) ETI_WARN_UNUSED;

/* Adds this advice as a note: without the program, ranks of modules, lines and operators mislead. ETI_ERROR_MEMORY. */
eti_status eti__view_note_program(eti_report *report, const eti_inspector *inspector,
                                  const eti_attributed_times *times,
                                  eti_error *err) ETI_WARN_UNUSED;

/* ==== method rows ============================================================================= */
/* Makes the table of a view whose rows are computed for each method separately, one method after
 * the other.
 *
 * The first column names the method; it is left out unless there are several methods
 * (account/account.h). */

/* Source of the rows of a method: the first member of a struct of the view. */
typedef struct eti_method_part {
    eti_text method; /* absent unless there are several methods */
    eti_rollup rollup;
    size_t n_rows;
} eti_method_part;

/* How a view makes its rows. */
typedef struct eti_method_view {
    size_t part_size; /* size of the struct, which is initially all zeros */
    /* Computes the data of a method's rows, including n_rows. `context` is the caller's. */
    eti_status (*take)(eti_method_part *out, const eti_inspector *inspector,
                       const eti_view_options *options, void *context, eti_error *err);
    /* Frees the data that take() made, except for the rollup and the struct itself. */
    void (*free)(eti_method_part *part);
    /* Fills a row by the columns. False: out of memory. */
    bool (*make_row)(const eti_method_part *part, size_t number, const eti_column_spec *columns,
                     size_t n_columns, eti_row *out);
} eti_method_view;

/* The parts of a table, which owns them. */
typedef struct eti_method_rows {
    const eti_method_view *view;
    eti_column_spec columns[ETI_MOST_COLUMN_SPECS];
    size_t n_columns;
    eti_summed_methods methods;
    eti_method_part *parts[ETI_MOST_METHODS];
    size_t n_parts;
    size_t
        first_rows[ETI_MOST_METHODS + 1]; /* first row of each part, and the number of all rows */
    eti_rollup counts; /* of all parts, without groups: see eti__rollup_join_counts() */
} eti_method_rows;

/* Makes the table, whose first column is that of the method; `out`, for notes, lives as long as the table. ETI_ERROR_MEMORY,
 * and the statuses of take(). */
eti_status eti__method_rows_make(eti_table **table, const eti_method_rows **out,
                                 const eti_method_view *view, const eti_column_spec *columns,
                                 size_t n_columns, const eti_inspector *inspector,
                                 const eti_view_options *options, void *context,
                                 eti_error *err) ETI_WARN_UNUSED;

#endif
