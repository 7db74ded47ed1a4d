/*
 * cmd_noise.c - etinspect noise RUNS...: smallest change that a comparison of such runs can detect.
 */
#include "cli/comparison.h"

static const char details[] =
    "RUNS are ETDumps or baselines of the same program on the same device, and at most\n"
    "one ETRecord. For each event: the median, its scatter (mad, cv), how far the medians\n"
    "of files lie apart, the smallest slowdown that diff finds, how many runs a side a\n"
    "slowdown of 5 % or 10 % needs, and a threshold for rules.";

static int take(void *context, const eti__option *option, const char *value) {
    return cli_comparison_take(context, option, value);
}

static int print_noise(cli_comparison *comparison) {
    return cli_comparison_print_profile(comparison, eti_noise_report);
}

static int run(const cli_command *command, int argc, char **argv) {
    cli_comparison comparison;
    return cli_comparison_run(command, &comparison, argc, argv, take, print_noise);
}

const cli_command cli_noise = {
    .name = "noise",
    .bit = ETI__FOR_NOISE,
    .arguments = "RUNS...",
    .summary = "Tell what slowdown could be found among runs as noisy as these.",
    .example = "etinspect noise run1.etdp run2.etdp",
    .details = details,
    .run = run,
};
