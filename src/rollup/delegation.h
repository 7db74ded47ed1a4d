/*
 * delegation.h - turns Events, or a program if there is no ETDump, into the steps of methods.
 */
#ifndef ETI_ROLLUP_DELEGATION_H
#define ETI_ROLLUP_DELEGATION_H

#include "account/account.h"
#include "etinspect.h"
#include "rollup/rollup.h"

/* Mark a barrier in the order of steps, and the beginning of a method or block. */
#define ETI_NO_STEP UINT32_MAX
#define ETI_FIRST_STEP (UINT32_MAX - 1)

/* Makes the steps of the blocks selected by the options or, without an ETDump, of the first program. Fails with
 * ETI_ERROR_LIMIT because of a program, or ETI_ERROR_MEMORY; free `out` in any case. */
eti_status eti__steps_make(eti_steps *out, const eti_inspector *inspector,
                           const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;
void eti__steps_free(eti_steps *steps);

#endif
