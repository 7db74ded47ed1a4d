/*
 * recorded.h - lists the tensors that runs recorded, with their statistics.
 */
#ifndef ETI_NUMERICS_RECORDED_H
#define ETI_NUMERICS_RECORDED_H

#include "account/account.h"
#include "etinspect.h"
#include "numerics/numerics.h"

/* Lists the same tensors with their faults, but without statistics, regardless of the debug buffer. Fails with
 * ETI_ERROR_USAGE if `run` is not one of these, or with ETI_ERROR_MEMORY. */
eti_status eti__recorded_find(eti_recorded *out, const eti_inspector *inspector,
                              const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;

#endif
