/*
 * signals.h - how the program ends at a signal: no temporary file is left, and an input that shrinks
 * while it is read is an error like others.
 */
#ifndef ETI_CLI_SIGNALS_H
#define ETI_CLI_SIGNALS_H

#include "cli/inputs.h"

/* Once, before anything is opened. Signals that are ignored stay ignored. */
void cli_handle_signals(void);

/* The inputs whose mapped files are named when one becomes shorter; NULL: none any more. They may still
 * grow. */
void cli_watch_inputs(const cli_inputs *inputs);

#endif
