/*
 * runner.h - runs the commands of a measurement: the one before a process, the process itself, and the one that fetches its
 * dump.
 */
#ifndef ETI_MEASURE_RUNNER_H
#define ETI_MEASURE_RUNNER_H

#include "base/arena.h"
#include "base/process.h"
#include "measure/command.h"
#include "measure/dumps.h"
#include "measure/options.h"

typedef struct eti_runner {
    eti_command sides[ETI_N_MEASURED_SIDES];
    eti_command before, pull; /* without words if not given */
    double timeout;           /* in seconds */
    eti_wait_function wait;   /* called while a command runs; returns false to end it */
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
eti_status eti__runner_run(const eti_runner *runner, eti_measured_side side, const char *path,
                           eti_error *err) ETI_WARN_UNUSED;

#endif
