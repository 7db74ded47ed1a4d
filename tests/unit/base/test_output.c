#include "folder_fixture.h"

#include "support.h"

#include "base/output.h"
#include "base/parallel.h"
#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

/* ==== atomic file ============================================================================= */

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

/* ==== file access ============================================================================= */

#define ACL "system.posix_acl_access"

static char access_folder[] = "/tmp/etinspect-access-XXXXXX";
static char old_path[64], new_path[64];
static bool refuses_owner, refuses_group, refuses_list;

int fchown(int descriptor, uid_t owner, gid_t group) {
    errno = EPERM;
    if ((refuses_owner && owner != (uid_t)-1) || (refuses_group && group != (gid_t)-1))
        return -1;
    return (int)syscall(SYS_fchown, descriptor, owner, group);
}

int fsetxattr(int descriptor, const char *name, const void *value, size_t size, int flags) {
    errno = EPERM;
    return refuses_list ? -1 : (int)syscall(SYS_fsetxattr, descriptor, name, value, size, flags);
}

static int make_access_folder(void **state) {
    (void)state;
    bool done = mkdtemp(access_folder) != NULL;
    snprintf(old_path, sizeof old_path, "%s/old", access_folder);
    snprintf(new_path, sizeof new_path, "%s/new", access_folder);
    return done ? 0 : -1;
}

static int remove_access_folder(void **state) {
    (void)state;
    return rmdir(access_folder);
}

