#include "cli/request.h"

#include "cli/message.h"
#include "cli/sandbox.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ==== request ================================================================================= */

/* ---- options --------------------------------------------------------------------------------- */

int cli_set(eti_request *request, const char *name, const char *value) {
    eti_error err = ETI_ERROR_INIT;
    return eti_request_set(request, name, value, &err) == ETI_OK ? CLI_OK : cli_fail(&err);
}

/* Prints the error of a value: for an expression with a caret below the wrong place, for other values with a reference to
 * help. */
static int fail_value(const eti__option *option, const char *value, const eti_error *err) {
    if (err->status == ETI_ERROR_USAGE && option->type != ETI_OPTION_RULE)
        return cli_fail_usage("%s", err->message);
    int exit_status = cli_fail(err);
    if (err->position > 0)
        cli_point_at(value, err->position - 1);
    return exit_status;
}

/* Warns about the old name of an option. */
static void warn_of_old_name(const eti__option *option) {
    if (strcmp(option->name, "detectable") == 0 || strcmp(option->name, "want") == 0)
        cli_warn("--%s is called --margin now: a pass says that nothing is slower by the limit and "
                 "this share more",
                 option->name);
}

int cli_request_take(void *context, const eti__option *option, const char *value) {
    cli_request *request = context;
    eti_error err = ETI_ERROR_INIT;
    if (!option)
        return cli_inputs_add_plain(&request->inputs, value);
    if (option->is_input)
        return cli_inputs_take(&request->inputs, option, value);
    if (eti__request_set(request->request, option, value, &err) != ETI_OK)
        return fail_value(option, value, &err);
    warn_of_old_name(option);
    return CLI_OK;
}

int cli_request_add_format(cli_request *request, const char *format) {
    const char **grown =
        realloc(request->other_formats, (request->n_other_formats + 1) * sizeof *grown);
    if (!grown)
        return cli_fail_memory();
    request->other_formats = grown;
    grown[request->n_other_formats++] = format;
    return CLI_OK;
}

/* Sets --error_status, wherever it stands, if an argument before it is wrong. */
static void find_error_status(const cli_request *request, int argc, char **argv) {
    static const char name[] = "--error_status";
    for (int i = 1; i < argc && !cli_has(request, name + 2); i++) {
        const char *value = argv[i] + strcspn(argv[i], "=");
        char spelled[sizeof name];
        snprintf(spelled, sizeof spelled, "%.*s", (int)(value - argv[i]), argv[i]);
        for (char *at = spelled; *at; at++) {
            if (at > spelled + 2 && *at == '-')
                *at = '_';
        }
        value = *value ? value + 1 : argv[i + 1];
        if (value && strcmp(spelled, name) == 0)
            (void)!eti_request_set(request->request, name + 2, value, NULL);
    }
}

/* Takes the exit statuses that the user gave. */
static void map_statuses(const cli_request *request) {
    static const struct {
        const char *option;
        int first, last;
    } maps[] = {
        {"failed_status", CLI_CHECK_FAILED, CLI_CHECK_FAILED},
        {"undecided_status", CLI_TOO_FEW, CLI_TOO_FEW},
        {"error_status", CLI_USAGE, CLI_MEMORY},
    };
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
        const char *value = eti_request_get(request->request, maps[i].option);
        if (value)
            cli_map_statuses(maps[i].first, maps[i].last, (int)strtol(value, NULL, 10));
    }
}

static int begin(cli_request *request, const cli_command *command) {
    eti_error err = ETI_ERROR_INIT;
    request->command = command;
    request->bit = command->bit;
    if (eti_request_new(&request->request, &err) != ETI_OK)
        return cli_fail(&err);
    eti_request_set_option_prefix(request->request, "--");
    return request->shows_no_tensors ? cli_set(request->request, "no_debug_data", "true") : CLI_OK;
}

int cli_request_run(const cli_command *command, cli_request *request, int argc, char **argv,
                    cli_take take, cli_act act, void *context) {
    int exit_status = begin(request, command);
    if (exit_status != CLI_OK)
        return exit_status;
    exit_status = cli_parse(command, argc, argv, take, context);
    request->is_format_given = cli_has(request, "format");
    if (exit_status != CLI_OK)
        find_error_status(request, argc, argv);
    map_statuses(request);
    if (exit_status != CLI_OK)
        return exit_status;
    const char *help = eti_request_get(request->request, "help");
    if (help)
        cli_print_help(command, strcmp(help, CLI_HELP_ALL) == 0, stdout);
    else if (cli_has(request, "version"))
        printf("etinspect %s\n", eti_version());
    else
        return act(context);
    return CLI_OK;
}

