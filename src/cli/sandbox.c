#include "cli/sandbox.h"

#include "api/api.h"
#include "cli/message.h"

#include <errno.h>
#include <string.h>

#ifdef __linux__

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <unistd.h>

/* Loads the filter. Returns errno, or 0. */
static int load_filter(void) {
    struct sock_filter filter[ETI__SANDBOX_MOST];
    const struct sock_fprog program = {
        (unsigned short)eti__sandbox_filter(filter, (unsigned)getpid()), filter};
    if (program.len == 0)
        return ENOSYS;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
        return errno;
    return 0;
}

#else

static int load_filter(void) {
    return ENOSYS;
}

#endif

int cli_enter_sandbox(void) {
    int reason = load_filter();
    if (reason == ENOMEM)
        return cli_fail_memory();
    return reason == 0
               ? CLI_OK
               : cli_fail_usage("--sandbox: not supported by this system: %s", strerror(reason));
}
