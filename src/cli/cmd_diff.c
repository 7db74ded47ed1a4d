/*
 * cmd_diff.c - etinspect diff BASE NEW: what got slower or faster, and how certain that is.
 */
#include "cli/comparison.h"

static const cli_option options[] = {
    {"group", "BY", "compare groups of events as well: by op, module, backend or source",
     "op,module,backend,source", false},
    {NULL, NULL, NULL, NULL, false},
};
static const cli_option_group own_options = {"Groups", options};

static const cli_option_group *const groups[] = {
    &cli_side_options,   &cli_run_options,    &own_options,
    &cli_test_options,   &cli_time_options,   &cli_selection_options,
    &cli_output_options, &cli_common_options, NULL,
};

static const char details[] =
    "BASE and NEW are each an ETDump or a baseline (see etinspect help baseline); an\n"
    "ETRecord belongs to the one that stands before it, and one alone to both. Sides of\n"
    "several files are named with --base and --new, once per file.\n"
    "\n"
    "slower and faster mean: significant (p < alpha, adjusted for the number of events)\n"
    "and larger than the least effect. ~ is noise; few: no result could be significant\n"
    "with so few runs. low and high are the interval of the ratio new / base.";

static int take(void *context, const char *name, const char *value) {
    cli_comparison *comparison = context;
    bool known;
    int exit_status = cli_comparison_take(comparison, name, value, &known);
    if (!known)
        comparison->diff.group = value;
    return exit_status;
}

static int diff(cli_comparison *comparison) {
    const char *const outputs[] = {comparison->request.output_path};
    eti_profile *sides[CLI_N_SIDES];
    eti_report *report;
    eti_error err;
    int exit_status = cli_comparison_open(comparison, CLI_N_SIDES, sides, outputs, 1);
    if (exit_status != CLI_OK)
        return exit_status;
    if (eti_diff_report(&report, sides[CLI_BASE], sides[CLI_NEW], &comparison->diff, &err) !=
        ETI_OK)
        return cli_fail(&err);
    return cli_request_print_report(&comparison->request, report);
}

static int run(const cli_command *command, int argc, char **argv) {
    cli_comparison comparison = CLI_COMPARISON_DEFAULT;
    return cli_comparison_run(command, &comparison, argc, argv, take, diff);
}

const cli_command cli_diff = {
    .name = "diff",
    .arguments = "BASE [ETRECORD] NEW [ETRECORD]",
    .summary = "Tell what got slower or faster between two profiles.",
    .details = details,
    .groups = groups,
    .run = run,
};
