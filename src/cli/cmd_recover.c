/*
 * cmd_recover.c - etinspect recover FILE: writes the ETDump of a journal that libetcapture recorded.
 */
#include "api/api.h"
#include "cli/inputs.h"
#include "cli/message.h"
#include "cli/options.h"
#include "cli/request.h"
#include "etcapture.h"
#include "etinspect.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

static const char details[] =
    "A journal is a file into which a program records with etc_open_journal() of libetcapture.\n"
    "It survives any crash of the program. Complete runs are written to the ETDump; the numbers\n"
    "of runs written and left out are printed to standard error. Other commands read journals\n"
    "just like ETDumps. A stream of etc_stream_send() is read like a journal, also from standard\n"
    "input (-) and with other output of a board between its packets.";

/* ---- opening --------------------------------------------------------------------------------- */

static int fail_malformed(const char *name, const char *text) {
    eti_error err = {.status = ETI_ERROR_MALFORMED};
    snprintf(err.message, sizeof err.message, "%s: %s", name, text);
    return cli_fail(&err);
}

/* Prints why a file is rejected. Opening it as an input of etinspect gives the reason. */
static int fail_open(const char *path, etc_status status) {
    eti_error err = ETI_ERROR_INIT;
    eti_file *file;
    if (status == ETC_MEMORY)
        return cli_fail_memory();
    if (strcmp(path, "-") == 0) /* can be read only once */
        return fail_malformed("(standard input)",
                              "expected a journal of libetcapture, found another kind of file, or "
                              "a truncated or damaged journal");
    if (eti_file_open_as(&file, path, ETI_FILE_JOURNAL, &err) != ETI_OK)
        return cli_fail(&err);
    const eti_source source = eti_file_source(file);
    const char *name = cli_name_of_kind(eti__file_kind(file));
    int exit_status = source.size == 0
                          ? fail_malformed(path, "empty: expected a journal of libetcapture")
                          : cli_fail_usage("%s is %s: expected a journal of libetcapture", path,
                                           name ? name : "a file of another kind");
    eti_file_close(file);
    return exit_status;
}

/* Opens the journal in a gzip file, or from standard input. */
static int open_bytes(etc_capture **out, const char *path) {
    eti_error err = ETI_ERROR_INIT;
    eti_file *file;
    if (eti_file_open(&file, path, &err) != ETI_OK)
        return cli_fail(&err);
    const eti_source source = eti_file_source(file);
    etc_status status = etc_open_recovered_memory(out, source.data, source.size);
    eti_file_close(file);
    return status == ETC_OK ? CLI_OK : fail_open(path, status);
}

static int open_journal(etc_capture **out, const char *path) {
    etc_status status = strcmp(path, "-") == 0 ? ETC_INVALID : etc_open_recovered(out, path);
    if (status == ETC_STATE)
        return fail_open(path, status);
    return status == ETC_OK ? CLI_OK : open_bytes(out, path);
}

/* ---- writing --------------------------------------------------------------------------------- */

static int write_bytes(void *context, const void *data, size_t size) {
    (void)context;
    return fwrite(data, 1, size, stdout) == size ? 0 : -1;
}

static int fail_write(const char *path, etc_status status) {
    eti_error err = {.status = ETI_ERROR_WRITE};
    if (status == ETC_MEMORY)
        return cli_fail_memory();
    snprintf(err.message, sizeof err.message, "%s: cannot write: %s", path,
             status == ETC_IO ? strerror(errno) : etc_status_text(status));
    return cli_fail(&err);
}

static int write_dump(const etc_capture *capture, const etc_save_options *options,
                      const char *path) {
    errno = 0;
    if (strcmp(path, "-") != 0) {
        etc_status status = etc_save_file(capture, options, path, NULL);
        return status == ETC_OK ? CLI_OK : fail_write(path, status);
    }
    etc_status status = etc_save(capture, options, (etc_sink){write_bytes, NULL});
    if (status == ETC_OK && fflush(stdout) != 0)
        status = ETC_IO;
    return status == ETC_OK ? CLI_OK : fail_write("(standard output)", status);
}

/* ---- counts ---------------------------------------------------------------------------------- */

static const char *s_of(uint64_t n) {
    return n == 1 ? "" : "s";
}

