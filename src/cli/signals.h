/*
 * signals.h - ends the program at a signal: no temporary file is left, and an input that shrinks while it is read is an
 * ordinary error. SIGKILL cannot be handled, and after a fault of the program itself nothing is removed; the next run
 * removes the files that remain, see base/temporary.h.
 */
#ifndef ETI_CLI_SIGNALS_H
#define ETI_CLI_SIGNALS_H

/* Handles signals. Must be called before anything is opened. Ignored signals stay ignored, and
 * signals that other code handles are left alone. */
void cli_handle_signals(void);

/* Postpones signals: until cli_handle_signals() is called again, the first SIGINT or SIGTERM is only remembered, and the
 * second ends the program. */
void cli_postpone_signals(void);
/* Returns the signal that was remembered; 0: none. */
int cli_postponed_signal(void);
/* Ends the program as the remembered signal would have; returns if there was none. */
void cli_end_at_postponed_signal(void);

#endif
