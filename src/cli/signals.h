/*
 * signals.h - how the program ends at a signal: no temporary file is left, and an input that shrinks
 * while it is read is an error like others. SIGKILL cannot be handled, and after a fault of the program itself nothing is
 * removed: what these leave the next run sweeps, see base/files/temporary.h.
 */
#ifndef ETI_CLI_SIGNALS_H
#define ETI_CLI_SIGNALS_H

/* To be called before anything is opened. Signals that are ignored stay ignored, and those stay
 * as they are that somebody else handles. */
void cli_handle_signals(void);

/* From now on the first SIGINT or SIGTERM is only remembered, and the second ends the program; until cli_handle_signals() is
 * called again. */
void cli_postpone_signals(void);
/* Returns the signal that was remembered; 0: none. */
int cli_postponed_signal(void);
/* Ends the program as that signal would have; returns if there was none. */
void cli_end_at_postponed_signal(void);

#endif