bool cli_has(const cli_request *request, const char *name) {
    return eti_request_get(request->request, name) != NULL;
}

const char *cli_output_path(const cli_request *request) {
    const char *path = eti_request_get(request->request, "output");
    if (request->output_path)
        path = request->output_path;
    return path ? path : "-";
}

const char *cli_format(const cli_request *request) {
    return eti_request_get(request->request, "format");
}

int cli_reports_take(cli_reports *reports, const char *value) {
    eti_error err = ETI_ERROR_INIT;
    eti__report_target *grown = realloc(reports->values, (reports->n + 1) * sizeof *grown);
    if (!grown)
        return cli_fail_memory();
    reports->values = grown;
    const char *before = eti__set_option_prefix("--");
    eti_status status = eti__report_target_parse(&grown[reports->n], value, &err);
    eti__set_option_prefix(before);
    reports->n += status == ETI_OK;
    return status == ETI_OK ? CLI_OK : cli_fail_usage("%s", err.message);
}

void cli_reports_free(cli_reports *reports) {
    for (size_t i = 0; i < reports->n; i++)
        free(reports->values[i].format);
    free(reports->values);
}

void cli_request_close(cli_request *request) {
    eti_request_free(request->request);
    eti_request_free(request->before);
    free(request->other_formats);
    cli_inputs_close(&request->inputs);
}

/* ---- opening --------------------------------------------------------------------------------- */

/* Returns whether a path is a file, not standard output: a sandbox cannot rename a complete file to its path. */
static bool is_file(const char *path) {
    return path && *path && strcmp(path, "-") != 0;
}

int cli_check_format(const cli_request *request, const char *format) {
    eti_error err = ETI_ERROR_INIT;
    if (!cli_has(request, "list_columns") &&
        eti__format_check(request->request, format, request->bit, &err) != ETI_OK)
        return cli_fail(&err);
    if (cli_has(request, "sandbox") && strcmp(format, "sqlite") == 0)
        return cli_fail_usage(
            "--sandbox: the format sqlite needs to load a library, which the sandbox forbids");
    return CLI_OK;
}

static int check_options(const cli_request *request, const char *const outputs[], size_t n) {
    if (*cli_output_path(request) == '\0')
        return cli_fail_usage("--output: the path is empty; - is standard output");
    for (size_t i = 0; i < n && cli_has(request, "sandbox"); i++) {
        if (is_file(outputs[i]))
            return cli_fail_usage("--sandbox: only standard output can be written: use > FILE, or "
                                  "write %s in another run",
                                  outputs[i]);
    }
    int exit_status = cli_check_format(request, cli_format(request));
    return exit_status == CLI_OK ? cli_check_unused(request) : exit_status;
}

void cli_print_note(eti_note_kind kind, const char *of, eti_text text) {
    const char *colon = *of ? ": " : "";
    if (kind == ETI_NOTE_WARNING)
        cli_warn("%s%s%.*s", of, colon, (int)text.size, text.data);
    else if (kind == ETI_NOTE_HINT)
        cli_hint("%s%s%.*s", of, colon, (int)text.size, text.data);
}

static void print_warnings(const eti_inspector *inspector) {
    for (size_t i = 0; i < eti_inspector_note_count(inspector); i++)
        cli_print_note(eti_inspector_note_kind(inspector, i), "",
                       eti_inspector_note_text(inspector, i));
    cli_warn_at_end("", eti__inspector_mismatch(inspector));
}

/* Adds the inputs with these of the files that were found beside the ETDump: an eti__add_function. */
static eti_status add_inputs(void *context, eti_request *tried, unsigned with, eti_error *err) {
    cli_inputs *inputs = context;
    if (inputs->lends_etrecord)
        inputs->has_etrecord = (with & ETI__WITH_ETRECORD) != 0;
    if (inputs->lends_program)
        inputs->n_programs = with & ETI__WITH_PROGRAM ? 1 : 0;
    return cli_inputs_add(inputs, inputs->etdumps, inputs->n_etdumps, tried, err);
}

