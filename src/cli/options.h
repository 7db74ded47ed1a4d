/*
 * options.h - declarations that the commands of the program share.
 */
#ifndef ETI_CLI_OPTIONS_H
#define ETI_CLI_OPTIONS_H

#include "api/api.h"

#include <stdio.h>

/* Characters without a special meaning to a shell in any position. */
#define CLI_SHELL_PLAIN                                                                            \
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"                               \
    "_./+-,"

/* Purpose of a command, in the order of the list of commands. */
typedef enum cli_purpose {
    CLI_LOOK,    /* at a profile */
    CLI_COMPARE, /* profiles */
    CLI_JUDGE,   /* in continuous integration */
    CLI_N_PURPOSES,
} cli_purpose;

typedef struct cli_command {
    const char *name; /* NULL: the command that runs without a verb */
    cli_purpose purpose;
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
extern const cli_command cli_trend;
extern const cli_command cli_gate;
extern const cli_command cli_numerics;
extern const cli_command cli_record;
extern const cli_command cli_measure;
extern const cli_command cli_recover;
extern const cli_command cli_bundle;
extern const cli_command cli_report;
extern const cli_command cli_rows;
extern const cli_command cli_help;
extern const cli_command cli_summary, cli_layers, cli_events, cli_runs, cli_alloc;  /* cmd_view.c */
extern const cli_command cli_tree, cli_ops, cli_delegates, cli_graph, cli_source;   /* cmd_view.c */
extern const cli_command cli_program, cli_memory, cli_size, cli_tensors, cli_trace; /* cmd_view.c */

/* Returns the command's next option in the catalogue, starting at row *i; NULL after the last. */
const eti__option *cli_next_option(const cli_command *command, size_t *i);

/* Takes one argument: an option with its value ("true" for a flag), or, if `option` is NULL, a plain argument. Returns
 * CLI_OK, or an exit status after a message. */
typedef int (*cli_take)(void *context, const eti__option *option, const char *value);

/* Does the work of a command, with the context that took its arguments. Returns the exit status. */
typedef int (*cli_act)(void *context);

/* Parses argv[1..]. Returns CLI_OK, or an exit status after a message. */
int cli_parse(const cli_command *command, int argc, char **argv, cli_take take, void *context);

/* Returns the number of words of an option and its value, if the option may precede the command; otherwise 0. */
int cli_global_words(int argc, char **argv);

/* Value of --help for the help with all options. */
#define CLI_HELP_ALL "all"

/* Prints usage, the command's own options and details; describes the common options if `with_common`, otherwise only names
 * them. */
void cli_print_help(const cli_command *command, bool with_common, FILE *stream);

#endif
