/*
 * command.h - turns a user's command into the arguments of a process.
 *
 * A command is split into words as by a shell: at blanks outside quotes; '...' preserves all characters, "..." preserves all
 * except a \ before \, ", $ or `, and \ outside quotes preserves the next character. Nothing is expanded, and no shell runs:
 * characters that only a shell would interpret must be quoted. In each word, {} stands for the path of the dump.
 *
 * With a shell, the command is a script for /bin/sh in which {} stands for "$1", the path, both inside and outside quotes.
 */
#ifndef ETI_MEASURE_COMMAND_H
#define ETI_MEASURE_COMMAND_H

#include "base/arena.h"

typedef struct eti_command {
    const char *option; /* name of the option that set it, for messages */
    const char *text;   /* as given */
    char **words;       /* may contain {}; terminated by NULL */
    size_t n_words;
    bool has_path; /* a word contains {} */
} eti_command;

/* Parses a command; everything is stored in the arena. `option` and `text` are not copied. ETI_ERROR_USAGE: no words, an
 * unclosed quote, or a character that needs a shell; ETI_ERROR_MEMORY. */
eti_status eti__command_parse(eti_command *out, eti_arena *arena, const char *option,
                              const char *text, bool uses_shell, eti_error *err) ETI_WARN_UNUSED;

/* Returns the words, with each {} replaced by the path, terminated by NULL. NULL: out of memory. */
char **eti__command_arguments(const eti_command *command, eti_arena *arena, const char *path);

#endif
