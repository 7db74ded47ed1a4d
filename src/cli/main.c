#include "cli/main.h"

#include "cli/cmd_help.h"
#include "cli/message.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

/* ==== signals ================================================================================= */

/* Removes temporary files and raises the signal again. Its handler has been reset, so the signal ends the program when this
 * returns, and the parent process learns which signal it was. */
static void end_at_signal(int signal_number) {
    eti_remove_temporary_files();
    raise(signal_number);
}

/* Removes no files if the program itself is at fault, because its lists of files cannot be trusted: the next run removes
 * them. If a process sent the signal, the lists are good. */
static void end_at_fault(int signal_number, siginfo_t *info, void *context) {
    (void)context;
    if (info->si_code <= 0)
        eti_remove_temporary_files();
    raise(signal_number);
}

/* A mapped input became shorter: reading cannot continue, and the bytes read so far cannot be
 * trusted. Any other cause is a bug, and ends the program as a fault. Threads that read the same
 * input may fail at the same time: the first thread ends the program, the others wait. */
static void end_at_bus_error(int signal_number, siginfo_t *info, void *context) {
    (void)context;
    static atomic_flag ending = ATOMIC_FLAG_INIT;
    while (atomic_flag_test_and_set(&ending))
        pause();
    bool is_fault = info->si_code > 0;
    const char *name = is_fault ? eti_mapped_file_name(info->si_addr) : NULL;
    if (name || !is_fault)
        eti_remove_temporary_files();
    if (!name) {
        signal(signal_number, SIG_DFL);
        raise(signal_number);
        return;
    }
    eti_error err = {.status = ETI_ERROR_READ};
    static const char reason[] =
        ": became shorter while it was read: use a copy that does not change";
    size_t room = sizeof err.message - sizeof reason;
    size_t length = strnlen(name, room);
    memcpy(err.message, name, length);
    memcpy(err.message + length, reason, sizeof reason);
    _exit(cli_mapped_status(cli_fail(&err)));
}

static void postpone(int signal_number);

/* Returns whether the signal would end the program or is handled here; false if it is ignored, or if a profiler or a
 * sanitizer handles it. */
static bool is_ours(int signal_number) {
    struct sigaction old;
    return sigaction(signal_number, NULL, &old) == 0 && !(old.sa_flags & SA_SIGINFO) &&
           (old.sa_handler == SIG_DFL || old.sa_handler == end_at_signal ||
            old.sa_handler == postpone);
}

static void handle(int signal_number, struct sigaction action) {
    if (!is_ours(signal_number))
        return;
    sigemptyset(&action.sa_mask);
    sigaction(signal_number, &action, NULL);
}

static void end_at(int signal_number) {
    handle(signal_number,
           (struct sigaction){.sa_handler = end_at_signal, .sa_flags = (int)SA_RESETHAND});
}

/* Handles all signals that end a program, except SIGKILL, SIGXFSZ, and those of faults. */
static void end_at_all(void) {
    static const int ends[] = {
        SIGHUP,    SIGINT,  SIGQUIT, SIGTRAP,   SIGABRT, SIGUSR1, SIGUSR2,
        SIGPIPE,   SIGALRM, SIGTERM, SIGVTALRM, SIGPROF, SIGXCPU, SIGSYS,
#ifdef SIGPOLL
        SIGPOLL,
#endif
#ifdef SIGPWR
        SIGPWR,
#endif
#ifdef SIGSTKFLT
        SIGSTKFLT,
#endif
#ifdef SIGEMT
        SIGEMT,
#endif
    };
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        end_at(ends[i]);
#ifdef SIGRTMIN
    for (int number = SIGRTMIN; number <= SIGRTMAX; number++)
        end_at(number);
#endif
}

static void end_at_faults(void) {
    static const int faults[] = {SIGILL, SIGFPE, SIGSEGV};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        handle(faults[i], (struct sigaction){.sa_sigaction = end_at_fault,
                                             .sa_flags = SA_SIGINFO | (int)SA_RESETHAND});
}

void cli_handle_signals(void) {
    end_at_all();
    end_at_faults();
    signal(SIGXFSZ, SIG_IGN); /* write() then fails if a file may not grow */
    struct sigaction bus_error = {.sa_sigaction = end_at_bus_error, .sa_flags = SA_SIGINFO};
    sigemptyset(&bus_error.sa_mask);
    sigaction(SIGBUS, &bus_error, NULL);
}

/* ---- signals that wait ----------------------------------------------------------------------- */

static volatile sig_atomic_t postponed;
static const int waiting[] = {SIGHUP, SIGINT, SIGTERM};

static void postpone(int signal_number) {
    postponed = signal_number;
    for (size_t i = 0; i < sizeof waiting / sizeof *waiting; i++)
        end_at(waiting[i]);
}

/* Also restores SIGCHLD: if the parent process ignores it, so does the program, which would not learn how its children
 * end. */
void cli_postpone_signals(void) {
    signal(SIGCHLD, SIG_DFL);
    for (size_t i = 0; i < sizeof waiting / sizeof *waiting; i++)
        handle(waiting[i], (struct sigaction){.sa_handler = postpone});
}

int cli_postponed_signal(void) {
    return postponed;
}

void cli_end_at_postponed_signal(void) {
    if (postponed == 0)
        return;
    eti_remove_temporary_files();
    signal(postponed, SIG_DFL);
    raise(postponed);
}

/* ==== main ==================================================================================== */
/* The table of commands, and how they end. */

#ifndef O_PATH /* reading a directory fails nevertheless */
#define O_PATH O_RDONLY
#endif

/* Lists the commands; the first runs without a verb. */
static const cli_command *const commands[] = {
    &cli_inspect, &cli_summary,  &cli_layers, &cli_events,    &cli_runs,    &cli_alloc,
    &cli_tensors, &cli_tree,     &cli_ops,    &cli_delegates, &cli_graph,   &cli_trace,
    &cli_report,  &cli_rows,     &cli_source, &cli_program,   &cli_memory,  &cli_size,
    &cli_diff,    &cli_numerics, &cli_gate,   &cli_record,    &cli_measure, &cli_baseline,
    &cli_noise,   &cli_trend,    &cli_check,  &cli_recover,   &cli_bundle,  &cli_help,
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

/* Returns whether the command printed its result, and no error after it. Otherwise it has said what failed: it may have been
 * standard output. */
static bool has_result(int exit_status) {
    return exit_status == CLI_OK || exit_status == CLI_CHECK_FAILED || exit_status == CLI_TOO_FEW;
}

/* Flushes standard output, which may fail. Returns the exit status. */
static int finish(int exit_status) {
    cli_progress_end();
    int reason = fflush(stdout) == 0 ? 0 : errno;
    if (!has_result(exit_status))
        return exit_status;
    if (reason == 0 && !ferror(stdout)) {
        cli_warn_again();
        return exit_status;
    }
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
        return cli_mapped_status(finish(command->run(command, argc - 1, argv + 1)));
    }
    return cli_mapped_status(finish(cli_inspect.run(&cli_inspect, argc, argv)));
}
