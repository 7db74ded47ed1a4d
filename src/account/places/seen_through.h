/*
 * seen_through.h - finds the nodes of the model that a delegate's logged operators compute, by the payloads of the delegates
 * in the program or the ETRecord.
 */
#ifndef ETI_ACCOUNT_PLACES_SEEN_THROUGH_H
#define ETI_ACCOUNT_PLACES_SEEN_THROUGH_H

#include "model/inspector.h"

/* Sets `known` of the delegated Events of all blocks. A payload that cannot be read is not an
 * error: a note says why, and the next best source is used. ETI_ERROR_MEMORY. */
eti_status eti__see_through(eti_inspector *inspector, eti_error *err) ETI_WARN_UNUSED;

/* Opens an inspector, and sees through its delegates unless the options say not to; errors are those of
 * eti__inspector_open(). */
eti_status eti__open_seen_through(eti_inspector **out, const eti_inputs *inputs,
                                  const eti_options *options, eti_error *err) ETI_WARN_UNUSED;

#endif
