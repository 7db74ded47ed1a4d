#include "nrt_fixture.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

/* AddressSanitizer's leak checker runs at the end of every process; in a forked child it waits for locks of threads that
 * were not copied. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
    return "detect_leaks=0";
}

/* ---- children -------------------------------------------------------------------------------- */

static void begin_session(void) {
    nrt_inspect_config_t *config = NULL;
    if (nrt_inspect_config_allocate(&config) != NRT_SUCCESS ||
        nrt_inspect_config_set_output_dir(config, folder) != NRT_SUCCESS ||
        nrt_inspect_begin_with_options(config) != NRT_SUCCESS)
        _exit(99);
    nrt_inspect_config_free(config);
}

/* Records two executions, in a profile of the model and in a session. */
static void profile_something(void) {
    nrt_model_t *model = NULL;
    if (etc_nrt_model_loaded("cnn", 0, &model) != NRT_SUCCESS ||
        nrt_profile_start(model, in_folder("a")) != NRT_SUCCESS)
        _exit(99);
    begin_session();
    for (int i = 0; i < 2; i++) {
        etc_capture *c = etc_nrt_execute_begin(model);
        etc_span span = etc_start_text(c, "native_call_conv");
        etc_end(c, &span);
        etc_nrt_execute_end(model, NRT_SUCCESS);
    }
}

static void check_profiles(void) {
    char path[300];
    assert_executions(in_folder("a"), 2, "cnn", 1);
    assert_int_equal(find_files("session_*/nc_0.etdp", path), 1);
    assert_executions(path, 2, "cnn", 1);
    assert_int_equal(find_files("session_*/system.etdp", path), 1);
    assert_int_equal(count_runs(path, "host"), 4);
}

static void check_nothing(void) {
    assert_int_equal(size_of(in_folder("a")), 0);
    assert_int_equal(find_files("session_*/*", NULL),
                     0); /* its folder is made when the session begins */
}

/* Runs `function` in a child, and returns the wait status. The function should not return. */
static int run_child(void (*function)(void)) {
    int status;
    pid_t child = fork();
    if (child == 0) {
        function();
        _exit(98);
    }
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void assert_killed(int status, int number) {
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), number);
}

static void assert_exited(int status, int code) {
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), code);
}

/* Waits for a signal that kills the process, five minutes at most. */
static void wait_for_death(void) {
    for (int i = 0; i < 3000; i++)
        nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
}

/* ---- exit ------------------------------------------------------------------------------------ */

static void profile_and_exit(void) {
    profile_something();
    exit(5);
}

static void exit_writes_what_is_on(void **state) {
    (void)state;
    assert_exited(run_child(profile_and_exit), 5);
    check_profiles();
}

static void stop_and_exit(void) {
    profile_something();
    if (nrt_inspect_stop() || nrt_profile_stop(in_folder("a")))
        _exit(97);
    exit(5);
}

static void what_was_stopped_is_written_once(void **state) {
    (void)state;
    assert_exited(run_child(stop_and_exit), 5);
    check_profiles();
}

static void exit_without_the_folder(void) {
    char command[160];
    profile_something();
    snprintf(command, sizeof command, "rm -rf %s && echo > %s", folder, folder);
    if (system(command) != 0 || !freopen("/dev/null", "w", stderr)) /* NOLINT(cert-env33-c) */
        _exit(97);
    exit(5);
}

static void exit_survives_a_folder_that_cannot_be_written(void **state) {
    (void)state;
    assert_exited(run_child(exit_without_the_folder), 5);
}

static void *execute_for_ever(void *model) {
    for (;;) {
        etc_capture *c = etc_nrt_execute_begin(model);
        etc_span span = etc_start_text(c, "native_call_conv");
        etc_end(c, &span);
        etc_nrt_execute_end(model, NRT_SUCCESS);
    }
    return NULL;
}

static void start_engine(void) {
    pthread_t thread;
    nrt_model_t *model = NULL;
    if (etc_nrt_model_loaded("mlp", 1, &model) != NRT_SUCCESS ||
        pthread_create(&thread, NULL, execute_for_ever, model) != 0)
        _exit(99);
    pthread_detach(thread);
}

