/*
 * main.c - the table of commands, and how they end.
 */
#include "cli/cli.h"
#include "cli/signals.h"
#include "cli/progress.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#ifndef O_PATH /* reading a directory fails nevertheless */
#define O_PATH O_RDONLY
#endif

/* Lists the commands; the first runs without a verb. */
static const cli_command *const commands[] = {
    &cli_inspect,  &cli_summary, &cli_events,    &cli_runs,     &cli_alloc, &cli_tensors,
    &cli_tree,     &cli_ops,     &cli_delegates, &cli_graph,    &cli_trace, &cli_report,
    &cli_rows,     &cli_source,  &cli_program,   &cli_memory,   &cli_size,  &cli_diff,
    &cli_numerics, &cli_gate,    &cli_measure,   &cli_baseline, &cli_noise, &cli_trend,
    &cli_check,    &cli_recover, &cli_bundle,    &cli_help,
};

const cli_command *cli_command_at(size_t i) {
    return i < sizeof commands / sizeof *commands ? commands[i] : NULL;
}

const cli_command *cli_command_find(const char *name) {
    const cli_command *command;
    for (size_t i = 0; (command = cli_command_at(i)); i++) {
        if (command->name && strcmp(command->name, name) == 0)
            return command;
    }
    return NULL;
}

const cli_command *cli_command_near(const char *name) {
    const cli_command *command, *nearest = NULL;
    size_t least = ETI__TOO_FAR;
    for (size_t i = 0; (command = cli_command_at(i)); i++) {
        if (command->name && eti__is_nearer(command->name, name, &least))
            nearest = command;
    }
    return nearest;
}

/* Moves the command before the global options that precede it; returns NULL, with `argv` unchanged, if no command
 * follows. */
static const cli_command *find_command(int argc, char **argv) {
    int at = 1;
    for (int n; at < argc && (n = cli_global_words(argc - at, argv + at)) > 0; at += n)
        ;
    const cli_command *command = at < argc ? cli_command_find(argv[at]) : NULL;
    if (!command)
        return NULL;
    char *name = argv[at];
    memmove(&argv[2], &argv[1], (size_t)(at - 1) * sizeof *argv);
    argv[1] = name;
    return command;
}

/* Size of the buffer of standard output: enough for all help, so that no write fails before finish() checks for errors. */
#define HELP_BYTES ((size_t)64 << 10)

/* Flushes standard output, which may fail. Returns the exit status. */
static int finish(int exit_status) {
    cli_progress_end();
    int reason = fflush(stdout) == 0 ? 0 : errno;
    if (reason == 0 && !ferror(stdout))
        return exit_status;
    eti_error err = {.status = ETI_ERROR_WRITE};
    snprintf(err.message, sizeof err.message, "(standard output): cannot write: %s",
             strerror(reason ? reason : EIO));
    return cli_fail(&err);
}

/* An opened file takes the number of a closed standard stream, and would receive the bytes meant
 * for the stream. Reading and writing the root directory fails as on a closed stream; so does
 * opening it as /dev/stdout, where /dev/null would swallow the output. */
static void reserve_standard_streams(void) {
    for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++) {
        if (fcntl(descriptor, F_GETFD) < 0)
            (void)!open("/", O_PATH);
    }
}

int main(int argc, char **argv) {
    static char help[HELP_BYTES];
    reserve_standard_streams();
    setvbuf(stdout, help, _IOFBF, sizeof help);
    cli_handle_signals();
    const cli_command *command = find_command(argc, argv);
    if (argc <= 1) {
        cli_print_commands(stderr);
        return CLI_USAGE;
    }
    if (command) {
        cli_message_command(command->name);
        return finish(command->run(command, argc - 1, argv + 1));
    }
    return finish(cli_inspect.run(&cli_inspect, argc, argv));
}
