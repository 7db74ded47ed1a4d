#include "support.h"

#include "base/leftovers.h"
#include "measure/dump_folder.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char parent[] = "/tmp/etinspect-parent-XXXXXX";

static int reason_of_flock; /* 0: as the system does */

int flock(int descriptor, int operation) {
    errno = reason_of_flock;
    return reason_of_flock ? -1 : (int)syscall(SYS_flock, descriptor, operation);
}

static int make_parent(void **state) {
    (void)state;
    return mkdtemp(parent) ? 0 : -1;
}

static int remove_parent(void **state) {
    (void)state;
    return rmdir(parent);
}

static const char *in_parent(const char *name) {
    static char paths[4][300];
    static size_t turn;
    char *path = paths[turn++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", parent, name);
    return path;
}

static void make_file(const char *name) {
    FILE *file = fopen(in_parent(name), "w");
    assert_non_null(file);
    fclose(file);
}

static bool is_there(const char *path) {
    struct stat status;
    return lstat(path, &status) == 0;
}

static void stale_folders_are_swept_with_their_dumps(void **state) {
    (void)state;
    const char *path = in_parent("etinspect-0123456789abcdef");
    assert_int_equal(mkdir(path, 0700), 0);
    make_file("etinspect-0123456789abcdef/base-01.etdp");
    make_file("etinspect-0123456789abcdef/new-002.etdp");
    eti__dump_folder_sweep(parent);
    assert_false(is_there(path));
}

static void what_is_no_dump_stays(void **state) {
    (void)state;
    const char *path = in_parent("etinspect-0123456789abcdef"),
               *own = in_parent("etinspect-0123456789abcdef/own.etdp");
    assert_int_equal(mkdir(path, 0700), 0);
    make_file("etinspect-0123456789abcdef/own.etdp");
    eti__dump_folder_sweep(parent);
    assert_true(is_there(own));
    unlink(own);
    rmdir(path);
}

static void folders_of_others_stay(void **state) {
    (void)state;
    static const char *const names[] = {"etinspect-", "etinspect-0123456789abcde",
                                        "etinspect-0123456789abcdef0", "etinspect_0123456789abcdef",
                                        "etinspect-dumps-XyZabc"};
    const char *link = in_parent("etinspect-00000000000000aa");
    assert_int_equal(symlink(names[4], link), 0);
    for (size_t i = 0; i < COUNT_OF(names); i++)
        assert_int_equal(mkdir(in_parent(names[i]), 0700), 0);
    make_file("etinspect-dumps-XyZabc/new-1.etdp");
    eti__dump_folder_sweep(parent);
    assert_true(is_there(in_parent("etinspect-00000000000000aa")));
    assert_int_equal(unlink(in_parent("etinspect-dumps-XyZabc/new-1.etdp")), 0);
    unlink(in_parent("etinspect-00000000000000aa"));
    for (size_t i = 0; i < COUNT_OF(names); i++)
        assert_int_equal(rmdir(in_parent(names[i])), 0);
}

/* And is swept as soon as its process is dead. */
static void folder_of_a_live_process_stays(void **state) {
    (void)state;
    int ends[2];
    char name[300] = "";
    assert_int_equal(pipe(ends), 0);
    pid_t pid = fork();
    if (pid == 0) {
        char *path;
        bool made = eti__dump_folder_make(&path, parent) >= 0;
        (void)!write(ends[1], made ? path : "", made ? strlen(path) : 1);
        pause();
        _exit(0);
    }
    assert_true(read(ends[0], name, sizeof name - 1) > 1);
    eti__dump_folder_sweep(parent);
    assert_true(is_there(name));
    kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    eti__dump_folder_sweep(parent);
    assert_false(is_there(name));
    close(ends[0]);
    close(ends[1]);
}

static void folder_without_a_lock_is_never_swept(void **state) {
    (void)state;
    char *path;
    reason_of_flock = ENOLCK;
    int descriptor = eti__dump_folder_make(&path, parent);
    reason_of_flock = 0;
    assert_true(descriptor >= 0);
    assert_non_null(strstr(path, "/etinspect_"));
    eti__dump_folder_sweep(parent);
    assert_true(is_there(path));
    eti__leftover_drop_folder(path);
    rmdir(path);
    free(path);
    close(descriptor);
}

static void names_of_dumps_are_known(void **state) {
    (void)state;
    assert_true(eti__is_dump_name("base-01.etdp"));
    assert_true(eti__is_dump_name("new-7.etdp"));
    assert_false(eti__is_dump_name("new-.etdp"));
    assert_false(eti__is_dump_name("base-01.etdp.gz"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stale_folders_are_swept_with_their_dumps),
        cmocka_unit_test(what_is_no_dump_stays),
        cmocka_unit_test(folders_of_others_stay),
        cmocka_unit_test(folder_of_a_live_process_stays),
        cmocka_unit_test(folder_without_a_lock_is_never_swept),
        cmocka_unit_test(names_of_dumps_are_known),
    };
    return cmocka_run_group_tests(tests, make_parent, remove_parent);
}