/* Says through `pipe` that the engine runs and the profile is recorded. */
static void wait_beside_an_engine(int pipe) {
    start_engine();
    profile_something();
    if (write(pipe, "", 1) != 1)
        _exit(99);
    wait_for_death();
}

static void exit_beside_an_engine_now(void) {
    start_engine();
    profile_something();
    exit(5);
}

static void exit_while_engines_run(void **state) {
    (void)state;
    assert_exited(run_child(exit_beside_an_engine_now), 5);
    assert_int_equal(find_files("session_*/system.etdp", NULL), 1);
}

static atomic_uint n_stops;

static void *begin_and_stop(void *unused) {
    (void)unused;
    for (;; n_stops++) {
        nrt_inspect_config_t *config = NULL;
        if (nrt_inspect_config_allocate(&config) == NRT_SUCCESS &&
            nrt_inspect_config_set_output_dir(config, folder) == NRT_SUCCESS)
            nrt_inspect_begin_with_options(config);
        nrt_inspect_config_free(config);
        nrt_inspect_stop();
    }
    return NULL;
}

static void exit_beside_others(void) {
    for (int i = 0; i < 4; i++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, begin_and_stop, NULL) != 0)
            _exit(99);
        pthread_detach(thread);
    }
    for (int i = 0; i < 300000 && n_stops < 4; i++)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    exit(n_stops < 4 ? 96 : 5);
}

static void exit_while_others_stop(void **state) {
    (void)state;
    for (int i = 0; i < 20; i++)
        assert_exited(run_child(exit_beside_others), 5);
    assert_int_equal(find_files("session_*/.etcapture*", NULL), 0);
}

/* ---- signals --------------------------------------------------------------------------------- */

static int signal_of_child;

static void profile_and_kill(void) {
    profile_something();
    kill(getpid(), signal_of_child);
    wait_for_death();
}

static void a_signal_that_ends_the_process_ends_it_after_writing(void **state) {
    (void)state;
    static const int numbers[] = {SIGTERM, SIGINT};
    for (size_t i = 0; i < COUNT_OF(numbers); i++) {
        signal_of_child = numbers[i];
        assert_killed(run_child(profile_and_kill), numbers[i]);
        check_profiles();
        remove_folder(NULL);
        make_folder(NULL);
    }
}

static void other_signals_are_left_alone(void **state) {
    (void)state;
    signal_of_child = SIGUSR1;
    assert_killed(run_child(profile_and_kill), SIGUSR1);
    check_nothing();
}

