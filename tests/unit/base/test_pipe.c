#include "support.h"

#include "base/pipe.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

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
        cmocka_unit_test(written_files_are_read),
        cmocka_unit_test(no_program_that_is_started_inherits_it),
        cmocka_unit_test(a_system_without_descriptors_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
