/*
 * tokens.h - tokens per second, from the number of tokens of a run that the user gives.
 */
#ifndef ETI_VIEW_TOKENS_H
#define ETI_VIEW_TOKENS_H

#include "account/account.h"
#include "model/model.h"

/* Checks options->tokens: "128" or "prefill=128,decode=1". ETI_ERROR_USAGE: it is neither, names no method, or times are
 * in cycles, which give no tokens per second. */
eti_status eti__tokens_check(const eti_inspector *inspector, const eti_view_options *options,
                             eti_error *err) ETI_WARN_UNUSED;

/* Returns the tokens per second of a run of the method that takes `time`, in the target time scale. NaN: the number of
 * tokens is unknown, or the time is 0. The options have been checked. */
double eti__tokens_per_second(const eti_inspector *inspector, const eti_view_options *options,
                              eti_text method, double time);

/* Appends "1,234 tokens per second". */
void eti__add_tokens_per_second(eti_buffer *out, double rate);

#endif
