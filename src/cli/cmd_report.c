/*
 * cmd_report.c - etinspect report: one HTML page with everything known about the inputs.
 */
#include "cli/reference.h"
#include "cli/progress.h"

#include <string.h>

static const char details[] =
    "The page is a single self-contained file: it opens in any browser, offline, and can be\n"
    "attached to a mail or kept as a build artifact. Its numbers are those of the commands\n"
    "summary, runs, ops, tree, source, delegates, alloc, program and memory. Press ? in the\n"
    "page for its keys; an address such as page.html#op=12&run=3 opens it with that event and\n"
    "run selected.";

/* Rejects a file whose suffix stands for another format. Opening the inputs rejects all other wrong suffixes. */
static int check_suffix(const cli_request *request) {
    const char *path = cli_output_path(request), *format;
    if (eti_format_choose(&format, request->request, path, "html", NULL) != ETI_OK ||
        strcmp(format, "html") == 0)
        return CLI_OK;
    return cli_fail_usage(
        "--output: %s has the suffix of %s, but report writes HTML: choose another file name", path,
        format);
}

static int write_page(void *context) {
    cli_request *request = context;
    const char *const outputs[] = {cli_output_path(request)};
    eti_inspector *inspector = NULL;
    eti_file *reference = NULL;
    eti_error err = ETI_ERROR_INIT;
    int exit_status = check_suffix(request);
    if (exit_status == CLI_OK)
        exit_status = cli_reference_add(request, request->inputs.reference_path, &reference);
    if (exit_status == CLI_OK)
        exit_status = cli_request_open(request, &inspector, outputs, 1);
    if (exit_status == CLI_OK)
        exit_status = cli_reference_check(request);
    if (exit_status == CLI_OK) {
        cli_progress_tell(NULL, "summing up", 0, 0);
        if (eti_inspector_page_save(inspector, outputs[0], request->request, &err) != ETI_OK)
            exit_status = cli_fail(&err);
        cli_progress_end();
    }
    eti_inspector_close(inspector);
    eti_file_close(reference);
    return exit_status;
}

static int run(const cli_command *command, int argc, char **argv) {
    cli_request request;
    int exit_status = cli_request_init(&request, "html");
    if (exit_status == CLI_OK) /* the views of tensors read them */
        exit_status = cli_set(request.request, "no_debug_data", "true");
    if (exit_status == CLI_OK)
        exit_status =
            cli_request_run(command, &request, argc, argv, cli_request_take, write_page, &request);
    cli_request_close(&request);
    return exit_status;
}

const cli_command cli_report = {
    .name = "report",
    .purpose = CLI_LOOK,
    .bit = ETI__FOR_REPORT,
    .arguments = "ETDUMP... [ETRECORD] [PROGRAM]",
    .summary = "Write a profile as one HTML page to browse, search and share.",
    .example = "etinspect report run.etdp model.etrecord model.pte -o report.html",
    .details = details,
    .run = run,
};
