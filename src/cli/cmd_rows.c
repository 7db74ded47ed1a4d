/*
 * cmd_rows.c - etinspect rows: the times of many ETDumps, as rows for a database.
 */
#include "api/api.h"
#include "cli/inputs.h"
#include "cli/message.h"
#include "cli/options.h"
#include "cli/request.h"
#include "cli/sandbox.h"
#include "etinspect.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char details[] =
    "A folder stands for all files *.etdp and *.etdp.gz in it and below. ETDumps are read one\n"
    "at a time, so memory does not grow with their number; the ETRecord is read once. A row\n"
    "has the columns path, labels, block, event_index, event_name, op_types, module, source,\n"
    "backend, is_delegated, instruction_id, run, start, elapsed and error: see\n"
    "--list_columns. With --mode failfast, standard output may contain rows of the ETDumps\n"
    "before the one that cannot be read; a file named with --output remains unchanged.";

/* Takes an argument. The library opens all inputs. Plain arguments become sources; lists of files
 * do not. */
static int take(void *context, const eti__option *option, const char *value) {
    cli_request *request = context;
    eti_error err = ETI_ERROR_INIT;
    if (!option || !option->is_input)
        return cli_request_take(context, option, value);
    if (eti__request_set(request->request, option, value, &err) != ETI_OK)
        return cli_fail(&err);
    return strcmp(option->name, "files_from") == 0
               ? CLI_OK
               : cli_inputs_take(&request->inputs, option, value);
}

/* Opens all ETDumps now, because a sandbox forbids opening them when their rows are read. */
static int open_files(const cli_request *request, eti_file **files, eti_source *dumps) {
    const cli_inputs *inputs = &request->inputs;
    eti_error err = ETI_ERROR_INIT;
    if (cli_has(request, "files_from"))
        return cli_fail_usage("--sandbox: no more files can be opened, but --files_from names "
                              "some: name them as arguments");
    for (size_t i = 0; i < inputs->n_plain; i++) {
        if (eti__is_folder(inputs->plain[i]))
            return cli_fail_usage(
                "--sandbox: %s is a folder, but no more files can be opened: name its ETDumps",
                inputs->plain[i]);
        if (eti_file_open(&files[i], inputs->plain[i], &err) != ETI_OK)
            return cli_fail(&err);
        dumps[i] = eti_file_source(files[i]);
    }
    return CLI_OK;
}

static void close_files(eti_file **files, size_t n) {
    for (size_t i = 0; files && i < n; i++)
        eti_file_close(files[i]);
    free(files);
}

/* Checks that the output replaces no file in folders and lists and none of the lists. */
static int check_found(const cli_request *request, const eti_rows *rows) {
    const char *const outputs[] = {cli_output_path(request)};
    cli_inputs found = {0};
    const char *path;
    int exit_status = CLI_OK;
    for (size_t i = 0; exit_status == CLI_OK && eti__rows_next_input(rows, &i, &path);)
        exit_status = cli_inputs_add_plain(&found, path);
    if (exit_status == CLI_OK)
        exit_status = cli_inputs_check_outputs(&found, outputs, 1);
    cli_inputs_close(&found);
    return exit_status;
}

/* Returns whether a plain argument is looked at: names of ETDumps may be many, and say enough. */
static bool may_be_other_file(const char *path) {
    static const char *const suffixes[] = {".etdp", ".etdp.gz"};
    size_t length = strlen(path);
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        size_t n = strlen(suffixes[i]);
        if (length >= n && strcmp(path + length - n, suffixes[i]) == 0)
            return false;
    }
    struct stat status; /* a pipe can be read only once */
    return strcmp(path, "-") != 0 && stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* Returns the name of the option for a file that is an ETRecord or a program; NULL for any other. */
