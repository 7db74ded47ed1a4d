#include "cli/inputs.h"

#include "cli/main.h"
#include "cli/message.h"
#include "cli/options.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define N_OPTIONS 7    /* that name an input */
#define N_COMPANIONS 3 /* files for which one argument may stand */

/* Keeps one plain argument. */
static int add_argument(cli_inputs *inputs, const char *path) {
    const char **grown = realloc(inputs->plain, (inputs->n_plain + 1) * sizeof *grown);
    if (!grown)
        return cli_fail_memory();
    inputs->plain = grown;
    inputs->plain[inputs->n_plain++] = path;
    return CLI_OK;
}

int cli_inputs_add_plain(cli_inputs *inputs, const char *path) {
    char **paths, **all;
    size_t n;
    int status = CLI_OK;
    if (eti__session_find(&paths, &n, path, NULL) != ETI_OK)
        return cli_fail_memory();
    if (n == 0)
        return add_argument(inputs, path);
    all = realloc(inputs->found, (inputs->n_found + n) * sizeof *all);
    if (all)
        inputs->found = all;
    for (size_t i = 0; i < n; i++) {
        if (!all)
            free(paths[i]);
        else
            inputs->found[inputs->n_found++] = paths[i];
    }
    for (size_t i = 0; i < n && all && status == CLI_OK; i++)
        status = add_argument(inputs, paths[i]);
    free(paths);
    return all ? status : cli_fail_memory();
}

int cli_inputs_take(cli_inputs *inputs, const eti__option *option, const char *path) {
    if (strcmp(option->name, "etdump_path") == 0)
        inputs->etdump_path = path;
    else if (strcmp(option->name, "etrecord_path") == 0)
        inputs->etrecord_path = path;
    else if (strcmp(option->name, "program_path") == 0)
        inputs->program_path = path;
    else if (strcmp(option->name, "debug_buffer_path") == 0)
        inputs->debug_buffer_path = path;
    else if (strcmp(option->name, "available") == 0)
        inputs->available_path = path;
    else if (strcmp(option->name, "run_methods_from") == 0)
        inputs->run_methods_path = path;
    else if (strcmp(option->name, "reference") == 0)
        inputs->reference_path = path;
    else
        return cli_inputs_add_plain(inputs, path);
    return CLI_OK;
}

/* Allocates room for every file that was named. */
static bool reserve(cli_inputs *inputs) {
    size_t n = N_OPTIONS + N_COMPANIONS * inputs->n_plain;
    inputs->companions = calloc(inputs->n_plain + 1, sizeof *inputs->companions);
    inputs->files = calloc(n, sizeof *inputs->files);
    inputs->etdumps = calloc(n, sizeof *inputs->etdumps);
    inputs->programs = calloc(n, sizeof *inputs->programs);
    inputs->data = calloc(n, sizeof *inputs->data);
    return inputs->companions && inputs->files && inputs->etdumps && inputs->programs &&
           inputs->data;
}

/* Returns whether a path may be a mistyped command: it has only letters, and there is no such file. */
static bool may_be_a_command(const char *path) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    return *path && path[strspn(path, letters)] == '\0' && access(path, F_OK) != 0;
}

/* Opens an input. Debug buffers and lists of operators cannot be recognized by their content. */
static eti_status open_path(const cli_inputs *inputs, const char *path, eti_file_kind expected,
                            eti_file **out, eti_error *err) {
    const char *expected_text = "the debug buffer written with the ETDump";
    bool is_any = path == inputs->debug_buffer_path || path == inputs->available_path ||
                  path == inputs->run_methods_path;
    if (!is_any)
        return eti_file_open_as(out, path, expected, err);
    eti_status status = eti_file_open(out, path, err);
    if (status != ETI_OK)
        return status;
    if (path == inputs->available_path)
        expected_text = "a list of operators";
    else if (path == inputs->run_methods_path)
        expected_text = "a list of methods, one per line";
    status = eti__file_check_zip(*out, expected_text, err);
    if (status != ETI_OK)
        eti_file_close(*out);
    return status;
}

