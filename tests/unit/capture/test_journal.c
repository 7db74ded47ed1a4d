#include "journal_fixture.h"

#include "capture/journal.h"
#include "damage.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <sys/wait.h>

/* ---- failures of the system ------------------------------------------------------------------ */

static int reason_of_allocate; /* 0: the system's result */
static bool refuses_maps, refuses_locks;
static size_t largest_map = SIZE_MAX;
static bool forks_in_allocate, forks_in_map, forks_in_unmap;
static int child_pipe[2]; /* keeps the child */
static pid_t child_of_fork;
static pthread_t forking;
static atomic_int forking_task; /* its number in /proc */

int __wrap_posix_fallocate(int descriptor, off_t at, off_t size);
int __real_posix_fallocate(int descriptor, off_t at, off_t size);
void *__wrap_mmap(void *at, size_t size, int protection, int flags, int file, off_t offset);
void *__real_mmap(void *at, size_t size, int protection, int flags, int file, off_t offset);
int __wrap_munmap(void *at, size_t size);
int __real_munmap(void *at, size_t size);
int __wrap_flock(int descriptor, int operation);
int __real_flock(int descriptor, int operation);

/* Starts a child that lives until the pipe is closed. */
static void *start_child(void *unused) {
    char byte = 0;
    int ready[2];
    (void)unused;
    forking_task = (int)syscall(SYS_gettid);
    if (pipe(child_pipe) != 0 || pipe(ready) != 0)
        return NULL;
    child_of_fork = fork();
    if (child_of_fork == 0) {
        close(child_pipe[1]);
        _exit(write(ready[1], &byte, 1) != 1 || read(child_pipe[0], &byte, 1) != 0);
    }
    if (child_of_fork > 0 && read(ready[0], &byte, 1) != 1)
        child_of_fork = -1;
    close(ready[0]);
    close(ready[1]);
    return NULL;
}

/* Returns whether the thread that forks waits for a lock, or for the child that it made. */
static bool is_forking_thread_waiting(void) {
    char path[64], text[512] = "";
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", forking_task);
    FILE *file = fopen(path, "re");
    if (!file)
        return forking_task != 0; /* it has ended, or there is no /proc */
    size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    const char *end_of_name = strrchr(text, ')');
    return size > 0 && end_of_name && strncmp(end_of_name, ") S", 3) == 0;
}

/* Forks in another thread, and returns when that has forked or must wait. */
static void start_child_beside(void) {
    forking_task = 0;
    if (pthread_create(&forking, NULL, start_child, NULL) != 0)
        return;
    while (!is_forking_thread_waiting())
        sched_yield();
}

static void end_child(void) {
    int status;
    close(child_pipe[0]);
    close(child_pipe[1]);
    assert_int_equal(waitpid(child_of_fork, &status, 0), child_of_fork);
    assert_int_equal(status, 0);
}

int __wrap_munmap(void *at, size_t size) {
    if (forks_in_unmap)
        start_child_beside();
    forks_in_unmap = false;
    return __real_munmap(at, size);
}

int __wrap_posix_fallocate(int descriptor, off_t at, off_t size) {
    if (forks_in_allocate)
        start_child_beside();
    forks_in_allocate = false;
    return reason_of_allocate ? reason_of_allocate : __real_posix_fallocate(descriptor, at, size);
}

void *__wrap_mmap(void *at, size_t size, int protection, int flags, int file, off_t offset) {
    if (!refuses_maps && size <= largest_map) {
        void *mapping = __real_mmap(at, size, protection, flags, file, offset);
        if (forks_in_map)
            start_child_beside();
        forks_in_map = false;
        return mapping;
    }
    errno = ENOMEM;
    return (void *)-1;
}

int __wrap_flock(int descriptor, int operation) {
    if (!refuses_locks)
        return __real_flock(descriptor, operation);
    errno = ENOLCK;
    return -1;
}

/* ---- bytes of journals ----------------------------------------------------------------------- */

static uint8_t *read_journal(size_t *size) {
    return read_whole_file(in_folder("journal"), size);
}

static uint8_t *save_bytes(const etc_capture *c, size_t *size) {
    uint64_t needed;
    assert_int_equal(etc_save_size(c, NULL, &needed), ETC_OK);
    uint8_t *bytes = malloc((size_t)needed);
    assert_non_null(bytes);
    assert_int_equal(etc_save_memory(c, NULL, bytes, (size_t)needed, size), ETC_OK);
    return bytes;
}

