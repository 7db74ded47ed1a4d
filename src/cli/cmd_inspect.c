/*
 * cmd_inspect.c - etinspect FILES: the Inspector's table, TSV or CSV of an ETDump.
 */
#include "cli/request.h"

#include <stdlib.h>
#include <string.h>

static const char details[] =
    "FILES are told apart by content: one or more ETDumps of the same program and at\n"
    "most one ETRecord; - is standard input. Options may be shortened to a unique\n"
    "prefix and written with hyphens.\n"
    "\n"
    "Other commands, such as summary, diff and check, are listed by etinspect help. See\n"
    "man etinspect.";

typedef struct inspect_arguments {
    cli_request request;
    const char **modules;
    size_t n_modules;
    const char *tsv_path, *csv_path; /* NULL: none */
} inspect_arguments;

static int add_module(inspect_arguments *arguments, const char *name) {
    const char **grown =
        realloc(arguments->modules, (arguments->n_modules + 1) * sizeof *arguments->modules);
    if (!grown)
        return cli_fail_memory();
    arguments->modules = grown;
    arguments->modules[arguments->n_modules++] = name;
    arguments->request.view.modules = arguments->modules;
    arguments->request.view.n_modules = arguments->n_modules;
    return CLI_OK;
}

static int take(void *context, const char *name, const char *value) {
    inspect_arguments *arguments = context;
    bool known;
    int exit_status = cli_request_take(&arguments->request, name, value, &known);
    if (known)
        return exit_status;
    if (strcmp(name, "module") == 0)
        return add_module(arguments, value);
    if (strcmp(name, "tsv_path") == 0)
        arguments->tsv_path = value;
    else if (strcmp(name, "csv_path") == 0)
        arguments->csv_path = value;
    else if (strcmp(name, "no_debug_data") == 0)
        arguments->request.options.no_debug_data = true;
    else
        return cli_fail_usage("--%s is not available: numeric comparison is not part of etinspect "
                              "yet",
                              name);
    return CLI_OK;
}

/* ---- output ---------------------------------------------------------------------------------- */

/* A total of 0 because nothing has that name looks like a fast module. */
static void warn_unknown_modules(const eti_inspector *inspector,
                                 const inspect_arguments *arguments) {
    for (size_t i = 0; i < arguments->n_modules; i++) {
        if (!eti_inspector_has_module(inspector, arguments->modules[i]))
            cli_warn("no event belongs to a module called %s%s", arguments->modules[i],
                     arguments->request.inputs.has_etrecord
                         ? ""
                         : ": modules are known only with the ETRecord");
    }
}

static const char *view_of(const inspect_arguments *arguments) {
    if (arguments->request.view.group)
        return "groups";
    return arguments->n_modules > 0 ? "modules" : "events";
}

/* An empty path is none. */
static bool is_path(const char *path) {
    return path && *path;
}

/* The events as a file, where there is a path. What selects groups or modules does not select events. */
static int write_file(const eti_inspector *inspector, const inspect_arguments *arguments,
                      const char *format, const char *path) {
    if (!is_path(path) || arguments->request.lists_columns)
        return CLI_OK;
    cli_request request = arguments->request;
    request.format = format;
    request.output_path = path;
    request.write.append = false;
    if (strcmp(view_of(arguments), "events") != 0)
        request.selection = (eti_selection){.columns = NULL};
    return cli_request_print(&request, inspector, "events");
}

static int inspect(inspect_arguments *arguments) {
    cli_request *request = &arguments->request;
    const char *const outputs[] = {request->output_path, arguments->tsv_path, arguments->csv_path};
    eti_inspector *inspector;
    if (request->view.group && arguments->n_modules > 0)
        return cli_fail_usage("--group and --module are two answers: ask for one");
    /* Groups are about times; events that are written besides are refused as always. */
    if (request->view.group && !is_path(arguments->tsv_path) && !is_path(arguments->csv_path))
        request->options.no_debug_data = true;
    int exit_status =
        cli_request_open(request, &inspector, outputs, sizeof outputs / sizeof *outputs);
    if (exit_status == CLI_OK) {
        warn_unknown_modules(inspector, arguments);
        exit_status = cli_request_print(request, inspector, view_of(arguments));
    }
    if (exit_status == CLI_OK)
        exit_status = write_file(inspector, arguments, "tsv", arguments->tsv_path);
    if (exit_status == CLI_OK)
        exit_status = write_file(inspector, arguments, "csv", arguments->csv_path);
    eti_inspector_close(inspector);
    return exit_status;
}

static int run(const cli_command *command, int argc, char **argv) {
    inspect_arguments arguments = {.request = CLI_REQUEST_DEFAULT};
    int exit_status = cli_parse(command, argc, argv, take, &arguments);
    if (!arguments.request.format) /* the events are the Inspector's table */
        arguments.request.format = arguments.request.view.group ? "text" : "table";
    if (exit_status == CLI_OK) {
        if (arguments.request.help)
            cli_print_help(command, stdout);
        else if (arguments.request.version)
            printf("etinspect %s\n", eti_version());
        else
            exit_status = inspect(&arguments);
    }
    free(arguments.modules);
    cli_request_close(&arguments.request);
    return exit_status;
}

const cli_command cli_inspect = {
    .name = NULL,
    .bit = ETI__FOR_INSPECT,
    .arguments = "ETDUMP... [ETRECORD]",
    .summary = "Print the events of an ExecuTorch profile, as the Python Inspector does.",
    .example = "etinspect --format csv run.etdp model.etrecord",
    .details = details,
    .run = run,
};
