/*
 * gate_files.h - files of a gate: the budgets and exceptions that it reads, and the reports that it writes. Shared by the
 * commands that end with a gate.
 */
#ifndef ETI_CLI_GATE_FILES_H
#define ETI_CLI_GATE_FILES_H

#include "api/api.h"
#include "cli/request.h"
#include "etinspect.h"

/* Input files of one option: named by arguments, opened before a sandbox is entered. */
typedef struct cli_gate_inputs {
    const char **paths;
    size_t n_paths;
    eti_file **files;
    size_t n_files;
} cli_gate_inputs;

/* Collects the arguments as they are parsed. */
typedef struct cli_gate_files {
    cli_gate_inputs budgets, allowed;
    cli_reports reports;
    const char **outputs; /* paths that will be written; made by cli_gate_files_open() */
    size_t n_outputs;
    int summary; /* descriptor of the file that a summary is appended to; -1: none */
} cli_gate_files;

#define CLI_GATE_FILES_INIT                                                                        \
    { .summary = -1 }

/* Returns whether cli_gate_files_take() takes the option; false for NULL, which stands for a plain argument. */
bool cli_gate_files_takes(const eti__option *option);
/* Takes --budget, --allow or --report. Returns CLI_OK, or an exit status after a message. */
int cli_gate_files_take(cli_gate_files *files, cli_request *request, const eti__option *option,
                        const char *value);

/* Checks the outputs, opens all inputs and the summary of a step, and sets the options of the request that follow from them
 * and from the environment. Returns CLI_OK, or an exit status after a message. */
int cli_gate_files_open(cli_gate_files *files, cli_request *request);

/* Returns the exit status of an outcome. */
int cli_status_of(eti_gate_outcome outcome);

/* Opens only the files of --allow. Returns CLI_OK, or an exit status after a message. */
int cli_gate_files_open_allowed(cli_gate_files *files, cli_request *request);

/* Writes a report in all requested formats, and frees it. Returns the exit status of the outcome, CLI_CHECK_FAILED if the
 * report says that a check failed, or, after a message, the exit status of a failed output. */
int cli_gate_files_write(cli_gate_files *files, const cli_request *request, eti_report *report,
                         eti_gate_outcome outcome);

void cli_gate_files_close(cli_gate_files *files);

#endif
