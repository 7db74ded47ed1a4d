/*
 * samples.h - turns the stamps of a block's profile events into samples and their statistics.
 */
#ifndef ETI_MODEL_SAMPLES_H
#define ETI_MODEL_SAMPLES_H

#include "base/arena.h"
#include "model/event.h"
#include "model/options.h"

/* Fills the samples and start times of all timed events of the block. Needs the events' backends (associate.h), because
 * delegates may have their own time scales. ETI_ERROR_DATA: stamps run backwards and are too large for a 32-bit clock;
 * ETI_ERROR_MEMORY. */
eti_status eti__samples_fill(eti_event_block *block, eti_arena *arena, const eti_options *options,
                             eti_error *err) ETI_WARN_UNUSED;

/* Returns the number of ticks of the event's stamps in a unit of the target scale. */
double eti__event_factor(const eti_event *event, const eti_options *options);

/* Returns the entry of options->delegate_time_scales that applies to `backend` (absent if unknown), or NULL. */
const eti_delegate_time_scale *eti__delegate_time_scale_for(const eti_options *options,
                                                            eti_text backend);

/* Returns the entry that applies to the event's own times instead of the source time scale, or NULL. */
const eti_delegate_time_scale *eti__event_own_time_scale(const eti_event *event,
                                                         const eti_options *options);

#endif