static const char *option_of_file(const char *path) {
    eti_file *file;
    if (!may_be_other_file(path) || eti_file_open(&file, path, NULL) != ETI_OK)
        return NULL;
    bool is_other_zip =
        eti__file_check_zip(file, NULL, NULL) != ETI_OK; /* fails when it is opened */
    eti_file_kind kind = is_other_zip ? ETI_FILE_UNKNOWN : eti__file_kind(file);
    eti_file_close(file);
    if (kind == ETI_FILE_ETRECORD)
        return "etrecord_path";
    return kind == ETI_FILE_PROGRAM || kind == ETI_FILE_BUNDLED_PROGRAM ? "program_path" : NULL;
}

/* Takes an ETRecord and a program among the plain arguments as the values of their options. */
static int take_other_files(cli_request *request) {
    cli_inputs *inputs = &request->inputs;
    eti_error err = ETI_ERROR_INIT;
    size_t n = 0;
    for (size_t i = 0; i < inputs->n_plain; i++) {
        const char *path = inputs->plain[i], *name = option_of_file(path);
        const eti__option *option;
        if (!name) {
            inputs->plain[n++] = path;
            continue;
        }
        const char *first = eti_request_get(request->request, name);
        if (first)
            return cli_fail_usage("%s: a second %s, after %s: give only one", path,
                                  *name == 'e' ? "ETRecord" : "program", first);
        if (eti__option_find(&option, name, &err) != ETI_OK)
            return cli_fail(&err);
        int exit_status = take(request, option, path);
        if (exit_status != CLI_OK)
            return exit_status;
    }
    inputs->n_plain = n;
    return CLI_OK;
}

/* Warnings that are printed; the others are counted. */
#define MOST_WARNINGS 10

typedef struct printed_warnings {
    size_t next; /* number of the first warning that is new */
    size_t n;
} printed_warnings;

/* Prints a warning about an ETDump, once: ETDumps are read in order, but the first ones again if a file is replaced. */
static void print_warning(void *context, size_t number, const char *text) {
    printed_warnings *printed = context;
    if (number < printed->next)
        return;
    printed->next = number + 1;
    if (printed->n++ < MOST_WARNINGS)
        cli_warn("%s", text);
}

static void print_rest(const printed_warnings *printed) {
    size_t n = printed->n > MOST_WARNINGS ? printed->n - MOST_WARNINGS : 0;
    if (n > 0)
        cli_warn("%zu more warning%s about ETDumps %s not shown", n, n == 1 ? "" : "s",
                 n == 1 ? "is" : "are");
}

static int make_rows(const cli_request *request, const eti_source *dumps, eti_rows **out) {
    const cli_inputs *inputs = &request->inputs;
    eti_error err = ETI_ERROR_INIT;
    eti_status status = eti_rows_new(out, dumps, inputs->n_plain, request->request, &err);
    int exit_status = status == ETI_OK ? check_found(request, *out) : cli_fail(&err);
    if (status == ETI_OK)
        return exit_status == CLI_OK && cli_has(request, "sandbox") ? cli_enter_sandbox()
                                                                    : exit_status;
    const char *filter = eti_request_get(request->request, "filter");
    if (filter && err.position > 0)
        cli_point_at(filter, err.position - 1);
    return exit_status;
}

/* Warns of the number of ETDumps that could not be read, and says how the output shows them. Returns CLI_INPUT if there
 * were no others. */
static int warn_of_failed(const cli_request *request, const eti_rows *rows) {
    const char *mode = eti_request_get(request->request, "mode");
    size_t n = eti_rows_failed_count(rows);
    if (n > 0)
        cli_warn("%zu of %zu ETDumps could not be read: %s", n, eti_rows_dump_count(rows),
                 mode && *mode == 'd' ? "they are left out" : "the column error says why");
    return n > 0 && n == eti_rows_dump_count(rows) ? CLI_INPUT : CLI_OK;
}

/* Returns whether any ETDump can be read, which is usually the first, or memory runs out. An ETDump that cannot be read has
 * a table, too, unless `drops`. */
