/*
 * progress.h - tells on one line of the terminal how far work has come that takes longer than a second. The line is
 * erased when the work is done.
 */
#ifndef ETI_CLI_PROGRESS_H
#define ETI_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* Work begins whose output goes to `output_path`, "-" for standard output. Nothing is shown if standard error is no
 * terminal, or nobody's (CI is set, or the program runs in the background), nor where standard output is a pipe: it
 * may lead to a pager, which has the screen. */
void cli_progress_start(const char *output_path);

/* An eti_progress_function that never cancels; looks at the clock, and seldom does more. */
bool cli_progress_tell(void *context, const char *step, uint64_t done, uint64_t total);

/* Erases the line. To be called before anything else is printed. */
void cli_progress_end(void);

#endif
