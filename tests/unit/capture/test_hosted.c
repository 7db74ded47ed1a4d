#include "capture_fixture.h"
#include "folder_fixture.h"

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

/* ---- captures with their own memory ---------------------------------------------------------- */

static size_t most_mapped; /* 0: the system's result */
static unsigned n_refused;

void *__wrap_mmap(void *at, size_t size, int protection, int flags, int file, off_t offset);
void *__real_mmap(void *at, size_t size, int protection, int flags, int file, off_t offset);

void *__wrap_mmap(void *at, size_t size, int protection, int flags, int file, off_t offset) {
    if (most_mapped && size > most_mapped) {
        n_refused++;
        errno = ENOMEM;
        return MAP_FAILED;
    }
    return __real_mmap(at, size, protection, flags, file, offset);
}

static etc_capture *open_with(const etc_config *config) {
    etc_capture *c;
    assert_int_equal(etc_open(&c, config), ETC_OK);
    assert_non_null(c);
    return c;
}

static void defaults_record_in_nanoseconds(void **state) {
    (void)state;
    struct timespec before, after;
    etc_capture *c = open_with(NULL);
    clock_gettime(CLOCK_MONOTONIC, &before);
    add_run(c, "Execute", 1);
    clock_gettime(CLOCK_MONOTONIC, &after);
    saved s;
    save(&s, c);
    eti_etdump_stamps stamps = eti__etdump_read_stamps(&s.dump, event_at(&s, 0, 0));
    assert_true(stamps.start_time >=
                (uint64_t)before.tv_sec * 1000000000u + (uint64_t)before.tv_nsec);
    assert_true(stamps.end_time >= stamps.start_time);
    assert_true(stamps.end_time <= (uint64_t)after.tv_sec * 1000000000u + (uint64_t)after.tv_nsec);
    free_saved(&s);
    etc_close(c);

    etc_config config = make_config();
    config.clock = NULL;
    assert_non_null(etc_init(memory, 4096, &config));
}

/* Records more than the first pages hold, and names at the other end. */
static void it_grows(void **state) {
    (void)state;
    const unsigned n_runs = 300, n_events = 1000;
    etc_config config = make_config();
    etc_capture *c = open_with(&config);
    for (unsigned run = 0; run < n_runs; run++) {
        char name[24];
        snprintf(name, sizeof name, "run %u", run);
        add_run(c, name, n_events);
    }
    etc_stats stats = stats_of(c);
    assert_int_equal(stats.runs, n_runs);
    assert_int_equal(stats.events, n_runs * n_events);
    assert_int_equal(stats.events_lost_full + stats.names_lost, 0);
    assert_in_range(stats.memory_bytes, 1000000000, 1 << 30);
    saved s;
    save(&s, c);
    assert_int_equal(s.dump.runs.count, n_runs);
    assert_int_equal(count_events(&s, n_runs - 1), n_events);
    free_saved(&s);
    etc_close(c);
}

static void a_limit_is_kept(void **state) {
    (void)state;
    static const etc_when_full ways[] = {ETC_STOP, ETC_GROW, ETC_RING};
    for (size_t way = 0; way < COUNT_OF(ways); way++) {
        etc_config config = make_config();
        config.when_full = ways[way];
        config.limit_bytes = 10000;
        etc_capture *c = open_with(&config);
        for (unsigned run = 0; run < 50; run++)
            add_run(c, "Execute", 20);
        etc_stats stats = stats_of(c);
        assert_in_range(stats.memory_bytes, 9000, 10000);
        assert_in_range(stats.runs, ways[way] == ETC_RING ? 50 : 12,
                        ways[way] == ETC_RING ? 50 : 15);
        assert_true(stats.runs_dropped > 0);
        etc_close(c);
    }
}

