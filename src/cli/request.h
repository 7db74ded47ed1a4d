/*
 * request.h - what all commands that print a report share: options that name the inputs, say how time is
 * counted, select rows and columns, and say how they are written.
 */
#ifndef ETI_CLI_REQUEST_H
#define ETI_CLI_REQUEST_H

#include "cli/inputs.h"

/* Grows as arguments are met. */
typedef struct cli_request {
    eti_request *request;
    cli_inputs inputs;
    const char *output_path;    /* instead of that of the option; NULL: none */
    const char *default_format; /* where neither --format nor the suffix of --output says it */
    bool is_format_given;
    bool is_selected; /* rows and columns are chosen already */
    const cli_command *command;
    unsigned bit; /* that of the command, or of what it does: ETI__FOR_BASELINE_SAVE */
    const char **other_formats; /* of what is written beside the output */
    size_t n_other_formats;
} cli_request;

/* `format` is the default one; NULL: the command prints no report, or sets it later. CLI_OK, or an exit status after a
 * message. */
int cli_request_init(cli_request *request, const char *format);

/* A cli_take, whose context is a cli_request. */
int cli_request_take(void *request, const eti__option *option, const char *value);

/* Parses the arguments, and prints help or the version where they ask for it, or acts. Returns the exit status. */
int cli_request_run(const cli_command *command, cli_request *request, int argc, char **argv,
                    cli_take take, cli_act act, void *context);

/* Notes a format that is written beside the output. CLI_OK, or an exit status after a message. */
int cli_request_add_format(cli_request *request, const char *format);
/* unused.c: whether every option that was given changes something: what the command does takes it, and one of the
 * formats that are written depends on it. CLI_OK, or an exit status after a message. */
int cli_check_unused(const cli_request *request);

/* Whether the option was given. */
bool cli_has(const cli_request *request, const char *name);
/* Sets an option of the library; NULL: to its default. CLI_OK, or an exit status after a message. */
int cli_set(eti_request *request, const char *name, const char *value);
const char *cli_output_path(const cli_request *request);
/* The format of the output, from cli_request_prepare() on. */
const char *cli_format(const cli_request *request);

/* Opens the inputs and everything that can be asked about them, after which the sandbox is entered if it was
 * asked for. `outputs` are further files that will be written, as in cli_inputs_check_outputs(). CLI_OK, or
 * an exit status after a message. */
int cli_request_open(cli_request *request, eti_inspector **out, const char *const outputs[],
                     size_t n_outputs);

/* Prints the rows and columns of the view that were asked for. CLI_OK, or an exit status after a message. */
int cli_request_print(const cli_request *request, const eti_inspector *inspector, const char *view);

/* The steps of the above, for commands with other inputs. The first checks the options; the second prints what the
 * inspector warns of; the third frees the report. */
int cli_request_prepare(cli_request *request, const char *const outputs[], size_t n_outputs);
/* Whether the format can be written, which is sandboxed or not. CLI_OK, or an exit status after a message. */
int cli_check_format(const cli_request *request, const char *format);
void cli_print_warnings(const eti_inspector *inspector);
int cli_request_print_report(const cli_request *request, eti_report *report);

void cli_request_close(cli_request *request);

#endif
