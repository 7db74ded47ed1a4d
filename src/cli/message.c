#include "cli/message.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ==== progress ================================================================================ */

#define NS_PER_MS INT64_C(1000000)
#define FIRST_AFTER (1000 * NS_PER_MS)
#define NEXT_AFTER (100 * NS_PER_MS)
#define ERASE "\r\033[K"

static struct {
    bool is_wanted, is_shown;
    int64_t next; /* when the line may be drawn */
} progress_line;

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000 * NS_PER_MS + time.tv_nsec;
}

static bool is_set(const char *name) {
    const char *value = getenv(name);
    return value && *value;
}

bool cli_terminal_is_able(void) {
    const char *terminal = getenv("TERM");
    return terminal && *terminal && strcmp(terminal, "dumb") != 0;
}

static bool has_person(void) {
    return isatty(STDERR_FILENO) && cli_terminal_is_able() && !is_set("CI") &&
           tcgetpgrp(STDERR_FILENO) == getpgrp();
}

bool cli_has_reader(void) {
    return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && cli_terminal_is_able() && !is_set("CI");
}

static bool is_pipe(int descriptor) {
    return lseek(descriptor, 0, SEEK_CUR) < 0 && errno == ESPIPE && !isatty(descriptor);
}

static void write_line(const char *text, size_t size) {
    if (write(STDERR_FILENO, text, size) < 0)
        progress_line.is_wanted = false;
}

void cli_progress_start(const char *output_path) {
    progress_line.is_wanted =
        has_person() && (strcmp(output_path, "-") != 0 || !is_pipe(STDOUT_FILENO));
    progress_line.next = now() + FIRST_AFTER;
}

bool cli_progress_tell(void *context, const char *step, uint64_t done, uint64_t total) {
    (void)context;
    char text[128];
    int size;
    int64_t time = progress_line.is_wanted ? now() : 0;
    if (!progress_line.is_wanted || time < progress_line.next)
        return true;
    if (total > 0)
        size = snprintf(text, sizeof text, ERASE "etinspect: %s: %.0f %%", step,
                        100 * (double)done / (double)total);
    else if (done > 0)
        size =
            snprintf(text, sizeof text, ERASE "etinspect: %s: %.0f MB", step, (double)done / 1e6);
    else
        size = snprintf(text, sizeof text, ERASE "etinspect: %s", step);
    progress_line.next = time + NEXT_AFTER;
    progress_line.is_shown = true;
    if (size > 0 && (size_t)size < sizeof text)
        write_line(text, (size_t)size);
    return true;
}

void cli_progress_end(void) {
    if (progress_line.is_shown)
        write_line(ERASE, strlen(ERASE));
    progress_line.is_shown = false;
}

/* ==== message ================================================================================= */

/* Prints a line, and makes `message` safe in place: names of files and options in it are
 * untrusted. */
static void print_line(const char *kind, char *message, const char *end) {
    eti_make_one_line(message);
    cli_progress_end();
    fprintf(stderr, "etinspect: %s%s%s\n", kind, message, end);
}

__attribute__((format(printf, 2, 0))) static void
print_formatted(const char *kind, const char *format, va_list arguments, const char *end) {
    eti_error err = ETI_ERROR_INIT;
    vsnprintf(err.message, sizeof err.message, format, arguments);
    print_line(kind, err.message, end);
}

static int mapped_statuses[] = {CLI_OK,     CLI_CHECK_FAILED, CLI_USAGE,  CLI_INPUT,
                                CLI_OUTPUT, CLI_MEMORY,       CLI_TOO_FEW};

void cli_map_statuses(int first, int last, int to) {
    for (int status = first; status <= last; status++)
        mapped_statuses[status] = to;
}

int cli_mapped_status(int status) {
    return mapped_statuses[status];
}

static const char *command_name;

void cli_message_command(const char *name) {
    command_name = name;
}

const char *cli_message_command_name(void) {
    return command_name;
}

int cli_fail_usage(const char *format, ...) {
    char hint[64];
    va_list arguments;
    bool is_help = command_name && strcmp(command_name, "help") == 0;
    snprintf(hint, sizeof hint, " (see etinspect %s%s%s)", command_name ? command_name : "",
             command_name && !is_help ? " " : "", is_help ? "" : "--help");
    va_start(arguments, format);
    print_formatted("", format, arguments, hint);
    va_end(arguments);
    return CLI_USAGE;
}

void cli_say(const char *format, ...) {
    eti_error line = ETI_ERROR_INIT;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line.message, sizeof line.message, format, arguments);
    va_end(arguments);
    eti_make_one_line(line.message);
    cli_progress_end();
    fprintf(stderr, "%s\n", line.message);
}

/* Counts characters: of each, only the first byte. */
void cli_point_at(const char *text, size_t at) {
    eti_error line = ETI_ERROR_INIT;
    size_t column = 0;
    snprintf(line.message, sizeof line.message, "%s", text);
    eti_make_one_line(line.message);
    for (size_t i = 0; i < at && line.message[i]; i++)
        column += (line.message[i] & 0xc0) != 0x80;
    fprintf(stderr, "  %s\n  %*s^\n", line.message, (int)column, "");
}

static eti_error kept_warning;

void cli_warn_at_end(const char *of, eti_text text) {
    if (text.size > 0 && kept_warning.message[0] == '\0')
        snprintf(kept_warning.message, sizeof kept_warning.message, "%s%s%.*s", of, *of ? ": " : "",
                 (int)text.size, text.data);
}

void cli_warn_again(void) {
    if (kept_warning.message[0] != '\0')
        cli_warn("%s", kept_warning.message);
}

void cli_hint(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print_formatted("", format, arguments, "");
    va_end(arguments);
}

void cli_warn(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print_formatted("warning: ", format, arguments, "");
    va_end(arguments);
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
        [ETI_ERROR_CANCELLED] = CLI_OUTPUT, /* the program cancels no call */
        [ETI_ERROR_TOO_FEW] = CLI_TOO_FEW,
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

/* ==== lines =================================================================================== */

bool cli_lines_keep(void *context, const void *data, size_t size) {
    cli_lines *kept = context;
    char *grown = realloc(kept->bytes, kept->size + size + 1);
    if (!grown)
        return false;
    memcpy(grown + kept->size, data, size);
    kept->bytes = grown;
    kept->size += size;
    kept->bytes[kept->size] = '\0';
    return true;
}

void cli_lines_print(cli_lines *kept) {
    for (char *line = kept->bytes, *end; line && *line; line = end) {
        end = line + strcspn(line, "\n");
        if (*end)
            *end++ = '\0';
        eti_make_one_line(line);
        fprintf(stderr, "  %s\n", line);
    }
}
