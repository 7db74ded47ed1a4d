#include "api/api.h"
#include "base/output.h"
#include "cli/comparison.h"
#include "cli/gate_files.h"
#include "cli/inputs.h"
#include "cli/message.h"
#include "cli/options.h"
#include "cli/request.h"
#include "etinspect.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ==== cmd diff ================================================================================ */
/* etinspect diff BASE NEW: changes between two profiles and their significance. */

static const char diff_details[] =
    "BASE and NEW are each an ETDump or a baseline (see etinspect help baseline). An ETRecord\n"
    "or program belongs to the ETDump before it; if there is only one, it belongs to both.\n"
    "To give several files per side, write --base FILE... --new FILE...: ETDumps and baselines\n"
    "belong to the side of the last of these options before them. Two programs without ETDumps\n"
    "are compared by their bytes, operators and planned memory.\n"
    "\n"
    "Each file counts as one sample, because it comes from one process: give at least five\n"
    "per side, recorded in turns. \"slower\" and \"faster\" mean that the difference is larger\n"
    "than chance explains between files of one side (p below alpha, adjusted for all judged\n"
    "rows) and at least --least_effect. \"~\" means noise, \"undecided\" that the files cannot "
    "tell.\n"
    "Events are judged relative to the other events of their file, because a slower machine\n"
    "slows them all; the column change is as measured, new / base - 1.\n"
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

/* Rejects statuses that --exit_code alone uses. */
static int check_statuses(const cli_comparison *comparison) {
    static const char *const names[] = {"failed_status", "undecided_status"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (cli_has(&comparison->request, names[i]) && !cli_has(&comparison->request, "exit_code"))
            return cli_fail_usage("--%s has no effect without --exit_code: leave it out", names[i]);
    }
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
        exit_status = check_statuses(comparison);
    if (exit_status == CLI_OK)
        exit_status = check_tensors(comparison);
    if (exit_status == CLI_OK)
        exit_status = check_sides(comparison);
    if (exit_status != CLI_OK)
        return exit_status;
    if (eti_diff_report(&report, sides[CLI_BASE], sides[CLI_NEW], comparison->request.request,
                        &err) != ETI_OK)
        return cli_fail(&err);
    eti_gate_outcome outcome = eti__report_outcome(report);
    exit_status = cli_request_print_report(&comparison->request, report);
    return exit_status == CLI_OK && cli_has(&comparison->request, "exit_code")
               ? cli_status_of(outcome)
               : exit_status;
}

static int run_diff(const cli_command *command, int argc, char **argv) {
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
    .details = diff_details,
    .run = run_diff,
};

/* ==== cmd gate ================================================================================ */
/* etinspect gate BASE NEW: fails if something became slower than the rules allow. */

static const char gate_details[] =
    "BASE and NEW are given as to etinspect diff: files of at least five processes per side,\n"
    "recorded in turns. A rule is [SCOPE:]METRIC>LIMIT, optionally followed by min_share=1%\n"
    "or min_effect=20us.\n"
    "\n"
    "  SCOPE    op (default), op=PATTERN, optype, module, backend, source, total,\n"
    "           operators, delegates, overhead, loading or allocation\n"
    "  METRIC   p50 (the median), p90, p95, p99, fast, avg, min or max\n"
    "  LIMIT    +5%, +20us or 20us; for allocation +64kib or 2mib\n"
    "\n"
    "A rule is broken by a significant change of at least LIMIT. If all limits are absolute,\n"
    "such as 20us, no BASE is needed.\n"
    "\n"
    "For programs (.pte), alone or in addition to ETDumps, rules such as 'file_size > 1MB'\n"
    "or 'file_size > +1%' limit file_size, arena_size, arena_peak, waste, constants,\n"
    "delegate_blobs, instructions or operators. They are exact, without statistics.\n"
    "\n"
    "Exits with 0 if nothing is slower by the limit and --margin, with 1 if a rule is broken,\n"
    "and with 6 if there is not enough data to decide. All reports are written in each of these\n"
    "cases. --failed_status, --undecided_status and --error_status give other statuses.";

typedef struct gate_arguments {
    cli_comparison comparison;
    cli_gate_files files;
} gate_arguments;

