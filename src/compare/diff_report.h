/*
 * diff_report.h - functions shared by the reports about profiles.
 */
#ifndef ETI_COMPARE_DIFF_REPORT_H
#define ETI_COMPARE_DIFF_REPORT_H

#include "compare/diff.h"
#include "profile/profile.h"
#include "table/table.h"

/* Implements the function of etinspect.h; `options` may be NULL. */
eti_status eti__diff_report(eti_report **out, const eti_profile *base, const eti_profile *new_side,
                            const eti_diff_options *options, eti_error *err) ETI_WARN_UNUSED;
eti_status eti__noise_report(eti_report **out, const eti_profile *profile,
                             const eti_diff_options *options, eti_error *err) ETI_WARN_UNUSED;

#endif