/* Both captures must save the same bytes, and report the same losses. */
static void assert_same_saved(const etc_capture *a, const etc_capture *b) {
    size_t size_a, size_b;
    uint8_t *bytes_a = save_bytes(a, &size_a), *bytes_b = save_bytes(b, &size_b);
    assert_int_equal(size_a, size_b);
    assert_memory_equal(bytes_a, bytes_b, size_a);
    free(bytes_a);
    free(bytes_b);
    etc_stats stats_a = stats_of(a), stats_b = stats_of(b);
    stats_b.memory_bytes = stats_a.memory_bytes;
    stats_b.names_repaired = stats_a.names_repaired;
    assert_memory_equal(&stats_a, &stats_b, sizeof stats_a);
}

static void remove_journal(void) {
    assert_int_equal(unlink(in_folder("journal")), 0);
}

/* Adds records of every kind, and an open run after them. */
static void add_everything(etc_capture *c) {
    static const int64_t sizes[] = {2, 3};
    static const float data[6] = {1, 2, 3, 4, 5, 6};
    const etc_tensor tensors[] = {{ETC_FLOAT, 2, sizes, NULL, data, sizeof data},
                                  {ETC_INT, 1, sizes, NULL, data, 8},
                                  {ETC_BYTE, 0, NULL, NULL, data, 1}};
    etc_run(c, "Default");
    etc_log(c, etc_intern(c, "Method::init"), 1, 2);
    etc_set_bundled_input(c, 3);
    etc_run(c, "Execute");
    etc_set_instruction(c, 0, 7);
    etc_log(c, 0, 1, 2);
    etc_log_delegate(c, 0, 5, 3, 4, "metadata", 8);
    etc_log_delegate(c, etc_intern(c, "\xc3\xa4 delegate's"), -1, 3, 4, NULL, 0);
    etc_allocation(c, etc_allocator(c, "arena"), 4096);
    (void)etc_log_int(c, ETC_OPERATOR, -1, 0);
    (void)etc_log_double(c, (etc_key){"key", -1}, 0.5, 0);
    (void)etc_log_bool(c, (etc_key){NULL, 9}, true, 0);
    (void)etc_log_tensor(c, ETC_OPERATOR, &tensors[0], ETC_PROGRAM_OUTPUT);
    (void)etc_log_tensors(c, ETC_OPERATOR, tensors, 3, 0);
    (void)etc_log_tensors(c, ETC_OPERATOR, NULL, 0, 0);
    etc_run(c, "Execute");
    etc_log(c, etc_intern(c, "the open run"), 1, 2);
}

static etc_config config_for_all(etc_when_full when_full) {
    etc_config config = make_config();
    config.when_full = when_full;
    config.debug_level = ETC_DEBUG_INTERMEDIATE_OUTPUTS;
    config.tick_numerator = 3;
    config.tick_denominator = 2;
    return config;
}

/* ---- opening and recovering ------------------------------------------------------------------ */

static void recorded_runs_are_recovered(void **state) {
    (void)state;
    for (int when_full = ETC_STOP; when_full <= ETC_RING; when_full++) {
        etc_config config = config_for_all((etc_when_full)when_full);
        etc_capture *c = open_journal("journal", 8192, &config);
        add_everything(c);
        uint8_t *plain = malloc(8192);
        assert_non_null(plain);
        etc_capture *other = etc_init(plain, 8192, &config); /* the same capture in memory */
        add_everything(other);
        etc_close(c);
        etc_capture *recovered = open_recovered("journal");
        assert_same_saved(other, recovered);
        etc_close(recovered);
        free(plain);
        remove_journal();
    }
}

static int keep_size(void *context, const void *data, size_t size) {
    (void)data;
    *(size_t *)context += size;
    return 0;
}

static int refuse(void *context, const void *data, size_t size) {
    (void)context;
    (void)data;
    (void)size;
    return -1;
}

