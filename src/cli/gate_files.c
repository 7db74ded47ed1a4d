#include "cli/gate_files.h"

#include "cli/message.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Size limit of the summary of a step on GitHub. */
#define SUMMARY_BYTES ((size_t)1 << 20)

/* ---- options --------------------------------------------------------------------------------- */

/* Adds a file that is read, so that no output replaces it. */
static int append_input(cli_gate_inputs *inputs, cli_request *request, const char *path) {
    const char **grown = realloc(inputs->paths, (inputs->n_paths + 1) * sizeof *grown);
    if (!grown)
        return cli_fail_memory();
    inputs->paths = grown;
    grown[inputs->n_paths++] = path;
    return cli_inputs_add_plain(&request->inputs, path);
}

static int check_format(const char *wanted) {
    const char *format, *nearest = NULL;
    size_t least = ETI__TOO_FAR;
    for (size_t i = 0; (format = eti_format_name(i)); i++) {
        if (strcmp(format, wanted) == 0)
            return CLI_OK;
        if (eti__is_nearer(format, wanted, &least))
            nearest = format;
    }
    return cli_fail_usage("--report: there is no format %s%s%s%s", wanted,
                          nearest ? ": did you mean " : "; try junit, markdown or json",
                          nearest ? nearest : "", nearest ? "?" : "");
}

/* "junit=gate.xml" */
static int add_report(cli_gate_files *files, cli_request *request, const char *value) {
    int exit_status = cli_reports_take(&files->reports, value);
    if (exit_status != CLI_OK)
        return exit_status;
    const char *format = files->reports.values[files->reports.n - 1].format;
    exit_status = check_format(format);
    return exit_status == CLI_OK ? cli_request_add_format(request, format) : exit_status;
}

bool cli_gate_files_takes(const eti__option *option) {
    return option && (strcmp(option->name, "budget") == 0 || strcmp(option->name, "allow") == 0 ||
                      strcmp(option->name, "report") == 0);
}

int cli_gate_files_take(cli_gate_files *files, cli_request *request, const eti__option *option,
                        const char *value) {
    if (strcmp(option->name, "budget") == 0)
        return append_input(&files->budgets, request, value);
    if (strcmp(option->name, "allow") == 0)
        return append_input(&files->allowed, request, value);
    return add_report(files, request, value);
}

/* ---- opening --------------------------------------------------------------------------------- */

/* Opens the files that an option named, and adds them to the request. */
static int open_inputs(cli_gate_inputs *inputs, const char *option, eti_request *request) {
    inputs->files = calloc(inputs->n_paths + 1, sizeof *inputs->files);
    if (!inputs->files)
        return cli_fail_memory();
    for (; inputs->n_files < inputs->n_paths; inputs->n_files++) {
        eti_file **file = &inputs->files[inputs->n_files];
        eti_error err = ETI_ERROR_INIT;
        if (eti_file_open(file, inputs->paths[inputs->n_files], &err) != ETI_OK)
            return cli_fail(&err);
        if (eti__file_check_zip(*file,
                                strcmp(option, "budget") == 0 ? "a CSV file of rules"
                                                              : "a CSV file of exceptions",
                                &err) != ETI_OK) {
            eti_file_close(*file);
            return cli_fail(&err);
        }
        const eti_source source = eti_file_source(*file);
        const char *kind = cli_name_of_kind(eti__file_kind(*file));
        if (kind) {
            eti_file_close(*file);
            return cli_fail_usage("--%s: %s is %s: expected a CSV file of %s", option,
                                  inputs->paths[inputs->n_files], kind,
                                  strcmp(option, "budget") == 0 ? "rules" : "exceptions");
        }
        if (eti_request_add_input(request, option, &source, &err) != ETI_OK) {
            eti_file_close(*file);
            return cli_fail(&err);
        }
    }
    return CLI_OK;
}

static void close_inputs(cli_gate_inputs *inputs) {
    for (size_t i = 0; i < inputs->n_files; i++)
        eti_file_close(inputs->files[i]);
    free(inputs->files);
    free(inputs->paths);
}

