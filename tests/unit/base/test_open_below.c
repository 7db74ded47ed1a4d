#include "support.h"

#include "base/open_below.h"
#include "base/small_file.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <unistd.h>

/* Paths of OUTSIDE/secret and OUTSIDE/root, in which the tests work. */
static char outside[] = "/tmp/etinspect-below-XXXXXX";
static char root[64];

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static int make_folders(void **state) {
    (void)state;
    if (!mkdtemp(outside) || chdir(outside) != 0)
        return -1;
    snprintf(root, sizeof root, "%s/root", outside);
    if (mkdir("root", 0700) != 0 || mkdir("root/a", 0700) != 0 || mkdir("root/a/b", 0700) != 0)
        return -1;
    write_file("secret", "secret");
    write_file("root/file", "inside");
    write_file("root/a/b/file", "inside");
    return chdir("root");
}

static int remove_folders(void **state) {
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", outside);
    return chdir("/") == 0 && system(command) == 0 ? 0 : -1; /* NOLINT(cert-env33-c): of ours */
}

static bool is_opened(const char *name) {
    eti_buffer text = {0};
    bool done = eti__small_file_read_below(root, name, 100, &text);
    if (done)
        assert_text(eti__buffer_text(&text), "inside");
    eti__buffer_free(&text);
    return done;
}

static void make_link(const char *target, const char *name) {
    unlink(name);
    assert_int_equal(symlink(target, name), 0);
}

static void files_below_are_opened(void **state) {
    (void)state;
    static const char *const names[] = {"file",      "a/b/file",       "./a//b/./file", "/file",
                                        "a/../file", "a/b/../../file", "a/b/../b/file"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        if (!is_opened(names[i]))
            fail_msg("%s is not opened", names[i]);
    }
    assert_int_equal(eti__open_below("/nonexistent", "file"), -1);
}

static void nothing_else_is(void **state) {
    (void)state;
    static const char *const names[] = {
        "",
        ".",
        "..",
        "a",
        "missing",
        "../secret",
        "a/../..",
        "a/../../secret",
        "file/..",
        "../root/file",
        "a/../../root/file",
    };
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        if (is_opened(names[i]))
            fail_msg("%s is opened", names[i]);
    }
    char path[256];
    snprintf(path, sizeof path, "%s/secret", outside);
    assert_false(is_opened(path));
}

static void links_that_stay_are_followed(void **state) {
    (void)state;
    make_link("file", "to_file");
    make_link("a/b", "to_folder");
    make_link("../b/../../file", "a/b/up");
    make_link("to_file", "to_link");
    make_link("a/./b//", "to_slashes");
    assert_true(is_opened("to_file"));
    assert_true(is_opened("to_folder/file"));
    assert_true(is_opened("a/b/up")); /* a/b/../b/../../file */
    assert_true(is_opened("to_link"));
    assert_true(is_opened("to_slashes/file"));
    make_link("../../file", "a/b/up");
    assert_true(is_opened("a/b/up"));
    assert_true(is_opened("to_folder/up"));
}

static void links_that_leave_are_not(void **state) {
    (void)state;
    char path[256];
    static const char *const targets[] = {
        "../secret", "a/../../secret", "/proc/self/cwd/../secret", "/proc/self/root", "..",
        "/",         "../root/file", /* it comes back into the root */
    };
    for (size_t i = 0; i < COUNT_OF(targets); i++) {
        make_link(targets[i], "out");
        if (is_opened("out") || is_opened("out/secret") || is_opened("out/root/file"))
            fail_msg("a link to %s is followed", targets[i]);
    }
    snprintf(path, sizeof path, "%s/file", root); /* absolute, although inside the root */
    make_link(path, "out");
    assert_false(is_opened("out"));
    make_link("out", "out");
    assert_false(is_opened("out"));
    unlink("out");
}

static void devices_are_not_waited_for(void **state) {
    (void)state;
    assert_int_equal(mkfifo("pipe", 0600), 0);
    assert_false(is_opened("pipe"));
}

/* Exchanges a folder for a link that leads out of the root, again and again. */
static atomic_bool is_over;

static void *exchange(void *unused) {
    while (!atomic_load(&is_over)) {
        (void)!rename("a", "kept");
        (void)!symlink("..", "a");
        (void)!unlink("a");
        (void)!rename("kept", "a");
    }
    return unused;
}

static void a_race_is_not_won(void **state) {
    (void)state;
    pthread_t thread;
    write_file("a/secret", "inside");
    atomic_store(&is_over, false);
    assert_int_equal(pthread_create(&thread, NULL, exchange, NULL), 0);
    for (int i = 0; i < 20000; i++)
        (void)is_opened("a/secret"); /* checks that it is the file inside the root */
    atomic_store(&is_over, true);
    pthread_join(thread, NULL);
    assert_true(is_opened("a/secret"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_below_are_opened),       cmocka_unit_test(nothing_else_is),
        cmocka_unit_test(links_that_stay_are_followed), cmocka_unit_test(links_that_leave_are_not),
        cmocka_unit_test(devices_are_not_waited_for),   cmocka_unit_test(a_race_is_not_won),
    };
    return cmocka_run_group_tests(tests, make_folders, remove_folders);
}
