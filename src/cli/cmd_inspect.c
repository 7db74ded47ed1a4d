/*
 * cmd_inspect.c - etinspect FILES: the Inspector's table, TSV or CSV of an ETDump.
 */
#include "api/api.h"
#include "cli/message.h"
#include "cli/options.h"
#include "cli/request.h"
#include "etinspect.h"

#include <stdlib.h>
#include <string.h>

static const char details[] =
    "On a terminal, files without options show the slowest layers and what to do.\n"
    "\n"
    "FILES are recognized by content: one or more ETDumps of the same program and at\n"
    "most one ETRecord; - is standard input. Options may be shortened to a unique\n"
    "prefix and written with hyphens.\n"
    "\n"
    "etinspect help lists the other commands, such as summary, diff and check. See\n"
    "man etinspect.";

typedef struct inspect_arguments {
    cli_request request;
    const char **modules; /* modules of --module */
    size_t n_modules;
    bool compares_results;
    bool is_drop_in; /* an option asks for the Inspector's table */
} inspect_arguments;

/* Returns whether a path is set; an empty path counts as unset. */
static bool is_path(const char *path) {
    return path && *path;
}

static int keep_module(inspect_arguments *arguments, const char *name) {
    const char **grown =
        realloc(arguments->modules, (arguments->n_modules + 1) * sizeof *arguments->modules);
    if (!grown)
        return cli_fail_memory();
    arguments->modules = grown;
    arguments->modules[arguments->n_modules++] = name;
    return CLI_OK;
}

/* Returns whether an option only sets the look of text on a terminal. */
static bool is_of_screen(const eti__option *option) {
    static const char *const names[] = {"color", "width", "ascii", "no_pager"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(option->name, names[i]) == 0)
            return true;
    }
    return false;
}

static int take(void *context, const eti__option *option, const char *value) {
    inspect_arguments *arguments = context;
    int exit_status = CLI_OK;
    arguments->is_drop_in |= option && !is_of_screen(option);
    if (option && strcmp(option->name, "compare_results") == 0) {
        arguments->compares_results = true;
        return CLI_OK;
    }
    if (option && strcmp(option->name, "module") == 0)
        exit_status = keep_module(arguments, value);
    if (option && strcmp(option->name, "tsv_path") == 0 && is_path(value))
        exit_status = cli_request_add_format(&arguments->request, "tsv");
    if (option && strcmp(option->name, "csv_path") == 0 && is_path(value))
        exit_status = cli_request_add_format(&arguments->request, "csv");
    return exit_status == CLI_OK ? cli_request_take(&arguments->request, option, value)
                                 : exit_status;
}

/* ---- output ---------------------------------------------------------------------------------- */

/* Returns the module whose key serves as an example: the innermost one of an Event, if possible one with this path. */
static const eti_module *example_of_module(const eti_event *event, const char *path,
                                           const eti_module *before) {
    const size_t n = strlen(path);
    for (size_t i = 0; i < eti_event_op_node_count(event); i++) {
        const eti_op_node *node = eti_event_op_node(event, i);
        for (size_t k = eti_op_node_module_count(node); k-- > 0;) {
            const eti_module *module = eti_op_node_module(node, k);
            eti_text own = eti_module_path(module);
            if (own.size == n && memcmp(own.data, path, n) == 0)
                return module;
            before = before ? before : module;
        }
    }
    return before;
}

static const eti_module *find_example(const eti_inspector *inspector, const char *path) {
    const eti_module *example = NULL;
    for (size_t b = 0; b < eti_inspector_block_count(inspector); b++) {
        const eti_event_block *block = eti_inspector_block(inspector, b);
        for (size_t i = 0; i < eti_event_block_event_count(block); i++)
            example = example_of_module(eti_event_block_event(block, i), path, example);
    }
    return example;
}

/* Warns about modules that no Event belongs to: a total of 0 would look like a fast module. */
static void warn_unknown_modules(const eti_inspector *inspector,
                                 const inspect_arguments *arguments) {
    for (size_t i = 0; i < arguments->n_modules; i++) {
        const char *name = arguments->modules[i];
        if (eti_inspector_has_module(inspector, name))
            continue;
        const eti_module *example = find_example(inspector, name);
        if (!arguments->request.inputs.has_etrecord) {
            cli_warn("no event belongs to a module called %s: modules are known only with the "
                     "ETRecord",
                     name);
        } else if (!example) {
            cli_warn("no event belongs to a module called %s", name);
        } else {
            eti_text key = eti_module_key(example), path = eti_module_path(example);
            if (path.size == 0)
                path = eti_module_type(example);
            cli_warn("no event belongs to a module called %s: the names are searched in keys, such "
                     "as %.*s of module %.*s",
                     name, (int)key.size, key.data, (int)path.size, path.data);
        }
    }
}

