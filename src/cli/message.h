/*
 * message.h - messages on standard error, and the exit statuses that go with them.
 */
#ifndef ETI_CLI_MESSAGE_H
#define ETI_CLI_MESSAGE_H

#include "etinspect.h"

#include <stdbool.h>
#include <stdint.h>

/* ==== message ================================================================================= */

/* Exit statuses, as in the man page, section EXIT STATUS. */
enum {
    CLI_OK = 0,
    CLI_CHECK_FAILED = 1,
    CLI_USAGE = 2,
    CLI_INPUT = 3,
    CLI_OUTPUT = 4,
    CLI_MEMORY = 5,
    CLI_TOO_FEW = 6, /* the answer is "cannot tell", or there are too few files */
};

/* Makes the program end with the status `to` instead of those from `first` to `last`. */
void cli_map_statuses(int first, int last, int to);
/* Returns the status with which the program ends instead of `status`. */
int cli_mapped_status(int status);

/* Sets the command to whose help messages refer; NULL: none, or help. */
void cli_message_command(const char *name);
const char *cli_message_command_name(void);

/* Prints one line on stderr with a reference to help; returns CLI_USAGE. */
int cli_fail_usage(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints one line "etinspect: warning: ..." on stderr. */
void cli_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Keeps a warning, which cli_warn_again() prints; later ones are ignored, and so is an empty text. `of` is the name of a file
 * before it, or empty. */
void cli_warn_at_end(const char *of, eti_text text);

/* Prints the warning that was kept, if there is one, for readers who see only the last lines. */
void cli_warn_again(void);

/* Prints one line "etinspect: ..." on stderr that is not a warning. */
void cli_hint(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints one line on stderr without a prefix. */
void cli_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints one line on stderr; returns the exit status of the error. */
int cli_fail(const eti_error *err);
int cli_fail_memory(void);

/* Prints two lines on stderr: `text`, and a caret below its byte `at`. */
void cli_point_at(const char *text, size_t at);

/* The last lines of a program that failed, which are printed below the message. Free `bytes`. */
typedef struct cli_lines {
    char *bytes;
    size_t size;
} cli_lines;

/* Keeps bytes: an eti_write_function whose context is a cli_lines. */
bool cli_lines_keep(void *context, const void *data, size_t size);
/* Prints them on stderr. */
void cli_lines_print(cli_lines *kept);

/* Returns whether the variable TERM names a terminal that can move the cursor. */
bool cli_terminal_is_able(void);

/* Returns whether a person reads standard output: it and standard input are such a terminal, and CI is not set. */
bool cli_has_reader(void);

/* ==== progress ================================================================================ */
/* Shows on one line of the terminal the progress of work that takes longer than a second. The line
 * is erased when the work is done. */

/* Starts showing the progress of work whose output goes to `output_path`, "-" for standard output. Shows nothing if standard
 * error is not a terminal, if nobody watches it (CI is set, or the program runs in the background), or if standard output is
 * a pipe, which may lead to a pager that has the screen. */
void cli_progress_start(const char *output_path);

/* Shows progress: an eti_progress_function that never cancels. Most calls only read the clock. */
bool cli_progress_tell(void *context, const char *step, uint64_t done, uint64_t total);

/* Erases the line. Must be called before anything else is printed. */
void cli_progress_end(void);

#endif
