#include "api/api.h"

/*
 * The filter is written in the form that the kernel takes. libseccomp could generate it, but does
 * not handle running out of memory: it crashes, hangs, or makes a wrong filter.
 */

#ifdef __linux__

#include <asm/ioctls.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

/* Selects the architecture: numbers of system calls differ between architectures. */
#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__) && defined(__AARCH64EL__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#endif

#ifdef ARCHITECTURE

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define RETURN(action) BPF_STMT(BPF_RET | BPF_K, (action))
#define DENY RETURN(SECCOMP_RET_ERRNO | EPERM)
#define SKIP_IF(value, n) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), (n), 0)
#define SKIP_UNLESS(value, n) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), 0, (n))
#define SKIP_IF_ANY(bits, n) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (bits), (n), 0)

/* Before each of these macros the number of the call is loaded. LOAD() replaces it, but then the macro decides the call. An
 * argument has 64 bits; for these arguments the kernel uses only the lower 32. */
#define ALLOW(call) SKIP_UNLESS(SYS_##call, 1), RETURN(SECCOMP_RET_ALLOW)
#define ALLOW_WITH(call, i, value)                                                                 \
    SKIP_UNLESS(SYS_##call, 4), LOAD(args[i]), SKIP_UNLESS((value), 1), RETURN(SECCOMP_RET_ALLOW), \
        DENY
#define ALLOW_WITH_EITHER(call, i, value, other)                                                   \
    SKIP_UNLESS(SYS_##call, 5), LOAD(args[i]), SKIP_IF((value), 1), SKIP_UNLESS((other), 1),       \
        RETURN(SECCOMP_RET_ALLOW), DENY
#define ALLOW_WITHOUT(call, i, bits)                                                               \
    SKIP_UNLESS(SYS_##call, 4), LOAD(args[i]), SKIP_IF_ANY((bits), 1), RETURN(SECCOMP_RET_ALLOW),  \
        DENY

/* Allows the calls that the C library needs for memory, for open streams and for ending. The fstat() of some C libraries is
 * newfstatat() with an empty path and fails: the filter cannot see whether a path is empty. */
size_t eti__sandbox_filter(struct sock_filter *out, unsigned process) {
    const struct sock_filter filter[] = {
        LOAD(arch),
        SKIP_IF(ARCHITECTURE, 1),
        RETURN(SECCOMP_RET_KILL_PROCESS),
        LOAD(nr),
        ALLOW(read),
        ALLOW(write),
        ALLOW(writev),
        ALLOW(close),
        ALLOW(lseek),
        ALLOW(fstat),
        ALLOW(brk),
        ALLOW(munmap),
        ALLOW(mremap),
        ALLOW(madvise),
        ALLOW(futex),
        ALLOW(getrandom),
        ALLOW(rt_sigaction),
        ALLOW(rt_sigprocmask),
        ALLOW(rt_sigreturn),
        ALLOW(getpid),
        ALLOW(gettid),
        ALLOW(restart_syscall),
        ALLOW(exit),
        ALLOW(exit_group),
        ALLOW(clock_gettime),
        ALLOW_WITHOUT(mmap, 2, PROT_EXEC),
        ALLOW_WITHOUT(mprotect, 2, PROT_EXEC),
        ALLOW_WITH_EITHER(ioctl, 1, TCGETS, TIOCGWINSZ), /* isatty(), and the width of a terminal */
        ALLOW_WITH(tgkill, 0, process),                  /* raise() */
        DENY,
    };
    _Static_assert(sizeof filter / sizeof *filter <= ETI__SANDBOX_MOST, "callers have room for it");
    memcpy(out, filter, sizeof filter);
    return sizeof filter / sizeof *filter;
}

#else

size_t eti__sandbox_filter(struct sock_filter *out, unsigned process) {
    (void)out, (void)process;
    return 0;
}

#endif
