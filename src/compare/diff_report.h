/*
 * diff_report.h - turns a comparison into tables about the whole: its answer in words and numbers,
 * and its files.
 */
#ifndef ETI_COMPARE_DIFF_REPORT_H
#define ETI_COMPARE_DIFF_REPORT_H

#include "compare/compare.h"
#include "etinspect.h"

/* Adds the section "summary": one row for programs; people read its notes, which begin with the answer. The tables
 * copy all data that they need. Fails with ETI_ERROR_MEMORY. */
eti_status eti__diff_add_summary(eti_report *report, const eti_diff *diff, const eti_answer *answer,
                                 eti_error *err) ETI_WARN_UNUSED;

/* Adds the section "files": a row for each file of each EventBlock, with its level and its total. Fails with
 * ETI_ERROR_MEMORY. */
eti_status eti__diff_add_files(eti_report *report, const eti_diff *diff,
                               eti_error *err) ETI_WARN_UNUSED;

#endif
