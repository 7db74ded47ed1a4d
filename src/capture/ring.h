/*
 * ring.h - opens and ends runs in the memory of a capture.
 */
#ifndef ETC_CAPTURE_RING_H
#define ETC_CAPTURE_RING_H

#include "capture/capture.h"

/* Returns whether runs with this name load the model. */
bool etc__is_loading(const etc_capture *c, etc_name name);
/* Opens a run with a number of the main capture; runs of lanes need no name. Without memory, the events that follow are
 * lost. */
void etc__open_run(etc_capture *c, etc_name name, uint32_t number, bool is_loading);
/* Ends the open run, if there is one. */
void etc__end_run(etc_capture *c);

#endif
