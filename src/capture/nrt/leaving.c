/*
 * leaving.c - writes or forgets the profiles that are on when the process ends or forks.
 *
 * exit() calls at_exit() below. A signal does not, and its handler cannot write files: the handler
 * wakes a thread, which writes and then ends the process as the signal would have. Only signals
 * with the default action are handled, so that no handler of the application is replaced; an
 * application with a handler of its own should end by exit(), or stop its profiles itself, but not
 * in the handler: the interrupted thread may hold the mutex. A second signal, the same or another
 * handled one, ends the process at once.
 */
#include "capture/nrt/nrt.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static const int signals[] = {SIGTERM, SIGINT};
enum { N_SIGNALS = sizeof signals / sizeof signals[0] };

enum { NO_SIGNAL, PATIENCE_MS = 10000 };

/* State protected by the mutex, except the variables that the handler reads: these are set before
 * the handler is installed. */
static bool watches_exit, watches_forks;
static bool are_handled[N_SIGNALS];
static bool has_thread;
static pthread_t thread;
static int wake[2]; /* pipe to the thread: numbers of signals */
static volatile sig_atomic_t wake_end;
static volatile pid_t wake_process;
static atomic_flag is_woken = ATOMIC_FLAG_INIT; /* by a signal: the thread does not read another */

/* ---- ending ---------------------------------------------------------------------------------- */