static void make_old(mode_t mode) {
    int descriptor = open(old_path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    assert_true(descriptor >= 0);
    assert_int_equal(fchmod(descriptor, mode), 0);
    close(descriptor);
}

/* Makes the new file, copies the rights of the old one to it, and returns the resulting status. */
static struct stat copy_access(void) {
    struct stat before, after;
    assert_int_equal(stat(old_path, &before), 0);
    int descriptor = open(new_path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    assert_true(descriptor >= 0);
    eti__file_access_copy(descriptor, old_path, &before);
    assert_int_equal(fstat(descriptor, &after), 0);
    close(descriptor);
    return after;
}

static void remove_files(void) {
    unlink(old_path);
    unlink(new_path);
}

static void mode_is_kept(void **state) {
    (void)state;
    static const mode_t modes[] = {0600, 0640, 0664, 0604, 0755, 0222};
    for (size_t i = 0; i < COUNT_OF(modes); i++) {
        make_old(modes[i]);
        assert_int_equal(copy_access().st_mode & 07777, modes[i]);
        remove_files();
    }
}

static void special_bits_are_not_kept(void **state) {
    (void)state;
    make_old(06755);
    assert_int_equal(copy_access().st_mode & 07777, 0755);
    remove_files();
}

static void owner_and_group_are_kept(void **state) {
    (void)state;
    make_old(0640);
    if (chown(old_path, 1234, 5678) != 0) { /* only root may do this */
        remove_files();
        skip();
    }
    struct stat found = copy_access();
    assert_int_equal(found.st_uid, 1234);
    assert_int_equal(found.st_gid, 5678);
    assert_int_equal(found.st_mode & 07777, 0640);
    remove_files();
}

static void group_is_kept_where_the_owner_is_not(void **state) {
    (void)state;
    make_old(0660);
    if (chown(old_path, 1234, 5678) != 0) { /* only root may do this */
        remove_files();
        skip();
    }
    refuses_owner = true;
    struct stat found = copy_access();
    refuses_owner = false;
    assert_int_equal(found.st_uid, geteuid());
    assert_int_equal(found.st_gid, 5678);
    assert_int_equal(found.st_mode & 07777, 0660);
    remove_files();
}

/* A file readable by one group must not become readable by another. */
static void another_group_gets_what_all_others_have(void **state) {
    (void)state;
    static const mode_t modes[][2] = {{0640, 0600}, {0664, 0644}, {0604, 0644}, {0770, 0700}};
    refuses_owner = refuses_group = true;
    for (size_t i = 0; i < COUNT_OF(modes); i++) {
        make_old(modes[i][0]);
        assert_int_equal(copy_access().st_mode & 07777, modes[i][1]);
        remove_files();
    }
    refuses_owner = refuses_group = false;
}

/* user::rw-, user:1234:rw-, group::---, mask::rw-, other::--- */
static const unsigned char list[] = {
    2, 0,    0,    0,    1,    0,    6,    0, 0xff, 0xff, 0xff, 0xff, 2,    0,    6,
    0, 0xd2, 4,    0,    0,    4,    0,    0, 0,    0xff, 0xff, 0xff, 0xff, 0x10, 0,
    6, 0,    0xff, 0xff, 0xff, 0xff, 0x20, 0, 0,    0,    0xff, 0xff, 0xff, 0xff};

static void access_list_is_kept(void **state) {
    (void)state;
    char found[256];
    make_old(0600);
    if (setxattr(old_path, ACL, list, sizeof list, 0) != 0) {
        remove_files();
        skip();
    }
    assert_int_equal(copy_access().st_mode & 07777, 0660);
    assert_int_equal(getxattr(new_path, ACL, found, sizeof found), sizeof list);
    assert_memory_equal(found, list, sizeof list);
    remove_files();
}

/* The group bits hold the mask of the whole list: without the list they would apply to the group itself. */
static void group_gets_nothing_of_a_list_that_is_lost(void **state) {
    (void)state;
    make_old(0600);
    if (setxattr(old_path, ACL, list, sizeof list, 0) != 0) {
        remove_files();
        skip();
    }
    refuses_list = true;
    assert_int_equal(copy_access().st_mode & 07777, 0600);
    refuses_list = false;
    remove_files();
}

/* The default list of the folder is for new files. */
static void list_of_the_folder_is_not_added(void **state) {
    (void)state;
    char found[256];
    make_old(0640);
    if (setxattr(access_folder, "system.posix_acl_default", list, sizeof list, 0) != 0) {
        remove_files();
        skip();
    }
    assert_int_equal(copy_access().st_mode & 07777, 0640);
    assert_int_equal(getxattr(new_path, ACL, found, sizeof found), -1);
    assert_int_equal(removexattr(access_folder, "system.posix_acl_default"), 0);
    remove_files();
}

/* ==== links =================================================================================== */

static char link_folder[] = "/tmp/etinspect-links-XXXXXX";

static int make_link_folder(void **state) {
    (void)state;
    return mkdtemp(link_folder) && chdir(link_folder) == 0 ? 0 : -1;
}

static int remove_link_folder(void **state) {
    (void)state;
    return chdir("/") == 0 ? rmdir(link_folder) : -1;
}

static void assert_leads_to(const char *path, const char *expected) {
    char *found = eti__follow_links(path);
    assert_non_null(found);
    assert_string_equal(found, expected);
    free(found);
}

static void paths_without_links_stay_the_same(void **state) {
    (void)state;
    assert_leads_to("none", "none");
    assert_leads_to("none/file", "none/file");
    assert_leads_to("/", "/");
}

static void links_are_followed_to_the_end(void **state) {
    (void)state;
    assert_int_equal(symlink("second", "first"), 0);
    assert_int_equal(symlink("/tmp/absent", "second"), 0);
    assert_leads_to("first", "/tmp/absent");
    assert_leads_to("./first", "/tmp/absent");
    unlink("first");
    unlink("second");
}

/* A link is relative to its own folder. */
static void links_lead_on_from_their_folder(void **state) {
    (void)state;
    char path[100], expected[100];
    assert_int_equal(symlink("target", "link"), 0);
    snprintf(path, sizeof path, "%s/link", link_folder);
    snprintf(expected, sizeof expected, "%s/target", link_folder);
    assert_leads_to(path, expected);
    assert_leads_to("link", "target");
    unlink("link");
}

static void circles_end(void **state) {
    (void)state;
    assert_int_equal(symlink("b", "a"), 0);
    assert_int_equal(symlink("a", "b"), 0);
    assert_null(eti__follow_links("a"));
    assert_int_equal(errno, ELOOP);
    unlink("a");
    unlink("b");
}

/* ==== folder ================================================================================== */

static char path_folder[] = "/tmp/etinspect-lock-XXXXXX";
static char path_path[64], link_path[64];

static int reason_of_flock; /* 0: the system's result */
static pid_t locker;        /* a child that holds the lock until it is ended; 0: none */
static bool ends_at_once;   /* at the first look for the lock */

static void end_locker(void) {
    kill(locker, SIGKILL);
    assert_int_equal(waitpid(locker, NULL, 0), locker);
    locker = 0;
}

/* Ends the child between two looks, so that no time decides what the test sees. */
int flock(int descriptor, int operation) {
    errno = reason_of_flock;
    int result = reason_of_flock ? -1 : (int)syscall(SYS_flock, descriptor, operation);
    int reason = errno;
    if (result != 0 && reason == EWOULDBLOCK && locker > 0 && ends_at_once)
        end_locker();
    errno = reason;
    return result;
}

static int make_path_folder(void **state) {
    (void)state;
    bool done = mkdtemp(path_folder) != NULL;
    snprintf(path_path, sizeof path_path, "%s/file", path_folder);
    snprintf(link_path, sizeof link_path, "%s-link", path_folder);
    return done && symlink(path_path, link_path) == 0 ? 0 : -1;
}

static int remove_path_folder(void **state) {
    (void)state;
    unlink(link_path);
    return rmdir(path_folder);
}

static int n_waits;

/* Ends the child only after the wait was said. */
static void count_waits(const char *name) {
    assert_string_equal(name, path_path);
    n_waits++;
    end_locker();
}

/* Returns once a child holds the lock, which it took through a link. */
static void lock_in_child(bool is_short) {
    int ends[2];
    char byte;
    assert_int_equal(pipe(ends), 0);
    pid_t pid = fork();
    if (pid == 0) {
        (void)!eti__folder_lock(link_path, count_waits);
        (void)!write(ends[1], "x", 1);
        for (;;)
            pause();
    }
    ends_at_once = is_short;
    assert_int_equal(read(ends[0], &byte, 1), 1);
    close(ends[0]);
    close(ends[1]);
    locker = pid;
}

static void one_waits_for_the_other(void **state) {
    (void)state;
    lock_in_child(true);
    int lock = eti__folder_lock(path_path, count_waits);
    assert_true(lock >= 0);
    close(lock);
    assert_int_equal(locker, 0);
    assert_int_equal(n_waits, 0);
}

static void a_long_wait_is_said_once(void **state) {
    (void)state;
    lock_in_child(false);
    int lock = eti__folder_lock(path_path, count_waits);
    assert_true(lock >= 0);
    close(lock);
    assert_int_equal(locker, 0);
    assert_int_equal(n_waits, 1);
}

static void failing_locks_have_a_reason(void **state) {
    (void)state;
    assert_int_equal(eti__folder_lock("/nosuch/file", count_waits), -1);
    assert_int_equal(errno, ENOENT);
    reason_of_flock = ENOLCK;
    assert_int_equal(eti__folder_lock(path_path, count_waits), -1);
    assert_int_equal(errno, ENOLCK);
    reason_of_flock = 0;
}

/* ==== terminal ================================================================================ */

static eti_buffer shown;

static bool receive_terminal(void *context, const void *data, size_t size) {
    (void)context;
    eti__buffer_add(&shown, data, size);
    return true;
}

/* How the output is read: on a terminal, on one with colours, by a CI runner. */
enum { PLAIN, COLORED, DEFUSED };

/* Returns what is written when the text is added `step` bytes at a time. */
static eti_text show(eti_text text, size_t step, int reader) {
    eti_output *output;
    shown.size = 0;
    assert_int_equal(eti__output_open_function(&output, receive_terminal, NULL, NULL), ETI_OK);
    if (reader == DEFUSED)
        eti__output_defuse(output);
    else
        eti__output_show(output);
    if (reader == COLORED)
        eti__output_allow_color(output);
    for (size_t at = 0; at < text.size; at += step)
        eti__output_add(output, text.data + at, text.size - at < step ? text.size - at : step);
    assert_int_equal(eti__output_commit(output, NULL), ETI_OK);
    return eti__buffer_text(&shown);
}

static const struct {
    const char *text, *plain, *colored; /* NULL: the same as `plain` */
} examples[] = {
    {"", "", NULL},
    {"a\tb\nc\r\nd", "a\tb\nc\r\nd", NULL},
    {"\xe2\x94\x80 \xf0\x9f\x98\x80 \xc3\xbc", "\xe2\x94\x80 \xf0\x9f\x98\x80 \xc3\xbc", NULL},
    {"a\rb\r", "a\\x0db\\x0d", NULL},
    {"\a\b\v\f\x7f", "\\x07\\x08\\x0b\\x0c\\x7f", NULL},
    {"\033]0;title\a", "\\x1b]0;title\\x07", NULL},
    {"\033[2J\033[1;1H", "\\x1b[2J\\x1b[1;1H", NULL},
    {"\xc2\x9b"
     "2J",
     "\\x9b2J", NULL},
    {"\xe2\x80\xae\xe2\x81\xa6", "\\u202e\\u2066", NULL},
    {"\x9b"
     "2J \xff \xe2\x94",
     "\xef\xbf\xbd"
     "2J \xef\xbf\xbd \xef\xbf\xbd",
     NULL},
    {"\033[31mred\033[0m", "\\x1b[31mred\\x1b[0m", "\033[31mred\033[0m"},
    {"\033[1;31m", "\\x1b[1;31m", "\033[1;31m"},
    {"\033[m\033[31", "\\x1b[m\\x1b[31", "\033[m\\x1b[31"},
    {"\033[12345678901m", "\\x1b[12345678901m", NULL}, /* longer than any escape of this program */
    {"\033", "\\x1b", NULL},
};

static void what_acts_is_spelled_out(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(examples); i++) {
        assert_text(show(eti__text_of(examples[i].text), SIZE_MAX / 2, PLAIN), examples[i].plain);
        assert_text(show(eti__text_of(examples[i].text), SIZE_MAX / 2, COLORED),
                    examples[i].colored ? examples[i].colored : examples[i].plain);
    }
}

/* Commands of GitHub, Azure Pipelines and TeamCity. White space of Unicode may stand before the first form. */
static const struct {
    const char *text, *defused;
} commands[] = {
    {"::error::a", "\\x3a:error::a"},
    {"a::b\n::c\r::d\r\n \t::e", "a::b\n\\x3a:c\r\\x3a:d\r\n \t\\x3a:e"},
    {"\xc2\xa0\xe3\x80\x80::a", "\xc2\xa0\xe3\x80\x80\\x3a:a"},
    {"\xe2\x80\x8b::a", "\xe2\x80\x8b::a"}, /* a zero-width space is no white space */
    {":\n::", ":\n\\x3a:"},
    {":::a", "\\x3a::a"},
    {"a ##[group]b", "a \\x23#[group]b"},
    {"##vso[a]##VSO[b]", "\\x23#vso[a]\\x23#VSO[b]"},
    {"####teamcity[", "##\\x23#teamcity["},
    {"## a [ ##1[ #[ ##a-b[", "## a [ ##1[ #[ ##a-b["},
    {"##abcdefghijklmnop[", "\\x23#abcdefghijklmnop["}, /* no runner has a longer word */
    {"##abcdefghijklmnopq[", "##abcdefghijklmnopq["},
    {"\033[2J \xff \xe2\x94", "\033[2J \xff \xe2\x94"}, /* a file keeps its bytes */
    {"###", "###"},
};

static void commands_of_runners_are_broken(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(commands); i++)
        assert_text(show(eti__text_of(commands[i].text), SIZE_MAX / 2, DEFUSED),
                    commands[i].defused);
}

