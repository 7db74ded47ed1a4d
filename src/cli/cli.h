/*
 * cli.h - what the commands of the program share: how a command is described, how its arguments are
 * parsed and how it ends.
 *
 * A command is one file cmd_<name>.c and one row in main.c. The options that it takes, and so parsing and
 * help, come from the catalogue. The program uses etinspect.h and the catalogue, and nothing else of the library.
 */
#ifndef ETI_CLI_CLI_H
#define ETI_CLI_CLI_H

#include "api/catalogue.h"

#include <stdio.h>

/* As in the man page, section EXIT STATUS. */
enum {
    CLI_OK = 0,
    CLI_CHECK_FAILED = 1,
    CLI_USAGE = 2,
    CLI_INPUT = 3,
    CLI_OUTPUT = 4,
    CLI_MEMORY = 5,
    CLI_TOO_FEW = 6, /* samples to decide */
};

typedef struct cli_command {
    const char *name;      /* NULL: what runs without a verb */
    unsigned bit;          /* ETI__FOR_...: which options it takes */
    const char *arguments; /* for usage, after the options */
    const char *summary;   /* one line */
    const char *example;   /* a whole command line */
    const char *details;   /* paragraphs for help; NULL: none */
    int (*run)(const struct cli_command *command, int argc, char **argv);
} cli_command;

extern const cli_command cli_inspect;
extern const cli_command cli_check;
extern const cli_command cli_diff;
extern const cli_command cli_baseline;
extern const cli_command cli_noise;
extern const cli_command cli_gate;
extern const cli_command cli_help;
extern const cli_command cli_summary, cli_runs, cli_alloc;         /* cmd_view.c */
extern const cli_command cli_tree, cli_ops, cli_graph, cli_source; /* cmd_view.c */

/* The i-th command, or NULL past the end. */
const cli_command *cli_command_at(size_t i);
const cli_command *cli_command_find(const char *name);

/* The command's next option in the catalogue, from row *i on; NULL after the last. */
const eti__option *cli_next_option(const cli_command *command, size_t *i);

/* Takes one argument: option `name` with its value, or with name NULL a plain argument. Returns CLI_OK, or
 * an exit status after a message. */
typedef int (*cli_take)(void *context, const char *name, const char *value);

/* Parses argv[1..]; CLI_OK, or an exit status after a message. */
int cli_parse(const cli_command *command, int argc, char **argv, cli_take take, void *context);

/* One line on stderr, with where to find help; returns CLI_USAGE. */
int cli_fail_usage(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* One line "etinspect: warning: ..." on stderr. */
void cli_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* One line on stderr; returns the exit status that goes with the error. */
int cli_fail(const eti_error *err);
int cli_fail_memory(void);

/* Two lines on stderr: `text`, and a caret below its byte `at`. */
void cli_point_at(const char *text, size_t at);

/* Prints usage, options and details. */
void cli_print_help(const cli_command *command, FILE *stream);

#endif
