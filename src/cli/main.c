/*
 * main.c - the table of commands, and how they end.
 */
#include "cli/cli.h"
#include "cli/progress.h"
#include "cli/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

/* The first is what runs without a verb. */
static const cli_command *const commands[] = {
    &cli_inspect, &cli_summary, &cli_runs, &cli_alloc,    &cli_tree,  &cli_ops,   &cli_graph,
    &cli_source,  &cli_diff,    &cli_gate, &cli_baseline, &cli_noise, &cli_check, &cli_help,
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

/* Names of files and options are whatever was typed. Changes `message`. */
static void print_line(const char *kind, char *message, const char *end) {
    eti_make_one_line(message);
    cli_progress_end();
    fprintf(stderr, "etinspect: %s%s%s\n", kind, message, end);
}

/* The command that runs, to whose options a message leads; NULL: none was named, or help. */
static const char *command_name;

int cli_fail_usage(const char *format, ...) {
    eti_error err;
    char hint[64];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(err.message, sizeof err.message, format, arguments);
    va_end(arguments);
    snprintf(hint, sizeof hint, " (see etinspect %s%s--help)", command_name ? command_name : "",
             command_name ? " " : "");
    print_line("", err.message, hint);
    return CLI_USAGE;
}

/* Characters, where no byte of a longer one counts but the first. */
void cli_point_at(const char *text, size_t at) {
    eti_error line;
    size_t column = 0;
    snprintf(line.message, sizeof line.message, "%s", text);
    eti_make_one_line(line.message);
    for (size_t i = 0; i < at && line.message[i]; i++)
        column += (line.message[i] & 0xc0) != 0x80;
    fprintf(stderr, "  %s\n  %*s^\n", line.message, (int)column, "");
}

void cli_warn(const char *format, ...) {
    eti_error err;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(err.message, sizeof err.message, format, arguments);
    va_end(arguments);
    print_line("warning: ", err.message, "");
}

int cli_fail(const eti_error *err) {
    static const int exit_status[] = {
        [ETI_OK] = CLI_OK,
        [ETI_ERROR_USAGE] = CLI_USAGE,
        [ETI_ERROR_READ] = CLI_INPUT,
        [ETI_ERROR_MALFORMED] = CLI_INPUT,
        [ETI_ERROR_LIMIT] = CLI_INPUT,
        [ETI_ERROR_DATA] = CLI_INPUT,
        [ETI_ERROR_WRITE] = CLI_OUTPUT,
        [ETI_ERROR_MEMORY] = CLI_MEMORY,
        [ETI_ERROR_CANCELLED] = CLI_OUTPUT, /* nothing here cancels */
    };
    eti_error copy = *err;
    print_line("", copy.message, "");
    return exit_status[err->status];
}

int cli_fail_memory(void) {
    eti_error err = {.status = ETI_ERROR_MEMORY, .message = "out of memory"};
    cli_fail(&err);
    return CLI_MEMORY;
}

/* All that is printed with stdio, so that nothing fails before finish() asks why. */
#define HELP_BYTES ((size_t)64 << 10)

/* What was printed with stdio may still be lost when it is flushed. */
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

/* A file that is opened takes the number of a standard stream that is closed, and would receive what is
 * meant for the stream. Reading and writing the root directory fails as on a closed stream; so does opening
 * it as /dev/stdout, where /dev/null would swallow the output. */
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
    const cli_command *command = argc > 1 ? cli_command_find(argv[1]) : NULL;
    if (command) {
        command_name = command == &cli_help ? NULL : command->name;
        return finish(command->run(command, argc - 1, argv + 1));
    }
    return finish(cli_inspect.run(&cli_inspect, argc, argv));
}
