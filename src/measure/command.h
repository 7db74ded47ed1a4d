/*
 * command.h - turns a command of the user into the arguments of a process.
 *
 * A command is split into words as a shell does: at blanks outside of quotes; '...' keeps all characters, "..." keeps all but
 * a \ before \, ", $ or `, and \ outside of quotes keeps the next character. Nothing is expanded, and no shell runs:
 * characters that only a shell would act on must be quoted. In each word, {} stands for the path of the dump.
 *
 * With a shell, the command is a script of /bin/sh in which {} stands for "$1", the path, wherever it is written: in quotes
 * or not.
 */
#ifndef ETI_MEASURE_COMMAND_H
#define ETI_MEASURE_COMMAND_H

#include "base/arena.h"

typedef struct eti_command {
    const char *option; /* that gave it, for messages */
    const char *text;   /* as it was given */
    char **words;       /* with {} in them, then NULL */
    size_t n_words;
    bool has_path; /* {} is in a word */
} eti_command;

/* Parses a command; all is stored in the arena. `option` and `text` are not copied. ETI_ERROR_USAGE: no word, a quote that is
 * not closed, or a character that needs a shell; ETI_ERROR_MEMORY. */
eti_status eti__command_parse(eti_command *out, eti_arena *arena, const char *option,
                              const char *text, bool uses_shell, eti_error *err) ETI_WARN_UNUSED;

/* Returns the words with the path in place of each {}, and NULL behind them; NULL: out of memory. */
char **eti__command_arguments(const eti_command *command, eti_arena *arena, const char *path);

#endif
