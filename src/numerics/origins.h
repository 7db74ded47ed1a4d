/*
 * origins.h - finds the node of the edge program that computed a recorded tensor, and the recorded
 * tensors that were its inputs.
 */
#ifndef ETI_NUMERICS_ORIGINS_H
#define ETI_NUMERICS_ORIGINS_H

#include "etinspect.h"

/* Returns whether the event is a delegate call, judged by its name because the call may have no time. */
bool eti__is_delegate_call(const eti_event *event);

#endif
