/*
 * diff_judge.h - declares the steps by which diff.c makes a comparison.
 */
#ifndef ETI_COMPARE_DIFF_JUDGE_H
#define ETI_COMPARE_DIFF_JUDGE_H

#include "compare/compare.h"
#include "etinspect.h"

/* Chooses the families of tests, finds levels and changes, and judges all rows. Fails with
 * ETI_ERROR_MEMORY. */
eti_status eti__diff_judge(eti_diff *diff, eti_error *err) ETI_WARN_UNUSED;

#endif