/* Opens an input and keeps it. Sets `*kind` if it is opened; NULL: the caller needs no kind. */
static int open_file(cli_inputs *inputs, const char *path, eti_file_kind expected, eti_source *out,
                     eti_file_kind *kind) {
    eti_error err = {.status = ETI_ERROR_READ, .message = "the path of an input is empty"};
    eti_file *file = NULL;
    *out = (eti_source){0};
    if (*path == '\0' || open_path(inputs, path, expected, &file, &err) != ETI_OK) {
        size_t used = strlen(err.message);
        bool is_misspelt = !cli_message_command_name() && may_be_a_command(path);
        const cli_command *nearest = is_misspelt ? cli_command_near(path) : NULL;
        if (nearest)
            snprintf(err.message + used, sizeof err.message - used,
                     "; did you mean the command %s?", nearest->name);
        else if (is_misspelt)
            snprintf(err.message + used, sizeof err.message - used,
                     "; etinspect help lists the commands");
        else if (inputs->runnable)
            snprintf(err.message + used, sizeof err.message - used,
                     "; or run it: etinspect record %s", inputs->runnable);
        return cli_fail(&err);
    }
    inputs->files[inputs->n_files++] = file;
    *out = eti_file_source(file);
    if (kind)
        *kind = eti__file_kind(file);
    return CLI_OK;
}

const char *cli_name_of_kind(eti_file_kind kind) {
    switch (kind) {
    case ETI_FILE_ETDUMP:
        return "an ETDump";
    case ETI_FILE_ETRECORD:
        return "an ETRecord";
    case ETI_FILE_BASELINE:
        return "a baseline";
    case ETI_FILE_PROGRAM:
    case ETI_FILE_BUNDLED_PROGRAM:
        return "a program";
    case ETI_FILE_JOURNAL:
        return "a journal";
    case ETI_FILE_RUNNER_LOG:
        return "the log of a device";
    case ETI_FILE_DATA:
        return "a data file (.ptd)";
    default:
        return NULL;
    }
}

int cli_fail_without_program(const cli_inputs *inputs) {
    const char *path = inputs->n_etdumps > 0  ? inputs->etdumps[0].path
                       : inputs->has_etrecord ? inputs->etrecord.path
                                              : NULL;
    if (path && inputs->n_data == 0)
        return cli_fail_usage("%s is %s, but a program is needed: name the .pte that was exported "
                              "with it",
                              path, inputs->n_etdumps > 0 ? "an ETDump" : "an ETRecord");
    if (inputs->n_data == 0)
        return cli_fail_usage("no program was given: name the .pte, or use --program_path");
    return cli_fail_usage("%s is a data file (.ptd) with the weights of a program: give the "
                          "program (.pte), or list the weights with etinspect size %s",
                          inputs->data[0].path, inputs->data[0].path);
}

int cli_fail_second_program(const cli_inputs *inputs) {
    return cli_fail_usage("%s: a second program, after %s: give only one (only ops takes several)",
                          inputs->programs[1].path, inputs->programs[0].path);
}

int cli_fail_without_dump(const cli_inputs *inputs) {
    const char *command = cli_message_command_name();
    const char *file = inputs->has_etrecord     ? inputs->etrecord.path
                       : inputs->n_programs > 0 ? inputs->programs[0].path
                                                : NULL;
    if (!file && inputs->n_data > 0)
        return cli_fail_without_program(inputs);
    if (!file)
        return cli_fail_usage("no ETDump was given: name it, or use --etdump_path");
    return cli_fail_usage(
        "%s is %s and contains no times: give the ETDump before it: etinspect %s%srun.etdp %s%s%s",
        file, inputs->has_etrecord ? "an ETRecord" : "a program", command ? command : "",
        command ? " " : "", file, inputs->runnable ? "; or run it: etinspect record " : "",
        inputs->runnable ? inputs->runnable : "");
}

int cli_fail_kind(const eti_source *source, eti_file_kind kind, eti_file_kind expected) {
    eti_error err = {.status = ETI_ERROR_MALFORMED};
    const char *text = eti_file_kind_text(kind);
    if (kind == ETI_FILE_EMPTY)
        text = expected == ETI_FILE_PROGRAM
                   ? "empty: expected a program (.pte, .bpte) or a file that belongs to it"
                   : "empty: if it is an ETDump, build the runtime with "
                     "EXECUTORCH_ENABLE_EVENT_TRACER and a large enough ETDump buffer; otherwise "
                     "export the model again";
    snprintf(err.message, sizeof err.message, "%s: %s", source->path, text);
    return cli_fail(&err);
}

