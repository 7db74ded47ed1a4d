/*
 * main.h - the list of commands, and signals that wait until a command is ready for them.
 */
#ifndef ETI_CLI_MAIN_H
#define ETI_CLI_MAIN_H

#include "cli/options.h"

/* ==== cli ===================================================================================== */

/* Returns the i-th command; NULL past the end. */
const cli_command *cli_command_at(size_t i);
const cli_command *cli_command_find(const char *name);
/* Returns the command whose name is closest to a mistyped one; NULL: no name is close. */
const cli_command *cli_command_near(const char *name);

/* ==== signals ================================================================================= */
/* Ends the program at a signal: no temporary file is left, and an input that shrinks while it is
 * read is an ordinary error. SIGKILL cannot be handled, and after a fault of the program itself
 * nothing is removed; the next run removes the files that remain, see base/temporary.h. */

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
