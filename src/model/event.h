/*
 * event.h - turns the stamps of a block's profile events into samples and their statistics.
 */
#ifndef ETI_MODEL_EVENT_H
#define ETI_MODEL_EVENT_H

#include "base/arena.h"
#include "etinspect.h"
#include "model/model.h"

/* Fills the samples and start times of all timed events of the block. Needs the events' backends (associate.h), because
 * delegates may have their own time scales. ETI_ERROR_DATA: stamps run backwards and are too large for a 32-bit clock;
 * ETI_ERROR_MEMORY. */
eti_status eti__samples_fill(eti_event_block *block, eti_arena *arena, const eti_options *options,
                             eti_error *err) ETI_WARN_UNUSED;

/* Returns the entry of options->delegate_time_scales that applies to `backend` (absent if unknown), or NULL. */
const eti_delegate_time_scale *eti__delegate_time_scale_for(const eti_options *options,
                                                            eti_text backend);

#endif