static void less_where_the_system_has_less(void **state) {
    (void)state;
    most_mapped = (size_t)100 << 20;
    n_refused = 0;
    etc_capture *c = open_with(NULL);
    assert_int_equal(n_refused, 4); /* 1 GiB, 512, 256 and 128 MiB */
    assert_in_range(stats_of(c).memory_bytes, 66000000, 1 << 26);
    most_mapped = 0;
    etc_close(c);

    most_mapped = 1;
    c = (etc_capture *)(void *)memory;
    assert_int_equal(etc_open(&c, NULL), ETC_MEMORY);
    assert_null(c);
    most_mapped = 0;
}

static void unopenable_files_are_refused(void **state) {
    (void)state;
    etc_capture *c = (etc_capture *)(void *)memory;
    etc_config config = make_config();
    config.when_full = (etc_when_full)3;
    assert_int_equal(etc_open(&c, &config), ETC_INVALID);
    assert_null(c);
    config = make_config();
    config.limit_bytes = ETC_MIN_BYTES - 1;
    assert_int_equal(etc_open(&c, &config), ETC_INVALID);
    config = make_config();
    config.struct_size = 3;
    assert_int_equal(etc_open(&c, &config), ETC_INVALID);
    config.struct_size = 0; /* the other members would be meaningless */
    assert_int_equal(etc_open(&c, &config), ETC_INVALID);
    config = make_config();
    config.struct_size = offsetof(etc_config, limit_bytes);
    config.limit_bytes = 5; /* unknown to that caller */
    assert_int_equal(etc_open(&c, &config), ETC_OK);
    etc_close(c);
    assert_int_equal(etc_open(NULL, &config), ETC_INVALID);
}

static void closing_leaves_memory_that_was_given(void **state) {
    (void)state;
    etc_close(NULL);
    etc_capture *c = start();
    etc_close(c);
    add_run(c, "Execute", 1);
    assert_int_equal(stats_of(c).runs, 1);
}

/* ---- files ----------------------------------------------------------------------------------- */

static unsigned n_renames, failing_rename; /* counted from 1; 0: none fails */

int __wrap_rename(const char *from, const char *to);
int __real_rename(const char *from, const char *to);

int __wrap_rename(const char *from, const char *to) {
    if (++n_renames == failing_rename) {
        errno = EXDEV;
        return -1;
    }
    return __real_rename(from, to);
}

static void fail_rename(unsigned which) {
    n_renames = 0;
    failing_rename = which;
}