/* Takes the time from SOURCE_DATE_EPOCH, so that a build repeated later gives the same result. */
static int set_now(eti_request *request) {
    const char *epoch = getenv("SOURCE_DATE_EPOCH");
    char *end;
    if (!epoch || !*epoch)
        return CLI_OK;
    errno = 0;
    int64_t now = strtoll(epoch, &end, 10);
    if (*end != '\0' || errno != 0 || now < 0)
        return cli_fail_usage("SOURCE_DATE_EPOCH: '%s' is not a number of seconds", epoch);
    char seconds[32];
    snprintf(seconds, sizeof seconds, "%" PRId64, now);
    return cli_set(request, "now", seconds);
}

static bool is_for_github(const cli_request *request) {
    return cli_has(request, "github");
}

/* Returns the file that GitHub reads the summary of a step from; NULL: none is wanted. */
static const char *summary_path(const cli_request *request) {
    const char *path = getenv("GITHUB_STEP_SUMMARY");
    return is_for_github(request) && path && *path ? path : NULL;
}

static int fail_summary(const cli_request *request) {
    eti_error err = {.status = ETI_ERROR_WRITE};
    snprintf(err.message, sizeof err.message, "%.4000s: cannot write: %s%s", summary_path(request),
             strerror(errno), errno == ENOENT ? ": create the folder first" : "");
    return cli_fail(&err);
}

/* Opens the summary; must be called before the sandbox is entered. */
static int open_summary(cli_gate_files *files, const cli_request *request) {
    const char *path = summary_path(request);
    files->summary = path ? open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666) : -1;
    return path && files->summary < 0 ? fail_summary(request) : CLI_OK;
}

/* Lists the outputs. The summary is the last; it is open before the sandbox is entered, unlike the others. */
static int list_outputs(cli_gate_files *files, const cli_request *request) {
    files->outputs = calloc(files->reports.n + 2, sizeof *files->outputs);
    if (!files->outputs)
        return cli_fail_memory();
    files->outputs[files->n_outputs++] = cli_output_path(request);
    for (size_t i = 0; i < files->reports.n; i++) {
        files->outputs[files->n_outputs++] = files->reports.values[i].path;
        int exit_status = cli_check_format(request, files->reports.values[i].format);
        if (exit_status != CLI_OK)
            return exit_status;
    }
    files->outputs[files->n_outputs] = summary_path(request);
    return cli_inputs_check_outputs(&request->inputs, files->outputs, files->n_outputs + 1);
}

int cli_gate_files_open(cli_gate_files *files, cli_request *request) {
    int exit_status = list_outputs(files, request);
    if (exit_status == CLI_OK && is_for_github(request))
        exit_status = cli_request_add_format(request, "github");
    if (exit_status == CLI_OK && summary_path(request))
        exit_status = cli_request_add_format(request, "markdown");
    if (exit_status == CLI_OK)
        exit_status = open_inputs(&files->budgets, "budget", request->request);
    if (exit_status == CLI_OK)
        exit_status = open_inputs(&files->allowed, "allow", request->request);
    if (exit_status == CLI_OK)
        exit_status = open_summary(files, request);
    return exit_status == CLI_OK ? set_now(request->request) : exit_status;
}

int cli_gate_files_open_allowed(cli_gate_files *files, cli_request *request) {
    return open_inputs(&files->allowed, "allow", request->request);
}

void cli_gate_files_close(cli_gate_files *files) {
    cli_reports_free(&files->reports);
    if (files->summary >= 0)
        close(files->summary);
    close_inputs(&files->budgets);
    close_inputs(&files->allowed);
    free(files->outputs);
}

/* ---- GitHub ---------------------------------------------------------------------------------- */