static int add_plain_file(cli_inputs *inputs, const char *path) {
    eti_source source;
    eti_file_kind kind;
    if (cli_command_find(path) && access(path, F_OK) != 0)
        return cli_fail_usage("%s: a command must come before all options and files", path);
    int status = open_file(inputs, path, inputs->expected, &source, &kind);
    if (status != CLI_OK)
        return status;
    /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): open_file() sets it */
    if (kind == ETI_FILE_ETDUMP || kind == ETI_FILE_RUNNER_LOG) {
        inputs->etdumps[inputs->n_etdumps++] = source;
    } else if (kind == ETI_FILE_PROGRAM || kind == ETI_FILE_BUNDLED_PROGRAM) {
        inputs->programs[inputs->n_programs++] = source;
    } else if (kind == ETI_FILE_DATA) {
        inputs->data[inputs->n_data++] = source;
    } else if (kind != ETI_FILE_ETRECORD) {
        return cli_fail_kind(&source, kind, inputs->expected);
    } else if (inputs->has_etrecord) {
        return cli_fail_usage("%s: a second ETRecord, after %s: give only one", source.path,
                              inputs->etrecord.path);
    } else {
        inputs->etrecord = source;
        inputs->has_etrecord = true;
    }
    return CLI_OK;
}

/* Steps through the paths that were named, starting with *i = 0; false after the last. */
static bool next_path(const cli_inputs *inputs, size_t *i, const char **out) {
    const char *const options[N_OPTIONS] = {inputs->etdump_path,    inputs->etrecord_path,
                                            inputs->program_path,   inputs->debug_buffer_path,
                                            inputs->available_path, inputs->run_methods_path,
                                            inputs->reference_path};
    while (*i < N_OPTIONS) {
        *out = options[(*i)++];
        if (*out)
            return true;
    }
    if (*i - N_OPTIONS == inputs->n_plain)
        return false;
    *out = inputs->plain[(*i)++ - N_OPTIONS];
    return true;
}

/* Rejects standard input named more than once: it can be read only once. */
static int check_standard_input(const cli_inputs *inputs) {
    const char *path;
    size_t n = 0;
    for (size_t i = 0; next_path(inputs, &i, &path);)
        n += strcmp(path, "-") == 0;
    return n > 1 ? cli_fail_usage("standard input (-) is given for more than one input: name files "
                                  "for the others")
                 : CLI_OK;
}

static int check_debug_buffer(const char *path, eti_file_kind kind) {
    const char *name = kind == ETI_FILE_RUNNER_LOG ? NULL : cli_name_of_kind(kind);
    if (!name)
        return CLI_OK;
    return cli_fail_usage(
        "--debug_buffer_path: %s is %s: expected the debug buffer written with the ETDump", path,
        name);
}

int cli_check_debug_buffer(const char *path, const eti_file *file) {
    eti_error err = ETI_ERROR_INIT;
    if (eti__file_check_zip(file, "the debug buffer written with the ETDump", &err) != ETI_OK)
        return cli_fail(&err);
    return check_debug_buffer(path, eti__file_kind(file));
}

/* Kinds of the files given with options; ETI_FILE_UNKNOWN: of none. */
typedef struct option_kinds {
    eti_file_kind etdump, etrecord, debug_buffer;
} option_kinds;

/* Finds files given to the wrong options; `dump` is the file of --etdump_path, or all zeros. */
static int check_options(const cli_inputs *inputs, const eti_source *dump,
                         const option_kinds *kinds) {
    bool is_record = kinds->etdump == ETI_FILE_ETRECORD;
    bool is_dump = kinds->etrecord == ETI_FILE_ETDUMP;
    if (is_record && is_dump)
        return cli_fail_usage("--etdump_path: %s is an ETRecord, and --etrecord_path: %s is an "
                              "ETDump: are they swapped?",
                              dump->path, inputs->etrecord.path);
    if (is_record && !inputs->has_etrecord)
        return cli_fail_usage("--etdump_path: %s is an ETRecord: give it with --etrecord_path, and "
                              "the ETDump with --etdump_path",
                              dump->path);
    if (is_dump && !dump->data && inputs->n_plain == 0)
        return cli_fail_usage("--etrecord_path: %s is an ETDump: give it with --etdump_path",
                              inputs->etrecord.path);
    return check_debug_buffer(inputs->debug_buffer.path, kinds->debug_buffer);
}

