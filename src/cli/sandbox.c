#include "cli/sandbox.h"

#include "cli/cli.h"

#include <asm/ioctls.h>
#include <errno.h>
#include <fcntl.h>
#include <seccomp.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* What the C library needs for memory, for streams that are open and for ending. */
static bool allow_calls(scmp_filter_ctx filter) {
    const int calls[] = {
        SCMP_SYS(read),         SCMP_SYS(write),          SCMP_SYS(writev),
        SCMP_SYS(close),        SCMP_SYS(lseek),          SCMP_SYS(fstat),
        SCMP_SYS(brk),          SCMP_SYS(munmap),         SCMP_SYS(mremap),
        SCMP_SYS(madvise),      SCMP_SYS(futex),          SCMP_SYS(getrandom),
        SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn),
        SCMP_SYS(getpid),       SCMP_SYS(gettid),         SCMP_SYS(restart_syscall),
        SCMP_SYS(exit),         SCMP_SYS(exit_group),     SCMP_SYS(clock_gettime),
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        if (seccomp_rule_add(filter, SCMP_ACT_ALLOW, calls[i], 0) != 0)
            return false;
    }
    return true;
}

/* And these with one argument as given. */
static bool allow_calls_in_part(scmp_filter_ctx filter) {
    const struct {
        int call;
        struct scmp_arg_cmp argument;
    } rules[] = {
        {SCMP_SYS(mmap), SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0)},
        {SCMP_SYS(mprotect), SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0)},
        {SCMP_SYS(newfstatat), SCMP_A3(SCMP_CMP_EQ, AT_EMPTY_PATH)},      /* fstat() */
        {SCMP_SYS(ioctl), SCMP_A1(SCMP_CMP_EQ, TCGETS)},                  /* isatty() */
        {SCMP_SYS(tgkill), SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)getpid())}, /* raise() */
    };
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        if (seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, rules[i].call, 1, &rules[i].argument) !=
            0)
            return false;
    }
    return true;
}

int cli_enter_sandbox(void) {
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    if (!filter)
        return cli_fail_memory();
    int reason = ENOMEM;
    if (allow_calls(filter) && allow_calls_in_part(filter))
        reason = -seccomp_load(filter);
    seccomp_release(filter);
    return reason == 0
               ? CLI_OK
               : cli_fail_usage("--sandbox: the system does not offer it: %s", strerror(reason));
}
