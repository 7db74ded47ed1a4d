/*
 * cmd_trend.c - etinspect trend FILES...: where a program got slower or faster in the course of time.
 */
#include "cli/comparison.h"

static const char details[] =
    "FILES are ETDumps in the order they were recorded in, or a history (see etinspect help\n"
    "baseline), and at most one ETRecord. The total is compared as measured, events relative\n"
    "to the level of their file. A change is a place where the files before and after differ\n"
    "by more than chance explains, and by the least effect; drift is a change, too. There\n"
    "must be 6 files; to find a change of one among many events it takes 16 or more.";

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
