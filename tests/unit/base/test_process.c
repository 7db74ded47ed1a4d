#include "support.h"

#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ==== process ================================================================================= */

/* Seconds after which a test fails in any case. What it waits for takes no time, but a machine may be busy. */
#define LONG_ENOUGH 200.0
/* Less than commands sleep that must not be waited for. */
#define FAR_TOO_LONG 150

static eti_process_result result;

/* Runs a shell script. */
static bool run_script(const char *script, double most_seconds, eti_wait_function wait,
                       void *context) {
    char *const argv[] = {"sh", "-c", (char *)script, NULL};
    return eti__process_run(&result, NULL, argv, most_seconds, wait, context);
}

static bool run(const char *script) {
    return run_script(script, LONG_ENOUGH, NULL, NULL);
}

static eti_text tail_text(const eti_tail *tail) {
    return (eti_text){tail->bytes, tail->size};
}

/* Waits until no process has the writing end of a pipe: a killed process takes a moment to end. */
static bool is_released(int reading_end) {
    struct pollfd waited = {.fd = reading_end, .events = 0};
    return poll(&waited, 1, 200000) == 1 && (waited.revents & POLLHUP);
}

/* Cancels a command once it has written a byte to the pipe that it inherits. */
static bool has_not_started(void *context) {
    struct pollfd waited = {.fd = *(int *)context, .events = POLLIN};
    return poll(&waited, 1, 0) == 0;
}

/* Runs a script in which $STARTED says that it can be cancelled. Returns false. */
static bool run_until_started(const char *script) {
    int ends[2];
    char started[32];
    assert_int_equal(pipe(ends), 0);
    snprintf(started, sizeof started, "eval echo >&%d", ends[1]);
    setenv("STARTED", started, 1);
    bool succeeded = run_script(script, LONG_ENOUGH, has_not_started, &ends[0]);
    unsetenv("STARTED");
    close(ends[1]);
    assert_true(is_released(ends[0]));
    close(ends[0]);
    return succeeded;
}

/* ---- ends ------------------------------------------------------------------------------------ */

static void exit_status_shows_success(void **state) {
    (void)state;
    assert_true(run("exit 0"));
    assert_int_equal(result.end, ETI_PROCESS_EXITED);
    assert_int_equal(result.code, 0);
    assert_false(run("exit 7"));
    assert_int_equal(result.end, ETI_PROCESS_EXITED);
    assert_int_equal(result.code, 7);
}

static void signal_is_reported(void **state) {
    (void)state;
    assert_false(run("kill -SEGV $$"));
    assert_int_equal(result.end, ETI_PROCESS_KILLED);
    assert_int_equal(result.code, SIGSEGV);
}

static void missing_program_is_reported(void **state) {
    (void)state;
    char *const argv[] = {"/nowhere/program", NULL};
    assert_false(eti__process_run(&result, NULL, argv, LONG_ENOUGH, NULL, NULL));
    assert_int_equal(result.end, ETI_PROCESS_NOT_STARTED);
    assert_int_equal(result.code, ENOENT);
}

static void program_that_exits_127_was_started(void **state) {
    (void)state;
    assert_false(run("exit 127"));
    assert_int_equal(result.end, ETI_PROCESS_EXITED);
    assert_int_equal(result.code, 127);
}

/* ---- time ------------------------------------------------------------------------------------ */

static double clock_seconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* The shell waits for a child of its own: both are in the group. */
static void time_limit_ends_the_group(void **state) {
    (void)state;
    double start = clock_seconds();
    assert_false(run_script("sleep 300; exit 0", 0.2, NULL, NULL));
    assert_int_equal(result.end, ETI_PROCESS_TIMED_OUT);
    assert_true(clock_seconds() - start < FAR_TOO_LONG);
    assert_true(result.seconds >= 0.2);
}

static void command_that_ignores_sigterm_is_killed(void **state) {
    (void)state;
    assert_false(
        run_until_started("trap '' TERM\n"
                          "(trap 'echo ended >&2; exit' TERM; $STARTED; sleep 300 & wait)\n"
                          "sleep 300"));
    assert_int_equal(result.end, ETI_PROCESS_CANCELLED);
    assert_text(tail_text(&result.errors), "ended\n"); /* the whole group got SIGTERM */
    assert_true(result.seconds > 2 && result.seconds < FAR_TOO_LONG);
}

static bool wait_three_times(void *context) {
    return ++*(int *)context < 3;
}

static void caller_cancels(void **state) {
    (void)state;
    int n = 0;
    assert_false(run_script("sleep 300", 300, wait_three_times, &n));
    assert_int_equal(result.end, ETI_PROCESS_CANCELLED);
    assert_int_equal(n, 3);
    assert_true(result.seconds < FAR_TOO_LONG);
}

static bool act_as_signal_handler(void *context) {
    (void)context;
    eti_remove_temporary_files();
    return true;
}