static void wait_a_moment(void) {
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

/* Waits for other threads that are writing, but not longer than PATIENCE_MS: a thread may have been
 * interrupted for good. */
static void wait_for_writers(void) {
    for (int i = 0; i < PATIENCE_MS && etc__nrt.n_writing > 0; i++) {
        pthread_mutex_unlock(&etc__nrt.mutex);
        wait_a_moment();
        pthread_mutex_lock(&etc__nrt.mutex);
    }
}

NRT_STATUS etc__nrt_end_all(void) {
    NRT_STATUS status = NRT_SUCCESS;
    wait_for_writers(); /* other threads may stop profiles meanwhile */
    nrt_profile *profiles = etc__nrt.profiles;
    nrt_session *session = etc__nrt.session;
    nrt_continuous *continuous = etc__nrt.continuous;
    nrt_trace *trace = etc__nrt.trace;
    etc__nrt.profiles = NULL;
    etc__nrt.session = NULL;
    etc__nrt.continuous = NULL;
    etc__nrt.trace = NULL;
    if (session)
        etc__nrt_sample(session);
    etc__nrt_begin_writing();
    while (profiles) {
        nrt_profile *next = profiles->next;
        status = etc__nrt_worse(status, etc__nrt_profile_save(profiles));
        etc__nrt_profile_free(profiles);
        profiles = next;
    }
    if (session)
        status = etc__nrt_worse(status, etc__nrt_session_save(session));
    etc__nrt_session_free(session);
    etc__nrt_continuous_free(continuous);
    etc__nrt_trace_free(trace);
    etc__nrt_end_writing();
    return status;
}

/* Ends all profiles at the end of the process; prints failures, because there is no caller to
 * return them to. */
static void end_process(void) {
    static const char message[] = "libnrt_profile_etcapture: cannot write all profiles at exit; "
                                  "check that their folder is writable and has space\n";
    int i = 0;
    while (pthread_mutex_trylock(&etc__nrt.mutex) != 0) {
        if (i++ == PATIENCE_MS)
            return;
        wait_a_moment();
    }
    etc__nrt.phase = NRT_PHASE_CLOSED; /* no profile begins any more */
    NRT_STATUS status = etc__nrt_end_all();
    pthread_mutex_unlock(&etc__nrt.mutex);
    if (status && write(STDERR_FILENO, message, sizeof message - 1) < 0)
        return;
}

/* ---- signals --------------------------------------------------------------------------------- */

static void handle(int number) {
    int error = errno;
    unsigned char byte = (unsigned char)number;
    /* In a forked child that has not executed another program yet, the signal ends the child,
     * because its action is the default again; so does a second signal end the process. */
    if (getpid() != wake_process || atomic_flag_test_and_set(&is_woken) ||
        write((int)wake_end, &byte, 1) != 1)
        raise(number);
    errno = error;
}

static void *wait_for_signals(void *unused) {
    unsigned char number = NO_SIGNAL;
    (void)unused;
    while (read(wake[0], &number, 1) < 0 && errno == EINTR)
        continue;
    if (number == NO_SIGNAL)
        return NULL;
    end_process();
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    signal(number, SIG_DFL);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    raise(number);
    return NULL;
}

static bool set_flag(int file, int set, int get, int flag) {
    int flags = fcntl(file, get);
    return flags >= 0 && fcntl(file, set, flags | flag) >= 0;
}

static bool open_pipe(void) {
    if (pipe(wake) != 0)
        return false;
    if (set_flag(wake[0], F_SETFD, F_GETFD, FD_CLOEXEC) &&
        set_flag(wake[1], F_SETFD, F_GETFD, FD_CLOEXEC) &&
        set_flag(wake[1], F_SETFL, F_GETFL, O_NONBLOCK))
        return true;
    close(wake[0]);
    close(wake[1]);
    return false;
}

/* Starts the thread, which no signal interrupts, if it is not running. */
static bool start_thread(void) {
    sigset_t all, before;
    if (has_thread)
        return true;
    if (!open_pipe())
        return false;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    has_thread = pthread_create(&thread, NULL, wait_for_signals, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!has_thread) {
        close(wake[0]);
        close(wake[1]);
        return false;
    }
    atomic_flag_clear(&is_woken);
    wake_end = wake[1];
    wake_process = getpid();
    return true;
}

/* Handles the signals whose action is the default. */
static void install_handlers(void) {
    for (int i = 0; i < N_SIGNALS; i++) {
        struct sigaction action = {0};
        if (are_handled[i] || sigaction(signals[i], NULL, &action) != 0 ||
            (action.sa_flags & SA_SIGINFO) || action.sa_handler != SIG_DFL)
            continue;
        if (!start_thread())
            return;
        action = (struct sigaction){0};
        action.sa_handler = handle;
        action.sa_flags = (int)((unsigned)SA_RESTART | SA_RESETHAND);
        sigemptyset(&action.sa_mask);
        are_handled[i] = sigaction(signals[i], &action, NULL) == 0;
    }
}

/* Removes the handlers that have not been replaced. */
static void remove_handlers(void) {
    for (int i = 0; i < N_SIGNALS; i++) {
        struct sigaction action;
        if (are_handled[i] && sigaction(signals[i], NULL, &action) == 0 &&
            !(action.sa_flags & SA_SIGINFO) && action.sa_handler == handle)
            signal(signals[i], SIG_DFL);
        are_handled[i] = false;
    }
}

/* ---- exit and fork --------------------------------------------------------------------------- */

/* Ends the profiles and the thread; also called when the library is unloaded, before which the
 * thread must have ended. */
static void at_exit(void) {
    end_process();
    if (has_thread) {
        unsigned char byte = NO_SIGNAL;
        remove_handlers();
        if (write(wake[1], &byte, 1) == 1)
            pthread_join(thread, NULL);
        has_thread = false;
    }
}

static void before_fork(void) {
    pthread_mutex_lock(&etc__nrt.mutex);
}

static void after_fork_in_parent(void) {
    pthread_mutex_unlock(&etc__nrt.mutex);
}

/* Forgets the executions of a model. Drops captures that other threads may have been changing at
 * the fork. */
static void forget_executions(nrt_model_t *model) {
    for (nrt_execution *execution = model->executions; execution; execution = execution->next) {
        if (execution->is_recorded && !pthread_equal(execution->owner, pthread_self())) {
            etc_close(execution->capture);
            execution->capture = NULL;
        }
        execution->is_running = execution->is_recorded = false;
    }
    model->n_running = 0;
}

/* Forgets the profiles in the child: they belong to the parent. Other threads, and their
 * executions, do not exist in the child. */
static void after_fork_in_child(void) {
    pthread_mutex_t unlocked = PTHREAD_MUTEX_INITIALIZER;
    etc__nrt.mutex = unlocked;
    remove_handlers();
    if (has_thread) {
        close(wake[0]);
        close(wake[1]);
    }
    has_thread = false;
    while (etc__nrt.profiles) {
        nrt_profile *next = etc__nrt.profiles->next;
        etc__nrt_profile_free(etc__nrt.profiles);
        etc__nrt.profiles = next;
    }
    etc__nrt_session_free(etc__nrt.session);
    etc__nrt_continuous_free(etc__nrt.continuous);
    etc__nrt_trace_free(etc__nrt.trace);
    etc__nrt.session = NULL;
    etc__nrt.continuous = NULL;
    etc__nrt.trace = NULL;
    etc__nrt.n_writing = 0;
    for (nrt_model_t *model = etc__nrt.models; model; model = model->next)
        forget_executions(model);
}

void etc__nrt_watch(void) {
    bool has_files = etc__nrt.profiles || etc__nrt.session || etc__nrt.n_writing > 0; /* to write */
    bool is_on = has_files || etc__nrt.continuous;
    /* The engine locks the mutex for each execution, even if nothing is on. */
    if (!watches_forks && (is_on || etc__nrt.models || etc__nrt.trace))
        watches_forks = pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child) == 0;
    /* A continuous profile writes no file at the end, but another thread may be saving it. */
    if (!watches_exit && is_on)
        watches_exit = atexit(at_exit) == 0;
    if (has_files && !etc__nrt.ignores_signals)
        install_handlers();
    else
        remove_handlers();
}
