/*
 * diff_match.h - declares the steps by which diff.c makes a comparison.
 */
#ifndef ETI_COMPARE_DIFF_MATCH_H
#define ETI_COMPARE_DIFF_MATCH_H

#include "compare/compare.h"
#include "etinspect.h"

/* Pairs blocks, and makes a row of each total and each event. Fails with ETI_ERROR_MEMORY. */
eti_status eti__diff_match_blocks(eti_diff *diff, eti_error *err) ETI_WARN_UNUSED;
eti_status eti__diff_list_rows(eti_diff *diff, eti_error *err) ETI_WARN_UNUSED;

/* Makes a row of each group of events with an equal property diff->options.group. Fails with
 * ETI_ERROR_USAGE if there is no such grouping, or with ETI_ERROR_MEMORY. */
eti_status eti__diff_list_groups(eti_diff *diff, eti_error *err) ETI_WARN_UNUSED;

#endif