static int open_options(cli_inputs *inputs) {
    eti_source dump = {0};
    option_kinds kinds = {.etdump = ETI_FILE_UNKNOWN};
    int status = CLI_OK;
    if (inputs->etrecord_path) {
        status = open_file(inputs, inputs->etrecord_path, ETI_FILE_ETRECORD, &inputs->etrecord,
                           &kinds.etrecord);
        inputs->has_etrecord = status == CLI_OK;
    }
    if (status == CLI_OK && inputs->etdump_path)
        status = open_file(inputs, inputs->etdump_path, ETI_FILE_ETDUMP, &dump, &kinds.etdump);
    if (status == CLI_OK && inputs->etdump_path)
        inputs->etdumps[inputs->n_etdumps++] = dump;
    if (status == CLI_OK && inputs->program_path) {
        eti_source program;
        status = open_file(inputs, inputs->program_path, ETI_FILE_PROGRAM, &program, NULL);
        if (status == CLI_OK)
            inputs->programs[inputs->n_programs++] = program;
    }
    if (status == CLI_OK && inputs->debug_buffer_path) {
        status = open_file(inputs, inputs->debug_buffer_path, ETI_FILE_UNKNOWN,
                           &inputs->debug_buffer, &kinds.debug_buffer);
        inputs->has_debug_buffer = status == CLI_OK;
    }
    if (status == CLI_OK && inputs->available_path) {
        status =
            open_file(inputs, inputs->available_path, ETI_FILE_UNKNOWN, &inputs->available, NULL);
        inputs->has_available = status == CLI_OK;
    }
    if (status == CLI_OK && inputs->run_methods_path) {
        eti_file_kind kind = ETI_FILE_UNKNOWN;
        status = open_file(inputs, inputs->run_methods_path, ETI_FILE_UNKNOWN, &inputs->run_methods,
                           &kind);
        inputs->has_run_methods = status == CLI_OK;
        if (status == CLI_OK && cli_name_of_kind(kind))
            return cli_fail_usage("--run_methods_from: %s is %s: expected a list of methods, one "
                                  "per line",
                                  inputs->run_methods_path, cli_name_of_kind(kind));
    }
    return status == CLI_OK ? check_options(inputs, &dump, &kinds) : status;
}

/* ---- companions ------------------------------------------------------------------------------ */

/* Opens a file that lies beside an argument, and keeps it as if it had been named. */
static int add_companion(cli_inputs *inputs, const char *path) {
    int status = add_plain_file(inputs, path);
    return status == CLI_OK ? cli_inputs_add_plain(inputs, path) : status;
}

int cli_companions_find(eti__companions *out, const char *argument) {
    eti_error err = ETI_ERROR_INIT;
    eti_status status = eti__companions_find(out, argument, &err);
    if (status == ETI_ERROR_USAGE)
        return cli_fail_usage("%s", err.message);
    return status == ETI_OK ? CLI_OK : cli_fail(&err);
}

/* Opens the ETDump of a stem. Sets `*is_stem` to whether there is one. */
static int open_stem(cli_inputs *inputs, const char *argument, bool *is_stem) {
    eti__companions *found = &inputs->companions[inputs->n_companions];
    int status = cli_companions_find(found, argument);
    *is_stem = status != CLI_OK || found->etdump;
    if (status != CLI_OK)
        return status;
    if (found->etdump) {
        inputs->n_companions++;
        return add_companion(inputs, found->etdump);
    }
    free(inputs->runnable);
    inputs->runnable = found->program;
    found->program = NULL;
    eti__companions_free(found);
    return CLI_OK;
}

/* Opens the other files of a stem; a file of this kind that was named, or that belongs to an earlier stem, is used instead. */
static int open_rest(cli_inputs *inputs, eti__companions *found) {
    int status = CLI_OK;
    if (found->etrecord && inputs->has_etrecord) {
        free(found->etrecord);
        found->etrecord = NULL;
    } else if (found->etrecord) {
        status = add_companion(inputs, found->etrecord);
        inputs->lends_etrecord = inputs->has_etrecord ? found : NULL;
    }
    if (status != CLI_OK || !found->program || found->is_program_named)
        return status;
    if (inputs->n_programs > 0) {
        free(found->program);
        found->program = NULL;
        return CLI_OK;
    }
    status = add_companion(inputs, found->program);
    inputs->lends_program = inputs->n_programs > 0 ? found : NULL;
    return status;
}

/* Opens what lies beside the arguments; the first `n_plain` are those that were given. */
static int open_companions(cli_inputs *inputs, size_t n_plain) {
    bool are_stems = inputs->takes_program_stems && inputs->n_etdumps == 0 &&
                     !(inputs->needs_no_times && inputs->has_etrecord);
    bool is_stem;
    int status = CLI_OK;
    for (size_t i = 0; i < n_plain && are_stems && status == CLI_OK; i++) {
        if (eti__may_be_program(inputs->plain[i]))
            status = open_stem(inputs, inputs->plain[i], &is_stem);
    }
    for (size_t i = 0; i < inputs->n_companions && status == CLI_OK; i++)
        status = open_rest(inputs, &inputs->companions[i]);
    return status;
}