static const char *view_of(const inspect_arguments *arguments) {
    if (cli_has(&arguments->request, "group"))
        return "groups";
    return arguments->n_modules > 0 ? "modules" : "events";
}

/* Rejects selections of events together with groups or modules, whose options do not select
 * events. */
static int ask_for_events(cli_request *request, bool is_selected, const char *format,
                          const char *path) {
    static const char *const selections[] = {"table", "columns", "filter", "sort", "top"};
    int exit_status = cli_set(request->request, "format", format);
    if (exit_status == CLI_OK)
        exit_status = cli_set(request->request, "append", "false");
    for (size_t i = 0; !is_selected && exit_status == CLI_OK && i < 5; i++)
        exit_status = cli_set(request->request, selections[i], NULL);
    request->output_path = path;
    return exit_status;
}

/* Writes the events to a file if there is a path. */
static int write_file(const eti_inspector *inspector, const inspect_arguments *arguments,
                      const char *format, const char *path) {
    eti_error err = ETI_ERROR_INIT;
    cli_request request = arguments->request;
    bool is_selected = strcmp(view_of(arguments), "events") == 0;
    if (!is_path(path) || cli_has(&request, "list_columns"))
        return CLI_OK;
    if (eti_request_copy(&request.request, arguments->request.request, &err) != ETI_OK)
        return cli_fail(&err);
    int exit_status = ask_for_events(&request, is_selected, format, path);
    if (exit_status == CLI_OK)
        exit_status = cli_request_print(&request, inspector, "events");
    eti_request_free(request.request);
    return exit_status;
}

/* Rejects options of a list of events if no events are listed. */
static int check_events(const inspect_arguments *arguments) {
    static const char *const names[] = {"samples", "include_delegate_debug_data",
                                        "delegate_metadata"};
    const cli_request *request = &arguments->request;
    bool lists_events = strcmp(view_of(arguments), "events") == 0 || request->n_other_formats > 0;
    for (size_t i = 0; i < sizeof names / sizeof *names && !lists_events; i++) {
        if (cli_has(request, names[i]))
            return cli_fail_usage(
                "--%s applies to events and has no effect with --%s: leave one of them out",
                names[i], arguments->n_modules > 0 ? "module" : "group");
    }
    return CLI_OK;
}

/* Returns whether only columns of the Inspector are printed: nodes of delegates and methods are then not needed. */
static bool shows_only_the_inspectors(const inspect_arguments *arguments) {
    static const char *const forms[] = {"table", "tsv", "csv"};
    static const char *const selections[] = {"columns", "list_columns", "filter", "sort"};
    const cli_request *request = &arguments->request;
    const char *format;
    if (strcmp(view_of(arguments), "events") != 0 ||
        eti_format_choose(&format, request->request, cli_output_path(request),
                          request->default_format, NULL) != ETI_OK)
        return false;
    for (size_t i = 0; i < sizeof selections / sizeof *selections; i++) {
        if (cli_has(request, selections[i]))
            return false;
    }
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (strcmp(format, forms[i]) == 0)
            return true;
    }
    return false;
}

/* ---- outputs and reference outputs ------------------------------------------------------------ */

typedef struct results_text {
    char *data; /* NULL: nothing was compared */
    size_t size;
    bool is_out_of_memory;
} results_text;

static bool keep_text(void *context, const void *data, size_t size) {
    results_text *text = context;
    char *grown = realloc(text->data, text->size + size + 1);
    text->is_out_of_memory = !grown;
    if (!grown)
        return false;
    memcpy(grown + text->size, data, size);
    text->data = grown;
    text->size += size;
    return true;
}

/* Compares before anything is printed, so that a failure prints nothing. */
static int compare_results(results_text *text, const inspect_arguments *arguments,
                           eti_inspector *inspector) {
    eti_error err = ETI_ERROR_INIT;
    if (!arguments->compares_results)
        return CLI_OK;
    eti_status status =
        eti_inspector_compare_results(inspector, arguments->request.request, keep_text, text, &err);
    if (text->is_out_of_memory)
        return cli_fail_memory();
    return status == ETI_OK ? CLI_OK : cli_fail(&err);
}

