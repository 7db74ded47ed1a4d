#include "base/progress.h"
#include "folder_fixture.h"

#include "base/atomic_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static void add_repeated(eti_output *output, const char *text, size_t times) {
    for (size_t i = 0; i < times; i++)
        eti__output_add_string(output, text);
}

/* ---- calls of the library -------------------------------------------------------------------- */

static size_t n_umask_calls;

/* The mask belongs to all threads of a program: a library that sets it, even for a moment, causes races. */
mode_t umask(mode_t mask) {
    n_umask_calls++;
    return (mode_t)syscall(SYS_umask, mask);
}

static size_t n_same_numbers; /* number of times to draw the same number */

ssize_t getrandom(void *buffer, size_t size, unsigned flags) {
    if (n_same_numbers == 0)
        return syscall(SYS_getrandom, buffer, size, flags);
    n_same_numbers--;
    memset(buffer, 0x5a, size);
    return (ssize_t)size;
}

static int errno_of_renameat2, errno_of_link; /* 0: the system's result */

int renameat2(int old_folder, const char *from, int new_folder, const char *to, unsigned flags) {
    errno = errno_of_renameat2;
    return errno != 0 ? -1 : (int)syscall(SYS_renameat2, old_folder, from, new_folder, to, flags);
}

int link(const char *from, const char *to) {
    errno = errno_of_link;
    return errno != 0 ? -1 : (int)syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
}

/* ---- files ----------------------------------------------------------------------------------- */

static void write_file(const char *path, const char *content, mode_t mode) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(content, file);
    fclose(file);
    assert_int_equal(chmod(path, mode), 0);
}

static void assert_content(const char *path, const char *expected) {
    size_t size;
    uint8_t *bytes = read_whole_file(path, &size);
    bytes[size] = '\0';
    assert_string_equal((char *)bytes, expected);
    free(bytes);
}

static size_t count_files(void) {
    DIR *directory = opendir(folder);
    size_t n = 0;
    for (struct dirent *entry; (entry = readdir(directory));)
        n += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(directory);
    return n;
}

static mode_t mode_of(const char *path) {
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    return status.st_mode & 0777;
}

static eti_status write_to(const char *path, const char *content, eti_error *err) {
    eti_output *output;
    eti_status status = eti__output_open(&output, path, err);
    if (status != ETI_OK) {
        assert_null(output);
        return status;
    }
    eti__output_add_string(output, content);
    return eti__output_commit(output, err);
}

static void a_new_file_appears_when_committed(void **state) {
    (void)state;
    const char *path = in_folder("new");
    eti_error err = ETI_ERROR_INIT;
    eti_output *output;
    assert_ok(eti__output_open(&output, path, &err));
    eti__output_add(output, "a\0b", 3);
    eti__output_add_text(output, (eti_text){"text", 4});
    eti__output_add_text(output, (eti_text){NULL, 0});
    add_repeated(output, "=-", 3);
    assert_int_equal(access(path, F_OK), -1);
    assert_false(eti__output_failed(output));
    assert_ok(eti__output_commit(output, &err));
    size_t size;
    uint8_t *bytes = read_whole_file(path, &size);
    assert_int_equal(size, 13);
    assert_memory_equal(bytes, "a\0btext=-=-=-", 13);
    free(bytes);
    assert_int_equal(count_files(), 1);
    unlink(path);
}

static void a_new_file_obeys_the_umask(void **state) {
    (void)state;
    const char *path = in_folder("new");
    mode_t old = umask(027);
    eti_error err = ETI_ERROR_INIT;
    assert_ok(write_to(path, "x", &err));
    umask(old);
    assert_int_equal(mode_of(path), 0640);
    unlink(path);
}

static void the_umask_is_left_alone(void **state) {
    (void)state;
    const char *path = in_folder("new");
    eti_error err = ETI_ERROR_INIT;
    n_umask_calls = 0;
    assert_ok(write_to(path, "x", &err));
    assert_ok(write_to(path, "y", &err));
    assert_int_equal(n_umask_calls, 0);
    unlink(path);
}

