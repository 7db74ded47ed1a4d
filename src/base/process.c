#include "base/process.h"

#include "base/temporary.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#include <sys/syscall.h>
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
#define GRACE_SECONDS 2.0 /* between SIGTERM and SIGKILL */

/* A running command. Closed descriptors are -1. */
typedef struct running {
    pid_t pid; /* also the process group */
    pid_t supervisor;
    int output, errors;
    int reports; /* from the supervisor: the pid, and later how the command ended */
    int life;    /* to the supervisor, which sees that this process is gone when it is closed */
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
    const char *folder; /* in which the command runs; NULL: that of this process */
    int null;
    int output[2], errors[2], failure[2], reports[2], life[2];
} streams;

static void close_streams(streams *s) {
    close_end(&s->null);
    for (int i = 0; i < 2; i++) {
        close_end(&s->output[i]);
        close_end(&s->errors[i]);
        close_end(&s->failure[i]);
        close_end(&s->reports[i]);
        close_end(&s->life[i]);
    }
}

static bool open_stream(int ends[2]) {
    return eti__open_pipe(ends) && fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0;
}

/* Opens the streams. Returns false with errno set. */
static bool open_streams(streams *s, const char *folder) {
    *s = (streams){folder, -1, {-1, -1}, {-1, -1}, {-1, -1}, {-1, -1}, {-1, -1}};
    s->null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (s->null >= 0 && open_stream(s->output) && open_stream(s->errors) &&
        eti__open_pipe(s->failure) && eti__open_pipe(s->reports) && eti__open_pipe(s->life))
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
        dup2(s->errors[1], STDERR_FILENO) >= 0 && (!s->folder || chdir(s->folder) == 0))
        execvp(argv[0], argv);
    int reason = errno;
    if (write(s->failure[1], &reason, sizeof reason) < 0)
        _exit(126);
    _exit(127);
}

/* ---- supervising ----------------------------------------------------------------------------- */

/* The supervisor is a process between this one and the command. Descendants of the command whose parents ended become its
 * children (on Linux), even in sessions of their own. It ends all of them when this process is gone, or when SIGTERM asks for
 * that; SIGUSR1 asks it to leave them alone. It executes no program, and calls only functions that are safe in signal
 * handlers. */

enum { REPORTS, LIFE, FIRST_CLOSED }; /* descriptors of the supervisor */

#define MOST_SWEEPS 500
#define SWEEP_NS 10000000

static volatile sig_atomic_t told; /* SIGTERM or SIGUSR1, of the supervisor */

static void handle(int number) {
    if (number != SIGCHLD)
        told = number;
}

/* Closes the descriptors that the supervisor inherited, some of which hold locks or the ends of pipes. */
static void close_others(void) {
#ifdef SYS_close_range
    if (syscall(SYS_close_range, FIRST_CLOSED, UINT_MAX, 0) == 0)
        return;
#endif
    long most = sysconf(_SC_OPEN_MAX);
    for (int i = FIRST_CLOSED; i < (most > 0 && most < 65536 ? most : 65536); i++)
        close(i);
}

#ifdef __linux__

/* Writes "/proc/self/task/PID/children", without the functions of stdio. */
static void children_path(char out[64]) {
    static const char folder[] = "/proc/self/task/", file[] = "/children";
    char number[20], *end = number + sizeof number;
    const char *begin = eti__write_u64(end, (uint64_t)getpid());
    char *to = mempcpy(out, folder, sizeof folder - 1);
    to = mempcpy(to, begin, (size_t)(end - begin));
    memcpy(to, file, sizeof file);
}

