/*
 * signals.h - how the program ends at a signal: no temporary file is left, and an input that shrinks
 * while it is read is an error like others.
 */
#ifndef ETI_CLI_SIGNALS_H
#define ETI_CLI_SIGNALS_H

/* Once, before anything is opened. Signals that are ignored stay ignored. */
void cli_handle_signals(void);

#endif