static void recovering_at_once(void **state) {
    (void)state;
    size_t size = 0, expected;
    etc_capture *c = open_journal("journal", 4096, NULL);
    add_run(c, "Execute", 3);
    free(save_bytes(c, &expected));
    assert_int_equal(etc_recover(in_folder("journal"), (etc_sink){keep_size, &size}), ETC_STATE);
    etc_close(c);
    assert_int_equal(etc_recover(in_folder("journal"), (etc_sink){keep_size, &size}), ETC_OK);
    assert_int_equal(size, expected);
    assert_int_equal(etc_recover(in_folder("journal"), (etc_sink){refuse, NULL}), ETC_IO);
    assert_int_equal(etc_recover(in_folder("journal"), (etc_sink){NULL, NULL}), ETC_INVALID);
    assert_int_equal(etc_recover(in_folder("nothing"), (etc_sink){keep_size, &size}), ETC_IO);
    assert_int_equal(errno, ENOENT);
    assert_int_equal(etc_recover(NULL, (etc_sink){keep_size, &size}), ETC_INVALID);
    assert_int_equal(etc_recover(folder, (etc_sink){keep_size, &size}), ETC_INVALID);
    remove_journal();
}

static void a_journal_without_runs(void **state) {
    (void)state;
    uint64_t n_runs = 1, n_events = 1;
    for (int opens = 0; opens < 2; opens++) {
        etc_capture *c = open_journal("journal", 4096, NULL);
        if (opens)
            etc_run(c, "Execute");
        etc_close(c);
        c = open_recovered("journal");
        assert_nothing_to_save(c);
        assert_int_equal(etc_count_saved(c, NULL, &n_runs, &n_events), ETC_STATE);
        assert_int_equal(n_runs + n_events, 0);
        etc_close(c);
        assert_int_equal(etc_recover(in_folder("journal"), (etc_sink){refuse, NULL}), ETC_STATE);
        remove_journal();
    }
}

/* A recovered capture can only be saved. */
static void recovered_captures_record_nothing(void **state) {
    (void)state;
    for (int when_full = ETC_STOP; when_full <= ETC_RING; when_full++) {
        etc_config config = config_for_all((etc_when_full)when_full);
        uint64_t n_runs, n_events;
        etc_capture *c = open_journal("journal", 8192, &config);
        add_everything(c);
        etc_close(c);
        c = open_recovered("journal");
        assert_int_equal(etc_count_saved(c, NULL, &n_runs, &n_events), ETC_OK);
        assert_int_equal(n_runs, 2);
        assert_int_equal(n_events, 11);
        assert_int_equal(etc_sync(c), ETC_STATE);
        add_everything(c);
        add_event(c, "more");
        assert_int_equal(etc_count_saved(c, NULL, &n_runs, &n_events), ETC_OK);
        assert_int_equal(n_runs, 2);
        assert_int_equal(n_events, 11);
        etc_reset(c);
        assert_nothing_to_save(c);
        add_run(c, "Execute", 2000); /* memory is available again */
        etc_close(c);
        remove_journal();
    }
}

static void the_file_is_new(void **state) {
    (void)state;
    etc_capture *c = open_journal("journal", 4096, NULL), *other = c;
    assert_int_equal(etc_open_journal(&other, in_folder("journal"), 4096, NULL), ETC_IO);
    assert_int_equal(errno, EEXIST);
    assert_null(other);
    etc_close(c);
    assert_true(is_there(in_folder("journal")));
    assert_int_equal(etc_open_journal(&other, in_folder("journal"), 4096, NULL), ETC_IO);
    remove_journal();
    assert_int_equal(etc_open_journal(&other, in_folder("no/journal"), 4096, NULL), ETC_IO);
    assert_int_equal(errno, ENOENT);
}

/* Returns the number that the next file would get. */
static int next_descriptor(void) {
    int descriptor = open("/dev/null", O_RDONLY);
    assert_true(descriptor >= 0);
    close(descriptor);
    return descriptor;
}

/* Checks that opening fails and leaves neither a file nor a descriptor behind. */
static void assert_opening_fails(size_t size, const etc_config *config, etc_status status) {
    int next = next_descriptor();
    errno = 0;
    etc_capture *c = (etc_capture *)(void *)memory;
    assert_int_equal(etc_open_journal(&c, in_folder("journal"), size, config), status);
    assert_null(c);
    assert_int_equal(errno, status == ETC_IO       ? reason_of_allocate
                            : status == ETC_MEMORY ? ENOMEM
                                                   : 0);
    assert_false(is_there(in_folder("journal")));
    assert_int_equal(next_descriptor(), next);
}