/* Sends SIGKILL to each child of this process. Returns false if the system does not list them. */
static bool kill_children(void) {
    char path[64], piece[512];
    pid_t pid = 0;
    children_path(path);
    int list = open(path, O_RDONLY | O_CLOEXEC);
    for (ssize_t n; list >= 0 && (n = read(list, piece, sizeof piece)) > 0;) {
        for (ssize_t i = 0; i < n; i++) {
            bool is_digit = piece[i] >= '0' && piece[i] <= '9';
            if (!is_digit && pid > 0)
                kill(pid, SIGKILL);
            pid = is_digit ? pid * 10 + (piece[i] - '0') : 0;
        }
    }
    if (list >= 0)
        close(list);
    return list >= 0;
}

#else

static bool kill_children(void) {
    return false;
}

#endif

/* Ends the command and all its descendants: the children of a process that ends become children of this one, and are ended
 * next. Gives up after some seconds: a process of another user cannot be ended. */
static void end_descendants(pid_t command) {
    for (int i = 0; i < MOST_SWEEPS; i++) {
        pid_t reaped;
        if (!kill_children() || i == 0)
            kill(-command, SIGKILL);
        while ((reaped = waitpid(-1, NULL, WNOHANG)) > 0)
            ;
        if (reaped < 0 && errno == ECHILD)
            return;
        nanosleep(&(struct timespec){.tv_nsec = SWEEP_NS}, NULL);
    }
}

/* Returns whether the command has ended, and reports how. Reaps children that ended before it, but not the command itself:
 * the number of its group stays reserved. */
static bool has_reported(pid_t command) {
    siginfo_t how = {0};
    for (;;) {
        how.si_pid = 0;
        if (waitid(P_ALL, 0, &how, WEXITED | WNOHANG | WNOWAIT) != 0 || how.si_pid == 0)
            return false;
        if (how.si_pid == command)
            break;
        waitpid(how.si_pid, NULL, 0);
    }
    const int report[] = {how.si_code, how.si_status};
    return write(REPORTS, report, sizeof report) == (ssize_t)sizeof report;
}

/* Waits until the other process says what to do, or is gone. Returns whether descendants of the command may live on. */
static bool may_leave(pid_t command) {
    bool is_reported = false;
    sigset_t during;
    sigfillset(&during);
    sigdelset(&during, SIGCHLD);
    sigdelset(&during, SIGTERM);
    sigdelset(&during, SIGUSR1);
    while (!told) {
        fd_set waited;
        FD_ZERO(&waited);
        FD_SET(LIFE, &waited);
        is_reported = is_reported || has_reported(command);
        int n = pselect(LIFE + 1, &waited, NULL, NULL, NULL, &during);
        if (n > 0 || (n < 0 && errno != EINTR))
            return false;
    }
    return told == SIGUSR1;
}

static _Noreturn void supervise(char *const argv[], const streams *s, const sigset_t *mask) {
    static const int handled[] = {SIGCHLD, SIGTERM, SIGUSR1};
    setsid();
#ifdef __linux__
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
#endif
    told = 0;
    for (size_t i = 0; i < sizeof handled / sizeof *handled; i++)
        sigaction(handled[i], &(struct sigaction){.sa_handler = handle}, NULL);
    pid_t self = getpid(), command = fork();
    int reason = errno;
    if (command == 0)
        become(argv, s, self, mask);
    if (command < 0 && write(s->failure[1], &reason, sizeof reason) < 0)
        _exit(126);
    if (command < 0 || write(s->reports[1], &command, sizeof command) < 0)
        _exit(127);
    /* Both are above the descriptors that they become, unless standard streams were closed. */
    int reports = fcntl(s->reports[1], F_DUPFD, FIRST_CLOSED);
    int life = fcntl(s->life[0], F_DUPFD, FIRST_CLOSED);
    bool is_ready = dup2(reports, REPORTS) == REPORTS && dup2(life, LIFE) == LIFE;
    close_others();
    if (!is_ready || !may_leave(command))
        end_descendants(command);
    _exit(0);
}

/* ---- started --------------------------------------------------------------------------------- */

/* Waits until the command has its own session and runs. Returns 0, or errno if it could not be started. */
static int wait_for_exec(int failure) {
    int reason = 0;
    ssize_t n;
    do {
        n = read(failure, &reason, sizeof reason);
    } while (n < 0 && errno == EINTR);
    return n == (ssize_t)sizeof reason ? reason : 0;
}