static void write_text(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void assert_file(const char *path, const void *data, size_t size) {
    size_t found;
    uint8_t *bytes = read_whole_file(path, &found);
    assert_int_equal(found, size);
    assert_memory_equal(bytes, data, size);
    free(bytes);
}

static void assert_contents(const char *path, const char *text) {
    assert_file(path, text, strlen(text));
}

static uint8_t contents[300];

/* A capture with a run, and a tensor in a debug buffer. */
static etc_capture *start_with_tensor(void) {
    static const int64_t size = sizeof contents;
    static _Alignas(64) uint8_t buffer[1024];
    for (size_t i = 0; i < sizeof contents; i++)
        contents[i] = (uint8_t)(i * 7);
    etc_config config = make_config();
    config.debug_level = ETC_DEBUG_INTERMEDIATE_OUTPUTS;
    etc_capture *c = start_with(&config, sizeof memory);
    assert_int_equal(etc_set_debug_buffer(c, buffer, sizeof buffer), ETC_OK);
    etc_run(c, "Execute");
    for (int i = 0; i < 2000; i++) /* more than a buffer holds */
        etc_log(c, 0, 1, (uint64_t)i);
    etc_log_tensor(c, ETC_OPERATOR,
                   &(etc_tensor){ETC_BYTE, 1, &size, NULL, contents, sizeof contents}, 0);
    etc_run_end(c);
    return c;
}

static void assert_saved(const etc_capture *c, const char *path) {
    saved s;
    save(&s, c);
    assert_file(path, s.data, s.size);
    free_saved(&s);
}

static void files_are_what_sinks_get(void **state) {
    (void)state;
    etc_capture *c = start_with_tensor();
    const char *dump = in_folder("dump"), *debug = in_folder("debug");
    for (int i = 0; i < 2; i++) { /* new, then replaced */
        assert_int_equal(etc_save_file(c, NULL, dump, debug), ETC_OK);
        assert_saved(c, dump);
        assert_file(debug, contents, sizeof contents);
    }
    remove(dump);
    remove(debug);
    assert_int_equal(etc_save_file(c, NULL, dump, NULL), ETC_OK);
    assert_saved(c, dump);
    assert_false(is_there(debug));
    remove(dump);
    assert_int_equal(etc_save_file(NULL, NULL, dump, debug), ETC_OK);
    assert_false(is_there(dump));
}

static void without_debug_data_the_file_is_empty(void **state) {
    (void)state;
    etc_capture *c = start();
    add_run(c, "Execute", 1);
    const char *dump = in_folder("dump"), *debug = in_folder("debug");
    write_text(debug, "of another capture");
    assert_int_equal(etc_save_file(c, NULL, dump, debug), ETC_OK);
    assert_file(debug, "", 0);
    remove(dump);
    remove(debug);
}

static int drop(void *context, const void *data, size_t size) {
    (void)context, (void)data, (void)size;
    return 0;
}

static void unsavable_tensors_are_refused(void **state) {
    (void)state;
    const char *dump = in_folder("dump");
    etc_capture *c = start();
    assert_int_equal(etc_save_file(c, NULL, dump, NULL), ETC_STATE);
    add_run(c, "Execute", 1);
    assert_int_equal(etc_save_file(c, NULL, NULL, NULL), ETC_INVALID);
    assert_int_equal(etc_save_file(c, NULL, dump, dump), ETC_INVALID);
    assert_int_equal(etc_save_file(c, NULL, dump, in_folder("./dump")), ETC_INVALID);
    assert_int_equal(access(dump, F_OK), -1);
    assert_int_equal(etc_set_debug_sink(c, (etc_sink){drop, NULL}), ETC_OK);
    assert_int_equal(etc_save_file(c, NULL, dump, in_folder("debug")), ETC_STATE);
    errno = 0;
    assert_int_equal(etc_save_file(c, NULL, in_folder("no such/dump"), NULL), ETC_IO);
    assert_int_equal(errno, ENOENT);
    errno = 0;
    assert_int_equal(etc_save_file(c, NULL, folder, NULL), ETC_IO);
    assert_int_equal(errno, EISDIR);
    errno = 0;
    assert_int_equal(etc_save_file(c, NULL, "/dev/full", NULL), ETC_IO);
    assert_int_equal(errno, ENOSPC);
    assert_int_equal(etc_save_file(c, NULL, "/dev/null", NULL), ETC_OK);
    struct stat status;
    assert_int_equal(stat("/dev/null", &status), 0);
    assert_true(S_ISCHR(status.st_mode));
}

static void after_a_failure_both_files_are_as_they_were(void **state) {
    (void)state;
    etc_capture *c = start_with_tensor();
    const char *dump = in_folder("dump"), *debug = in_folder("debug");
    for (unsigned which = 1; which <= 2; which++) {
        fail_rename(which);
        assert_int_equal(etc_save_file(c, NULL, dump, debug), ETC_IO);
        assert_int_equal(errno, EXDEV);
        assert_false(is_there(dump));
        assert_false(is_there(debug));
    }
    write_text(dump, "old dump");
    write_text(debug, "old debug data");
    for (unsigned which = 1; which <= 2; which++) {
        fail_rename(which);
        assert_int_equal(etc_save_file(c, NULL, dump, debug), ETC_IO);
        assert_int_equal(errno, EXDEV);
        assert_contents(dump, "old dump");
        assert_contents(debug, "old debug data");
    }
    fail_rename(0);
    const struct rlimit none = {1000, RLIM_INFINITY}, all = {RLIM_INFINITY, RLIM_INFINITY};
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &none), 0);
    assert_int_equal(etc_save_file(c, NULL, dump, debug), ETC_IO);
    assert_int_equal(errno, EFBIG);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &all), 0);
    assert_contents(dump, "old dump");
    assert_contents(debug, "old debug data");
    remove(dump);
    remove(debug);
}