static void a_temporary_name_that_is_taken_is_not_used(void **state) {
    (void)state;
    const char *first = in_folder("first"), *second = in_folder("second");
    eti_error err = ETI_ERROR_INIT;
    eti_output *one, *two;
    n_same_numbers = 1;
    assert_ok(eti__output_open(&one, first, &err));
    assert_int_equal(n_same_numbers, 0);
    n_same_numbers = 3;
    assert_ok(eti__output_open(&two, second, &err));
    assert_int_equal(n_same_numbers, 0);
    eti__output_add_string(one, "one");
    eti__output_add_string(two, "two");
    assert_ok(eti__output_commit(two, &err));
    assert_ok(eti__output_commit(one, &err));
    assert_content(first, "one");
    assert_content(second, "two");
    assert_int_equal(count_files(), 2);
    unlink(first);
    unlink(second);
}

static void names_are_not_drawn_forever(void **state) {
    (void)state;
    const char *path = in_folder("first");
    eti_error err = ETI_ERROR_INIT;
    eti_output *one;
    n_same_numbers = SIZE_MAX;
    assert_ok(eti__output_open(&one, path, &err));
    assert_fails(write_to(in_folder("second"), "x", &err), ETI_ERROR_WRITE,
                 "second: cannot write: File exists");
    n_same_numbers = 0;
    assert_ok(eti__output_commit(one, &err));
    assert_int_equal(count_files(), 1);
    unlink(path);
}

/* A private file cannot be opened by others before its mode is set. */
static void a_temporary_file_is_never_wider_than_its_target(void **state) {
    (void)state;
    const char *path = in_folder("private");
    write_file(path, "before", 0640);
    mode_t old = umask(0);
    eti_error err = ETI_ERROR_INIT;
    eti_output *output;
    n_same_numbers = 1;
    assert_ok(eti__output_open(&output, path, &err));
    umask(old);
    assert_int_equal(mode_of(in_folder(".etinspect-5a5a5a5a5a5a5a5a")), 0640);
    eti__output_discard(output);
    unlink(path);
}

static void the_longest_name_has_a_temporary_one(void **state) {
    (void)state;
    char path[sizeof folder + 256];
    int length = snprintf(path, sizeof path, "%s/", folder);
    memset(path + length, 'n', 255);
    path[length + 255] = '\0';
    eti_error err = ETI_ERROR_INIT;
    assert_ok(write_to(path, "x", &err));
    assert_content(path, "x");
    unlink(path);
}

/* In a program without standard input the next opened file gets its number. */
static void a_descriptor_with_a_low_number_is_closed(void **state) {
    (void)state;
    const char *path = in_folder("low");
    int kept = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
    eti_error err = ETI_ERROR_INIT;
    eti_output *output;
    close(STDIN_FILENO);
    eti_status committed = write_to(path, "x", &err);
    int after_commit = fcntl(STDIN_FILENO, F_GETFD);
    close(STDIN_FILENO);
    eti_status opened = eti__output_open(&output, path, &err);
    if (opened == ETI_OK)
        eti__output_discard(output);
    int after_discard = fcntl(STDIN_FILENO, F_GETFD);
    if (kept >= 0) {
        dup2(kept, STDIN_FILENO);
        close(kept);
    }
    assert_ok(committed);
    assert_ok(opened);
    assert_int_equal(after_commit, -1);
    assert_int_equal(after_discard, -1);
    unlink(path);
}

static void replacing_is_all_or_nothing_and_keeps_the_mode(void **state) {
    (void)state;
    const char *path = in_folder("old");
    write_file(path, "before", 0604);
    eti_error err = ETI_ERROR_INIT;
    eti_output *output;
    assert_ok(eti__output_open(&output, path, &err));
    add_repeated(output, "after ", 50000);
    assert_content(path, "before");
    assert_ok(eti__output_commit(output, &err));
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_size, 300000);
    assert_int_equal(mode_of(path), 0604);
    assert_int_equal(count_files(), 1);
    unlink(path);
}

