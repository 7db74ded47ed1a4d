/*
 * cmd_record.c - etinspect record PROGRAM: runs a program once, writes its ETDump, and prints the report of summary.
 */
#include "api/api.h"
#include "cli/inputs.h"
#include "cli/main.h"
#include "cli/message.h"
#include "cli/options.h"
#include "cli/request.h"
#include "etinspect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char details[] =
    "The program is run by --runner, --python or --command; or else by the executor_runner of\n"
    "the variable ETINSPECT_RUNNER, the installed package executorch, for which a runner is\n"
    "compiled once, or executor_runner in PATH.\n"
    "The ETDump is written beside the program: model.etdp for model.pte. Then the report of\n"
    "summary follows, with the options of summary; model.etrecord beside the program is used.\n"
    "Exits with 3 if there is no runtime, or if it fails; then its last lines follow.";

typedef struct record_arguments {
    cli_request request;
    const char *program, *etrecord;
    const char *surplus; /* a third plain argument; NULL: none */
    cli_reports reports;
} record_arguments;

static int take(void *context, const eti__option *option, const char *value) {
    record_arguments *arguments = context;
    if (option && strcmp(option->name, "report") == 0)
        return cli_reports_take(&arguments->reports, value);
    if (option)
        return cli_request_take(&arguments->request, option, value);
    if (!arguments->program)
        arguments->program = value;
    else if (!arguments->etrecord)
        arguments->etrecord = value;
    else
        arguments->surplus = value;
    return CLI_OK;
}

static bool tell(void *context, const char *step, uint64_t done, uint64_t total) {
    return cli_progress_tell(context, step, done, total) && cli_postponed_signal() == 0;
}

static void print_notes(char *notes) {
    for (char *line = notes, *end; *line; line = end + 1) {
        end = strchr(line, '\n');
        if (!end)
            return;
        *end = '\0';
        cli_hint("%s", line);
    }
}

static int record_program(record_arguments *arguments, eti_recording_result *recorded) {
    eti_request *request = arguments->request.request;
    eti_error err = ETI_ERROR_INIT;
    cli_lines kept = {NULL, 0};
    int exit_status = CLI_OK;
    eti_request_set_progress(request, tell, NULL);
    cli_postpone_signals();
    eti_status status =
        eti__record_program(recorded, arguments->program, request, cli_lines_keep, &kept, &err);
    cli_handle_signals();
    eti_request_set_progress(request, cli_progress_tell, NULL);
    if (status != ETI_OK) {
        exit_status = cli_fail(&err);
        cli_lines_print(&kept);
    }
    free(kept.bytes);
    if (status == ETI_ERROR_CANCELLED)
        cli_end_at_postponed_signal();
    if (status != ETI_OK)
        return exit_status;
    print_notes(recorded->notes);
    cli_say("recorded %s: %s", recorded->path, recorded->summary);
    return CLI_OK;
}

/* Returns whether a format of --report is written for the reports of these commands. */
static bool is_format_of(const record_arguments *arguments, const char *format, unsigned commands) {
    return eti__format_check(arguments->request.request, format, commands, NULL) == ETI_OK;
}

static int write_report(const record_arguments *arguments, eti_inspector *inspector,
                        const eti__report_target *report) {
    const char *path = report->path, *format = report->format;
    eti_error err = ETI_ERROR_INIT;
    cli_request request = arguments->request;
    if (eti_request_copy(&request.request, arguments->request.request, &err) != ETI_OK)
        return cli_fail(&err);
    int exit_status = cli_set(request.request, "format", format);
    request.output_path = path;
    if (exit_status == CLI_OK && strcmp(format, "html") == 0) {
        if (eti_inspector_page_save(inspector, path, request.request, &err) != ETI_OK)
            exit_status = cli_fail(&err);
    } else if (exit_status == CLI_OK) {
        bool is_table = is_format_of(arguments, format, ETI__FOR_SUMMARY);
        exit_status = cli_request_print(&request, inspector, is_table ? "summary" : "trace");
    }
    eti_request_free(request.request);
    return exit_status;
}

