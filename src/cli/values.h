/*
 * values.h - lists what the value of an option may be, for completions. Files of the command line are read for the names
 * in them; what cannot be read has none, and two seconds are all there is.
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

/* Prints a line for each value, a name and after a separator what it means. Names that are more than one line are left
 * out, and no program but a shell may take them as they are: they are whatever is in a file. The exit status. */
int cli_print_values(const cli_command *command, const char *option, const cli_words *words);

#endif
