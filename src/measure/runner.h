/*
 * runner.h - runs the commands of a measurement: the one before a process, the process itself, and the one that fetches its
 * dump.
 */
#ifndef ETI_MEASURE_RUNNER_H
#define ETI_MEASURE_RUNNER_H

#include "base/arena.h"
#include "base/process.h"
#include "etinspect.h"
#include "measure/measure.h"

/* ==== command ================================================================================= */
/* Turns a user's command into the arguments of a process.
 *
 * A command is split into words as by a shell: at blanks outside quotes; '...' preserves all
 * characters, "..." preserves all except a \ before \, ", $ or `, and \ outside quotes preserves
 * the next character. Nothing is expanded, and no shell runs: characters that only a shell would
 * interpret must be quoted. In each word, {} stands for the path of the dump.
 *
 * With a shell, the command is a script for /bin/sh in which {} stands for "$1", the path, both
 * inside and outside quotes. */

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

/* Returns the words, with each {} replaced by the path and, unless it is NULL, each {model} by the program, terminated by
 * NULL. NULL: out of memory. */
char **eti__command_arguments(const eti_command *command, eti_arena *arena, const char *path,
                              const char *program);

/* Logs the last lines of a text. */
void eti__log_last_lines(eti_text text, eti_write_function log, void *context);

/* ==== runner ================================================================================== */

typedef struct eti_runner {
    eti_command sides[ETI_N_MEASURED_SIDES];
    eti_command before, pull; /* without words if not given */
    const char *programs
        [ETI_N_MEASURED_SIDES]; /* a program to record in place of a command; NULL: a command */
    eti_recording_options recording;
    eti_recording_result first[ETI_N_MEASURED_SIDES]; /* of the first process, with its outputs */
    struct eti_device *device; /* of all processes; allocated, NULL before the first one */
    double timeout;            /* in seconds */
    eti_wait_function wait;    /* called while a command runs; returns false to end it */
    void *wait_context;
    eti_write_function log; /* receives the last lines of a failed command; NULL: none */
    void *log_context;
} eti_runner;

/* Parses the commands. ETI_ERROR_USAGE: there is no command for the new side, a command cannot be parsed, or {} is
 * neither in a side's command nor in the one that fetches its dump; ETI_ERROR_MEMORY. */
eti_status eti__runner_open(eti_runner *out, eti_arena *arena, const eti_measure_options *options,
                            eti_error *err) ETI_WARN_UNUSED;

/* Runs one process, whose dump is expected at `path`. ETI_ERROR_READ: a command failed; ETI_ERROR_CANCELLED: `wait` ended
 * it; ETI_ERROR_MEMORY. */
eti_status eti__runner_run(eti_runner *runner, eti_measured_side side, const char *path,
                           eti_error *err) ETI_WARN_UNUSED;

#endif