static void opening_fails_without_a_file(void **state) {
    (void)state;
    etc_config config = make_config();
    etc_capture *c;
    assert_int_equal(etc_open_journal(NULL, in_folder("journal"), 4096, NULL), ETC_INVALID);
    assert_int_equal(etc_open_journal(&c, NULL, 4096, NULL), ETC_INVALID);
    assert_int_equal(etc_open_recovered(NULL, in_folder("journal")), ETC_INVALID);
    assert_int_equal(etc_open_recovered(&c, NULL), ETC_INVALID);
    assert_int_equal(etc_open_recovered_memory(NULL, memory, 1), ETC_INVALID);
    assert_int_equal(etc_open_recovered_memory(&c, NULL, 1), ETC_INVALID);
    assert_opening_fails(ETC_MIN_BYTES - 1, &config, ETC_INVALID);
    config.tick_numerator = 1;
    assert_opening_fails(4096, &config, ETC_INVALID);
    config = make_config();
    config.when_full = ETC_GROW;
    assert_opening_fails(4096, &config, ETC_INVALID);
    reason_of_allocate = ENOSPC;
    assert_opening_fails(4096, NULL, ETC_IO);
    reason_of_allocate = 0;
    refuses_maps = true;
    assert_opening_fails(4096, NULL, ETC_MEMORY);
    refuses_maps = false;
    assert_int_equal(etc_sync(NULL), ETC_OK);
    etc_close(NULL);
}

static void open_without_allocation(int reason) {
    struct stat status;
    reason_of_allocate = reason;
    refuses_locks = true;
    etc_capture *c = open_journal("journal", 200000, NULL);
    reason_of_allocate = 0;
    add_run(c, "Execute", 3000);
    assert_int_equal(etc_sync(c), ETC_OK);
    assert_int_equal(stat(in_folder("journal"), &status), 0);
    assert_int_equal(status.st_size, 200000 + ETC_JOURNAL_HEADER_SIZE);
    etc_capture *recovered = open_recovered("journal");
    refuses_locks = false;
    assert_same_saved(c, recovered);
    etc_close(recovered);
    etc_close(c);
    refuses_maps = true;
    assert_int_equal(etc_open_recovered(&recovered, in_folder("journal")), ETC_MEMORY);
    refuses_maps = false;
    remove_journal();
}

/* File systems and C libraries say in three ways that they do not allocate blocks. */
static void systems_that_cannot_allocate_or_lock(void **state) {
    (void)state;
    open_without_allocation(EOPNOTSUPP);
    open_without_allocation(EINVAL);
    open_without_allocation(ENOSYS);
}

static bool write_text(const char *path, const char *text) {
    int descriptor = open(path, O_WRONLY);
    bool is_written =
        descriptor >= 0 && write(descriptor, text, strlen(text)) == (ssize_t)strlen(text);
    close(descriptor);
    return is_written;
}

/* Mounts a disk of 64 KiB over the folder, for this process alone. */
static bool mount_small_disk(void) {
    char users[32], groups[32];
    snprintf(users, sizeof users, "0 %u 1", (unsigned)getuid());
    snprintf(groups, sizeof groups, "0 %u 1", (unsigned)getgid());
    return unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0 && write_text("/proc/self/uid_map", users) &&
           write_text("/proc/self/setgroups", "deny") && write_text("/proc/self/gid_map", groups) &&
           mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
           mount("small", folder, "tmpfs", 0, "size=65536") == 0;
}

/* Opening reports that the disk is full, and no signal arrives later. */
static int try_small_disk(void) {
    etc_capture *c;
    if (!mount_small_disk())
        return 77;
    if (etc_open_journal(&c, in_folder("journal"), 1 << 20, NULL) != ETC_IO || errno != ENOSPC ||
        is_there(in_folder("journal")))
        return 1;
    if (etc_open_journal(&c, in_folder("journal"), 32768, NULL) != ETC_OK)
        return 2;
    for (int i = 0; i < 2000; i++)
        etc_log(c, i % 3 ? 0 : etc_intern(c, "event"), 1, 2);
    etc_close(c);
    return etc_open_recovered(&c, in_folder("journal")) == ETC_OK ? 0 : 3;
}

static void a_full_disk_is_known_at_once(void **state) {
    (void)state;
    int status;
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0)
        _exit(try_small_disk());
    assert_int_equal(waitpid(pid, &status, 0), pid);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
        skip();
    assert_int_equal(status, 0);
}

/* ---- fork ------------------------------------------------------------------------------------ */

