#include "cli/signals.h"

#include "cli/message.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

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
    _exit(cli_fail(&err));
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

static void postpone(int signal_number) {
    postponed = signal_number;
    end_at(SIGINT);
    end_at(SIGTERM);
}

/* Also restores SIGCHLD: if the parent process ignores it, so does the program, which would not learn how its children
 * end. */
void cli_postpone_signals(void) {
    signal(SIGCHLD, SIG_DFL);
    handle(SIGINT, (struct sigaction){.sa_handler = postpone});
    handle(SIGTERM, (struct sigaction){.sa_handler = postpone});
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