static void signal_handler_kills_the_command(void **state) {
    (void)state;
    assert_false(run_script("trap '' TERM; sleep 30", LONG_ENOUGH, act_as_signal_handler, NULL));
    assert_int_equal(result.end, ETI_PROCESS_KILLED);
    assert_int_equal(result.code, SIGKILL);
}

/* A daemon that a command starts keeps the streams open. */
static void processes_left_behind_are_not_waited_for(void **state) {
    (void)state;
    assert_true(run("sleep 300 & echo $!"));
    assert_true(result.seconds < FAR_TOO_LONG);
    char number[32] = "";
    memcpy(number, result.output.bytes, result.output.size);
    pid_t pid = (pid_t)atol(number);
    assert_int_equal(kill(pid, SIGKILL), 0);
}

/* ---- streams --------------------------------------------------------------------------------- */

static void streams_are_kept_apart(void **state) {
    (void)state;
    assert_true(run("echo out; echo error >&2; cat"));
    assert_text(tail_text(&result.output), "out\n");
    assert_text(tail_text(&result.errors), "error\n");
}

static void end_of_a_long_stream_is_kept(void **state) {
    (void)state;
    assert_true(run("i=0; while [ $i -lt 20000 ]; do echo line $i; i=$((i + 1)); done"));
    assert_true(result.output.size >= ETI_TAIL_BYTES);
    const char *end = "line 19998\nline 19999\n";
    eti_text last = {result.output.bytes + result.output.size - strlen(end), strlen(end)};
    assert_text(last, end);
}

static void arguments_are_no_script(void **state) {
    (void)state;
    char *const argv[] = {"printf", "%s|", "a b", "$HOME", "*", "", NULL};
    assert_true(eti__process_run(&result, NULL, argv, LONG_ENOUGH, NULL, NULL));
    assert_text(tail_text(&result.output), "a b|$HOME|*||");
}

/* ---- surroundings ---------------------------------------------------------------------------- */

static void command_cannot_ask_the_terminal(void **state) {
    (void)state;
    assert_false(run("exec </dev/tty"));
    assert_int_equal(result.end, ETI_PROCESS_EXITED);
    assert_true(result.seconds < FAR_TOO_LONG);
}

static void command_has_a_group_of_its_own(void **state) {
    (void)state;
    assert_true(run("read -r pid name state parent group rest </proc/$$/stat; echo $group $$"));
    char *pid;
    long group = strtol(result.output.bytes, &pid, 10);
    assert_int_equal(group, strtol(pid, NULL, 10));
    assert_int_not_equal(group, getpgrp());
}

static void ignored_signals_are_not_ignored_by_commands(void **state) {
    (void)state;
    void (*before)(int) = signal(SIGPIPE, SIG_IGN);
    assert_false(run("kill -PIPE $$"));
    signal(SIGPIPE, before);
    assert_int_equal(result.end, ETI_PROCESS_KILLED);
    assert_int_equal(result.code, SIGPIPE);
}

/* A process killed by SIGKILL cannot handle the signal; its command still ends. */
/* ---- descendants ----------------------------------------------------------------------------- */

/* Starts descendants that keep a pipe open and do not end: a child, one in a session of its own, and one whose parents have
 * ended. Ignores SIGTERM in all. */
#define STUBBORN                                                                                   \
    "trap '' TERM; sleep 300 & setsid sleep 300 & (setsid sh -c 'sleep 300 & sleep 300' &); "

/* run_until_started() waits until all have ended. */
static void descendants_end_if_the_command_takes_too_long(void **state) {
    (void)state;
    assert_false(run_until_started("setsid sleep 300 & $STARTED; sleep 300"));
    assert_int_equal(result.end, ETI_PROCESS_CANCELLED);
    assert_false(run_until_started(STUBBORN "$STARTED; sleep 300"));
    assert_int_equal(result.end, ETI_PROCESS_CANCELLED);
}

/* Runs a script in another process, waits until it has started, and ends that process by a signal. */
static void kill_runner(const char *script, int number, int ends[2]) {
    char word;
    assert_int_equal(pipe(ends), 0);
    pid_t parent = fork();
    if (parent == 0) {
        char whole[400];
        snprintf(whole, sizeof whole, "%s echo >&%d; wait", script, ends[1]);
        run_script(whole, 300, NULL, NULL);
        _exit(0);
    }
    close(ends[1]);
    assert_int_equal(read(ends[0], &word, 1), 1);
    kill(parent, number);
    waitpid(parent, NULL, 0);
}

static void descendants_end_if_this_process_is_killed(void **state) {
    (void)state;
    static const int numbers[] = {SIGKILL, SIGTERM, SIGHUP};
    for (size_t i = 0; i < COUNT_OF(numbers); i++) {
        int ends[2];
        kill_runner(STUBBORN, numbers[i], ends);
        assert_true(is_released(ends[0]));
        close(ends[0]);
    }
}