/* Writes `text` behind `filler` in pieces of several sizes, so that a buffer of the output ends anywhere in it. */
static void check_pieces(const char *text, const char *filler, int reader, const char *expected) {
    size_t n = strlen(text);
    for (size_t before = 65536 - n; before <= 65536; before++) {
        eti_buffer all = {0};
        eti__buffer_add(&all, filler, before - 1);
        eti__buffer_add_char(&all, '\n');
        eti__buffer_add_string(&all, text);
        for (size_t step = 1; step <= all.size; step *= 70) {
            eti_text written = show(eti__buffer_text(&all), step, reader);
            assert_int_equal(written.size, before + strlen(expected));
            assert_memory_equal(written.data + before, expected, strlen(expected));
        }
        eti__buffer_free(&all);
    }
}

static void pieces_make_no_difference(void **state) {
    (void)state;
    static char filler[65600];
    memset(filler, '.', sizeof filler);
    for (size_t i = 0; i < COUNT_OF(examples); i++) {
        const char *colored = examples[i].colored ? examples[i].colored : examples[i].plain;
        check_pieces(examples[i].text, filler, PLAIN, examples[i].plain);
        check_pieces(examples[i].text, filler, COLORED, colored);
    }
    for (size_t i = 0; i < COUNT_OF(commands); i++)
        check_pieces(commands[i].text, filler, DEFUSED, commands[i].defused);
    eti__buffer_free(&shown);
}