/* Makes all calls that record in a child. Returns what went wrong. */
static int record_in_child(etc_capture *c, etc_capture *lane, etc_name name) {
    for (uint64_t number = 0; number < 2000; number++) {
        add_numbered_run(c, 1000000 + number);
        etc_run(c, "Execute");
        etc_log(lane, name, 1, 2);
        etc_log_delegate(c, name, -1, 1, 2, NULL, 0);
        etc_span span = etc_start_text(c, "of the child");
        etc_end(c, &span);
        etc_run_end(c);
        if (number == 1000)
            etc_reset(c);
    }
    etc_stats stats = stats_of(c);
    if (stats.runs || stats.events > 4000 || stats.runs_dropped == 0)
        return 1;
    if (etc_save_size(c, NULL, NULL) != ETC_STATE || etc_sync(c) != ETC_STATE)
        return 2;
    etc_capture *own;
    if (etc_open_journal(&own, in_folder("own"), 8192, NULL) != ETC_OK)
        return 3;
    add_numbered_run(own, 1);
    if (stats_of(own).runs != 1)
        return 4;
    pid_t grandchild = fork();
    if (grandchild == 0) {
        add_numbered_run(own, 2);
        add_numbered_run(c, 2);
        etc_close(c);
        _exit(stats_of(own).runs != 0);
    }
    int status;
    if (waitpid(grandchild, &status, 0) != grandchild || status)
        return 5;
    etc_close(c);
    return 0;
}

/* A child inherits the mapping of the journal. */
static void children_record_nothing(void **state) {
    (void)state;
    for (int when_full = ETC_STOP; when_full <= ETC_RING; when_full++) {
        etc_config config = make_config();
        config.when_full = (etc_when_full)when_full;
        etc_capture *c = open_journal("journal", 1 << 20, &config), *recovered;
        etc_capture *lane = etc_lane(c, NULL, 65536);
        etc_name name = etc_intern(c, "of the parent");
        pid_t children[3];
        uint64_t number = 1;
        int status, pipes[2], ready[2];
        char byte = 0;
        assert_int_equal(pipe(pipes), 0);
        assert_int_equal(pipe(ready), 0);
        etc_run(c, "Default");
        for (size_t i = 0; i < COUNT_OF(children); i++) {
            add_numbered_run(c, number++);
            children[i] = fork();
            assert_true(children[i] >= 0);
            if (children[i] == 0) {
                remove(in_folder("own"));
                int wrong = i ? 0 : record_in_child(c, lane, name);
                close(pipes[1]);
                if (write(ready[1], &byte, 1) != 1)
                    _exit(8);
                /* stays until the parent has closed its end */
                _exit(read(pipes[0], &byte, 1) ? 9 : wrong);
            }
        }
        while (number < 3000)
            add_numbered_run(c, number++);
        etc_close(c);
        for (size_t i = 0; i < COUNT_OF(children); i++)
            assert_int_equal(read(ready[0], &byte, 1), 1);
        /* children do not hold the lock */
        assert_int_equal(etc_open_recovered(&recovered, in_folder("journal")), ETC_OK);
        close(pipes[1]);
        for (size_t i = 0; i < COUNT_OF(children); i++) {
            assert_int_equal(waitpid(children[i], &status, 0), children[i]);
            assert_int_equal(status, 0);
        }
        close(pipes[0]);
        close(ready[0]);
        close(ready[1]);
        saved s;
        uint32_t n_default;
        save(&s, recovered);
        assert_int_equal(check_numbered_runs(&s, &n_default), number - 1);
        free_saved(&s);
        etc_close(recovered);
        remove(in_folder("journal"));
        remove(in_folder("own"));
    }
}

/* Another thread may fork while a journal is opened or closed. */
static void children_do_not_hold_the_lock(void **state) {
    (void)state;
#ifdef __SANITIZE_ADDRESS__
    print_message("# SKIP the allocator of AddressSanitizer may stay locked in a fork if a thread "
                  "was in it:\n");
    skip();
#endif
    skip_under_emulator("it cannot fork a process that has threads");
    for (int i = 0; i < 3; i++) {
        forks_in_allocate = i == 0;
        forks_in_map = i == 1;
        etc_capture *c = open_journal("journal", 4096, NULL), *recovered;
        add_run(c, "Execute", 3);
        forks_in_unmap = i == 2;
        etc_close(c);
        assert_int_equal(pthread_join(forking, NULL), 0);
        assert_true(child_of_fork > 0);
        assert_int_equal(etc_open_recovered(&recovered, in_folder("journal")), ETC_OK);
        etc_close(recovered);
        end_child();
        child_of_fork = 0;
        remove_journal();
    }
}