static void links_are_followed_and_modes_kept(void **state) {
    (void)state;
    etc_capture *c = start_with_tensor();
    const char *dump = in_folder("dump"), *name = in_folder("link");
    write_text(dump, "old");
    assert_int_equal(chmod(dump, 0640), 0);
    assert_int_equal(symlink("dump", name), 0);
    assert_int_equal(etc_save_file(c, NULL, name, NULL), ETC_OK);
    assert_saved(c, dump);
    struct stat status;
    assert_int_equal(stat(dump, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0640);
    assert_int_equal(lstat(name, &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_int_equal(etc_save_file(c, NULL, dump, name), ETC_INVALID);
    remove(name);
    remove(dump);
    mode_t mask = umask(027);
    assert_int_equal(etc_save_file(c, NULL, dump, NULL), ETC_OK);
    umask(mask);
    assert_int_equal(stat(dump, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0640);
    remove(dump);
}

/* Saves to a link whose file does not exist, which makes the file and keeps the link. */
static void assert_followed(const etc_capture *c, const char *link, const char *target) {
    struct stat status;
    assert_int_equal(etc_save_file(c, NULL, link, NULL), ETC_OK);
    assert_int_equal(lstat(link, &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_int_equal(lstat(target, &status), 0);
    assert_true(S_ISREG(status.st_mode));
    assert_saved(c, link);
    assert_saved(c, target);
    assert_int_equal(remove(target), 0);
}

static void links_to_missing_files_are_followed(void **state) {
    (void)state;
    etc_capture *c = start_with_tensor();
    char sub[200], link[200], chain[200], target[200], absolute[200], loop[200];
    snprintf(sub, sizeof sub, "%s", in_folder("sub"));
    snprintf(link, sizeof link, "%s", in_folder("relative"));
    snprintf(chain, sizeof chain, "%s", in_folder("chain"));
    snprintf(target, sizeof target, "%s", in_folder("sub/target"));
    snprintf(absolute, sizeof absolute, "%s", in_folder("absolute"));
    snprintf(loop, sizeof loop, "%s", in_folder("loop"));
    assert_int_equal(mkdir(sub, 0700), 0);
    assert_int_equal(symlink("sub/target", link), 0);
    assert_int_equal(symlink("relative", chain), 0);
    assert_int_equal(symlink(target, absolute), 0);
    assert_int_equal(symlink("loop", loop), 0);
    assert_followed(c, link, target);
    assert_followed(c, chain, target);
    assert_followed(c, absolute, target);
    assert_int_equal(etc_save_file(c, NULL, link, target), ETC_INVALID);
    assert_int_equal(access(target, F_OK), -1);
    assert_int_equal(etc_save_file(c, NULL, loop, NULL), ETC_IO);
    assert_int_equal(errno, ELOOP);
    remove(link);
    remove(chain);
    remove(absolute);
    remove(loop);
    remove(sub);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_record_in_nanoseconds),
        cmocka_unit_test(it_grows),
        cmocka_unit_test(a_limit_is_kept),
        cmocka_unit_test(less_where_the_system_has_less),
        cmocka_unit_test(unopenable_files_are_refused),
        cmocka_unit_test(closing_leaves_memory_that_was_given),
        cmocka_unit_test(files_are_what_sinks_get),
        cmocka_unit_test(without_debug_data_the_file_is_empty),
        cmocka_unit_test(unsavable_tensors_are_refused),
        cmocka_unit_test(after_a_failure_both_files_are_as_they_were),
        cmocka_unit_test(links_are_followed_and_modes_kept),
        cmocka_unit_test(links_to_missing_files_are_followed),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
