/*
 * diff_parts.h - the steps in which diff.c makes a comparison.
 */
#ifndef ETI_COMPARE_DIFF_PARTS_H
#define ETI_COMPARE_DIFF_PARTS_H

#include "compare/diff_row.h"

/* diff_match.c: pairs blocks, and makes a row of each total and each event. ETI_ERROR_MEMORY. */
eti_status eti__diff_match_blocks(eti_diff *diff, eti_error *err) ETI_WARN_UNUSED;
eti_status eti__diff_list_rows(eti_diff *diff, eti_error *err) ETI_WARN_UNUSED;

/* diff_groups.c: makes a row of each group of events that are alike in diff->options.group. ETI_ERROR_USAGE: there is no
 * such grouping; ETI_ERROR_MEMORY. */
eti_status eti__diff_list_groups(eti_diff *diff, eti_error *err) ETI_WARN_UNUSED;

/* diff_tests.c: fills the paces of all pairs, from the rows of events. ETI_ERROR_MEMORY. */
eti_status eti__diff_find_paces(eti_diff *diff, eti_error *err) ETI_WARN_UNUSED;
/* Compares and judges the rows of a family. ETI_ERROR_MEMORY. */
eti_status eti__diff_test(const eti_diff *diff, eti_diff_rows *family, bool may_pace,
                          eti_error *err) ETI_WARN_UNUSED;

/* Starts as all zeros; `values` are freed by whoever has it. */
typedef struct eti_scratch {
    double *values;
    size_t capacity;
} eti_scratch;

/* diff_files.c: whether the medians of the files of one side all lie above those of the other or, where there are many,
 * the test of Mann and Whitney says so with p <= 0.001; true as well where each side is one file. Samples are those of all runs of the blocks, in
 * order. False: out of memory. */
bool eti__diff_files_agree(const eti_diff_pair *pair, eti_sample_set base, eti_sample_set new_side,
                           eti_scratch *scratch, bool *out);

#endif