/* Returns whether the process can read the byte at `at`. */
static bool is_accessible(const void *at) {
    int pipes[2];
    assert_int_equal(pipe(pipes), 0);
    bool is_read = write(pipes[1], at, 1) == 1;
    close(pipes[0]);
    close(pipes[1]);
    return is_read;
}

/* Returns what went wrong. */
static int use_in_child(etc_capture *c, size_t size, bool is_replaced) {
    if (is_accessible(c) != is_replaced)
        return 1;
    if (is_accessible((uint8_t *)c + size / 2)) /* a mapping of the file would hold its lock */
        return 4;
    if (!is_replaced)
        return 0;
    for (uint64_t number = 0; number < 2000; number++)
        add_numbered_run(c, 1000000 + number);
    add_everything(c);
    etc_stats stats = stats_of(c);
    if (stats.runs || stats.runs_dropped != 2003 || etc_sync(c) != ETC_STATE)
        return 2;
    etc_reset(c);
    etc_close(c);
    return is_accessible(c) ? 3 : 0;
}

/* Checks that a child, whose maps may have `most` bytes, does not change the journal. */
static void fork_with_maps_of(size_t most, size_t size) {
    for (int when_full = ETC_STOP; when_full <= ETC_RING; when_full++) {
        etc_config config = make_config();
        config.when_full = (etc_when_full)when_full;
        etc_capture *c = open_journal("journal", size, &config);
        size_t size_before, size_after;
        int status;
        add_run(c, "Execute", 3);
        uint8_t *before = read_journal(&size_before);
        largest_map = most;
        pid_t child = fork();
        if (child == 0)
            _exit(use_in_child(c, size, most > 0));
        largest_map = SIZE_MAX;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
        uint8_t *after = read_journal(&size_after);
        assert_int_equal(size_after, size_before);
        assert_memory_equal(after, before, size_before);
        free(before);
        free(after);
        etc_close(c);
        remove_journal();
    }
}

/* A system that commits no more memory than it has may refuse the child's. */
static void children_without_memory_leave_the_journal_alone(void **state) {
    (void)state;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    fork_with_maps_of(page, 1 << 20);
    fork_with_maps_of(0, 1 << 20);
    fork_with_maps_of(0, ETC_MIN_BYTES);
}

/* ---- contents of tensors --------------------------------------------------------------------- */

static int64_t offset_of_first_tensor(const etc_capture *c) {
    saved s;
    eti_etdump_event event;
    save(&s, c);
    eti__etdump_read_event(&event, &s.dump, event_at(&s, 0, 1));
    char *json = flatc_json(s.data, s.size);
    assert_non_null(json);
    const char *found = strstr(json, "\"offset\":");
    int64_t offset = found ? strtoll(found + strlen("\"offset\":"), NULL, 10) : 0; /* the default */
    free(json);
    free_saved(&s);
    return offset;
}

static void contents_survive_in_a_sink(void **state) {
    (void)state;
    static uint8_t buffer[1024];
    static const uint8_t byte[1];
    const etc_tensor tensor = {ETC_BYTE, 0, NULL, NULL, byte, 1};
    for (int way = 0; way < 3; way++) {
        size_t size = 0;
        etc_config config = config_for_all(ETC_STOP);
        etc_capture *c = open_journal("journal", 4096, &config);
        if (way == 1)
            assert_int_equal(etc_set_debug_buffer(c, buffer, sizeof buffer), ETC_OK);
        if (way == 2)
            assert_int_equal(etc_set_debug_sink(c, (etc_sink){keep_size, &size}), ETC_OK);
        etc_run(c, "Execute");
        etc_log(c, 0, 1, 2);
        (void)etc_log_tensor(c, ETC_OPERATOR, &tensor, 0);
        etc_run_end(c);
        assert_int_equal(offset_of_first_tensor(c), way == 0 ? -1 : 0);
        etc_close(c);
        c = open_recovered("journal");
        assert_int_equal(offset_of_first_tensor(c), way == 2 ? 0 : -1);
        assert_int_equal(stats_of(c).debug_values_without_contents, way < 2);
        assert_int_equal(etc_debug_used(c), way == 2);
        assert_int_equal(etc_set_debug_buffer(c, buffer, sizeof buffer), ETC_STATE);
        size = 0;
        assert_int_equal(etc_save_debug(c, NULL, (etc_sink){keep_size, &size}),
                         way == 2 ? ETC_STATE : ETC_OK);
        assert_int_equal(size, 0);
        etc_close(c);
        remove_journal();
    }
}