static bool is_readable(const eti_rows *rows, bool drops) {
    eti_rows_reader *reader;
    eti_table *table = NULL;
    bool found = eti_rows_reader_open(&reader, rows, NULL) != ETI_OK;
    for (size_t n = 1; !found; n++) {
        found = eti_rows_reader_next(reader, &table, NULL) != ETI_OK;
        if (!table)
            break;
        eti_table_free(table);
        found = drops || eti_rows_reader_failed_count(reader) < n;
    }
    eti_rows_reader_close(reader);
    return found;
}

/* Fails if the output would replace a file although no ETDump can be read. */
static int keep_output(const cli_request *request, const eti_rows *rows) {
    const char *path = cli_output_path(request), *mode = eti_request_get(request->request, "mode");
    struct stat file;
    if (cli_has(request, "list_columns") || strcmp(path, "-") == 0 || stat(path, &file) != 0 ||
        !S_ISREG(file.st_mode) || (mode && *mode == 'f') || is_readable(rows, mode && *mode == 'd'))
        return CLI_OK;
    cli_hint("none of the %zu ETDumps could be read, so %s is not replaced: write the rows to "
             "standard output to see the reasons",
             eti_rows_dump_count(rows), path);
    return CLI_INPUT;
}

static int write_rows(const cli_request *request, const eti_rows *rows) {
    eti_error err = ETI_ERROR_INIT;
    eti_report *report;
    int kept = keep_output(request, rows);
    if (kept != CLI_OK)
        return kept;
    if (eti_rows_report(&report, rows, &err) != ETI_OK)
        return cli_fail(&err);
    int exit_status = cli_request_print_report(request, report);
    return exit_status == CLI_OK ? warn_of_failed(request, rows) : exit_status;
}

static int act(void *context) {
    cli_request *request = context;
    const cli_inputs *inputs = &request->inputs;
    const char *const outputs[] = {cli_output_path(request)};
    eti_rows *rows = NULL;
    printed_warnings printed = {0};
    int exit_status = take_other_files(request);
    if (exit_status != CLI_OK)
        return exit_status;
    eti_source *dumps = calloc(inputs->n_plain + 1, sizeof *dumps);
    eti_file **files = calloc(inputs->n_plain + 1, sizeof *files);
    exit_status = dumps && files ? cli_request_prepare(request, outputs, 1) : cli_fail_memory();
    if (exit_status == CLI_OK)
        exit_status = cli_inputs_check_outputs(inputs, outputs, 1);
    for (size_t i = 0; dumps && i < inputs->n_plain; i++)
        dumps[i].path = inputs->plain[i];
    if (exit_status == CLI_OK && dumps && files && cli_has(request, "sandbox"))
        exit_status = open_files(request, files, dumps);
    if (exit_status == CLI_OK)
        exit_status = make_rows(request, dumps, &rows);
    if (exit_status == CLI_OK) {
        eti__rows_on_warning(rows, print_warning, &printed);
        exit_status = write_rows(request, rows);
        print_rest(&printed);
    }
    eti_rows_free(rows);
    close_files(files, inputs->n_plain);
    free(dumps);
    return exit_status;
}

static int run(const cli_command *command, int argc, char **argv) {
    cli_request request = {.default_format = "ndjson",
                           .is_selected = true /* when rows are made */};
    int exit_status = cli_request_run(command, &request, argc, argv, take, act, &request);
    cli_request_close(&request);
    return exit_status;
}

const cli_command cli_rows = {
    .name = "rows",
    .purpose = CLI_LOOK,
    .bit = ETI__FOR_ROWS,
    .arguments = "[ETDUMP | FOLDER]...",
    .summary = "Write the times of many ETDumps as rows for a database.",
    .example = "etinspect rows --labels_from_path -o fleet.csv profiles/",
    .details = details,
    .run = run,
};
