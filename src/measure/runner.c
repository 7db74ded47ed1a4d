#include "measure/runner.h"
#include "base/status.h"

#include <signal.h>
#include <stdio.h>

#define MOST_LINES 20 /* lines of a failed command */

/* ---- opening --------------------------------------------------------------------------------- */

static eti_status check_path(const eti_command *command, const eti_command *pull, eti_error *err) {
    if (command->n_words == 0 || command->has_path || pull->has_path)
        return ETI_OK;
    return eti_fail(err, ETI_ERROR_USAGE,
                    "%s%s: expected {} in the command, for the path of the dump: %s",
                    eti__option_prefix(), command->option, command->text);
}

eti_status eti__runner_open(eti_runner *out, eti_arena *arena, const eti_measure_options *options,
                            eti_error *err) {
    *out = (eti_runner){.timeout = (double)options->timeout};
    const struct {
        eti_command *command;
        const char *option, *text;
    } all[] = {
        {&out->sides[ETI_MEASURED_BASE], "base", options->base},
        {&out->sides[ETI_MEASURED_NEW], "new", options->new_side},
        {&out->before, "before", options->before},
        {&out->pull, "pull", options->pull},
    };
    if (!options->new_side && options->base)
        return eti_fail(err, ETI_ERROR_USAGE,
                        "%sbase needs %snew: give the command to compare with as %snew COMMAND",
                        eti__option_prefix(), eti__option_prefix(), eti__option_prefix());
    if (!options->new_side)
        return eti_fail(
            err, ETI_ERROR_USAGE,
            "no command was given: use %snew COMMAND, and %sbase COMMAND to compare with",
            eti__option_prefix(), eti__option_prefix());
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (all[i].text)
            ETI_TRY(eti__command_parse(all[i].command, arena, all[i].option, all[i].text,
                                       options->uses_shell, err));
    }
    ETI_TRY(check_path(&out->sides[ETI_MEASURED_BASE], &out->pull, err));
    return check_path(&out->sides[ETI_MEASURED_NEW], &out->pull, err);
}

/* ---- failures -------------------------------------------------------------------------------- */

/* Returns the beginning of the last lines of a text. */
static const char *find_last_lines(eti_text text) {
    const char *at = text.data + text.size;
    size_t n = 0;
    while (at > text.data && !(at[-1] == '\n' && at < text.data + text.size && ++n == MOST_LINES))
        at--;
    return at;
}

/* Logs the last lines of standard error, or of standard output if that is empty. */
static void log_end(const eti_runner *runner, const eti_process_result *result) {
    const eti_tail *tail = result->errors.size > 0 ? &result->errors : &result->output;
    eti_text text = {tail->bytes, tail->size};
    if (!runner->log || text.size == 0)
        return;
    const char *at = find_last_lines(text);
    size_t n = (size_t)(text.data + text.size - at);
    bool goes_on = runner->log(runner->log_context, at, n);
    if (goes_on && at[n - 1] != '\n')
        (void)runner->log(runner->log_context, "\n", 1);
}

static eti_status fail(const eti_command *command, const eti_process_result *result, double timeout,
                       eti_error *err) {
    char how[256] = "";
    switch (result->end) {
    case ETI_PROCESS_EXITED:
        snprintf(how, sizeof how, "exit status %d", result->code);
        break;
    case ETI_PROCESS_KILLED:
        snprintf(how, sizeof how, "ended by signal %d (%s)", result->code, strsignal(result->code));
        break;
    case ETI_PROCESS_NOT_STARTED:
        snprintf(how, sizeof how, "cannot be started: %s%s", strerror(result->code),
                 strchr(command->words[0], '=') ? " (env A=B COMMAND sets variables)" : "");
        break;
    case ETI_PROCESS_TIMED_OUT:
        eti__snprintf(how, sizeof how, "took longer than the %g seconds of %stimeout", timeout,
                      eti__option_prefix());
        break;
    case ETI_PROCESS_CANCELLED:
        return eti_fail(err, ETI_ERROR_CANCELLED, "cancelled by the caller while a command ran");
    }
    return eti_fail(err, ETI_ERROR_READ, "%s%s: %s: %s", eti__option_prefix(), command->option, how,
                    command->text);
}

/* ---- running --------------------------------------------------------------------------------- */

/* Runs a command, if there is one. */
static eti_status run_command(const eti_runner *runner, const eti_command *command,
                              const char *path, eti_error *err) {
    eti_arena arena = {0};
    eti_process_result result;
    if (command->n_words == 0)
        return ETI_OK;
    char **arguments = eti__command_arguments(command, &arena, path);
    bool succeeded = arguments && eti__process_run(&result, arguments, runner->timeout,
                                                   runner->wait, runner->wait_context);
    eti_status status = ETI_OK;
    if (!arguments)
        status = eti_fail_memory(err);
    else if (!succeeded)
        status = fail(command, &result, runner->timeout, err);
    if (status == ETI_ERROR_READ)
        log_end(runner, &result);
    eti__arena_free(&arena);
    return status;
}

eti_status eti__runner_run(const eti_runner *runner, eti_measured_side side, const char *path,
                           eti_error *err) {
    ETI_TRY(run_command(runner, &runner->before, path, err));
    ETI_TRY(run_command(runner, &runner->sides[side], path, err));
    return run_command(runner, &runner->pull, path, err);
}
