#include "base/process.h"

#include "base/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

/* ==== pipe ==================================================================================== */

#ifdef __linux__

bool eti__open_pipe(int ends[2]) {
    return pipe2(ends, O_CLOEXEC) == 0;
}

#else

/* Sets the flags separately: a program that another thread starts in between inherits the pipe. */
bool eti__open_pipe(int ends[2]) {
    if (pipe(ends) != 0)
        return false;
    if (fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 && fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0)
        return true;
    int reason = errno;
    close(ends[0]);
    close(ends[1]);
    ends[0] = ends[1] = -1;
    errno = reason;
    return false;
}

#endif

/* ==== process ================================================================================= */

#define TICK_MS 100       /* between calls of the wait function */
#define REAP_MS 2         /* between checks of a command whose streams are closed */
#define GRACE_SECONDS 2.0 /* between SIGTERM and SIGKILL */

/* A running command. Closed descriptors are -1. */
typedef struct running {
    pid_t pid; /* also the process group */
    int output, errors;
    int failure; /* errno of exec; 0 if it succeeded */
    double start;
    double killed_at; /* time of SIGTERM; 0 if it was not sent */
} running;

double eti__now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void close_end(int *descriptor) {
    if (*descriptor >= 0)
        close(*descriptor);
    *descriptor = -1;
}

/* ---- starting -------------------------------------------------------------------------------- */

/* Descriptors of both sides; this process closes the command's side once the command runs. */
typedef struct streams {
    int null;
    int output[2], errors[2], failure[2];
} streams;

static void close_streams(streams *s) {
    close_end(&s->null);
    for (int i = 0; i < 2; i++) {
        close_end(&s->output[i]);
        close_end(&s->errors[i]);
        close_end(&s->failure[i]);
    }
}

static bool open_stream(int ends[2]) {
    return eti__open_pipe(ends) && fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0;
}

/* Opens the streams. Returns false with errno set. */
static bool open_streams(streams *s) {
    *s = (streams){-1, {-1, -1}, {-1, -1}, {-1, -1}};
    s->null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (s->null >= 0 && open_stream(s->output) && open_stream(s->errors) &&
        eti__open_pipe(s->failure))
        return true;
    int reason = errno;
    close_streams(s);
    errno = reason;
    return false;
}

/* Resets the signals, because the command would ignore those that this process ignores. Those that this process handles
 * are reset before they are unblocked, because the handlers are for this process only. */
static void reset_signals(const sigset_t *mask) {
    static const int ignored[] = {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGXCPU, SIGXFSZ};
    struct sigaction action;
    for (int i = 1; i < NSIG; i++) {
        if (sigaction(i, NULL, &action) == 0 && action.sa_handler != SIG_IGN)
            signal(i, SIG_DFL);
    }
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
        signal(ignored[i], SIG_DFL);
    sigprocmask(SIG_SETMASK, mask, NULL);
}

/* Executes the command in the child process. Between fork() and exec only functions that are safe in signal handlers are
 * called, because another thread may have held any lock. */
static _Noreturn void become(char *const argv[], const streams *s, pid_t parent,
                             const sigset_t *mask) {
    setsid();
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (getppid() != parent)
        _exit(127);
    reset_signals(mask);
    if (dup2(s->null, STDIN_FILENO) >= 0 && dup2(s->output[1], STDOUT_FILENO) >= 0 &&
        dup2(s->errors[1], STDERR_FILENO) >= 0)
        execvp(argv[0], argv);
    int reason = errno;
    if (write(s->failure[1], &reason, sizeof reason) < 0)
        _exit(126);
    _exit(127);
}

/* Waits until the command has its own session and runs. Returns 0, or errno if it could not be started. */
static int wait_for_exec(int failure) {
    int reason = 0;
    ssize_t n;
    do {
        n = read(failure, &reason, sizeof reason);
    } while (n < 0 && errno == EINTR);
    return n == (ssize_t)sizeof reason ? reason : 0;
}

/* Starts the command. Signals are blocked from fork() until the command's group is in the list of groups. Returns false
 * with errno set. */
