/*
 * network.h - a network that recognises digits, and records the times of its layers with libetcapture.
 */
#ifndef TINY_CNN_NETWORK_H
#define TINY_CNN_NETWORK_H

#include "digits.h"

#include <etcapture.h>

enum { N_DIGITS = 10 };

/* Holds a recognised digit. */
typedef struct answer {
    int digit;
    int certainty; /* in units of 1/128 */
} answer;

/* Checks the weights, and records the check as the run "Default". Returns false if they are damaged.
 * `capture`, here and below: NULL records nothing. */
bool network_load(etc_capture *capture);

/* Recognises the digit in an image, and records this as a run "Execute" with an event for each layer;
 * and the output of each layer, if the capture has a debug level for it. */
answer network_run(etc_capture *capture, const int8_t image[IMAGE_PIXELS]);

/* Interns the names of the events; for captures that network_load() does not get. */
void network_intern(etc_capture *capture);
/* Does the work of network_run() in the run that is open. Returns the certainty of each digit, which the next call
 * overwrites. */
const int8_t *network_execute(etc_capture *capture, const int8_t image[IMAGE_PIXELS]);

#endif
