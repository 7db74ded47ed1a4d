/*
 * Runs the filter of --sandbox as the kernel does, on every system call number of this processor. QEMU's user mode has no
 * system call filters, so for other processors only this test runs them.
 */
#include "api/api.h"
#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#define OTHER_ARCHITECTURE AUDIT_ARCH_I386
#elif defined(__aarch64__) && defined(__AARCH64EL__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#define OTHER_ARCHITECTURE AUDIT_ARCH_ARM
#endif

#define PROCESS 1234u

static struct sock_filter filter[ETI__SANDBOX_MOST];
static size_t n_instructions;

static int make_filter(void **state) {
    (void)state;
    n_instructions = eti__sandbox_filter(filter, PROCESS);
    return 0;
}

#ifdef ARCHITECTURE

/* Returns the action for a call; fails if the kernel would reject the filter. */
static uint32_t run(const struct seccomp_data *data) {
    uint32_t accumulator = 0;
    for (size_t at = 0; at < n_instructions; at++) {
        const struct sock_filter *one = &filter[at];
        bool holds = false;
        switch (one->code) {
        case BPF_LD | BPF_W | BPF_ABS:
            assert_true(one->k % 4 == 0 && one->k <= sizeof *data - 4);
            memcpy(&accumulator, (const uint8_t *)data + one->k, sizeof accumulator);
            continue;
        case BPF_RET | BPF_K:
            return one->k;
        case BPF_JMP | BPF_JEQ | BPF_K:
            holds = accumulator == one->k;
            break;
        case BPF_JMP | BPF_JSET | BPF_K:
            holds = (accumulator & one->k) != 0;
            break;
        default:
            fail_msg("instruction %zu has the code %#x", at, (unsigned)one->code);
        }
        at += holds ? one->jt : one->jf;
    }
    fail_msg("the filter has no end");
    return 0;
}

/* Returns whether a call passes; otherwise it must fail with EPERM. All other arguments have all bits set. */
static bool passes(long number, unsigned argument, uint64_t value) {
    struct seccomp_data data = {.nr = (int)number, .arch = ARCHITECTURE};
    for (size_t i = 0; i < COUNT_OF(data.args); i++)
        data.args[i] = i == argument ? value : UINT64_MAX;
    uint32_t action = run(&data);
    assert_true(action == SECCOMP_RET_ALLOW || action == (SECCOMP_RET_ERRNO | EPERM));
    return action == SECCOMP_RET_ALLOW;
}

static const long always[] = {
    SYS_read,         SYS_write,     SYS_writev,       SYS_close,           SYS_lseek,
    SYS_fstat,        SYS_brk,       SYS_munmap,       SYS_mremap,          SYS_madvise,
    SYS_futex,        SYS_getrandom, SYS_rt_sigaction, SYS_rt_sigprocmask,  SYS_rt_sigreturn,
    SYS_getpid,       SYS_gettid,    SYS_exit,         SYS_restart_syscall, SYS_exit_group,
    SYS_clock_gettime};

/* Calls that pass with one value of an argument, and fail with another. */
static const struct {
    long number;
    unsigned argument;
    uint64_t passes, fails;
} sometimes[] = {
    {SYS_mmap, 2, PROT_READ | PROT_WRITE, PROT_READ | PROT_EXEC},
    {SYS_mprotect, 2, PROT_NONE, PROT_EXEC},
    {SYS_ioctl, 1, TCGETS, TIOCSTI},
    {SYS_ioctl, 1, TIOCGWINSZ, TIOCSTI},
    {SYS_tgkill, 0, PROCESS, 1},
};

static bool is_known(long number) {
    for (size_t i = 0; i < COUNT_OF(always); i++) {
        if (always[i] == number)
            return true;
    }
    for (size_t i = 0; i < COUNT_OF(sometimes); i++) {
        if (sometimes[i].number == number)
            return true;
    }
    return false;
}

static void what_is_needed_passes(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(always); i++)
        assert_true(passes(always[i], 0, 0));
    for (size_t i = 0; i < COUNT_OF(sometimes); i++) {
        assert_true(passes(sometimes[i].number, sometimes[i].argument, sometimes[i].passes));
        assert_false(passes(sometimes[i].number, sometimes[i].argument, sometimes[i].fails));
    }
}

/* Like the filter, the kernel uses only the lower half of these arguments. */
static void the_upper_half_of_an_argument_changes_nothing(void **state) {
    (void)state;
    const uint64_t upper = UINT64_C(1) << 32;
    assert_true(passes(SYS_mmap, 2, upper | PROT_READ));
    assert_false(passes(SYS_mmap, 2, upper | PROT_EXEC));
    assert_false(passes(SYS_ioctl, 1, upper | TIOCSTI));
}

/* The filter sees the address of a path, but not the path: a flag such as AT_EMPTY_PATH does not say that it is empty. */
static void no_call_that_takes_a_path_passes(void **state) {
    (void)state;
    static const long with_path[] = {
        SYS_newfstatat, SYS_statx,     SYS_openat,   SYS_faccessat, SYS_readlinkat,
        SYS_mkdirat,    SYS_unlinkat,  SYS_renameat, SYS_linkat,    SYS_symlinkat,
        SYS_fchmodat,   SYS_fchownat,  SYS_chdir,    SYS_truncate,  SYS_statfs,
        SYS_getxattr,   SYS_utimensat, SYS_execve,   SYS_execveat,  SYS_inotify_add_watch,
    };
    for (size_t i = 0; i < COUNT_OF(with_path); i++) {
        for (unsigned argument = 0; argument < 6; argument++) {
            for (unsigned bit = 0; bit < 32; bit++)
                assert_false(passes(with_path[i], argument, UINT64_C(1) << bit));
        }
    }
    assert_false(passes(SYS_newfstatat, 3, AT_EMPTY_PATH));
}

/* On x86-64, numbers with bit 30 belong to the x32 ABI. */
static void all_else_fails(void **state) {
    (void)state;
    for (long number = 0; number < 2000; number++) {
        if (!is_known(number) && passes(number, 0, 0))
            fail_msg("call %ld passes", number);
        assert_false(passes(number | 1L << 30, 0, 0));
    }
    assert_false(passes(-1, 0, 0));
    assert_false(passes(SYS_openat, 2, O_RDONLY) || passes(SYS_socket, 0, 1) ||
                 passes(SYS_execve, 0, 0) || passes(SYS_clone, 0, 0) ||
                 passes(SYS_kill, 0, PROCESS));
}

static void calls_of_another_architecture_end_the_process(void **state) {
    (void)state;
    for (int number = 0; number < 2000; number++)
        assert_true(run(&(struct seccomp_data){.nr = number, .arch = OTHER_ARCHITECTURE}) ==
                    SECCOMP_RET_KILL_PROCESS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_needed_passes),
        cmocka_unit_test(the_upper_half_of_an_argument_changes_nothing),
        cmocka_unit_test(no_call_that_takes_a_path_passes),
        cmocka_unit_test(all_else_fails),
        cmocka_unit_test(calls_of_another_architecture_end_the_process),
    };
    return cmocka_run_group_tests(tests, make_filter, NULL);
}

#else

static void other_processors_have_none(void **state) {
    (void)state;
    assert_int_equal(n_instructions, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(other_processors_have_none)};
    return cmocka_run_group_tests(tests, make_filter, NULL);
}

#endif
