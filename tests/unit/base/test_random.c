#include "support.h"

#include "base/random.h"

#include <errno.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool has_no_call;

/* Replaces the system call that the library uses. */
ssize_t getrandom(void *out, size_t size, unsigned flags) {
    if (!has_no_call)
        return syscall(SYS_getrandom, out, size, flags);
    errno = ENOSYS;
    return -1;
}

/* Two equal draws of 16 bytes are less likely than a broken machine. */
static void assert_drawn(void) {
    uint8_t first[16] = {0}, second[16] = {0}, none[16] = {0};
    assert_true(eti__random_bytes(first, sizeof first));
    assert_true(eti__random_bytes(second, sizeof second));
    assert_memory_not_equal(first, none, sizeof none);
    assert_memory_not_equal(first, second, sizeof second);
}

static void bytes_are_drawn_anew(void **state) {
    (void)state;
    has_no_call = false;
    assert_drawn();
}

static void the_device_gives_bytes_where_the_call_is_missing(void **state) {
    (void)state;
    has_no_call = true;
    assert_drawn();
}

static void a_system_without_bytes_is_reported(void **state) {
    (void)state;
    struct rlimit before, none;
    uint8_t bytes[16];
    has_no_call = true;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    none = (struct rlimit){0, before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    bool drawn = eti__random_bytes(bytes, sizeof bytes);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_false(drawn);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_are_drawn_anew),
        cmocka_unit_test(the_device_gives_bytes_where_the_call_is_missing),
        cmocka_unit_test(a_system_without_bytes_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
