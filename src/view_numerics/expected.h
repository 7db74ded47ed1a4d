/*
 * expected.h - the table "outputs" of the view "numerics" where the reference is a bundled program: one row per output of a
 * run, with its distance from the output that its test case expects, and whether ExecuTorch's runtime would accept it.
 */
#ifndef ETI_VIEW_NUMERICS_EXPECTED_H
#define ETI_VIEW_NUMERICS_EXPECTED_H

#include "base/files.h"
#include "etinspect.h"
#include "numerics/numerics.h"

/* Adds the table for the bundled program in the file, which it takes over unless it fails before the file is needed. Returns
 * the statuses of eti__verification_make(); ETI_ERROR_TOO_FEW also for fewer outputs than options->min_compared, and with
 * options->fail_on or options->verify if nothing fails, but a run could not be verified or compared. */
eti_status eti__expected_add(eti_report *report, const eti_inspector *inspector,
                             const eti_numerics_options *options, struct eti_file *bundle,
                             eti_error *err) ETI_WARN_UNUSED;

#endif