static bool write_to(void *context, const void *data, size_t size) {
    const char *bytes = data;
    int descriptor = *(int *)context;
    while (size > 0) {
        ssize_t n = write(descriptor, bytes, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        bytes += n;
        size -= (size_t)n;
    }
    return true;
}

/* Appends the report to the summary, as far as its size limit allows: other programs of the step may have written to the
 * file. */
static int append_summary(cli_gate_files *files, const cli_request *request,
                          const eti_report *report) {
    eti_error err = ETI_ERROR_INIT;
    eti_request *limited;
    char most_bytes[32];
    off_t end = lseek(files->summary, 0, SEEK_END); /* fstat() may fail in the sandbox */
    size_t used = end > 0 ? (size_t)end : 0;
    snprintf(most_bytes, sizeof most_bytes, "%zu", used < SUMMARY_BYTES ? SUMMARY_BYTES - used : 1);
    eti_status written = eti_request_new(&limited, &err);
    if (written == ETI_OK) {
        eti_request_set_option_prefix(limited, "--");
        written = eti_request_set(limited, "most_bytes", most_bytes, &err);
    }
    if (written == ETI_OK)
        written = eti_report_write(report, "markdown", limited, write_to, &files->summary, &err);
    eti_request_free(limited);
    if (written != ETI_OK)
        return written == ETI_ERROR_WRITE ? fail_summary(request) : cli_fail(&err);
    int file = files->summary;
    files->summary = -1;
    return close(file) == 0 ? CLI_OK : fail_summary(request);
}

static int print_for_github(cli_gate_files *files, const cli_request *request,
                            const eti_report *report) {
    eti_error err = ETI_ERROR_INIT;
    if (eti_report_save(report, "github", "-", request->request, &err) != ETI_OK)
        return cli_fail(&err);
    return files->summary >= 0 ? append_summary(files, request, report) : CLI_OK;
}

/* Prints the report, which has untrusted names. Text and Markdown cannot contain commands to GitHub's runner, but JSON, JUnit
 * and other formats keep names as they are: for these, stops commands until the token is printed again. */
static int print_report(const cli_request *request, eti_report *report) {
    uint64_t token[2];
    bool is_guarded = is_for_github(request) && strcmp(cli_output_path(request), "-") == 0;
    if (!is_guarded)
        return cli_request_print_report(request, report);
    if (!eti__random_bytes(token, sizeof token)) {
        eti_report_free(report);
        return cli_fail_usage("--github: no random numbers are available: use --output FILE");
    }
    printf("::stop-commands::%016llx%016llx\n", (unsigned long long)token[0],
           (unsigned long long)token[1]);
    fflush(stdout);
    int exit_status = cli_request_print_report(request, report);
    printf("::%016llx%016llx::\n", (unsigned long long)token[0], (unsigned long long)token[1]);
    return exit_status;
}

/* ---- reports --------------------------------------------------------------------------------- */

/* Writes all reports, even if one fails. */
static int write_extra_reports(const cli_gate_files *files, const cli_request *request,
                               const eti_report *report) {
    int worst = CLI_OK;
    for (size_t i = 0; i < files->reports.n; i++) {
        const eti__report_target *extra = &files->reports.values[i];
        eti_error err = ETI_ERROR_INIT;
        if (eti_report_save(report, extra->format, extra->path, request->request, &err) != ETI_OK)
            worst = cli_fail(&err);
    }
    return worst;
}

int cli_status_of(eti_gate_outcome outcome) {
    static const int exit_status[] = {
        [ETI_GATE_PASSED] = CLI_OK,
        [ETI_GATE_FAILED] = CLI_CHECK_FAILED,
        [ETI_GATE_UNDECIDED] = CLI_TOO_FEW,
    };
    return exit_status[outcome];
}

int cli_gate_files_write(cli_gate_files *files, const cli_request *request, eti_report *report,
                         eti_gate_outcome outcome) {
    int worst = write_extra_reports(files, request, report);
    if (is_for_github(request)) {
        int exit_status = print_for_github(files, request, report);
        worst = exit_status != CLI_OK ? exit_status : worst;
    }
    int exit_status = print_report(request, report); /* frees it */
    if (worst != CLI_OK && (exit_status == CLI_OK || exit_status == CLI_CHECK_FAILED))
        exit_status = worst;
    return exit_status != CLI_OK ? exit_status : cli_status_of(outcome);
}