/* Rejects formats for programs, which the text cannot follow. */
static int check_text(const inspect_arguments *arguments) {
    const cli_request *request = &arguments->request;
    const char *format;
    if (!arguments->compares_results || strcmp(cli_output_path(request), "-") != 0 ||
        eti_format_choose(&format, request->request, "-", request->default_format, NULL) != ETI_OK)
        return CLI_OK;
    if (strcmp(format, "table") == 0 || strcmp(format, "text") == 0)
        return CLI_OK;
    return cli_fail_usage(
        "--compare_results prints text, which cannot follow %s: write that to a file (--output)",
        format);
}

/* ---- answer ----------------------------------------------------------------------------------- */

/* Returns whether the slowest layers are shown instead of the Inspector's table: to a person who gave only files. */
static bool answers(const inspect_arguments *arguments) {
    return !arguments->is_drop_in && cli_has_reader() && !getenv("ETINSPECT_TABLE");
}

static int print_answer(cli_request *request) {
    const char *const outputs[] = {cli_output_path(request)};
    eti_inspector *inspector = NULL;
    int exit_status = cli_set(request->request, "no_debug_data", "true");
    if (exit_status == CLI_OK)
        exit_status = cli_set(request->request, "merge_ids", "true");
    if (exit_status == CLI_OK)
        exit_status = cli_request_open(request, &inspector, outputs, 1);
    if (exit_status == CLI_OK)
        exit_status = cli_request_print(request, inspector, "answer");
    eti_inspector_close(inspector);
    return exit_status;
}

/* ---- all -------------------------------------------------------------------------------------- */

static int inspect(void *context) {
    inspect_arguments *arguments = context;
    cli_request *request = &arguments->request;
    const char *tsv_path = eti_request_get(request->request, "tsv_path");
    const char *csv_path = eti_request_get(request->request, "csv_path");
    const char *const outputs[] = {cli_output_path(request), tsv_path, csv_path};
    bool is_grouped = cli_has(request, "group");
    eti_inspector *inspector = NULL;
    results_text text = {NULL, 0, false};
    int exit_status = CLI_OK;
    if (answers(arguments)) {
        request->default_format = "text";
        return print_answer(request);
    }
    if (is_grouped) /* the format "table" is for events only */
        request->default_format = "text";
    if (is_grouped && arguments->n_modules > 0)
        return cli_fail_usage("--group and --module cannot be combined: choose one");
    exit_status = check_events(arguments);
    if (exit_status == CLI_OK)
        exit_status = check_text(arguments);
    /* Groups need only times; if events are written as well, invalid debug data are rejected as usual. */
    if (exit_status == CLI_OK && is_grouped && request->n_other_formats == 0 &&
        !arguments->compares_results)
        exit_status = cli_set(request->request, "no_debug_data", "true");
    if (exit_status == CLI_OK && is_grouped && request->n_other_formats == 0)
        exit_status = cli_set(request->request, "merge_ids", "true");
    request->needs_no_attribution = exit_status == CLI_OK && shows_only_the_inspectors(arguments);
    if (exit_status == CLI_OK)
        exit_status =
            cli_request_open(request, &inspector, outputs, sizeof outputs / sizeof *outputs);
    if (exit_status == CLI_OK)
        exit_status = compare_results(&text, arguments, inspector);
    if (exit_status == CLI_OK) {
        warn_unknown_modules(inspector, arguments);
        exit_status = cli_request_print(request, inspector, view_of(arguments));
    }
    if (exit_status == CLI_OK)
        exit_status = write_file(inspector, arguments, "tsv", tsv_path);
    if (exit_status == CLI_OK)
        exit_status = write_file(inspector, arguments, "csv", csv_path);
    if (exit_status == CLI_OK && text.size > 0)
        (void)fwrite(text.data, 1, text.size, stdout); /* finish() checks for errors */
    free(text.data);
    eti_inspector_close(inspector);
    return exit_status;
}

static int run(const cli_command *command, int argc, char **argv) {
    inspect_arguments arguments = {.request.default_format = "table"};
    int exit_status =
        cli_request_run(command, &arguments.request, argc, argv, take, inspect, &arguments);
    free(arguments.modules);
    cli_request_close(&arguments.request);
    return exit_status;
}

const cli_command cli_inspect = {
    .name = NULL,
    .bit = ETI__FOR_INSPECT,
    .arguments = "ETDUMP... [ETRECORD] [PROGRAM]",
    .summary = "Print the events of an ExecuTorch profile, as the Python Inspector does.",
    .example = "etinspect --format csv run.etdp model.etrecord",
    .details = details,
    .run = run,
};
