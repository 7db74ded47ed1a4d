/*
 * main.c - the table of commands, and how they end.
 */
#include "cli/cli.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

/* The first is what runs without a verb. */
static const cli_command *const commands[] = {
    &cli_inspect,
    &cli_check,
    &cli_help,
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

/* Names of files and options are whatever was typed: they must neither break the line nor reach a
 * terminal as commands. */
static void print_line(const char *message, const char *end) {
    fputs("etinspect: ", stderr);
    for (; *message; message++)
        fputc((unsigned char)*message < 0x20 || *message == 0x7f ? '?' : *message, stderr);
    fputs(end, stderr);
}

int cli_fail_usage(const char *format, ...) {
    eti_error err;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(err.message, sizeof err.message, format, arguments);
    va_end(arguments);
    print_line(err.message, " (see etinspect --help)\n");
    return CLI_USAGE;
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
    };
    print_line(err->message, "\n");
    return exit_status[err->status];
}

int cli_fail_memory(void) {
    eti_error err = {ETI_ERROR_MEMORY, "out of memory"};
    cli_fail(&err);
    return CLI_MEMORY;
}

/* What was printed with stdio may still be lost when it is flushed. */
static int finish(int exit_status) {
    int reason = fflush(stdout) == 0 ? 0 : errno;
    if (reason == 0 && !ferror(stdout))
        return exit_status;
    eti_error err = {.status = ETI_ERROR_WRITE};
    snprintf(err.message, sizeof err.message, "(standard output): cannot write: %s",
             strerror(reason ? reason : EIO));
    return cli_fail(&err);
}

int main(int argc, char **argv) {
    const cli_command *command = argc > 1 ? cli_command_find(argv[1]) : NULL;
    if (command)
        return finish(command->run(command, argc - 1, argv + 1));
    return finish(cli_inspect.run(&cli_inspect, argc, argv));
}