static int run_atomic_file(void) {
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

static int run_file_access(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mode_is_kept),
        cmocka_unit_test(special_bits_are_not_kept),
        cmocka_unit_test(owner_and_group_are_kept),
        cmocka_unit_test(group_is_kept_where_the_owner_is_not),
        cmocka_unit_test(another_group_gets_what_all_others_have),
        cmocka_unit_test(access_list_is_kept),
        cmocka_unit_test(group_gets_nothing_of_a_list_that_is_lost),
        cmocka_unit_test(list_of_the_folder_is_not_added),
    };
    return cmocka_run_group_tests(tests, make_access_folder, remove_access_folder);
}

static int run_links(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_without_links_stay_the_same),
        cmocka_unit_test(links_are_followed_to_the_end),
        cmocka_unit_test(links_lead_on_from_their_folder),
        cmocka_unit_test(circles_end),
    };
    return cmocka_run_group_tests(tests, make_link_folder, remove_link_folder);
}

static int run_folder(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_waits_for_the_other),
        cmocka_unit_test(a_long_wait_is_said_once),
        cmocka_unit_test(failing_locks_have_a_reason),
    };
    return cmocka_run_group_tests(tests, make_path_folder, remove_path_folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_acts_is_spelled_out),
        cmocka_unit_test(commands_of_runners_are_broken),
        cmocka_unit_test(pieces_make_no_difference),
    };
    return run_atomic_file() + run_file_access() + run_links() + run_folder() +
           cmocka_run_group_tests(tests, NULL, NULL);
}