/* Tests systems that have the call, that have only links, and that have neither. */
static void a_new_file_never_replaces_another(void **state) {
    (void)state;
    static const int errnos[][2] = {{0, 0}, {EINVAL, 0}, {ENOSYS, EPERM}};
    const char *path = in_folder("new");
    eti_error err = ETI_ERROR_INIT;
    for (size_t i = 0; i < 3; i++) {
        eti_output *first, *second;
        bool exists;
        errno_of_renameat2 = errnos[i][0];
        errno_of_link = errnos[i][1];
        assert_ok(eti__output_open(&first, path, &err));
        assert_ok(eti__output_open(&second, path, &err));
        eti__output_add_string(first, "first");
        eti__output_add_string(second, "second");
        assert_ok(eti__output_commit_new(first, &exists, &err));
        assert_false(exists);
        assert_ok(eti__output_commit_new(second, &exists, &err));
        assert_true(exists);
        assert_content(path, "first");
        assert_int_equal(count_files(), 1);
        unlink(path);
    }
    eti_output *output;
    bool exists;
    errno_of_renameat2 = ENOSYS;
    errno_of_link = EACCES;
    assert_ok(eti__output_open(&output, path, &err));
    assert_fails(eti__output_commit_new(output, &exists, &err), ETI_ERROR_WRITE, "Permission");
    errno_of_renameat2 = errno_of_link = 0;
    assert_int_equal(count_files(), 0);
}

static void discarding_leaves_the_target_and_no_other_file(void **state) {
    (void)state;
    const char *path = in_folder("kept");
    write_file(path, "before", 0600);
    eti_error err = ETI_ERROR_INIT;
    eti_output *output;
    assert_ok(eti__output_open(&output, path, &err));
    add_repeated(output, "after ", 50000);
    eti__output_discard(output);
    assert_content(path, "before");
    assert_int_equal(count_files(), 1);
    unlink(path);
    eti__output_discard(NULL);
}

static void large_pieces_and_small_ones_keep_their_order(void **state) {
    (void)state;
    enum { LARGE = 200000 };
    char *large = malloc(LARGE);
    assert_non_null(large);
    memset(large, 'L', LARGE);
    const char *path = in_folder("order");
    eti_error err = ETI_ERROR_INIT;
    eti_output *output;
    assert_ok(eti__output_open(&output, path, &err));
    eti__output_add_string(output, "first");
    eti__output_add(output, large, LARGE);
    eti__output_add_string(output, "last");
    assert_ok(eti__output_commit(output, &err));
    size_t size;
    uint8_t *bytes = read_whole_file(path, &size);
    assert_int_equal(size, LARGE + 9);
    assert_memory_equal(bytes, "firstLLL", 8);
    assert_memory_equal(bytes + size - 6, "LLlast", 6);
    free(bytes);
    free(large);
    unlink(path);
}

