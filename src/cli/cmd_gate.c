/*
 * cmd_gate.c - etinspect gate BASE NEW: fails where something got slower than rules allow.
 */
#include "base/random.h"
#include "cli/comparison.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What GitHub takes of a step's summary. */
#define SUMMARY_BYTES ((size_t)1 << 20)

static const char details[] =
    "BASE and NEW are those of etinspect help diff. A rule is [SCOPE:]METRIC>LIMIT with a\n"
    "SCOPE of op (default), op=PATTERN, module, backend, source, total, operators,\n"
    "delegates, overhead, loading or allocation, a METRIC of p50, avg, p90, min or max, and a\n"
    "LIMIT of +5%, +20us or 20us, or of allocation +64kib or 2mib; behind it min_share=1% or\n"
    "min_effect=20us. It is broken by what is significant and that large.\n"
    "\n"
    "Exits 0 when no rule is broken, 1 when one is, 6 when there are too few samples to say;\n"
    "the reports are complete in any case.";

typedef struct extra_report {
    char *format;
    const char *path;
} extra_report;

typedef struct gate_arguments {
    cli_comparison comparison;
    const char **budgets, **allowed;
    extra_report *reports;
    size_t n_budgets, n_allowed, n_reports;
    int summary; /* the file that is appended to; -1: none */
} gate_arguments;

/* ---- options --------------------------------------------------------------------------------- */

/* A file that is read, so that no output replaces it. */
static int append_input(gate_arguments *arguments, const char ***list, size_t *n,
                        const char *path) {
    const char **grown = realloc(*list, (*n + 1) * sizeof *grown);
    if (!grown)
        return cli_fail_memory();
    *list = grown;
    grown[(*n)++] = path;
    return cli_inputs_add_plain(&arguments->comparison.request.inputs, path);
}

static bool is_format(const char *name, size_t length) {
    const char *format;
    for (size_t i = 0; (format = eti_format_name(i)); i++) {
        if (strlen(format) == length && strncmp(format, name, length) == 0)
            return true;
    }
    return false;
}

/* "junit=gate.xml" */
static int add_report(gate_arguments *arguments, const char *value) {
    const char *equals = strchr(value, '=');
    if (!equals || equals == value || equals[1] == '\0')
        return cli_fail_usage("--report: expected FORMAT=FILE, found '%s'", value);
    if (!is_format(value, (size_t)(equals - value)))
        return cli_fail_usage("--report: there is no format %.*s", (int)(equals - value), value);
    extra_report *grown = realloc(arguments->reports, (arguments->n_reports + 1) * sizeof *grown);
    if (!grown)
        return cli_fail_memory();
    arguments->reports = grown;
    char *format = strndup(value, (size_t)(equals - value));
    if (!format)
        return cli_fail_memory();
    grown[arguments->n_reports++] = (extra_report){format, equals + 1};
    return CLI_OK;
}

static int take(void *context, const eti__option *option, const char *value) {
    gate_arguments *arguments = context;
    if (option && strcmp(option->name, "budget") == 0)
        return append_input(arguments, &arguments->budgets, &arguments->n_budgets, value);
    if (option && strcmp(option->name, "allow") == 0)
        return append_input(arguments, &arguments->allowed, &arguments->n_allowed, value);
    if (option && strcmp(option->name, "report") == 0)
        return add_report(arguments, value);
    return cli_comparison_take(&arguments->comparison, option, value);
}

/* ---- files ----------------------------------------------------------------------------------- */

/* Opened before a sandbox is entered. */
typedef struct opened_files {
    eti_file **files;
    size_t n;
} opened_files;

/* Opens the files that an option named, and adds them to the request. */
static int open_files(opened_files *out, const char *const *paths, size_t n, const char *option,
                      eti_request *request) {
    out->files = calloc(n + 1, sizeof *out->files);
    if (!out->files)
        return cli_fail_memory();
    for (; out->n < n; out->n++) {
        eti_error err = ETI_ERROR_INIT;
        if (eti_file_open(&out->files[out->n], paths[out->n], &err) != ETI_OK)
            return cli_fail(&err);
        const eti_source source = eti_file_source(out->files[out->n]);
        if (eti_request_add_input(request, option, &source, &err) != ETI_OK) {
            eti_file_close(out->files[out->n]);
            return cli_fail(&err);
        }
    }
    return CLI_OK;
}

static void close_files(opened_files *files) {
    for (size_t i = 0; i < files->n; i++)
        eti_file_close(files->files[i]);
    free(files->files);
}

