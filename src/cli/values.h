/*
 * values.h - lists possible values of an option, for completions. Files of the command line are read for the names in
 * them; files that cannot be read are ignored, and reading ends after two seconds.
 */
#ifndef ETI_CLI_VALUES_H
#define ETI_CLI_VALUES_H

#include "cli/cli.h"

/* Grows as arguments are met. Starts as all zeros; `words` is to be freed. */
typedef struct cli_words {
    char **words;
    size_t n;
} cli_words;

/* CLI_OK, or an exit status after a message. */
int cli_words_add(cli_words *words, const char *word);

/* Prints a line for each value: a name and, after a separator, its meaning. Names of several lines are left out. Names come
 * from files that may be hostile, so only a shell's completion may use them as they are. Returns the exit status. */
int cli_print_values(const cli_command *command, const char *option, const cli_words *words);

#endif