static void a_link_stays_and_the_file_it_leads_to_is_replaced(void **state) {
    (void)state;
    const char *target = in_folder("target"), *link = in_folder("link");
    write_file(target, "before", 0600);
    assert_int_equal(symlink("target", link), 0);
    eti_error err = ETI_ERROR_INIT;
    assert_ok(write_to(link, "after", &err));
    struct stat status;
    assert_int_equal(lstat(link, &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_content(target, "after");
    assert_int_equal(count_files(), 2);
    unlink(link);
    unlink(target);
}

static void a_directory_is_no_output(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    assert_fails(write_to(folder, "x", &err), ETI_ERROR_WRITE, "cannot write: Is a directory");
    assert_non_null(strstr(err.message, folder));
}

static void a_missing_folder_is_named(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    assert_fails(write_to(in_folder("none/file"), "x", &err), ETI_ERROR_WRITE,
                 "none/file: cannot write: No such file or directory");
}

static void a_folder_without_permission_is_refused(void **state) {
    (void)state;
    if (geteuid() == 0)
        skip();
    const char *locked = in_folder("locked");
    assert_int_equal(mkdir(locked, 0500), 0);
    eti_error err = ETI_ERROR_INIT;
    assert_fails(write_to(in_folder("locked/file"), "x", &err), ETI_ERROR_WRITE,
                 "Permission denied");
    rmdir(locked);
}

/* The file is not written in place, and the message says what to do. */
static void a_writable_file_in_a_folder_without_permission_stays(void **state) {
    (void)state;
    const char *locked = in_folder("shut"), *path = in_folder("shut/file");
    uid_t user = geteuid();
    assert_int_equal(mkdir(locked, 0700), 0);
    write_file(path, "before", 0666);
    assert_int_equal(chmod(locked, 0555), 0);
    assert_int_equal(chmod(folder, 0711), 0);
    bool may_not_write = user != 0 || seteuid(1234) == 0;
    eti_error err = ETI_ERROR_INIT;
    eti_status status = may_not_write ? write_to(path, "after", &err) : ETI_OK;
    assert_int_equal(seteuid(user), 0);
    assert_content(path, "before");
    chmod(locked, 0700);
    unlink(path);
    rmdir(locked);
    if (!may_not_write)
        skip();
    assert_int_equal(status, ETI_ERROR_WRITE);
    assert_non_null(strstr(err.message, "shut/file: cannot write: Permission denied: the file is "
                                        "written to a new file in the same folder"));
}

/* Holds for root too: no file can be made in /proc. */
static void a_file_system_that_takes_no_files_is_refused(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    assert_fails(write_to("/proc/etinspect", "x", &err), ETI_ERROR_WRITE,
                 "/proc/etinspect: cannot write: ");
}

static void a_full_device_fails_at_commit(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    assert_fails(write_to("/dev/full", "x", &err), ETI_ERROR_WRITE,
                 "/dev/full: cannot write: No space left on device");
}

static void a_writer_can_see_that_a_device_is_full(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    eti_output *output;
    assert_ok(eti__output_open(&output, "/dev/full", &err));
    for (int i = 0; i < 100 && !eti__output_failed(output); i++)
        add_repeated(output, "0123456789", 1000);
    assert_true(eti__output_failed(output));
    eti__output_add_string(output, "ignored");
    assert_fails(eti__output_commit(output, &err), ETI_ERROR_WRITE, "No space left on device");
}

static void a_device_is_written_directly(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(write_to("/dev/null", "x", &err));
    struct stat status;
    assert_int_equal(stat("/dev/null", &status), 0);
    assert_true(S_ISCHR(status.st_mode));
}

static void standard_output_stays_open(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(write_to("-", "", &err));
    assert_int_not_equal(fcntl(STDOUT_FILENO, F_GETFD), -1);
}

static bool is_terminal(const char *path) {
    eti_error err = ETI_ERROR_INIT;
    eti_output *output;
    assert_ok(eti__output_open(&output, path, &err));
    bool found = eti__output_is_terminal(output);
    eti__output_discard(output);
    return found;
}

static void a_terminal_is_known_by_any_name(void **state) {
    (void)state;
    int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    if (terminal < 0)
        skip();
    assert_int_equal(grantpt(terminal), 0);
    assert_int_equal(unlockpt(terminal), 0);
    const char *name = ptsname(terminal), *link = in_folder("link");
    assert_true(is_terminal(name));
    assert_int_equal(symlink(name, link), 0);
    assert_true(is_terminal(link));
    unlink(link);
    close(terminal);
    assert_false(is_terminal("/dev/null"));
    assert_false(is_terminal(in_folder("file")));
    assert_int_equal(count_files(), 0);
}

/* ---- functions ------------------------------------------------------------------------------- */

typedef struct sink {
    eti_buffer received;
    size_t limit;
    size_t n_calls_after_failure;
    bool has_failed;
} sink;

static bool receive(void *context, const void *data, size_t size) {
    sink *to = context;
    to->n_calls_after_failure += to->has_failed;
    if (to->received.size + size > to->limit) {
        to->has_failed = true;
        return false;
    }
    eti__buffer_add(&to->received, data, size);
    return true;
}

static void a_function_receives_everything_in_order(void **state) {
    (void)state;
    sink to = {.limit = SIZE_MAX};
    eti_error err = ETI_ERROR_INIT;
    eti_output *output;
    assert_ok(eti__output_open_function(&output, receive, &to, &err));
    assert_false(eti__output_is_terminal(output));
    for (int i = 0; i < 20000; i++)
        eti__output_add(output, &"0123456789"[i % 10], 1);
    add_repeated(output, "0123456789", 10000);
    assert_ok(eti__output_commit(output, &err));
    assert_int_equal(to.received.size, 120000);
    for (size_t i = 0; i < to.received.size; i++)
        assert_int_equal(to.received.data[i], '0' + (int)(i % 10));
    eti__buffer_free(&to.received);
}

static void a_function_that_stops_is_not_called_again(void **state) {
    (void)state;
    sink to = {.limit = 100};
    eti_error err = ETI_ERROR_INIT;
    eti_output *output;
    assert_ok(eti__output_open_function(&output, receive, &to, &err));
    add_repeated(output, "0123456789", 50000);
    assert_true(eti__output_failed(output));
    assert_fails(eti__output_commit(output, &err), ETI_ERROR_WRITE, "(output function)");
    assert_int_equal(to.n_calls_after_failure, 0);
    eti__buffer_free(&to.received);
}

static bool remember(void *context, const char *step, uint64_t done, uint64_t total) {
    assert_string_equal(step, "writing");
    assert_int_equal(total, 0);
    assert_true(done > *(uint64_t *)context);
    *(uint64_t *)context = done;
    return true;
}

static void written_files_are_reported(void **state) {
    (void)state;
    sink to = {.limit = SIZE_MAX};
    eti_error err = ETI_ERROR_INIT;
    eti_output *output;
    uint64_t told = 0;
    assert_ok(eti__output_open_function(&output, receive, &to, &err));
    eti__output_tell(output, (eti_progress){remember, &told});
    add_repeated(output, "0123456789", 50000);
    assert_true(told > 0);
    assert_ok(eti__output_commit(output, &err));
    assert_int_equal(told, 500000);
    eti__buffer_free(&to.received);
}

/* Returns false at call number `context`, and true at all others. */
static bool cancel_once(void *context, const char *step, uint64_t done, uint64_t total) {
    (void)step, (void)done, (void)total;
    return --*(size_t *)context != 0;
}

static void cancelled_calls_leave_nothing_behind(void **state) {
    (void)state;
    const char *path = in_folder("cancelled");
    for (size_t replaces = 0; replaces < 2; replaces++) {
        for (size_t call = 1; call <= 3; call++) {
            size_t left = call;
            eti_error err = ETI_ERROR_INIT;
            eti_output *output;
            if (replaces)
                write_file(path, "old", 0600);
            assert_ok(eti__output_open(&output, path, &err));
            eti__output_tell(output, (eti_progress){cancel_once, &left});
            add_repeated(output, "0123456789", 15000);
            assert_fails(eti__output_commit(output, &err), ETI_ERROR_CANCELLED,
                         "cancelled: cancelled by the caller while writing");
            assert_int_equal(count_files(), replaces);
            if (replaces)
                assert_content(path, "old");
        }
    }
    unlink(path);
}

static void nothing_is_a_valid_output(void **state) {
    (void)state;
    sink to = {.limit = 0};
    eti_error err = ETI_ERROR_INIT;
    eti_output *output;
    assert_ok(eti__output_open_function(&output, receive, &to, &err));
    assert_ok(eti__output_commit(output, &err));
    const char *path = in_folder("empty");
    assert_ok(write_to(path, "", &err));
    assert_content(path, "");
    unlink(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_file_appears_when_committed),
        cmocka_unit_test(a_new_file_obeys_the_umask),
        cmocka_unit_test(the_umask_is_left_alone),
        cmocka_unit_test(a_temporary_name_that_is_taken_is_not_used),
        cmocka_unit_test(names_are_not_drawn_forever),
        cmocka_unit_test(a_temporary_file_is_never_wider_than_its_target),
        cmocka_unit_test(the_longest_name_has_a_temporary_one),
        cmocka_unit_test(a_descriptor_with_a_low_number_is_closed),
        cmocka_unit_test(replacing_is_all_or_nothing_and_keeps_the_mode),
        cmocka_unit_test(a_new_file_never_replaces_another),
        cmocka_unit_test(discarding_leaves_the_target_and_no_other_file),
        cmocka_unit_test(large_pieces_and_small_ones_keep_their_order),
        cmocka_unit_test(a_link_stays_and_the_file_it_leads_to_is_replaced),
        cmocka_unit_test(a_directory_is_no_output),
        cmocka_unit_test(a_missing_folder_is_named),
        cmocka_unit_test(a_folder_without_permission_is_refused),
        cmocka_unit_test(a_writable_file_in_a_folder_without_permission_stays),
        cmocka_unit_test(a_file_system_that_takes_no_files_is_refused),
        cmocka_unit_test(a_full_device_fails_at_commit),
        cmocka_unit_test(a_writer_can_see_that_a_device_is_full),
        cmocka_unit_test(a_device_is_written_directly),
        cmocka_unit_test(standard_output_stays_open),
        cmocka_unit_test(a_terminal_is_known_by_any_name),
        cmocka_unit_test(a_function_receives_everything_in_order),
        cmocka_unit_test(a_function_that_stops_is_not_called_again),
        cmocka_unit_test(written_files_are_reported),
        cmocka_unit_test(cancelled_calls_leave_nothing_behind),
        cmocka_unit_test(nothing_is_a_valid_output),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
