/*
 * signals.h - how the program ends at a signal: no temporary file is left, and an input that shrinks
 * while it is read is an error like others.
 */
#ifndef ETI_CLI_SIGNALS_H
#define ETI_CLI_SIGNALS_H

/* To be called before anything is opened. Signals that are ignored stay ignored. */
void cli_handle_signals(void);

/* From now on the first SIGINT or SIGTERM is only remembered, and the second ends the program; until cli_handle_signals() is
 * called again. */
void cli_postpone_signals(void);
/* Returns the signal that was remembered; 0: none. */
int cli_postponed_signal(void);
/* Ends the program as that signal would have; returns if there was none. */
void cli_end_at_postponed_signal(void);

#endif
