/*
 * cmd_numerics.c - etinspect numerics BASE NEW: how far what a run recorded is from what another did, or from a file.
 */
#include "cli/comparison.h"
#include "cli/gate_files.h"
#include "cli/reference.h"

#include <string.h>

static const char details[] =
    "BASE and NEW are ETDumps that were recorded with debug buffers; an ETRecord belongs to the\n"
    "one that stands before it, and one alone to both. A single ETDump is compared with the\n"
    "tensors of --reference.\n"
    "\n"
    "Outputs of operators are paired by the node of the exported program that they come from,\n"
    "which keeps its name in every export of a model: with other backends, quantized, of another\n"
    "version. Of delegates the outputs are compared. --sort snr_drop:desc puts first what loses\n"
    "most itself, and not only carries errors on.\n"
    "\n"
    "With a bundled program (.bpte) as --reference, the outputs of each run are compared with\n"
    "those that its test case expects, as the runtime does it: --verify --rtol 1e-3 --atol 1e-5.\n"
    "\n"
    "Exits with 1 when --fail_on is true of an output, with 6 when nothing is on both sides, or\n"
    "less than --min_compared: --fail_on 'snr < 30' --report junit=numerics.xml.";

typedef struct numerics_arguments {
    cli_comparison comparison;
    const char *reference_path; /* NULL: none */
    eti_file *reference;
    cli_gate_files files; /* reports only */
} numerics_arguments;

static int take(void *context, const eti__option *option, const char *value) {
    numerics_arguments *arguments = context;
    if (option && strcmp(option->name, "reference") == 0) {
        arguments->reference_path = value;
        return cli_inputs_add_plain(&arguments->comparison.request.inputs, value);
    }
    if (cli_gate_files_takes(option))
        return cli_gate_files_take(&arguments->files, &arguments->comparison.request, option,
                                   value);
    return cli_comparison_take(&arguments->comparison, option, value);
}

static int numerics(void *context) {
    numerics_arguments *arguments = context;
    cli_comparison *comparison = &arguments->comparison;
    cli_gate_files *files = &arguments->files;
    eti_inspector *sides[CLI_N_SIDES];
    eti_report *report;
    eti_error err = ETI_ERROR_INIT;
    int exit_status =
        cli_reference_add(&comparison->request, arguments->reference_path, &arguments->reference);
    if (exit_status == CLI_OK)
        exit_status = cli_gate_files_open(files, &comparison->request);
    if (exit_status == CLI_OK)
        exit_status =
            cli_comparison_open_tensors(comparison, sides, files->outputs, files->n_outputs);
    if (exit_status != CLI_OK)
        return exit_status;
    if (eti_numerics_report(&report, sides[CLI_BASE], sides[CLI_NEW], comparison->request.request,
                            &err) != ETI_OK)
        return cli_fail(&err);
    return cli_gate_files_write(files, &comparison->request, report, ETI_GATE_PASSED);
}

static int run(const cli_command *command, int argc, char **argv) {
    numerics_arguments arguments = {.files = CLI_GATE_FILES_INIT};
    int exit_status =
        cli_comparison_run(command, &arguments.comparison, argc, argv, take, numerics, &arguments);
    eti_file_close(arguments.reference);
    cli_gate_files_close(&arguments.files);
    return exit_status;
}

const cli_command cli_numerics = {
    .name = "numerics",
    .purpose = CLI_COMPARE,
    .bit = ETI__FOR_NUMERICS,
    .arguments = "[BASE [ETRECORD]] NEW [ETRECORD]",
    .summary = "Show how far recorded tensors are from another run's, or a file's.",
    .example = "etinspect numerics run.etdp model.etrecord --debug_buffer_path debug.bin "
               "--reference aot.npz",
    .details = details,
    .run = run,
};