static bool start(running *out, char *const argv[]) {
    streams s;
    sigset_t all, before;
    if (!open_streams(&s))
        return false;
    sigfillset(&all);
    pid_t parent = getpid();
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t pid = fork();
    int reason = errno;
    if (pid == 0)
        become(argv, &s, parent, &before);
    close_end(&s.failure[1]);
    *out = (running){pid, s.output[0], s.errors[0], 0, eti__now(), 0};
    if (pid > 0) {
        s.output[0] = s.errors[0] = -1; /* these stay open */
        out->failure = wait_for_exec(s.failure[0]);
        eti__leftover_add_group(pid);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close_streams(&s);
    errno = reason;
    return pid > 0;
}

/* ---- waiting --------------------------------------------------------------------------------- */

static void add_to_tail(eti_tail *tail, const char *bytes, size_t n) {
    if (n > sizeof tail->bytes - tail->size) {
        size_t kept = ETI_TAIL_BYTES < tail->size ? ETI_TAIL_BYTES : tail->size;
        memmove(tail->bytes, tail->bytes + tail->size - kept, kept);
        tail->size = kept;
    }
    memcpy(tail->bytes + tail->size, bytes, n);
    tail->size += n;
}

/* Reads the available bytes, and closes the stream at its end. */
static void read_stream(int *descriptor, eti_tail *tail) {
    char piece[ETI_TAIL_BYTES];
    while (*descriptor >= 0) {
        ssize_t n = read(*descriptor, piece, sizeof piece);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno == EAGAIN)
            return;
        if (n <= 0)
            close_end(descriptor);
        else
            add_to_tail(tail, piece, (size_t)n);
    }
}

/* Waits until a stream has data, for at most a tick. */
static void wait_for_streams(const running *command) {
    struct pollfd waited[] = {{.fd = command->output, .events = POLLIN},
                              {.fd = command->errors, .events = POLLIN}};
    bool has_ended = command->output < 0 && command->errors < 0;
    (void)poll(waited, 2, has_ended ? REAP_MS : TICK_MS);
}

/* Returns whether the leader has ended. Leaves it unreaped, so that the number of the group stays reserved. */
static bool has_ended(const running *command, siginfo_t *out) {
    *out = (siginfo_t){0};
    return waitid(P_PID, (id_t)command->pid, out, WEXITED | WNOHANG | WNOWAIT) != 0 ||
           out->si_pid != 0;
}

static void end_group(running *command, eti_process_result *out, eti_process_end end) {
    double time = eti__now();
    if (command->killed_at == 0) {
        out->end = end;
        command->killed_at = time;
        kill(-command->pid, SIGTERM);
    } else if (time - command->killed_at > GRACE_SECONDS) {
        kill(-command->pid, SIGKILL);
    }
}

static void wait_for_end(running *command, eti_process_result *out, double most_seconds,
                         eti_wait_function wait, void *context, siginfo_t *how) {
    while (!has_ended(command, how)) {
        wait_for_streams(command);
        read_stream(&command->output, &out->output);
        read_stream(&command->errors, &out->errors);
        if (command->killed_at > 0)
            end_group(command, out, out->end);
        else if (eti__now() - command->start > most_seconds)
            end_group(command, out, ETI_PROCESS_TIMED_OUT);
        else if (wait && !wait(context))
            end_group(command, out, ETI_PROCESS_CANCELLED);
    }
    read_stream(&command->output, &out->output);
    read_stream(&command->errors, &out->errors);
}

/* Records how the command ended by itself. */
static void set_end(eti_process_result *out, const siginfo_t *how, int failure) {
    out->end = how->si_code == CLD_EXITED ? ETI_PROCESS_EXITED : ETI_PROCESS_KILLED;
    out->code = how->si_status;
    if (failure != 0) {
        out->end = ETI_PROCESS_NOT_STARTED;
        out->code = failure;
    }
}

static void finish(running *command, eti_process_result *out, const siginfo_t *how) {
    if (command->killed_at > 0)
        kill(-command->pid, SIGKILL);
    else
        set_end(out, how, command->failure);
    eti__leftover_drop_group(command->pid);
    while (waitpid(command->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    close_end(&command->output);
    close_end(&command->errors);
    out->seconds = eti__now() - command->start;
}

bool eti__process_run(eti_process_result *out, char *const argv[], double most_seconds,
                      eti_wait_function wait, void *context) {
    running command;
    siginfo_t how;
    *out = (eti_process_result){.end = ETI_PROCESS_NOT_STARTED};
    if (!start(&command, argv)) {
        out->code = errno;
        return false;
    }
    wait_for_end(&command, out, most_seconds, wait, context, &how);
    finish(&command, out, &how);
    return out->end == ETI_PROCESS_EXITED && out->code == 0;
}
