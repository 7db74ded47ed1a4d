/*
 * request.h - declarations shared by all commands that print a report: their options name the inputs, set the time scales,
 * select rows and columns, and choose the form of the output.
 */
#ifndef ETI_CLI_REQUEST_H
#define ETI_CLI_REQUEST_H

#include "api/api.h"
#include "cli/inputs.h"
#include "cli/options.h"
#include "etinspect.h"

/* ==== request ================================================================================= */

/* Collects the arguments as they are parsed. */
typedef struct cli_request {
    eti_request *request;
    eti_request
        *before; /* the request that a copy replaced: values of it are still in use; NULL: none */
    cli_inputs inputs;
    const char *output_path; /* in place of that of the option; NULL: none */
    /* applies if neither --format nor the suffix of --output gives a format; NULL: the command prints no report, or sets the
     * format later */
    const char *default_format;
    bool shows_no_tensors; /* or reads them itself */
    bool is_format_given;
    bool is_selected;          /* rows and columns have been chosen */
    bool needs_no_attribution; /* the output has nothing that comes from it */
    const cli_command *command;
    unsigned bit;               /* of the command, or of its subcommand: ETI__FOR_BASELINE_SAVE */
    const char **other_formats; /* of files written besides the output */
    size_t n_other_formats;
} cli_request;

/* Takes an argument: a cli_take whose context is a cli_request. */
int cli_request_take(void *request, const eti__option *option, const char *value);

/* Starts a request, of which the command may have set its defaults, parses the arguments, and prints help or the version if
 * requested, or else runs the command. The caller closes the request. Returns the exit status. */
int cli_request_run(const cli_command *command, cli_request *request, int argc, char **argv,
                    cli_take take, cli_act act, void *context);

/* Reports that are written besides the output. */
typedef struct cli_reports {
    eti__report_target *values;
    size_t n;
} cli_reports;

/* Adds the report of a value of --report. Returns CLI_OK, or an exit status after a message. */
int cli_reports_take(cli_reports *reports, const char *value);
void cli_reports_free(cli_reports *reports);

/* Records a format that is written besides the output. Returns CLI_OK, or an exit status after a message. */
int cli_request_add_format(cli_request *request, const char *format);
/* Checks that every given option has an effect: the subcommand takes it, and a written format depends on it; in options.c.
 * Returns CLI_OK, or an exit status after a message. */
int cli_check_unused(const cli_request *request);

/* Returns whether the option was given. */
bool cli_has(const cli_request *request, const char *name);
/* Sets an option of the library; NULL resets it to its default. Returns CLI_OK, or an exit status after a message. */
int cli_set(eti_request *request, const char *name, const char *value);
const char *cli_output_path(const cli_request *request);
/* Returns the format of the output; call it after cli_request_prepare(). */
const char *cli_format(const cli_request *request);

/* Opens the inputs and the inspector, and then enters the sandbox if that was requested. `outputs` are further files that
 * will be written, as in cli_inputs_check_outputs(). Returns CLI_OK, or an exit status after a message. */
int cli_request_open(cli_request *request, eti_inspector **out, const char *const outputs[],
                     size_t n_outputs);

/* Prints the selected rows and columns of the view. Returns CLI_OK, or an exit status after a message. */
int cli_request_print(const cli_request *request, const eti_inspector *inspector, const char *view);

/* Perform the steps of the functions above, for commands with other inputs: check the options, print a note of an inspector
 * unless it is only information, print and free the report. `of` precedes the note; "": nothing. */
int cli_request_prepare(cli_request *request, const char *const outputs[], size_t n_outputs);
/* Checks that the format can be written, in a sandbox if one was requested. Returns CLI_OK, or an exit status after a
 * message. */
int cli_check_format(const cli_request *request, const char *format);
void cli_print_note(eti_note_kind kind, const char *of, eti_text text);
int cli_request_print_report(const cli_request *request, eti_report *report);

void cli_request_close(cli_request *request);

/* ==== reference =============================================================================== */
/* The value of --reference: a file or a folder of tensors, or a bundled program. */

/* Opens the file at `path`; the library opens folders. With `takes_dumps` an ETDump is a reference, too. The caller closes
 * the file. Returns CLI_OK, or an exit status after a message. */
int cli_reference_open(const cli_request *request, const char *path, bool takes_dumps,
                       eti_file **file, eti_source *out);

/* Rejects options of a reference if there is none, and a reference if there are no recorded tensors. Call it once the inputs
 * are open. Returns CLI_OK, or an exit status after a message. */
int cli_reference_check(const cli_request *request);

/* Opens the file at `path`, if it is not NULL, and adds it to the request. The caller closes the file. Returns CLI_OK, or an
 * exit status after a message. */
int cli_reference_add(const cli_request *request, const char *path, eti_file **file);

#endif
