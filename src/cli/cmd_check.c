/*
 * cmd_check.c - etinspect check FILES: tells whether profiles are readable, complete and of the
 * record given, and what to do where they are not.
 */
#include "cli/inputs.h"
#include "cli/sandbox.h"

#include <string.h>

static const char details[] =
    "Each ETDump is checked by itself, against the ETRecord if there is one. Exits 0\n"
    "when nothing is missing, 1 when something is, 3 when a file cannot be read.";

typedef struct check_arguments {
    cli_inputs inputs;
    eti_options options;
    bool sandbox;
    bool help;
} check_arguments;

static int take(void *context, const char *name, const char *value) {
    check_arguments *arguments = context;
    if (!name)
        return cli_inputs_add_plain(&arguments->inputs, value);
    if (strcmp(name, "help") == 0)
        arguments->help = true;
    else if (strcmp(name, "sandbox") == 0)
        arguments->sandbox = true;
    else if (strcmp(name, "method") == 0)
        arguments->options.method = value;
    else
        arguments->inputs.debug_buffer_path = value;
    return CLI_OK;
}

/* Prints what is worth telling; CLI_CHECK_FAILED when something is missing. */
static int print_notes(const eti_inspector *inspector) {
    int exit_status = CLI_OK;
    for (size_t i = 0; i < eti_inspector_note_count(inspector); i++) {
        eti_text text = eti_inspector_note_text(inspector, i);
        bool warns = eti_inspector_note_kind(inspector, i) == ETI_NOTE_WARNING;
        printf("%s: %.*s\n", warns ? "warning" : "ok", (int)text.size, text.data);
        if (warns)
            exit_status = CLI_CHECK_FAILED;
    }
    return exit_status;
}

static int check_dump(const check_arguments *arguments, const eti_source *dump) {
    const cli_inputs *inputs = &arguments->inputs;
    const eti_inputs one = {
        .etdumps = dump,
        .n_etdumps = dump ? 1 : 0,
        .etrecord = inputs->has_etrecord ? &inputs->etrecord : NULL,
        .debug_buffer = inputs->has_debug_buffer ? &inputs->debug_buffer : NULL,
    };
    eti_error err;
    eti_inspector *inspector;
    if (eti_inspector_open(&inspector, &one, &arguments->options, &err) != ETI_OK)
        return cli_fail(&err);
    int exit_status = print_notes(inspector);
    eti_inspector_close(inspector);
    return exit_status;
}

static int check(check_arguments *arguments) {
    cli_inputs *inputs = &arguments->inputs;
    int worst = cli_inputs_open(inputs, true);
    if (worst == CLI_MEMORY) /* what is said without an input would mislead */
        return worst;
    if (inputs->n_etdumps == 0 && !inputs->has_etrecord)
        return worst != CLI_OK ? worst : cli_fail_usage("no file was given to check");
    if (arguments->sandbox && cli_enter_sandbox() != CLI_OK)
        return CLI_USAGE;
    if (inputs->n_etdumps == 0) {
        int exit_status = check_dump(arguments, NULL);
        return exit_status > worst ? exit_status : worst;
    }
    for (size_t i = 0; i < inputs->n_etdumps && worst != CLI_MEMORY; i++) {
        int exit_status = check_dump(arguments, &inputs->etdumps[i]);
        if (exit_status > worst)
            worst = exit_status;
    }
    return worst;
}

static int run(const cli_command *command, int argc, char **argv) {
    check_arguments arguments = {.options = ETI_OPTIONS_DEFAULT};
    int exit_status = cli_parse(command, argc, argv, take, &arguments);
    if (exit_status == CLI_OK) {
        if (arguments.help)
            cli_print_help(command, stdout);
        else
            exit_status = check(&arguments);
    }
    cli_inputs_close(&arguments.inputs);
    return exit_status;
}

const cli_command cli_check = {
    .name = "check",
    .bit = ETI__FOR_CHECK,
    .arguments = "FILES",
    .summary = "Tell whether profiles are readable and complete, and what to do if not.",
    .example = "etinspect check run.etdp model.etrecord",
    .details = details,
    .run = run,
};
