/*
 * ring.h - opens and ends runs in the memory of a capture.
 */
#ifndef ETC_CAPTURE_RING_H
#define ETC_CAPTURE_RING_H

#include "capture/capture.h"

/* Opens a run with a number of the main capture. Without memory, the events that follow are
 * lost. */
void etc__open_run(etc_capture *c, etc_name name, uint32_t number);
/* Ends the open run, if there is one. */
void etc__end_run(etc_capture *c);

#endif