/* ---- other machines -------------------------------------------------------------------------- */

/* Converts the journal to that of a machine with another word size: the state is elsewhere, and a pointer has 4 bytes. */
static uint8_t *move_state(const uint8_t *journal, size_t size, size_t *moved_size) {
    enum { SHIFT = 256 };
    etc_journal_header header;
    memcpy(&header, journal, sizeof header);
    *moved_size = size + SHIFT;
    uint8_t *out = calloc(1, *moved_size);
    assert_non_null(out);
    const uint8_t *from = journal + header.header_size;
    uint8_t *to = out + header.header_size;
    memcpy(to + header.records + SHIFT, from + header.records, header.memory_size - header.records);
    uint16_t at = 1; /* no member is aligned */
    for (unsigned i = ETC_JOURNAL_N_FIELDS; i-- > 0;) {
        uint16_t n = header.field_sizes[i];
        if (i == ETC_JOURNAL_debug_sink)
            header.field_sizes[i] = n = 4;
        memcpy(to + at, from + header.fields[i], n);
        header.fields[i] = at;
        at = (uint16_t)(at + n);
    }
    memcpy(to + at, from + header.n_runs_unrecorded, sizeof(uint32_t));
    header.n_runs_unrecorded = at;
    assert_true(at + sizeof(uint32_t) < header.records + SHIFT);
    header.records += SHIFT;
    header.memory_size += SHIFT;
    memcpy(out, &header, sizeof header);
    return out;
}

static void journals_of_other_word_sizes(void **state) {
    (void)state;
    size_t size, moved_size;
    etc_config config = config_for_all(ETC_RING);
    etc_capture *c = open_journal("journal", 4096, &config), *a, *b;
    add_everything(c);
    etc_close(c);
    uint8_t *journal = read_journal(&size), *moved = move_state(journal, size, &moved_size);
    assert_int_equal(etc_open_recovered_memory(&a, journal, size), ETC_OK);
    assert_int_equal(etc_open_recovered_memory(&b, moved, moved_size), ETC_OK);
    assert_same_saved(a, b);
    etc_close(a);
    etc_close(b);
    free(journal);
    free(moved);
    remove_journal();
}

static void other_versions_are_refused(void **state) {
    (void)state;
    size_t size;
    etc_capture *c = open_journal("journal", 4096, NULL);
    add_run(c, "Execute", 1);
    etc_close(c);
    uint8_t *journal = read_journal(&size);
    etc_journal_header *header = (etc_journal_header *)(void *)journal;
    header->version = ETC_JOURNAL_VERSION_LANES + 1;
    assert_int_equal(etc_open_recovered_memory(&c, journal, size), ETC_UNSUPPORTED);
    assert_null(c);
    header->version = ETC_JOURNAL_VERSION;
    header->n_runs_unrecorded = 0; /* as in older journals */
    assert_int_equal(etc_open_recovered_memory(&c, journal, size), ETC_OK);
    etc_close(c);
    header->n_runs_unrecorded = UINT16_MAX;
    assert_int_equal(etc_open_recovered_memory(&c, journal, size), ETC_INVALID);
    header->n_runs_unrecorded = 0;
    header->byte_order = 0x04030201;
    assert_int_equal(etc_open_recovered_memory(&c, journal, size), ETC_UNSUPPORTED);
    header->byte_order = ETC_JOURNAL_BYTE_ORDER;
    header->sizes[0] += 8;
    assert_int_equal(etc_open_recovered_memory(&c, journal, size), ETC_UNSUPPORTED);
    header->sizes[0] -= 8;
    assert_int_equal(etc_open_recovered_memory(&c, journal, size), ETC_OK);
    etc_close(c);
    memset(header->magic, 0, sizeof header->magic); /* killed while it was opened */
    assert_int_equal(etc_open_recovered_memory(&c, journal, size), ETC_INVALID);
    free(journal);
    remove_journal();
}

/* ---- damage ---------------------------------------------------------------------------------- */