static void a_signal_while_engines_run(void **state) {
    (void)state;
    int status, ready[2];
    char byte;
    assert_int_equal(pipe(ready), 0);
    pid_t child = fork();
    if (child == 0) {
        wait_beside_an_engine(ready[1]);
        _exit(98);
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    close(ready[1]);
    kill(child, SIGTERM);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_killed(status, SIGTERM);
    assert_int_equal(find_files("session_*/system.etdp", NULL), 1);
    assert_executions(in_folder("a"), 2, "cnn", 1);
}

/* Replaces a file of a profile by a pipe, so that writing it never ends, and sends both signals. */
static void kill_while_writing(void) {
    profile_something();
    if (unlink(in_folder("a")) != 0 || mkfifo(in_folder("a"), 0600) != 0)
        _exit(97);
    alarm(240);
    kill(getpid(), signal_of_child == SIGINT ? SIGTERM : SIGINT);
    kill(getpid(), signal_of_child);
    wait_for_death();
}

static void a_second_signal_ends_the_process_at_once(void **state) {
    (void)state;
    static const int numbers[] = {SIGTERM, SIGINT};
    for (size_t i = 0; i < COUNT_OF(numbers); i++) {
        signal_of_child = numbers[i];
        assert_killed(run_child(kill_while_writing), numbers[i]);
        remove_folder(NULL);
        make_folder(NULL);
    }
}

static void exit_in_handler(int number) {
    _exit(40 + number);
}

static void profile_with_a_handler(void) {
    signal(SIGTERM, exit_in_handler);
    profile_something();
    kill(getpid(), SIGTERM);
    wait_for_death();
}

static void profile_before_a_handler(void) {
    profile_something();
    signal(SIGTERM, exit_in_handler);
    nrt_inspect_stop();
    nrt_profile_stop(in_folder("a"));
    kill(getpid(), SIGTERM);
    wait_for_death();
}

static void handlers_of_the_application_stay(void **state) {
    (void)state;
    assert_exited(run_child(profile_with_a_handler), 40 + SIGTERM);
    check_nothing();
    assert_exited(run_child(profile_before_a_handler), 40 + SIGTERM);
}

static void profile_and_ignore(void) {
    signal(SIGINT, SIG_IGN);
    profile_something();
    kill(getpid(), SIGINT);
    exit(6);
}

static void ignored_signals_stay_ignored(void **state) {
    (void)state;
    assert_exited(run_child(profile_and_ignore), 6);
    check_profiles();
}

static bool has_default(int number) {
    struct sigaction action;
    return sigaction(number, NULL, &action) == 0 && !(action.sa_flags & SA_SIGINFO) &&
           action.sa_handler == SIG_DFL;
}

static void handlers_are_there_only_while_something_is_on(void **state) {
    (void)state;
    nrt_model_t *cnn = load("cnn", 0);
    assert_true(has_default(SIGTERM));
    assert_int_equal(nrt_profile_start(cnn, in_folder("a")), NRT_SUCCESS);
    assert_false(has_default(SIGTERM));
    assert_false(has_default(SIGINT));
    begin_session();
    assert_int_equal(nrt_profile_stop(in_folder("a")), NRT_SUCCESS);
    assert_false(has_default(SIGTERM));
    assert_int_equal(nrt_inspect_stop(), NRT_SUCCESS);
    assert_true(has_default(SIGTERM));
    assert_true(has_default(SIGINT));
    assert_int_equal(nrt_profile_continuous_start(NULL), NRT_SUCCESS); /* has nothing to write */
    assert_true(has_default(SIGTERM));
    assert_int_equal(nrt_profile_continuous_stop(), NRT_SUCCESS);
    etc_nrt_catch_signals(false);
    begin_session();
    assert_true(has_default(SIGTERM));
    etc_nrt_catch_signals(true);
    assert_false(has_default(SIGTERM));
    assert_int_equal(nrt_inspect_stop(), NRT_SUCCESS);
    etc_nrt_model_unloaded(cnn);
}

static void profile_and_kill_without(void) {
    etc_nrt_catch_signals(false);
    profile_something();
    kill(getpid(), SIGTERM);
    wait_for_death();
}

static void signals_are_not_caught_if_not_wanted(void **state) {
    (void)state;
    assert_killed(run_child(profile_and_kill_without), SIGTERM);
    check_nothing();
}

/* Simulates an application that receives its signals from sigwait(). */
static void profile_and_wait(void) {
    sigset_t set;
    int number;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    profile_something();
    kill(getpid(), SIGTERM);
    if (sigwait(&set, &number) == 0)
        exit(number);
}

static void a_signal_that_is_waited_for_gets_there(void **state) {
    (void)state;
    skip_under_emulator("it cannot fork a process that has threads");
    assert_exited(run_child(profile_and_wait), SIGTERM);
    check_profiles();
}

/* ---- fork ------------------------------------------------------------------------------------ */

static void exit_in_a_fork(void) {
    profile_something();
    int status;
    pid_t child = fork();
    if (child == 0)
        exit(7);
    if (waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 7)
        _exit(97);
    if (size_of(in_folder("a")) != 0 || find_files("session_*/*", NULL) != 0)
        _exit(96);
    exit(5);
}

static void a_fork_leaves_profiles_to_its_parent(void **state) {
    (void)state;
    skip_under_emulator("it cannot fork a process that has threads");
    assert_exited(run_child(exit_in_a_fork), 5);
    check_profiles();
}

static void kill_a_fork(void) {
    profile_something();
    int status;
    pid_t child = fork();
    if (child == 0) {
        kill(getpid(), SIGTERM);
        wait_for_death();
    }
    if (waitpid(child, &status, 0) != child || !WIFSIGNALED(status) || WTERMSIG(status) != SIGTERM)
        _exit(97);
    exit(5);
}

static void a_signal_to_a_fork_leaves_its_parent_alone(void **state) {
    (void)state;
    skip_under_emulator("it cannot fork a process that has threads");
    assert_exited(run_child(kill_a_fork), 5);
    check_profiles();
}

static void profile_in_a_fork(void) {
    begin_session();
    start_engine();
    int status;
    pid_t child = fork();
    if (child == 0) {
        profile_something();
        kill(getpid(), SIGTERM);
        wait_for_death();
    }
    if (waitpid(child, &status, 0) != child || !WIFSIGNALED(status) || WTERMSIG(status) != SIGTERM)
        _exit(97);
    _exit(5);
}

static void skip_in_forks_of_threads(void) {
#ifdef __SANITIZE_ADDRESS__
    print_message("# SKIP the allocator of AddressSanitizer may stay locked in a fork if a thread "
                  "was in it:\n");
    skip();
#endif
    skip_under_emulator("it cannot fork a process that has threads");
}

static void a_fork_has_profiles_of_its_own(void **state) {
    (void)state;
    skip_in_forks_of_threads();
    assert_exited(run_child(profile_in_a_fork), 5);
    check_profiles();
}

static void stop_in_a_fork(void) {
    nrt_model_t *model = NULL;
    if (etc_nrt_model_loaded("cnn", 0, &model) || nrt_profile_continuous_start(NULL))
        _exit(99);
    execute(model);
    int status;
    pid_t child = fork();
    if (child == 0)
        _exit(nrt_profile_continuous_stop() == NRT_INVALID ? 7 : 8);
    if (waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 7)
        _exit(97);
    _exit(nrt_profile_continuous_stop() == NRT_SUCCESS ? 5 : 96);
}

static void a_fork_forgets_a_continuous_profile(void **state) {
    (void)state;
    assert_exited(run_child(stop_in_a_fork), 5);
}

/* Forks while another thread often has the mutex. Children call the library. */
static void fork_beside_an_engine(void) {
    start_engine();
    for (int i = 0; i < 200; i++) {
        int status;
        nrt_model_t *model = NULL;
        pid_t child = fork();
        if (child == 0) {
            alarm(240);
            _exit(etc_nrt_model_loaded("cnn", 0, &model) == NRT_SUCCESS ? 7 : 8);
        }
        if (waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 7)
            _exit(97);
    }
    _exit(5);
}

static void a_fork_does_not_wait_for_threads_of_its_parent(void **state) {
    (void)state;
    skip_in_forks_of_threads();
    assert_exited(run_child(fork_beside_an_engine), 5);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)
    const struct CMUnitTest tests[] = {
        TEST(exit_writes_what_is_on),
        TEST(what_was_stopped_is_written_once),
        TEST(exit_survives_a_folder_that_cannot_be_written),
        TEST(exit_while_engines_run),
        TEST(exit_while_others_stop),
        TEST(a_signal_that_ends_the_process_ends_it_after_writing),
        TEST(other_signals_are_left_alone),
        TEST(a_signal_while_engines_run),
        TEST(a_second_signal_ends_the_process_at_once),
        TEST(handlers_of_the_application_stay),
        TEST(ignored_signals_stay_ignored),
        TEST(signals_are_not_caught_if_not_wanted),
        TEST(a_signal_that_is_waited_for_gets_there),
        TEST(a_fork_leaves_profiles_to_its_parent),
        TEST(a_signal_to_a_fork_leaves_its_parent_alone),
        TEST(a_fork_has_profiles_of_its_own),
        TEST(a_fork_forgets_a_continuous_profile),
        TEST(a_fork_does_not_wait_for_threads_of_its_parent),
        /* Others start children without handlers. This one profiles in this process. */
        TEST(handlers_are_there_only_while_something_is_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