static int take_gate(void *context, const eti__option *option, const char *value) {
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

static int run_gate(const cli_command *command, int argc, char **argv) {
    gate_arguments arguments = {.files = CLI_GATE_FILES_INIT};
    int exit_status =
        cli_comparison_run(command, &arguments.comparison, argc, argv, take_gate, gate, &arguments);
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
    .details = gate_details,
    .run = run_gate,
};

/* ==== cmd noise =============================================================================== */
/* etinspect noise FILES...: the smallest change that can be found between files as noisy as these. */

static const char noise_details[] =
    "FILES are ETDumps of several processes of one program on one device, or baselines with\n"
    "several files, and at most one ETRecord. For the total and for each event, prints how\n"
    "much the files differ, and how exactly diff would know a change: half of the width of its\n"
    "90 % interval with 5, 8, 12 or 20 files per side. A single file does not show how much\n"
    "files differ: exit status 6.";

static int print_noise(void *comparison) {
    return cli_comparison_print_profile(comparison, eti_noise_report);
}

static int run_noise(const cli_command *command, int argc, char **argv) {
    cli_comparison comparison;
    return cli_comparison_run(command, &comparison, argc, argv, cli_comparison_take, print_noise,
                              &comparison);
}

const cli_command cli_noise = {
    .name = "noise",
    .purpose = CLI_COMPARE,
    .bit = ETI__FOR_NOISE,
    .arguments = "FILES...",
    .summary = "Estimate how exactly files this noisy show a change.",
    .example = "etinspect noise run1.etdp run2.etdp run3.etdp run4.etdp run5.etdp",
    .details = noise_details,
    .run = run_noise,
};

/* ==== cmd trend =============================================================================== */
/* etinspect trend FILES...: when a program became slower or faster over time. */

static const char trend_details[] =
    "FILES are ETDumps in the order in which they were recorded, or a history (see etinspect\n"
    "help baseline), and at most one ETRecord. The unit is the push: all files with the same\n"
    "label job or, without it, commit, since all processes of a job share its machine. The\n"
    "total is compared as measured, events relative to the overall level of their file. A\n"
    "change is a point where the pushes before and after differ by more than chance explains\n"
    "and by at least --least_effect; drift counts as a change, too. With fewer than 11 pushes no\n"
    "change can be distinguished from chance, and the exit status is 6; to detect a change of a\n"
    "single event among many, 16 or more are needed. Changes that --allow lists are known, and\n"
    "are not reported again.";

static int print_trend(void *context) {
    gate_arguments *arguments = context;
    cli_comparison *comparison = &arguments->comparison;
    int exit_status = cli_gate_files_open_allowed(&arguments->files, &comparison->request);
    return exit_status == CLI_OK ? cli_comparison_print_profile(comparison, eti_trend_report)
                                 : exit_status;
}

static int run_trend(const cli_command *command, int argc, char **argv) {
    gate_arguments arguments = {.files = CLI_GATE_FILES_INIT};
    int exit_status = cli_comparison_run(command, &arguments.comparison, argc, argv, take_gate,
                                         print_trend, &arguments);
    cli_gate_files_close(&arguments.files);
    return exit_status;
}

const cli_command cli_trend = {
    .name = "trend",
    .purpose = CLI_COMPARE,
    .bit = ETI__FOR_TREND,
    .arguments = "FILES...",
    .summary = "Find when a program got slower or faster.",
    .example = "etinspect trend history.csv tonight.etdp",
    .details = trend_details,
    .run = run_trend,
};

/* ==== cmd baseline ============================================================================ */
/* etinspect baseline save|show|merge: profiles kept as small text files. */

static const char baseline_details[] =
    "save OUT FILES    write the times and names that diff needs from ETDumps (and their\n"
    "                  ETRecord) to OUT, with each --label KEY=VALUE of device and build\n"
    "merge OUT FILES   merge several baselines into one\n"
    "show FILE         print a baseline and list its files\n"
    "\n"
    "A baseline is a CSV file with one line per event and one time per file, that is, per\n"
    "process. With save --append it grows push by push (files with the same label job or\n"
    "commit); the files of earlier pushes become one entry, which only trend can use. --keep 30\n"
    "drops the oldest pushes.\n"
    "Files with different labels are rejected, except for labels of builds (commit, build,\n"
    "date, branch, version), the label job, and those in which measure describes the machine.";

typedef struct baseline_arguments {
    cli_comparison comparison;
    const char *action;
    const char *out;
} baseline_arguments;

static bool writes(const char *action) {
    return strcmp(action, "save") == 0 || strcmp(action, "merge") == 0;
}

static int fail_action(const char *value) {
    static const char *const actions[] = {"save", "merge", "show"};
    const char *nearest = NULL;
    size_t least = ETI__TOO_FAR;
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++) {
        if (eti__is_nearer(actions[i], value, &least))
            nearest = actions[i];
    }
    if (nearest)
        return cli_fail_usage("baseline: there is no %s: did you mean %s?", value, nearest);
    return cli_fail_usage("baseline: expected save OUT FILES, merge OUT FILES or show FILE, found "
                          "'%s'",
                          value);
}

/* Checks that the output replaces no file that is known to be something other than a baseline: that is an input, which
 * would be lost, because the name of the output was forgotten. */
