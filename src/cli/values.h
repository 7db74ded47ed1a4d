/*
 * values.h - lists possible values of an option, for completions. Reads the files of the command line for names; ignores
 * files that cannot be read, and stops reading after two seconds.
 */
#ifndef ETI_CLI_VALUES_H
#define ETI_CLI_VALUES_H

#include "cli/cli.h"

/* Collects the arguments as they are parsed. Starts as all zeros; the caller frees `words`. */
typedef struct cli_words {
    char **words;
    size_t n;
} cli_words;

/* Appends a word. Returns CLI_OK, or an exit status after a message. */
int cli_words_add(cli_words *words, const char *word);

/* Prints a line for each value: a name and, after a separator, its meaning. Names of several lines are left out. Names come
 * from files that may be hostile, so only a shell's completion may use them unchanged. Returns the exit status. */
int cli_print_values(const cli_command *command, const char *option, const cli_words *words);

#endif