/* That a build of today says the same tomorrow. */
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

static bool is_for_github(const gate_arguments *arguments) {
    return cli_has(&arguments->comparison.request, "github");
}

/* NULL: none is wanted. */
static const char *summary_path(const gate_arguments *arguments) {
    const char *path = getenv("GITHUB_STEP_SUMMARY");
    return is_for_github(arguments) && path && *path ? path : NULL;
}

static int fail_summary(const gate_arguments *arguments) {
    eti_error err = {.status = ETI_ERROR_WRITE};
    snprintf(err.message, sizeof err.message, "%.4000s: cannot write: %s", summary_path(arguments),
             strerror(errno));
    return cli_fail(&err);
}

/* Before a sandbox is entered. */
static int open_summary(gate_arguments *arguments) {
    const char *path = summary_path(arguments);
    arguments->summary = path ? open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666) : -1;
    return path && arguments->summary < 0 ? fail_summary(arguments) : CLI_OK;
}

/* The runner reads the file at the end of the step; other programs of the step may have written to it. */
static int append_summary(gate_arguments *arguments, const eti_report *report) {
    eti_error err = ETI_ERROR_INIT;
    eti_request *request;
    char most_bytes[32];
    struct stat status;
    if (fstat(arguments->summary, &status) != 0)
        return fail_summary(arguments);
    size_t used = status.st_size > 0 ? (size_t)status.st_size : 0;
    snprintf(most_bytes, sizeof most_bytes, "%zu", used < SUMMARY_BYTES ? SUMMARY_BYTES - used : 1);
    eti_status written = eti_request_new(&request, &err);
    if (written == ETI_OK)
        written = eti_request_set(request, "most_bytes", most_bytes, &err);
    if (written == ETI_OK)
        written =
            eti_report_write(report, "markdown", request, write_to, &arguments->summary, &err);
    eti_request_free(request);
    if (written != ETI_OK)
        return written == ETI_ERROR_WRITE ? fail_summary(arguments) : cli_fail(&err);
    int file = arguments->summary;
    arguments->summary = -1;
    return close(file) == 0 ? CLI_OK : fail_summary(arguments);
}

static int print_for_github(gate_arguments *arguments, const eti_report *report) {
    eti_error err = ETI_ERROR_INIT;
    if (eti_report_save(report, "github", "-", arguments->comparison.request.request, &err) !=
        ETI_OK)
        return cli_fail(&err);
    return arguments->summary >= 0 ? append_summary(arguments, report) : CLI_OK;
}

/* Names in the report are anybody's, and a line of it may read like a command to the runner: no command is taken until
 * the token comes back. */
static int print_report(const gate_arguments *arguments, eti_report *report) {
    const cli_request *request = &arguments->comparison.request;
    uint64_t token[2];
    bool is_guarded = is_for_github(arguments) && strcmp(cli_output_path(request), "-") == 0;
    if (!is_guarded)
        return cli_request_print_report(request, report);
    if (!eti__random_bytes(token, sizeof token)) {
        eti_report_free(report);
        return cli_fail_usage("--github: there are no random numbers: use --output FILE");
    }
    printf("::stop-commands::%016llx%016llx\n", (unsigned long long)token[0],
           (unsigned long long)token[1]);
    fflush(stdout);
    int exit_status = cli_request_print_report(request, report);
    printf("::%016llx%016llx::\n", (unsigned long long)token[0], (unsigned long long)token[1]);
    return exit_status;
}

/* ---- reports --------------------------------------------------------------------------------- */

static bool is_short(const gate_arguments *arguments, const char *format) {
    return !cli_has(&arguments->comparison.request, "all") &&
           (strcmp(format, "text") == 0 || strcmp(format, "table") == 0);
}

/* People are spared what was passed, unless they ask for it. */
typedef struct gate_reports {
    eti_report *all, *short_one;
    eti_gate_outcome outcome;
} gate_reports;

/* All of them are written, whatever became of the one before. */
static int write_reports(gate_reports *reports, gate_arguments *arguments) {
    int worst = CLI_OK;
    for (size_t i = 0; i < arguments->n_reports; i++) {
        const extra_report *extra = &arguments->reports[i];
        const eti_report *report =
            is_short(arguments, extra->format) ? reports->short_one : reports->all;
        eti_error err = ETI_ERROR_INIT;
        if (eti_report_save(report, extra->format, extra->path,
                            arguments->comparison.request.request, &err) != ETI_OK)
            worst = cli_fail(&err);
    }
    if (is_for_github(arguments)) {
        int exit_status = print_for_github(arguments, reports->all);
        worst = exit_status != CLI_OK ? exit_status : worst;
    }
    eti_report **printed = is_short(arguments, cli_format(&arguments->comparison.request))
                               ? &reports->short_one
                               : &reports->all;
    eti_report *report = *printed;
    *printed = NULL; /* printing frees it */
    int exit_status = print_report(arguments, report);
    return exit_status != CLI_OK ? exit_status : worst;
}

