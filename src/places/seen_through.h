/*
 * seen_through.h - finds the nodes of the model that a delegate's logged operators compute, using
 * the delegates' payloads in the program or the ETRecord.
 */
#ifndef ETI_PLACES_SEEN_THROUGH_H
#define ETI_PLACES_SEEN_THROUGH_H

#include "model/model.h"

/* Sets `known` of the delegated Events of all blocks. A payload that cannot be read is not an error: a note gives the
 * reason, and the next best source is used. Fails with ETI_ERROR_MEMORY. */
eti_status eti__see_through(eti_inspector *inspector, eti_error *err) ETI_WARN_UNUSED;

/* Opens an inspector and finds the nodes of its delegated Events, unless the options disable that. Fails like
 * eti__inspector_open(). */
eti_status eti__open_seen_through(eti_inspector **out, const eti_inputs *inputs,
                                  const eti_options *options, eti_error *err) ETI_WARN_UNUSED;

#endif
