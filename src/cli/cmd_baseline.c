/*
 * cmd_baseline.c - etinspect baseline save|show|merge: profiles kept as small text files.
 */
#include "cli/comparison.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char details[] =
    "save OUT FILES    write the times and names that diff needs from ETDumps (and their\n"
    "                  ETRecord) to OUT, with each --label KEY=VALUE of device and build\n"
    "merge OUT FILES   merge several baselines into one\n"
    "show FILE         print a baseline and list its files\n"
    "\n"
    "A baseline is a CSV file with one line per event and one time per file, that is, per\n"
    "process. With save --append it grows night by night; --keep 30 drops the oldest files.\n"
    "Files with different labels are rejected, except for labels of builds (commit, build,\n"
    "date, branch, version) and those in which measure describes the machine.";

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

static int take(void *context, const eti__option *option, const char *value) {
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

static int run(const cli_command *command, int argc, char **argv) {
    baseline_arguments arguments = {.action = NULL};
    return cli_comparison_run(command, &arguments.comparison, argc, argv, take, act, &arguments);
}

const cli_command cli_baseline = {
    .name = "baseline",
    .purpose = CLI_COMPARE,
    .bit = ETI__FOR_BASELINE,
    .arguments = "save|merge OUT FILES... | show FILE",
    .summary = "Save a profile as a small text file for diff and gate.",
    .example = "etinspect baseline save --label device=board baseline.csv run.etdp",
    .details = details,
    .run = run,
};
