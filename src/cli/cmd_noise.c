/*
 * cmd_noise.c - etinspect noise FILES...: which change can be found between files as noisy as these.
 */
#include "cli/comparison.h"

static const char details[] =
    "FILES are ETDumps of several processes of one program on one device, or baselines\n"
    "with several files, and at most one ETRecord. For the total and each event: how much\n"
    "files differ, which change diff finds in about 80 of 100 comparisons with 5, 8, 13 or\n"
    "20 files a side, how many files a side a change of 5 %, 10 % or 20 % needs, and a\n"
    "threshold for rules. One file cannot show how much files differ: exit status 6.";

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
    .summary = "Show how small a change can be found between processes this noisy.",
    .example = "etinspect noise run1.etdp run2.etdp run3.etdp run4.etdp run5.etdp",
    .details = details,
    .run = run,
};
