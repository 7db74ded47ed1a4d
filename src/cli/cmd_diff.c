/*
 * cmd_diff.c - etinspect diff BASE NEW: changes between two profiles and their significance.
 */
#include "cli/comparison.h"

static const char details[] =
    "BASE and NEW are each an ETDump or a baseline (see etinspect help baseline); an\n"
    "ETRecord or program belongs to the one that stands before it, and one alone to both.\n"
    "Sides of several files are named with --base and --new, once per file. Two programs\n"
    "without ETDumps are compared by their bytes, operators and planned memory.\n"
    "\n"
    "The unit of evidence is the file, which is one process: give five a side, recorded in\n"
    "turns. slower and faster mean: by more than files of one side differ by chance (p below\n"
    "alpha, adjusted for all rows that are judged), and by the least effect or more. ~ is\n"
    "noise; undecided: there are too few files. Ratios of events are relative to the level,\n"
    "that of most events, and marked where that differs from new / base.\n"
    "\n"
    "With the debug buffers of both ETDumps, events, and groups by module, source or node, also\n"
    "show how far what they recorded is from the base: see etinspect help numerics.";

/* Refuses options of recorded tensors without a debug buffer of each side. */
static int check_tensors(const cli_comparison *comparison) {
    static const char *const names[] = {"match", "run"};
    size_t n = comparison->n_debug_buffers;
    for (size_t i = 0; n == 0 && i < sizeof names / sizeof *names; i++) {
        if (cli_has(&comparison->request, names[i]))
            return cli_fail_usage("--%s changes nothing without --debug_buffer_path: leave it out",
                                  names[i]);
    }
    if (n == 1)
        return cli_fail_usage("--debug_buffer_path: there are two sides: give the debug buffer of "
                              "the base, and then that of the new side");
    return CLI_OK;
}

/* Baselines keep no tensors, and programs alone have none. */
static int check_sides(const cli_comparison *comparison) {
    for (size_t i = 0; i < comparison->n_debug_buffers; i++) {
        if (!comparison->inspectors[i])
            return cli_fail_usage("--debug_buffer_path: the %s is no ETDump, so that it has no "
                                  "tensors: leave it out",
                                  i == CLI_BASE ? "base" : "new side");
    }
    return CLI_OK;
}

static int diff(void *context) {
    cli_comparison *comparison = context;
    const char *const outputs[] = {cli_output_path(&comparison->request)};
    eti_profile *sides[CLI_N_SIDES];
    eti_report *report;
    eti_error err = ETI_ERROR_INIT;
    int exit_status = cli_comparison_open(comparison, CLI_N_SIDES, sides, outputs, 1);
    if (exit_status == CLI_OK)
        exit_status = check_tensors(comparison);
    if (exit_status == CLI_OK)
        exit_status = check_sides(comparison);
    if (exit_status != CLI_OK)
        return exit_status;
    if (eti_diff_report(&report, sides[CLI_BASE], sides[CLI_NEW], comparison->request.request,
                        &err) != ETI_OK)
        return cli_fail(&err);
    return cli_request_print_report(&comparison->request, report);
}

static int run(const cli_command *command, int argc, char **argv) {
    cli_comparison comparison;
    return cli_comparison_run(command, &comparison, argc, argv, cli_comparison_take, diff,
                              &comparison);
}

const cli_command cli_diff = {
    .name = "diff",
    .purpose = CLI_COMPARE,
    .bit = ETI__FOR_DIFF,
    .arguments = "BASE [ETRECORD] [PROGRAM] NEW [ETRECORD] [PROGRAM]",
    .summary = "Show which events got slower or faster between two profiles.",
    .example = "etinspect diff --group op old.etdp new.etdp model.etrecord",
    .details = details,
    .run = run,
};
