/*
 * cmd_view.c - the commands that print one view of a profile: each is called like its view.
 */
#include "cli/request.h"

#define SHARED_GROUPS                                                                              \
    &cli_input_options, &cli_time_options, &cli_selection_options, &cli_output_options,            \
        &cli_common_options, NULL

static const cli_option_group *const groups[] = {SHARED_GROUPS};
static const cli_option_group *const tree_groups[] = {&cli_tree_options, SHARED_GROUPS};
static const cli_option_group *const source_groups[] = {&cli_source_options, SHARED_GROUPS};
static const cli_option_group *const graph_groups[] = {&cli_graph_options, SHARED_GROUPS};
static const cli_option_group *const summary_groups[] = {&cli_summary_options, SHARED_GROUPS};
static const cli_option_group *const runs_groups[] = {&cli_runs_options, SHARED_GROUPS};

static int take(void *context, const char *name, const char *value) {
    bool known;
    return cli_request_take(context, name, value, &known);
}

static int print_view(cli_request *request, const char *view) {
    const char *const outputs[] = {request->output_path};
    eti_inspector *inspector;
    int exit_status = cli_request_open(request, &inspector, outputs, 1);
    if (exit_status == CLI_OK)
        exit_status = cli_request_print(request, inspector, view);
    eti_inspector_close(inspector);
    return exit_status;
}

static int run(const cli_command *command, int argc, char **argv) {
    cli_request request = CLI_REQUEST_DEFAULT;
    request.format = "text";
    request.options.no_debug_data = true; /* no view shows any */
    int exit_status = cli_parse(command, argc, argv, take, &request);
    if (exit_status == CLI_OK) {
        if (request.help)
            cli_print_help(command, stdout);
        else if (request.version)
            printf("etinspect %s\n", eti_version());
        else
            exit_status = print_view(&request, command->name);
    }
    cli_request_close(&request);
    return exit_status;
}

/* X(name, options, summary, details): one command each, in the order of the help. */
#define VIEW_COMMANDS(X)                                                                           \
    X(summary, summary_groups, "Tell where the time of an inference goes, on one screen.", NULL)   \
    X(runs, runs_groups, "List the runs: their times, warm-up, trend and outliers.", NULL)         \
    X(alloc, groups, "List allocators and what they gave out, in all and in each run.", NULL)      \
    X(tree, tree_groups, "Print the modules of the model as a tree, with their times.", NULL)      \
    X(ops, groups, "List the operators of the model: how many, how long, delegated or not.", NULL) \
    X(graph, graph_groups, "Print the graph of a method, with the times of its nodes.", NULL)      \
    X(source, source_groups, "Print the model's source lines with their times.", NULL)

/* NOLINTBEGIN(bugprone-macro-parentheses): texts and names stand as they are */
#define DEFINE_COMMAND(view, options, text, paragraphs)                                            \
    const cli_command cli_##view = {                                                               \
        .name = #view,                                                                             \
        .arguments = "ETDUMP... [ETRECORD]",                                                       \
        .summary = text,                                                                           \
        .details = paragraphs,                                                                     \
        .groups = options,                                                                         \
        .run = run,                                                                                \
    };
/* NOLINTEND(bugprone-macro-parentheses) */
VIEW_COMMANDS(DEFINE_COMMAND)
