/*
 * cmd_check.c - etinspect check FILES: checks whether profiles are readable, complete and match the
 * given record, and says what to do if not.
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

static const char details[] =
    "Checks each ETDump by itself and against the ETRecord and the program (.pte), if given,\n"
    "and these two against each other; for each program, also the memory that it plans and\n"
    "the data files that it needs. Exits with 0 if nothing is missing or wrong, with 1\n"
    "otherwise, and with 3 if a file cannot be read. Notes are not faults: they suggest how\n"
    "to get more out of the files.";

typedef struct check_arguments {
    cli_request request;
    const char **paths; /* of --debug_buffer_path */
    size_t n_paths;
    eti_file **buffers; /* debug buffers of the ETDumps, in their order, if several were given */
} check_arguments;

/* Prints the notes; returns CLI_CHECK_FAILED if something is missing or wrong. */
static int print_notes(const eti_inspector *inspector) {
    static const char *const kinds[] = {
        [ETI_NOTE_INFO] = "ok", [ETI_NOTE_WARNING] = "warning", [ETI_NOTE_HINT] = "note"};
    int exit_status = CLI_OK;
    for (size_t i = 0; i < eti_inspector_note_count(inspector); i++) {
        eti_text text = eti_inspector_note_text(inspector, i);
        eti_note_kind kind = eti_inspector_note_kind(inspector, i);
        printf("%s: %.*s\n", kinds[kind], (int)text.size, text.data);
        if (kind == ETI_NOTE_WARNING)
            exit_status = CLI_CHECK_FAILED;
    }
    return exit_status;
}

/* Opens the dump, or the record alone if the dump is NULL. */
static eti_status open_as(const cli_request *request, const eti_source *dump, bool with_values,
                          eti_inspector **out, eti_error *err) {
    eti_request *one;
    *out = NULL;
    eti_status status = eti_request_copy(&one, request->request, err);
    if (status == ETI_OK)
        status = cli_inputs_add(&request->inputs, dump, dump ? 1 : 0, one, err);
    if (status == ETI_OK)
        status = eti_request_set(one, "merge_ids", "true", err);
    if (status == ETI_OK && !with_values)
        status = eti_request_set(one, "no_debug_data", "true", err);
    if (status == ETI_OK)
        status = eti_inspector_open(out, one, err);
    eti_request_free(one);
    return status;
}

/* Opens the dump, without the values of tensors if these are rejected; `refusal` then says why. */
static eti_status open_one(const cli_request *request, const eti_source *dump, eti_inspector **out,
                           eti_error *refusal, eti_error *err) {
    eti_status status = open_as(request, dump, true, out, err);
    if (status == ETI_OK || status == ETI_ERROR_MEMORY || !request->inputs.has_debug_buffer)
        return status;
    eti_error other = ETI_ERROR_INIT;
    if (open_as(request, dump, false, out, &other) != ETI_OK)
        return status;
    *refusal = *err;
    return ETI_OK;
}

static size_t count_warnings(const eti_inspector *inspector) {
    size_t n = 0;
    for (size_t i = 0; i < eti_inspector_note_count(inspector); i++)
        n += eti_inspector_note_kind(inspector, i) == ETI_NOTE_WARNING;
    return n;
}

static int check_dump(const cli_request *request, const eti_source *dump) {
    eti_error err = ETI_ERROR_INIT, refusal = ETI_ERROR_INIT;
    eti_inspector *inspector;
    if (open_one(request, dump, &inspector, &refusal, &err) != ETI_OK)
        return cli_fail(&err);
    eti_status status = eti_inspector_check_times(inspector, &err);
    if (status == ETI_OK)
        status = eti_inspector_check_plans(inspector, &err);
    size_t n_before = count_warnings(inspector);
    if (status == ETI_OK)
        status = eti_inspector_check_tensors(inspector, &err);
    bool is_explained = count_warnings(inspector) > n_before;
    int exit_status = status == ETI_OK ? print_notes(inspector) : cli_fail(&err);
    if (status == ETI_OK && refusal.status != ETI_OK && !is_explained) {
        printf("warning: %s\n", refusal.message);
        exit_status = CLI_CHECK_FAILED;
    }
    eti_inspector_close(inspector);
    return exit_status;
}

