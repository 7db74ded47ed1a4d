/*
 * cmd_diff.c - etinspect diff BASE NEW: changes between two profiles and their significance.
 */
#include "cli/comparison.h"

static const char details[] =
    "BASE and NEW are each an ETDump or a baseline (see etinspect help baseline). An ETRecord\n"
    "or program belongs to the ETDump before it; if there is only one, it belongs to both.\n"
    "To give several files per side, write --base FILE... --new FILE...: ETDumps and baselines\n"
    "belong to the side of the last of these options before them. Two programs without ETDumps\n"
    "are compared by their bytes, operators and planned memory.\n"
    "\n"
    "Each file counts as one sample, because it comes from one process: give at least five\n"
    "per side, recorded in turns. \"slower\" and \"faster\" mean that the difference is larger\n"
    "than chance explains between files of one side (p below alpha, adjusted for all judged\n"
    "rows) and at least --least_effect. \"~\" means noise, \"undecided\" too few files. Ratios of\n"
    "events are relative to the overall level of their file, the ratio of most events; they\n"
    "are marked if that differs from new / base.\n"
    "\n"
    "With the debug buffers of both ETDumps, events, and groups by module, source or node,\n"
    "also show how far their recorded tensors are from the base: see etinspect help numerics.";

/* Rejects options of recorded tensors unless each side has a debug buffer. */
static int check_tensors(const cli_comparison *comparison) {
    static const char *const names[] = {"match", "run"};
    size_t n = comparison->n_debug_buffers;
    for (size_t i = 0; n == 0 && i < sizeof names / sizeof *names; i++) {
        if (cli_has(&comparison->request, names[i]))
            return cli_fail_usage("--%s has no effect without --debug_buffer_path: leave it out",
                                  names[i]);
    }
    if (n == 1)
        return cli_fail_usage("--debug_buffer_path: one debug buffer for two sides: give that of "
                              "the base, and then that of the new side");
    return CLI_OK;
}

/* Rejects debug buffers for sides without tensors: baselines keep none, and programs alone have
 * none. */
static int check_sides(const cli_comparison *comparison) {
    for (size_t i = 0; i < comparison->n_debug_buffers; i++) {
        if (!comparison->inspectors[i])
            return cli_fail_usage(
                "--debug_buffer_path: the %s is not an ETDump, so it has no tensors: leave it out",
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