static eti_status open_inputs(cli_request *request, eti_inspector **out, eti_error *err) {
    cli_inputs *inputs = &request->inputs;
    unsigned found = (inputs->lends_etrecord ? ETI__WITH_ETRECORD : 0U) |
                     (inputs->lends_program ? ETI__WITH_PROGRAM : 0U);
    if (found != 0) {
        eti_request *before = request->request;
        eti_status status =
            eti__companions_open(out, &request->request, found, add_inputs, inputs, err);
        request->before = request->request != before ? before : NULL;
        return status;
    }
    ETI_TRY(cli_inputs_add(inputs, inputs->etdumps, inputs->n_etdumps, request->request, err));
    return eti_inspector_open(out, request->request, err);
}

/* Commands that need the values of the graph. */
#define SHOW_VALUES (ETI__FOR_OPS | ETI__FOR_GRAPH | ETI__FOR_REPORT)

static int open_inspector(cli_request *request, eti_inspector **out) {
    const cli_inputs *inputs = &request->inputs;
    eti_error err = ETI_ERROR_INIT;
    bool keeps_ids = request->bit == ETI__FOR_INSPECT; /* as the Inspector does */
    /* Otherwise a program of another export would not be noticed. */
    bool skips_attribution =
        request->needs_no_attribution && inputs->n_programs == 0 && !cli_has(request, "strict");
    if ((!keeps_ids && eti_request_set(request->request, "merge_ids", "true", &err) != ETI_OK) ||
        (skips_attribution &&
         eti_request_set(request->request, "no_attribution", "true", &err) != ETI_OK))
        return cli_fail(&err);
    if (request->bit & SHOW_VALUES)
        eti__request_read_values(request->request);
    eti_status status = open_inputs(request, out, &err);
    cli_inputs_print_companions(&request->inputs);
    if (status != ETI_OK)
        return cli_fail(&err);
    print_warnings(*out);
    return CLI_OK;
}

static int choose_format(cli_request *request) {
    eti_error err = ETI_ERROR_INIT;
    const char *format;
    if (eti_format_choose(&format, request->request, cli_output_path(request),
                          request->default_format, &err) != ETI_OK)
        return cli_fail_usage("%s", err.message);
    return cli_has(request, "format") ? CLI_OK : cli_set(request->request, "format", format);
}

int cli_request_prepare(cli_request *request, const char *const outputs[], size_t n_outputs) {
    eti_request_set_progress(request->request, cli_progress_tell, NULL);
    cli_progress_start(cli_output_path(request));
    int exit_status = choose_format(request);
    return exit_status == CLI_OK ? check_options(request, outputs, n_outputs) : exit_status;
}

/* Returns whether the command has an answer for a program without an ETDump. */
static bool shows_programs(const cli_request *request) {
    return (request->bit & ETI__FOR_PROGRAMS) != 0 ||
           (request->bit == ETI__FOR_REPORT && request->inputs.has_etrecord);
}

#define TAKE_PROGRAM_STEMS                                                                         \
    (ETI__FOR_SUMMARY | ETI__FOR_LAYERS | ETI__FOR_EVENTS | ETI__FOR_TREE | ETI__FOR_SOURCE |      \
     ETI__FOR_RUNS | ETI__FOR_TRACE | ETI__FOR_REPORT | ETI__FOR_ALLOC | ETI__FOR_TENSORS)
#define TAKE_STEMS (TAKE_PROGRAM_STEMS | ETI__FOR_OPS | ETI__FOR_GRAPH | ETI__FOR_DELEGATES)

/* Returns whether the command has no answer without a program. */
static bool is_about_programs(const cli_request *request) {
    return (request->bit & (ETI__FOR_PROGRAM | ETI__FOR_MEMORY | ETI__FOR_SIZE)) != 0;
}

/* Returns whether the command has an answer for data files alone. */
static bool shows_data(const cli_request *request) {
    return request->bit == ETI__FOR_SIZE && request->inputs.n_data > 0;
}

/* Rejects files that would change nothing. */
static int check_files(const cli_request *request) {
    const cli_inputs *inputs = &request->inputs;
    const char *unused = NULL;
    bool takes_dumps = (request->bit & (ETI__FOR_MEMORY | ETI__FOR_SIZE)) == 0;
    bool takes_data = request->bit != ETI__FOR_MEMORY;
    if (!takes_dumps && inputs->n_etdumps > 0)
        unused = inputs->etdumps[0].path;
    else if (!takes_data && inputs->n_data > 0)
        unused = inputs->data[0].path;
    return unused ? cli_fail_usage("%s has no effect in %s: leave it out", unused,
                                   cli_message_command_name())
                  : CLI_OK;
}