/* A server that a command starts, such as adb's, is not ended if the command ends by itself. */
static void what_a_command_leaves_behind_lives_on(void **state) {
    (void)state;
    int ends[2];
    char script[100], pid_text[32] = "";
    assert_int_equal(pipe(ends), 0);
    snprintf(script, sizeof script, "setsid sleep 300 & echo $! >&%d", ends[1]);
    assert_true(run(script));
    close(ends[1]);
    assert_true(read(ends[0], pid_text, sizeof pid_text - 1) > 0);
    struct pollfd waited = {.fd = ends[0], .events = 0};
    assert_int_equal(poll(&waited, 1, 0), 0);
    assert_int_equal(kill((pid_t)atol(pid_text), SIGKILL), 0);
    assert_true(is_released(ends[0]));
    close(ends[0]);
}

/* Descriptors that this process has open are not kept by the supervisor: only by the command. */
static bool supervisor_has_closed(void *context) {
    int *ends = context;
    if (ends[1] >= 0)
        close(ends[1]);
    ends[1] = -1;
    struct pollfd waited = {.fd = ends[0], .events = 0};
    ends[2] = poll(&waited, 1, 5000) == 1 && (waited.revents & POLLHUP);
    return false;
}

static void the_supervisor_keeps_no_descriptors(void **state) {
    (void)state;
    int ends[3] = {-1, -1, 0};
    assert_true(eti__open_pipe(ends));
    assert_false(run_script("sleep 300", 300, supervisor_has_closed, ends));
    assert_true(ends[2]);
    close(ends[0]);
}

static void command_dies_with_its_parent(void **state) {
    (void)state;
    char pid_text[32] = "";
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t parent = fork();
    if (parent == 0) {
        char script[64];
        snprintf(script, sizeof script, "echo $$ >&%d; exec %d>&-; exec sleep 30", ends[1],
                 ends[1]);
        close(ends[0]);
        run(script);
        _exit(0);
    }
    close(ends[1]);
    assert_true(read(ends[0], pid_text, sizeof pid_text - 1) > 0);
    close(ends[0]);
    kill(parent, SIGKILL);
    waitpid(parent, NULL, 0);
    pid_t pid = (pid_t)atol(pid_text);
    bool is_gone = false;
    for (int i = 0; i < 6000 && !is_gone; i++) {
        is_gone = kill(pid, 0) != 0 && errno == ESRCH;
        usleep(10000);
    }
#ifdef __linux__
    assert_true(is_gone);
#endif
}

/* ==== pipe ==================================================================================== */

static void written_files_are_read(void **state) {
    (void)state;
    int ends[2] = {-1, -1};
    char found = 0;
    assert_true(eti__open_pipe(ends));
    assert_int_equal(write(ends[1], "x", 1), 1);
    assert_int_equal(read(ends[0], &found, 1), 1);
    assert_int_equal(found, 'x');
    close(ends[0]);
    close(ends[1]);
}

static void no_program_that_is_started_inherits_it(void **state) {
    (void)state;
    int ends[2] = {-1, -1};
    assert_true(eti__open_pipe(ends));
    for (int i = 0; i < 2; i++) {
        assert_int_equal(fcntl(ends[i], F_GETFD), FD_CLOEXEC);
        assert_int_equal(fcntl(ends[i], F_GETFL) & O_NONBLOCK, 0);
        close(ends[i]);
    }
}

static void a_system_without_descriptors_is_reported(void **state) {
    (void)state;
    struct rlimit before, none;
    int ends[2] = {-1, -1};
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    none = (struct rlimit){0, before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    bool is_open = eti__open_pipe(ends);
    int reason = errno;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_false(is_open);
    assert_int_equal(reason, EMFILE);
    assert_int_equal(ends[0], -1);
    assert_int_equal(ends[1], -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exit_status_shows_success),
        cmocka_unit_test(signal_is_reported),
        cmocka_unit_test(missing_program_is_reported),
        cmocka_unit_test(program_that_exits_127_was_started),
        cmocka_unit_test(time_limit_ends_the_group),
        cmocka_unit_test(command_that_ignores_sigterm_is_killed),
        cmocka_unit_test(caller_cancels),
        cmocka_unit_test(signal_handler_kills_the_command),
        cmocka_unit_test(processes_left_behind_are_not_waited_for),
        cmocka_unit_test(streams_are_kept_apart),
        cmocka_unit_test(end_of_a_long_stream_is_kept),
        cmocka_unit_test(arguments_are_no_script),
        cmocka_unit_test(command_cannot_ask_the_terminal),
        cmocka_unit_test(command_has_a_group_of_its_own),
        cmocka_unit_test(ignored_signals_are_not_ignored_by_commands),
        cmocka_unit_test(descendants_end_if_the_command_takes_too_long),
        cmocka_unit_test(descendants_end_if_this_process_is_killed),
        cmocka_unit_test(what_a_command_leaves_behind_lives_on),
        cmocka_unit_test(the_supervisor_keeps_no_descriptors),
        cmocka_unit_test(command_dies_with_its_parent),
        cmocka_unit_test(written_files_are_read),
        cmocka_unit_test(no_program_that_is_started_inherits_it),
        cmocka_unit_test(a_system_without_descriptors_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
