/*
 * cmd_trend.c - etinspect trend FILES...: when a program became slower or faster over time.
 */
#include "cli/comparison.h"

static const char details[] =
    "FILES are ETDumps in the order in which they were recorded, or a history (see etinspect\n"
    "help baseline), and at most one ETRecord. The total is compared as measured, events\n"
    "relative to the overall level of their file. A change is a point where the files before\n"
    "and after differ by more than chance explains and by at least --least_effect; drift counts\n"
    "as a change, too. With fewer than 11 files no change can be distinguished from chance, and\n"
    "the exit status is 6; to detect a change of a single event among many, 16 or more are\n"
    "needed.";

static int print_trend(void *comparison) {
    return cli_comparison_print_profile(comparison, eti_trend_report);
}

static int run(const cli_command *command, int argc, char **argv) {
    cli_comparison comparison;
    return cli_comparison_run(command, &comparison, argc, argv, cli_comparison_take, print_trend,
                              &comparison);
}

const cli_command cli_trend = {
    .name = "trend",
    .purpose = CLI_COMPARE,
    .bit = ETI__FOR_TREND,
    .arguments = "FILES...",
    .summary = "Find when a program got slower or faster.",
    .example = "etinspect trend history.csv tonight.etdp",
    .details = details,
    .run = run,
};
