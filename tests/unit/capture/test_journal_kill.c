/* Kills processes that record into a journal, at any moment. JOURNAL_KILLS=200: number of kills by SIGKILL. */
#include "journal_fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>

/* Progress of a recording process, in memory that outlives it. */
typedef struct progress {
    volatile uint64_t n_default, n_runs; /* runs that ended, with their numbers from 1 */
    volatile bool is_traced, is_open, is_done;
} progress;

static progress *share_progress(void) {
    progress *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(shared != MAP_FAILED);
    return shared;
}

static uint64_t zero_clock(void *context) {
    (void)context;
    return 0;
}

static etc_config config_of(etc_when_full when_full, uint32_t keep_runs) {
    etc_config config = ETC_CONFIG_INIT;
    config.clock = zero_clock;
    config.when_full = when_full;
    config.keep_runs = keep_runs;
    return config;
}

/* Records until it is killed, or until there are `most` runs. */
static void record(const char *path, size_t size, const etc_config *config, progress *p,
                   uint64_t most) {
    etc_capture *c;
    if (etc_open_journal(&c, path, size, config) != ETC_OK)
        _exit(1);
    p->is_open = true;
    if (p->is_traced)
        raise(SIGSTOP);
    etc_run(c, "Default");
    etc_log(c, etc_intern(c, "Method::init"), 1, 2);
    etc_run_end(c);
    p->n_default = 1;
    for (uint64_t number = 1; number <= most; number++) {
        add_numbered_run(c, number);
        p->n_runs = number;
    }
    p->is_done = true;
}

/* A recovered dump has all runs that ended, except those that memory had no room for. */
static void check_recovered(etc_capture *c, const progress *p, bool is_ring) {
    uint32_t n_default;
    uint64_t size, n_runs = p->n_runs;
    if (etc_save_size(c, NULL, &size) == ETC_STATE) {
        assert_int_equal(p->n_default, 0);
        return;
    }
    saved s;
    save(&s, c);
    uint64_t last = check_numbered_runs(&s, &n_default);
    assert_in_range(n_default, p->n_default, 1);
    if (is_ring || stats_of(c).runs_dropped + stats_of(c).runs_partial == 0)
        assert_in_range(last, n_runs, n_runs + 1);
    else /* memory was full: the first runs are in the dump */
        assert_int_equal(s.dump.runs.count - n_default, last);
    free_saved(&s);
}

/* ---- SIGKILL --------------------------------------------------------------------------------- */

static void wait_for(long nanoseconds) {
    struct timespec wait = {0, nanoseconds};
    while (nanosleep(&wait, &wait) != 0 && errno == EINTR)
        continue;
}

static void kill_once(unsigned turn, progress *p) {
    static const size_t sizes[] = {4096, 65536, 1 << 20, 16 << 20};
    bool is_ring = turn % 3 != 0;
    size_t size = is_ring ? sizes[turn % 4] : (size_t)1 << 25;
    etc_config config = config_of(is_ring ? ETC_RING : ETC_STOP, turn % 2 ? 7 : 0);
    *p = (progress){0};
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        record(in_folder("journal"), size, &config, p, UINT64_MAX);
        _exit(0);
    }
    while (!p->is_open && waitpid(pid, NULL, WNOHANG) == 0)
        wait_for(100000);
    assert_true(p->is_open);
    wait_for((long)((turn * 2654435761u) % 20000 * 1000));
    etc_capture *c;
    assert_int_equal(etc_open_recovered(&c, in_folder("journal")), ETC_STATE); /* still open */
    kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    c = open_recovered("journal");
    check_recovered(c, p, is_ring);
    etc_close(c);
    assert_int_equal(unlink(in_folder("journal")), 0);
}

static void processes_are_killed(void **state) {
    (void)state;
    const char *wanted = getenv("JOURNAL_KILLS");
    unsigned n = wanted ? (unsigned)strtoul(wanted, NULL, 10) : 20;
    progress *p = share_progress();
    uint64_t n_runs = 0;
    for (unsigned turn = 0; turn < n; turn++) {
        kill_once(turn, p);
        n_runs += p->n_runs;
    }
    if (wanted)
        print_message("%u processes killed, after %llu runs\n", n, (unsigned long long)n_runs);
    munmap(p, sizeof *p);
}

/* ---- every instruction ----------------------------------------------------------------------- */

enum { SMALL = 2048, MOST_FILE = 4096 };

/* Checks the journal after each change. */
typedef struct stepping {
    uint8_t before[MOST_FILE];
    unsigned n_states;
} stepping;

static void check_state(stepping *s, const uint8_t *bytes, size_t size, const progress *p,
                        bool is_ring) {
    if (memcmp(s->before, bytes, size) == 0)
        return;
    memcpy(s->before, bytes, size);
    s->n_states++;
    etc_capture *c;
    assert_int_equal(etc_open_recovered_memory(&c, bytes, size), ETC_OK);
    check_recovered(c, p, is_ring);
    etc_close(c);
}

/* Lets a child execute one instruction; false: it is dead. */
static bool step(pid_t pid) {
    int status;
    if (ptrace(PTRACE_SINGLESTEP, pid, 0, 0) != 0)
        return false;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFSTOPPED(status);
}

static void step_through(etc_when_full when_full, uint32_t keep_runs, uint64_t most,
                         unsigned fewest_states) {
    progress *p = share_progress();
    static stepping s;
    memset(&s, 0, sizeof s);
    etc_config config = config_of(when_full, keep_runs);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        if (ptrace(PTRACE_TRACEME, 0, 0, 0) != 0)
            _exit(77);
        p->is_traced = true;
        record(in_folder("journal"), SMALL, &config, p, most);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    if (!WIFSTOPPED(status)) {
        munmap(p, sizeof *p);
        skip(); /* under a debugger, or not permitted */
    }
    int descriptor = open(in_folder("journal"), O_RDONLY);
    assert_true(descriptor >= 0);
    off_t size = lseek(descriptor, 0, SEEK_END);
    const uint8_t *bytes = mmap(NULL, (size_t)size, PROT_READ, MAP_SHARED, descriptor, 0);
    assert_true(bytes != MAP_FAILED && size <= MOST_FILE);
    do {
        check_state(&s, bytes, (size_t)size, p, when_full == ETC_RING);
    } while (!p->is_done && step(pid));
    assert_true(p->is_done);
    assert_true(s.n_states >= fewest_states);
    kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    munmap((void *)(uintptr_t)bytes, (size_t)size);
    close(descriptor);
    munmap(p, sizeof *p);
    assert_int_equal(unlink(in_folder("journal")), 0);
}

static void rings_after_each_instruction(void **state) {
    (void)state;
    step_through(ETC_RING, 0, 24, 500);
    step_through(ETC_RING, 2, 24, 500);
}

static void first_runs_after_each_instruction(void **state) {
    (void)state;
    step_through(ETC_STOP, 0, 20, 300);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(processes_are_killed),
        cmocka_unit_test(rings_after_each_instruction),
        cmocka_unit_test(first_runs_after_each_instruction),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