/* Readers accept whatever is saved. */
static void try_journal(void *context, const uint8_t *data, size_t size) {
    damage_counts *counts = context;
    etc_capture *c;
    uint64_t saved_size;
    counts->tried++;
    etc_status status = etc_open_recovered_memory(&c, data, size);
    if (status) {
        assert_null(c);
        assert_in_range(status, ETC_OK, ETC_UNSUPPORTED);
        counts->refused[status]++;
        return;
    }
    for (int is_twice = 0; is_twice < 2; is_twice++) {
        status = etc_save_size(c, NULL, &saved_size);
        assert_true(status == ETC_OK || status == ETC_STATE);
        if (status == ETC_OK) {
            saved s;
            save(&s, c);
            free_saved(&s);
        }
        counts->other[is_twice] += status == ETC_OK;
        add_run(c, "Execute", 3); /* not a sensible use, but it must do no harm */
        add_run(c, "Execute", 3);
    }
    etc_close(c);
}

static void damage_a_journal(etc_when_full when_full, bool has_sink) {
    damage_counts counts = {0};
    size_t size, n_written = 0;
    etc_config config = config_for_all(when_full);
    etc_capture *c = open_journal("journal", 2048, &config);
    if (has_sink && when_full == ETC_STOP)
        assert_int_equal(etc_set_debug_sink(c, (etc_sink){keep_size, &n_written}), ETC_OK);
    for (uint64_t number = 1; number < 8 && when_full == ETC_RING; number++)
        add_numbered_run(c, number);
    add_everything(c);
    etc_close(c);
    uint8_t *journal = read_journal(&size);
    prepare_for_many_readings();
    cut_everywhere(journal, size, try_journal, &counts);
    assert_int_equal(counts.refused[ETC_INVALID], counts.tried);
    flip_everywhere(journal, size, try_journal, &counts);
    assert_true(counts.other[0] > 0 && counts.refused[ETC_UNSUPPORTED] > 0);
    free(journal);
    remove_journal();
}

static void damaged_journals_are_refused_or_right(void **state) {
    (void)state;
    damage_a_journal(ETC_STOP, false);
    damage_a_journal(ETC_STOP, true);
    damage_a_journal(ETC_RING, false);
}

/* Replaces each word with each of several values that mean something in a journal. */
static void words_are_replaced(void **state) {
    (void)state;
    static const uint32_t words[] = {0,    1,     8,      24,         0x100,      0x101,
                                     2048, 0x401, 0x7fff, 0x7fffffff, 0xff000003, UINT32_MAX};
    damage_counts counts = {0};
    for (int when_full = ETC_STOP; when_full <= ETC_RING; when_full++) {
        size_t size;
        etc_config config = config_for_all((etc_when_full)when_full);
        etc_capture *c = open_journal("journal", 2048, &config);
        add_everything(c);
        etc_close(c);
        uint8_t *journal = read_journal(&size);
        for (size_t at = 0; at + 4 <= size; at += 4 * damage_step()) {
            uint8_t kept[4];
            memcpy(kept, journal + at, sizeof kept);
            for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
                memcpy(journal + at, &words[i], sizeof kept);
                snprintf(damage_place, sizeof damage_place, "word %zu at %zu", i, at);
                try_journal(&counts, journal, size);
            }
            memcpy(journal + at, kept, sizeof kept);
        }
        free(journal);
        remove_journal();
    }
    assert_true(counts.other[0] > 0 && counts.refused[ETC_INVALID] > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recorded_runs_are_recovered),
        cmocka_unit_test(recovering_at_once),
        cmocka_unit_test(a_journal_without_runs),
        cmocka_unit_test(recovered_captures_record_nothing),
        cmocka_unit_test(the_file_is_new),
        cmocka_unit_test(opening_fails_without_a_file),
        cmocka_unit_test(systems_that_cannot_allocate_or_lock),
        cmocka_unit_test(a_full_disk_is_known_at_once),
        cmocka_unit_test(children_record_nothing),
        cmocka_unit_test(children_do_not_hold_the_lock),
        cmocka_unit_test(children_without_memory_leave_the_journal_alone),
        cmocka_unit_test(contents_survive_in_a_sink),
        cmocka_unit_test(journals_of_other_word_sizes),
        cmocka_unit_test(other_versions_are_refused),
        cmocka_unit_test(damaged_journals_are_refused_or_right),
        cmocka_unit_test(words_are_replaced),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
