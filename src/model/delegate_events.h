/*
 * delegate_events.h - what the events inside delegate calls mean.
 */
#ifndef ETI_MODEL_DELEGATE_EVENTS_H
#define ETI_MODEL_DELEGATE_EVENTS_H

#include "base/arena.h"
#include "model/model.h"

/* Sets `logged` of the events of a block that a delegate logged, and of the events without a delegate's identifier that
 * share the instruction of a delegate call. Needs `known` (associate.h), metadata and repaired names. ETI_ERROR_MEMORY. */
eti_status eti__delegate_events_read(eti_event_block *block, eti_arena *arena,
                                     eti_error *err) ETI_WARN_UNUSED;

#endif
