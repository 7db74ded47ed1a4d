/*
 * make_events.h - turns what a run recorded into the events of a block, with only their names and ids.
 */
#ifndef ETI_MODEL_MAKE_EVENTS_H
#define ETI_MODEL_MAKE_EVENTS_H

#include "base/arena.h"
#include "model/event.h"
#include "model/run_events.h"

/* Makes one event for each source of the run; `out` has room for them. Names are views of the dump, or in `arena`. Sets
 * `*has_broken_names` if a name is not UTF-8, and leaves it unchanged otherwise. False: out of memory. */
bool eti__make_events(eti_event *out, const eti_run_events *run, eti_arena *arena, size_t n_threads,
                      bool *has_broken_names);

#endif
