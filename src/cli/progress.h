/*
 * base/parallel.h - shows on one line of the terminal the progress of work that takes longer than a second. The line is erased
 * when the work is done.
 */
#ifndef ETI_CLI_PROGRESS_H
#define ETI_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* Starts showing the progress of work whose output goes to `output_path`, "-" for standard output. Shows nothing if standard
 * error is not a terminal, if nobody watches it (CI is set, or the program runs in the background), or if standard output is
 * a pipe, which may lead to a pager that has the screen. */
void cli_progress_start(const char *output_path);

/* Shows progress: an eti_progress_function that never cancels. Most calls only read the clock. */
bool cli_progress_tell(void *context, const char *step, uint64_t done, uint64_t total);

/* Erases the line. Must be called before anything else is printed. */
void cli_progress_end(void);

#endif