/* Opens the debug buffers if several were given: one per ETDump. The last one is open, and can be a pipe. */
static int open_buffers(check_arguments *arguments) {
    size_t n = arguments->n_paths, n_dumps = arguments->request.inputs.n_etdumps;
    if (n <= 1)
        return CLI_OK;
    if (n != n_dumps)
        return cli_fail_usage("--debug_buffer_path: debug buffers: %zu, ETDumps: %zu: give one "
                              "debug buffer per ETDump, in the same order",
                              n, n_dumps);
    arguments->buffers = calloc(n, sizeof *arguments->buffers);
    if (!arguments->buffers)
        return cli_fail_memory();
    for (size_t i = 0; i + 1 < n; i++) {
        eti_error err = ETI_ERROR_INIT;
        if (strcmp(arguments->paths[i], "-") == 0)
            return cli_fail_usage("--debug_buffer_path -: only the last debug buffer can be "
                                  "standard input: give the others as files");
        if (eti_file_open(&arguments->buffers[i], arguments->paths[i], &err) != ETI_OK)
            return cli_fail(&err);
        int exit_status = cli_check_debug_buffer(arguments->paths[i], arguments->buffers[i]);
        if (exit_status != CLI_OK)
            return exit_status;
    }
    return CLI_OK;
}

static int check_dumps(check_arguments *arguments) {
    cli_inputs *inputs = &arguments->request.inputs;
    const eti_source last = inputs->debug_buffer;
    int worst = CLI_OK;
    for (size_t i = 0; i < inputs->n_etdumps && worst != CLI_MEMORY; i++) {
        if (arguments->buffers)
            inputs->debug_buffer =
                arguments->buffers[i] ? eti_file_source(arguments->buffers[i]) : last;
        int exit_status = check_dump(&arguments->request, &inputs->etdumps[i]);
        if (exit_status > worst)
            worst = exit_status;
    }
    return worst;
}

static int check(void *context) {
    check_arguments *arguments = context;
    cli_request *request = &arguments->request;
    cli_inputs *inputs = &request->inputs;
    int worst = cli_inputs_open(inputs, true);
    if (worst == CLI_MEMORY) /* if an input is missing, further findings would mislead */
        return worst;
    if (inputs->n_etdumps + inputs->n_programs + inputs->n_data == 0 && !inputs->has_etrecord)
        return worst != CLI_OK
                   ? worst
                   : cli_fail_usage(
                         "no files were given to check: name ETDumps, ETRecords or programs");
    if (inputs->n_etdumps > 0 && inputs->n_programs > 1)
        return cli_fail_second_program(inputs);
    int exit_status = open_buffers(arguments);
    if (exit_status != CLI_OK)
        return exit_status > worst ? exit_status : worst;
    if (cli_has(request, "sandbox") && cli_enter_sandbox() != CLI_OK)
        return CLI_USAGE;
    exit_status = inputs->n_etdumps == 0 ? check_dump(request, NULL) : check_dumps(arguments);
    return exit_status > worst ? exit_status : worst;
}

/* Takes an argument, and keeps the paths of all debug buffers, of which the inputs keep the last. */
static int take(void *context, const eti__option *option, const char *value) {
    check_arguments *arguments = context;
    if (option && strcmp(option->name, "debug_buffer_path") == 0) {
        const char **grown =
            realloc((void *)arguments->paths, (arguments->n_paths + 1) * sizeof *arguments->paths);
        if (!grown)
            return cli_fail_memory();
        arguments->paths = grown;
        arguments->paths[arguments->n_paths++] = value;
    }
    return cli_request_take(&arguments->request, option, value);
}

static int run(const cli_command *command, int argc, char **argv) {
    check_arguments arguments = {.paths = NULL};
    int exit_status =
        cli_request_run(command, &arguments.request, argc, argv, take, check, &arguments);
    for (size_t i = 0; arguments.buffers && i < arguments.n_paths; i++)
        eti_file_close(arguments.buffers[i]);
    free(arguments.buffers);
    free((void *)arguments.paths);
    cli_request_close(&arguments.request);
    return exit_status;
}

const cli_command cli_check = {
    .name = "check",
    .bit = ETI__FOR_CHECK,
    .arguments = "FILES",
    .summary = "Check that profiles are complete, and suggest fixes if not.",
    .example = "etinspect check run.etdp model.etrecord",
    .details = details,
    .run = run,
};