void cli_companions_print(const eti__companions *companions, unsigned lacks) {
    char *line = eti__companions_describe(companions, lacks);
    cli_say("%s", line ? line : companions->stem);
    free(line);
}

void cli_inputs_print_companions(const cli_inputs *inputs) {
    for (size_t i = 0; i < inputs->n_companions; i++) {
        const eti__companions *found = &inputs->companions[i];
        bool lacks_etrecord = inputs->lends_etrecord == found && !inputs->has_etrecord;
        bool lacks_program = inputs->lends_program == found && inputs->n_programs == 0;
        cli_companions_print(found, (lacks_etrecord ? ETI__WITH_ETRECORD : 0U) |
                                        (lacks_program ? ETI__WITH_PROGRAM : 0U));
    }
}

/* ---- all ------------------------------------------------------------------------------------- */

static int open_plain(cli_inputs *inputs, const char *argument) {
    bool is_stem = false;
    int status = CLI_OK;
    if (inputs->takes_stems && eti__may_be_stem(argument))
        status = open_stem(inputs, argument, &is_stem);
    return is_stem || status != CLI_OK ? status : add_plain_file(inputs, argument);
}

int cli_inputs_open(cli_inputs *inputs, bool keep_going) {
    size_t n_plain = inputs->n_plain;
    int worst = check_standard_input(inputs);
    if (worst == CLI_OK && !reserve(inputs))
        return cli_fail_memory();
    if (worst == CLI_OK)
        worst = open_options(inputs);
    if (worst != CLI_OK)
        return worst;
    for (size_t i = 0; i < n_plain && worst != CLI_MEMORY && (keep_going || worst == CLI_OK); i++) {
        int status = open_plain(inputs, inputs->plain[i]);
        if (status > worst)
            worst = status;
    }
    return worst == CLI_OK ? open_companions(inputs, n_plain) : worst;
}

eti_status cli_inputs_add(const cli_inputs *inputs, const eti_source *etdumps, size_t n,
                          eti_request *request, eti_error *err) {
    eti_status status = ETI_OK;
    for (size_t i = 0; status == ETI_OK && i < n; i++)
        status = eti_request_add_input(request, "etdump_path", &etdumps[i], err);
    if (status == ETI_OK && inputs->has_etrecord)
        status = eti_request_add_input(request, "etrecord_path", &inputs->etrecord, err);
    for (size_t i = 0; status == ETI_OK && i < inputs->n_programs; i++)
        status = eti_request_add_input(request, "program_path", &inputs->programs[i], err);
    for (size_t i = 0; status == ETI_OK && i < inputs->n_data; i++)
        status = eti_request_add_input(request, "data", &inputs->data[i], err);
    if (status == ETI_OK && inputs->has_debug_buffer)
        status = eti_request_add_input(request, "debug_buffer_path", &inputs->debug_buffer, err);
    if (status == ETI_OK && inputs->has_available)
        status = eti_request_add_input(request, "available", &inputs->available, err);
    if (status == ETI_OK && inputs->has_run_methods)
        status = eti_request_add_input(request, "run_methods_from", &inputs->run_methods, err);
    return status;
}

/* An eti__is_input_function. */
static bool is_input(const void *context, const char *output) {
    const cli_inputs *inputs = context;
    const char *path;
    for (size_t i = 0; next_path(inputs, &i, &path);) {
        if (eti__is_same_input(output, path))
            return true;
    }
    return false;
}

int cli_inputs_check_outputs(const cli_inputs *inputs, const char *const outputs[], size_t n) {
    eti_error err = ETI_ERROR_INIT;
    return eti__check_outputs(outputs, n, is_input, inputs, &err) == ETI_OK
               ? CLI_OK
               : cli_fail_usage("%s", err.message);
}

void cli_inputs_close(cli_inputs *inputs) {
    for (size_t i = 0; i < inputs->n_files; i++)
        eti_file_close(inputs->files[i]);
    for (size_t i = 0; i < inputs->n_companions; i++)
        eti__companions_free(&inputs->companions[i]);
    free(inputs->companions);
    free(inputs->runnable);
    free(inputs->files);
    free(inputs->etdumps);
    free(inputs->programs);
    free(inputs->data);
    free(inputs->plain);
    for (size_t i = 0; i < inputs->n_found; i++)
        free(inputs->found[i]);
    free(inputs->found);
}