static int check_out(const baseline_arguments *arguments) {
    eti_file *file = NULL;
    struct stat status;
    if (stat(arguments->out, &status) != 0 || !S_ISREG(status.st_mode) ||
        eti_file_open(&file, arguments->out, NULL) != ETI_OK)
        return CLI_OK;
    eti_file_kind kind = eti__file_kind(file);
    eti_file_close(file);
    if (kind == ETI_FILE_BASELINE || kind == ETI_FILE_EMPTY || kind == ETI_FILE_UNKNOWN)
        return CLI_OK;
    return cli_fail_usage("baseline %s: %s is %s and would be overwritten: name the output file "
                          "first, and then the inputs",
                          arguments->action, arguments->out, cli_name_of_kind(kind));
}

static int take_plain(baseline_arguments *arguments, const char *value) {
    if (!arguments->action) {
        arguments->action = value;
        return writes(value) || strcmp(value, "show") == 0 ? CLI_OK : fail_action(value);
    }
    if (writes(arguments->action) && !arguments->out) {
        arguments->out = value;
        return CLI_OK;
    }
    return cli_comparison_take(&arguments->comparison, NULL, value);
}

static int take_baseline(void *context, const eti__option *option, const char *value) {
    baseline_arguments *arguments = context;
    return option ? cli_comparison_take(&arguments->comparison, option, value)
                  : take_plain(arguments, value);
}

static void say_that_it_waits(const char *path) {
    cli_warn("%s: waiting for another process that appends in this folder", path);
}

/* Waits until no other process appends to a baseline in this folder, so that no process reads a file that another is about
 * to replace. Sets *out to a descriptor that holds the lock, or to -1 if the folder cannot be locked; if that matters,
 * saving fails with the reason. */
static int lock_folder(int *out, const char *path) {
    *out = eti__folder_lock(path, say_that_it_waits);
    if (*out < 0 && errno == ENOMEM)
        return cli_fail_memory();
    if (*out < 0 && errno != ENOENT)
        cli_warn("%s: cannot lock its folder: %s; append to it from one process at a time", path,
                 strerror(errno));
    return CLI_OK;
}

static int write_baseline(baseline_arguments *arguments) {
    cli_comparison *comparison = &arguments->comparison;
    const char *const outputs[] = {arguments->out};
    eti_profile *profile;
    eti_error err = ETI_ERROR_INIT;
    int exit_status = cli_comparison_open(comparison, 1, &profile, outputs, 1);
    if (exit_status != CLI_OK)
        return exit_status;
    if (eti_profile_save(profile, arguments->out, comparison->request.request, &err) != ETI_OK)
        return cli_fail(&err);
    return CLI_OK;
}

static int append(baseline_arguments *arguments) {
    if (strcmp(arguments->out, "-") == 0)
        return cli_fail_usage("--append: standard output (-) holds no baseline to append to");
    int lock, exit_status = lock_folder(&lock, arguments->out);
    if (exit_status == CLI_OK && access(arguments->out, F_OK) == 0)
        exit_status = cli_comparison_append_to(&arguments->comparison, arguments->out);
    if (exit_status == CLI_OK)
        exit_status = write_baseline(arguments);
    if (lock >= 0)
        close(lock);
    return exit_status;
}

static int show(cli_comparison *comparison) {
    return cli_comparison_print_profile(comparison, eti_profile_report);
}

static int act(void *context) {
    baseline_arguments *arguments = context;
    cli_comparison *comparison = &arguments->comparison;
    if (!arguments->action)
        return cli_fail_usage("baseline: expected save OUT FILES, merge OUT FILES or show FILE");
    comparison->request.bit =
        writes(arguments->action) ? ETI__FOR_BASELINE_SAVE : ETI__FOR_BASELINE_SHOW;
    comparison->sides.takes_programs = strcmp(arguments->action, "save") == 0;
    if (!writes(arguments->action))
        return show(comparison);
    if (!arguments->out || *arguments->out == '\0')
        return cli_fail_usage("baseline %s: name the output file, and then the inputs",
                              arguments->action);
    int exit_status = check_out(arguments);
    if (exit_status != CLI_OK)
        return exit_status;
    return cli_has(&arguments->comparison.request, "append") ? append(arguments)
                                                             : write_baseline(arguments);
}

static int run_baseline(const cli_command *command, int argc, char **argv) {
    baseline_arguments arguments = {.action = NULL};
    return cli_comparison_run(command, &arguments.comparison, argc, argv, take_baseline, act,
                              &arguments);
}

const cli_command cli_baseline = {
    .name = "baseline",
    .purpose = CLI_COMPARE,
    .bit = ETI__FOR_BASELINE,
    .arguments = "save|merge OUT FILES... | show FILE",
    .summary = "Save a profile as a small text file for diff and gate.",
    .example = "etinspect baseline save --label device=board baseline.csv run.etdp",
    .details = baseline_details,
    .run = run_baseline,
};
