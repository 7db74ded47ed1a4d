#include "base/pipe.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#ifdef __linux__

bool eti__open_pipe(int ends[2]) {
    return pipe2(ends, O_CLOEXEC) == 0;
}

#else

/* Sets the flags separately: a program that another thread starts in between inherits the pipe. */
bool eti__open_pipe(int ends[2]) {
    if (pipe(ends) != 0)
        return false;
    if (fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 && fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0)
        return true;
    int reason = errno;
    close(ends[0]);
    close(ends[1]);
    ends[0] = ends[1] = -1;
    errno = reason;
    return false;
}

#endif