/* Prints the numbers of runs and events that are written, left out, and lost by the program. */
static void print_counts(const char *name, const etc_capture *capture,
                         const etc_save_options *options) {
    etc_save_options all = *options;
    etc_stats stats = ETC_STATS_INIT;
    uint64_t n_runs, n_events, n_all_runs, n_all_events;
    all.partial_runs = true;
    (void)etc_count_saved(capture, options, &n_runs, &n_events);
    (void)etc_count_saved(capture, &all, &n_all_runs, &n_all_events);
    etc_get_stats(capture, &stats);
    cli_hint("%s: recovered %" PRIu64 " run%s with %" PRIu64 " event%s", name, n_runs, s_of(n_runs),
             n_events, s_of(n_events));
    if (n_all_runs > n_runs)
        cli_hint("%s: left out %" PRIu64 " unfinished or incomplete run%s, with %" PRIu64
                 " event%s; --partial writes %s",
                 name, n_all_runs - n_runs, s_of(n_all_runs - n_runs), n_all_events - n_events,
                 s_of(n_all_events - n_events), n_all_runs - n_runs == 1 ? "it" : "them");
    if (stats.packets_lost > 0)
        cli_hint("%s: %" PRIu64 " packet%s of the stream %s damaged or missing", name,
                 stats.packets_lost, s_of(stats.packets_lost),
                 stats.packets_lost == 1 ? "is" : "are");
    uint64_t n_lost = stats.events_lost_full + stats.events_lost_state + stats.events_lost_wrong;
    if (stats.runs_dropped + n_lost > 0)
        cli_hint("%s: the recording program dropped %" PRIu64 " run%s and lost %" PRIu64 " event%s",
                 name, stats.runs_dropped, s_of(stats.runs_dropped), n_lost, s_of(n_lost));
}

static int fail_empty(const char *name, const etc_capture *capture) {
    etc_save_options all = ETC_SAVE_OPTIONS_INIT;
    all.partial_runs = true;
    bool is_empty = etc_count_saved(capture, &all, NULL, NULL) != ETC_OK;
    return fail_malformed(
        name, is_empty ? "this journal contains no runs"
                       : "this journal contains no complete run; --partial writes partial runs");
}

static int recover(const cli_request *request, const char *path, const etc_capture *capture) {
    etc_save_options options = ETC_SAVE_OPTIONS_INIT;
    options.partial_runs = cli_has(request, "partial");
    const char *name = strcmp(path, "-") == 0 ? "(standard input)" : path;
    if (etc_count_saved(capture, &options, NULL, NULL) != ETC_OK)
        return fail_empty(name, capture);
    int exit_status = write_dump(capture, &options, cli_output_path(request));
    if (exit_status == CLI_OK)
        print_counts(name, capture, &options);
    return exit_status;
}

/* ---- the command ----------------------------------------------------------------------------- */

static int act(void *context) {
    const cli_request *request = context;
    const cli_inputs *inputs = &request->inputs;
    const char *output = cli_output_path(request);
    etc_capture *capture = NULL;
    if (inputs->n_plain != 1)
        return cli_fail_usage(inputs->n_plain ? "%s: a second file, but recover takes one journal"
                                              : "no journal was given: name one",
                              inputs->n_plain ? inputs->plain[1] : "");
    if (*output == '\0')
        return cli_fail_usage("--output: the path is empty; standard output is -");
    if (strcmp(output, "-") == 0 && isatty(STDOUT_FILENO))
        return cli_fail_usage(
            "an ETDump cannot be printed on a terminal: name a file with --output");
    int exit_status = cli_inputs_check_outputs(inputs, &output, 1);
    if (exit_status == CLI_OK)
        exit_status = open_journal(&capture, inputs->plain[0]);
    if (exit_status != CLI_OK)
        return exit_status;
    exit_status = recover(request, inputs->plain[0], capture);
    etc_close(capture);
    return exit_status;
}

static int run(const cli_command *command, int argc, char **argv) {
    cli_request request = {.default_format = NULL};
    int exit_status =
        cli_request_run(command, &request, argc, argv, cli_request_take, act, &request);
    cli_request_close(&request);
    return exit_status;
}

const cli_command cli_recover = {
    .name = "recover",
    .bit = ETI__FOR_RECOVER,
    .arguments = "JOURNAL",
    .summary = "Recover an ETDump from a journal of libetcapture.",
    .example = "etinspect recover --output run.etdp run.journal",
    .details = details,
    .run = run,
};
