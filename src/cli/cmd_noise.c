/*
 * cmd_noise.c - etinspect noise FILES...: the smallest change that can be found between files as
 * noisy as these.
 */
#include "cli/comparison.h"

static const char details[] =
    "FILES are ETDumps of several processes of one program on one device, or baselines with\n"
    "several files, and at most one ETRecord. For the total and for each event, prints how\n"
    "much the files differ, the change that diff detects in about 80 of 100 comparisons with\n"
    "5, 8, 13 or 20 files per side, the number of files per side needed to detect a change of\n"
    "5 %, 10 % or 20 %, and a threshold for rules. A single file does not show how much files\n"
    "differ: exit status 6.";

static int print_noise(void *comparison) {
    return cli_comparison_print_profile(comparison, eti_noise_report);
}

static int run(const cli_command *command, int argc, char **argv) {
    cli_comparison comparison;
    return cli_comparison_run(command, &comparison, argc, argv, cli_comparison_take, print_noise,
                              &comparison);
}

const cli_command cli_noise = {
    .name = "noise",
    .purpose = CLI_COMPARE,
    .bit = ETI__FOR_NOISE,
    .arguments = "FILES...",
    .summary = "Estimate the smallest slowdown that runs this noisy can reveal.",
    .example = "etinspect noise run1.etdp run2.etdp run3.etdp run4.etdp run5.etdp",
    .details = details,
    .run = run,
};
