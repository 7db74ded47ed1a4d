/*
 * cmd_gate.c - etinspect gate BASE NEW: fails if something became slower than the rules allow.
 */
#include "cli/comparison.h"
#include "cli/gate_files.h"

static const char details[] =
    "BASE and NEW are given as to etinspect diff: files of at least five processes per side,\n"
    "recorded in turns. A rule is [SCOPE:]METRIC>LIMIT, optionally followed by min_share=1%\n"
    "or min_effect=20us.\n"
    "\n"
    "  SCOPE    op (default), op=PATTERN, optype, module, backend, source, total,\n"
    "           operators, delegates, overhead, loading or allocation\n"
    "  METRIC   p50, avg, p90, min or max\n"
    "  LIMIT    +5%, +20us or 20us; for allocation +64kib or 2mib\n"
    "\n"
    "A rule is broken by a significant change of at least LIMIT. If all limits are absolute,\n"
    "such as 20us, no BASE is needed.\n"
    "\n"
    "For programs (.pte), alone or in addition to ETDumps, rules such as 'file_size > 1MB'\n"
    "or 'file_size > +1%' limit file_size, arena_size, arena_peak, waste, constants,\n"
    "delegate_blobs, instructions or operators. They are exact, without statistics.\n"
    "\n"
    "Exits with 0 if nothing is slower and a slowdown would have been detected, with 1 if a\n"
    "rule is broken, and with 6 if there is not enough data to decide. All reports are written\n"
    "in each of these cases.";

typedef struct gate_arguments {
    cli_comparison comparison;
    cli_gate_files files;
} gate_arguments;

static int take(void *context, const eti__option *option, const char *value) {
    gate_arguments *arguments = context;
    if (cli_gate_files_takes(option))
        return cli_gate_files_take(&arguments->files, &arguments->comparison.request, option,
                                   value);
    return cli_comparison_take(&arguments->comparison, option, value);
}

static int gate(void *context) {
    gate_arguments *arguments = context;
    cli_comparison *comparison = &arguments->comparison;
    cli_gate_files *files = &arguments->files;
    eti_profile *sides[CLI_N_SIDES];
    eti_report *report;
    eti_gate_outcome outcome;
    eti_error err = ETI_ERROR_INIT;
    comparison->sides.may_lack_base =
        cli_has(&comparison->request, "fail_on") || files->budgets.n_paths > 0;
    int exit_status = cli_gate_files_open(files, &comparison->request);
    if (exit_status == CLI_OK)
        exit_status =
            cli_comparison_open(comparison, CLI_N_SIDES, sides, files->outputs, files->n_outputs);
    if (exit_status != CLI_OK)
        return exit_status;
    if (eti_gate_report(&report, &outcome, sides[CLI_BASE], sides[CLI_NEW],
                        comparison->request.request, &err) != ETI_OK)
        return cli_fail(&err);
    return cli_gate_files_write(files, &comparison->request, report, outcome);
}

static int run(const cli_command *command, int argc, char **argv) {
    gate_arguments arguments = {.files = CLI_GATE_FILES_INIT};
    int exit_status =
        cli_comparison_run(command, &arguments.comparison, argc, argv, take, gate, &arguments);
    cli_gate_files_close(&arguments.files);
    return exit_status;
}

const cli_command cli_gate = {
    .name = "gate",
    .purpose = CLI_JUDGE,
    .bit = ETI__FOR_GATE,
    .arguments = "[BASE [ETRECORD] [PROGRAM]] NEW [ETRECORD] [PROGRAM]",
    .summary = "Fail if something got slower than the rules allow.",
    .example = "etinspect gate --fail_on 'op:p50>+10%' baseline.csv new.etdp",
    .details = details,
    .run = run,
};
