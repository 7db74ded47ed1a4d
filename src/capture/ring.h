/*
 * ring.h - opens and ends runs in the memory of a capture.
 */
#ifndef ETC_CAPTURE_RING_H
#define ETC_CAPTURE_RING_H

#include "capture/capture.h"

/* Opens a run with a number of the main capture; runs of lanes need no name. Without memory, the events that follow are
 * lost. */
void etc__open_run(etc_capture *c, etc_name name, uint32_t number, bool is_loading);
/* Ends the open run, if there is one. */
void etc__end_run(etc_capture *c);
/* Returns the size of the records of the open run, with fillers. It has at least a run record, so it takes the whole ring if
 * it ends where it begins. */
static inline uint32_t etc__open_run_size(const etc_capture *c) {
    return c->head > c->run ? c->head - c->run : c->head + (c->limit - c->base) - c->run;
}

#endif
