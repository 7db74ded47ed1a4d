/*
 * cmd_measure.c - etinspect measure --base COMMAND --new COMMAND: runs both in turns and compares their processes.
 */
#include "api/api.h"
#include "cli/gate_files.h"
#include "cli/inputs.h"
#include "cli/main.h"
#include "cli/message.h"
#include "cli/options.h"
#include "cli/request.h"
#include "etinspect.h"

#include <stdlib.h>
#include <string.h>

static const char details[] =
    "Each command writes one ETDump, with at least 20 runs after warm-up, to the path that\n"
    "replaces {}. The two commands run in turns: of each two pairs, one begins with the base and\n"
    "one with the new side. After 8, 12 and 20 pairs the rules are judged, and measuring stops\n"
    "once they are decided. gate of the dumps says the same. With --new alone, the processes\n"
    "are recorded and their noise is printed.\n"
    "\n"
    "Programs (.pte) are recorded as etinspect record does, and their outputs compared.\n"
    "Commands are split into words as by a shell, with quotes and backslashes, but nothing is\n"
    "expanded and no shell runs unless --shell is given.\n"
    "\n"
    "Ctrl-C stops measuring and judges the complete pairs; a second Ctrl-C exits at once.\n"
    "\n"
    "Exits as gate does: with 0 if nothing is slower, with 1 if something is, and with 6 if\n"
    "there is not enough data to decide; with 3 if a command fails. --failed_status,\n"
    "--undecided_status and --error_status give other statuses.";

typedef struct measure_arguments {
    cli_request request;
    cli_gate_files files;
    const char *plain; /* the first argument that is not an option; NULL: all are options */
} measure_arguments;

/* Takes a file that the library opens and that no output may replace. */
static int take_base_file(cli_request *request, const eti__option *option, const char *path) {
    eti_error err = ETI_ERROR_INIT;
    if (eti__request_set(request->request, option, path, &err) != ETI_OK)
        return cli_fail(&err);
    return cli_inputs_add_plain(&request->inputs, path);
}

static int take(void *context, const eti__option *option, const char *value) {
    measure_arguments *arguments = context;
    if (!option) {
        arguments->plain = arguments->plain ? arguments->plain : value;
        return CLI_OK;
    }
    if (cli_gate_files_takes(option))
        return cli_gate_files_take(&arguments->files, &arguments->request, option, value);
    if (strcmp(option->name, "base_etrecord_path") == 0 ||
        strcmp(option->name, "base_program_path") == 0)
        return take_base_file(&arguments->request, option, value);
    return cli_request_take(&arguments->request, option, value);
}

/* Rejects options of a comparison if nothing is compared. */
static int check_pairs(const measure_arguments *arguments) {
    const cli_request *request = &arguments->request;
    static const char *const names[] = {"base_etrecord_path",
                                        "base_program_path",
                                        "margin",
                                        "want",
                                        "beta",
                                        "seed",
                                        "failed_status",
                                        "undecided_status",
                                        "github",
                                        "report",
                                        "output_tolerance"};
    for (size_t i = 0; i < sizeof names / sizeof *names && !cli_has(request, "base"); i++) {
        bool is_given = strcmp(names[i], "report") == 0 ? arguments->files.reports.n > 0
                                                        : cli_has(request, names[i]);
        if (is_given)
            return cli_fail_usage("--%s has no effect when only one program is measured: leave it "
                                  "out, or name the other program with --base COMMAND",
                                  names[i]);
    }
    return CLI_OK;
}

static int check_options(const measure_arguments *arguments) {
    if (arguments->plain)
        return cli_fail_usage("measure takes commands, not files: give --base COMMAND and --new "
                              "COMMAND instead of '%s'",
                              arguments->plain);
    return check_pairs(arguments);
}

/* Opens the record and the files of the gate. */
static int open_inputs(measure_arguments *arguments) {
    cli_request *request = &arguments->request;
    cli_gate_files *files = &arguments->files;
    eti_error err = ETI_ERROR_INIT;
    int exit_status = check_options(arguments);
    if (exit_status == CLI_OK)
        exit_status = cli_gate_files_open(files, request);
    if (exit_status == CLI_OK &&
        eti__measure_check(request->request, files->outputs, files->n_outputs, &err) != ETI_OK)
        exit_status = cli_fail_usage("%s", err.message);
    if (exit_status == CLI_OK)
        exit_status = cli_request_prepare(request, files->outputs, files->n_outputs);
    request->inputs.n_plain = 0; /* budgets, exceptions and a record, which are opened elsewhere */
    if (exit_status == CLI_OK)
        exit_status = cli_inputs_open(&request->inputs, false);
    if (exit_status == CLI_OK &&
        cli_inputs_add(&request->inputs, NULL, 0, request->request, &err) != ETI_OK)
        exit_status = cli_fail(&err);
    return exit_status;
}

/* ---- measuring ------------------------------------------------------------------------------- */

/* Shows the progress: an eti_progress_function. The text of the step contains the numbers. */
static bool tell(void *context, const char *step, uint64_t done, uint64_t total) {
    (void)done;
    (void)total;
    return cli_progress_tell(context, step, 0, 0) && cli_postponed_signal() == 0;
}

static int fail_measuring(const eti_error *err, cli_lines *kept) {
    int exit_status = cli_fail(err);
    cli_lines_print(kept);
    if (err->status == ETI_ERROR_CANCELLED)
        cli_end_at_postponed_signal();
    return exit_status;
}

static int print(measure_arguments *arguments, eti_report *report, eti_gate_outcome outcome) {
    cli_request *request = &arguments->request;
    cli_warn_at_end("", eti__report_mismatch(report));
    return cli_gate_files_write(&arguments->files, request, report, outcome);
}

static int measure(void *context) {
    measure_arguments *arguments = context;
    eti_report *report = NULL;
    eti_gate_outcome outcome;
    eti_error err = ETI_ERROR_INIT;
    cli_lines kept = {NULL, 0};
    int exit_status = open_inputs(arguments);
    if (exit_status != CLI_OK)
        return exit_status;
    eti_request_set_progress(arguments->request.request, tell, NULL);
    cli_postpone_signals();
    eti_status status =
        eti_measure(&report, &outcome, arguments->request.request, cli_lines_keep, &kept, &err);
    cli_handle_signals();
    eti_request_set_progress(arguments->request.request, cli_progress_tell, NULL);
    if (report) /* of the complete pairs, if a later pair failed */
        exit_status = print(arguments, report, outcome);
    if (status != ETI_OK)
        exit_status = fail_measuring(&err, &kept);
    free(kept.bytes);
    return exit_status;
}

static int run(const cli_command *command, int argc, char **argv) {
    measure_arguments arguments = {.request.default_format = "text", .files = CLI_GATE_FILES_INIT};
    int exit_status =
        cli_request_run(command, &arguments.request, argc, argv, take, measure, &arguments);
    cli_gate_files_close(&arguments.files);
    cli_request_close(&arguments.request);
    return exit_status;
}

const cli_command cli_measure = {
    .name = "measure",
    .purpose = CLI_JUDGE,
    .bit = ETI__FOR_MEASURE,
    .arguments = "[--base COMMAND|PROGRAM] --new COMMAND|PROGRAM",
    .summary = "Run two programs in turns to see whether the new one is slower.",
    .example = "etinspect measure --base './old --etdump {}' --new './new --etdump {}'",
    .details = details,
    .run = run,
};