int cli_request_open(cli_request *request, eti_inspector **out, const char *const outputs[],
                     size_t n_outputs) {
    *out = NULL;
    int exit_status = cli_request_prepare(request, outputs, n_outputs);
    request->inputs.takes_stems = (request->bit & TAKE_STEMS) != 0;
    request->inputs.takes_program_stems = (request->bit & TAKE_PROGRAM_STEMS) != 0;
    request->inputs.needs_no_times = request->bit == ETI__FOR_REPORT;
    request->inputs.expected = is_about_programs(request) ? ETI_FILE_PROGRAM : ETI_FILE_UNKNOWN;
    if (exit_status == CLI_OK)
        exit_status = cli_inputs_open(&request->inputs, false);
    if (exit_status != CLI_OK)
        return exit_status;
    if (request->inputs.n_programs == 0 && is_about_programs(request) && !shows_data(request))
        return cli_fail_without_program(&request->inputs);
    if (request->inputs.n_programs > 1 && request->bit != ETI__FOR_OPS)
        return cli_fail_second_program(&request->inputs);
    if (request->inputs.n_etdumps == 0 &&
        (request->inputs.n_programs == 0 || !shows_programs(request)) && !shows_data(request))
        return cli_fail_without_dump(&request->inputs);
    exit_status = check_files(request);
    if (exit_status == CLI_OK)
        exit_status = cli_inputs_check_outputs(&request->inputs, outputs, n_outputs);
    if (exit_status == CLI_OK && cli_has(request, "sandbox"))
        exit_status = cli_enter_sandbox();
    return exit_status == CLI_OK ? open_inspector(request, out) : exit_status;
}

/* ==== reference =============================================================================== */

static int open_file(const char *path, bool takes_dumps, eti_file **file, eti_source *out) {
    eti_error err = ETI_ERROR_INIT;
    if (eti_file_open(file, path, &err) != ETI_OK)
        return cli_fail(&err);
    *out = eti_file_source(*file);
    eti_file_kind of = eti__file_kind(*file);
    bool may_be = of == ETI_FILE_ETRECORD /* a ZIP, too */ || of == ETI_FILE_BUNDLED_PROGRAM ||
                  (takes_dumps && (of == ETI_FILE_ETDUMP || of == ETI_FILE_RUNNER_LOG));
    const char *kind = may_be ? NULL : cli_name_of_kind(of);
    bool is_dump = of == ETI_FILE_ETDUMP || of == ETI_FILE_RUNNER_LOG;
    if (kind)
        return cli_fail_usage(
            "--reference: %s is %s: expected tensors (.npz, .npy, .safetensors, .pt)%s%s", path,
            kind, takes_dumps ? ", an ETDump or a bundled program (.bpte)" : "",
            is_dump ? "; compare with an ETDump with etinspect numerics or etinspect diff" : "");
    return CLI_OK;
}

int cli_reference_open(const cli_request *request, const char *path, bool takes_dumps,
                       eti_file **file, eti_source *out) {
    *out = (eti_source){.path = path};
    if (*path == '\0')
        return cli_fail_usage("--reference: the path is empty");
    if (eti__is_folder(path) && cli_has(request, "sandbox"))
        return cli_fail_usage("--sandbox: %s is a folder, but no more files can be opened: put the "
                              "tensors into one file",
                              path);
    return eti__is_folder(path) ? CLI_OK : open_file(path, takes_dumps, file, out);
}

int cli_reference_add(const cli_request *request, const char *path, eti_file **file) {
    eti_error err = ETI_ERROR_INIT;
    eti_source source;
    if (!path)
        return CLI_OK;
    int exit_status = cli_reference_open(request, path, false, file, &source);
    if (exit_status != CLI_OK)
        return exit_status;
    return eti_request_add_input(request->request, "reference", &source, &err) == ETI_OK
               ? CLI_OK
               : cli_fail(&err);
}

int cli_reference_check(const cli_request *request) {
    bool has_own_run = request->bit == ETI__FOR_TENSORS;
    if (request->inputs.reference_path && !request->inputs.debug_buffer_path)
        return cli_fail_usage("--reference: the ETDump does not contain the recorded tensors: give "
                              "the debug buffer written with it (--debug_buffer_path)");
    if (!request->inputs.reference_path &&
        (cli_has(request, "match") || (cli_has(request, "run") && !has_own_run)))
        return cli_fail_usage("--%s has no effect without --reference: leave it out",
                              cli_has(request, "match") ? "match" : "run");
    return CLI_OK;
}