/* Suggests what to look at: files that lie together by their stem, others by their names. */
static void suggest(const char *stem, const char *dump, const char *program) {
    size_t n = strlen(stem);
    if (strncmp(dump, stem, n) == 0 && strcmp(dump + n, ".etdp") == 0)
        cli_say("next: etinspect tree %s, etinspect report -o %s.html %s", stem, stem, stem);
    else
        cli_say("next: etinspect tree %s %s", dump, program);
}

static int print_summary(record_arguments *arguments, const eti_recording_result *recorded) {
    cli_request *request = &arguments->request;
    const char *const outputs[] = {cli_output_path(request)};
    eti_inspector *inspector = NULL;
    eti__companions beside;
    eti_error err = ETI_ERROR_INIT;
    if (eti__companions_beside(&beside, arguments->program, &err) != ETI_OK)
        return cli_fail(&err);
    request->inputs.etdump_path = recorded->path;
    request->inputs.program_path = arguments->program;
    if (!request->inputs.etrecord_path)
        request->inputs.etrecord_path = arguments->etrecord ? arguments->etrecord : beside.etrecord;
    int exit_status = cli_set(request->request, "method", NULL);
    if (exit_status == CLI_OK)
        exit_status = cli_request_open(request, &inspector, outputs, 1);
    for (size_t i = 0; exit_status == CLI_OK && i < arguments->reports.n; i++)
        exit_status = write_report(arguments, inspector, &arguments->reports.values[i]);
    if (exit_status == CLI_OK)
        exit_status = cli_request_print(request, inspector, "summary");
    if (exit_status == CLI_OK && cli_has_reader())
        suggest(beside.stem, recorded->path, arguments->program);
    eti_inspector_close(inspector);
    eti__companions_free(&beside);
    return exit_status;
}

static int check(const record_arguments *arguments) {
    if (!arguments->program)
        return cli_fail_usage("no program was given: name the .pte");
    if (arguments->surplus)
        return cli_fail_usage("%s: record takes one program and its ETRecord", arguments->surplus);
    if (cli_has(&arguments->request, "sandbox"))
        return cli_fail_usage("--sandbox: record starts programs, which the sandbox forbids");
    return CLI_OK;
}

/* Checks what would be known only after the run otherwise. */
static int check_outputs(const record_arguments *arguments) {
    const cli_request *request = &arguments->request;
    const char *etrecord = request->inputs.etrecord_path;
    eti_error err = ETI_ERROR_INIT;
    eti_status status = eti__record_check(
        request->request, arguments->program, etrecord ? etrecord : arguments->etrecord,
        cli_output_path(request), arguments->reports.values, arguments->reports.n, &err);
    if (status == ETI_ERROR_USAGE)
        return cli_fail_usage("%s", err.message);
    return status == ETI_OK ? CLI_OK : cli_fail(&err);
}

static int record(void *context) {
    record_arguments *arguments = context;
    eti_recording_result recorded = {.path = NULL};
    int exit_status = check(arguments);
    if (exit_status == CLI_OK)
        exit_status = check_outputs(arguments);
    if (exit_status == CLI_OK)
        exit_status = cli_request_prepare(&arguments->request, NULL, 0);
    if (exit_status == CLI_OK)
        exit_status = record_program(arguments, &recorded);
    if (exit_status == CLI_OK)
        exit_status = print_summary(arguments, &recorded);
    eti__recording_free(&recorded);
    return exit_status;
}

static int run(const cli_command *command, int argc, char **argv) {
    record_arguments arguments = {.request = {.default_format = "text", .shows_no_tensors = true}};
    int exit_status =
        cli_request_run(command, &arguments.request, argc, argv, take, record, &arguments);
    cli_reports_free(&arguments.reports);
    cli_request_close(&arguments.request);
    return exit_status;
}

const cli_command cli_record = {
    .name = "record",
    .bit = ETI__FOR_RECORD,
    .arguments = "PROGRAM [ETRECORD]",
    .summary = "Run a program (.pte) and show where its time goes.",
    .example = "etinspect record model.pte",
    .details = details,
    .run = run,
};
