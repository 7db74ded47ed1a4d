/*
 * cmd_numerics.c - etinspect numerics BASE NEW: differences of the tensors that a run recorded from
 * those of another run, or of a file.
 */
#include "api/api.h"
#include "cli/comparison.h"
#include "cli/gate_files.h"
#include "cli/inputs.h"
#include "cli/message.h"
#include "cli/options.h"
#include "cli/request.h"
#include "etinspect.h"

#include <stdlib.h>
#include <string.h>

static const char details[] =
    "BASE and NEW are ETDumps recorded with debug buffers. An ETRecord belongs to the ETDump\n"
    "before it; if there is only one, it belongs to both. Debug buffers are given in the order\n"
    "of the ETDumps. --reference compares with saved tensors instead, or with an ETDump as the\n"
    "base.\n"
    "\n"
    "Outputs of operators are paired by the node of the exported program that they come from.\n"
    "A node keeps its name in every export of a model: with other backends, quantized, or of\n"
    "another version. For a delegate, the outputs of its calls are compared. With --sort\n"
    "snr_drop:desc, operators that lose the most precision themselves come first.\n"
    "\n"
    "Several runs - EventBlocks of a bundled program, --run all, or ETDumps with a --reference\n"
    "each - are treated as several inputs: a row shows the worst of them (snr_min,\n"
    "max_abs_max, ...) and the median (snr_p50). --per_input lists each input.\n"
    "\n"
    "With a bundled program (.bpte) as --reference, the outputs of each run are compared with\n"
    "those expected by its test case, as in the runtime; see --verify, --rtol and --atol.\n"
    "\n"
    "Exits with 1 if --fail_on is true for an output, and with 6 if it could not judge a run, or\n"
    "fewer than --min_compared outputs can be compared.";

/* The other side of the comparison. */
typedef struct numerics_reference {
    const char *path;
    size_t before;  /* number of files that precede it on the command line */
    eti_file *file; /* NULL: a folder, or an ETDump, which the comparison owns */
} numerics_reference;

typedef struct numerics_arguments {
    cli_comparison comparison;
    numerics_reference *references;
    size_t n_references;
    size_t n_dumps;       /* of the references */
    cli_gate_files files; /* reports only */
    eti__companions *stems;
    size_t n_stems;
} numerics_arguments;

static int take_reference(numerics_arguments *arguments, const char *path) {
    size_t n = arguments->n_references;
    numerics_reference *grown = realloc(arguments->references, (n + 1) * sizeof *grown);
    if (!grown)
        return cli_fail_memory();
    grown[n] = (numerics_reference){.path = path, .before = arguments->comparison.sides.n_files};
    arguments->references = grown;
    arguments->n_references++;
    arguments->comparison.sides.has_reference = true;
    return cli_inputs_add_plain(&arguments->comparison.request.inputs, path);
}

/* Takes the files that lie beside a name, in its place. */
static int take_stem(numerics_arguments *arguments, const char *name) {
    size_t n = arguments->n_stems;
    eti__companions *grown = realloc(arguments->stems, (n + 1) * sizeof *grown);
    if (!grown)
        return cli_fail_memory();
    arguments->stems = grown;
    int exit_status = cli_companions_find(&grown[n], name);
    if (exit_status != CLI_OK)
        return exit_status;
    arguments->n_stems++;
    if (!grown[n].etdump)
        return cli_comparison_take(&arguments->comparison, NULL, name);
    const char *const files[] = {grown[n].etdump, grown[n].etrecord, grown[n].program};
    for (size_t i = 0; i < 3 && exit_status == CLI_OK; i++) {
        if (files[i])
            exit_status = cli_comparison_take(&arguments->comparison, NULL, files[i]);
    }
    cli_companions_print(&grown[n], 0);
    return exit_status;
}

static int take(void *context, const eti__option *option, const char *value) {
    numerics_arguments *arguments = context;
    if (!option && eti__may_be_stem(value))
        return take_stem(arguments, value);
    if (option && strcmp(option->name, "reference") == 0)
        return take_reference(arguments, value);
    if (cli_gate_files_takes(option))
        return cli_gate_files_take(&arguments->files, &arguments->comparison.request, option,
                                   value);
    return cli_comparison_take(&arguments->comparison, option, value);
}

/* Adds an ETDump as the base, as if it were the first of two plain arguments. */
static int add_dump(numerics_arguments *arguments, numerics_reference *reference) {
    eti_file *file = reference->file;
    size_t before = reference->before + arguments->n_dumps;
    reference->file = NULL;
    arguments->n_dumps++;
    return cli_comparison_add_base(&arguments->comparison, before, reference->path, file);
}

static int open_reference(numerics_arguments *arguments, numerics_reference *reference) {
    const cli_request *request = &arguments->comparison.request;
    eti_error err = ETI_ERROR_INIT;
    eti_source source;
    int exit_status = cli_reference_open(request, reference->path, true, &reference->file, &source);
    if (exit_status != CLI_OK)
        return exit_status;
    eti_file_kind kind = ETI_FILE_UNKNOWN;
    if (reference->file)
        kind = eti__file_kind(reference->file);
    if (kind == ETI_FILE_ETDUMP || kind == ETI_FILE_RUNNER_LOG)
        return add_dump(arguments, reference);
    return eti_request_add_input(request->request, "reference", &source, &err) == ETI_OK
               ? CLI_OK
               : cli_fail(&err);
}

static int open_references(numerics_arguments *arguments) {
    size_t n = arguments->n_references;
    int exit_status = CLI_OK;
    for (size_t i = 0; exit_status == CLI_OK && i < n; i++)
        exit_status = open_reference(arguments, &arguments->references[i]);
    if (exit_status == CLI_OK && arguments->n_dumps > 0 && arguments->n_dumps < n)
        return cli_fail_usage("--reference: of the %zu files, %zu are ETDumps; give only ETDumps, "
                              "or only other files",
                              n, arguments->n_dumps);
    return exit_status;
}

static int numerics(void *context) {
    numerics_arguments *arguments = context;
    cli_comparison *comparison = &arguments->comparison;
    cli_gate_files *files = &arguments->files;
    eti_inspector *sides[CLI_N_SIDES];
    eti_report *report;
    eti_error err = ETI_ERROR_INIT;
    int exit_status = open_references(arguments);
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
    for (size_t i = 0; i < arguments.n_references; i++)
        eti_file_close(arguments.references[i].file);
    for (size_t i = 0; i < arguments.n_stems; i++)
        eti__companions_free(&arguments.stems[i]);
    free(arguments.stems);
    free(arguments.references);
    cli_gate_files_close(&arguments.files);
    return exit_status;
}

const cli_command cli_numerics = {
    .name = "numerics",
    .purpose = CLI_COMPARE,
    .bit = ETI__FOR_NUMERICS,
    .arguments = "[BASE [ETRECORD]] NEW [ETRECORD]",
    .summary = "Compare recorded tensors with those of another run or a file.",
    .example = "etinspect numerics run.etdp model.etrecord --debug_buffer_path debug.bin "
               "--reference aot.npz",
    .details = details,
    .run = run,
};
