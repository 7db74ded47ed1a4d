#include "api/api.h"
#include "cli/message.h"
#include "cli/options.h"
#include "cli/request.h"
#include "etinspect.h"

#include <string.h>

/* ==== cmd view ================================================================================ */
/* The commands that print one view of a profile. Each has the name of its view, except events: the
 * view of that name is the Inspector's table. */

/* Rejects options about a file that is not written. */
static int check_saving(const cli_request *request) {
    static const char *const names[] = {"key", "force"};
    const char *path = eti_request_get(request->request, "save");
    for (size_t i = 0; i < sizeof names / sizeof *names && !path; i++) {
        if (cli_has(request, names[i]))
            return cli_fail_usage("--%s has no effect without --save: leave it out", names[i]);
    }
    if (path && (*path == '\0' || strcmp(path, "-") == 0))
        return cli_fail_usage("--save: expected a path: FILE.npz, FILE.safetensors or a folder");
    return CLI_OK;
}

static int print_view(void *context) {
    cli_request *request = context;
    const char *view = request->command == &cli_events ? "event_list" : request->command->name;
    const char *const outputs[] = {cli_output_path(request),
                                   eti_request_get(request->request, "save")};
    eti_inspector *inspector = NULL;
    eti_file *reference = NULL;
    int exit_status = check_saving(request);
    if (exit_status == CLI_OK)
        exit_status = cli_reference_add(request, request->inputs.reference_path, &reference);
    if (exit_status == CLI_OK)
        exit_status = cli_request_open(request, &inspector, outputs, 2);
    if (exit_status == CLI_OK)
        exit_status = cli_reference_check(request);
    if (exit_status == CLI_OK)
        exit_status = cli_request_print(request, inspector, view);
    eti_inspector_close(inspector);
    eti_file_close(reference);
    return exit_status;
}

static int run_view(const cli_command *command, int argc, char **argv) {
    cli_request request = {.default_format = command == &cli_trace ? "chrome" : "text",
                           .shows_no_tensors = true};
    int exit_status =
        cli_request_run(command, &request, argc, argv, cli_request_take, print_view, &request);
    cli_request_close(&request);
    return exit_status;
}

#define RUNS "ETDUMP... [ETRECORD] [PROGRAM]"
#define RUNS_OR_PROGRAM "[ETDUMP]... [ETRECORD] [PROGRAM]"
#define PROGRAM "PROGRAM [ETRECORD]"
#define PROGRAM_AND_DATA "[PROGRAM] [DATA]... [ETRECORD]"
#define PROGRAM_AND_RUNS "PROGRAM [DATA]... [ETDUMP]... [ETRECORD]"

/* X(name, BIT, arguments, summary, example): one command each, in the order of the help. */
#define VIEW_COMMANDS(X)                                                                           \
    X(summary, SUMMARY, RUNS, "Show where the time of an inference goes, on one screen.",          \
      "etinspect summary run.etdp model.etrecord")                                                 \
    X(layers, LAYERS, RUNS, "List the layers of the model, the slowest first, with their lines.",  \
      "etinspect layers --top 5 run.etdp model.etrecord")                                          \
    X(events, EVENTS, RUNS, "List the events in order, with operators, modules and times.",        \
      "etinspect events run.etdp model.etrecord")                                                  \
    X(runs, RUNS, RUNS, "List the runs with their times, warm-up, trend and outliers.",            \
      "etinspect runs --events run.etdp")                                                          \
    X(alloc, ALLOC, RUNS, "List allocators and their allocations, in total and per run.",          \
      "etinspect alloc run.etdp")                                                                  \
    X(tensors, TENSORS, RUNS,                                                                      \
      "List the recorded tensors with statistics and the first NaN and Inf.",                      \
      "etinspect tensors --debug_buffer_path debug.bin run.etdp model.etrecord")                   \
    X(tree, TREE, RUNS, "Print the modules of the model as a tree, with their times.",             \
      "etinspect tree --depth 3 run.etdp model.etrecord")                                          \
    X(ops, OPS, RUNS_OR_PROGRAM,                                                                   \
      "List the operators: calls, time, and whether they are delegated.",                          \
      "etinspect ops --sort total:desc run.etdp model.etrecord")                                   \
    X(delegates, DELEGATES, RUNS_OR_PROGRAM,                                                       \
      "Show which operators are delegated, and which are not.",                                    \
      "etinspect delegates run.etdp model.etrecord model.pte")                                     \
    X(graph, GRAPH, RUNS_OR_PROGRAM, "Print the graph of a method, with the times of its nodes.",  \
      "etinspect graph --format dot run.etdp model.etrecord")                                      \
    X(trace, TRACE, RUNS, "Write a trace for Perfetto and other timeline viewers.",                \
      "etinspect trace -o run.pftrace run.etdp model.etrecord")                                    \
    X(source, SOURCE, RUNS, "Print the model's source lines with their times.",                    \
      "etinspect source --source_root src run.etdp model.etrecord")                                \
    X(program, PROGRAM, PROGRAM_AND_RUNS, "Show the methods, memory and sizes of a program.",      \
      "etinspect program model.pte")                                                               \
    X(memory, MEMORY, PROGRAM, "List the tensors in the planned memory of a program.",             \
      "etinspect memory --at 12 model.pte model.etrecord")                                         \
    X(size, SIZE, PROGRAM_AND_DATA, "List how many bytes each part of a program's files takes.",   \
      "etinspect size --group op model.pte weights.ptd")

/* NOLINTBEGIN(bugprone-macro-parentheses): texts and names cannot be in parentheses */
#define DEFINE_COMMAND(view, view_bit, takes, text, command_line)                                  \
    const cli_command cli_##view = {                                                               \
        .name = #view,                                                                             \
        .bit = ETI__FOR_##view_bit,                                                                \
        .arguments = (takes),                                                                      \
        .summary = text,                                                                           \
        .example = command_line,                                                                   \
        .run = run_view,                                                                           \
    };
/* NOLINTEND(bugprone-macro-parentheses) */
VIEW_COMMANDS(DEFINE_COMMAND)

/* ==== cmd report ============================================================================== */
/* etinspect report: one HTML page with everything known about the inputs. */

static const char details[] =
    "The page is a single self-contained file: it opens in any browser, offline, and can be\n"
    "attached to a mail or kept as a build artifact. Its numbers are those of the commands\n"
    "summary, runs, ops, tree, source, delegates, alloc, program and memory. Press ? in the\n"
    "page for its keys; an address such as page.html#op=12&run=3 opens it with that event and\n"
    "run selected. A program and its ETRecord without an ETDump give a page without times.";

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

static int run_report(const cli_command *command, int argc, char **argv) {
    cli_request request = {.default_format = "html", .shows_no_tensors = true};
    int exit_status =
        cli_request_run(command, &request, argc, argv, cli_request_take, write_page, &request);
    cli_request_close(&request);
    return exit_status;
}

const cli_command cli_report = {
    .name = "report",
    .purpose = CLI_LOOK,
    .bit = ETI__FOR_REPORT,
    .arguments = RUNS_OR_PROGRAM,
    .summary = "Write a profile as one HTML page to browse, search and share.",
    .example = "etinspect report run.etdp model.etrecord model.pte -o report.html",
    .details = details,
    .run = run_report,
};
