/*
 * request.h - what all commands that print a report share: options that name the inputs, say how time is
 * counted, select rows and columns, and say how they are written.
 */
#ifndef ETI_CLI_REQUEST_H
#define ETI_CLI_REQUEST_H

#include "cli/inputs.h"

/* Grows as arguments are met. Starts with CLI_REQUEST_DEFAULT. */
typedef struct cli_request {
    cli_inputs inputs;
    eti_options options;
    eti_delegate_time_scale *scales; /* options.delegate_time_scales */
    bool has_source_time_scale;
    bool sandbox, no_pager;
    eti_view_options view;
    eti_selection selection;
    bool lists_columns; /* instead of rows */
    const char *format;
    const char *output_path;
    eti_write_options write;
    eti_label *labels; /* write.labels */
    bool help, version;
} cli_request;

#define CLI_REQUEST_DEFAULT                                                                        \
    {                                                                                              \
        .options = ETI_OPTIONS_DEFAULT, .view = ETI_VIEW_OPTIONS_DEFAULT, .output_path = "-",      \
        .write = ETI_WRITE_OPTIONS_DEFAULT                                                         \
    }

/* Takes one argument if it is of one of the groups; `*known` tells. CLI_OK, or an exit status after a
 * message. */
int cli_request_take(cli_request *request, const char *name, const char *value, bool *known);

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