static int exit_status_of(eti_gate_outcome outcome) {
    static const int exit_status[] = {
        [ETI_GATE_PASSED] = CLI_OK,
        [ETI_GATE_FAILED] = CLI_CHECK_FAILED,
        [ETI_GATE_TOO_FEW] = CLI_TOO_FEW,
    };
    return exit_status[outcome];
}

static int run_gate(gate_arguments *arguments, const char *const *outputs, size_t n_outputs) {
    cli_comparison *comparison = &arguments->comparison;
    eti_profile *sides[CLI_N_SIDES];
    gate_reports reports = {.all = NULL};
    eti_error err = ETI_ERROR_INIT;
    int exit_status = set_now(comparison->request.request);
    if (exit_status == CLI_OK)
        exit_status = cli_comparison_open(comparison, CLI_N_SIDES, sides, outputs, n_outputs);
    if (exit_status != CLI_OK)
        return exit_status;
    if (eti_gate_report(&reports.all, &reports.short_one, &reports.outcome, sides[CLI_BASE],
                        sides[CLI_NEW], comparison->request.request, &err) != ETI_OK)
        return cli_fail(&err);
    exit_status = write_reports(&reports, arguments);
    eti_report_free(reports.all);
    eti_report_free(reports.short_one);
    return exit_status != CLI_OK ? exit_status : exit_status_of(reports.outcome);
}

static int gate(gate_arguments *arguments) {
    cli_request *request = &arguments->comparison.request;
    opened_files budgets = {.n = 0}, allowed = {.n = 0};
    size_t n = 0;
    const char **outputs = calloc(arguments->n_reports + 3, sizeof *outputs);
    if (!outputs)
        return cli_fail_memory();
    outputs[n++] = cli_output_path(request);
    int exit_status = CLI_OK;
    for (size_t i = 0; i < arguments->n_reports && exit_status == CLI_OK; i++) {
        outputs[n++] = arguments->reports[i].path;
        exit_status = cli_check_format(request, arguments->reports[i].format);
    }
    outputs[n] = summary_path(arguments); /* stays open in a sandbox, unlike the others */
    if (exit_status == CLI_OK)
        exit_status = cli_inputs_check_outputs(&request->inputs, outputs, n + 1);
    if (exit_status == CLI_OK)
        exit_status = open_files(&budgets, arguments->budgets, arguments->n_budgets, "budget",
                                 request->request);
    if (exit_status == CLI_OK)
        exit_status = open_files(&allowed, arguments->allowed, arguments->n_allowed, "allow",
                                 request->request);
    if (exit_status == CLI_OK)
        exit_status = open_summary(arguments);
    if (exit_status == CLI_OK)
        exit_status = run_gate(arguments, outputs, n);
    close_files(&budgets);
    close_files(&allowed);
    free(outputs);
    return exit_status;
}

static void free_arguments(gate_arguments *arguments) {
    for (size_t i = 0; i < arguments->n_reports; i++)
        free(arguments->reports[i].format);
    if (arguments->summary >= 0)
        close(arguments->summary);
    free(arguments->reports);
    free(arguments->budgets);
    free(arguments->allowed);
    cli_comparison_close(&arguments->comparison);
}

static int run(const cli_command *command, int argc, char **argv) {
    gate_arguments arguments = {.summary = -1};
    bool is_done = false;
    int exit_status = cli_comparison_init(&arguments.comparison);
    if (exit_status == CLI_OK)
        exit_status = cli_request_parse(command, &arguments.comparison.request, argc, argv, take,
                                        &arguments, &is_done);
    if (exit_status == CLI_OK && !is_done)
        exit_status = gate(&arguments);
    free_arguments(&arguments);
    return exit_status;
}

const cli_command cli_gate = {
    .name = "gate",
    .bit = ETI__FOR_GATE,
    .arguments = "BASE [ETRECORD] NEW [ETRECORD]",
    .summary = "Fail where something got slower than rules allow.",
    .example = "etinspect gate --fail_on 'op:p50>+10%' baseline.csv new.etdp",
    .details = details,
    .run = run,
};