static bool read_report(int reports, void *out, size_t size) {
    ssize_t n;
    do {
        n = read(reports, out, size);
    } while (n < 0 && errno == EINTR);
    return n == (ssize_t)size;
}

static void reap(pid_t pid) {
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
}

/* Starts the command. Signals are blocked from fork() until its supervisor is in the list of processes. Returns false with
 * errno set. */
static bool start(running *out, char *const argv[], const char *folder) {
    streams s;
    sigset_t all, before;
    if (!open_streams(&s, folder))
        return false;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t supervisor = fork();
    int reason = errno;
    if (supervisor == 0)
        supervise(argv, &s, &before);
    close_end(&s.failure[1]);
    close_end(&s.reports[1]);
    *out = (running){.supervisor = supervisor,
                     .output = s.output[0],
                     .errors = s.errors[0],
                     .reports = s.reports[0],
                     .life = s.life[1],
                     .start = eti__now()};
    if (supervisor > 0 && read_report(s.reports[0], &out->pid, sizeof out->pid)) {
        s.output[0] = s.errors[0] = s.reports[0] = s.life[1] = -1; /* these stay open */
        out->failure = wait_for_exec(s.failure[0]);
        eti__leftover_add_process(supervisor);
    } else if (supervisor > 0) {
        reason = wait_for_exec(s.failure[0]);
        reason = reason ? reason : EAGAIN;
        reap(supervisor);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close_streams(&s);
    errno = reason;
    return out->pid > 0;
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

/* How a command ended, as waitid() says it. */
typedef struct report {
    int code, status;
} report;

/* Waits until a stream has data or the command has ended, for at most a tick. Returns whether it has ended; if its supervisor
 * was killed, so was the command. */
static bool wait_for_streams(const running *command, report *out) {
    struct pollfd waited[] = {{.fd = command->reports, .events = POLLIN},
                              {.fd = command->output, .events = POLLIN},
                              {.fd = command->errors, .events = POLLIN}};
    if (poll(waited, 3, TICK_MS) <= 0 || !waited[0].revents)
        return false;
    if (!read_report(command->reports, out, sizeof *out))
        *out = (report){CLD_KILLED, SIGKILL};
    return true;
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
                         eti_wait_function wait, void *context, report *how) {
    while (!wait_for_streams(command, how)) {
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
static void set_end(eti_process_result *out, const report *how, int failure) {
    out->end = how->code == CLD_EXITED ? ETI_PROCESS_EXITED : ETI_PROCESS_KILLED;
    out->code = how->status;
    if (failure != 0) {
        out->end = ETI_PROCESS_NOT_STARTED;
        out->code = failure;
    }
}

/* Lets the supervisor end, and first all descendants of a command that did not end by itself. */
static void finish(running *command, eti_process_result *out, const report *how) {
    eti__leftover_drop_process(command->supervisor);
    if (command->killed_at == 0)
        set_end(out, how, command->failure);
    kill(command->supervisor, command->killed_at > 0 ? SIGTERM : SIGUSR1);
    reap(command->supervisor);
    close_end(&command->life); /* not earlier: the supervisor would see that before the signal */
    close_end(&command->reports);
    close_end(&command->output);
    close_end(&command->errors);
    out->seconds = eti__now() - command->start;
}

bool eti__process_run(eti_process_result *out, const char *folder, char *const argv[],
                      double most_seconds, eti_wait_function wait, void *context) {
    running command;
    report how;
    *out = (eti_process_result){.end = ETI_PROCESS_NOT_STARTED};
    if (!start(&command, argv, folder)) {
        out->code = errno;
        return false;
    }
    wait_for_end(&command, out, most_seconds, wait, context, &how);
    finish(&command, out, &how);
    return out->end == ETI_PROCESS_EXITED && out->code == 0;
}
